#!/usr/bin/env python3
"""Measures many inputs in one run: nights of 13,000 records, against one input of their size.

    nights.py [--nights N] [--runs N] [--cores N]

One run each, all in turn, medians of N runs (3): sluice over a folder of nights, over one zip with
all of them, over one file with the same records; a shell loop of sluice, DuckDB, Python. Inputs and
outputs lie in memory if there is room, so that no disk is measured. All make the same rows, which is
checked. `make bench-nights` builds the programs first. Exits with 1 where the rows differ.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

import feeds
import machine
import peer_list
import places
import same
from measuring import Contender, Failed, alternate
from report import Table, milliseconds

RECORDS = 13_000
COLUMNS = ["program", "wall clock", "CPU", "peak MiB", "of the folder's wall", "same"]
# The nights twice, and the outputs of all programs, as a multiple of the nights.
SPARE = 5


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def room(size):
    """A folder for the inputs: in memory if they and the outputs fit, else beside the build."""
    memory = "/dev/shm"
    available = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if os.path.isdir(memory) and min(available, shutil.disk_usage(memory).free) > SPARE * size:
        return memory
    places.OUT.mkdir(parents=True, exist_ok=True)
    return places.OUT


def make(folder, night, count):
    """The nights as files, as one file, and as one zip. They differ by their lengths."""
    nights, one, archive = folder / "nights", folder / "one.json", folder / "nights.zip"
    nights.mkdir()
    body = night.strip()[1:-1].strip()
    with open(one, "wb") as all_of_them, zipfile.ZipFile(
        archive, "w", zipfile.ZIP_DEFLATED
    ) as packed:
        all_of_them.write(b"[\n")
        for number in range(count):
            content = body + b" " * (number % 7)
            (nights / f"{number:06}.json").write_bytes(b"[\n" + content + b"\n]\n")
            packed.write(nights / f"{number:06}.json", f"{number:06}.json")
            all_of_them.write((b",\n" if number else b"") + content)
        all_of_them.write(b"\n]\n")
    return nights, one, archive


def contenders(folder, nights, one, archive):
    """Who is measured, and the file that each writes."""

    def sluice(name, *words):
        output = folder / f"{name}.csv"
        command = [places.SLUICE, "convert", *words, "--max-output", "1T", "-o", output]
        return Contender(f"sluice, {name}", command, [output])

    def peer(name, *command):
        output = folder / f"{name}.csv"
        return Contender(name, [*command, output], [output])

    peers = places.PEERS / "nights"
    yield sluice("a folder", nights)
    yield sluice("one file", one)
    yield sluice("one zip", archive, "--entry", "*", "--max-size", "1T")
    yield peer("a shell loop of sluice", peers / "with_loop.sh", places.SLUICE, nights)
    if peer_list.version_of_module("duckdb"):
        yield peer("DuckDB", places.VENV_PYTHON, peers / "with_duckdb.py", nights)
    else:
        say("DuckDB is ABSENT: there is no Python module duckdb")
    yield peer("Python", places.PYTHON, peers / "with_python.py", nights)


def measure(options, folder):
    feed = feeds.make(RECORDS, say)
    with zipfile.ZipFile(feed.zip) as source:
        night = source.read(source.infolist()[0])
    say(f"making {options.nights:,} nights of {len(night):,} bytes")
    all_of_them = list(contenders(folder, *make(folder, night, options.nights)))
    say(f"{', '.join(each.name for each in all_of_them)}, {options.runs} times")
    series = alternate(all_of_them, options.runs)
    table = Table(f"{options.nights:,} nights of {RECORDS:,} records", COLUMNS)
    first, wrong = all_of_them[0], []
    for each in all_of_them:
        ours, here = series[first.name], series[each.name]
        equal, what = same.files(first.outputs[0], each.outputs[0], each.name != "DuckDB")
        if not equal:
            wrong.append(f"{each.name}: {what}")
        table.add(
            each.name,
            milliseconds(here.wall),
            milliseconds(here.cpu),
            f"{here.peak:,.1f}",
            f"{here.wall / ours.wall:.2f}",
            what if equal else "**DIFFERS**",
        )
    return table, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--nights", type=int, default=1000, help="how many inputs")
    parser.add_argument("--runs", type=int, default=3, help="how many of each")
    parser.add_argument("--cores", type=int, help="use only so many")
    options = parser.parse_args()
    if options.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cores])
    places.OUT.mkdir(parents=True, exist_ok=True)
    load = machine.busy()
    size = options.nights * 4_000_000
    try:
        with tempfile.TemporaryDirectory(dir=room(size)) as folder:
            table, wrong = measure(options, pathlib.Path(folder))
    except Failed as failure:
        say(failure)
        return 1
    finally:
        shutil.rmtree(places.OUT, ignore_errors=True)
    print(machine.describe() + ".\n")
    if load:
        print(f"**{load}**.\n")
    print(table.markdown())
    for fault in wrong:
        say(f"NOT THE SAME: {fault}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
