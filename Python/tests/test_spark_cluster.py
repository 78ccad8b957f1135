"""The data source on a cluster of two executors, each a process of its own."""

import os
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pyspark.sql import SparkSession

import sluice
from conftest import wait_for
from spark_session import session

ROWS = 13200
NIGHTS = 24


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it is installed, packed for machines that have none."""
    path = tmp_path_factory.mktemp("archive") / "sluice.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        tar.add(Path(sluice.__file__).parent, "sluice")
        tar.add(sluice.program(), "sluice/bin/sluice")
    return path


@pytest.fixture(scope="module")
def cluster(archive: Path) -> Iterator[SparkSession]:
    found = session(
        "local-cluster[2,1,1024]",
        **{
            "spark.archives": f"{archive}#packed",
            # Below the folder of each executor.
            "spark.executorEnv.PYTHONPATH": "packed",
            "spark.executor.memory": "1g",
            "spark.task.maxFailures": "8",
        },
    )
    yield found
    found.stop()


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory, full: Path) -> Path:
    folder = tmp_path_factory.mktemp("cluster-nights")
    for number in range(NIGHTS):
        (folder / f"{number:02}.json").write_bytes(full.read_bytes())
    return folder


def parquets(folder: Path) -> int:
    """Counts the Parquet files of a folder. Spark moves them meanwhile: what is gone is passed."""
    return sum(name.endswith(".parquet") for _, _, names in os.walk(folder) for name in names)


def executors() -> list[psutil.Process]:
    return [
        process
        for process in psutil.Process().children(recursive=True)
        if "CoarseGrainedExecutorBackend" in " ".join(_words(process))
    ]


def programs(of: list[psutil.Process]) -> list[psutil.Process]:
    found = []
    for process in of:
        try:
            found += [one for one in process.children(recursive=True) if "convert" in _words(one)]
        except psutil.NoSuchProcess:
            continue
    return found


def _words(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []


def test_the_package_comes_in_an_archive(cluster: SparkSession) -> None:
    def place(_: object) -> str:
        import sluice

        return sluice.program()

    found = cluster.sparkContext.parallelize(range(2), 2).map(place).distinct().collect()
    assert all(path.endswith("packed/sluice/bin/sluice") for path in found)


def test_rows_on_a_cluster(cluster: SparkSession, nights: Path) -> None:
    frame = cluster.read.format("sluice").option("partitions", "6").load(str(nights))
    assert frame.count() == NIGHTS * ROWS
    assert frame.filter("street = 'Кирочная'").select("house").distinct().count() > 5


def test_an_executor_that_is_killed_loses_and_doubles_nothing(
    cluster: SparkSession, nights: Path, tmp_path: Path
) -> None:
    reader = cluster.read.format("sluice").option("partitions", str(NIGHTS))
    frame = reader.option("with-input", "true").load(str(nights))
    out = tmp_path / "out"
    failures: list[BaseException] = []

    def write() -> None:
        try:
            frame.write.parquet(str(out))
        except BaseException as error:
            failures.append(error)

    before = executors()
    assert len(before) == 2
    writing = threading.Thread(target=write)
    writing.start()
    # In the middle: some tasks are done, and a program is at work.
    wait_for(lambda: parquets(out) >= 4, 60)
    wait_for(lambda: programs(before[:1]) != [], 60)
    at_work = programs(before[:1])
    before[0].kill()
    writing.join()
    assert failures == []
    wait_for(lambda: not any(one.is_running() for one in at_work))

    found = cluster.read.parquet(str(out)).groupBy("input").count().collect()
    assert {Path(row["input"]).name for row in found} == {f"{n:02}.json" for n in range(NIGHTS)}
    assert {row["count"] for row in found} == {ROWS}
    assert not before[0].is_running()


def test_spark_stops_without_leaving_programs(full: Path, tmp_path: Path) -> None:
    code = """
import sys
sys.path.insert(0, sys.argv[2])
from spark_session import session
spark = session("local[2]")
frame = spark.read.format("sluice").load(sys.argv[1])
assert len(frame.take(3)) == 3
spark.stop()
"""
    here = str(Path(__file__).parent)
    subprocess.run(
        [sys.executable, "-c", code, str(full), here],
        check=True,
        cwd=tmp_path,
        env=os.environ,
        timeout=120,
    )
    mine = str(full)
    wait_for(lambda: not any(mine in _words(one) for one in psutil.process_iter()))
