#!/usr/bin/env python3
"""Writes which functions a conversion or a night calls, for the linker: `make order`.

    order.py [--check] [PROGRAM]

The linker lays these functions side by side. So the kernel maps them and little else of the
program. Runs of small inputs of all kinds are watched with callgrind. --check says how many of the
names on the list the program has, and how far these are spread over its code. It exits with 1 if
the list is old, or if the linker did not follow it.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import feeds
import kinds
import places
import shapes

LIST = places.ROOT / "Sources" / "sluice-cli" / "functions.order"
SAMPLES = places.ROOT / "Samples"
# Records of a run: few, so that callgrind takes seconds. But only a large archive is unpacked by a
# thread of its own, and a large file written by one; and several threads need more than one section.
FEW, MANY, LARGE = 200, 1_000, 100_000
# The least share of the names that a program must have, and the most of the 64 KiB pieces of its code
# that they may be in. They are in 0.36; without the list it was 0.9.
LEAST, MOST = 0.5, 0.6
PIECE = 64 << 10
LAX = ["--allow-rejects", "--max-rejects", "100%"]
# A function, or one that is called. A number after it tells the rounds of a recursion apart.
FUNCTION = re.compile(r"^c?fn=\(\d+\) (\S+?)(?:'\d+)?$", re.MULTILINE)


def say(text):
    print(f"order: {text}", file=sys.stderr, flush=True)


def functions(program):
    """The functions of a program, and the pieces of its code in which they begin."""
    listing = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    symbols = (line.split() for line in listing.splitlines())
    return {symbol[2]: int(symbol[0], 16) // PIECE for symbol in symbols
            if len(symbol) == 3 and symbol[1] in "tTwW"}


def conversions(out):
    """The arguments of the runs, whose outputs go into the folder."""
    table, calendar = ["-o", out / "a.csv"], ["-o", out / "a.ics"]
    tables = [*table, "-o", out / "a.ndjson"]
    samples = ["hot-water/full", "hot-water/feed", "weather/feed", "waste/feed", "bonds/feed"]
    yield ["--version"]
    for name in samples:
        source = SAMPLES / f"{name}.json"
        document = source.with_suffix(".yaml")
        if not document.exists():
            document = source.parent.name
        command = ["convert", source, "--feed", document, *LAX]
        yield [*command, *table]
        yield [*command, *tables, *([] if name.startswith("bonds") else calendar)]
    for night in ["2026-06-01", "2026-06-02"]:
        yield ["sync", SAMPLES / "hot-water" / "full.json", "--state", out / "state", "-q", *tables,
               *calendar, "--today", night, "--accept"]
    yield ["convert", feeds.make(LARGE, say).envelope, *table]
    for shape in shapes.ALL:
        if not shape.maker:
            continue
        for count, threads in [(FEW, 1), (MANY, 3)]:
            yield ["convert", shape.of(count, say), "--feed", shape.document, *tables,
                   "--threads", str(threads)]
    for kind in kinds.KINDS:
        source, document = kinds.made(kind, FEW)
        yield ["convert", source, "--feed", document, *table]


def called(program, folder):
    """The names of all functions that were called in any of the runs, those of libraries too."""
    # Valgrind stumbles over the program's debug information; names are enough.
    bare, watched = folder / "sluice", folder / "watched"
    subprocess.run(["objcopy", "--strip-debug", program, bare], check=True)
    names = set()
    for arguments in conversions(folder):
        say(" ".join(map(str, arguments)))
        watch = ["valgrind", "--tool=callgrind", "--demangle=no",
                 f"--callgrind-out-file={watched}"]
        done = subprocess.run([*watch, bare, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"order: {done.stderr}")
        names.update(FUNCTION.findall(watched.read_text()))
    return names


def check(program):
    listed, found = LIST.read_text().split(), functions(program)
    there = [name for name in listed if name in found]
    spread, pieces = len({found[name] for name in there}), len(set(found.values()))
    print(f"functions.order: the program has {len(there):,} of {len(listed):,} functions, "
          f"in {spread} of {pieces} pieces of its code")
    if len(there) < LEAST * len(listed):
        sys.exit("functions.order is old: run `make order`")
    if spread > MOST * pieces:
        sys.exit("the linker did not follow functions.order: after `make clean` all is compiled anew")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only compare the list and the program")
    parser.add_argument("program", nargs="?", type=pathlib.Path, default=places.SLUICE)
    options = parser.parse_args()
    if options.check:
        check(options.program)
        return
    with tempfile.TemporaryDirectory() as folder:
        names = called(options.program, pathlib.Path(folder))
    names = sorted(names & functions(options.program).keys())
    LIST.write_text("".join(f"{name}\n" for name in names))
    say(f"{len(names):,} functions are on the list")


if __name__ == "__main__":
    main()
