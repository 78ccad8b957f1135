"""Earthquakes in GeoJSON as CSV, with DuckDB: with_duckdb.py INPUT OUTPUT

All features are one value of JSON, which DuckDB refuses by default above 16 MiB. Numbers are read as
text: so their digits stay as they are.
"""
import sys

import duckdb

QUERY = """
COPY (
  SELECT
    f.id AS id,
    CASE WHEN p."time" % 1000 = 0
      THEN strftime(make_timestamp(p."time" * 1000), '%Y-%m-%dT%H:%M:%SZ')
      ELSE strftime(make_timestamp(p."time" * 1000), '%Y-%m-%dT%H:%M:%S.%gZ')
    END AS "time",
    p.mag AS magnitude, p.magType AS scale, p.place AS place, p.type AS kind,
    p.status AS status, p.alert AS alert, p.felt AS felt, p.tsunami AS tsunami,
    p.nst AS stations, p.gap AS gap,
    f.geometry.coordinates[1] AS longitude,
    f.geometry.coordinates[2] AS latitude,
    f.geometry.coordinates[3] AS depth,
    p.url AS url
  FROM (
    SELECT f, f.properties AS p FROM (
      SELECT unnest(features) AS f
      FROM read_json('{source}', maximum_object_size = 2000000000, columns = {{
        features: 'STRUCT(
          id VARCHAR,
          properties STRUCT(
            "time" BIGINT, mag VARCHAR, magType VARCHAR, place VARCHAR, type VARCHAR,
            status VARCHAR, alert VARCHAR, felt VARCHAR, tsunami VARCHAR, nst VARCHAR,
            gap VARCHAR, url VARCHAR
          ),
          geometry STRUCT(coordinates VARCHAR[])
        )[]'
      }})
    )
  )
) TO '{output}' (FORMAT csv, HEADER)
"""

source, output = sys.argv[1:]
duckdb.sql(QUERY.format(source=source, output=output))
