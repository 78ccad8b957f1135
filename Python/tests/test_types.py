"""Values and their types."""

import json
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import sluice


def content(*rows: dict[str, Any]) -> bytes:
    return json.dumps(list(rows)).encode()


def column(kinds: Path, name: str, values: list[Any], **types: Any) -> list[Any]:
    rows = [{name: value} for value in values]
    table = sluice.read(content(*rows), feed=kinds, columns=[name], **types).to_table()
    found: list[Any] = table[name].to_pylist()
    return found


def test_each_kind_has_its_type(kinds: Path) -> None:
    assert sluice.schema(kinds) == pa.schema(
        {
            "text": pa.string(),
            "verbatim": pa.string(),
            "integer": pa.int64(),
            "decimal": pa.string(),
            "flag": pa.bool_(),
            "day": pa.date32(),
            "instant": pa.timestamp("us", tz="UTC"),
            "time": pa.string(),
        }
    )


def test_labels_are_in_the_metadata() -> None:
    field = sluice.schema("hot-water").field("street")
    assert field.metadata == {b"title": b"Street"}
    assert not field.nullable
    assert sluice.schema("hot-water").field("letter").nullable


def test_quotes_line_breaks_and_signs_of_other_scripts_stay(kinds: Path) -> None:
    texts = [' "q", x\r\n\n y ', "\n", '"', ",", "a\u0000b", "\u2028", "🚿", "\r", "NULL", "NaN"]
    assert column(kinds, "verbatim", texts) == texts


def test_a_missing_value_is_null_and_so_is_an_empty_text(kinds: Path) -> None:
    assert column(kinds, "text", ["", None, "a", ""]) == [None, None, "a", None]
    for name in ("integer", "decimal", "flag", "day", "instant"):
        assert column(kinds, name, ["", None]) == [None, None]


def test_days_before_1970_and_at_the_ends(kinds: Path) -> None:
    days = ["0001-01-01", "1969-12-31", "1970-01-01", "9999-12-31"]
    assert column(kinds, "day", days) == [date.fromisoformat(day) for day in days]


def test_instants_are_the_same_on_any_clock(kinds: Path) -> None:
    texts = ["1969-12-31T23:59:59.5-03:30", "0001-01-01T00:00:00Z", "2020-06-22T10:00:00+03:00"]
    expected = [
        datetime(1969, 12, 31, 23, 59, 59, 500000, timezone(-timedelta(hours=3.5))),
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(2020, 6, 22, 7, tzinfo=UTC),
    ]
    assert column(kinds, "instant", texts) == expected
    assert column(kinds, "instant", texts[2:], zone="Europe/Moscow") == expected[2:]
    assert column(kinds, "instant", texts, instants="text") == texts


def test_an_instant_finer_than_its_unit_is_refused(kinds: Path) -> None:
    text = "2020-01-01T00:00:00.123456789Z"
    with pytest.raises(sluice.ColumnError, match="column instant: .*timestamp"):
        column(kinds, "instant", [text])
    found = sluice.read(content({"instant": text}), feed=kinds, instants="ns").to_table()
    assert found["instant"][0].value == 1577836800123456789


def test_whole_numbers(kinds: Path) -> None:
    ends = [-(2**63), 2**63 - 1, 0]
    assert column(kinds, "integer", ends) == ends
    wide = 123456789012345678901234567890
    with pytest.raises(sluice.ColumnError, match="column integer: .*int64"):
        column(kinds, "integer", [1, wide])
    assert column(kinds, "integer", [wide], integers="text") == [str(wide)]
    assert column(kinds, "integer", [wide], integers=(38, 0)) == [Decimal(wide)]


def test_decimals(kinds: Path) -> None:
    texts = ["-0.10", "1E+2", "12345678901234567890.123"]
    assert column(kinds, "decimal", texts) == texts
    assert column(kinds, "decimal", texts, decimals="float") == [
        -0.1,
        100.0,
        12345678901234567890.123,
    ]
    assert column(kinds, "decimal", texts, decimals=(38, 3)) == [Decimal(text) for text in texts]
    with pytest.raises(sluice.ColumnError, match="column decimal: .*data loss"):
        column(kinds, "decimal", ["0.1234"], decimals=(38, 3))


def test_a_way_that_numbers_do_not_have(kinds: Path) -> None:
    with pytest.raises(ValueError, match="'exact' is no way to show numbers"):
        column(kinds, "decimal", ["1"], decimals="exact")


def test_flags_and_times(kinds: Path) -> None:
    assert column(kinds, "flag", ["да", 0, True, "no"]) == [True, False, True, False]
    assert column(kinds, "time", ["24:00", 905]) == ["24:00", "09:05"]


def test_a_cell_of_a_mebibyte(kinds: Path) -> None:
    text = 'a"\n' * 349_000
    assert column(kinds, "verbatim", ["x", text, "y"]) == ["x", text, "y"]


def test_rows_of_one_column_without_values(kinds: Path) -> None:
    assert column(kinds, "text", [None, "a", None, None]) == [None, "a", None, None]
    assert column(kinds, "integer", [None, None]) == [None, None]


def test_the_column_of_a_later_batch_is_named(kinds: Path) -> None:
    rows = [{"text": "x" * 100, "integer": 1}] * 50_000
    with pytest.raises(sluice.ColumnError, match="column integer"):
        sluice.read(content(*rows, {"integer": 2**63}), feed=kinds).to_table()
