#!/usr/bin/env python3
"""Compares a weather calendar with its rows, reckoned anew: compare_days.py LANGUAGE ICS NDJSON."""
import datetime
import json
import sys
from decimal import ROUND_HALF_EVEN, Decimal

import icalendar

WORDS = {
    "ru": ("дождь {} мм", "снег {} мм"),
    "en": ("rain {} mm", "snow {} mm"),
}


def plain(number):
    number = number.normalize()
    return f"{number if number.as_tuple().exponent <= 0 else number.quantize(Decimal(1))}"


def whole(number):
    number = number.quantize(Decimal(1), ROUND_HALF_EVEN)
    return plain(number if number else Decimal(0))


def title(language, city, rows):
    degrees = [row["temperature"] for row in rows if row["temperature"] is not None]
    least, most = whole(min(degrees)), whole(max(degrees))
    parts = [f"{city} {least if least == most else f'{least}…{most}'} °C"]
    for column, words in zip(("rain", "snow"), WORDS[language]):
        fallen = [row[column] for row in rows if row[column] is not None]
        if fallen:
            parts.append(words.format(plain(sum(fallen))))
    return ", ".join(parts)


language, ics, ndjson = sys.argv[1:]
groups = {}
with open(ndjson, encoding="utf-8") as file:
    for line in file:
        row = json.loads(line, parse_float=Decimal, parse_int=Decimal)
        groups.setdefault((row["city"], row["instant"][:10]), []).append(row)
expected = {
    (city, day): title(language, city, rows) for (city, day), rows in groups.items()
}

with open(ics, "rb") as file:
    calendar = icalendar.Calendar.from_ical(file.read())
found, uids = {}, set()
for event in calendar.walk("VEVENT"):
    day = event.decoded("DTSTART")
    assert type(day) is datetime.date, day
    assert event.decoded("DTEND") == day + datetime.timedelta(days=1)
    found[str(event["LOCATION"]), day.isoformat()] = str(event["SUMMARY"])
    uids.add(str(event["UID"]))
assert len(uids) == len(expected), f"{len(uids)} UIDs for {len(expected)} days"
for key in sorted(expected.keys() | found.keys()):
    if expected.get(key) != found.get(key):
        sys.exit(f"{key}: expected {expected.get(key)!r}, found {found.get(key)!r}")
print(f"{len(found)} events are right")
