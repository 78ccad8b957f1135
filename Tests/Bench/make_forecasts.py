#!/usr/bin/env python3
"""Writes OpenWeather's 5-day forecasts of many cities: make_forecasts.py CITIES FILE

A list of the API's answers, one on a line, each as the API writes it: 40 elements of three hours,
rain and snow only where some falls, gusts not always, and the city after the list. Descriptions
are in the language of the city. The same count gives the same bytes.
"""
import generating
from generating import compact, decimal

CITIES = [
    ("Saint Petersburg", "RU", 10800), ("Санкт-Петербург", "RU", 10800), ("Мінск", "BY", 10800),
    ("Zürich", "CH", 3600), ("São Paulo", "BR", -10800), ("Kraków", "PL", 3600),
    ("Reykjavík", "IS", 0), ("London", "GB", 0), ("Washington, D.C.", "US", -18000),
    ("東京都", "JP", 32400), ("Lund", "SE", 3600), ("Oslo", "NO", 3600), ("Wien", "AT", 3600),
]
SKIES = {
    "en": ["clear sky", "few clouds", "overcast clouds", "light rain", "light snow"],
    "ru": ["ясно", "небольшая облачность", "пасмурно", "небольшой дождь", "небольшой снег"],
}
CODES = [(800, "Clear", "01"), (801, "Clouds", "02"), (804, "Clouds", "04"),
         (500, "Rain", "10"), (600, "Snow", "13")]
FIRST, STEP, ELEMENTS = 1_605_960_000, 10_800, 40
FIRST_HOUR = 12


def written_time(number):
    """The time of an element as text: 2020-11-21 12:00:00."""
    hours = FIRST_HOUR + 3 * number
    return f"2020-11-{21 + hours // 24} {hours % 24:02}:00:00"


def element(dice, number, language):
    sky = dice.roll(len(CODES))
    code, group, icon = CODES[sky]
    temperature, part = decimal(dice, -15, 15), dice.pick("dn")
    pressure = 990 + dice.roll(45)
    made = {
        "dt": FIRST + STEP * number,
        "main": {
            "temp": temperature,
            "feels_like": decimal(dice, -20, 15),
            "temp_min": temperature,
            "temp_max": decimal(dice, 15, 18),
            "pressure": pressure,
            "sea_level": pressure,
            "grnd_level": pressure - 3,
            "humidity": 40 + dice.roll(61),
            "temp_kf": decimal(dice, 0, 2) if number < 3 else 0,
        },
        "weather": [
            {
                "id": code,
                "main": group,
                "description": SKIES[language][sky],
                "icon": icon + part,
            }
        ],
        "clouds": {"all": dice.roll(101)},
        "wind": {"speed": decimal(dice, 0, 15), "deg": dice.roll(360)},
        "visibility": 10_000 - 500 * dice.roll(4),
        "pop": decimal(dice, 0, 1),
    }
    if dice.roll(4):
        made["wind"]["gust"] = decimal(dice, 1, 25)
    if group in ("Rain", "Snow"):
        made[group.lower()] = {"3h": decimal(dice, 0, 4)}
    return made | {"sys": {"pod": part}, "dt_txt": written_time(number)}


def answer(dice, number):
    name, country, ahead = CITIES[number % len(CITIES)]
    language = "ru" if country in ("RU", "BY") else "en"
    return {
        "cod": "200",
        "message": 0,
        "cnt": ELEMENTS,
        "list": [element(dice, place, language) for place in range(ELEMENTS)],
        "city": {
            "id": 498_000 + number,
            "name": name,
            "coord": {"lat": decimal(dice, -60, 70, 4), "lon": decimal(dice, -180, 180, 4)},
            "country": country,
            "population": dice.roll(5_000_000),
            "timezone": ahead,
            "sunrise": FIRST - 20_000 + dice.roll(3_600),
            "sunset": FIRST + 10_000 + dice.roll(3_600),
        },
    }


def pieces(count):
    dice = generating.Dice(1961)
    yield "["
    for number in range(count):
        yield ("" if number == 0 else ",\n") + compact(answer(dice, number))
    yield "]\n"


if __name__ == "__main__":
    generating.write(__doc__, pieces)
