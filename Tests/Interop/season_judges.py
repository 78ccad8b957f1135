"""Judges what a season of nightly runs has published: each gives what is wrong, or None."""
import csv
import functools
import json
import pathlib
import re

import icalendar

import season_feed
import season_model
from oracle import WORDS, address_id
from season_feed import days
from season_nights import published, season


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


def houses(base):
    """A calendar for each house: its events, no other's, and what happened without the address."""
    files, own = 0, WORDS["ru"]["own"]
    for night, events, _ in published():
        for folder in ("houses", "site/house"):
            expected, found = [], []
            for event in events:
                *facts, _ = event.facts()
                expected.append((event.address, *facts, own))
            for path in (night.folder(base) / folder).iterdir():
                files += 1
                found += [(path.stem, *facts) for facts in events_in(path)]
            wrong = differences(f"{folder}, night {night.number}", found, expected)
            if wrong:
                return "\n".join(wrong)
    print(f"{files} calendars in all nights together")
    return None


def written(base):
    """A house's calendar is written on the nights on which it changes, and on no other."""
    before, count = None, 0
    for night, *_ in published():
        touched = json.loads((night.folder(base) / "touched.json").read_text())
        for folder in ("houses", "site/house"):
            now = contents(night.folder(base) / folder)
            changed = {name for name in now if not before or before[folder].get(name) != now[name]}
            wrong = changed ^ {
                pathlib.PurePath(name).name for name in touched
                if str(pathlib.PurePath(name).parent) == folder}
            if wrong:
                return f"{folder}, night {night.number}: {sorted(wrong)}"
            count += len(changed)
        before = {folder: contents(night.folder(base) / folder)
                  for folder in ("houses", "site/house")}
    print(f"{count} calendars written")
    return None


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


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
        if not re.search(rf"\b{summary}$" if summary else "no event changed", said, re.MULTILINE):
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
                return f"night {night.number}: {name}, touched: {touched}"
        quiet += not {"all.ics", "all.csv"} & set(touched)
        before = shown
    print(f"no file was touched on {quiet} nights")
    return "too few" if quiet < 5 else None


def fullness(base):
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
        "another SUMMARY": text.replace("SUMMARY:", "SUMMARY:Не ", 1),
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
