"""Files in a bucket."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import boto3
import pytest
from moto.server import ThreadedMotoServer
from pyspark.sql import SparkSession

from spark_session import session


@pytest.fixture(scope="module")
def storage() -> Iterator[str]:
    server = ThreadedMotoServer(port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield json.dumps(
        {
            "key": "a",
            "secret": "b",
            "client_kwargs": {"endpoint_url": f"http://{host}:{port}", "region_name": "us-east-1"},
        }
    )
    server.stop()


@pytest.fixture(scope="module")
def bucket(storage: str, samples: Path) -> str:
    settings = json.loads(storage)
    client = boto3.client(
        "s3",
        aws_access_key_id="a",
        aws_secret_access_key="b",
        **settings["client_kwargs"],
    )
    client.create_bucket(Bucket="nights")
    content = (samples / "hot-water" / "feed.json").read_bytes()
    for day in range(1, 5):
        client.put_object(Bucket="nights", Key=f"2020/06/2020-06-0{day} night.json", Body=content)
    client.put_object(Bucket="nights", Key="2020/06/_SUCCESS", Body=b"")
    return "s3a://nights"


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    found = session("local[2]")
    yield found
    found.stop()


@pytest.mark.parametrize("path", ["/2020/06/*.json", "/2020/06", "/2020/*/*.json"])
@pytest.mark.parametrize("partitions", ["1", "3"])
def test_rows_of_a_bucket(
    spark: SparkSession, bucket: str, storage: str, path: str, partitions: str
) -> None:
    reader = spark.read.format("sluice").option("storage", storage).option("partitions", partitions)
    reader = reader.option("with-input", "true")
    frame = reader.option("input-date", "{yyyy-MM-dd} night.json").load(bucket + path)
    found = frame.groupBy("input", "input_date").count().orderBy("input").collect()
    assert [tuple(row) for row in found] == [
        (f"s3://nights/2020/06/2020-06-0{day} night.json", date(2020, 6, day), 42)
        for day in range(1, 5)
    ]


def test_rejects_of_a_bucket(spark: SparkSession, bucket: str, storage: str) -> None:
    reader = spark.read.format("sluice-rejects").option("storage", storage)
    found = reader.load(f"{bucket}/2020/06/2020-06-01 night.json").orderBy("record").collect()
    assert [(row["input"], row["record"]) for row in found] == [
        ("s3://nights/2020/06/2020-06-01 night.json", number) for number in (41, 42, 43)
    ]


def test_a_bucket_that_is_not_there(spark: SparkSession, storage: str) -> None:
    with pytest.raises(Exception, match=r"(?i)no file|no such|not exist"):
        spark.read.format("sluice").option("storage", storage).load("s3a://nothing/*").count()
