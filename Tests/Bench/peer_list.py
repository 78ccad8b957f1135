"""The peers: what each is run as, what it leaves out, and how far ahead of it we have to be."""
import dataclasses
import pathlib
import shutil
import subprocess

import places
from measuring import Contender

NO_ID = "without address_id"


@dataclasses.dataclass(frozen=True)
class Peer:
    name: str
    command: list
    # How many times as fast we have to be; none where the goals of shapes are asked for.
    target: float | None = None
    # What it makes: "rows" (a CSV), "events" (a calendar) or "records" (it only counts them).
    makes: str = "rows"
    with_id: bool = False
    note: str = ""
    modules: tuple = ()
    programs: tuple = ()
    quick: bool = True
    # The most runs on a shape; none for as many as the others.
    most: int | None = None

    @property
    def records(self):
        return 13_000 if self.makes == "events" else 600_000

    def contender(self, feed, output):
        source = feed.json if self.makes == "records" else feed.envelope
        outputs = [] if self.makes == "records" else [output]
        return Contender(self.name, [*self.command, source, *outputs], outputs)

    def absent(self):
        """Why it cannot be measured, if it cannot."""
        for program in (self.command[0], *self.programs):
            if not shutil.which(program):
                return f"there is no {pathlib.Path(program).name}"
        for module in self.modules:
            if not version_of_module(module):
                return f"there is no Python module {module}"
        return None


def version_of_module(module):
    code = f"import {module}; print({module}.__version__)"
    return output_of([places.VENV_PYTHON, "-c", code])


def output_of(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def script(name, python=places.PYTHON):
    return [python, places.PEERS / name]


SIMDJSON = [places.BIN / "with_simdjson"]
STANDARD = script("with_python.py")
SHELL_TOOLS = ("jq", "base64", "funzip")

# Those that write the rows of hot-water, as of the other shapes.
SHAPE = [
    Peer("C++ on simdjson and zlib", SIMDJSON, 2.5, with_id=True),
    Peer(
        "DuckDB",
        script("with_duckdb.py", places.VENV_PYTHON),
        target=6,
        note=NO_ID,
        modules=("duckdb",),
    ),
    Peer(
        "Polars",
        script("with_polars.py", places.VENV_PYTHON),
        target=10,
        note=NO_ID,
        modules=("polars",),
        quick=False,
    ),
    Peer("Python, standard library", STANDARD, 16, with_id=True, quick=False),
    Peer(
        "jq, base64, funzip",
        [places.PEERS / "with_jq.sh"],
        target=35,
        note=NO_ID,
        programs=SHELL_TOOLS,
        most=1,
        quick=False,
    ),
    Peer(
        "Miller, jq, base64, funzip",
        [places.PEERS / "with_miller.sh"],
        target=60,
        note=NO_ID,
        programs=("mlr", *SHELL_TOOLS),
        most=1,
        quick=False,
    ),
]

# What is measured of hot-water besides: less work, other formats.
MORE = [
    Peer("C++, no id", [*SIMDJSON, "--no-id"], 2.5, note=NO_ID),
    Peer("Python, no id", [*STANDARD, "--no-id"], 16, note=NO_ID),
    Peer(
        "Foundation JSONDecoder",
        [places.BIN / "with_jsondecoder"],
        target=25,
        makes="records",
        note="only parses the JSON",
        quick=False,
    ),
    Peer(
        "Python, icalendar",
        script("with_icalendar.py", places.VENV_PYTHON),
        target=100,
        makes="events",
        with_id=True,
        note="13,000 records to .ics",
        modules=("icalendar",),
        quick=False,
    ),
]

ALL = SHAPE + MORE
