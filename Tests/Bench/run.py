#!/usr/bin/env python3
"""Measures sluice against its peers, the floor and its targets: `make bench`, `make bench-quick`.

    run.py [--quick] [--runs N] [--only PEER]... [--shape NAME]...

Whole processes, ours and theirs in turn, medians of N runs (5; --quick: 3). The Makefile builds the
programs and install-peers fetches the rest before this is run. The tables go to standard output and
to .build/bench/result.md. Exits with 1 where a peer's result is not the same as ours, or a program
fails; a target that is missed, or a peer that is absent, is said in the table.
"""
import argparse
import functools
import shutil
import sys

import against_peers
import against_shapes
import feeds
import machine
import own_figures
import peer_list
import places
from measuring import Failed
from report import Table

SMALL, MIDDLE, BIG = 13_000, 600_000, 3_000_000
REAL_SIZE_RUNS = 21

HOW = """\
Whole processes from the input (for hot-water the API's answer) to the file of rows, medians of
{rounds} runs (jq and Miller on shapes: one), all in turn, every output removed before each run. The shapes lie in memory (tmpfs),
inputs and outputs; the rest on the disk, inputs in the page cache and the disk's queue empty before
each run. sluice checks everything (grammar and UTF-8, base64, sizes and CRC of the zip, days) and
waits until its file is on the disk (fsync) before it renames it; none of the others does.
"same" is what was compared and found equal: bytes, or rows where a peer quotes other cells, order
included. Peak memory is the largest process's.
"""


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def measure(options, feed_of):
    """All tables, and what is wrong."""
    if options.shape:
        return against_shapes.measure(options, say)
    if options.only:
        chosen = [peer for peer in peer_list.ALL if peer.name in options.only]
        table, wrong = against_peers.measure(feed_of, chosen, options.runs, say)
        return [table], wrong
    tables, wrong = against_shapes.measure(options, say)
    chosen = [peer for peer in peer_list.MORE if peer.quick or not options.quick]
    table, more = against_peers.measure(feed_of, chosen, options.runs, say)
    tables.append(table)
    wrong += more

    table, floor = own_figures.against_floor(feed_of(MIDDLE), options.runs, say)
    tables.append(table)
    figures = Table("By itself", own_figures.FIGURE_COLUMNS)
    tables.append(figures)
    own_figures.real_size(figures, feed_of(SMALL), REAL_SIZE_RUNS, say)
    sizes = [feed_of(MIDDLE)] if options.quick else [feed_of(MIDDLE), feed_of(BIG)]
    own_figures.growth(figures, sizes, options.runs, say)
    rates = own_figures.zlib_rates(feed_of(MIDDLE), floor)
    own_figures.formats_and_rates(figures, feed_of(MIDDLE), options.runs, rates, say)
    return tables, wrong


def written(tables, wrong, options, load):
    """The whole page."""
    notes = [machine.describe() + ".", against_peers.versions() + "."]
    if load:
        notes.append(f"**{load}**.")
    if options.quick:
        left = [peer.name for peer in peer_list.ALL if not peer.quick]
        notes.append(f"Left to `make bench`: {BIG:,} records, {'; '.join(left)}.")
    if wrong:
        notes.append("**Not the same results.** " + " ".join(wrong))
    parts = [HOW.format(rounds=options.runs).strip(), *notes]
    return "\n\n".join([*parts, *(table.markdown() for table in tables)]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer runs, peers, records")
    parser.add_argument("--runs", type=int, help="how many of each")
    parser.add_argument("--only", action="append", metavar="PEER", help="only hot-water's peer")
    parser.add_argument("--shape", action="append", metavar="NAME", help="only this shape")
    options = parser.parse_args()
    options.runs = options.runs or (3 if options.quick else 5)

    places.OUT.mkdir(parents=True, exist_ok=True)
    load = machine.busy()
    feed_of = functools.cache(lambda records: feeds.make(records, say))
    try:
        tables, wrong = measure(options, feed_of)
    except Failed as failure:
        say(failure)
        return 1
    finally:
        shutil.rmtree(places.OUT)
    page = written(tables, wrong, options, load)
    print(page)
    (places.BUILD / "result.md").write_text(page, encoding="utf-8")
    for fault in wrong:
        say(f"NOT THE SAME: {fault}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
