"""Forecasts of many cities as CSV, with Python's standard library: with_python.py INPUT OUTPUT"""
import csv
import datetime
import functools
import json
import sys

HEADER = (
    "city,country,instant,temperature,feels_like,pressure,humidity,wind,gust,clouds,rain,snow,"
    "description"
).split(",")


@functools.cache
def instant(seconds):
    """Cities have the same hours."""
    time = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def rows(answers):
    nothing = {}
    for answer in answers:
        name, country = answer["city"]["name"], answer["city"]["country"]
        for hour in answer["list"]:
            main, wind = hour["main"], hour["wind"]
            yield (
                name,
                country,
                instant(hour["dt"]),
                main["temp"],
                main["feels_like"],
                main["pressure"],
                main["humidity"],
                wind["speed"],
                wind.get("gust"),
                hour["clouds"]["all"],
                hour.get("rain", nothing).get("3h"),
                hour.get("snow", nothing).get("3h"),
                hour["weather"][0]["description"],
            )


def main():
    source, output = sys.argv[1:]
    with open(source, "rb") as file:
        answers = json.load(file)
    with open(output, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(rows(answers))


main()
