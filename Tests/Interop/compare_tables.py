#!/usr/bin/env python3
"""Compares a TSV or a JSON array, as another reader sees it, with the NDJSON of the same run.

    compare_tables.py pandas|duckdb|json FILE NDJSON
"""
import json
import sys

from rows import read_rows


def read_pandas(path):
    import pandas

    frame = pandas.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    return [list(frame.columns)] + frame.values.tolist()


def read_duckdb(path):
    import duckdb

    found = duckdb.sql(f"SELECT * FROM read_csv('{path}', delim='\t', all_varchar=true)")
    return [found.columns] + [[cell or "" for cell in row] for row in found.fetchall()]


def read_json(path):
    with open(path, encoding="utf-8") as file:
        rows = json.load(file, parse_float=str, parse_int=str)
    return [list(rows[0])] + [["" if v is None else v for v in row.values()] for row in rows]


def main():
    reader, path, rows_path = sys.argv[1:]
    rows = read_rows(rows_path)
    columns = list(rows[0])
    expected = [columns] + [["" if row[c] is None else str(row[c]) for c in columns] for row in rows]
    found = {"pandas": read_pandas, "duckdb": read_duckdb, "json": read_json}[reader](path)
    assert len(found) == len(expected), f"{len(found)} lines, not {len(expected)}"
    for number, (a, b) in enumerate(zip(found, expected), 1):
        assert a == b, f"line {number}:\n{a}\n{b}"
    print(f"{len(rows)} rows")


if __name__ == "__main__":
    main()
