#!/bin/sh
# Earthquakes in GeoJSON as CSV, with Miller: with_miller.sh INPUT OUTPUT
#
# The whole document is one record. Digits that are only passed on stay as they are.
set -e
mlr --ijson --ocsv put -q '
  for (feature in $features) {
    map p = feature["properties"];
    var place = feature["geometry"]["coordinates"];
    num at = p["time"];
    map row = {
      "id": feature["id"],
      "time": at % 1000 == 0 ? sec2gmt(at // 1000) : sec2gmt(at / 1000, 3),
      "magnitude": p["mag"], "scale": p["magType"], "place": p["place"], "kind": p["type"],
      "status": p["status"], "alert": p["alert"], "felt": p["felt"], "tsunami": p["tsunami"],
      "stations": p["nst"], "gap": p["gap"],
      "longitude": place[1], "latitude": place[2], "depth": place[3],
      "url": p["url"]
    };
    emit row;
  }' "$1" >"$2"
