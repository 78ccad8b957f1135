#!/usr/bin/env python3
"""Measures nights on Spark: rows, history, times. The figures of docs/scale.md come from here.

    scale.py [NIGHTS [RECORDS]]     500 nights of 13,320 houses, in two threads

Wants the Python of .build/python/venv, which `make test-python` makes. Each time is the least of
two runs: on the clock, and of all processors together. Exits with 1 if the rows are not those that
DuckDB reads of the program's own CSV, or if the history is not that of `sluice history`.
"""
import base64
import datetime
import io
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import duckdb
import make_nights
import psutil
import pyarrow.parquet
import sluice.spark
from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / ".build" / "bench" / "scale"
PATTERN = "{yyyy-MM-dd}.json"
SMALL = 20_000
HISTORY = ["address_id", "start_date", "end_date", "first_seen", "last_seen", "nights"]


def clean(path):
    shutil.rmtree(path, ignore_errors=True)
    return str(path)


class Processors(threading.Thread):
    """Adds up what all processes have taken of the processors, while a piece of work runs.

    Spark's workers come and go, so they are looked at again and again. The program lives too short
    for that: its parents, which wait for it, know its times.
    """

    def __init__(self):
        super().__init__(daemon=True)
        self.done = threading.Event()
        self.first, self.last = {}, {}

    def look(self):
        own = psutil.Process()
        for process in [own, *own.children(recursive=True)]:
            try:
                words, times = process.cmdline(), process.cpu_times()
            except psutil.Error:
                continue
            if not words or words[0] == sluice.program():
                continue
            # What a daemon waits for are workers, which are looked at themselves.
            is_daemon = "pyspark.daemon" in words and process.parent().name() == "java"
            waited = 0 if is_daemon else times.children_user + times.children_system
            seconds = times.user + times.system + waited
            self.last[process.pid] = seconds
            if not self.done.is_set():
                self.first.setdefault(process.pid, 0 if self.is_alive() else seconds)

    def run(self):
        while not self.done.wait(0.25):
            self.look()

    def __enter__(self):
        self.look()
        self.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.join()
        self.look()

    @property
    def seconds(self):
        return sum(self.last[pid] - self.first.get(pid, 0) for pid in self.last)


def measured(title, work, rounds=2):
    """Prints the least times of a piece of work; returns that of the processors, in seconds."""
    times = []
    for _ in range(rounds):
        begin = time.monotonic()
        with Processors() as processors:
            work()
        times.append((time.monotonic() - begin, processors.seconds))
    clock, seconds = (min(column) for column in zip(*times))
    print(f"{title:<52}{clock:8.2f} s{seconds:9.2f} s", flush=True)
    return seconds


def session(threads):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master(f"local[{threads}]").appName("scale")
        .config("spark.ui.enabled", "false").config("spark.driver.memory", "3g")
        .config("spark.sql.shuffle.partitions", "8").getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    sluice.spark.register(spark)
    return spark


def in_python(path_and_content):
    """The rows of a night with Python's own base64, zip and JSON."""
    path, content = path_and_content
    night = datetime.date.fromisoformat(path[-15:-5])
    answer = json.loads(content)
    packed = base64.b64decode(answer["responseData"]["classifiers"][0]["file"])
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        records = json.loads(archive.read(archive.namelist()[0]))
    for record in records:
        start, _, end = record[make_nights.PERIOD].partition("-")
        yield (
            record["Населенный пункт"], record["Адрес жилого здания"], record["№ дома"],
            record["корпус"] or None, record["литер"] or None,
            day_of(start), day_of(end or start), night)


def day_of(text):
    """The day of a text such as 22.06.2020; strptime would take ten times as long."""
    return datetime.date(int(text[6:]), int(text[3:5]), int(text[:2]))


def convert(inputs, *arguments):
    subprocess.run(
        [sluice.program(), "convert", inputs, "-q", "--max-output", "100G", *arguments], check=True)


def to_parquet(nights, path):
    with sluice.read(nights, options=["--max-output", "100G"]) as rows:
        with pyarrow.parquet.ParquetWriter(path, rows.schema) as file:
            for batch in rows:
                file.write_batch(batch)


def history_of_the_program(nights):
    run = subprocess.run(
        [sluice.program(), "history", nights, "--max-output", "100G"], check=True,
        capture_output=True)
    (PLACE / "history.csv").write_bytes(run.stdout)


