#!/usr/bin/env python3
"""Times in all time zones: writes them as JSON, and compares what became of them.

    compare_zones.py make instants|local FILE
    compare_zones.py compare KIND DOCUMENT FILE CSV REJECTS
"""
import csv
import datetime
import json
import pathlib
import random
import struct
import sys
import zoneinfo

UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1)
FIRST, LAST = (int((datetime.datetime(year, 1, 1) - EPOCH).total_seconds()) for year in (1970, 2038))
FOLDER = pathlib.Path("/usr/share/zoneinfo")


def names():
    return sorted(name for name in zoneinfo.available_timezones() if (FOLDER / name).is_file())


def changes(name):
    """The instants from 1970 to 2037 at which a zone's file or its rule changes the clocks."""
    content = (FOLDER / name).read_bytes()
    counts = struct.unpack(">6l", content[20:44])
    first = 44 + counts[3] * 5 + counts[4] * 6 + counts[5] + counts[2] * 8 + counts[1] + counts[0]
    counts = struct.unpack(">6l", content[first + 20:first + 44])
    times = struct.unpack(f">{counts[3]}q", content[first + 44:first + 44 + 8 * counts[3]])
    found = {time for time in times if FIRST <= time < LAST}
    # Beyond the last one there is a rule: its changes are looked for day by day.
    zone, day = zoneinfo.ZoneInfo(name), max([FIRST, *found])
    offset = offset_at(zone, day)
    while day < LAST:
        after = offset_at(zone, day + 86400)
        if after != offset:
            low, high = day, day + 86400
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset_at(zone, middle) == offset else (low, middle)
            found.add(high)
        day, offset = day + 86400, after
    return sorted(found)


def offset_at(zone, instant):
    moment = (EPOCH + datetime.timedelta(seconds=instant)).replace(tzinfo=UTC)
    return int(moment.astimezone(zone).utcoffset().total_seconds())


def instants(name, chance):
    for change in changes(name):
        for distance in (-86400, -3601, -1, 0, 1, 3599, 86400):
            yield change + distance
    for _ in range(40):
        yield chance.randrange(-2208988800, 4102444800)


def local_times(name, chance):
    zone = zoneinfo.ZoneInfo(name)
    for change in changes(name):
        before, after = offset_at(zone, change - 1), offset_at(zone, change)
        for offset in {before, after}:
            for distance in (-3600, -1, 0, 1, 1800, 3599, 3600):
                yield change + offset + distance
    for _ in range(40):
        yield chance.randrange(-2208988800, 4102444800)


def make(kind, path):
    chance = random.Random(20261122)
    rows = []
    for name in names():
        for time in (instants if kind == "instants" else local_times)(name, chance):
            text = time if kind == "instants" else str(EPOCH + datetime.timedelta(seconds=time))
            rows.append({"n": len(rows), "tz": name, "t": text})
    path.write_text(json.dumps(rows))
    print(f"{len(rows)} times in {len(names())} zones")
    return None if len(rows) > 100_000 else "too few"


def expected(kind, document, row):
    """The instant and its local time; a reason where there is none."""
    zone = zoneinfo.ZoneInfo(row["tz"])
    if kind == "instants":
        return row["t"], offset_at(zone, row["t"])
    local = datetime.datetime.fromisoformat(row["t"])
    seconds = int((local - EPOCH).total_seconds())
    earlier, later = (
        seconds - int(local.replace(tzinfo=zone, fold=fold).utcoffset().total_seconds())
        for fold in (0, 1))
    if earlier > later:
        # On no clock: read by the offset before the change.
        if document == "strict":
            return "no-such-time"
        return earlier, offset_at(zone, earlier)
    if earlier < later and document == "strict":
        return "ambiguous-time"
    chosen = later if document == "later" else earlier
    return chosen, offset_at(zone, chosen)


def compare(kind, document, path, table, rejects):
    rows = json.loads(path.read_text())
    found = {}
    with open(table, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            moment = datetime.datetime.fromisoformat(row["t"].replace("Z", "+00:00"))
            instant = (moment - EPOCH.replace(tzinfo=UTC)).total_seconds()
            found[int(row["n"])] = (int(instant), int(moment.utcoffset().total_seconds()))
    with open(rejects, encoding="utf-8") as file:
        for line in file:
            reject = json.loads(line)
            found[json.loads(reject["raw"])["n"]] = reject["reason"]
    wrong, refused = [], 0
    for row in rows:
        want = expected(kind, document, row)
        if isinstance(want, tuple):
            # An offset in RFC 3339 has no seconds.
            want = want[0], int(want[1] / 60) * 60
        else:
            refused += 1
        if found.get(row["n"]) != want:
            wrong.append(f"{row}: {found.get(row['n'])}, not {want}")
    print(f"{len(rows)} times, {refused} of them refused")
    if document == "strict" and refused < 10_000:
        wrong.append("too few are refused")
    return "\n".join(wrong[:10]) if wrong or len(found) != len(rows) else None


if __name__ == "__main__":
    verb, *words = sys.argv[1:]
    if verb == "make":
        sys.exit(make(words[0], pathlib.Path(words[1])))
    sys.exit(compare(words[0], words[1], *map(pathlib.Path, words[2:])))
