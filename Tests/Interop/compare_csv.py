#!/usr/bin/env python3
"""Compares a CSV file, or what another reader made of one, with the NDJSON of the same run.

    compare_csv.py plain|excel|tabs FILE.csv|FILE.tsv|FILE.ndjson NDJSON
"""
import csv
import json
import sys

from rows import Bare, local_time, read_rows

DAYS = ("start_date", "end_date", "date")


def cell(dialect, column, value):
    """What stands in the CSV for a value of the NDJSON."""
    if value is None:
        return ""
    if dialect == "excel":
        if isinstance(value, Bare):
            return value.replace(".", ",")
        if column == "date":
            return local_time(value)
        if column not in DAYS and value[:1] in tuple("=+-@\t\r"):
            return "'" + value
    return value


def read_csv(dialect, path):
    with open(path, "rb") as file:
        data = file.read()
    bom = b"\xef\xbb\xbf"
    assert data.startswith(bom) == (dialect == "excel"), "the byte order mark"
    text = data.decode("utf-8-sig" if dialect == "excel" else "utf-8")
    line_end = "\r\n" if dialect == "excel" else "\n"
    assert text.endswith(line_end), "the last line has no end"
    assert ("\r" in text) == (dialect == "excel"), "line ends"
    reader = csv.reader(
        text.split(line_end)[:-1],
        delimiter={"plain": ",", "excel": ";", "tabs": "\t"}[dialect],
        strict=True,
    )
    header = next(reader)
    return [header] + list(reader)


def read_ndjson(path):
    """What Miller wrote: it leaves control characters in strings as they are."""
    with open(path, encoding="utf-8", newline="\n") as file:
        rows = [json.loads(line, strict=False) for line in file]
    return [list(rows[0])] + [list(row.values()) for row in rows]


def main():
    dialect, path, rows_path = sys.argv[1:]
    rows = read_rows(rows_path)
    columns = list(rows[0])
    expected = [columns]
    expected += [[cell(dialect, column, row[column]) for column in columns] for row in rows]
    found = read_ndjson(path) if path.endswith(".ndjson") else read_csv(dialect, path)
    assert len(found) == len(expected), f"{len(found)} lines, not {len(expected)}"
    for number, (a, b) in enumerate(zip(found, expected), 1):
        assert a == b, f"line {number}:\n{a}\n{b}"
    print(f"{len(rows)} rows")


if __name__ == "__main__":
    main()
