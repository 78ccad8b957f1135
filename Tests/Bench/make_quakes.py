#!/usr/bin/env python3
"""Writes earthquakes as GeoJSON, laid out as the feeds of USGS are: make_quakes.py FEATURES FILE

One object with a list of features; each has 26 properties, of which most quakes leave some null,
a point of three coordinates and an id. Titles and places are ASCII with escapes in one of three,
UTF-8 in the others; a few hold quotes or a backslash. The same count gives the same bytes.
"""
import generating
from generating import compact, decimal

NETS = ["ci", "nc", "us", "ak", "hv", "uw", "nn", "pr"]
SIDES = ["N", "NNE", "NE", "E", "ESE", "SE", "S", "SSW", "SW", "W", "WNW", "NW"]
PLACES = [
    *("The Geysers, CA", "Ridgecrest, CA", "Anza, CA", "Pāhala, Hawaii", "Volcano, Hawaii"),
    *("Mina, Nevada", "Cañon City, Colorado", "Guánica, Puerto Rico", "Anchorage, Alaska"),
    *("Petropavlovsk-Kamchatskiy, Russia", "Курильские острова", "Neiafu, Tonga", "Ōfunato, Japan"),
    *("San Pedro de Atacama, Chile", "Vrancea, Румыния", "Adak, Alaska", "Maneadero, B.C., MX"),
]
RARE_PLACES = ['"Old Faithful", Wyoming', "Chile\\Argentina border", 'the "Kermadec" ridge']
MAGNITUDES = ["ml", "md", "mb", "mww", "mh"]
KINDS = ["earthquake"] * 30 + ["quarry blast", "explosion", "ice quake"]
SITE = "https://earthquake.usgs.gov"
FIRST = 1_605_916_800_000


def feature(dice, number):
    net = dice.pick(NETS)
    code = f"{73_000_000 + number * 3 + dice.roll(3)}"
    magnitude = decimal(dice, -1, 7)
    around = dice.pick(RARE_PLACES if dice.roll(60) == 0 else PLACES)
    place = f"{1 + dice.roll(120)} km {dice.pick(SIDES)} of {around}"
    time = FIRST - number * 8_731 - dice.roll(8_000)
    felt = 1 + dice.roll(400) if dice.roll(12) == 0 else None
    measured = dice.roll(5) != 0
    other = dice.pick(NETS) if dice.roll(9) == 0 else None
    properties = {
        "mag": magnitude,
        "place": place,
        "time": time,
        "updated": time + 60_000 + dice.roll(90_000_000),
        "tz": None,
        "url": f"{SITE}/earthquakes/eventpage/{net}{code}",
        "detail": f"{SITE}/earthquakes/feed/v1.0/detail/{net}{code}.geojson",
        "felt": felt,
        "cdi": decimal(dice, 1, 9, 1) if felt else None,
        "mmi": decimal(dice, 0, 9, 3) if dice.roll(20) == 0 else None,
        "alert": dice.pick(["green", "green", "yellow"]) if dice.roll(25) == 0 else None,
        "status": dice.pick(["automatic", "reviewed"]),
        "tsunami": int(dice.roll(90) == 0),
        "sig": dice.roll(900),
        "net": net,
        "code": code,
        "ids": f",{net}{code}," + (f"{other}{code}," if other else ""),
        "sources": f",{net}," + (f"{other}," if other else ""),
        "types": ",nearby-cities,origin,phase-data," if measured else ",origin,",
        "nst": 3 + dice.roll(80) if measured else None,
        "dmin": decimal(dice, 0, 3, 4) if measured else None,
        "rms": decimal(dice, 0, 2),
        "gap": 20 + dice.roll(300) if measured else None,
        "magType": dice.pick(MAGNITUDES),
        "type": dice.pick(KINDS),
        "title": f"M {magnitude:.1f} - {place}",
    }
    point = [decimal(dice, -180, 180, 4), decimal(dice, -90, 90, 4), decimal(dice, -3, 600)]
    geometry = {"type": "Point", "coordinates": point}
    return {
        "type": "Feature",
        "properties": properties,
        "geometry": geometry,
        "id": f"{net}{code}",
    }


def pieces(count):
    dice = generating.Dice(1906)
    metadata = {
        "generated": FIRST,
        "url": f"{SITE}/earthquakes/feed/v1.0/summary/all_month.geojson",
        "title": "USGS All Earthquakes, Past Month",
        "status": 200,
        "api": "1.10.3",
        "count": count,
    }
    yield f'{{"type":"FeatureCollection","metadata":{compact(metadata)},"features":['
    for number in range(count):
        text = compact(feature(dice, number), ascii_only=number % 3 == 0)
        yield text if number == 0 else f",\n{text}"
    yield '],"bbox":[-180,-90,-3,180,90,600]}\n'


if __name__ == "__main__":
    generating.write(__doc__, pieces)