def main():
    count = int((sys.argv[1:] or [500])[0])
    records = int((sys.argv[2:] or [13320])[0])
    folder = PLACE / "nights"
    if len(list(folder.glob("*.json"))) != count:
        clean(folder)
        print(f"{make_nights.make(folder, count, records):,} records")
    nights = str(folder)
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"{count} nights, {size / 1e6:.1f} MB; threads: 2")
    print(f"{'':<52}     clock processors")
    table, out = str(PLACE / "nights.csv"), PLACE / "spark"

    named = ["--with-input", "--input-date", PATTERN]
    alone = measured(
        "sluice convert, all nights, CSV", lambda: convert(nights, "-o", table, *named))
    measured("sluice.read to a Parquet file", lambda: to_parquet(nights, PLACE / "one.parquet"))
    measured("sluice history, CSV", lambda: history_of_the_program(nights))

    spark = session(2)
    options = {"with-input": "true", "input-date": PATTERN}

    def load(path=f"{nights}/*.json", **more):
        return spark.read.format("sluice").options(**(options | more)).load(path)

    # Once before: the first job starts the workers.
    load().limit(1).collect()
    on_spark = measured(
        "Spark with sluice, to Parquet", lambda: load().write.parquet(clean(out)))
    one_each = measured(
        "Spark with sluice, a partition for each file",
        lambda: load(partitions=str(count)).write.parquet(clean(out)), rounds=1)
    measured("Spark with sluice, count()", lambda: load().count())
    measured(
        "Spark with sluice, one street of all",
        lambda: load().filter("street = 'Кирочная'").count())
    few = small_files(PLACE / "small", SMALL)
    pattern = {"input-date": f"*-{PATTERN}"}
    tiny = measured(
        f"Spark with sluice, {SMALL:,} files of one record", lambda: load(few, **pattern).count())
    listing = measured(
        f"names and sizes of {SMALL:,} files", lambda: sluice.spark.files.files([few], {}))
    schema = (
        "locality string, street string, house string, building string, letter string, "
        "start_date date, end_date date, night date")

    def with_python():
        files = spark.sparkContext.binaryFiles(f"{nights}/*.json", 8)
        frame = spark.createDataFrame(files.flatMap(in_python), schema)
        frame.write.parquet(clean(PLACE / "python"))

    python = measured("PySpark with base64, zip and JSON in Python", with_python, rounds=1)

    spark.read.parquet(str(out)).withColumnRenamed("input_date", "night").createOrReplaceTempView(
        "nights")
    query = (ROOT / "Samples/spark/history.sql").read_text(encoding="utf-8")
    measured("history in SQL on Spark, from Parquet", lambda: spark.sql(query).write.parquet(
        clean(PLACE / "history")))
    spark.stop()

    rows = count_of(f"'{out}/*.parquet'")
    print(f"rows: {rows:,}")
    print(f"Spark with sluice against sluice alone: {on_spark / alone:.1f} times the time")
    print(f"PySpark in Python against Spark with sluice: {python / on_spark:.1f} times the time")
    print(f"processors for a night: {on_spark / count * 1000:.0f} ms")
    print(f"processors for a task more: {(one_each - on_spark) / count * 1000:.0f} ms")
    print(f"processors for a small file: {tiny / SMALL * 1000:.2f} ms")
    print(f"the driver's for a name: {listing / SMALL * 1000:.3f} ms")

    columns = sluice.schema("hot-water").names + ["input", "input_date"]
    differences = [
        differing(table, f"{out}/*.parquet", columns),
        differing(f"{PLACE}/history.csv", f"{PLACE}/history/*.parquet", HISTORY)]
    print(f"rows that differ from DuckDB's reading of the CSV: {differences[0]}")
    print(f"rows of the history that differ from sluice history: {differences[1]}")
    sys.exit(1 if any(differences) else 0)


def small_files(folder, count):
    """Makes files of one record; returns their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    record = {"Адрес жилого здания": "Садовая", "№ дома": "1", make_nights.PERIOD: "22.06.2020"}
    content = json.dumps([record], ensure_ascii=False)
    for number in range(count):
        path = folder / f"{number:06}-2020-06-01.json"
        if not path.exists():
            path.write_text(content, encoding="utf-8")
    return str(folder)


def count_of(table):
    return duckdb.sql(f"select count(*) from {table}").fetchall()[0][0]


def differing(table, parquet, columns):
    """The number of rows that one of two files has more often than the other, in these columns."""
    one = f"select {', '.join(columns)} from read_csv('{table}', all_varchar = true)"
    texts = ", ".join(f"{name}::varchar as {name}" for name in columns)
    other = f"select {texts} from '{parquet}'"
    ways = (f"({one} except all {other})", f"({other} except all {one})")
    return sum(count_of(way) for way in ways)


if __name__ == "__main__":
    main()
