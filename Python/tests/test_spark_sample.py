"""The job of Samples/spark, against the program's own history."""

import csv
import importlib.util
import io
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from pyspark.sql import SparkSession

import sluice
from conftest import ROOT
from spark_session import session


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    found = session("local[2]")
    yield found
    found.stop()


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seventy nights of 60 houses, with two gaps."""
    folder = tmp_path_factory.mktemp("nights")
    make_nights = module(ROOT / "Tests/Bench/make_nights.py")
    for number in range(70):
        make_nights.write_night((folder, number, 60))
    for day in ("2020-05-20", "2020-06-15", "2020-06-16"):
        (folder / f"{day}.json").unlink()
    return folder


def history_of_the_program(nights: Path) -> list[tuple[str | int, ...]]:
    run = subprocess.run(
        [sluice.program(), "history", str(nights), "--lang=en"], check=True, capture_output=True
    )
    return sorted(
        (
            line["address_id"],
            line["start_date"],
            line["end_date"],
            line["first_seen"],
            line["last_seen"],
            int(line["nights"]),
        )
        for line in csv.DictReader(io.StringIO(run.stdout.decode()))
    )


def test_the_history_is_that_of_the_program(
    spark: SparkSession, nights: Path, tmp_path: Path
) -> None:
    broken = nights / "2020-07-01.json"
    content = broken.read_bytes()
    job = module(ROOT / "Samples/spark/nights.py")
    job.run(spark, f"{nights}/*.json", str(tmp_path / "out"), "{yyyy-MM-dd}.json")
    found = spark.read.parquet(str(tmp_path / "out" / "history")).collect()
    expected = history_of_the_program(nights)
    assert sorted(tuple(v if isinstance(v, int) else str(v) for v in row) for row in found) == (
        expected
    )
    assert len(expected) > len({one[:3] for one in expected}) > 100
    months = {path.name for path in (tmp_path / "out" / "nights").glob("month=*")}
    assert months == {"month=2020-05", "month=2020-06", "month=2020-07"}

    broken.write_bytes(content[:1000])
    job.run(spark, f"{nights}/*.json", str(tmp_path / "out"), "{yyyy-MM-dd}.json")
    rejects = spark.read.parquet(str(tmp_path / "out" / "rejects")).collect()
    assert [(row["input"], row["reason"]) for row in rejects] == [(str(broken), "broken-input")]
    broken.write_bytes(content)
