"""A code host's events as CSV, with DuckDB: with_duckdb.py INPUT OUTPUT"""
import sys

import duckdb

QUERY = """
COPY (
  SELECT
    id, type, created_at AS at, actor.login AS actor, repo.name AS repo, org.login AS org,
    payload.action AS action, payload.ref AS ref, payload.size AS size,
    array_to_string(list_transform(payload.commits, lambda c: c.sha), ' ') AS commits,
    payload.issue.number AS issue,
    nullif(array_to_string(list_transform(payload.issue.labels, lambda l: l.name), '; '), '')
      AS labels,
    payload.pull_request.number AS pull,
    payload.pull_request.base.repo.full_name AS base,
    coalesce(payload.pull_request.title, payload.issue.title, payload.release.name) AS title,
    payload.comment.body AS comment
  FROM read_json('{source}', format = 'newline_delimited', columns = {{
    id: 'VARCHAR', type: 'VARCHAR', created_at: 'VARCHAR',
    actor: 'STRUCT(login VARCHAR)', repo: 'STRUCT(name VARCHAR)', org: 'STRUCT(login VARCHAR)',
    payload: 'STRUCT(
      action VARCHAR, ref VARCHAR, size BIGINT,
      commits STRUCT(sha VARCHAR)[],
      issue STRUCT(number BIGINT, title VARCHAR, labels STRUCT(name VARCHAR)[]),
      pull_request STRUCT(
        number BIGINT, title VARCHAR, base STRUCT(repo STRUCT(full_name VARCHAR))
      ),
      release STRUCT(name VARCHAR),
      comment STRUCT(body VARCHAR)
    )'
  }})
) TO '{output}' (FORMAT csv, HEADER)
"""

source, output = sys.argv[1:]
duckdb.sql(QUERY.format(source=source, output=output))
