"""Sessions of Spark for tests."""

import os
import sys
from typing import Any

from pyspark.sql import SparkSession

import sluice.spark


def session(master: str, **settings: str) -> SparkSession:
    """Starts Spark. Its workers use the Python of the tests."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder: Any = SparkSession.builder
    builder = builder.master(master).appName("sluice tests")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.default.parallelism": "2",
        **settings,
    }.items():
        builder = builder.config(name, value)
    spark: SparkSession = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    sluice.spark.register(spark)
    return spark
