#!/usr/bin/env python3
"""The times of events, read by others: zones out of calendars, and repetitions.

    compare_event_times.py make zones|several|CASE FILE      rows as JSON
    compare_event_times.py zones FILE CALENDAR       every event is at its instant, by the calendar's own zones
    compare_event_times.py several FILE CALENDAR OTHER FROM TO   each row has its events, and UIDs of their own
    compare_event_times.py repeat EVERY FILE CALENDAR TABLE FROM TO
                                                     a rule gives the days and instants that it should
"""
import csv
import datetime
import io
import json
import pathlib
import random
import sys

import icalendar
from dateutil import rrule, tz

from compare_zones import EPOCH, UTC, changes, names, offset_at

WEEKDAYS = ["mo", "tu", "we", "th", "fr", "sa", "su"]


def make_zones(path):
    chance = random.Random(20261122)
    rows = []
    for name in names():
        times = []
        found = [time for time in changes(name) if time > 86400]
        for change in chance.sample(found, min(len(found), 8)) + found[-2:]:
            times += [change + distance for distance in (-3601, -1, 0, 1, 3599, 3601, 7201)]
        times += [chance.randrange(0, 4102444800) for _ in range(10)]
        times += [chance.randrange(-2208988800, 0) for _ in range(2)]
        rows += [{"n": len(rows) + place, "tz": name, "t": time} for place, time in enumerate(times)]
    path.write_text(json.dumps(rows))
    print(f"{len(rows)} times in {len(names())} zones")


def make_series(every, path):
    chance = random.Random(every)
    first = datetime.date(2024, 1, 1)
    rows = []
    for number in range(120):
        begin = first + datetime.timedelta(days=chance.randrange(0, 700))
        on = {
            "week": lambda: ",".join(chance.sample(WEEKDAYS, chance.randrange(1, 4))),
            "month": lambda: ",".join(map(str, chance.sample(range(1, 32), chance.randrange(1, 4)))),
            "year": lambda: chance.choice(["02-29", "12-31", "03-30", "10-25", "07-01"]),
        }[every]()
        row = {"n": number, "on": on, "begin": str(begin)}
        if chance.random() < 0.8:
            row["at"] = f"{chance.randrange(24):02}:{chance.choice([0, 30]):02}"
            if chance.random() < 0.7:
                row["to"] = f"{chance.randrange(24):02}:{chance.choice([0, 30]):02}"
        if chance.random() < 0.7:
            row["last"] = str(begin + datetime.timedelta(days=chance.randrange(0, 900)))
        row["except"] = ",".join(
            str(begin + datetime.timedelta(days=day)) for day in chance.sample(range(120), 9))
        rows.append(row)
    path.write_text(json.dumps(rows))
    print(f"{len(rows)} series")


def make_several(path):
    chance = random.Random(3)
    rows = []
    for number in range(400):
        row = {"n": number}
        for name in ("exam", "again", "result"):
            if chance.random() < 0.7:
                row[name] = str(datetime.date(2026, 1, 1) + datetime.timedelta(days=chance.randrange(365)))
        if "again" in row and chance.random() < 0.5:
            row["last"] = str(datetime.date.fromisoformat(row["again"]) + datetime.timedelta(days=chance.randrange(9)))
        if chance.random() < 0.5:
            row["at"] = f"{chance.randrange(3, 22):02}:30"
        rows.append(row)
    path.write_text(json.dumps(rows))
    print(f"{len(rows)} rows")


