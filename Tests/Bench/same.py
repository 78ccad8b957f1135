"""Says whether two programs made the same of a feed."""
import csv
import filecmp
import itertools

ADDRESS_ID = 7


def files(ours, theirs, with_id):
    """Compares two CSV files byte by byte, and if they differ, row by row."""
    if filecmp.cmp(ours, theirs, shallow=False):
        return True, "bytes"
    equal, what = rows(ours, theirs, with_id)
    return equal, f"{what} rows" if equal else what


def rows(ours, theirs, with_id):
    """Compares two CSV files row by row, headers and order included; quoting does not count."""
    with open(ours, newline="", encoding="utf-8") as left:
        with open(theirs, newline="", encoding="utf-8") as right:
            pairs = itertools.zip_longest(csv.reader(left), csv.reader(right))
            for number, (mine, other) in enumerate(pairs):
                expected = mine if with_id or mine is None else mine[:ADDRESS_ID]
                if expected != other:
                    return False, f"row {number}: {expected} is not {other}"
    return True, f"{number:,}"


def events(ours, theirs):
    """Compares two calendars event by event; the order of properties does not count."""
    left, right = read_calendar(ours), read_calendar(theirs)
    for number, (mine, other) in enumerate(itertools.zip_longest(left, right)):
        if mine != other:
            return False, f"component {number}: {mine} is not {other}"
    return True, f"{len(left) - 1:,}"


def read_calendar(path):
    """The sorted lines of each event, and first those of the calendar itself."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.read().replace("\r\n ", "").split("\r\n")
    calendar, events, here = [], [], None
    for line in lines:
        if line == "BEGIN:VEVENT":
            here = []
        elif line == "END:VEVENT":
            events.append(sorted(here))
            here = None
        else:
            (calendar if here is None else here).append(line)
    return [sorted(calendar), *events]


def count(records, text):
    """For a program that only counts."""
    text = text.strip()
    return text == str(records), f"{records:,}" if text == str(records) else f"counted {text!r}"
