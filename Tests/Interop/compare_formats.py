#!/usr/bin/env python3
"""Days and times in the formats of a document: writes them as JSON, and compares what became of them.

    compare_formats.py list days|times|names
    compare_formats.py make KIND NUMBER BASE       writes BASE.yaml and BASE.json
    compare_formats.py compare KIND NUMBER BASE    reads BASE.csv
"""
import csv
import datetime
import json
import random
import sys

FIRST, DAYS = datetime.date(1600, 1, 1), 146097

# A format of sluice, that of Python's strptime, and whether each text has one form only. What is then
# left over of a wrong text is compared too.
DAY_FORMATS = [
    ("yyyy-MM-dd", "%Y-%m-%d", True),
    ("dd/MM/yyyy", "%d/%m/%Y", True),
    ("MM/dd/yyyy", "%m/%d/%Y", True),
    ("dd.MM.yyyy", "%d.%m.%Y", True),
    ("dd-MM-yyyy", "%d-%m-%Y", True),
    ("yyyyMMdd", "%Y%m%d", True),
    ("ddMMyyyy", "%d%m%Y", True),
    ("yyyy/MM/dd", "%Y/%m/%d", True),
    ("d.M.yyyy", "%d.%m.%Y", False),
    ("yyyy-M-d", "%Y-%m-%d", False),
    ("d MMMM yyyy", "%d %B %Y", False),
    ("MMMM d, yyyy", "%B %d, %Y", False),
    ("dd-MMM-yyyy", "%d-%b-%Y", False),
    ("EEE, dd MMM yyyy", "%a, %d %b %Y", False),
    ("EEEE d LLLL y", "%A %d %B %Y", False),
    ("dd.MM.yy", "%d.%m.%y", True),
    ("yyMMdd", "%y%m%d", True),
    ("yyyy-MM-dd HH:mm:ss", "%Y-%m-%d %H:%M:%S", True),
    ("EEE MMM d HH:mm:ss yyyy", "%a %b %d %H:%M:%S %Y", False),
    ("M/d/yyyy h:mm a", "%m/%d/%Y %I:%M %p", False),
    ("'on' d 'of' MMMM, y", "on %d of %B, %Y", False),
]
TIME_FORMATS = [
    ("HH:mm", "%H:%M", True),
    ("HHmmss", "%H%M%S", True),
    ("h:mm a", "%I:%M %p", False),
    ("HH'h'mm", "%Hh%M", True),
    ("hh.mm.ss a", "%I.%M.%S %p", False),
]
LANGUAGES = ["en", "ru", "de", "fr", "nl", "sv", "es", "it", "pl", "pt"]
LOCALES = {"en": ["en_US", "en_GB"], "de": ["de_DE", "de_AT"], "es": ["es_ES", "es_MX"], "pt": ["pt_BR", "pt_PT"]}
NAME_FORMATS = [
    "d MMMM y", "d MMM y", "LLLL d y", "LLL d y", "EEEE, d MMMM y", "EEE d. MMM y", "EEEEEE d M y",
    "cccc d/M/y", "y MMMM dd",
]


def pieces(day, second):
    """A day as the text of a format, without Python's own writer."""
    month = ["January", "February", "March", "April", "May", "June", "July", "August", "September",
             "October", "November", "December"][day.month - 1]
    weekday = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][day.weekday()]
    hour, minute, seconds = second // 3600, second // 60 % 60, second % 60
    return {
        "yyyy": f"{day.year:04}", "yy": f"{day.year % 100:02}", "y": f"{day.year}",
        "MM": f"{day.month:02}", "M": f"{day.month}", "MMM": month[:3], "MMMM": month, "LLLL": month,
        "dd": f"{day.day:02}", "d": f"{day.day}", "EEE": weekday[:3], "EEEE": weekday,
        "HH": f"{hour:02}", "H": f"{hour}", "h": f"{(hour + 11) % 12 + 1}",
        "hh": f"{(hour + 11) % 12 + 1:02}", "mm": f"{minute:02}", "ss": f"{seconds:02}",
        "a": "AM" if hour < 12 else "PM",
    }


def written(pattern, parts):
    text, index = "", 0
    while index < len(pattern):
        if pattern[index] == "'":
            end = pattern.index("'", index + 1)
            text, index = text + pattern[index + 1:end], end + 1
        elif pattern[index].isalpha():
            end = index
            while end < len(pattern) and pattern[end] == pattern[index]:
                end += 1
            text, index = text + parts[pattern[index:end]], end
        else:
            text, index = text + pattern[index], index + 1
    return text


