"""Many nights as one CSV, with Python's standard library: with_python.py FOLDER OUTPUT"""
import csv
import functools
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import address  # noqa: E402

HEADER = "locality,street,house,building,letter,start_date,end_date,address_id".split(",")
KEYS = ["Населенный пункт", "Адрес жилого здания", "№ дома", "корпус", "литер"]


@functools.cache
def days(period):
    """Both days of 22.06.2020-05.07.2020 as ISO days; the feed has few different periods."""
    first, last = (day.split(".") for day in period.strip().split("-"))
    return "-".join(reversed(first)), "-".join(reversed(last))


def rows(night):
    for record in json.loads(night.read_bytes()):
        parts = tuple(record[key].strip() for key in KEYS)
        yield (*parts, *days(record["Период отключения ГВС"]), address.number(*parts))


folder, output = sys.argv[1:]
with open(output, "w", encoding="utf-8", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(HEADER)
    for night in sorted(pathlib.Path(folder).iterdir()):
        writer.writerows(rows(night))
