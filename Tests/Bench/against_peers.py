"""Measures sluice against each peer, the two in turn, and compares what they made."""
import peers
import places
import same
from measuring import Contender, alternate
from report import Table, met, milliseconds

COLUMNS = [
    "against",
    "median",
    "its CPU",
    "sluice",
    "its CPU",
    "times as fast",
    "by CPU",
    "at least",
    "",
    "peak MiB",
    "sluice",
    "same",
    "note",
]


def measure(feed_of, chosen, rounds, say):
    """A table with a row for each peer, and what is wrong."""
    table, wrong = Table("Against the peers", COLUMNS), []
    for peer in chosen:
        absent = peer.absent()
        if absent:
            say(f"{peer.name} is ABSENT: {absent}")
            table.add(peer.name, *["absent"] * 6, f"{peer.target:g}", "", "", "", "", absent)
            continue
        say(f"{peer.name}, {rounds} times")
        row, fault = measure_one(peer, feed_of(peer.records), rounds)
        table.add(*row)
        if fault:
            wrong.append(f"{peer.name}: {fault}")
    return table, wrong


def measure_one(peer, feed, rounds):
    kind = "ics" if peer.makes == "events" else "csv"
    mine, other = places.OUT / f"sluice.{kind}", places.OUT / f"peer.{kind}"
    sluice = Contender("sluice", [places.SLUICE, "convert", feed.envelope, "-o", mine], [mine])
    series = alternate([sluice, peer.contender(feed, other)], rounds)
    ours, theirs = series["sluice"], series[peer.name]

    if peer.makes == "rows":
        equal, what = same.rows(mine, other, peer.with_id)
    elif peer.makes == "events":
        equal, what = same.events(mine, other)
    else:
        equal, what = same.count(feed.records, theirs.runs[-1].text)
    ratio = theirs.wall / ours.wall
    row = [
        peer.name,
        *(milliseconds(theirs.wall), milliseconds(theirs.cpu)),
        *(milliseconds(ours.wall), milliseconds(ours.cpu)),
        *(f"**{ratio:.1f}**", f"{theirs.cpu / ours.cpu:.1f}", f"{peer.target:g}"),
        met(ratio >= peer.target),
        *(f"{theirs.peak:,.0f}", f"{ours.peak:.1f}"),
        f"{what} {peer.makes}" if equal else "**DIFFERS**",
        peer.note,
    ]
    return row, None if equal else what


def versions():
    """The peers that are there, by their versions."""
    debian = "libsimdjson-dev", "zlib1g-dev"
    found = {name: peers.output_of(["dpkg-query", "-Wf", "${Version}", name]) for name in debian}
    found["Python"] = peers.output_of([places.PYTHON, "--version"]).removeprefix("Python ")
    for module in ("duckdb", "polars", "icalendar"):
        found[module] = peers.version_of_module(module)
    found["jq"] = peers.output_of(["jq", "--version"]).removeprefix("jq-")
    found["Miller"] = peers.output_of(["mlr", "--version"]).removeprefix("mlr ")
    swift = peers.output_of(["swiftc", "--version"]).splitlines()[:1]
    found["Swift"] = swift[0].partition("version ")[2].split()[0] if swift else ""
    return ", ".join(f"{name} {version or 'absent'}" for name, version in found.items())
