"""The options of ``spark.read``, as text.

They have the names of ``sluice convert``. What Spark does itself has none: the order and the number
of rows, and where they go.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sluice.errors import UsageError
from sluice.selection import Selection
from sluice.types import Decimals, Feed, Integers, Types

#: The weight of the files of a partition, if no other is chosen.
STANDARD_WEIGHT = 16 << 20
_SUFFIXES = (".yaml", ".yml", ".json")
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True)
class Document:
    """A feed: its name, or the text of a document, which every machine gets."""

    name: str
    text: bytes | None = None

    @classmethod
    def of(cls, name: str) -> "Document":
        """Reads a document at a path; any other name is that of a built-in feed."""
        if "/" not in name and not name.lower().endswith(_SUFFIXES):
            return cls(name)
        path = Path(name.removeprefix("file:"))
        try:
            return cls(path.name, path.read_bytes())
        except OSError as error:
            raise UsageError(f"the feed's document {name} cannot be read: {error}") from None

    def feed(self, folder: Path) -> Feed:
        """Returns the feed for a run on this machine; a document is written into the folder."""
        if self.text is None:
            return self.name
        path = folder / self.name
        path.write_bytes(self.text)
        return path


@dataclass(frozen=True)
class Options:
    """The options of one ``load``."""

    paths: tuple[str, ...]
    document: Document
    types: Types
    #: The number of partitions, or None for one by weight.
    partitions: int | None
    #: The weight of a partition: the bytes of its files, and what opening each costs.
    weight: int
    #: How remote files are reached: what fsspec takes.
    storage: dict[str, Any]
    #: What ``Selection`` takes.
    selection: dict[str, Any] = field(default_factory=dict)

    @property
    def with_input(self) -> bool:
        """Whether rows have the columns of their input."""
        return bool(self.selection.get("with_input"))

    @property
    def skips_broken(self) -> bool:
        """Whether broken files are left out."""
        return self.selection.get("on_error") == "skip"

    @property
    def is_selected(self) -> bool:
        """Whether the user chose records by conditions."""
        return bool(self.selection.get("where") or self.selection.get("address"))

    def run(self, folder: Path, **more: Any) -> Selection:
        """Returns the arguments of a run on this machine."""
        return Selection(self.document.feed(folder), **(self.selection | more))


def options_of(given: Mapping[str, str]) -> Options:
    """Reads the options of a ``load``. Raises ``UsageError``."""
    rest = {name.lower().replace("_", "-"): value for name, value in given.items()}
    path, paths = rest.pop("path", None), rest.pop("paths", None)
    found: list[str] = json.loads(paths) if paths else [path] if path else []
    if not found:
        raise UsageError("no path: name the files in load(...)")
    document = Document.of(rest.pop("feed", "hot-water"))
    types = Types(
        decimals=_decimals(rest.pop("decimals", "text")),
        integers=_integers(rest.pop("integers", "int64")),
    )
    partitions = rest.pop("partitions", None)
    weight = rest.pop("partition-size", None)
    storage = rest.pop("storage", "{}")
    # Spark has a task for each core, so a run has one thread.
    selection: dict[str, Any] = {"options": ["--threads", "1"]}
    for name, of in [
        ("table", "table"),
        ("from", "start"),
        ("to", "end"),
        ("address", "address"),
        ("entry", "entry"),
        ("max-rejects", "max_rejects"),
        ("on-error", "on_error"),
        ("input-date", "input_date"),
    ]:
        if name in rest:
            selection[of] = rest.pop(name)
    if "columns" in rest:
        selection["columns"] = [name.strip() for name in rest.pop("columns").split(",")]
    if "where" in rest:
        # Values may have any sign, so several conditions are a list of JSON.
        where = rest.pop("where")
        selection["where"] = json.loads(where) if where.startswith("[") else where
    if "with-input" in rest:
        selection["with_input"] = rest.pop("with-input").lower() == "true"
    if "max-size" in rest:
        selection["options"] += ["--max-size", rest.pop("max-size")]
    if rest:
        raise UsageError(f"unknown option: {', '.join(sorted(rest))}")
    return Options(
        paths=tuple(found),
        document=document,
        types=types,
        partitions=None if partitions is None else _count(partitions),
        weight=STANDARD_WEIGHT if weight is None else _bytes(weight),
        storage=json.loads(storage),
        selection=selection,
    )


def _pair(text: str) -> tuple[int, int] | None:
    precision, comma, scale = text.strip("() ").partition(",")
    if not comma or not (precision.strip().isdigit() and scale.strip().isdigit()):
        return None
    return int(precision), int(scale)


def _decimals(text: str) -> Decimals:
    if text == "text":
        return "text"
    if text == "float":
        return "float"
    pair = _pair(text)
    if pair is None:
        raise UsageError(f"decimals: {text} is none of text, float, and a pair such as 38,3")
    return pair


def _integers(text: str) -> Integers:
    if text == "int64":
        return "int64"
    if text == "text":
        return "text"
    pair = _pair(text)
    if pair is None:
        raise UsageError(f"integers: {text} is none of int64, text, and a pair such as 38,0")
    return pair


def _count(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise UsageError(f"partitions: {text} is no number from 1")
    return int(text)


def _bytes(text: str) -> int:
    unit = _UNITS.get(text[-1:].upper(), 0)
    digits = text[:-1] if unit else text
    if not digits.isdigit() or int(digits) == 0:
        raise UsageError(f"partition-size: {text} is no size such as 16M")
    return int(digits) * (unit or 1)