def damaged(text, chance):
    """A text with one sign changed, left out or added."""
    place = chance.randrange(len(text))
    sign = chance.choice("0123456789/-. ")
    return chance.choice([text[:place] + sign + text[place + 1:], text[:place] + text[place + 1:],
                          text[:place] + sign + text[place:]])


def cases(kind, number):
    """The texts of a format, each with the cell that it is to become; None for a reject."""
    if kind == "names":
        yield from names(number)
        return
    pattern, python, is_exact = (DAY_FORMATS if kind == "days" else TIME_FORMATS)[number]
    chance = random.Random(number)
    seconds = range(0, 86400) if kind == "times" else None
    for n in range(DAYS if kind == "days" else 86400):
        day = FIRST + datetime.timedelta(days=n) if kind == "days" else datetime.date(1900, 1, 1)
        # Each day has another time.
        text = written(pattern, pieces(day, n % 86400 if seconds else n * 7919 % 86400))
        yield text, read(kind, text, python)
        if is_exact and n % 7 == 0:
            wrong = damaged(text, chance)
            # strptime ignores what a strict reader must not.
            value = read(kind, wrong, python)
            if value is not None:
                moment = datetime.datetime.strptime(wrong, python)
                second = moment.hour * 3600 + moment.minute * 60 + moment.second
                if written(pattern, pieces(moment.date(), second)) != wrong:
                    value = None
            # Blanks around a value are none of it, and several are one. Python has no 24:00, and no
            # leap second.
            if wrong == " ".join(wrong.split()) and "24" not in wrong[10 * (kind == "days"):] \
                    and ":60" not in wrong:
                yield wrong, value


def read(kind, text, python):
    try:
        moment = datetime.datetime.strptime(text, python)
    except ValueError:
        return None
    if kind == "days":
        return moment.strftime("%Y-%m-%d").rjust(10, "0")
    return moment.strftime("%H:%M:%S") if moment.second else moment.strftime("%H:%M")


def names(number):
    from babel.dates import format_date

    language = LANGUAGES[number]
    for locale in LOCALES.get(language, [language]):
        for pattern in NAME_FORMATS:
            for n in range(366):
                day = datetime.date(2024, 1, 1) + datetime.timedelta(days=n)
                yield format_date(day, pattern, locale=locale), day.isoformat()


def title(kind, number):
    if kind == "names":
        return f"names in {LANGUAGES[number]}, as CLDR writes them"
    if kind == "times":
        return f"every second of a day as {TIME_FORMATS[number][0]}"
    return f"every day of 400 years as {DAY_FORMATS[number][0]}"


def document(kind, number):
    column = {"kind": "time" if kind == "times" else "day"}
    if kind == "names":
        column |= {"format": NAME_FORMATS, "names": LANGUAGES[number]}
    else:
        column["format"] = (DAY_FORMATS if kind == "days" else TIME_FORMATS)[number][0]
        if "yy" in column["format"].replace("yyyy", ""):
            column["years"] = "1969-2068"
    return {"feed": "formats", "rows": "[]", "columns": {"n": {"kind": "integer"}, "t": column}}


def main():
    command, kind = sys.argv[1:3]
    if command == "list":
        count = {"days": len(DAY_FORMATS), "times": len(TIME_FORMATS), "names": len(LANGUAGES)}[kind]
        for number in range(count):
            print(number, title(kind, number), sep="\t")
        return
    number, base = int(sys.argv[3]), sys.argv[4]
    if command == "make":
        with open(base + ".yaml", "w", encoding="utf-8") as file:
            json.dump(document(kind, number), file)
        with open(base + ".json", "w", encoding="utf-8") as file:
            rows = (json.dumps({"n": n, "t": text}) for n, (text, _) in enumerate(cases(kind, number)))
            file.write("[" + ",\n".join(rows) + "]")
        return
    with open(base + ".csv", encoding="utf-8", newline="") as file:
        found = {int(row["n"]): row["t"] for row in csv.DictReader(file)}
    wrong = total = rejects = 0
    for n, (text, value) in enumerate(cases(kind, number)):
        total += 1
        rejects += value is None
        if found.get(n) != value:
            wrong += 1
            if wrong <= 10:
                print(f"{text!r}: {found.get(n)}, not {value}")
    print(f"{total} texts, {rejects} of them wrong, {wrong} read otherwise")
    if wrong or total < 1000:
        sys.exit(1)


main()
