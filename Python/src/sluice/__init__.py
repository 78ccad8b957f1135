"""Public schedule feeds as Arrow tables: the program ``sluice``, and a reader on top of it.

    import sluice

    table = sluice.read("nights/2020-06-25.json", feed="hot-water").to_table()

The program is inside the package. It reads, checks and normalizes; this package runs it and gives
its rows the types that the feed's document says.
"""

from sluice.errors import (
    BusyError,
    ColumnError,
    DataError,
    NoInputError,
    NoSuchPlaceError,
    OutputError,
    SluiceError,
    UnreachableError,
    UsageError,
)
from sluice.program import program, version
from sluice.reader import Reader, read
from sluice.results import InputStats, Stats
from sluice.types import Types, schema, tables

__all__ = [
    "BusyError",
    "ColumnError",
    "DataError",
    "InputStats",
    "NoInputError",
    "NoSuchPlaceError",
    "OutputError",
    "Reader",
    "SluiceError",
    "Stats",
    "Types",
    "UnreachableError",
    "UsageError",
    "program",
    "read",
    "schema",
    "tables",
    "version",
]
