#!/bin/sh
# Earthquakes in GeoJSON as CSV, with jq: with_jq.sh INPUT OUTPUT
#
# jq quotes every text.
set -e
jq -r '
  def instant:
    (. / 1000 | floor | todate) as $whole
    | if . % 1000 == 0 then $whole else "\($whole[:19]).\(. % 1000 + 1000 | tostring[1:])Z" end;
  ["id", "time", "magnitude", "scale", "place", "kind", "status", "alert", "felt", "tsunami",
   "stations", "gap", "longitude", "latitude", "depth", "url"],
  (.features[] | .properties as $p | [
    .id, ($p.time | instant), $p.mag, $p.magType, $p.place, $p.type, $p.status, $p.alert, $p.felt,
    $p.tsunami, $p.nst, $p.gap, .geometry.coordinates[], $p.url
  ]) | @csv' "$1" >"$2"
