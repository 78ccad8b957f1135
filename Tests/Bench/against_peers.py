"""Measures sluice against each peer, the two in turn, and compares what they made."""
import peer_list
import places
import same
from measuring import Contender, Failed, alternate
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
    table, wrong = Table("hot-water, and less or other work than its rows", COLUMNS), []
    for peer in chosen:
        absent = peer.absent()
        if absent:
            say(f"{peer.name} is ABSENT: {absent}")
            table.add(*without_figures(peer, "absent", absent))
            continue
        say(f"{peer.name}, {rounds} times")
        try:
            row, fault = measure_one(peer, feed_of(peer.records), rounds)
        except Failed as failure:
            row, fault = without_figures(peer, "**FAILED**", peer.note), str(failure)
        table.add(*row)
        if fault:
            wrong.append(fault)
    return table, wrong


def without_figures(peer, why, note):
    return [peer.name, why, *[""] * 5, f"{peer.target:g}", *[""] * 4, note]


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
    return row, None if equal else f"{peer.name}: {what}"


def versions():
    """The peers that are there, by their versions."""
    found = {}
    for package in ("libsimdjson-dev", "zlib1g-dev"):
        found[package] = peer_list.output_of(["dpkg-query", "-Wf", "${Version}", package])
    found["Python"] = peer_list.output_of([places.PYTHON, "--version"]).removeprefix("Python ")
    for module in ("duckdb", "polars", "icalendar"):
        found[module] = peer_list.version_of_module(module)
    found["jq"] = peer_list.output_of(["jq", "--version"]).removeprefix("jq-")
    found["Miller"] = peer_list.output_of(["mlr", "--version"]).removeprefix("mlr ")
    swift = peer_list.output_of(["swiftc", "--version"]).splitlines()[:1]
    found["Swift"] = swift[0].partition("version ")[2].split()[0] if swift else ""
    return ", ".join(f"{name} {version or 'absent'}" for name, version in found.items())
