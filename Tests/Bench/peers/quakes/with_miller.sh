#!/bin/sh
# Earthquakes in GeoJSON as CSV, with Miller: with_miller.sh INPUT OUTPUT
#
# The whole document is one record. Digits that are only passed on stay as they are.
set -e
mlr --ijson --ocsv put -q '
  func instant(int at): str {
    str whole = sec2gmt(at // 1000);
    return at % 1000 == 0 ? whole : whole[1:19] . "." . fmtnum(at % 1000, "%03d") . "Z";
  }
  for (feature in $features) {
    map p = feature["properties"];
    var place = feature["geometry"]["coordinates"];
    map row = {
      "id": feature["id"],
      "time": instant(p["time"]),
      "magnitude": p["mag"], "scale": p["magType"], "place": p["place"], "kind": p["type"],
      "status": p["status"],
      "alert": is_null(p["alert"]) ? "" : p["alert"],
      "felt": is_null(p["felt"]) ? "" : p["felt"],
      "tsunami": p["tsunami"],
      "stations": is_null(p["nst"]) ? "" : p["nst"],
      "gap": is_null(p["gap"]) ? "" : p["gap"],
      "longitude": place[1], "latitude": place[2], "depth": place[3],
      "url": p["url"]
    };
    emit row;
  }' "$1" >"$2"
