#!/usr/bin/env python3
"""Writes the sample feeds beside this script.

The committed files are the truth: another zlib may deflate the same text into other bytes. Run
this only to change a sample, and read the difference. Nothing here depends on the clock, on the
locale or on Python's random numbers.
"""
import base64
import json
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).resolve().parent
KEYS = [
    "Населенный пункт",
    "Адрес жилого здания",
    "№ дома",
    "корпус",
    "литер",
    "Период отключения ГВС",
]
ENTRY = b"disconnect_teploset.json"
# 2020-06-25 21:13:10 as MS-DOS writes it: two-second steps, years since 1980.
ENTRY_TIME = 21 << 11 | 13 << 5 | 10 // 2
ENTRY_DATE = (2020 - 1980) << 9 | 6 << 5 | 25


def write(name, text):
    path = HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
    print(f"{path.relative_to(HERE)}: {path.stat().st_size:,} bytes")


# ------------------------------------------------------------------------------ zip and envelope


def zipped(text):
    """One deflated entry with its sizes in the local header, as the API sends it."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = squeeze.compress(text) + squeeze.flush()
    return zip_around(body, len(text), zlib.crc32(text))


def zip_around(body, size, crc):
    """The zip around a deflated entry."""
    # version needed, flags, method, time, date, CRC, both sizes, lengths of name and extra field
    facts = struct.pack(
        "<HHHHHIIIHH",
        *(20, 0, 8, ENTRY_TIME, ENTRY_DATE),
        *(crc, len(body), size, len(ENTRY), 0),
    )
    local = b"PK\x03\x04" + facts + ENTRY
    central = b"PK\x01\x02" + struct.pack("<H", 20) + facts
    central += struct.pack("<HHHII", 0, 0, 0, 0, 0) + ENTRY
    end = struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local) + len(body), 0)
    return local + body + central + b"PK\x05\x06" + end


def envelope(text, others=(), escape_slashes=False):
    """The API's answer around the records; `others` are classifiers that stand before ours."""
    file = base64.b64encode(zipped(text.encode("utf-8"))).decode("ascii")
    line = envelope_around(file, others)
    return line.replace("/", "\\/") if escape_slashes else line


def envelope_around(file, others=()):
    """The API's answer around the base64 text of a zip."""
    ours = {
        "classifierId": 4,
        "classifierName": "График остановок ТЭЦ ТГК-1 2016г",
        "file": file,
        "version": "26",
    }
    answer = {
        "status": "result",
        "responseData": {"classifiers": [*others, ours]},
        "expectedResponseDate": "12.08.2020",
    }
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n"


def pretty(objects):
    """A JSON array out of objects that are lists of (key, JSON text)."""
    bodies = []
    for pairs in objects:
        lines = (f'    {json.dumps(k, ensure_ascii=False)}: {v}' for k, v in pairs)
        bodies.append("  {\n" + ",\n".join(lines) + "\n  }")
    return "[\n" + ",\n".join(bodies) + "\n]\n"


# ------------------------------------------------------------------------------ the small feed

ABSENT = object()


class Raw(str):
    """JSON text that goes into the feed as it is."""


def record(town, street, house, building="", letter="", period="", **more):
    values = (town, street, house, building, letter, period)
    pairs = []
    for key, value in zip(KEYS, values):
        if value is ABSENT:
            continue
        pairs.append((key, value if isinstance(value, Raw) else as_json(value)))
    if more.get("order"):
        pairs = [pairs[index] for index in more["order"]]
    return pairs + more.get("unknown", [])


def as_json(value):
    return json.dumps(value, ensure_ascii=False)


