"""What a run counted, and what it rejected."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.json

#: The columns of rejected records. ``input`` is null if there was only one.
REJECTS = pa.schema(
    [
        ("input", pa.string()),
        ("record", pa.int64()),
        ("offset", pa.int64()),
        ("field", pa.string()),
        ("value", pa.string()),
        ("reason", pa.string()),
        ("raw", pa.string()),
    ]
)
#: More than the longest line: a record is cut at 64 KiB, and an escape has six signs.
_LONGEST_LINE = 4 << 20


@dataclass(frozen=True)
class InputStats:
    """The counts of one of several inputs."""

    #: Its path.
    input: str
    #: Its size in bytes.
    bytes: int
    #: A fingerprint of its content: equal contents have equal ones.
    content: str
    #: The records that were read, kept and rejected, and the rows that they gave.
    read: int
    kept: int
    rejected: int
    rows: int
    #: Why it was left out; None if it was not.
    error: str | None


@dataclass(frozen=True)
class Stats:
    """The counts of a run."""

    #: The records that were read.
    read: int
    #: Those that gave rows, that a selection left out, that the document skips, that were rejected.
    kept: int
    filtered: int
    skipped: int
    rejected: int
    #: The rows.
    rows: int
    #: How many records were rejected for each reason.
    reject_reasons: dict[str, int]
    #: How long the program ran.
    seconds: float
    #: The counts of each input, if there were several.
    inputs: tuple[InputStats, ...] = ()
    #: Everything that the program says of the run.
    all: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


def stats_from(path: Path) -> Stats:
    """Reads the file of ``--stats``: a line for the run, then one for each input."""
    total, *inputs = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    names = [name for name in Stats.__dataclass_fields__ if name not in ("inputs", "all")]
    return Stats(
        **{name: total[name] for name in names},
        inputs=tuple(
            InputStats(**{name: one[name] for name in InputStats.__dataclass_fields__})
            for one in inputs
        ),
        all=total,
    )


def rejects_from(path: Path) -> pa.Table:
    """Reads the file of ``--rejects``."""
    if not path.exists() or path.stat().st_size == 0:
        return REJECTS.empty_table()
    return pyarrow.json.read_json(
        path,
        read_options=pyarrow.json.ReadOptions(block_size=_LONGEST_LINE),
        parse_options=pyarrow.json.ParseOptions(
            explicit_schema=REJECTS, unexpected_field_behavior="ignore"
        ),
    )
