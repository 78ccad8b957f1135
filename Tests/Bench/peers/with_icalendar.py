"""The feed as a calendar, with Python's icalendar: with_icalendar.py FEED OUTPUT"""
import collections
import datetime
import functools
import json
import sys

import address
import payload
from icalendar import Calendar, Event

NAME = "Отключение горячей воды"
URL = (
    "https://api.gu.spb.ru/UniversalMobileService/classifiers/downloadClassifiers?classifiersId=4"
)
MONTHS = (
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split()
)
# What a zip says of time is local time, three hours ahead of UTC.
AHEAD = datetime.timezone(datetime.timedelta(hours=3))
A_DAY = datetime.timedelta(days=1)


@functools.cache
def days(period):
    first, last = (
        datetime.datetime.strptime(day, "%d.%m.%Y").date() for day in period.strip().split("-")
    )
    return first, last


@functools.cache
def in_words(first, last):
    return " - ".join(f"{day.day} {MONTHS[day.month - 1]} {day.year}" for day in (first, last))


def house_in_words(house, building, letter):
    parts = zip(("дом", "корпус", "литер"), (house, building, letter))
    return " ".join(f"{word} {part}" for word, part in parts if part)


def events(records, stamp):
    """An event for each address and its days; the same ones again are left out."""
    seen, counts = set(), collections.Counter()
    for record in records:
        parts = (
            record["Населенный пункт"].strip(),
            record["Адрес жилого здания"].strip(),
            record["№ дома"].strip(),
            record["корпус"].strip(),
            record["литер"].strip(),
        )
        number = address.number(*parts)
        first, last = days(record["Период отключения ГВС"])
        if (number, first, last) in seen:
            continue
        seen.add((number, first, last))
        counts[number, first.year] += 1

        where = ", ".join(filter(None, (parts[1], house_in_words(*parts[2:]))))
        event = Event()
        event.add("uid", f"{number}-{first.year}-{counts[number, first.year]}@hot-water.sluice")
        event.add("dtstamp", stamp)
        event.add("last-modified", stamp)
        event.add("sequence", 0)
        event.add("status", "CONFIRMED")
        event.add("dtstart", first)
        event.add("dtend", last + A_DAY)
        event.add("summary", f"{where}: нет горячей воды")
        event.add("location", ", ".join(filter(None, (parts[0], where))))
        event.add("description", in_words(first, last))
        event.add("categories", ["Горячая вода"])
        event.add("transp", "TRANSPARENT")
        event.add("x-microsoft-cdo-busystatus", "FREE")
        yield event


def main():
    feed, output = sys.argv[1:]
    archive = payload.open_zip(feed)
    entry = archive.infolist()[0]
    stamp = datetime.datetime(*entry.date_time, tzinfo=AHEAD).astimezone(datetime.timezone.utc)

    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//sluice//hot-water//RU")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("name", NAME)
    calendar.add("x-wr-calname", NAME)
    calendar.add("color", "dodgerblue")
    calendar.add("source", URL, parameters={"VALUE": "URI"})
    calendar.add("refresh-interval", A_DAY, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "P1D")
    for event in events(json.loads(archive.read(entry)), stamp):
        calendar.add_component(event)
    with open(output, "wb") as file:
        file.write(calendar.to_ical())


main()
