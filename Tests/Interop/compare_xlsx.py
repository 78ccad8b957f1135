#!/usr/bin/env python3
"""Compares workbooks, as a reader of them reads them, with the NDJSON of the same run.

    compare_xlsx.py openpyxl|pandas|office|gnumeric BASE [COLUMN=day|instant|clock+3]...
    compare_xlsx.py texts BASE CSV
    compare_xlsx.py make-hostile JSON

BASE.xlsx has a sheet for each BASE-TABLE.ndjson. Other columns than the named ones have the kinds of
their values in JSON. Every cell must be equal in value and in kind.
"""
import csv
import datetime
import glob
import json
import math
import random
import re
import sys
import xml.etree.ElementTree as ElementTree

from rows import Bare, read_rows

ODF = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
OFFICE, TABLE, TEXT = ODF % "office", ODF % "table", ODF % "text"
EPOCH = datetime.datetime(1899, 12, 30)
# What the standard has for characters that XML has not.
CODE = re.compile("_x([0-9A-Fa-f]{4})_")


def decoded(text):
    return CODE.sub(lambda code: chr(int(code[1], 16)), text)


# What the rows say


def moment(value, kind):
    """The date and time that a cell shows, or None if spreadsheets have none."""
    if kind == "day":
        found = datetime.datetime.fromisoformat(value)
    else:
        found = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
        if kind.startswith("clock"):
            zone = datetime.timezone(datetime.timedelta(hours=int(kind[len("clock"):])))
            found = found.astimezone(zone)
        found = found.replace(tzinfo=None)
    return found if found >= datetime.datetime(1900, 3, 1) else None


def expected(value, kind):
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Bare):
        digits = re.sub("[eE].*|[-.]", "", value).lstrip("0")
        exponent = re.search("[eE](.*)", value)
        is_exact = len(digits) <= 15 and (not exponent or abs(int(exponent[1])) <= 280)
        return float(value) if is_exact else str(value)
    if kind:
        return moment(value, kind) or value
    return value


# What readers say


def read_openpyxl(base):
    import openpyxl

    for sheet in openpyxl.load_workbook(base + ".xlsx"):
        rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
        # It leaves the codes as they are.
        yield sheet.title, [[decoded(v) if isinstance(v, str) else v for v in row] for row in rows]


def read_pandas(base):
    import pandas

    # Only an empty cell is a missing value.
    sheets = pandas.read_excel(base + ".xlsx", sheet_name=None, header=None, dtype=object,
                               keep_default_na=False, na_values=[""])
    for title, frame in sheets.items():
        rows = []
        for row in frame.values.tolist():
            rows.append([])
            for value in row:
                if isinstance(value, float) and math.isnan(value):
                    value = None
                elif isinstance(value, pandas.Timestamp):
                    value = value.to_pydatetime()
                rows[-1].append(decoded(value) if isinstance(value, str) else value)
        yield title, rows


def paragraph(node):
    text = node.text or ""
    for child in node:
        if child.tag == TEXT + "s":
            text += " " * int(child.get(TEXT + "c", "1"))
        elif child.tag == TEXT + "tab":
            text += "\t"
        elif child.tag == TEXT + "line-break":
            text += "\n"
        else:
            text += paragraph(child)
        text += child.tail or ""
    return text


def office_cell(cell):
    kind = cell.get(OFFICE + "value-type")
    if kind == "float":
        return float(cell.get(OFFICE + "value"))
    if kind == "date":
        return datetime.datetime.fromisoformat(cell.get(OFFICE + "date-value")[:26])
    if kind == "boolean":
        return cell.get(OFFICE + "boolean-value") == "true"
    if kind == "string":
        return "\n".join(paragraph(p) for p in cell.iter(TEXT + "p"))
    assert kind is None, kind
    return None


def read_office(base):
    for table in ElementTree.parse(base + ".fods").iter(TABLE + "table"):
        rows = []
        for row in table.iter(TABLE + "table-row"):
            cells = []
            for cell in row.iter(TABLE + "table-cell"):
                count = int(cell.get(TABLE + "number-columns-repeated", "1"))
                cells += [office_cell(cell)] * min(count, 64)
            if any(cell is not None for cell in cells):
                rows += [cells] * int(row.get(TABLE + "number-rows-repeated", "1"))
        yield table.get(TABLE + "name"), rows


def read_gnumeric(base):
    import zipfile

    book = zipfile.ZipFile(base + ".xlsx").read("xl/workbook.xml").decode()
    names = re.findall('<sheet name="([^"]*)"', book)
    for number, name in enumerate(names):
        with open(f"{base}.gnumeric-{number}.csv", encoding="utf-8", newline="") as file:
            # It leaves the codes as they are, like openpyxl.
            yield name, [[decoded(cell) or None for cell in row] for row in csv.reader(file)]


READERS = {"openpyxl": read_openpyxl, "pandas": read_pandas, "office": read_office,
           "gnumeric": read_gnumeric}


def serial(moment):
    return (moment - EPOCH) / datetime.timedelta(days=1)