def compare_several(path, calendar, other, first, last):
    """`other` has the events of the same rows in another order, between two days."""
    rows = json.loads(pathlib.Path(path).read_text())
    want = {}
    for row in rows:
        for name in {"exam", "again", "result"} & row.keys():
            timed = name == "exam" and "at" in row
            want[f"{name} {row['n']}"] = (
                row[name] + (f" {row['at']}" if timed else ""),
                row.get("last", row[name]) if name == "again" else row[name])
    events, zones = read(calendar)
    uids = {str(event["SUMMARY"]): str(event["UID"]) for event in events}
    wrong = []
    for event in events:
        start, (day, end) = event["DTSTART"], want.pop(str(event["SUMMARY"]))
        if is_day(start):
            got = str(start.dt), str(event["DTEND"].dt - datetime.timedelta(days=1))
        else:
            local = start.dt.replace(tzinfo=None).replace(tzinfo=zone_of(start, zones))
            local = local.astimezone(tz_info("Europe/London"))
            got = local.strftime("%Y-%m-%d %H:%M"), str(local.date())
            length = event["DTEND"].dt - start.dt
            if length != datetime.timedelta(hours=2):
                wrong.append(f"{event['SUMMARY']}: lasts {length}")
        if got != (day, end):
            wrong.append(f"{event['SUMMARY']}: {got}, not {day} to {end}")
        if got[0][:10] <= last and got[1] >= first:
            want[f"between {event['SUMMARY']}"] = None
    if len(set(uids.values())) != len(uids):
        wrong.append("two events have one UID")
    for event in read(other)[0]:
        name = str(event["SUMMARY"])
        if f"between {name}" in want:
            del want[f"between {name}"]
        else:
            wrong.append(f"{name}: not between the days")
        if uids.get(name) != str(event["UID"]):
            wrong.append(f"{name}: other UID in another order")
    print(f"{len(uids)} events of {len(rows)} rows")
    return wrong[:10] or ([f"missing: {list(want)[:5]}"] if want else None)


def read(path):
    """The events of a calendar, and the zones that are written in it."""
    text = pathlib.Path(path).read_bytes().decode()
    zones = tz.tzical(io.StringIO(text.replace("\r\n", "\n"))) if "BEGIN:VTIMEZONE" in text else None
    return icalendar.Calendar.from_ical(text).walk("VEVENT"), zones


def zone_of(prop, zones):
    return zones.get(prop.params["TZID"]) if "TZID" in prop.params else UTC


def instant(prop, zones):
    moment = prop.dt.replace(tzinfo=None).replace(tzinfo=zone_of(prop, zones))
    return int((moment.astimezone(UTC) - EPOCH.replace(tzinfo=UTC)).total_seconds())


def compare_zones(path, calendar):
    rows = {str(row["n"]): row for row in json.loads(pathlib.Path(path).read_text())}
    events, zones = read(calendar)
    wrong, utc = [], 0
    for event in events:
        row = rows.pop(str(event["SUMMARY"]))
        start = event["DTSTART"]
        utc += "TZID" not in start.params
        if instant(start, zones) != row["t"] or start.params.get("TZID", row["tz"]) != row["tz"]:
            wrong.append(f"{row}: {start.to_ical()} {dict(start.params)}")
        before = row["t"] < 0
        twice = offset_at(tz_info(row["tz"]), row["t"]) != offset_at(tz_info(row["tz"]), row["t"] - 7202)
        if "TZID" not in start.params and not (before or twice):
            wrong.append(f"{row}: in UTC")
    print(f"{len(zones.keys())} zones, {utc} events in UTC")
    return wrong[:10] or (f"{len(rows)} are missing" if rows else None)


def tz_info(name):
    import zoneinfo
    return zoneinfo.ZoneInfo(name)


def wanted(every, row, first, last):
    """The days of a series by counting all days, and their instants by zoneinfo."""
    london = tz_info("Europe/London")
    excepted = set(row["except"].split(","))
    day = datetime.date.fromisoformat(row["begin"])
    end = min(last, datetime.date.fromisoformat(row.get("last", "9999-12-31")))
    while day <= end:
        on = row["on"].split(",")
        fits = {"week": WEEKDAYS[day.weekday()] in on, "month": str(day.day) in on,
                "year": day.strftime("%m-%d") in on}[every]
        if fits and str(day) not in excepted:
            if "at" not in row:
                if day >= first:
                    yield row["n"], str(day), None, None
            else:
                def at(text, day=day):
                    local = datetime.datetime.fromisoformat(f"{day} {text}").replace(tzinfo=london)
                    return int((local.astimezone(UTC) - EPOCH.replace(tzinfo=UTC)).total_seconds())
                over = datetime.timedelta(days="to" in row and row["to"] <= row["at"])
                finish = at(row["to"], day + over) if "to" in row else None
                reaches = day
                if finish:
                    reaches = (EPOCH + datetime.timedelta(seconds=finish - 1)).replace(
                        tzinfo=UTC).astimezone(london).date()
                if max(day, reaches) >= first:
                    yield row["n"], str(day), at(row["at"]), finish
        day += datetime.timedelta(days=1)


