"""Feeds as a data source of Spark, which reads many files on many machines.

    import sluice.spark

    sluice.spark.register(spark)
    nights = spark.read.format("sluice").option("feed", "hot-water").load("nights/2020/*.json")

``sluice-rejects`` is a second format: the records that were rejected, and why.
"""

from typing import TYPE_CHECKING

from sluice.spark.source import RejectsSource, RowsSource

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["RejectsSource", "RowsSource", "register"]

#: Spark refuses a source that takes filters unless this is set.
_PUSHDOWN = "spark.sql.python.filterPushdown.enabled"


def register(spark: "SparkSession") -> None:
    """Makes the formats ``sluice`` and ``sluice-rejects`` known to a session.

    It also switches on that filters reach data sources in Python.
    """
    spark.conf.set(_PUSHDOWN, "true")
    spark.dataSource.register(RowsSource)
    spark.dataSource.register(RejectsSource)
