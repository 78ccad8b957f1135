#!/usr/bin/env python3
"""Plays a season of nightly runs, and judges what they have published.

    season.py play FOLDER          runs `sluice sync` on 60 nights; keeps what each of them left
    season.py JUDGE FOLDER         judges what was kept: season_judges.py, by its functions' names
    season.py khal FOLDER ITEMS COMMAND...
                                   imports every night's calendar with khal, and looks at its items
    season.py ghosts FOLDER ITEMS COMMAND...
                                   sees that the same notices events that were not cancelled

One run a night publishes the whole feed, with a state folder; another one, with a state folder of
its own, a calendar that every night is filtered otherwise. SLUICE is the program.
"""
import json
import os
import pathlib
import subprocess
import sys

import season_feed
import season_judges
import season_khal
from season_feed import ACCEPTED, EXIT_CODES, NIGHTS
from season_nights import season

OUTPUTS = ["all.ics", "all.csv", "home.ics", "changes.ndjson"]


def play(base):
    """Runs all nights. Each leaves a folder with the outputs, and which of them it has touched."""
    live = base / "live"
    live.mkdir()
    for night in season():
        folder = night.folder(base)
        folder.mkdir()
        write_answer(night, live / "feed.json")
        before = state_of(live)
        accept = ["--accept"] if night.kind == ACCEPTED else []
        whole = "--state all -o all.ics -o all.csv --changes changes.ndjson".split()
        part = "-v --state home -o home.ics".split() + night.filter[0]
        sync(night, live, accept + whole)
        said = sync(night, live, accept + part)
        (folder / "said").write_text(said)
        after = state_of(live)
        if night.is_published:
            assert after.keys() == {"feed.json", *OUTPUTS}, f"{night.number}: {sorted(after)}"
        elif before != after:
            raise AssertionError(f"night {night.number} published something: {night.kind}")
        for name in OUTPUTS:
            if name in after:
                (folder / name).write_bytes(after[name][0])
        touched = [name for name in OUTPUTS if after.get(name) != before.get(name)]
        (folder / "touched.json").write_text(json.dumps(touched))
        if night.is_published and night.number % 2:
            play_again(night, live, after)
    print(f"{NIGHTS} nights")


def play_again(night, live, after):
    """The same feed once more changes nothing and says so."""
    again = "--state all -o all.ics -o all.csv --changes again".split()
    sync(night, live, again)
    assert (live / "again").read_bytes() == b"", f"{night.number}: changes of an unchanged feed"
    (live / "again").unlink()
    sync(night, live, "--state home -o home.ics".split() + night.filter[0])
    assert state_of(live) == after, f"night {night.number}: the second run has touched something"


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
    """Bytes, time and inode of every file, except for the answer; temporary files show here."""
    state = {}
    for path in sorted(live.iterdir()):
        if path.is_file():
            status = path.stat()
            state[path.name] = path.read_bytes(), status.st_mtime_ns, status.st_ino
    if "feed.json" in state:
        state["feed.json"] = None
    else:
        state = {"feed.json": None, **state}
    return state


def sync(night, live, options):
    """Runs the program; gives what it has said."""
    command = [os.environ["SLUICE"], "sync", "feed.json", "--today", str(night.today), *options]
    ended = subprocess.run(command, cwd=live, capture_output=True, text=True, check=False)
    title = f"night {night.number} ({night.kind}): {' '.join(command[1:])}\n{ended.stderr}"
    assert ended.returncode == EXIT_CODES[night.kind], f"ended with {ended.returncode}: {title}"
    assert ended.stdout == "", title
    if night.is_published and "-v" not in options:
        assert ended.stderr == "", f"said something: {title}"
    if not night.is_published:
        errors = [line for line in ended.stderr.splitlines() if "error" in line]
        assert len(errors) == 1, title
    return ended.stderr


def main():
    verb, base, *rest = sys.argv[1:]
    base = pathlib.Path(base)
    if verb == "play":
        return play(base)
    if verb in ("khal", "ghosts"):
        items, *command = rest
        return getattr(season_khal, verb)(base, command, pathlib.Path(items))
    return getattr(season_judges, verb)(base)


if __name__ == "__main__":
    sys.exit(main())
