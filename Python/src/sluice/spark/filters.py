"""Filters of Spark as conditions of the program.

A condition may keep more than its filter, never less: Spark looks at the rows again. So a text is
only compared as a whole: to the program ``Street`` and ``street`` are the same.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
from pyspark.sql import datasource as spark

from sluice.program import output_of, program
from sluice.selection import condition_value
from sluice.types import Feed, feed_name

#: A text that the program takes as it is: no blanks at its ends, none twice, nothing unseen.
_PLAIN = re.compile(r"[^\s\x00-\x1f]+(?: [^\s\x00-\x1f]+)*")
_NAME = re.compile(r"\w+")
_MOST_VALUES = 100

_COMPARISONS: dict[type[spark.Filter], str] = {
    spark.GreaterThan: ">",
    spark.GreaterThanOrEqual: ">=",
    spark.LessThan: "<",
    spark.LessThanOrEqual: "<=",
}


@dataclass(frozen=True)
class Conditions:
    """The conditions for a filter."""

    texts: tuple[str, ...] = ()
    #: Whether one of them is enough, together with others of this kind on the same column.
    are_alternatives: bool = False


def conditions_of(one: spark.Filter, columns: pa.Schema) -> Conditions:
    """Returns the conditions for a filter; none if the program cannot help."""
    path: tuple[str, ...] = getattr(one, "attribute", ())
    if len(path) != 1 or path[0] not in columns.names or not _NAME.fullmatch(path[0]):
        return Conditions()
    name = path[0]
    kind = columns.field(name).type
    match one:
        case spark.IsNotNull():
            return Conditions((f"{name}!=",))
        case spark.IsNull():
            return _equal(name, [None])
        # To Spark, a number in floating point equals others that are near.
        case _ if pa.types.is_floating(kind):
            return Conditions()
        case spark.EqualTo() | spark.EqualNullSafe():
            return _equal(name, [one.value])
        case spark.In() if len(one.value) <= _MOST_VALUES:
            return _equal(name, one.value)
        # Spark compares texts by their bytes, the program as people sort them.
        case (
            spark.GreaterThan()
            | spark.GreaterThanOrEqual()
            | spark.LessThan()
            | spark.LessThanOrEqual()
        ) if not pa.types.is_string(kind):
            text = _text(one.value)
            return Conditions(() if text is None else (f"{name}{_COMPARISONS[type(one)]}{text}",))
        case _:
            return Conditions()


def _equal(name: str, values: Iterable[object]) -> Conditions:
    texts = [_text(value) for value in values]
    if None in texts:
        return Conditions()
    return Conditions(tuple(f"{name}={text}" for text in texts), are_alternatives=True)


def _text(value: object) -> str | None:
    """Returns a value as a condition has it; None if the program may read it in another way."""
    match value:
        case datetime():
            if value.tzinfo is None:
                return None
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case str():
            return condition_value(value) if _PLAIN.fullmatch(value) else None
        case None | bool() | int() | Decimal() | date():
            return condition_value(value)
        case _:
            return None


def depends_on_rows(feed: Feed) -> bool:
    """Returns whether a value may depend on the other rows, as a share of a total does."""
    path = Path(feed_name(feed))
    if path.exists():
        return b"share" in path.read_bytes()
    return "share" in output_of(["feeds", str(feed), "--document"], program())
