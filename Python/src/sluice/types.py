"""The types of a feed's columns.

The program describes a feed's tables as a data package (``sluice feeds NAME --package``). Each of
its types becomes one of Arrow's:

    string      string                    times of day and keys too: 24:00 is a time of a feed
    date        date32
    datetime    timestamp[us, tz=UTC]     ``zone`` shows it on another clock
    integer     int64                     ``integers`` changes it
    number      string                    the digits of the feed; ``decimals`` changes it
    boolean     bool
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from sluice.errors import UsageError
from sluice.program import output_of, program

#: A name of a built-in feed, or the path of a document.
Feed = str | os.PathLike[str]
#: How numbers are shown: their text, floating point, or decimals of ``(precision, scale)``.
Decimals = Literal["text", "float"] | tuple[int, int]
#: How whole numbers are shown: of 64 bits, their text, or decimals of ``(precision, 0)``.
Integers = Literal["int64", "text"] | tuple[int, int]
#: The unit of instants, or their text as the program writes it.
Instants = Literal["s", "ms", "us", "ns", "text"]

#: The columns that ``with_input`` adds.
INPUT_COLUMNS = {"input": pa.string(), "input_date": pa.date32()}


@dataclass(frozen=True)
class Types:
    """The choices that a feed's document leaves open."""

    decimals: Decimals = "text"
    integers: Integers = "int64"
    instants: Instants = "us"
    zone: str = "UTC"

    def of(self, kind: str) -> pa.DataType:
        """Returns Arrow's type for a type of a data package."""
        match kind:
            case "date":
                return pa.date32()
            case "boolean":
                return pa.bool_()
            case "datetime" if self.instants != "text":
                return pa.timestamp(self.instants, tz=self.zone)
            case "integer":
                return pa.int64() if self.integers == "int64" else _number(self.integers)
            case "number":
                return _number(self.decimals)
            case _:
                return pa.string()


def _number(shown: Decimals | Literal["int64"]) -> pa.DataType:
    if isinstance(shown, tuple):
        return pa.decimal128(*shown)
    if shown == "float":
        return pa.float64()
    if shown == "text":
        return pa.string()
    raise ValueError(f"{shown!r} is no way to show numbers")


def feed_name(feed: Feed) -> str:
    """Returns a feed as the program takes it: a path of a document has a slash."""
    if isinstance(feed, str):
        return feed
    path = os.fspath(feed)
    return path if "/" in path else f"./{path}"


def tables(feed: Feed, types: Types | None = None) -> dict[str, pa.Schema]:
    """Returns the columns of each table of a feed, in the order of its document.

    The label of a column is in its metadata, as ``title``.
    """
    types = types or Types()
    package = json.loads(output_of(["feeds", feed_name(feed), "--package"], program()))
    return {
        table["name"]: pa.schema(
            [
                pa.field(
                    field["name"],
                    types.of(field["type"]),
                    nullable=not field.get("constraints", {}).get("required", False),
                    metadata={"title": field["title"]} if "title" in field else None,
                )
                for field in table["schema"]["fields"]
            ]
        )
        for table in package["resources"]
    }


def schema(feed: Feed, table: str | None = None, types: Types | None = None) -> pa.Schema:
    """Returns the columns of one table; a feed of several needs its name."""
    return one_table(tables(feed, types), table)


def one_table(found: Mapping[str, pa.Schema], table: str | None) -> pa.Schema:
    """Returns the columns of the table of this name, or of the only one."""
    if table is None and len(found) == 1:
        return next(iter(found.values()))
    if table is None or table not in found:
        names = ", ".join(found)
        raise UsageError(
            f"the feed has several tables; choose one with table=: {names}"
            if table is None
            else f"the feed has no table {table!r}; there are: {names}"
        )
    return found[table]


def with_input_columns(columns: pa.Schema) -> pa.Schema:
    """Adds the columns of the input's path and day."""
    for name, kind in INPUT_COLUMNS.items():
        columns = columns.append(pa.field(name, kind))
    return columns
