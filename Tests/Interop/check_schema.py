#!/usr/bin/env python3
"""Validates a YAML document: check_schema.py SCHEMA DOCUMENT. Dates stay texts, as sluice has them."""
import json
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """Reads what looks like a day as the text that it is."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith("timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    document = yaml.load(file, Loader)
jsonschema.Draft7Validator.check_schema(schema)
errors = list(jsonschema.Draft7Validator(schema).iter_errors(document))
for error in errors:
    print("/".join(map(str, error.absolute_path)) or "document", error.message, sep=": ")
sys.exit(bool(errors))