def small_feed():
    spb = "Санкт-Петербург"
    usual = "22.06.2020-05.07.2020"
    return [
        # The two addresses whose ids the contract gives.
        record(spb, "Краснопутиловская", "65", "", "", usual),
        record(spb, "Непокорённых", "15", "1", "А", usual),
        # Houses, buildings and letters.
        record(spb, "Краснопутиловская", "67", None, None, usual),
        record(spb, "Краснопутиловская", "69", ABSENT, ABSENT, usual),
        record(spb, "Наличная", "12/3", "", "Б", "11.05.2020-24.05.2020"),
        record(spb, "Наличная", "0047", "2", "", "11.05.2020-24.05.2020"),
        record(spb, "Московский", "178-180/1", "", "", "11.05.2020-24.05.2020"),
        record(spb, "Стачек", 21, 2, "", "25.05.2020-07.06.2020"),
        record(spb, "Площадь Островского", ABSENT, ABSENT, ABSENT, "25.05.2020-07.06.2020"),
        record(spb, "Площадь Победы", "", "1", "В", "25.05.2020-07.06.2020"),
        record(None, "Савушкина", "104", "", "", "25.05.2020-07.06.2020"),
        # Several periods in one cell.
        record(spb, "Бухарестская", "23", "1", "", "11.05.2020-24.05.2020, 01.08.2020-03.08.2020"),
        record(spb, "Бухарестская", "25", "", "", "11.05.2020-24.05.2020;01.08.2020-03.08.2020;"),
        record(spb, "Бухарестская", "27", "", "", "с 11.05 по 24.05.2020 и с 1.8 по 3.8.2020"),
        record(spb, "Бухарестская", "29", "", "", "11.05.2020-24.05.2020,\r\n\r\n10.08.2020"),
        # No outage at all.
        record(spb, "Дворцовая набережная", "38", "", "", "ГВС сохранено"),
        record("Колпино", "Тверская", "1", "", "", " гвс\u00a0 СОХРАНЕНО "),
        # The many ways to write a period.
        record(spb, "Ветеранов", "3", "1", "", "22.06.2020 \u2013 05.07.2020"),
        record(spb, "Ветеранов", "3", "2", "", "22.06.2020\u201405.07.2020"),
        record(spb, "Ветеранов", "5", "", "", "1.6.2020 по 14.6.2020"),
        record(spb, "Ветеранов", "7", "", "", "с 01.06.2020 г. по 14.06.2020 г."),
        record(spb, "Ветеранов", "9", "", "", "08.06-21.06.2020г"),
        record(spb, "Ветеранов", "11", "", "", "28.12-03.01.2021"),
        record(spb, "Ветеранов", "13", "", "", "08.06.20-21.06.20"),
        record(spb, "Ветеранов", "15", "", "", "2020-06-08 - 2020-06-21"),
        record(spb, "Ветеранов", "17", "", "", "15.07.2020"),
        record(spb, "Ветеранов", "19", "", "", "\u00a029.02.2020\u00a0\u2212\u00a001.03.2020\n"),
        # White space, separators and what other formats would take for their own.
        record(spb + " ", "\u00a0Большая \u00a0 Пороховская  ", " 9 ", "", "", usual),
        record(spb, 'Набережная "Тучкова"', "2", "", "", usual),
        record(spb, "Ленинский, дублёр; чётная сторона", "100", "1", "", usual),
        record(spb, "Садовая\r\nEND:VEVENT\r\nEND:VCALENDAR", "50", "", "", usual),
        record(spb, "Гаванская", "=1+1", "", '=HYPERLINK("x";1)', usual),
        record(spb, "-я линия В.О., 17", "+7", "", "@", usual),
        record(
            "Красное Село",
            "Набережная реки Большой Невки от Каменноостровского проспекта, восточная сторона",
            "1",
            "",
            "",
            usual,
        ),
        # The same house in other letters; the same house and days once more.
        record("САНКТ-ПЕТЕРБУРГ", "Непокоре\u0308нных", "15", "1", "а", "17.08.2020-18.08.2020"),
        record(spb, "Непокоренных", "15", "1", "А", usual),
        record(spb, "Пискаре\u0308вскии\u0306", "20", "", "", "25.05.2020-07.06.2020"),
        # JSON: another order, unknown keys, escapes.
        record(spb, "Пискарёвский", "22", "", "", usual, order=[5, 4, 3, 2, 1, 0]),
        record(
            "Пушкин",
            "Малая",
            "7",
            "",
            "",
            usual,
            unknown=[
                ("район", Raw('{"код": [1, 2.50, {"№ дома": "не тот"}], "имя": null}')),
                ("корпус 2", Raw("true")),
            ],
        ),
        record(
            spb,
            Raw(r'"\u041d\u0435\u0432\u0441\u043a\u0438\u0439 \/ \u0022Дом\t\u043a\u043d\u0438\u0433\u0438\u0022 \\ \ud83d\udebf\u0007"'),
            Raw(r'"2\u0038"'),
            "",
            "",
            usual,
        ),
        # The three that are refused: no such day, end before start, no street.
        record(spb, "Художников", "9", "1", "", "31.06.2020-05.07.2020"),
        record(spb, "Художников", "10", "", "", "05.07.2020-22.06.2020"),
        record(spb, None, "11", "", "", usual),
    ]


