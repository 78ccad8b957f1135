"""What the tests share: the samples, and a look at what a test leaves behind."""

import gc
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "Samples"


def children() -> list[psutil.Process]:
    """The programs that this process has started and that are still there, dead ones too."""
    return [child for child in psutil.Process().children() if _name(child) == "sluice"]


def _name(process: psutil.Process) -> str:
    try:
        return str(process.name())
    except psutil.NoSuchProcess:
        return ""


def wait_for(condition: object, seconds: float = 20) -> None:
    """Waits until a function is true."""
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def nothing_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fails a test that leaves a process or a folder behind."""
    folder = tmp_path_factory.mktemp("tmp")
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None
    descriptors = len(os.listdir("/proc/self/fd"))
    yield
    gc.collect()
    assert children() == []
    assert [path.name for path in folder.iterdir() if path.name.startswith("sluice-")] == []
    assert len(os.listdir("/proc/self/fd")) <= descriptors + 2


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of the samples."""
    return SAMPLES


@pytest.fixture(scope="session")
def full() -> Path:
    """A feed of 13,200 records."""
    return SAMPLES / "hot-water" / "full.json"


@pytest.fixture(scope="session")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A document with a column of each kind."""
    path = tmp_path_factory.mktemp("kinds") / "kinds.yaml"
    path.write_text(
        """\
feed: kinds
rows: "[]"
columns:
  text: {}
  verbatim: {kind: verbatim}
  integer: {kind: integer}
  decimal: {kind: decimal}
  flag: {kind: flag}
  day: {kind: day}
  instant: {kind: instant}
  time: {kind: time}
"""
    )
    return path


@pytest.fixture(scope="session")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A feed of 300,000 rows, which no pipe holds."""
    path = tmp_path_factory.mktemp("big") / "big.ndjson"
    with path.open("w") as file:
        for number in range(300_000):
            file.write(f'{{"text": "row {number}", "integer": {number}, "day": "2020-01-01"}}\n')
    return path
