#!/bin/sh
# Forecasts of many cities as CSV, with Miller: with_miller.sh INPUT OUTPUT
#
# Digits that are only passed on stay as they are.
set -e
mlr --ijson --ocsv put -q '
  for (hour in $list) {
    map main = hour["main"];
    num at = hour["dt"];
    map row = {
      "city": $city["name"], "country": $city["country"], "instant": sec2gmt(at),
      "temperature": main["temp"], "feels_like": main["feels_like"],
      "pressure": main["pressure"], "humidity": main["humidity"],
      "wind": hour["wind"]["speed"], "gust": hour["wind"]["gust"] ?? "",
      "clouds": hour["clouds"]["all"],
      "rain": hour["rain"]["3h"] ?? "", "snow": hour["snow"]["3h"] ?? "",
      "description": hour["weather"][1]["description"]
    };
    emit row;
  }' "$1" >"$2"
