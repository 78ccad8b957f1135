"""Earthquakes in GeoJSON as CSV, with Python's standard library: with_python.py INPUT OUTPUT"""
import csv
import datetime
import json
import sys

HEADER = (
    "id,time,magnitude,scale,place,kind,status,alert,felt,tsunami,stations,gap,"
    "longitude,latitude,depth,url"
).split(",")
KEYS = "mag magType place type status alert felt tsunami nst gap".split()


def instant(milliseconds):
    seconds, rest = divmod(milliseconds, 1000)
    text = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).isoformat()[:19]
    return f"{text}.{rest:03}Z" if rest else text + "Z"


def rows(features):
    for feature in features:
        properties = feature["properties"]
        yield (
            feature["id"],
            instant(properties["time"]),
            *[properties[key] for key in KEYS],
            *feature["geometry"]["coordinates"],
            properties["url"],
        )


def main():
    source, output = sys.argv[1:]
    with open(source, "rb") as file:
        features = json.load(file)["features"]
    with open(output, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(rows(features))


main()
