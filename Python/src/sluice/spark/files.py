"""The files of a ``load``: their names and sizes, their shares, and their content on this machine.

A path without a scheme, or with ``file:``, is one that every machine sees. Any other is reached by
fsspec: ``s3a://``, ``gs://``, ``hdfs://``, ``https://``.
"""

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sluice.errors import NoInputError

#: What opening a file costs, in bytes that could be read in that time.
OPENING = 64 << 10
_HIDDEN = (".", "_")


@dataclass(frozen=True)
class File:
    """A file, by its path or its address, and its size in bytes."""

    path: str
    size: int


def files(paths: Sequence[str], storage: dict[str, Any]) -> list[File]:
    """Returns the files that the paths name, in the order of the paths and of their names.

    A path may have the signs of a glob. A folder stands for the files in it, without hidden ones.
    Raises ``NoInputError`` if a path names none.
    """
    found: dict[str, File] = {}
    for path in paths:
        some = _remote(path, storage) if is_remote(path) else _local(_without_scheme(path))
        if not some:
            raise NoInputError(f"there is no file {path}", stage="source")
        found |= {file.path: file for file in some}
    return list(found.values())


def is_remote(path: str) -> bool:
    """Returns whether a path is reached by fsspec."""
    return "://" in path and not path.startswith("file:")


def _without_scheme(path: str) -> str:
    path = path.removeprefix("file:")
    return "/" + path.lstrip("/") if path.startswith("//") else path


def _local(path: str) -> list[File]:
    names = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
    found: list[File] = []
    for name in names:
        if os.path.isdir(name):
            with os.scandir(name) as entries:
                inside = sorted(entry.path for entry in entries if entry.is_file())
            found += [_sized(one) for one in inside if not _is_hidden(one)]
        elif len(names) == 1 or not _is_hidden(name):
            found.append(_sized(name))
    return found


def _sized(path: str) -> File:
    return File(os.path.abspath(path), os.path.getsize(path))


def _is_hidden(path: str) -> bool:
    return path.rsplit("/", 1)[-1].startswith(_HIDDEN)


def _remote(path: str, storage: dict[str, Any]) -> list[File]:
    from fsspec.core import url_to_fs

    system, inner = url_to_fs(path, **storage)
    entries = (
        system.glob(inner, detail=True)
        if glob.has_magic(inner)
        else system.find(inner, maxdepth=1, detail=True)
    )
    return [
        File(system.unstrip_protocol(name), int(entry.get("size") or 0))
        for name, entry in sorted(entries.items())
        if entry["type"] == "file" and not _is_hidden(name)
    ]


def shares(all_files: Sequence[File], count: int | None, weight: int) -> list[list[File]]:
    """Divides files among partitions, in their order, so that their weights are about the same.

        sizes 5 5 5 | 20 | 1 1 1 1 1 1 1

    Without a count there are as many partitions as keep below the weight.
    """
    total = sum(_weight(file) for file in all_files)
    if count is None:
        count = -(-total // weight)
    count = max(1, min(count, len(all_files)))
    divided: list[list[File]] = [[] for _ in range(count)]
    before = 0
    for file in all_files:
        # The middle of the file decides.
        middle = before + _weight(file) // 2
        divided[min(middle * count // total, count - 1)].append(file)
        before += _weight(file)
    return [share for share in divided if share]


def _weight(file: File) -> int:
    return file.size + OPENING


def copied(some: Sequence[str], storage: dict[str, Any], folder: Path) -> dict[str, str]:
    """Brings files to this machine. Returns the path of each here, and its own.

    Remote files are copied into the folder, each with its name into a folder of its own.
    """
    remote = [path for path in some if is_remote(path)]
    copies = {path: folder / str(index) / local_name(path) for index, path in enumerate(remote)}
    if remote:
        from fsspec.core import url_to_fs

        system, _ = url_to_fs(remote[0], **storage)
        for copy in copies.values():
            copy.parent.mkdir(parents=True)
        system.get(
            [system._strip_protocol(path) for path in remote],
            [str(copy) for copy in copies.values()],
        )
    return {str(copies.get(path, path)): path for path in some}


def local_name(path: str) -> str:
    """Returns the last part of a path. In a store it may be any text, even one that leads away."""
    name = path.rsplit("/", 1)[-1]
    return "_" if name in ("", ".", "..") else name
