"""Forecasts of many cities as CSV, with DuckDB: with_duckdb.py INPUT OUTPUT

Numbers are read as text: so their digits stay as they are.
"""
import sys

import duckdb

QUERY = """
COPY (
  SELECT
    city.name AS city, city.country AS country,
    strftime(to_timestamp(hour.dt) AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ') AS instant,
    hour.main.temp AS temperature, hour.main.feels_like AS feels_like,
    hour.main.pressure AS pressure, hour.main.humidity AS humidity,
    hour.wind.speed AS wind, hour.wind.gust AS gust, hour.clouds."all" AS clouds,
    hour.rain."3h" AS rain, hour.snow."3h" AS snow, hour.weather[1].description AS description
  FROM (
    SELECT city, unnest(list) AS hour
    FROM read_json('{source}', format = 'array', columns = {{
      city: 'STRUCT(name VARCHAR, country VARCHAR)',
      list: 'STRUCT(
        dt BIGINT,
        main STRUCT(temp VARCHAR, feels_like VARCHAR, pressure VARCHAR, humidity VARCHAR),
        weather STRUCT(description VARCHAR)[],
        clouds STRUCT("all" VARCHAR), wind STRUCT(speed VARCHAR, gust VARCHAR),
        rain STRUCT("3h" VARCHAR), snow STRUCT("3h" VARCHAR)
      )[]'
    }})
  )
) TO '{output}' (FORMAT csv, HEADER)
"""

source, output = sys.argv[1:]
duckdb.sql(QUERY.format(source=source, output=output))
