#!/usr/bin/env python3
"""Reads a calendar with `icalendar` and compares it with the NDJSON of the same run.

    compare_calendar.py ru|en CALENDAR NDJSON [TRIGGER...]
"""
import datetime
import re
import sys

import icalendar

from rows import days, read_events

WORDS = {
    "ru": ("Отключение горячей воды", ": нет горячей воды", "дом", "корпус", "литер"),
    "en": ("Hot water outages", ": no hot water", "house", "building", "letter"),
}


def place(row, words):
    """The street and what of the house is there."""
    keys = ("house", "building", "letter")
    house = " ".join(f"{word} {row[key]}" for word, key in zip(words[2:], keys) if row[key])
    return ", ".join(part for part in (row["street"], house) if part)


def without_controls(text):
    return re.sub("[\x00-\x08\x0a-\x1f\x7f]", "", text)


def main():
    lang, calendar_path, rows_path, *triggers = sys.argv[1:]
    words = WORDS[lang]
    with open(calendar_path, "rb") as file:
        data = file.read()
    lines = data.split(b"\r\n")
    assert lines[-1] == b"" and not any(b"\n" in line or b"\r" in line for line in lines), "CRLF"
    assert max(map(len, lines)) <= 75, "a line is longer than 75 octets"
    for line in lines:
        line.decode("utf-8")  # no character is cut by a fold

    calendar = icalendar.Calendar.from_ical(data)
    assert str(calendar["NAME"]) == words[0], calendar["NAME"]
    assert str(calendar["X-WR-CALNAME"]) == words[0], calendar["X-WR-CALNAME"]
    assert "METHOD" not in calendar, "METHOD"
    events = calendar.walk("VEVENT")
    rows = read_events(rows_path)
    assert len(events) == len(rows), f"{len(events)} events, {len(rows)} rows"
    uids = {str(event["UID"]) for event in events}
    assert len(uids) == len(events), "a UID is there twice"
    for event, row in zip(events, rows):
        compare(event, row, words, triggers)
    print(f"{len(events)} events")


def compare(event, row, words, triggers):
    def equal(what, found, expected):
        assert found == expected, f"{event['UID']}: {what}: {found!r}, not {expected!r}"

    assert not event.errors, event.errors
    start, end = days(row)
    uid = rf"{row['address_id']}-{start.year}-[1-9][0-9]*@hot-water\.sluice"
    assert re.fullmatch(uid, str(event["UID"])), event["UID"]
    equal("DTSTART", event["DTSTART"].dt, start)
    equal("DTEND", event["DTEND"].dt, end + datetime.timedelta(days=1))
    summary = without_controls(place(row, words) + words[1])
    equal("SUMMARY", str(event["SUMMARY"]), summary)
    location = ", ".join(part for part in (row["locality"], place(row, words)) if part)
    equal("LOCATION", str(event["LOCATION"]), without_controls(location))
    alarms = event.walk("VALARM")
    equal("TRIGGER", [alarm["TRIGGER"].to_ical().decode() for alarm in alarms], triggers)
    for alarm in alarms:
        equal("an alarm's text", str(alarm["DESCRIPTION"]), summary)


if __name__ == "__main__":
    main()
