#!/usr/bin/env python3
"""Writes inputs of other kinds, as many servers have them: make_kinds.py KIND COUNT FILE

Each has something that others lack: lists of numbers, rows that are lists, records by their keys,
texts of another script. The same kind and count give the same bytes.
"""
import argparse
import datetime
import json
import pathlib

import generating
from generating import compact, decimal

WORDS = """the quick city river line station old new north park house green market central road
bridge school east west hill water tower upper lower saint main""".split()
RUSSIAN = """улица дом канал набережная проспект мост площадь Нева Садовая Лиговский кафе школа
аптека магазин парк""".split()


def words(dice, least, most, of=WORDS):
    return " ".join(dice.pick(of) for _ in range(least + dice.roll(most - least + 1)))


def day(number):
    return (datetime.date(2000, 1, 1) + datetime.timedelta(days=number)).isoformat()


def minute(dice):
    return f"{dice.roll(24):02}:{dice.roll(60):02}"


def instant(dice):
    return f"2026-11-25T{minute(dice)}:{dice.roll(60):02}.{100 + dice.roll(900)}Z"


def chance(dice, of_hundred):
    return dice.roll(100) < of_hundred


def listed(before, elements, after, separator=","):
    """The pieces of a document with a list."""
    yield before
    for number, element in enumerate(elements):
        yield separator * (number > 0) + element
    yield after


def lines(elements):
    return (element + "\n" for element in elements)


def weather(dice, count):
    """Places with a list for each column, an element an hour, some of them null."""
    times = [f"2026-11-{1 + hour // 24:02}T{hour % 24:02}:00" for hour in range(168)]

    def place(_):
        return compact({
            "latitude": decimal(dice, 40, 70, 4), "longitude": decimal(dice, 20, 40, 4),
            "timezone": "GMT", "elevation": dice.roll(300),
            "hourly_units": {"time": "iso8601", "temperature_2m": "°C", "rain": "mm"},
            "hourly": {
                "time": times,
                "temperature_2m": [decimal(dice, -20, 30, 1) for _ in times],
                "relative_humidity_2m": [dice.roll(101) for _ in times],
                "rain": [dice.pick([0.0, 0.0, decimal(dice, 0, 9)]) for _ in times],
                "weather_code": [dice.pick([0, 1, 2, 3, 45, 61, 71, None]) for _ in times],
            },
        })

    return listed("[", map(place, range(count)), "]")


