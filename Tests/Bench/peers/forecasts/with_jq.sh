#!/bin/sh
# Forecasts of many cities as CSV, with jq: with_jq.sh INPUT OUTPUT
#
# jq quotes every text.
set -e
jq -r '
  ["city", "country", "instant", "temperature", "feels_like", "pressure", "humidity", "wind",
   "gust", "clouds", "rain", "snow", "description"],
  (.[] | .city as $city | .list[] | .main as $main | [
    $city.name, $city.country, (.dt | todate), $main.temp, $main.feels_like, $main.pressure,
    $main.humidity, .wind.speed, .wind.gust, .clouds.all, .rain["3h"], .snow["3h"],
    .weather[0].description
  ]) | @csv' "$1" >"$2"
