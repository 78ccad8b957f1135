"""Columns of Spark and of Arrow."""

import pyarrow as pa
from pyspark.sql import types as spark

from sluice.errors import UsageError
from sluice.types import with_input_columns


def spark_type(kind: pa.DataType) -> spark.DataType:
    """Returns Spark's type for a column of a feed."""
    if pa.types.is_decimal(kind):
        return spark.DecimalType(kind.precision, kind.scale)
    if pa.types.is_timestamp(kind):
        return spark.TimestampType()
    return {
        pa.string(): spark.StringType(),
        pa.date32(): spark.DateType(),
        pa.int64(): spark.LongType(),
        pa.float64(): spark.DoubleType(),
        pa.bool_(): spark.BooleanType(),
    }[kind]


def arrow_type(kind: spark.DataType) -> pa.DataType:
    """Returns Arrow's type for a column of Spark, as its workers expect it."""
    match kind:
        case spark.DecimalType():
            return pa.decimal128(kind.precision, kind.scale)
        case spark.TimestampType():
            return pa.timestamp("us", tz="UTC")
        case spark.StringType():
            return pa.string()
        case spark.DateType():
            return pa.date32()
        case spark.LongType():
            return pa.int64()
        case spark.DoubleType():
            return pa.float64()
        case spark.BooleanType():
            return pa.bool_()
    raise UsageError(f"no column has the type {kind.simpleString()}")


def spark_schema(columns: pa.Schema) -> spark.StructType:
    """Returns the columns as Spark has those of files: any may be null."""
    return spark.StructType(
        [spark.StructField(field.name, spark_type(field.type)) for field in columns]
    )


def arrow_schema(columns: spark.StructType) -> pa.Schema:
    """Returns the columns that batches for Spark have."""
    return pa.schema(
        [pa.field(one.name, arrow_type(one.dataType), one.nullable) for one in columns.fields]
    )


def chosen(columns: pa.Schema, names: list[str] | None, *, with_input: bool) -> pa.Schema:
    """Returns the columns that options choose, by name or by label."""
    if names is not None:
        labels = {(field.metadata or {}).get(b"title", b"").decode(): field for field in columns}
        by_name = labels | {field.name: field for field in columns}
        missing = [name for name in names if name not in by_name]
        if missing:
            known = ", ".join(columns.names)
            raise UsageError(f"there is no column {missing[0]!r}; there are: {known}")
        columns = pa.schema([by_name[name] for name in names])
    return with_input_columns(columns) if with_input else columns
