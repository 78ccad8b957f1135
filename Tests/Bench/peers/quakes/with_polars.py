"""Earthquakes in GeoJSON as CSV, with Polars: with_polars.py INPUT OUTPUT

Numbers are read as text: so their digits stay as they are.
"""
import sys

import polars as pl

TEXTS = {
    "mag": "magnitude",
    "magType": "scale",
    "place": "place",
    "type": "kind",
    "status": "status",
    "alert": "alert",
    "felt": "felt",
    "tsunami": "tsunami",
    "nst": "stations",
    "gap": "gap",
}
PROPERTIES = pl.Struct({"time": pl.Int64, **{key: pl.String for key in TEXTS}, "url": pl.String})
FEATURE = pl.Struct(
    {
        "properties": PROPERTIES,
        "geometry": pl.Struct({"coordinates": pl.List(pl.String)}),
        "id": pl.String,
    }
)

source, output = sys.argv[1:]
feature, time = pl.col("features").struct, pl.from_epoch("time", time_unit="ms")
(
    pl.read_json(source, schema={"features": pl.List(FEATURE)})
    .explode("features")
    .select(feature.field("id", "properties", "geometry"))
    .unnest("properties", "geometry")
    .select(
        "id",
        pl.when(pl.col("time") % 1000 == 0)
        .then(time.dt.strftime("%Y-%m-%dT%H:%M:%SZ"))
        .otherwise(time.dt.strftime("%Y-%m-%dT%H:%M:%S%.3fZ"))
        .alias("time"),
        *(pl.col(key).alias(name) for key, name in TEXTS.items()),
        *(
            pl.col("coordinates").list.get(place).alias(name)
            for place, name in enumerate(["longitude", "latitude", "depth"])
        ),
        "url",
    )
    .write_csv(output)
)
