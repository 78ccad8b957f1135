#!/usr/bin/env python3
"""Measures a workbook of 600,000 rows against XlsxWriter: `make bench` runs it last.

sluice reads the API's answer; XlsxWriter, in constant memory, gets the rows as a CSV. Both in turn,
medians of three runs. Exits with 1 if the cells differ, if sluice is not 12 times as fast, or if it
takes more than 32 MiB.
"""
import html
import itertools
import re
import subprocess
import sys
import zipfile

import feeds
import peer_list
import places
from measuring import Contender, Failed, alternate

RECORDS, ROUNDS = 600_000, 3
FACTOR, MEMORY = 12, 32
CELL = re.compile(rb'<c r="([A-Z]+[0-9]+)"[^>]*>(?:<is><t[^>]*>([^<]*)</t></is>|<v>([^<]*)</v>)</c>')


def cells(path):
    """The cells below the heading: where they are, and their text or number."""
    rest = b""
    with zipfile.ZipFile(path).open("xl/worksheets/sheet1.xml") as file:
        while True:
            piece = file.read(1 << 20)
            text = rest + piece
            end = len(text) if not piece else text.rfind(b"</c>") + 4
            for place, string, number in CELL.findall(text, 0, end):
                if not re.fullmatch(rb"[A-Z]+1", place):
                    yield place, html.unescape(string.decode()) or float(number)
            if not piece:
                return
            rest = text[end:]


def main():
    if not peer_list.version_of_module("xlsxwriter"):
        sys.exit("bench: there is no Python module xlsxwriter: workbooks are not compared")
    places.OUT.mkdir(parents=True, exist_ok=True)
    feed = feeds.make(RECORDS, lambda text: print(f"bench: {text}", file=sys.stderr))
    rows, ours, theirs = (places.OUT / name for name in ("rows.csv", "ours.xlsx", "theirs.xlsx"))
    subprocess.run([places.SLUICE, "convert", "-q", feed.envelope, "-o", rows], check=True)
    contenders = [
        Contender("sluice", [places.SLUICE, "convert", feed.envelope, "-o", ours], [ours]),
        Contender("XlsxWriter",
                  [places.VENV_PYTHON, places.PEERS / "with_xlsxwriter.py", rows, theirs], [theirs]),
    ]
    series = alternate(contenders, ROUNDS)
    for name, path in (("sluice", ours), ("XlsxWriter", theirs)):
        runs = series[name]
        print(f"{name}: {runs.wall:.2f} s, {runs.peak:.1f} MiB, {path.stat().st_size:,} bytes")
    factor = series["XlsxWriter"].wall / series["sluice"].wall
    print(f"sluice is {factor:.1f} times as fast")
    count = 0
    for one, other in itertools.zip_longest(cells(ours), cells(theirs)):
        if one != other:
            sys.exit(f"not the same cells: {one}, {other}")
        count += 1
    print(f"{count:,} cells are the same")
    return factor >= FACTOR and series["sluice"].peak <= MEMORY and count > 0


if __name__ == "__main__":
    try:
        sys.exit(not main())
    except Failed as failure:
        sys.exit(f"bench: {failure}")
