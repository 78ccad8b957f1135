"""The two formats: rows, and the records that were rejected."""

import tempfile
from pathlib import Path

from pyspark.sql.datasource import DataSource
from pyspark.sql.types import StructType

from sluice.results import REJECTS
from sluice.spark.options import options_of
from sluice.spark.readers import RejectsReader, RowsReader
from sluice.spark.types import arrow_schema, chosen, spark_schema
from sluice.types import one_table, tables


class RowsSource(DataSource):
    """The format ``sluice``: the rows of files."""

    @classmethod
    def name(cls) -> str:
        """Returns the name of the format."""
        return "sluice"

    def schema(self) -> StructType:
        """Returns the columns that the feed's document and the options say."""
        options = options_of(self.options)
        with tempfile.TemporaryDirectory(prefix="sluice-") as folder:
            found = tables(options.document.feed(Path(folder)), options.types)
        columns = chosen(
            one_table(found, options.selection.get("table")),
            options.selection.get("columns"),
            with_input=options.with_input,
        )
        return spark_schema(columns)

    def reader(self, schema: StructType) -> RowsReader:
        """Returns the reader of these columns."""
        return RowsReader(options_of(self.options), arrow_schema(schema))


class RejectsSource(DataSource):
    """The format ``sluice-rejects``: the rejected records of files."""

    @classmethod
    def name(cls) -> str:
        """Returns the name of the format."""
        return "sluice-rejects"

    def schema(self) -> StructType:
        """Returns the columns of rejected records."""
        return spark_schema(REJECTS)

    def reader(self, schema: StructType) -> RejectsReader:
        """Returns the reader of these columns."""
        return RejectsReader(options_of(self.options), arrow_schema(schema))
