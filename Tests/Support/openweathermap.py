"""OpenWeatherMap's own paths, as a module of api_server.py.

    api_server.py Samples/weather/feed.json --module openweathermap.py --key KEY

/data/2.5/forecast answers for a city of the list below with the sample, every temperature some
degrees higher or lower; /geo/1.0/direct finds these cities by the beginnings of their names. The
bad answers are the API's own: no key, another key, no city of this name. Where the real data is
present (../shared/data/openweathermap), "London" and the names in REAL are answered with it;
"Nirvana" answers with an error that says 200.
"""

import json
import os
from decimal import Decimal

SHARED = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../../shared/data/openweathermap")
REAL = {
    "london": "forecast-3h.json",
    "malformed": "forecast-malformed.json",
    "server error": "server-error.json",
}
# In Russian, in English, the part of the country, the country, how many degrees warmer.
CITIES = [
    ("Минск", "Minsk", "Minsk City", "BY", "0"),
    ("Москва", "Moscow", "Moscow", "RU", "-4.5"),
    ("Гродно", "Grodno", "Grodno Region", "BY", "0.85"),
    ("Гродзец", "Grodziec", "Silesian Voivodeship", "PL", "2.2"),
    ("Брест", "Brest", "Brest Region", "BY", "1.3"),
    ("Гомель", "Gomel", "Gomel Region", "BY", "-0.4"),
    ("Витебск", "Vitebsk", "Vitebsk Region", "BY", "-1.75"),
    ("Могилёв", "Mogilev", "Mogilev Region", "BY", "-0.9"),
    ("Новосибирск", "Novosibirsk", "Novosibirsk Oblast", "RU", "-15.03"),
    ("Казань", "Kazan", "Tatarstan", "RU", "-6.1"),
    ("Пермь", "Perm", "Perm Krai", "RU", "-9"),
    ("Нью-Йорк", "New York", "New York", "US", "9.4"),
]


def routes(server):
    return {
        "/data/2.5/forecast": lambda request: keyed(server, request, forecast),
        "/geo/1.0/direct": lambda request: keyed(server, request, suggestions),
    }


def keyed(server, request, answer):
    if request.parameters.get("appid") != (server.key or "key"):
        return Answer({"cod": 401, "message": "Invalid API key. Please see https://openweathermap.org/faq#error401 for more info."}, 401)
    if not request.parameters.get("q"):
        return Answer({"cod": "400", "message": "Nothing to geocode"}, 400)
    return answer(server, request)


def folded(name):
    return name.strip().lower().replace("ё", "е")


def forecast(server, request):
    name, _, country = request.parameters["q"].partition(",")
    if folded(name) == "nirvana":
        return Answer({"cod": "500", "message": "Internal error: no such state"})
    if folded(name) in REAL:
        try:
            with open(os.path.join(SHARED, REAL[folded(name)]), "rb") as file:
                return Answer(file.read())
        except OSError:
            return Answer({"cod": "404", "message": "city not found"}, 404)
    for city in CITIES:
        if folded(name) in (folded(city[0]), folded(city[1])) and country.strip() in ("", city[3]):
            return Answer(warmer(server.data, city))
    return Answer({"cod": "404", "message": "city not found"}, 404)


def warmer(sample, city):
    # Sums have the digits that people expect.
    answer = json.loads(json.dumps(sample), parse_float=Decimal)
    for row in answer["list"]:
        row["main"]["temp"] = Decimal(row["main"]["temp"]) + Decimal(city[4])
    answer["city"]["name"] = city[0]
    answer["city"]["country"] = city[3]
    return json.dumps(answer, ensure_ascii=False, default=float).encode()


def suggestions(server, request):
    text = folded(request.parameters["q"])
    limit = request.number("limit", 1)
    found = [
        {
            "name": city[1],
            "local_names": {"ru": city[0], "en": city[1]},
            "lat": 53.9,
            "lon": 27.56,
            "country": city[3],
            "state": city[2],
        }
        for city in CITIES
        if folded(city[0]).startswith(text) or folded(city[1]).startswith(text)
    ]
    return Answer(found[:limit])
