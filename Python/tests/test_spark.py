"""The data source of Spark, in two threads of one machine."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as fn
from pyspark.sql import types as spark_types

import sluice
from spark_session import session

ROWS = 13200


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    found = session("local[2]")
    yield found
    found.stop()


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six nights of 13,200 records, which differ."""
    folder = tmp_path_factory.mktemp("nights")
    content = sluice.read(
        Path(__file__).parents[2] / "Samples/hot-water/full.json",
        columns=["locality", "street", "house", "building", "letter", "start_date", "end_date"],
    ).to_table()
    rows = [
        {
            "Населенный пункт": row["locality"],
            "Адрес жилого здания": row["street"],
            "№ дома": row["house"],
            "корпус": row["building"],
            "литер": row["letter"],
            "Период отключения ГВС": f"{row['start_date']:%d.%m.%Y}-{row['end_date']:%d.%m.%Y}",
        }
        for row in content.to_pylist()
    ]
    for number in range(6):
        path = folder / f"2020-06-0{number + 1}.json"
        path.write_text(json.dumps(rows[number:], ensure_ascii=False))
    return folder


def load(spark: SparkSession, path: object, format: str = "sluice", **options: str) -> DataFrame:
    reader = spark.read.format(format)
    for name, value in options.items():
        reader = reader.option(name.replace("_", "-"), value)
    return reader.load(str(path))


def rows(frame: DataFrame) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = frame.toArrow().to_pylist()
    return sorted(found, key=str)


def test_rows_are_those_of_one_run(spark: SparkSession, nights: Path) -> None:
    frame = load(spark, f"{nights}/*.json", partitions="4")
    expected = sluice.read(sorted(nights.iterdir())).to_table().to_pylist()
    assert rows(frame) == sorted(expected, key=str)
    assert len(expected) == 6 * ROWS - 15


def test_the_schema_is_that_of_the_document(spark: SparkSession, nights: Path) -> None:
    frame = load(spark, nights)
    assert [(one.name, one.dataType.simpleString()) for one in frame.schema] == [
        ("locality", "string"),
        ("street", "string"),
        ("house", "string"),
        ("building", "string"),
        ("letter", "string"),
        ("start_date", "date"),
        ("end_date", "date"),
        ("address_id", "string"),
    ]


def test_partitions_are_by_number_or_by_size(spark: SparkSession, nights: Path) -> None:
    def count(**options: str) -> int:
        return load(spark, nights, **options).rdd.getNumPartitions()

    assert count(partitions="3") == 3
    assert count(partitions="100") == 6
    assert count(partition_size="100G") == 1
    assert count(partition_size="1K") == 6
    assert count() == 2


def test_columns_are_chosen(spark: SparkSession, nights: Path) -> None:
    frame = load(spark, nights, columns="end_date, Street")
    assert frame.columns == ["end_date", "street"]
    assert frame.count() == 6 * ROWS - 15
    with pytest.raises(Exception, match="there is no column 'nothing'"):
        load(spark, nights, columns="nothing")


def test_a_schema_of_the_user_chooses_columns_too(spark: SparkSession, nights: Path) -> None:
    reader = spark.read.format("sluice").schema("street string, start_date date")
    assert reader.load(str(nights)).select(fn.min("start_date")).collect()[0][0] == date(
        2020, 5, 11
    )


def test_a_schema_of_the_user_says_types(spark: SparkSession, kinds: Path, tmp_path: Path) -> None:
    path = tmp_path / "kinds.json"
    path.write_text(json.dumps([{"integer": 10**30, "decimal": "1.50"}]))
    reader = spark.read.format("sluice").option("feed", str(kinds))
    frame = reader.schema("decimal double, integer string").load(str(path))
    assert [tuple(row) for row in frame.collect()] == [(1.5, "1" + "0" * 30)]
    rejects = spark.read.format("sluice-rejects").option("feed", str(kinds)).load(str(path))
    assert rejects.count() == 0
    with pytest.raises(Exception, match="column integer: .*int64"):
        reader.schema("integer long").load(str(path)).collect()


def test_the_input_of_each_row(spark: SparkSession, nights: Path) -> None:
    frame = load(spark, nights, with_input="true", input_date="{yyyy-MM-dd}.json", partitions="4")
    found = frame.groupBy("input", "input_date").count().orderBy("input").collect()
    assert [tuple(row) for row in found] == [
        (str(nights / f"2020-06-0{day}.json"), date(2020, 6, day), ROWS - day + 1)
        for day in range(1, 7)
    ]


