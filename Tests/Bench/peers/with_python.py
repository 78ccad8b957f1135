"""The feed as CSV, with Python's standard library: with_python.py [--no-id] FEED OUTPUT"""
import csv
import functools
import json
import sys

import address
import payload

HEADER = "locality,street,house,building,letter,start_date,end_date,address_id".split(",")


@functools.cache
def days(period):
    """Both days of 22.06.2020-05.07.2020 as ISO days; the feed has few different periods."""
    first, last = (day.split(".") for day in period.strip().split("-"))
    return "-".join(reversed(first)), "-".join(reversed(last))


def rows(records, with_id):
    for record in records:
        parts = (
            record["Населенный пункт"].strip(),
            record["Адрес жилого здания"].strip(),
            record["№ дома"].strip(),
            record["корпус"].strip(),
            record["литер"].strip(),
        )
        period = days(record["Период отключения ГВС"])
        yield (*parts, *period, address.number(*parts)) if with_id else (*parts, *period)


def main():
    *options, feed, output = sys.argv[1:]
    with_id = "--no-id" not in options
    with open(output, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER if with_id else HEADER[:-1])
        writer.writerows(rows(json.loads(payload.read(feed)), with_id))


main()
