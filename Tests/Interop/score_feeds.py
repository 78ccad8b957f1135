"""Converts real payloads by documents, and compares every cell and event with what people want.

    score_feeds.py SLUICE FEEDS DOCUMENTS [NAME...]

FEEDS has a folder for each payload: `sample.*`, `want.csv`, and `want-events.tsv` (the first and the
last day, or two instants in UTC, then the title) where it makes a calendar. DOCUMENTS has a document
for each, `NAME.yaml`; one of more than 25 lines does not count. With NAMEs only these are compared.

- Tables are compared cell by cell, names of columns and order of rows included. An instant equals
  another one that is the same point in time, also one in seconds since 1970.
- Events are compared with their titles. Those that repeat are expanded. Rows that are equal in
  every cell are one event.
- A payload counts only if nothing was rejected.

Ends with 0 if all payloads come out right, 77 if there are none.
"""

import collections
import csv
import datetime
import glob
import os
import re
import subprocess
import sys
import tempfile

import icalendar
from dateutil import rrule

LONGEST_DOCUMENT = 25
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def cell(text, is_instant):
    """The value of a cell: seconds since 1970 for an instant, otherwise its text."""
    if INSTANT.fullmatch(text):
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    return float(text) if is_instant and text.isdigit() else text


def table(path, instants=frozenset()):
    """The rows of a CSV, its head first. `instants` are the columns that may be in seconds."""
    with open(path, encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    return head, [[cell(text, name in instants) for name, text in zip(head, row)] for row in rows]


def instant_columns(path):
    """The names of the columns that have an instant in their first row with a value."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name for row in rows for name, text in row.items() if INSTANT.fullmatch(text or "")}


def utc(time):
    return time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def occurrences(event):
    """The starts of an event: one, or all of a repetition."""
    start = event.decoded("dtstart")
    if "rrule" not in event:
        return [start]
    rule = rrule.rrulestr(event["rrule"].to_ical().decode(), dtstart=start)
    left_out = event.get("exdate", [])
    left_out = left_out if isinstance(left_out, list) else [left_out]
    dates = {date.dt for item in left_out for date in item.dts}
    return [time for time in rule if time not in dates]


def events(path):
    """The events of a calendar: first and last day, or two instants in UTC, and the title."""
    found = collections.Counter()
    with open(path, "rb") as file:
        calendar = icalendar.Calendar.from_ical(file.read())
    for event in calendar.walk("VEVENT"):
        start, title = event.decoded("dtstart"), str(event["summary"])
        end = event.decoded("dtend") if "dtend" in event else None
        for first in occurrences(event):
            last = first + (end - start) if end else None
            if isinstance(first, datetime.datetime):
                found[utc(first), utc(last) if last else "", title] += 1
            else:
                last = last - datetime.timedelta(1) if last else first
                found[first.isoformat(), last.isoformat(), title] += 1
    return found


def wanted_events(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    second = [[re.sub(r"\.\d+Z$", "Z", text) for text in line[:2]] + line[2:] for line in lines]
    return collections.Counter(tuple(line) for line in second)


def convert(sluice, sample, document, output, state):
    words = [sluice, "convert", sample, "--feed", document, "-o", output, "--state", state, "-q"]
    result = subprocess.run(words, capture_output=True, text=True)
    return None if result.returncode == 0 else result.stderr.strip() or str(result.returncode)


def flaws(sluice, folder, document):
    """What is wrong with the outputs of a payload."""
    sample = glob.glob(f"{folder}/sample.*")[0]
    with open(document, encoding="utf-8") as file:
        if sum(1 for _ in file) > LONGEST_DOCUMENT:
            yield f"the document has more than {LONGEST_DOCUMENT} lines"
    with tempfile.TemporaryDirectory() as work:
        path = f"{work}/a.csv"
        if problem := convert(sluice, sample, document, path, f"{work}/state"):
            yield problem
            return
        want_head, want = table(f"{folder}/want.csv", instant_columns(path))
        head, rows = table(path)
        if head != want_head:
            yield f"columns {head}, wanted {want_head}"
        elif len(rows) != len(want):
            yield f"{len(rows)} rows, wanted {len(want)}"
        else:
            for number, (row, wanted) in enumerate(zip(rows, want), 1):
                if row != wanted:
                    yield f"row {number}: {row}, wanted {wanted}"
                    break
        if not os.path.exists(f"{folder}/want-events.tsv"):
            return
        path = f"{work}/a.ics"
        if problem := convert(sluice, sample, document, path, f"{work}/state"):
            yield problem
            return
        found, wanted = events(path), wanted_events(f"{folder}/want-events.tsv")
        missing, twins = wanted - found, len(want) - len(set(map(tuple, want)))
        if set(missing) <= set(found) and sum(missing.values()) == twins:
            missing.clear()
        for name, some in (("missing", missing), ("not wanted", found - wanted)):
            if some:
                yield f"{sum(some.values())} events {name}, the first: {min(some)}"


def main():
    sluice, feeds, documents, *names = sys.argv[1:]
    names = names or sorted(path.split("/")[-2] for path in glob.glob(f"{feeds}/*/want.csv"))
    if not names:
        sys.exit(77)
    right = 0
    for name in names:
        document = f"{documents}/{name}.yaml"
        found = ["no document"]
        if os.path.exists(document):
            found = list(flaws(os.path.abspath(sluice), f"{feeds}/{name}", document))
        right += not found
        print(f"{'ok  ' if not found else 'part'}  {name}")
        for flaw in found:
            print(f"        {flaw}")
    print(f"{right} of {len(names)} payloads come out right")
    sys.exit(right != len(names))


main()
