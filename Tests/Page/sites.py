"""The sites that the page is looked at with."""

import datetime
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "Tests/Support/search"
SAMPLES = ROOT / "Samples"
ADDRESS = [("locality", "locality"), ("street", "street"), ("house", "house"),
           ("building", "building"), ("letter", "letter")]
HOT_WATER = {"feed": "hot-water", "clock": 10800, "made": 1592700000,
             "title": {"ru": "Отключение горячей воды", "en": "Hot water outages"},
             "summary": {"ru": "Нет горячей воды", "en": "No hot water"}}
STATUS = {"format": 1, "version": "0.0.0", "records": 1, "rows": 1, "rejected": 0,
          "confirmed": None, "ran": 1592700000, "next": None, "error": None}


def day(text):
    return (datetime.date.fromisoformat(text[:10]) - datetime.date(1970, 1, 1)).days if text else None


def in_order(text):
    return [f"{int(part):08}" if part.isdigit() else part
            for part in re.findall(r"\d+|[^\W\d]+", text.lower().replace("ё", "е"))]


def script(name, value):
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return f"window.sluice = window.sluice || {{}}; window.sluice.{name} = {text};\n"


def data_of(rows, name, details=(), first=None, last=None, number=None, history=(), **head):
    """The content of data.js for rows. `name` and `details` are their columns."""
    texts = {"": 0}

    def index(value):
        text = value if isinstance(value, str) else "" if value is None else json.dumps(value)
        return texts.setdefault(text, len(texts))

    places = {}
    for row in rows:
        key = tuple("" if row.get(column) is None else str(row[column]) for column, _ in name)
        places.setdefault(key, []).append(row)
    listed, events = [], []
    for key in sorted(places, key=lambda key: [in_order(text) for text in key]):
        listed.append([places[key][0].get(number), *map(index, key)])
        for row in places[key]:
            events.append([len(listed) - 1, day(row.get(first)), day(row.get(last)),
                           *(index(row.get(column)) for column, _ in details)])
    return {"format": 1, "feed": "", "title": {}, "summary": {}, "language": "ru", "clock": 0,
            "made": None, "sources": [], "streets": {}, "files": [], **head,
            "name": [{"column": column, "part": part} for column, part in name],
            "details": [{"column": column, "kind": kind, "label": {}} for column, kind in details],
            "texts": list(texts), "places": listed, "events": events, "history": list(history)}


def write(folder, page, data, status=None):
    """Writes a site: the page's files, and data in place of the program's."""
    folder.mkdir(parents=True)
    for file in page:
        shutil.copy(file, folder)
    if data is not None:
        (folder / "data.js").write_text(script("data", data))
    (folder / "status.js").write_text(script("status", {**STATUS, **(status or {})}))


def hostile():
    markup = '"><img src=x onerror=ran(1)>'
    days = {"start_date": "2020-06-22", "end_date": "2020-07-05"}
    rows = [
        {"locality": "<script>ran(1)</script>", "street": markup, "house": "</script><script>ran(2)",
         "address_id": "../../x", "link": "javascript:ran(3)",
         "note": 'https://example.org/"onclick=ran(4)', **days},
        {"locality": "\u2028\u202e&amp;", "street": "javascript:ran(5)", "house": "1",
         "building": "<b>", "letter": "'\";", "address_id": "a1",
         "link": "data:text/html,<script>ran(6)</script>", "note": "mailto:a@example.org", **days}]
    return data_of(
        rows, ADDRESS, [("link", "text"), ("note", "text")], "start_date", "end_date", "address_id",
        feed="__proto__", title={"ru": "<script>ran(7)</script>", "en": "<script>ran(7)</script>"},
        summary={"ru": markup, "en": markup}, sources=["javascript:ran(8)"],
        files=[{"path": "javascript:ran(9)", "format": "csv", "size": 1},
               {"path": "../../../etc", "format": "<b>", "size": 1}],
        streets={"1/2": "javascript:ran(10)"})


def hostile_rows():
    """The same for a feed of another kind, through the program."""
    markup = '"><img src=x onerror=ran(11)>'
    return [{"town": "</script><script>ran(12)</script>", "road": markup, "number": "'\"",
             "bin": "javascript:ran(13)", "date": "2020-06-24"},
            {"town": "\u2028<!--<script>", "road": "javascript:ran(5)", "number": "1",
             "bin": "<script>ran(1)</script>", "date": "2020-06-24"},
            {"town": "&lt;b&gt;", "road": "../..", "number": "%2e%2e", "bin": markup,
             "date": "2020-06-24"}]


def told():
    """One place with all that a ledger knows."""
    rows = [{"locality": "Санкт-Петербург", "street": "Непокорённых", "house": "15", "building": "1",
             "letter": "А", "start_date": "2020-06-15", "end_date": "2020-06-28", "address_id": "a1"}]
    history = [[0, "moved", day("2020-06-15"), day("2020-06-28"), day("2020-05-25"), day("2020-06-07")],
               [0, "cancelled", day("2020-07-28"), day("2020-07-30"), None, None],
               [0, "ended", day("2020-05-01"), day("2020-05-05"), None, None]]
    return data_of(rows, ADDRESS, (), "start_date", "end_date", "address_id", history, **HOT_WATER)


def of_program(folder, name, arguments):
    """A site as the program writes it."""
    program = Path(os.environ.get("SLUICE", ROOT / ".build/release/sluice")).absolute()
    subprocess.run(
        [program, "convert", *arguments, "-o", f"{folder / name}/"], check=True,
        stderr=subprocess.DEVNULL)


def cancelled():
    """One place whose only days were cancelled."""
    data = told()
    data["events"] = []
    data["history"] = [change for change in data["history"] if change[1] == "cancelled"]
    return data


def make_all(folder):
    """Makes all sites; returns their names."""
    folder.mkdir()
    feeds = sorted(path.stem for path in TABLES.glob("*.yaml"))
    of_program(folder, "city", [SAMPLES / "hot-water/full.json"])
    for name in feeds:
        of_program(folder, name, [TABLES / f"{name}.json", "--feed", TABLES / f"{name}.yaml"])
    for name in ("bonds", "weather"):
        of_program(folder, name, [SAMPLES / name / "feed.json", "--feed", name])
    rows = folder / "hostile.json"
    rows.write_text(json.dumps(hostile_rows()))
    of_program(folder, "hostile-feed", [rows, "--feed", TABLES / "bins.yaml"])

    city = folder / "city"
    page = [path for path in city.iterdir()
            if path.suffix in (".html", ".css", ".js", ".svg") and path.name != "data.js"]
    stale = {"confirmed": 1592800000, "ran": 1592990000, "error": {
        "code": "source: unreachable", "text": {"ru": "сервер не ответил", "en": "no answer"}}}
    write(folder / "stale", page, told(), stale)
    write(folder / "told", page, told())
    write(folder / "cancelled", page, cancelled())
    write(folder / "hostile", page, hostile())
    write(folder / "empty", page, data_of([], [("name", None)], feed="empty"))
    write(folder / "missing", page, None)
    return ["city", *feeds, "bonds", "weather", "hostile-feed", "stale", "told", "cancelled", "hostile",
            "empty"]
