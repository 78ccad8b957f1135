"""Errors have the stage, the byte and the reason."""

import pickle
from pathlib import Path

import pytest

import sluice
from sluice.errors import error_of


def test_a_broken_input(tmp_path: Path, samples: Path) -> None:
    cut = tmp_path / "cut.json"
    cut.write_bytes((samples / "hot-water" / "feed.json").read_bytes()[:1000])
    with pytest.raises(sluice.DataError) as caught:
        sluice.read(cut).to_table()
    error = caught.value
    assert (error.stage, error.byte, error.code) == ("envelope", 1000, 65)
    assert error.reason == "the JSON is truncated; download the data again"
    assert str(error) == f"envelope: byte 1000: {error.reason}"


def test_no_row_of_an_input_that_ends_in_the_middle_is_taken_for_the_last(
    tmp_path: Path, big: Path, kinds: Path
) -> None:
    cut = tmp_path / "cut.ndjson"
    cut.write_bytes(big.read_bytes()[:-20])
    count = 0
    with pytest.raises(sluice.DataError, match="truncated"):
        for batch in sluice.read(cut, feed=kinds, block_size=1 << 16):
            assert batch["text"][0].as_py() == f"row {count}"
            count += batch.num_rows
    assert 0 < count < 300_000


def test_another_feed(samples: Path) -> None:
    with pytest.raises(sluice.DataError) as caught:
        sluice.read(samples / "bonds" / "feed.json", feed="hot-water")
    assert "--feed" in caught.value.reason
    assert caught.value.stage in ("envelope", "normalize")


def test_too_many_rejects(samples: Path) -> None:
    with pytest.raises(sluice.DataError, match="3 of 43 records rejected") as caught:
        sluice.read(samples / "hot-water" / "feed.json", max_rejects="1%")
    assert caught.value.stage == "normalize"


@pytest.mark.parametrize(
    ("arguments", "kind", "reason"),
    [
        ({"inputs": "nowhere.json"}, sluice.NoInputError, 'no file "nowhere.json"'),
        ({"inputs": b"[]", "feed": "nothing"}, sluice.UsageError, 'unknown feed "nothing"'),
        ({"inputs": b"[]", "columns": ["nothing"]}, sluice.UsageError, 'no column "nothing"'),
        ({"inputs": b"[]", "start": "soon"}, sluice.UsageError, "soon"),
        ({"inputs": b"[]", "options": ["--nothing"]}, sluice.UsageError, "--nothing"),
        ({"inputs": "http://127.0.0.1:1/x"}, sluice.UnreachableError, "127.0.0.1"),
    ],
)
def test_each_has_its_class(
    arguments: dict[str, object], kind: type[sluice.SluiceError], reason: str
) -> None:
    with pytest.raises(kind, match=reason):
        sluice.read(**arguments)  # type: ignore[arg-type]


def test_no_such_place(full: Path) -> None:
    with pytest.raises(sluice.NoSuchPlaceError, match="nothing is found"):
        sluice.read(full, address="Абырвалг 12").to_table()


def test_a_document_with_an_error(tmp_path: Path) -> None:
    document = tmp_path / "wrong.yaml"
    document.write_text("feed: waste\nrow: collections[]\n")
    with pytest.raises(sluice.UsageError, match='wrong.yaml:2:1: unknown key "row"'):
        sluice.read(b"[]", feed=document)


def test_classes_of_python_catch_them() -> None:
    with pytest.raises(FileNotFoundError):
        sluice.read("nowhere.json")


def test_an_error_can_be_copied_to_another_process() -> None:
    error = error_of(65, "sluice: error: a.json: json: byte 41: truncated\n")
    assert (error.input, error.stage, error.byte) == ("a.json", "json", 41)
    for one in (error, error_of(66, "sluice: error: source: there is no file\n")):
        copy = pickle.loads(pickle.dumps(one))
        assert type(copy) is type(one)
        assert copy.__dict__ == one.__dict__
        assert str(copy) == str(one)


def test_a_program_that_says_nothing() -> None:
    assert "signal 9" in str(error_of(-9, ""))


def test_the_program_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE", str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError, match="names no program"):
        sluice.read(b"[]")


def test_a_source_that_fails_raises_its_own_error() -> None:
    class Source:
        def __init__(self) -> None:
            self.pieces = [b"[", b" "]

        def read(self, size: int) -> bytes:
            del size
            if not self.pieces:
                raise TimeoutError("gone")
            return self.pieces.pop()

    with pytest.raises(TimeoutError, match="gone"):
        sluice.read(Source())  # type: ignore[arg-type]
