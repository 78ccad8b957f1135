#!/usr/bin/env python3
"""Measures sluice on kinds of JSON that nobody chose: `make bench-random`.

    random_kinds.py [--first N] [--count N] [--runs N] [--megabytes N]

Of each number a kind is made: a random schema of three to a hundred members on up to four levels,
its document, an input, and a C++ program on simdjson for it. Whole processes in turn, one thread
each, inputs and outputs in memory, the least of N runs (5). The same number gives the same kind.
Exits with 1 where the files are not the same.
"""
import argparse
import hashlib
import shutil
import statistics
import subprocess
import sys

import generating
import machine
import places
import random_layouts
import random_peer
import same
import shapes
from measuring import Contender, Failed, alternate
from random_schema import COMPACT, INDENTED, SPACED, Maker
from report import Table

# So many bytes are made, and written again and again.
UNIT = 2_000_000
COLUMNS = [
    *("kind", "rows", "members", "wanted", "optional", "in any order", "style", "MB"),
    *("CPU", "of C++", "of its CPU"),
]


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


class Kind:
    """A kind of JSON, made of a number."""

    def __init__(self, number):
        # Near numbers must not make kinds that are alike.
        digest = hashlib.sha256(str(number).encode()).digest()
        self.dice = generating.Dice(1 + int.from_bytes(digest[:8]) % 0x7FFFFFFE)
        maker = Maker(self.dice)
        self.layout = self.dice.pick(random_layouts.ALL)
        self.style = self.dice.pick([COMPACT, COMPACT, COMPACT, COMPACT, SPACED, INDENTED])
        if isinstance(self.layout, random_layouts.Lines) and self.style is INDENTED:
            self.style = COMPACT
        self.count = self.dice.pick([3, 5, 8, 8, 12, 20, 40, 100])
        self.group_size = self.dice.pick([4, 16, 100])
        self.record = maker.object(self.count)
        if not maker.columns:
            maker.wanted = 100
            self.record.members[0].value = maker.scalar(True)
        self.record.set_paths("")
        self.around = self.layout.around(maker)
        self.columns, self.maker = maker.columns, maker

    @property
    def has_keys(self):
        return isinstance(self.layout, random_layouts.Keyed)

    @property
    def header(self):
        names = [f"c{column.number}" for column in self.columns]
        return ",".join(names + ["key"] * self.has_keys)

    @property
    def feed(self):
        """The document that tells sluice of it."""
        lines = ["feed: own", f'rows: "{self.layout.rows}"', "columns:"]
        for column in self.columns:
            lines.append(f'  c{column.number}: {{from: "{column.path}", kind: {column.kind}}}')
        return "\n".join(lines + ["  key: $key"] * self.has_keys) + "\n"

    def write(self, file, megabytes):
        pieces, size = [], 0
        while size < UNIT:
            pieces.append(self.layout.piece(self, self.dice))
            size += len(pieces[-1].encode())
        text = self.layout.document(self, pieces * max(1, megabytes * 1_000_000 // UNIT))
        file.write_text(text, encoding="utf-8", newline="\n")

    def cells(self):
        style = {COMPACT: "compact", SPACED: "spaces", INDENTED: "indented"}[self.style]
        late = " late" if getattr(self.layout, "is_late", False) else ""
        shuffled = "yes" if self.maker.is_shuffled else ""
        lines = "lines" if isinstance(self.layout, random_layouts.Lines) else self.layout.rows
        optional = f"{self.maker.optional} %" if self.maker.optional else ""
        return [lines + late, str(self.count), str(len(self.columns)), optional, shuffled, style]


def measure(number, folder, options):
    """The row of figures of a kind, its share, and what is wrong with its files."""
    kind = Kind(number)
    source, document, code = folder / "input.json", folder / "feed.yaml", folder / "peer.cpp"
    kind.write(source, options.megabytes)
    document.write_text(kind.feed)
    code.write_text(random_peer.program(kind))
    subprocess.run(random_peer.compiler(code, folder / "peer"), check=True)
    ours, theirs = folder / "sluice.csv", folder / "peer.csv"
    command = [places.SLUICE, "convert", source, "--feed", document, "--threads", "1", "-o", ours]
    peer = Contender("C++", [folder / "peer", source, theirs], [theirs])
    series = alternate([Contender("sluice", command, [ours]), peer], options.runs)
    mine, other = (min(run.cpu for run in series[name].runs) for name in ("sluice", "C++"))
    equal, found = same.files(ours, theirs, True)
    row = [str(number), *kind.cells(), f"{source.stat().st_size / 1e6:.0f}"]
    row += [f"{mine * 1e3:.1f} ms", f"{other * 1e3:.1f} ms", f"**{mine / other:.2f}**"]
    return row, mine / other, [] if equal else [f"{number}: {found}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--first", type=int, default=1, help="the number of the first kind")
    parser.add_argument("--count", type=int, default=30, help="how many kinds")
    parser.add_argument("--runs", type=int, default=5, help="how many of each")
    parser.add_argument("--megabytes", type=int, default=16, help="the size of each input")
    options = parser.parse_args()
    if options.count < 1:
        parser.error("--count is at least 1")
    places.OUT.mkdir(parents=True, exist_ok=True)
    table, shares, wrong = Table("Random kinds: sluice, and C++ on simdjson", COLUMNS), [], []
    load = machine.busy()
    try:
        with shapes.folder(say) as folder:
            for number in range(options.first, options.first + options.count):
                row, share, faults = measure(number, folder, options)
                say(" ".join(row))
                table.add(*row)
                shares.append(share)
                wrong += faults
    except (Failed, subprocess.CalledProcessError) as failure:
        say(failure)
        return 1
    finally:
        shutil.rmtree(places.OUT)
    notes = [machine.describe() + ".", *([f"**{load}**."] if load else [])]
    few = sum(share <= 0.75 for share in shares)
    summary = f"{few} of {len(shares)} at most 0.75, median {statistics.median(shares):.2f}."
    print(*notes, "", table.markdown(), "", summary, sep="\n")
    for fault in wrong:
        say(f"NOT THE SAME: {fault}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
