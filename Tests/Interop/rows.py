"""Reads the NDJSON that the other formats are compared with."""
import datetime
import json


class Bare(str):
    """A number, as it is written."""


def read_rows(path):
    """The rows of an NDJSON file; numbers stay text (Bare), missing values are None."""
    with open(path, encoding="utf-8", newline="\n") as file:
        return [json.loads(line, parse_float=Bare, parse_int=Bare) for line in file]


def read_events(path):
    """The rows that are events: the same address and days count once."""
    events = {}
    for row in read_rows(path):
        events.setdefault((row["address_id"], row["start_date"], row["end_date"]), row)
    return list(events.values())


def days(row):
    return tuple(datetime.date.fromisoformat(row[key]) for key in ("start_date", "end_date"))


def local_time(instant):
    """An instant as the excel dialect has it, on the clock it is written in: 2018-09-01 13:00:00."""
    fraction = instant[20:].rstrip("Z").partition("+")[0].partition("-")[0] if instant[19] == "." else ""
    return instant[:10] + " " + instant[11:19] + ("," + fraction if fraction else "")