def are_equal(reader, found, wanted):
    if reader == "gnumeric" and found is not None:
        # Its CSV has no kinds: days are numbers of days.
        if isinstance(wanted, bool):
            return found.upper() == str(wanted).upper()
        if isinstance(wanted, datetime.datetime):
            wanted = serial(wanted)
        if isinstance(wanted, float):
            return math.isclose(float(found), wanted, rel_tol=1e-13)
        return found == wanted
    if reader == "office" and isinstance(wanted, str) and isinstance(found, str):
        # Its XML cannot hold these; `texts` compares them.
        lost = re.compile("[\x00-\x1f\ufffe\uffff]")
        return lost.sub("", found) == lost.sub("", wanted)
    if isinstance(wanted, datetime.datetime):
        return (isinstance(found, datetime.datetime)
                and abs(found - wanted) <= datetime.timedelta(milliseconds=1))
    if isinstance(wanted, float):
        return (isinstance(found, (int, float)) and not isinstance(found, bool)
                and math.isclose(found, wanted, rel_tol=1e-14))
    return type(found) is type(wanted) and found == wanted


def compare(reader, base, kinds):
    found = dict(READERS[reader](base))
    files = sorted(glob.glob(glob.escape(base) + "-*.ndjson"))
    assert files, "no rows"
    cells = wrong = 0
    for path in files:
        name = path[len(base) + 1:-len(".ndjson")]
        rows, sheet = read_rows(path), found[name]
        assert len(sheet) == len(rows) + 1, f"{name}: {len(sheet)} lines of {len(rows) + 1}"
        for number, (line, row) in enumerate(zip(sheet[1:], rows), 2):
            line = line + [None] * (len(row) - len(line))
            for value, (column, wanted) in zip(line, row.items()):
                cells += 1
                wanted = expected(wanted, kinds.get(column))
                if wanted == "":
                    wanted = None
                if not are_equal(reader, value, wanted):
                    wrong += 1
                    if wrong <= 10:
                        print(f"{name} row {number} {column}: {value!r:.300}, not {wanted!r:.300}")
    print(f"{cells} cells")
    return wrong == 0 and cells > 0


def texts(base, path):
    """The texts of LibreOffice's CSV. It makes line feeds of carriage returns in a
    text of several lines."""
    rows = read_rows(glob.glob(glob.escape(base) + "-*.ndjson")[0])
    csv.field_size_limit(1 << 20)
    with open(path, encoding="utf-8", newline="") as file:
        lines = list(csv.reader(line.replace("\0", "\ue000") for line in file))[1:]
    wrong = 0
    for line, row in zip(lines, rows, strict=True):
        for found, column in zip(line[1:3], ("t", "v")):
            wanted = (row[column] or "").replace("\0", "\ue000")
            if "\r" in wanted:
                found, wanted = (re.sub("[\r\n]+", "\n", text) for text in (found, wanted))
            if found != wanted:
                wrong += 1
                print(f"row {row['id']} {column}: {found!r:.200}, not {wanted!r:.200}")
    return wrong == 0


def make_hostile(path):
    random.seed(4)
    values = [chr(code) for code in [*range(1, 0x21), 0x7F, 0x80, 0x85, 0xA0, 0x2028, 0xFEFF, 0xFFFD,
                                     0xFFFE, 0xFFFF, 0x1F600, 0x1FFFE, 0x10FFFF]]
    values = [f"a{value}b" for value in values] + values
    values += ["=1+1", "+1", "-1", "@x", "'x", "=HYPERLINK(\"x\")", "12/3", "0047", "1e5", "1,5", "1.5",
               "TRUE", "#N/A", "#REF!", "2020-01-01", "NaN", "null", "_x0041_", "_x005F_x0041_", "_x00_",
               "_x000g_", "_x000B", "__x000B__", "_X0041_", " lead", "trail ", "  two  ", "a\nb", "a\r\nb",
               "\n", "a\n\nb\n", "<b>&amp;</b>", "]]>", "&#10;", "\"q\"", "é\u0301", "ы" * 32767,
               "🏠" * 16383 + "z", "x" * 32767, "=" * 8000]
    alphabet = "_x00415Fa<>&\"' \n\r\t\x01\x1f\ufffe\uffffяё🏠=+-@"
    values += ["".join(random.choices(alphabet, k=random.randrange(1, 60))) for _ in range(400)]
    numbers = ["0", "-0", "1", "-1", "0.1", "1e5", "2.455e1", "123456789012345", "1234567890123456",
               "0.000001234567890123456", "12345678901234.56", "1e280", "1e-280", "1e281", "9" * 400, "1E+2"]
    days = ["1900-03-01", "1900-02-28", "0001-01-01", "9999-12-31", "2020-02-29", "1969-12-31"]
    with open(path, "w", encoding="utf-8") as file:
        rows = (f'{{"id":{n},"t":{json.dumps(value)},"v":{json.dumps(value)},'
                f'"n":{numbers[n % len(numbers)]},"d":"{days[n % len(days)]}"}}'
                for n, value in enumerate(values))
        file.write("[" + ",\n".join(rows) + "]")
    return True


if __name__ == "__main__":
    what, base, *rest = sys.argv[1:]
    if what == "make-hostile":
        sys.exit(not make_hostile(base))
    if what == "texts":
        sys.exit(not texts(base, *rest))
    sys.exit(not compare(what, base, dict(item.split("=") for item in rest)))
