#!/bin/sh
# The feed as CSV, with base64, funzip and jq: with_jq.sh FEED OUTPUT (no address_id)
#
# Regular expressions are what costs most in jq: only values that need trimming meet one.
set -e
jq -r '.responseData.classifiers[] | select(.classifierId == 4) | .file' "$1" |
  base64 -d | funzip | jq -r '
  def trim:
    if startswith(" ") or endswith(" ") then sub("^\\s+"; "") | sub("\\s+$"; "") else . end;
  def iso: split(".") | "\(.[2])-\(.[1])-\(.[0])";
  ["locality", "street", "house", "building", "letter", "start_date", "end_date"],
  (.[] | [
    (.["Населенный пункт", "Адрес жилого здания", "№ дома", "корпус", "литер"] | trim),
    (.["Период отключения ГВС"] | trim | split("-")[] | iso)
  ]) | @csv' >"$2"