def compare_series(every, path, calendar, single, table, first, last):
    rows = json.loads(pathlib.Path(path).read_text())
    first, last = map(datetime.date.fromisoformat, (first, last))
    want = sorted(tuple(map(str, item)) for row in rows for item in wanted(every, row, first, last))
    # The table between two days, and the events of the same run.
    with open(table, encoding="utf-8", newline="") as file:
        days = sorted((row["n"], row["day"]) for row in csv.DictReader(file))
    wrong = [] if days == sorted(item[:2] for item in want) else ["the table has other days"]
    for name, got in ("single", occurrences(single, first, last)), ("rules", occurrences(calendar, first, last)):
        if got != sorted(item[0::2][:2] if item[2] != "None" else item[:2] for item in want):
            other = set(got) ^ {item[0::2][:2] if item[2] != "None" else item[:2] for item in want}
            wrong.append(f"{name}: {len(got)}, not {len(want)}: {sorted(other)[:6]}")
    ends = sorted((str(e["SUMMARY"]), str(instant(e["DTSTART"], None)), str(instant(e["DTEND"], None)))
                  for e in read(single)[0] if "DTEND" in e and not is_day(e["DTSTART"]))
    if ends != sorted((n, start, end) for n, _, start, end in want if end != "None"):
        wrong.append("other ends")
    print(f"{len(want)} occurrences of {len(rows)} series")
    return wrong or ("too few" if len(want) < 100 else None)


def is_day(prop):
    return not isinstance(prop.dt, datetime.datetime)


def occurrences(path, first, last):
    """The occurrences of a calendar: its rules are unrolled by dateutil."""
    events, zones = read(path)
    found = []
    for event in events:
        start, number = event["DTSTART"], str(event["SUMMARY"])
        local = datetime.datetime.combine(start.dt, datetime.time()) if is_day(start) else start.dt
        local = local.replace(tzinfo=None)
        moments = [local]
        if "RRULE" in event:
            rule = event["RRULE"].to_ical().decode()
            if not is_day(start):
                # UNTIL is in UTC, the rule goes by the local time.
                rule = rule.replace("UNTIL=", "UNTIL_UTC=")
            parts = dict(part.split("=") for part in rule.split(";"))
            until = parts.pop("UNTIL_UTC", None)
            if until:
                end = datetime.datetime.strptime(until, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
                parts["UNTIL"] = end.astimezone(zone_of(start, zones)).strftime("%Y%m%dT%H%M%S")
            text = ";".join(f"{key}={value}" for key, value in parts.items())
            rules = rrule.rrulestr(text, dtstart=local)
            moments = rules.between(
                datetime.datetime.combine(first, datetime.time()) - datetime.timedelta(days=3),
                datetime.datetime.combine(last, datetime.time(23, 59)), inc=True)
        excepted = event.get("EXDATE", [])
        excepted = excepted if isinstance(excepted, list) else [excepted]
        gone = {str(date.dt)[:10] for dates in excepted for date in dates.dts}
        length = event["DTEND"].dt.replace(tzinfo=None) - local if "DTEND" in event and not is_day(start) else None
        for moment in moments:
            if str(moment)[:10] in gone:
                continue
            if is_day(start):
                if first <= moment.date() <= last:
                    found.append((number, str(moment.date())))
                continue
            # RFC 5545, 3.3.10: a time that clocks pass over is read by the offset before.
            begin = tz.resolve_imaginary(moment.replace(tzinfo=zone_of(start, zones)))
            end = moment + (length or datetime.timedelta(0))
            end_day = (end - datetime.timedelta(seconds=1 if length else 0)).date()
            if "RRULE" in event and not first <= max(moment.date(), end_day):
                continue
            seconds = int((begin.astimezone(UTC) - EPOCH.replace(tzinfo=UTC)).total_seconds())
            found.append((number, str(seconds)))
    return sorted(found)


if __name__ == "__main__":
    verb, *words = sys.argv[1:]
    if verb == "make":
        path = pathlib.Path(words[1])
        makers = {"zones": make_zones, "several": make_several}
        sys.exit(makers[words[0]](path) if words[0] in makers else make_series(words[0], path))
    comparers = {"zones": compare_zones, "several": compare_several, "repeat": compare_series}
    result = comparers[verb](*words)
    sys.exit("\n".join(result) if isinstance(result, list) else result)
