#!/usr/bin/env python3
"""Compares the record counts of two --stats files: compare_stats.py ORACLE SLUICE."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    expected = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    found = json.load(file)
wrong = [
    f"{key}: {found.get(key)}, not {expected[key]}"
    for key in ("read", "kept", "filtered", "skipped", "rejected", "rows")
    if found.get(key) != expected[key]
]
if not wrong:
    total = sum(found[key] for key in ("kept", "filtered", "skipped", "rejected"))
    if total != found["read"]:
        wrong.append(f"read {found['read']}, but the four kinds make {total}")
sys.exit("\n".join(wrong) or None)
