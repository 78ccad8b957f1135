#!/usr/bin/env python3
"""Measures sluice on inputs of other kinds, against C++ on simdjson: `make bench-kinds`.

    kinds.py [--runs N] [--kind NAME]...

The shapes of run.py were there when sluice was made fast. These stand for all others. Whole
processes in turn, one thread each, inputs and outputs in memory, medians of N runs (5). Exits with
1 where the files are not the same.
"""
import argparse
import shutil
import sys

import machine
import places
import same
import shapes
from against_shapes import figures
from measuring import Contender, Failed, alternate
from report import Table

COLUMNS = [
    *("kind", "what it is like", "MB", "CPU", "wall clock", "MiB"),
    *("of C++: CPU", "wall clock", "MiB", "of its CPU", "of its wall"),
]
MAKER = "make_kinds.py"
# The count of each, for inputs of some 20 to 40 MB, and what it is like.
KINDS = {
    "weather": (4_000, "places with a list for each column"),
    "bonds": (200_000, "rows that are lists"),
    "vectors": (12_000, "texts with vectors that nobody asks for, NDJSON"),
    "works": (80_000, "books with members that come and go, NDJSON"),
    "prices": (200_000, "records by their days, numbers in quotation marks"),
    "sensors": (80_000, "elements picked by a value in them"),
    "people": (60_000, "indented, objects in objects"),
    "questions": (80_000, "tags that are joined, seconds since 1970"),
    "changes": (80_000, "Russian texts, five types, NDJSON"),
    "houses": (80_000, "Russian texts only"),
    "grid": (150_000, "rows of one number"),
    "goods": (60_000, "120 attributes, of which each has some, NDJSON"),
    "log": (300_000, "lines of five short values, NDJSON"),
    "stops": (50_000, "departures in lists, inside an object by keys"),
}
LINES = ("vectors", "works", "changes", "goods", "log")


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def made(kind, count):
    """So many records of a kind as a file, made once and kept, and the kind's document."""
    ending = "ndjson" if kind in LINES else "json"
    source = shapes.made(kind, KINDS[kind][1], [MAKER, kind], count, ending, say)
    return source, places.HERE / "kinds" / f"{kind}.yaml"


def measure(kind, folder, runs):
    """The rows of figures of a kind, and what is wrong with its files."""
    count, what = KINDS[kind]
    kept, document = made(kind, count)
    source = folder / f"input{kept.suffix}"
    shutil.copyfile(kept, source)
    ours, theirs = folder / "sluice.csv", folder / "peer.csv"
    command = [places.SLUICE, "convert", source, "--feed", document, "--threads", "1", "-o", ours]
    peer = [places.BIN / "kinds", kind, source, theirs]
    say(f"{kind}, {runs} times")
    series = alternate(
        [Contender("sluice", command, [ours]), Contender("C++", peer, [theirs])], runs)
    equal, found = same.files(ours, theirs, True)
    mine, other = series["sluice"], series["C++"]
    row = [kind, what, f"{source.stat().st_size / 1e6:,.0f}", *figures(mine), *figures(other)]
    row += [f"**{mine.cpu / other.cpu:.2f}**", f"{mine.wall / other.wall:.2f}"]
    return row, [] if equal else [f"{kind}: {found}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="how many of each")
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this kind")
    options = parser.parse_args()
    places.OUT.mkdir(parents=True, exist_ok=True)
    table, wrong = Table("Other kinds of JSON: sluice, and C++ on simdjson", COLUMNS), []
    load = machine.busy()
    try:
        with shapes.folder(say) as folder:
            for kind in options.kind or KINDS:
                row, faults = measure(kind, folder, options.runs)
                table.add(*row)
                wrong += faults
    except Failed as failure:
        say(failure)
        return 1
    finally:
        shutil.rmtree(places.OUT)
    notes = [machine.describe() + ".", *([f"**{load}**."] if load else [])]
    print(*notes, "", table.markdown(), sep="\n")
    for fault in wrong:
        say(f"NOT THE SAME: {fault}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
