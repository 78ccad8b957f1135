"""Which files a ``load`` names, and how they are divided."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import sluice
from sluice.spark.files import OPENING, File, copied, files, local_name, shares


def sizes(divided: list[list[File]]) -> list[list[int]]:
    return [[file.size for file in share] for share in divided]


def some(*given: int) -> list[File]:
    return [File(f"/{index}", size) for index, size in enumerate(given)]


@pytest.mark.parametrize(
    ("given", "count", "weight", "expected"),
    [
        ((1, 2, 3), None, 1 << 30, [[1, 2, 3]]),
        ((1, 2, 3), 2, 1, [[1, 2], [3]]),
        ((1, 2, 3), 9, 1, [[1], [2], [3]]),
        ((0, 0, 0, 0), None, 2 * OPENING, [[0, 0], [0, 0]]),
        ((1 << 30, 1, 1, 1), 2, 1, [[1 << 30], [1, 1, 1]]),
        ((7,), 3, 1, [[7]]),
    ],
)
def test_shares_weigh_about_the_same(
    given: tuple[int, ...], count: int | None, weight: int, expected: list[list[int]]
) -> None:
    assert sizes(shares(some(*given), count, weight)) == expected


def test_no_file_is_lost_or_doubled() -> None:
    given = some(*(index * 7919 % 1000 * 1000 for index in range(1000)))
    for count in (1, 2, 7, 100, 999, 1000):
        divided = shares(given, count, 1)
        assert [file for share in divided for file in share] == given
    assert len(shares(given, 100, 1)) == 100


def test_a_glob_a_folder_and_a_file(tmp_path: Path) -> None:
    (tmp_path / "2020" / "06").mkdir(parents=True)
    for name in ("2020/06/b.json", "2020/06/a.json", "2020/c.json", "2020/_d", "2020/.e"):
        (tmp_path / name).write_text(name)

    def names(*paths: str) -> list[str]:
        found = files([f"{tmp_path}/{path}" for path in paths], {})
        assert all(file.size == Path(file.path).stat().st_size for file in found)
        return [str(Path(file.path).relative_to(tmp_path)) for file in found]

    assert names("2020/06/*.json") == ["2020/06/a.json", "2020/06/b.json"]
    assert names("2020/**/*.json") == ["2020/06/a.json", "2020/06/b.json", "2020/c.json"]
    assert names("2020") == ["2020/c.json"]
    assert names("2020/06/b.json", "2020/06") == ["2020/06/b.json", "2020/06/a.json"]
    assert names("2020/.e") == ["2020/.e"]
    assert [file.path for file in files([f"file://{tmp_path}/2020/c.json"], {})] == [
        f"{tmp_path}/2020/c.json"
    ]
    with pytest.raises(sluice.NoInputError, match="there is no file .*/x"):
        names("2020", "x")


def test_a_name_with_the_signs_of_a_glob(tmp_path: Path) -> None:
    path = tmp_path / "a[1].json"
    path.write_text("[]")
    assert [file.path for file in files([str(path)], {})] == [str(path)]


@pytest.fixture
def memory() -> Iterator[str]:
    import fsspec

    system = fsspec.filesystem("memory")
    for name in ("2020/b.json", "2020/a.json", "2020/_x", "2021/c.json"):
        system.pipe(f"/nights/{name}", b"[]" + name.encode())
    yield "memory://nights"
    system.rm("/nights", recursive=True)


def test_remote_files(memory: str) -> None:
    def names(path: str) -> list[str]:
        return [file.path for file in files([memory + path], {})]

    assert names("/2020/*.json") == ["memory:///nights/2020/a.json", "memory:///nights/2020/b.json"]
    assert names("/2020") == names("/2020/*.json")
    assert names("/2021/c.json") == ["memory:///nights/2021/c.json"]
    assert files([f"{memory}/2021/c.json"], {})[0].size == len("[]2021/c.json")
    with pytest.raises(sluice.NoInputError):
        names("/2022/*")


def test_copies_of_remote_files(memory: str, tmp_path: Path) -> None:
    own = [f"memory:///nights/{name}" for name in ("2020/a.json", "2021/c.json")] + ["/local"]
    found = copied(own, {}, tmp_path / "files")
    assert list(found.values()) == own
    *here, local = found
    assert local == "/local"
    assert [Path(path).read_bytes() for path in here] == [b"[]2020/a.json", b"[]2021/c.json"]
    assert all(Path(path).is_relative_to(tmp_path / "files") for path in here)
    assert memory == "memory://nights"


@pytest.mark.parametrize(
    ("path", "name"), [("s3://b/k/a b.json", "a b.json"), ("s3://b/../..", "_"), ("s3://b/", "_")]
)
def test_a_name_of_a_store_leads_nowhere_else(path: str, name: str) -> None:
    assert local_name(path) == name
