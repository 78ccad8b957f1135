"""Forecasts of many cities as CSV, with Polars: with_polars.py INPUT OUTPUT

Numbers are read as text: so their digits stay as they are.
"""
import sys

import polars as pl


def texts(*names):
    return pl.Struct({name: pl.String for name in names})


HOUR = pl.Struct(
    {
        "dt": pl.Int64,
        "main": texts("temp", "feels_like", "pressure", "humidity"),
        "weather": pl.List(texts("description")),
        "clouds": texts("all"),
        "wind": texts("speed", "gust"),
        "rain": texts("3h"),
        "snow": texts("3h"),
    }
)
SCHEMA = {"list": pl.List(HOUR), "city": texts("name", "country")}


def of(outer, inner, name):
    return pl.col(outer).struct.field(inner).alias(name)


source, output = sys.argv[1:]
(
    pl.read_json(source, schema=SCHEMA)
    .explode("list")
    .unnest("list")
    .select(
        of("city", "name", "city"),
        of("city", "country", "country"),
        pl.from_epoch("dt").dt.strftime("%Y-%m-%dT%H:%M:%SZ").alias("instant"),
        of("main", "temp", "temperature"),
        *(of("main", name, name) for name in ("feels_like", "pressure", "humidity")),
        of("wind", "speed", "wind"),
        of("wind", "gust", "gust"),
        of("clouds", "all", "clouds"),
        of("rain", "3h", "rain"),
        of("snow", "3h", "snow"),
        pl.col("weather").list.first().struct.field("description"),
    )
    .write_csv(output)
)
