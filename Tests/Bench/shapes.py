"""The shapes of input that sluice is measured on against its peers, and how each is made."""
import contextlib
import dataclasses
import hashlib
import pathlib
import shutil
import subprocess
import tempfile

import feeds
import peer_list
import places
from peer_list import Peer

TMPFS = pathlib.Path("/dev/shm")
# The biggest input and what the peers make of it beside it.
ROOM = 2 << 30
QUOTES = "quotes every text"


@dataclasses.dataclass(frozen=True)
class Shape:
    """An input, its document (the feed is built in without one), and the peers that read it."""

    name: str
    what: str
    count: int
    quick_count: int
    peers: list
    maker: str = ""
    ending: str = "json"

    @property
    def document(self):
        return places.HERE / "shapes" / f"{self.name}.yaml" if self.maker else None

    def make(self, quick, say):
        """The input as a file, made once and kept."""
        return self.of(self.quick_count if quick else self.count, say)

    def of(self, count, say):
        """The same with so many records."""
        if not self.maker:
            return feeds.make(count, say).envelope
        return made(self.name, self.what, [self.maker], count, self.ending, say)


def made(name, what, command, count, ending, say):
    """An input as a file, made once by a maker of this folder, and kept."""
    maker, *words = command
    makers = [places.HERE / maker, places.HERE / "generating.py", *feeds.MAKERS]
    digest = hashlib.sha256(b"".join(maker.read_bytes() for maker in makers)).hexdigest()[:12]
    places.SHAPES.mkdir(parents=True, exist_ok=True)
    file = places.SHAPES / f"{name}-{count}-{digest}.{ending}"
    if not file.exists():
        for old in places.SHAPES.glob(f"{name}-{count}-*"):
            old.unlink()
        say(f"making {count:,} {what}")
        unfinished = file.with_suffix(".unfinished")
        subprocess.run([places.PYTHON, makers[0], *words, str(count), unfinished], check=True)
        unfinished.rename(file)
    return file


def peers(name):
    """Those of a shape: the folder of its name has them."""
    folder = places.PEERS / name

    def peer(title, command, **more):
        return Peer(title, command, with_id=True, **more)

    def python(library):
        return peer_list.script(f"{name}/with_{library}.py", places.VENV_PYTHON)

    standard = peer_list.script(f"{name}/with_python.py")
    return [
        peer("C++ on simdjson", [places.BIN / f"{name}_simdjson"]),
        peer("DuckDB", python("duckdb"), modules=("duckdb",)),
        peer("Polars", python("polars"), modules=("polars",), quick=False),
        peer("Python", standard, quick=False),
        peer("jq", [folder / "with_jq.sh"], programs=("jq",), quick=False, most=1, note=QUOTES),
        peer("Miller", [folder / "with_miller.sh"], programs=("mlr",), quick=False, most=1),
    ]


ALL = [
    Shape("hot-water", "records of hot water", 600_000, 600_000, peer_list.SHAPE),
    Shape("quakes", "earthquakes in GeoJSON", 300_000, 60_000, peers("quakes"), "make_quakes.py"),
    Shape(
        "events",
        "events of a code host in NDJSON",
        *(80_000, 16_000),
        peers("events"),
        "make_events.py",
        "ndjson",
    ),
    Shape(
        "forecasts",
        "cities with forecasts of 40 hours",
        *(5_000, 1_000),
        peers("forecasts"),
        "make_forecasts.py",
    ),
]


@contextlib.contextmanager
def folder(say):
    """A folder for inputs and outputs in memory; on the disk, if there is no room for them."""
    try:
        if shutil.disk_usage(TMPFS).free < ROOM:
            raise OSError(f"{TMPFS} has less than {ROOM >> 30} GiB free")
        made = tempfile.mkdtemp(prefix="sluice-bench-", dir=TMPFS)
    except OSError as error:
        say(f"shapes are measured on the disk: {error}")
        made = tempfile.mkdtemp(prefix="shapes-", dir=places.BUILD)
    try:
        yield pathlib.Path(made)
    finally:
        shutil.rmtree(made)
