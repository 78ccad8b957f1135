"""The feed as CSV, with DuckDB: with_duckdb.py FEED OUTPUT (no address_id)

DuckDB reads JSON from files: the payload is inflated into one beside the output first.
"""
import os
import sys

import duckdb
import payload

QUERY = """
COPY (
  SELECT
    trim("Населенный пункт") AS locality,
    trim("Адрес жилого здания") AS street,
    trim("№ дома") AS house,
    trim("корпус") AS building,
    trim("литер") AS letter,
    strptime(split_part(period, '-', 1), '%d.%m.%Y')::DATE AS start_date,
    strptime(split_part(period, '-', 2), '%d.%m.%Y')::DATE AS end_date
  FROM (
    SELECT *, trim("Период отключения ГВС") AS period
    FROM read_json('{source}', format = 'array', columns = {{
      'Населенный пункт': 'VARCHAR', 'Адрес жилого здания': 'VARCHAR', '№ дома': 'VARCHAR',
      'корпус': 'VARCHAR', 'литер': 'VARCHAR', 'Период отключения ГВС': 'VARCHAR'
    }})
  )
) TO '{output}' (FORMAT csv, HEADER)
"""


def main():
    feed, output = sys.argv[1:]
    source = output + ".json"
    with open(source, "wb") as file:
        file.write(payload.read(feed))
    try:
        duckdb.sql(QUERY.format(source=source, output=output))
    finally:
        os.unlink(source)


main()
