#!/usr/bin/env python3
"""Turns a folder of nights into Parquet, a folder for each month, and their history into a table.

    spark-submit nights.py 's3a://outages/2020/*.json' outages/ '{yyyy-MM-dd}.json'

The third argument says where the names of the files have their day. Below `outages/` are then

    nights/month=2020-06/…     the rows of the nights, with `night` and `input`
    rejects/…                  the records that cannot be read, and the files that are broken
    history/…                  each period of each address, with the first and the last night
"""

import sys
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as fn

import sluice.spark

HISTORY = Path(__file__).with_name("history.sql")


def run(
    spark: SparkSession, source: str, target: str, pattern: str, feed: str = "hot-water"
) -> None:
    """Writes the three tables."""
    sluice.spark.register(spark)
    options = {"feed": feed, "on-error": "skip", "input-date": pattern}

    rows = spark.read.format("sluice").options(**options, **{"with-input": "true"}).load(source)
    nights = rows.withColumnRenamed("input_date", "night")
    nights = nights.withColumn("month", fn.date_format("night", "yyyy-MM"))
    nights.write.mode("overwrite").partitionBy("month").parquet(f"{target}/nights")

    rejects = spark.read.format("sluice-rejects").options(**options).load(source)
    rejects.write.mode("overwrite").parquet(f"{target}/rejects")

    # The files are read once: from here on Spark has Parquet.
    spark.read.parquet(f"{target}/nights").createOrReplaceTempView("nights")
    history = spark.sql(HISTORY.read_text(encoding="utf-8"))
    history.write.mode("overwrite").parquet(f"{target}/history")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    run(SparkSession.builder.appName("nights").getOrCreate(), *sys.argv[1:])