# ------------------------------------------------------------------------------ the full feed

TOWNS = ["Санкт-Петербург"] * 28 + ["Колпино", "Пушкин", "Кронштадт", "Петергоф"]
STREETS = """
    Авангардная, Автовская, Академика Байкова, Академика Лебедева, Алтайская, Альпийский,
    Антонова-Овсеенко, Апраксин, Асафьева, Бабушкина, Балканская, Балтийская, Белградская,
    Белоостровская, Белы Куна, Беринга, Благодатная, Блохина, Большая Зеленина, Большая Морская,
    Бонч-Бруевича, Ботаническая, Братская, Бронницкая, Брянцева, Будапештская, Бухарестская,
    Варшавская, Васи Алексеева, Верейская, Верности, Веры Слуцкой, Ветеранов, Витебский, Вознесенский,
    Воронежская, Выборгская, Вязовая, Гаванская, Гагарина, Галерная, Гастелло, Гатчинская,
    Генерала Симоняка, Героев, Глинки, Гороховая, Гражданский, Греческий, Громова, Дальневосточный,
    Двинская, Дегтярная, Депутатская, Детская, Джамбула, Дибуновская, Димитрова, Дрезденская,
    Дунайский, Дыбенко, Евдокима Огнева, Есенина, Ефимова, Железноводская, Жуковского, Заневский,
    Замшина, Заозёрная, Заставская, Зверинская, Зины Портновой, Ивана Фомина, Ивановская, Измайловский,
    Индустриальный, Искровский, Испытателей, Итальянская, Казанская, Каменноостровский, Камышовая,
    Карпинского, Кирочная, Климов, Ковалёвская, Коллонтай, Коломяжский, Композиторов, Королёва,
    Костюшко, Краснопутиловская, Кржижановского, Кубинская, Кузнецовская, Купчинская, Кустодиева,
    Лабораторная, Ланская, Латышских Стрелков, Лёни Голикова, Ленинский, Ленская, Лермонтовский, Лесной,
    Лиговский, Лиственная, Литейный, Ломаная, Луначарского, Маршала Говорова, Маяковского, Металлистов,
    Мечникова, Миргородская, Можайская, Московский, Мытнинская, Народная, Наставников, Науки,
    Непокорённых, Новаторов, Новочеркасский, Обуховской Обороны, Одоевского, Омская, Опочинина, Орбели,
    Осипенко, Отважных, Парашютная, Пархоменко, Передовиков, Пестеля, Пискарёвский, Пловдивская,
    Подольская, Политехническая, Поэтический, Пражская, Пулковское, Ропшинская, Рубинштейна, Руднева,
    Савушкина, Садовая, Свеаборгская, Седова, Сердобольская, Сикейроса, Славы, Солдата Корзуна,
    Среднеохтинский, Стачек, Суворовский, Тамбасова, Танкиста Хрустицкого, Тельмана, Тимуровская,
    Тихорецкий, Товарищеский, Торжковская, Турку, Ударников, Учительская, Фонтанки, Фурштатская,
    Хасанская, Хошимина, Художников, Цимбалина, Чайковского, Черкасова, Шаумяна, Шелгунова, Шостаковича,
    Энгельса, Энтузиастов, Юрия Гагарина, Яхтенная
"""


