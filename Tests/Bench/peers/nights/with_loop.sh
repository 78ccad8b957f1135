#!/usr/bin/env bash
# Many nights as one CSV, with one run of sluice for each: with_loop.sh SLUICE FOLDER OUTPUT
set -euo pipefail
for night in "$2"/*.json; do
  "$1" convert "$night" --format csv -o -
done | awk 'NR == 1 { header = $0; print } $0 != header' > "$3"
