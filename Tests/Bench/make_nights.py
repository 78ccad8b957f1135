#!/usr/bin/env python3
"""Writes nights of the hot-water feed, as the API sends them: base64 of a zip of JSON.

    make_nights.py FOLDER NIGHTS [RECORDS]

The houses are those of Samples/hot-water/full.json, and more of their kind. Every night some
outages move, vanish or come back. Nothing depends on the clock or on Python's random numbers.
"""
import base64
import datetime
import io
import json
import random
import sys
import zipfile
from multiprocessing import Pool
from pathlib import Path

SAMPLE = Path(__file__).resolve().parents[2] / "Samples" / "hot-water" / "full.json"
PERIOD = "Период отключения ГВС"
FIRST = datetime.date(2020, 5, 1)
SEASON = 60  # Days after which a house has its next outage.


def records():
    """The records of the sample."""
    answer = json.loads(SAMPLE.read_text(encoding="utf-8"))
    content = base64.b64decode(answer["responseData"]["classifiers"][0]["file"])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return json.loads(archive.read(archive.namelist()[0]))


def outage(house, day):
    """The days of a house's outage as they are known on a day; None if it is not planned then."""
    season, within = divmod((day - FIRST).days, SEASON)
    chance = random.Random(f"{house} {season}")
    start = FIRST + datetime.timedelta(days=season * SEASON + chance.randrange(20, 50))
    moved, gone, back = (chance.randrange(400) for _ in range(3))
    if gone <= within < gone + 1 + back % 20:
        return None
    if within >= moved:
        start += datetime.timedelta(days=3)
    return start, start + datetime.timedelta(days=13)


def write_night(job):
    """Writes a night; returns its number of records."""
    folder, number, count = job
    day = FIRST + datetime.timedelta(days=number)
    sample, found = records(), []
    for house in range(count):
        days = outage(house, day)
        if days:
            record = dict(sample[house % len(sample)])
            if house >= len(sample):
                record["№ дома"] += f"-{house // len(sample)}"
            record[PERIOD] = "-".join(f"{one:%d.%m.%Y}" for one in days)
            found.append(record)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        name = zipfile.ZipInfo("disconnect_teploset.json", (day.year, day.month, day.day, 3, 0, 0))
        name.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(name, json.dumps(found, ensure_ascii=False))
    file = base64.b64encode(packed.getvalue()).decode("ascii")
    classifier = {"classifierId": 4, "file": file, "version": "1"}
    answer = {"status": "result", "responseData": {"classifiers": [classifier]}}
    (folder / f"{day}.json").write_text(json.dumps(answer), encoding="utf-8")
    return len(found)


def make(folder, nights, count):
    """Writes the nights; returns their number of records."""
    folder.mkdir(parents=True, exist_ok=True)
    with Pool(2) as pool:
        return sum(pool.imap_unordered(write_night, ((folder, n, count) for n in range(nights))))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    total = make(Path(sys.argv[1]), int(sys.argv[2]), int((sys.argv[3:] or [13320])[0]))
    print(f"{total:,} records")