class Dice:
    """Numbers that look random and are the same everywhere (Lehmer, 48271 modulo 2^31 - 1)."""

    def __init__(self, seed):
        self.state = seed

    def roll(self, sides):
        self.state = self.state * 48271 % 0x7FFFFFFF
        return self.state % sides

    def pick(self, choices):
        return choices[self.roll(len(choices))]


def full_feed(wanted):
    """Streets one after the other, houses ascending, most of a street off in the same fortnight."""
    dice, days = Dice(2020), fortnights()
    streets = [name.strip() for name in STREETS.split(",")]
    records = []
    while len(records) < wanted:
        town, street = dice.pick(TOWNS), streets[len(records) * len(streets) // wanted]
        period, house = dice.pick(days), 1 + dice.roll(2)
        while streets[len(records) * len(streets) // wanted] == street:
            for building in dice.pick([[""], [""], [""], ["1", "2"], ["1", "2", "3"]]):
                letter = dice.pick(["", "", "", "", "", "", "А", "Б"])
                records.append(record(town, street, str(house), building, letter, period))
            house += dice.pick([1, 2, 2, 2, 4])
            if dice.roll(12) == 0:
                period = dice.pick(days)
            if len(records) >= wanted:
                break
    return records[:wanted]


def fortnights():
    """Fourteen fortnights from 11 May 2020 on, a week apart, as the feed writes them."""
    lengths = {5: 31, 6: 30, 7: 31, 8: 31, 9: 30}

    def written(day, month):
        while day > lengths[month]:
            day, month = day - lengths[month], month + 1
        return f"{day:02}.{month:02}.2020"

    return [f"{written(11 + 7 * n, 5)}-{written(24 + 7 * n, 5)}" for n in range(14)]


# ------------------------------------------------------------------------------ bonds

BONDS = """\
{
    "activities": [{
        "title": "ООО \\"Заря\\"; серия 001Р, выпуск 2",
        "currency": "RUB",
        "isin": "RU000A0JX0J2",
        "rating": {"agency": "АКРА", "grades": ["BBB", 2, null]},
        "items": [
            {"date": "2018-09-01T13:00:00+0300", "price": 56.177},
            {"date": "2018-09-01T15:00:00+0300", "price": 59.3040},
            {"date": "2018-09-01T23:30:00+0300", "price": 100},
            {"price": 99.90, "date": "2018-09-02T01:00:00+03:00"},
            {"date": "2018-09-02T10:00:00Z", "price": 0.10},
            {"date": "2018-09-03T10:00:00.250+0300", "price": 98.765432109876543210}
        ]
    }, {
        "isin": "XS0191754729",
        "title": "Gaz Capital 8.625",
        "currency": "USD",
        "items": [
            {"date": "2018-09-01T13:00:00+0300", "price": 117.0050, "volume": 12},
            {"date": "2018-09-01T15:00:00-0500", "price": 117.25},
            {"date": "2018-09-02T13:00:00+0530", "price": -0.5},
            {"date": "2018-12-31T23:59:59+0300", "price": 1.5E+2},
            {"date": "2019-01-01T00:00:00+0300", "price": 117.3},
            {"date": "2020-02-29T13:00:00+0300", "price": 118}
        ]
    }]
}
"""


def main():
    other = {
        "classifierId": 3,
        "classifierName": "Подготовка к отопительному сезону",
        "file": base64.b64encode(b"not the one that is asked for").decode("ascii"),
        "version": "7",
    }
    write("hot-water/feed.json", envelope(pretty(small_feed()), [other], escape_slashes=True))
    write("hot-water/full.json", envelope(pretty(full_feed(13_200))))
    write("bonds/feed.json", BONDS)


if __name__ == "__main__":
    main()
