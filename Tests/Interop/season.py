#!/usr/bin/env python3
"""Plays a season of nightly runs, and judges what they have published.

    season.py play FOLDER          runs `sluice sync` on 60 nights; keeps what each of them left
    season.py JUDGE FOLDER         judges what was kept: season_judges.py, by its functions' names
    season.py khal FOLDER ITEMS COMMAND...
                                   imports every night's calendar with khal, and looks at its items
    season.py ghosts FOLDER ITEMS COMMAND...
                                   sees that the same notices events that were not cancelled

One run a night publishes the whole feed, with a calendar for each house and a site, with a state
folder; another one, with a state folder of its own, a calendar that every night is filtered
otherwise. SLUICE is the program.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import season_feed
import season_judges
import season_khal
from season_feed import ACCEPTED, EXIT_CODES, NIGHTS
from season_nights import season

OUTPUTS = ["all.ics", "all.csv", "home.ics", "changes.ndjson"]
HOUSES = ["-o", "houses/{address_id}.ics", "-o", "site/"]
# What a site says of the last run is written by every night, also by one that fails.
STATUS = {"site/status.js", "site/status.json"}


def play(base):
    """Runs all nights, whatever is wrong with one; gives what was."""
    live = base / "live"
    live.mkdir()
    wrong = []
    for night in season():
        try:
            play_night(night, live, night.folder(base))
        except AssertionError as error:
            wrong.append(f"night {night.number} ({night.kind}): {error}")
    print(f"{NIGHTS} nights")
    return "\n".join(wrong) or None


def play_night(night, live, folder):
    """Runs one night. It leaves a folder with the outputs, and which of them it has touched."""
    folder.mkdir()
    write_answer(night, live / "feed.json")
    before = state_of(live)
    accept = ["--accept"] if night.kind == ACCEPTED else []
    whole = "--state all -o all.ics -o all.csv --changes changes.ndjson".split() + HOUSES
    part = "-v --state home -o home.ics".split() + night.filter[0]
    codes, said = zip(*(sync(night, live, accept + options) for options in (whole, part)))
    (folder / "said").write_text(said[1])
    after = state_of(live)
    for name in OUTPUTS:
        if name in after:
            (folder / name).write_bytes(after[name][0])
    for name in ("houses", "site/house"):
        if (live / name).is_dir():
            shutil.copytree(live / name, folder / name)
    touched = [name for name in after if after[name] != before.get(name)]
    (folder / "touched.json").write_text(json.dumps(touched))
    expected = EXIT_CODES[night.kind]
    assert set(codes) == {expected}, f"exit codes {codes}, not {expected}: {said}"
    if not night.is_published:
        assert before == after, f"published {touched}, or left a file: {sorted(after)}"
        for errors in said:
            assert errors.count("error: ") == 1, errors
        return
    assert said[0] == "", f"said something: {said[0]}"
    assert {name for name in after if "/" not in name} == {*OUTPUTS}, sorted(after)
    if night.number % 2:
        play_again(night, live, after)


def play_again(night, live, before):
    """The same feed once more changes nothing and says so."""
    again = "--state all -o all.ics -o all.csv --changes again".split() + HOUSES
    sync(night, live, again)
    told = (live / "again").read_bytes()
    (live / "again").unlink()
    sync(night, live, "--state home -o home.ics".split() + night.filter[0])
    assert told == b"", f"changes of an unchanged feed: {told.decode('utf-8')[:200]}"
    assert state_of(live) == before, "the second run has touched something"


def write_answer(night, path):
    whole = season_feed.answer(night.records, night.number, night.moment)
    if night.kind == season_feed.BROKEN:
        whole = season_feed.wrapped(b"PK\x03\x04 this was a zip", night.number)
    elif night.kind == season_feed.TRUNCATED:
        whole = whole[: len(whole) * 2 // 3]
    path.unlink(missing_ok=True)
    if night.kind != season_feed.MISSING:
        path.write_bytes(whole)


def state_of(live):
    """Bytes, time and inode of every file but the answer and the states; temporary files show here."""
    state = {}
    for path in [*live.iterdir(), *live.glob("houses/**/*"), *live.glob("site/**/*")]:
        name = str(path.relative_to(live))
        if path.is_file() and name not in {"feed.json", *STATUS}:
            status = path.stat()
            state[name] = path.read_bytes(), status.st_mtime_ns, status.st_ino
    return state


def sync(night, live, options):
    """Runs the program; gives its exit code and what it has said."""
    command = [os.environ["SLUICE"], "sync", "feed.json", "--today", str(night.today), *options]
    ended = subprocess.run(
        command, cwd=live, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False)
    return ended.returncode, ended.stdout


def main():
    verb, base, *rest = sys.argv[1:]
    base = pathlib.Path(base)
    if verb == "play":
        return play(base)
    if verb in ("khal", "ghosts"):
        items, *command = rest
        return getattr(season_khal, verb)(base, command, pathlib.Path(items))
    return getattr(season_judges, verb)(base)


def judged():
    """What is wrong, in words; a file that a night should have left is wrong too."""
    try:
        return main()
    except (AssertionError, FileNotFoundError, subprocess.CalledProcessError) as error:
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    sys.exit(judged())
