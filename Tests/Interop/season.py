#!/usr/bin/env python3
"""Plays a season of nightly runs, and judges what they have published.

    season.py play FOLDER          runs `sluice sync` on 60 nights; keeps what each of them left
    season.py JUDGE FOLDER         calendars, filtered, tables, changes, uids, untouched, season,
                                   mutants or altered: judges what was kept
    season.py khal FOLDER ITEMS COMMAND...
                                   imports every night's calendar with khal, and looks at its items
    season.py ghosts FOLDER ITEMS COMMAND...
                                   sees that the same notices events that were not cancelled

One run a night publishes the whole feed, with a state folder; another one, with a state folder of
its own, a calendar that every night is filtered otherwise. SLUICE is the program.
"""
import csv
import datetime
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

import icalendar

import season_feed
import season_model
from oracle import address_id, fold
from season_feed import ACCEPTED, ANSWERS, EXIT_CODES, FIRST_NIGHT, GOOD, NIGHTS, STREETS, days

OUTPUTS = ["all.ics", "all.csv", "home.ics", "changes.ndjson"]
SEED = 20200501


# --------------------------------------------------------------------------- the nights


class Night:
    """One night: its day, what the city's list says, and what the answer is."""

    def __init__(self, number, city):
        self.number = number
        self.today = FIRST_NIGHT + days(number - 1)
        self.kind = ANSWERS.get(number, GOOD)
        self.is_published = EXIT_CODES[self.kind] == 0
        city.night(number, self.today)
        self.records = city.rows()
        if self.kind in (season_feed.HALF, ACCEPTED):
            self.records = self.records[: len(self.records) // 2]
        if self.kind == season_feed.EMPTY:
            self.records = []
        # At 2 at night, Moscow's time; an archive counts in steps of two seconds.
        self.moment = datetime.datetime.combine(
            self.today, datetime.time(2, number % 60, number % 30 * 2))

    @property
    def stamp(self):
        """When the feed was last changed, as a calendar says it."""
        return (self.moment - datetime.timedelta(hours=3)).strftime("%Y%m%dT%H%M%SZ")

    @property
    def filter(self):
        """What tonight's filtered calendar holds: options, and whether an event is in it."""
        def on(*streets):
            wanted = {fold(street) for street in streets}
            options = [word for street in streets for word in ("--where", f"street={street}")]
            return options, lambda event: fold(event.place[1]) in wanted
        return [
            on(STREETS[0]),
            on(STREETS[1], STREETS[2].upper()),
            ([], lambda event: True),
            (["--from", str(self.today)], lambda event: event.days[1] >= self.today),
            on(STREETS[4]),
        ][self.number % 5]

    def folder(self, base):
        return base / f"night-{self.number:02}"


def season():
    city = season_feed.City(SEED)
    return [Night(number, city) for number in range(1, NIGHTS + 1)]


def published(model=None):
    """The published nights with the model's events and changes after each."""
    model = model or season_model.Model()
    for night in season():
        if night.is_published:
            records = [(place, periods) for place, _, periods in night.records]
            changes = model.night(records, night.today, night.stamp)
            yield night, model.events, changes


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
        sync(night, live, accept + "--state all -o all.ics -o all.csv --changes changes.ndjson".split())
        said = sync(night, live, accept + "-v --state home -o home.ics".split() + night.filter[0])
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


# --------------------------------------------------------------------------- the judges


@functools.cache
def events_in(path):
    """The events of a calendar: the facts that the model has too."""
    calendar = icalendar.Calendar.from_ical(path.read_bytes())
    found = []
    for event in calendar.walk("VEVENT"):
        assert not event.errors, event.errors
        assert event["DTSTAMP"].dt == event["LAST-MODIFIED"].dt, event["UID"]
        found.append((
            str(event["UID"]), int(event["SEQUENCE"]), str(event["STATUS"]), event["DTSTART"].dt,
            event["DTEND"].dt, event["LAST-MODIFIED"].to_ical().decode(), str(event["SUMMARY"])))
    return sorted(found)


def differences(title, found, expected):
    """What one list has and the other has not; nothing where they are equal."""
    found, expected = [repr(each) for each in found], [repr(each) for each in expected]
    if sorted(found) == sorted(expected):
        return []
    lines = [f"- {each}" for each in expected if each not in found]
    lines += [f"+ {each}" for each in found if each not in expected or found.count(each) > 1]
    return [f"{title}: (- expected, + found)"] + lines


def compare(base, name, model=None):
    """The first night on which the calendars and the model differ; None where they do not."""
    for night, events, _ in published(model):
        wanted = night.filter[1] if name == "home.ics" else lambda event: True
        expected = [event.facts() for event in events if wanted(event)]
        wrong = differences(
            f"{name}, night {night.number}", events_in(night.folder(base) / name), expected)
        if wrong:
            return "\n".join(wrong)
    return None


def calendars(base):
    wrong = compare(base, "all.ics")
    count = sum(len(events_in(night.folder(base) / "all.ics")) for night, *_ in published())
    print(f"{count} events in all nights together")
    return wrong


def filtered(base):
    return compare(base, "home.ics")


def tables(base):
    """The table holds the feed's rows, in their order."""
    header = season_model.COLUMNS + ["start_date", "end_date", "address_id"]
    for night, *_ in published():
        rows = [[*(text or "" for text in place), str(first), str(last), address_id(place)]
                for place, _, periods in night.records for first, last in periods]
        with open(night.folder(base) / "all.csv", encoding="utf-8", newline="") as file:
            if list(csv.reader(file)) != [header] + rows:
                return f"all.csv, night {night.number}"
    return None


def changes(base):
    """The list of changes, in order of the UIDs, and the summary for people."""
    for night, _, expected in published():
        folder = night.folder(base)
        with open(folder / "changes.ndjson", encoding="utf-8") as file:
            found = [json.loads(line) for line in file]
        title = f"changes, night {night.number}"
        if found != expected:
            return "\n".join(differences(title, found, expected) or [f"{title}: another order"])
        words = ["new", "moved", "cancelled", "restored"]
        counts = [(sum(each["change"] == word for each in found), word) for word in words]
        summary = ", ".join(f"{count} {word}" for count, word in counts if count)
        said = (folder / "said").read_text()
        if not re.search(rf"\b{summary}$" if summary else "no outage changed", said, re.MULTILINE):
            return f"{title}: -v does not say {summary!r}: {said}"
    return None


def uids(base):
    """Asks the calendars alone: a UID stands once, never comes back, and never goes back."""
    last, gone, highest = {}, set(), {}
    for night, *_ in published():
        events = events_in(night.folder(base) / "all.ics")
        now = {event[0]: event for event in events}
        title = f"night {night.number}:"
        if len(now) != len(events):
            return f"{title} a UID is there twice"
        gone |= last.keys() - now.keys()
        for uid, event in now.items():
            series, number = uid.split("@")[0].rsplit("-", 1)
            if uid in gone:
                return f"{title} {uid} was gone and is there again"
            if uid not in last:
                if int(number) <= highest.get(series, 0):
                    return f"{title} {uid} is new, after number {highest[series]}"
                highest[series] = int(number)
                same = event[1] == 0 and event[5] == night.stamp
            elif event == last[uid]:
                same = True
            elif event[1:5] == last[uid][1:5]:
                same = event[5] == night.stamp  # other words
            else:
                same = event[1] == last[uid][1] + 1 and event[5] == night.stamp
            if not same or uid.split("-")[0] not in series:
                return f"{title} {last.get(uid)} has become {event}"
        last = now
    print(f"{len(gone)} of {len(gone) + len(last)} UIDs are gone")
    return None


def untouched(base):
    """Files that hold the same as the night before are the same files, and were not written."""
    quiet, before = 0, {}
    for night, events, _ in published():
        folder = night.folder(base)
        touched = json.loads((folder / "touched.json").read_text())
        facts = [event.facts() for event in events]
        rows = [(place, periods) for place, _, periods in night.records if periods]
        shown = {
            "all.ics": (facts, rows),
            "all.csv": rows,
            "changes.ndjson": (folder / "changes.ndjson").read_bytes(),
        }
        for name, now in shown.items():
            if (before.get(name) == now) == (name in touched):
                return f"night {night.number}: {name} was {'' if name in touched else 'not '}touched"
        quiet += not {"all.ics", "all.csv"} & set(touched)
        before = shown
    print(f"no file was touched on {quiet} nights")
    return "too few" if quiet < 5 else None


def season_is_full(base):
    """What a season must have in it, so that the other judges have something to judge."""
    counts, two, past, ended = {}, 0, 0, 0
    last = set()
    for night, events, told in published():
        for each in told:
            counts[each["change"]] = counts.get(each["change"], 0) + 1
        addresses = [event.address for event in events if not event.cancelled]
        two = max(two, len(addresses) - len(set(addresses)))
        now = {event.uid for event in events}
        ended += len(last - now)
        past += sum(event.days[1] == night.today - days(1) for event in events)
        last = now
    kept = sum(said == season_feed.KEPT for night in season() for _, said, _ in night.records)
    print(counts, f"{two} second periods, {past} outages ended, {ended} events left, {kept} kept")
    least = {"new": 100, "moved": 100, "cancelled": 60, "restored": 20}
    wanting = [word for word, count in least.items() if counts[word] < count]
    return f"too few: {wanting}" if wanting or min(two, past, ended, kept) < 5 else None


def mutants(base):
    """A rule that is broken shows: every mutant of the model differs from what was published."""
    missed = ["nothing"] if compare(base, "all.ics") else []
    for mutant in season_model.MUTANTS:
        wrong = compare(base, "all.ics", mutant())
        print(f"{mutant.__doc__}: {wrong.splitlines()[0] if wrong else 'NOT NOTICED'}")
        if not wrong:
            missed.append(mutant.__doc__)
    return f"not noticed: {missed}" if missed else None


def altered(base):
    """A calendar that is altered shows: one fact each, of one event of the last night."""
    *_, (night, events, _) = published()
    expected = [event.facts() for event in events]
    path = night.folder(base) / "all.ics"
    text = path.read_bytes().decode("utf-8")
    event = re.search(r"BEGIN:VEVENT\r\n.*?END:VEVENT\r\n", text, re.DOTALL).group()
    cancelled = text.replace("STATUS:CANCELLED", "STATUS:CONFIRMED", 1)
    alterations = {
        "nothing": text,
        "an event twice": text.replace(event, event + event),
        "an event is missing": text.replace(event, ""),
        "not cancelled": cancelled,
        "another SEQUENCE": re.sub(r"SEQUENCE:\d+", "SEQUENCE:77", text, count=1),
        "another UID": re.sub(r"(UID:.*)-\d+@", r"\1-77@", text, count=1),
        "a day longer": re.sub(r"(DTEND.*:)\d+", r"\g<1>20201231", text, count=1),
        "a day earlier": re.sub(r"(DTSTART.*:)\d+", r"\g<1>20200101", text, count=1),
        "another SUMMARY": text.replace("SUMMARY:Нет", "SUMMARY:Есть", 1),
        "another LAST-MODIFIED": re.sub(
            r"(DTSTAMP|LAST-MODIFIED):\w+", r"\1:20200101T000000Z", text, count=2),
    }
    missed = []
    for title, other in alterations.items():
        place = base / f"altered-{len(missed)}-{title.replace(' ', '-')}.ics"
        place.write_bytes(other.encode("utf-8"))
        if bool(differences(title, events_in(place), expected)) != (title != "nothing"):
            missed.append(title)
    print(f"{len(alterations)} alterations")
    return f"not noticed: {missed}" if missed else None


# --------------------------------------------------------------------------- khal


def khal(base, command, vdir):
    """Imports each night; the client then shows each outage once, and none that is called off.

    What has left the calendar stays with a client that imports: as cancelled, or in the past.
    """
    seen = set()
    for night, events, _ in published():
        calendar = str(night.folder(base) / "all.ics")
        subprocess.run([*command, "import", "--batch", "-a", "outages", calendar],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        held = [item_facts(path) for path in sorted(vdir.iterdir()) if path.suffix == ".ics"]
        seen |= {event.uid for event in events}
        title = f"khal, night {night.number}"
        wrong = differences(f"{title}: UIDs", [item[0] for item in held], seen)
        coming = [item for item in held if item[2] != "CANCELLED" and item[4] > night.today]
        expected = [event.facts()[:5] for event in events
                    if not event.cancelled and event.days[1] >= night.today]
        wrong += differences(f"{title}: what is to come", coming, expected)
        if wrong:
            return "\n".join(wrong)
    shown = subprocess.run(
        [*command, "list", "-a", "outages", "--day-format", "", "--format", "{uid}|{cancelled}",
         str(night.today), "1d"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    on = [f"{event.uid}|" for event in events
          if not event.cancelled and event.days[0] <= night.today <= event.days[1]]
    print(f"khal holds {len(seen)} events and lists {len(on)} on the last day")
    assert on, "there is nothing to list on the last day"
    wrong = differences(f"{title}: list", [each for each in shown if each[-1] == "|"], on)
    return "\n".join(wrong) if wrong else None


def ghosts(base, command, vdir):
    """Where what vanished is left out instead of cancelled, khal keeps a ghost: that must show."""
    haunted = base / "haunted"
    for night, *_ in published():
        night.folder(haunted).mkdir(parents=True)
        whole = (night.folder(base) / "all.ics").read_bytes().decode("utf-8")
        parts = re.split(r"(BEGIN:VEVENT\r\n.*?END:VEVENT\r\n)", whole, flags=re.DOTALL)
        kept = "".join(part for part in parts if "STATUS:CANCELLED" not in part)
        (night.folder(haunted) / "all.ics").write_bytes(kept.encode("utf-8"))
    wrong = khal(haunted, command, vdir)
    print(wrong)
    return None if wrong and "what is to come" in wrong else "not noticed"


def item_facts(path):
    """UID, SEQUENCE, STATUS, DTSTART and DTEND of a client's one-event file."""
    text = re.sub(r"\r?\n[ \t]", "", path.read_bytes().decode("utf-8"))
    assert text.count("BEGIN:VEVENT") == 1, path
    facts = dict(re.findall(r"^([A-Z-]+)[^:\r\n]*:([^\r\n]*)", text, re.MULTILINE))
    first, last = (datetime.datetime.strptime(facts[key], "%Y%m%d").date()
                   for key in ("DTSTART", "DTEND"))
    return facts["UID"], int(facts["SEQUENCE"]), facts["STATUS"], first, last


def main():
    verb, base, *rest = sys.argv[1:]
    base = pathlib.Path(base)
    if verb == "play":
        return play(base)
    if verb in ("khal", "ghosts"):
        vdir, *command = rest
        return (khal if verb == "khal" else ghosts)(base, command, pathlib.Path(vdir))
    judges = {"calendars": calendars, "filtered": filtered, "tables": tables, "changes": changes,
              "uids": uids, "untouched": untouched, "season": season_is_full, "mutants": mutants,
              "altered": altered}
    return judges[verb](base)


if __name__ == "__main__":
    sys.exit(main())
