"""The rows in other libraries."""

from datetime import date
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow.parquet
import pytest

import sluice


def test_pandas(full: Path) -> None:
    frame = sluice.read(full).to_pandas()
    assert len(frame) == 13200
    assert frame["start_date"].min() == date(2020, 5, 11)
    typed = sluice.read(full).to_pandas(types_mapper=pd.ArrowDtype)
    assert str(typed["start_date"].dtype) == "date32[day][pyarrow]"


def test_polars(full: Path) -> None:
    frame = sluice.read(full).to_polars()
    assert frame.height == 13200
    assert frame.schema["start_date"] == pl.Date
    assert pl.DataFrame(sluice.read(full)).equals(frame)


def asked(what: str, nights: sluice.Reader) -> list[tuple[object, ...]]:
    """Asks DuckDB, which finds the variable by its name."""
    assert nights.schema is not None
    relation = duckdb.sql(f"select {what} from nights")
    assert relation is not None
    return relation.fetchall()


def test_duckdb_reads_a_variable(full: Path) -> None:
    found = asked("count(*), min(start_date)", sluice.read(full))
    assert found == [(13200, date(2020, 5, 11))]


def test_duckdb_says_so_when_the_rows_have_been_read(full: Path) -> None:
    nights = sluice.read(full)
    nights.to_table()
    with pytest.raises(Exception, match="the rows have been read"):
        asked("count(*)", nights)


def test_duckdb_reads_a_large_stream(big: Path, kinds: Path) -> None:
    rows = sluice.read(big, feed=kinds, block_size=1 << 20)
    found = asked("count(*), sum(integer), count(distinct text)", rows)
    assert found == [(300_000, 300_000 * 299_999 // 2, 300_000)]


def test_parquet(full: Path, tmp_path: Path) -> None:
    path = tmp_path / "nights.parquet"
    with sluice.read(full) as nights, pyarrow.parquet.ParquetWriter(path, nights.schema) as file:
        for batch in nights:
            file.write_batch(batch)
    assert pyarrow.parquet.read_table(path) == sluice.read(full).to_table()
