"""Where things lie: all that the benchmark makes is below .build/bench."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SLUICE = ROOT / ".build" / "release" / "sluice"
BUILD = ROOT / ".build" / "bench"
BIN = BUILD / "bin"
FEEDS = BUILD / "feeds"
SHAPES = BUILD / "shapes"
OUT = BUILD / "out"
VENV_PYTHON = BUILD / "venv" / "bin" / "python"
PEERS = HERE / "peers"

# Debian's Python is built for speed; another one that comes first in PATH may not be.
DEBIAN_PYTHON = pathlib.Path("/usr/bin/python3")
PYTHON = DEBIAN_PYTHON if DEBIAN_PYTHON.exists() else pathlib.Path(sys.executable)