def test_options_are_those_of_convert(spark: SparkSession, nights: Path) -> None:
    frame = load(spark, nights / "2020-06-01.json", where='["street=Кирочная", "letter=А"]')
    assert frame.count() == 5
    frame = load(spark, nights / "2020-06-01.json", **{"from": "2020-08-10"})
    assert (
        frame.count()
        == sluice.read(nights / "2020-06-01.json", start="2020-08-10").to_table().num_rows
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nothing": "1"}, "unknown option: nothing"),
        ({"feed": "nothing"}, 'unknown feed "nothing"'),
        ({"feed": "/nowhere.yaml"}, "cannot be read"),
        ({"partitions": "many"}, "partitions: many is no number"),
        ({"partition_size": "much"}, "partition-size: much is no size"),
        ({"decimals": "1"}, "decimals: 1 is none of"),
        ({"from": "soon"}, "soon"),
        ({"where": "nothing=1"}, "nothing"),
    ],
)
def test_a_wrong_option_is_told_before_any_file_is_read(
    spark: SparkSession, nights: Path, options: dict[str, str], message: str
) -> None:
    with pytest.raises(Exception, match=message):
        load(spark, nights, **options).count()


def test_a_path_without_files(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="there is no file"):
        load(spark, tmp_path / "*.json").count()


def test_hidden_files_of_a_folder_are_left_out(
    spark: SparkSession, nights: Path, tmp_path: Path
) -> None:
    (tmp_path / "_SUCCESS").write_text("")
    (tmp_path / ".hidden").write_text("")
    (tmp_path / "a.json").write_bytes((nights / "2020-06-01.json").read_bytes())
    assert load(spark, tmp_path).count() == ROWS


def test_kinds_of_columns_and_a_document_of_ones_own(
    spark: SparkSession, kinds: Path, tmp_path: Path
) -> None:
    path = tmp_path / "kinds.json"
    path.write_text(
        json.dumps(
            [
                {
                    "text": "a",
                    "verbatim": 'x\n"y",',
                    "integer": 2**62,
                    "decimal": "12.50",
                    "flag": "да",
                    "day": "1969-12-31",
                    "instant": "1969-12-31T23:00:00.5-01:00",
                    "time": "24:00",
                },
                {},
            ]
        )
    )
    frame = load(spark, path, feed=str(kinds), decimals="38,3")
    assert dict(frame.dtypes) == {
        "text": "string",
        "verbatim": "string",
        "integer": "bigint",
        "decimal": "decimal(38,3)",
        "flag": "boolean",
        "day": "date",
        "instant": "timestamp",
        "time": "string",
    }
    full, empty = frame.toArrow().to_pylist()
    assert full == {
        "text": "a",
        "verbatim": 'x\n"y",',
        "integer": 2**62,
        "decimal": Decimal("12.500"),
        "flag": True,
        "day": date(1969, 12, 31),
        "instant": datetime(1970, 1, 1, 0, 0, 0, 500000, UTC),
        "time": "24:00",
    }
    assert set(empty.values()) == {None}


# A filter that the program has a condition for, and one that it has none for.
FILTERS = [
    "start_date >= date'2020-08-01'",
    "start_date > date'2020-06-01' and end_date <= date'2020-06-30'",
    "street = 'Кирочная'",
    "street = 'кирочная'",
    "street in ('Кирочная', 'Садовая', 'нет*такой')",
    "letter is null and street = 'Садовая'",
    "letter is not null",
    "street like 'Кир%'",
    "street like '%бул%'",
    "street = 'Кирочная' or house = '1'",
    "street not in ('Кирочная')",
    "house > '5'",
    "letter <=> null",
    "street = ' Кирочная'",
]


@pytest.mark.parametrize("condition", FILTERS)
def test_a_filter_keeps_what_it_keeps_without_the_source(
    spark: SparkSession, nights: Path, condition: str
) -> None:
    path = nights / "2020-06-01.json"
    whole = spark.createDataFrame(sluice.read(path).to_pandas())
    assert rows(load(spark, path).filter(condition)) == rows(whole.filter(condition))