def bonds(dice, count):
    """Rows that are lists, one on a line, the names of their columns before them."""
    names = ["BOARDID", "TRADEDATE", "SHORTNAME", "SECID", "NUMTRADES", "VALUE", "OPEN", "LOW",
             "HIGH", "CLOSE", "VOLUME"]

    def row(number):
        bond = number % 40
        prices = [decimal(dice, 90, 110, 3) for _ in range(4)]
        return "\t" + json.dumps([
            "TQOB", day(number // 40), f"ОФЗ {26200 + bond}", f"SU{26200 + bond}RMFS{bond % 10}",
            dice.roll(5000), decimal(dice, 10_000, 1_000_000_000),
            *([None] * 4 if chance(dice, 5) else prices), dice.roll(10**6),
        ], ensure_ascii=False)

    before = '{\n"history": {\n"columns": ' + json.dumps(names) + ', \n"data": [\n'
    return listed(before, map(row, range(count)), "]}}", ",\n")


def vectors(dice, count):
    """Texts on lines, each with a vector of 200 numbers that nobody asks for."""
    return lines(compact({
        "id": f"doc-{number}", "title": words(dice, 6, 6),
        "embedding": [decimal(dice, -1, 1, 6) for _ in range(200)],
        "url": f"https://example.org/{dice.pick(WORDS)}", "tokens": dice.roll(5000),
    }) for number in range(count))


def works(dice, count):
    """Books on lines, with members that come and go, and a list of subjects."""

    def work(number):
        made = {"type": {"key": "/type/work"}, "title": words(dice, 2, 8).title(),
                "key": f"/works/OL{number}W"}
        if chance(dice, 80):
            made["authors"] = [
                {"type": {"key": "/type/author_role"}, "author": {"key": f"/authors/{dice.roll(10**6)}"}}
                for _ in range(dice.pick([1, 1, 1, 2, 3]))
            ]
        if chance(dice, 60):
            made["subjects"] = [words(dice, 1, 3).title() for _ in range(1 + dice.roll(12))]
        if chance(dice, 30):
            text = f'{words(dice, 20, 80)}\n"{words(dice, 3, 3)}"'
            made["description"] = {"type": "/type/text", "value": text}
        if chance(dice, 30):
            made["covers"] = [dice.roll(10**7) for _ in range(1 + dice.roll(4))]
        made["revision"] = dice.roll(9)
        created = f"{day(dice.roll(9000))}T{minute(dice)}:59.0{dice.roll(1000)}"
        made["created"] = {"type": "/type/datetime", "value": created}
        return compact(made)

    return lines(map(work, range(count)))


def prices(dice, count):
    """Records by their days, with keys of several words and numbers in quotation marks."""

    def member(number):
        low = decimal(dice, 50, 150, 4)
        record = {
            "1. open": f"{low + 0.5:.4f}", "2. high": f"{low + 2:.4f}", "3. low": f"{low:.4f}",
            "4. close": f"{low + 1:.4f}", "5. volume": str(dice.roll(10**7)),
        }
        return f'"{day(number)}":{compact(record)}'

    before = '{"Meta Data":{"1. Information":"Daily"},"Time Series (Daily)":{'
    return listed(before, map(member, range(count)), "}}")


def sensors(dice, count):
    """Measurements whose values stand in a list of types and values."""
    kinds = ["P1", "P2", "temperature", "humidity", "pressure"]

    def measurement(number):
        first = dice.roll(5)
        values = [
            {
                "id": dice.roll(10**9), "value_type": kinds[(first + place) % 5],
                "value": str(decimal(dice, 0, 99)),
            }
            for place in range(2 + dice.roll(3))
        ]
        return compact({
            "location": {
                "id": number % 9000, "latitude": str(decimal(dice, 40, 60, 3)),
                "longitude": str(decimal(dice, 10, 40, 3)), "country": dice.pick(["DE", "RU", "FR"]),
            },
            "timestamp": f"2026-11-25 {minute(dice)}:{dice.roll(60):02}",
            "sensor": {
                "id": dice.roll(10**5), "pin": "1",
                "sensor_type": {"id": 14, "name": "SDS011", "manufacturer": "Nova Fitness"},
            },
            "sensordatavalues": values, "id": 10**10 + number,
        })

    return listed("[", map(measurement, range(count)), "]")


def people(dice, count):
    """Indented records with objects in objects."""

    def person(number):
        made = {
            "id": number, "name": words(dice, 2, 2).title(),
            "email": f"{dice.pick(WORDS)}@example.org",
            "address": {
                "street": words(dice, 2, 2), "city": dice.pick(WORDS),
                "zipcode": str(10_000 + dice.roll(90_000)),
                "geo": {
                    "lat": str(decimal(dice, -90, 90, 4)), "lng": str(decimal(dice, -180, 180, 4))
                },
            },
            "phone": f"1-{dice.roll(10**9)}",
            "company": {"name": words(dice, 2, 2), "bs": words(dice, 3, 7)},
        }
        return "  " + json.dumps(made, indent=2).replace("\n", "\n  ")

    return listed("[\n", map(person, range(count)), "\n]", ",\n")


def questions(dice, count):
    """Questions with tags and counts of seconds since 1970, some of them missing."""

    def question(number):
        made = {
            "tags": [dice.pick(WORDS) for _ in range(1 + dice.roll(5))],
            "owner": {
                "account_id": dice.roll(10**7), "reputation": dice.roll(10**5),
                "user_type": "registered", "display_name": words(dice, 2, 2),
                "profile_image": f"https://example.org/{dice.roll(10**8)}.png",
            },
            "is_answered": chance(dice, 60), "view_count": dice.roll(10**4),
            "score": dice.roll(55) - 5, "creation_date": 1_690_000_000 + dice.roll(10**7),
            "question_id": number, "content_license": "CC BY-SA 4.0",
            "title": f"{words(dice, 6, 6)} &quot;{dice.pick(WORDS)}&quot;",
        }
        if chance(dice, 50):
            made["last_edit_date"] = 1_700_000_000 + dice.roll(10**7)
        return compact(made)

    return listed('{"items":[', map(question, range(count)), '],"has_more":true}')


def changes(dice, count):
    """Changes of an encyclopedia on lines, in Russian, of five types."""

    def change(number):
        kind = dice.pick(["edit", "edit", "categorize", "new", "log"])
        made = {
            "meta": {
                "uri": f"https://example.org/wiki/{dice.pick(RUSSIAN)}", "domain": "example.org",
                "dt": instant(dice), "offset": number,
            },
            "id": 10**9 + number, "type": kind, "namespace": dice.roll(15),
            "title": words(dice, 2, 2, RUSSIAN), "comment": words(dice, 0, 8, RUSSIAN),
            "user": f"{dice.pick(RUSSIAN)}{number % 999}", "bot": chance(dice, 30),
        }
        if kind == "edit":
            made["length"] = {"old": dice.roll(10**5), "new": dice.roll(10**5)}
        if kind == "log":
            made["log_params"] = {"curid": number, "auto": 0}
        made["wiki"] = "ruwiki"
        return compact(made)

    return lines(map(change, range(count)))


def houses(dice, count):
    """A register of houses in Russian, all values texts, with blanks after commas and colons."""

    def house(number):
        return json.dumps({
            "_id": number, "district": dice.pick(RUSSIAN) + "ский район",
            "street": words(dice, 2, 2, RUSSIAN), "house": str(dice.roll(200)),
            "corp": dice.pick(["", "1", "2"]), "built": str(1850 + dice.roll(170)),
            "area": f"{dice.roll(9000)},{dice.roll(10)}", "lift": dice.pick(["да", "нет"]),
            "phone": f"+7 (812) {dice.roll(1000):03}-{dice.roll(100):02}",
            "updated": f"2026-11-{1 + dice.roll(28):02}T00:00:00",
        }, ensure_ascii=False)

    return listed('{"success": true, "result": {"records": [', map(house, range(count)), "]}}", ", ")


def grid(dice, count):
    """Lists of forty numbers, each of which is a row."""
    rows = (compact([decimal(dice, -30, 40, 1) for _ in range(40)]) for _ in range(count))
    return listed('{"grid":[', rows, "]}")


ATTRIBUTES = [f"{first}_{second}" for first in WORDS[:12] for second in WORDS[12:22]]


def goods(dice, count):
    """Records of which each has some fifteen of 120 attributes, in any order."""
    def value(place):
        values = (words(dice, 1, 3), decimal(dice, 0, 100), dice.roll(1000), chance(dice, 50))
        return values[place % 4]

    def product(number):
        places = sorted({dice.roll(120) for _ in range(10 + dice.roll(10))})
        places.sort(key=lambda _: dice.roll(120))
        return compact({
            "sku": 100_000 + number, "title": words(dice, 2, 5),
            "attributes": {ATTRIBUTES[place]: value(place) for place in places},
        })
    return lines(product(number) for number in range(count))


def stops(dice, count):
    """Stops by their keys, each with a list of departures."""

    def departure():
        return {
            "line": str(1 + dice.roll(99)), "to": words(dice, 1, 2).title(), "time": instant(dice),
            "delay": dice.roll(10), "platform": dice.pick([None, str(1 + dice.roll(12))]),
        }

    def stop(number):
        made = {
            "name": words(dice, 1, 3).title(), "lat": decimal(dice, 50, 60, 5),
            "lon": decimal(dice, 10, 30, 5), "zone": dice.pick("ABC"),
            "accessible": chance(dice, 50),
            "departures": [departure() for _ in range(1 + dice.roll(8))],
        }
        return f'"de:{number * 7919 % 1_000_003}":{compact(made)}'

    return listed('{"stops":{', map(stop, range(count)), "}}")


def log(dice, count):
    """Lines of five short values."""
    return lines(compact({
        "ts": instant(dice), "level": dice.pick(["info", "warn", "error"]),
        "svc": dice.pick(WORDS), "ms": decimal(dice, 0, 900), "ok": chance(dice, 90),
    }) for _ in range(count))


KINDS = {make.__name__: make for make in (
    weather, bonds, vectors, works, prices, sensors, people, questions, changes, houses, grid, goods,
    log, stops)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("count", type=int)
    parser.add_argument("file", type=pathlib.Path)
    options = parser.parse_args()
    with open(options.file, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(KINDS[options.kind](generating.Dice(2026), options.count))


if __name__ == "__main__":
    main()
