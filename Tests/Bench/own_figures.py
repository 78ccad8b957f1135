"""Measures sluice against the floor and against the figures that it has to reach by itself."""
import os
import statistics

import places
from measuring import Contender, alternate
from report import Table, met, milliseconds

FORMATS = ("csv", "ndjson", "ics")
FLOOR_COLUMNS = [
    *("sluice on", "sluice", "its CPU", "the floor", "its CPU"),
    *("ratio", "by CPU", "at most", ""),
]
FIGURE_COLUMNS = ["figure", "measured", "target", ""]


def convert(name, feed, kinds, cpu=None):
    outputs = [places.OUT / f"{name}.{kind}" for kind in kinds]
    command = [places.SLUICE, "convert", feed.envelope]
    for output in outputs:
        command += ["-o", output]
    return Contender(name, command, outputs, cpu)


def against_floor(feed, rounds, say):
    """A table, and the series of the floor on one core."""
    say(f"the floor, {rounds} times")
    cpus = sorted(os.sched_getaffinity(0))
    one, both = convert("one core", feed, ["csv"], cpus[-1]), convert("all cores", feed, ["csv"])
    alternate([both], 1)
    size = both.outputs[0].stat().st_size
    output = places.OUT / "floor"
    floor = [places.BIN / "floor", feed.zip, size, output]
    pinned = Contender("pinned", floor, [output], cpus[-1])
    synced = Contender("synced", [*floor, "sync"], [output], cpus[-1])
    series = alternate([one, pinned, synced, both, Contender("free", floor, [output])], rounds)

    table = Table("Against the floor", FLOOR_COLUMNS)
    rows = [
        ("one core", "one core", "pinned", 1.6),
        (f"{len(cpus)} cores", "all cores", "free", 1.2),
        ("one core, the floor with fsync too", "one core", "synced", None),
    ]
    for label, ours, lowest, most in rows:
        mine, under = series[ours], series[lowest]
        ratio = mine.wall / under.wall
        table.add(
            label,
            *(milliseconds(mine.wall), milliseconds(mine.cpu)),
            *(milliseconds(under.wall), milliseconds(under.cpu)),
            *(f"**{ratio:.2f}**", f"{mine.cpu / under.cpu:.2f}"),
            *((f"{most}", met(ratio <= most)) if most else ("", "")),
        )
    return table, series["pinned"]


def zlib_rates(feed, floor):
    """Bytes of JSON a second, in MB, that inflate and CRC-32 reach alone."""
    texts = [run.text.split() for run in floor.runs]
    inflate, crc = (statistics.median(float(text[at]) for text in texts) for at in (1, 2))
    return feed.json_bytes / inflate / 1e6, feed.json_bytes / crc / 1e6


def real_size(table, feed, rounds, say):
    say(f"the real-size feed to all formats, {rounds} times")
    series = alternate([convert("real", feed, FORMATS)], rounds)["real"]
    table.add(
        f"CPU of {feed.records:,} records to {len(FORMATS)} formats, start-up included",
        *(milliseconds(series.cpu), "at most 12 ms", met(series.cpu <= 0.012)),
    )


def formats_and_rates(table, feed, rounds, rates, say):
    """All formats in one pass against one by one; bytes of JSON a second."""
    say(f"each format alone and all in one pass, {rounds} times")
    alone = [convert(kind, feed, [kind]) for kind in FORMATS]
    series = alternate([*alone, convert("together", feed, FORMATS)], rounds)
    together = series["together"]
    for label, part in (("wall clock", lambda one: one.wall), ("CPU", lambda one: one.cpu)):
        apart = sum(part(series[kind]) for kind in FORMATS)
        ratio = part(together) / apart
        table.add(
            f"three formats in one pass, of three runs apart, {label}",
            f"{ratio:.2f} ({milliseconds(part(together))} of {milliseconds(apart)})",
            *("at most 0.7", met(ratio <= 0.7)),
        )
    inflate, crc = rates
    goal = "at least 800 MB/s, where zlib inflates at 4,000"
    for kind in ("csv", "ndjson"):
        rate = feed.json_bytes / series[kind].wall / 1e6
        table.add(
            f"JSON a second to {kind} ({feed.json_bytes / 1e6:.0f} MB in all)",
            f"{rate:,.0f} MB/s ({feed.json_bytes / series[kind].cpu / 1e6:,.0f} by CPU)",
            *(goal, met(rate >= 800)),
        )
    table.add("zlib inflates the same at", f"{inflate:,.0f} MB/s", "", "")
    table.add("zlib takes its CRC-32 at", f"{crc:,.0f} MB/s", "", "")


def growth(table, feeds, rounds, say):
    """Peak memory, and time a record, of each size to CSV."""
    contenders = [convert(f"{feed.records}", feed, ["csv"]) for feed in feeds]
    say(f"memory and growth, {rounds} times")
    series = alternate(contenders, rounds)
    for feed, contender in zip(feeds, contenders):
        peak = series[contender.name].peak
        label = f"peak memory of {feed.records:,} records to CSV"
        table.add(label, f"{peak:.1f} MiB", "at most 16 MiB", met(peak <= 16))
    for feed, contender in zip(feeds, contenders):
        one = series[contender.name]
        wall, cpu = (part / feed.records * 1e9 for part in (one.wall, one.cpu))
        table.add(
            f"time a record, {feed.records:,} records to CSV",
            *(f"{wall:.0f} ns (CPU {cpu:.0f} ns)", "the same for all sizes", ""),
        )