def test_filters_reach_the_program(spark: SparkSession, nights: Path) -> None:
    frame = load(spark, nights).filter(fn.col("street") == "Кирочная")
    plan = frame._jdf.queryExecution().toString()
    # Spark keeps the filter: for the program, case does not matter.
    assert "Filter" in plan
    reader = _rows_reader(nights)
    from pyspark.sql.datasource import EqualTo, GreaterThan, In, StringContains

    given = [
        EqualTo(("street",), "Кирочная*"),
        In(("house",), (1, 2)),
        GreaterThan(("start_date",), date(2020, 6, 1)),
        StringContains(("street",), "x"),
    ]
    assert list(reader.pushFilters(given)) == given
    assert reader.pushed == [
        "street=Кирочная\\*",
        "house=1",
        "house=2",
        "start_date>2020-06-01",
    ]


def _rows_reader(path: Path, **options: str) -> sluice.spark.readers.RowsReader:
    source = sluice.spark.RowsSource({"path": str(path), **options})
    return source.reader(source.schema())


def test_a_filter_does_not_widen_a_condition_of_the_user(spark: SparkSession, nights: Path) -> None:
    frame = load(spark, nights, where="street=Садовая")
    assert frame.filter(fn.col("street") == "Кирочная").count() == 0


def test_a_filter_that_leaves_only_rejected_records(spark: SparkSession, tmp_path: Path) -> None:
    records = [
        {
            "Адрес жилого здания": "Садовая",
            "№ дома": str(number),
            "Период отключения ГВС": "31.06.2020" if number == 0 else "30.06.2020",
        }
        for number in range(20)
    ]
    path = tmp_path / "night.json"
    path.write_text(json.dumps(records))
    assert load(spark, path).filter(fn.col("house") == "0").count() == 0
    assert load(spark, path).filter(fn.col("house") == "1").count() == 1


def test_shares_are_of_all_rows(spark: SparkSession, samples: Path) -> None:
    folder = samples / "shares"
    frame = load(spark, folder / "feed.json", feed=str(folder / "feed.yaml"), max_rejects="20%")
    whole = {row["flat"]: row["percent"] for row in frame.collect()}
    some = frame.filter(fn.col("flat") == "2").collect()
    assert [row["percent"] for row in some] == [whole["2"]] == ["25.030"]


def test_a_broken_file(spark: SparkSession, nights: Path, tmp_path: Path) -> None:
    for path in nights.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    broken = tmp_path / "2020-06-03.json"
    broken.write_text("[{")
    with pytest.raises(Exception, match=r"2020-06-03.json: json: byte 2: the JSON is truncated"):
        load(spark, tmp_path).count()
    for partitions in ("1", "6"):
        frame = load(spark, tmp_path, on_error="skip", partitions=partitions)
        assert frame.count() == 6 * ROWS - 15 - (ROWS - 2)
        rejects = load(
            spark, tmp_path, "sluice-rejects", on_error="skip", partitions=partitions
        ).collect()
        assert [(row["input"], row["reason"]) for row in rejects] == [(str(broken), "broken-input")]
        assert "truncated" in rejects[0]["value"]


def test_rejects_are_a_format(spark: SparkSession, samples: Path, tmp_path: Path) -> None:
    feed = samples / "hot-water" / "feed.json"
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_bytes(feed.read_bytes())
    for partitions in ("1", "2"):
        frame = load(spark, tmp_path, "sluice-rejects", partitions=partitions)
        found = frame.orderBy("input", "record").collect()
        assert [Path(row["input"]).name for row in found] == ["a.json"] * 3 + ["b.json"] * 3
        assert [row["record"] for row in found] == [41, 42, 43] * 2
        assert found[0]["reason"] == "no-such-day"
    assert frame.select("reason").distinct().count() == 3


def test_parquet_by_month_and_sql(spark: SparkSession, nights: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    frame = load(spark, nights, with_input="true", input_date="{yyyy-MM-dd}.json", partitions="3")
    frame.write.partitionBy("input_date").parquet(str(out))
    assert len(list(out.glob("input_date=*"))) == 6
    spark.read.parquet(str(out)).createOrReplaceTempView("nights")
    found = spark.sql("select count(*), count(distinct address_id) from nights").collect()[0]
    assert found[0] == 6 * ROWS - 15


def test_a_limit_stops_the_program(spark: SparkSession, nights: Path) -> None:
    assert len(load(spark, nights).take(3)) == 3


def test_types_that_no_column_has() -> None:
    with pytest.raises(sluice.UsageError, match="binary"):
        sluice.spark.types.arrow_type(spark_types.BinaryType())
    assert pa.types.is_timestamp(sluice.spark.types.arrow_type(spark_types.TimestampType()))
