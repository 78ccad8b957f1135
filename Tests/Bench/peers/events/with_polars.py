"""A code host's events as CSV, with Polars: with_polars.py INPUT OUTPUT"""
import sys

import polars as pl


def struct(**fields):
    return pl.Struct(fields)


TEXT, NUMBER = pl.String, pl.Int64
PAYLOAD = struct(
    action=TEXT,
    ref=TEXT,
    size=NUMBER,
    commits=pl.List(struct(sha=TEXT)),
    issue=struct(number=NUMBER, title=TEXT, labels=pl.List(struct(name=TEXT))),
    pull_request=struct(number=NUMBER, title=TEXT, base=struct(repo=struct(full_name=TEXT))),
    release=struct(name=TEXT),
    comment=struct(body=TEXT),
)
SCHEMA = {
    "id": TEXT,
    "type": TEXT,
    "created_at": TEXT,
    "actor": struct(login=TEXT),
    "repo": struct(name=TEXT),
    "org": struct(login=TEXT),
    "payload": PAYLOAD,
}


def at(*keys):
    first, *others = keys
    value = pl.col(first)
    for key in others:
        value = value.struct.field(key)
    return value


def joined(*keys, field, separator):
    texts = at(*keys).list.eval(pl.element().struct.field(field)).list.join(separator)
    return pl.when(texts != "").then(texts)


source, output = sys.argv[1:]
(
    pl.scan_ndjson(source, schema=SCHEMA)
    .select(
        "id",
        "type",
        pl.col("created_at").alias("at"),
        at("actor", "login").alias("actor"),
        at("repo", "name").alias("repo"),
        at("org", "login").alias("org"),
        *(at("payload", key).alias(key) for key in ("action", "ref", "size")),
        joined("payload", "commits", field="sha", separator=" ").alias("commits"),
        at("payload", "issue", "number").alias("issue"),
        joined("payload", "issue", "labels", field="name", separator="; ").alias("labels"),
        at("payload", "pull_request", "number").alias("pull"),
        at("payload", "pull_request", "base", "repo", "full_name").alias("base"),
        pl.coalesce(
            at("payload", "pull_request", "title"),
            at("payload", "issue", "title"),
            at("payload", "release", "name"),
        ).alias("title"),
        at("payload", "comment", "body").alias("comment"),
    )
    .sink_csv(output)
)
