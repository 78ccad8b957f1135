"""The feed as CSV, with Polars: with_polars.py FEED OUTPUT (no address_id)"""
import io
import sys

import payload
import polars as pl

COLUMNS = {
    "Населенный пункт": "locality",
    "Адрес жилого здания": "street",
    "№ дома": "house",
    "корпус": "building",
    "литер": "letter",
}
PERIOD = "Период отключения ГВС"
SCHEMA = {key: pl.String for key in (*COLUMNS, PERIOD)}


def main():
    feed, output = sys.argv[1:]
    days = pl.col(PERIOD).str.strip_chars().str.split_exact("-", 1)
    (
        pl.read_json(io.BytesIO(payload.read(feed)), schema=SCHEMA)
        .select(
            *(pl.col(key).str.strip_chars().alias(name) for key, name in COLUMNS.items()),
            days.struct.field("field_0").str.to_date("%d.%m.%Y").alias("start_date"),
            days.struct.field("field_1").str.to_date("%d.%m.%Y").alias("end_date"),
        )
        .write_csv(output)
    )


main()
