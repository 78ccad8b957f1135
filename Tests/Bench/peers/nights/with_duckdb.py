"""Many nights as one CSV, with DuckDB: with_duckdb.py FOLDER OUTPUT (no address_id)"""
import sys

import duckdb

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
    FROM read_json('{folder}/*.json', format = 'array', columns = {{
      'Населенный пункт': 'VARCHAR', 'Адрес жилого здания': 'VARCHAR', '№ дома': 'VARCHAR',
      'корпус': 'VARCHAR', 'литер': 'VARCHAR', 'Период отключения ГВС': 'VARCHAR'
    }})
  )
) TO '{output}' (FORMAT csv, HEADER)
"""

folder, output = sys.argv[1:]
duckdb.sql(QUERY.format(folder=folder, output=output))
