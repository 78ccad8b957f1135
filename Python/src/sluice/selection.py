"""The arguments of a run, from those of ``read``."""

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal

from sluice.types import Feed, feed_name

#: A path or a URL, the content itself, or a binary file that is open.
Source = str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO
#: One or several paths or URLs, or one other source.
Sources = Source | Iterable[str | os.PathLike[str]]
#: Conditions as the program writes them, or values by column: several of one column allow each.
Where = str | Iterable[str] | Mapping[str, Any]
#: A day or a time; words such as ``today`` and ``-3d`` too.
When = str | date | datetime


class Selection:
    """The arguments of ``sluice convert`` that are not about its inputs."""

    def __init__(
        self,
        feed: Feed,
        *,
        table: str | None = None,
        columns: Iterable[str] | None = None,
        where: Where | None = None,
        start: When | None = None,
        end: When | None = None,
        address: str | None = None,
        sort: str | Iterable[str] | None = None,
        limit: int | None = None,
        entry: str | None = None,
        max_rejects: int | str | None = None,
        on_error: Literal["stop", "skip"] = "stop",
        with_input: bool = False,
        input_date: str | None = None,
        options: Sequence[str] = (),
    ) -> None:
        """Makes the arguments; ``read`` says what each means."""
        self.feed = feed
        self.table = table
        self.with_input = with_input
        self.columns = None if columns is None else _names(columns)
        made: list[str] = ["--feed", feed_name(feed)]
        for name, value in [
            ("table", table),
            ("from", None if start is None else _when(start)),
            ("to", None if end is None else _when(end)),
            ("address", address),
            ("limit", limit),
            ("entry", entry),
            ("max-rejects", max_rejects),
            ("input-date", input_date),
        ]:
            if value is not None:
                made.append(f"--{name}={value}")
        for column in self.columns or ():
            made.append(f"--columns={column}")
        made += [f"--where={condition}" for condition in conditions(where)]
        made += [f"--sort={column}" for column in _names(sort or ())]
        if on_error != "stop":
            made.append(f"--on-error={on_error}")
        if with_input:
            made.append("--with-input")
        self.arguments: list[str] = [*made, *options]


def conditions(where: Where | None) -> list[str]:
    """Returns conditions as the program takes them.

    {"street": "Садовая", "house": ["1", "2"]}   street=Садовая, house=1, house=2
    """
    if where is None:
        return []
    if isinstance(where, str):
        return [where]
    if not isinstance(where, Mapping):
        return list(where)
    return [
        f"{column}={condition_value(value)}"
        for column, values in where.items()
        for value in (values if isinstance(values, list | tuple | set | frozenset) else [values])
    ]


def condition_value(value: object) -> str:
    """Returns a value as a condition has it, where a star would stand for any text."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case date():
            return _when(value)
        case str():
            return value.replace("*", "\\*")
        case _:
            return str(value)


def _when(when: When) -> str:
    return when if isinstance(when, str) else when.isoformat()


def _names(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


class Inputs:
    """What a run reads: paths, or content for its standard input."""

    def __init__(self, given: Sources | None) -> None:
        """Tells paths from content."""
        self.content: BinaryIO | bytes | bytearray | memoryview | None = None
        self.paths: list[str] = []
        if given is None:
            return
        if isinstance(given, str | os.PathLike):
            self.paths = [_path(given)]
        elif isinstance(given, bytes | bytearray | memoryview) or hasattr(given, "read"):
            self.content = given  # type: ignore[assignment]
        else:
            self.paths = [_path(one) for one in given]
            if not self.paths:
                raise ValueError("no input: the list of inputs is empty")

    def arguments(self, folder: Path) -> list[str]:
        """Returns the operands of the run. A list of names is written into the folder."""
        if self.content is not None:
            return ["-"]
        if len(self.paths) < 2:
            return self.paths
        names = folder / "inputs"
        names.write_bytes(b"".join(os.fsencode(path) + b"\0" for path in self.paths))
        return ["-0", f"--files-from={names}"]


def _path(given: str | os.PathLike[str]) -> str:
    """Returns a path that is no option."""
    if not isinstance(given, str | os.PathLike):
        raise TypeError(f"an input among several is a path or a URL, not {type(given).__name__}")
    path = os.fspath(given)
    return f"./{path}" if path.startswith("-") else path
