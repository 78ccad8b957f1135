"""Runs programs in turn and takes the medians of what they cost."""
import dataclasses
import os
import pathlib
import statistics
import subprocess

import places


class Failed(Exception):
    """A program ended with another exit code than 0."""


@dataclasses.dataclass(frozen=True)
class Contender:
    """A program to be measured. What it writes is removed before each run."""

    name: str
    command: list
    outputs: list = dataclasses.field(default_factory=list)
    cpu: int | None = None
    # The most runs; those that take minutes are run once.
    most: int | None = None


@dataclasses.dataclass(frozen=True)
class Run:
    wall: float
    cpu: float
    peak: float  # MiB; of several processes, the one that had most
    text: str


class Series:
    """The runs of one contender."""

    def __init__(self):
        self.runs = []

    @property
    def wall(self):
        return statistics.median(run.wall for run in self.runs)

    @property
    def cpu(self):
        return statistics.median(run.cpu for run in self.runs)

    @property
    def peak(self):
        return max(run.peak for run in self.runs)


def run_once(contender):
    for output in contender.outputs:
        pathlib.Path(output).unlink(missing_ok=True)
    # What the run before has left to be written would be written during this one.
    os.sync()
    report = places.OUT / "measured"
    cpu = "any" if contender.cpu is None else str(contender.cpu)
    command = [places.BIN / "measure", report, cpu, *map(str, contender.command)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"measure: {done.stderr.strip()}")
    *figures, code = report.read_text().split()
    if code != "0":
        raise Failed(f"{contender.name} ended with {code}: {done.stderr.strip()[-2000:]}")
    wall, user, system, peak = map(float, figures)
    return Run(wall, user + system, peak / 1024, done.stdout)


def alternate(contenders, rounds):
    """One after the other, round after round, so that a change of the machine hits all alike."""
    series = {contender.name: Series() for contender in contenders}
    for done in range(rounds):
        for contender in contenders:
            if contender.most is not None and done >= contender.most:
                continue
            series[contender.name].runs.append(run_once(contender))
    return series
