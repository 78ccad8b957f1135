#!/usr/bin/env python3
"""Compares a flat ODF spreadsheet with the NDJSON of the same run.

    compare_office.py FILE.fods NDJSON [--report | --opened]

With --report the columns that LibreOffice may take for numbers are not compared; what it made of
houses such as 12/3 is printed instead. With --opened they only have to be in their places: no
column types were given.
"""
import math
import re
import sys
import xml.etree.ElementTree as ElementTree

from rows import Bare, local_time, read_rows

ODF = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
OFFICE, TABLE, TEXT = ODF % "office", ODF % "table", ODF % "text"
DAYS = ("start_date", "end_date")
INSTANTS = ("date",)
LOOK_LIKE_NUMBERS = ("house", "building")


def read_sheet(path):
    """Rows of (kind, value): a text's or number's own text, a date as ISO; empty is None."""
    rows = []
    for row in ElementTree.parse(path).iter(TABLE + "table-row"):
        cells = []
        for cell in row.iter(TABLE + "table-cell"):
            kind = cell.get(OFFICE + "value-type")
            value = "".join("".join(p.itertext()) for p in cell.iter(TEXT + "p"))
            if kind == "date":
                value = cell.get(OFFICE + "date-value")
            elif kind == "float":
                value = cell.get(OFFICE + "value")
            repeated = int(cell.get(TABLE + "number-columns-repeated", "1"))
            cells += [(kind, value) if kind else None] * min(repeated, 64)
        while cells and cells[-1] is None:
            cells.pop()
        if cells:
            rows.append(cells)
    return rows


def expected_cell(column, value):
    if value is None:
        return None
    if column in DAYS:
        return "date", value
    if column in INSTANTS:
        # LibreOffice makes a time of it only if it is asked to detect special numbers.
        return "string", local_time(value)
    if isinstance(value, Bare):
        return "float", value
    if value[0] in "=+-@":
        value = "'" + value
    # XML has no way to write these, LibreOffice drops them.
    return "string", re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "", value)


def are_equal(found, expected):
    if found and expected and found[0] == expected[0] == "float":
        # LibreOffice keeps 15 digits.
        return math.isclose(float(found[1]), float(expected[1]), rel_tol=1e-14)
    return found == expected


def main():
    path, rows_path, *options = sys.argv[1:]
    report, opened = "--report" in options, "--opened" in options
    rows = read_rows(rows_path)
    columns = list(rows[0])
    sheet = read_sheet(path)
    assert sheet[0] == [("string", column) for column in columns], sheet[0]
    assert len(sheet) == len(rows) + 1, f"{len(sheet)} rows, not {len(rows) + 1}"
    for number, (cells, row) in enumerate(zip(sheet[1:], rows), 2):
        cells += [None] * (len(columns) - len(cells))
        for column, found in zip(columns, cells):
            if report and column in LOOK_LIKE_NUMBERS:
                continue
            expected = expected_cell(column, row[column])
            # What looks like a number or a day becomes one: no column types were given.
            if opened and expected and expected[0] == "string" and found and found[0] != "string":
                assert re.search(r"\d", row[column]), f"row {number}, {column}: {found}"
                continue
            assert are_equal(found, expected), f"row {number}, {column}: {found}, not {expected}"
    if report:
        report_houses(sheet, rows, columns.index("house"))


def report_houses(sheet, rows, index):
    for cells, row in zip(sheet[1:], rows):
        house = row["house"]
        if house and (house.startswith("0") or "/" in house):
            kind, value = cells[index]
            if kind == "date":
                value = "a date"  # which one depends on this year and on the language
            kept = "stays as it is" if (kind, value) == ("string", house) else f"becomes {value}"
            print(f"LibreOffice's own import, no column types: house {house} {kept}")


if __name__ == "__main__":
    main()
