"""Measures sluice and its peers on inputs of several shapes, all in one run, in turn."""
import shutil

import places
import same
import shapes
from measuring import Contender, Failed, alternate
from report import Table, met, milliseconds

COLUMNS = ["program", "CPU", "wall clock", "peak MiB", "of its CPU", "of its wall", "same", "note"]
GOALS = ["shape", "figure", "measured", "goal", ""]
MEMORY = 16
SEVERAL = "sluice --threads 3"


def measure(options, say):
    """A table for each shape, one of the goals, and what is wrong."""
    tables, goals, wrong = [], Table("Goals on every shape", GOALS), []
    with shapes.folder(say) as folder:
        for shape in shapes.ALL:
            if options.shape and shape.name not in options.shape:
                continue
            source = folder / f"input.{shape.ending}"
            shutil.copyfile(shape.make(options.quick, say), source)
            table, faults = measure_one(shape, source, folder, options, goals, say)
            tables.append(table)
            wrong += faults
    return [*tables, goals], wrong


def sluice(shape, source, output, *options, name="sluice"):
    document = ["--feed", shape.document] if shape.document else []
    command = [places.SLUICE, "convert", source, *document, *options, "-o", output]
    return Contender(name, command, [output])


def measure_one(shape, source, folder, options, goals, say):
    size = f"{source.stat().st_size / 1e6:,.0f} MB"
    table, wrong = Table(f"{shape.name}: {shape.what}, {size}", COLUMNS), []
    output, there = folder / "sluice.csv", []
    for peer in shape.peers:
        if options.quick and not peer.quick:
            continue
        absent = peer.absent()
        if absent:
            say(f"{peer.name} is ABSENT: {absent}")
            table.add(peer.name, "absent", *[""] * 5, absent)
        else:
            there.append(peer)

    say(f"{shape.name}: sluice, {', '.join(peer.name for peer in there)}, {options.runs} times")
    contenders = [
        sluice(shape, source, output),
        sluice(shape, source, folder / "several.csv", "--threads", "3", name=SEVERAL),
    ]
    outputs = {}
    for number, peer in enumerate(there):
        outputs[peer.name] = folder / f"peer-{number}.csv"
        command = [*peer.command, source, outputs[peer.name]]
        files = [outputs[peer.name]]
        contenders.append(Contender(peer.name, command, files, most=peer.most))
    series = alternate(contenders, options.runs)

    ours = series["sluice"]
    table.add("sluice", *figures(ours), *[""] * 4)
    equal, what = same.files(output, folder / "several.csv", True)
    if not equal:
        wrong.append(f"{shape.name}, {SEVERAL}: {what}")
    table.add(SEVERAL, *figures(series[SEVERAL]), *[""] * 4)
    for peer in there:
        theirs = series[peer.name]
        equal, what = same.files(output, outputs[peer.name], peer.with_id)
        if not equal:
            wrong.append(f"{shape.name}, {peer.name}: {what}")
        ratios = (f"{ours.cpu / theirs.cpu:.2f}", f"**{ours.wall / theirs.wall:.2f}**")
        table.add(peer.name, *figures(theirs), *ratios, what if equal else "**DIFFERS**", peer.note)
        outputs[peer.name].unlink()
    judge(shape, ours, series, goals)
    return table, wrong


def figures(series):
    return milliseconds(series.cpu), milliseconds(series.wall), f"{series.peak:,.1f}"


def judge(shape, ours, series, goals):
    """The goals on this shape, met or not."""
    for name, theirs in series.items():
        if name.startswith("C++"):
            cpu, wall = ours.cpu / theirs.cpu, ours.wall / theirs.wall
            goals.add(shape.name, f"CPU, of {name}", f"{cpu:.2f}", "0.75", met(cpu <= 0.75))
            goals.add(shape.name, f"wall clock, of {name}", f"{wall:.2f}", "0.8", met(wall <= 0.8))
        if name == "DuckDB":
            ratio = theirs.wall / ours.wall
            goals.add(shape.name, "times as fast as DuckDB", f"{ratio:.1f}", "6", met(ratio >= 6))
    peak = f"{ours.peak:.1f} MiB"
    goals.add(shape.name, "peak memory", peak, f"{MEMORY} MiB", met(ours.peak <= MEMORY))
