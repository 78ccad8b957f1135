#!/usr/bin/python3
"""Looks at the page of a site as a reader does, in Chromium.

    check.py [NAME...]      all checks, or those whose names have one of these texts
    SLUICE=PATH             the program that writes the sites (default .build/release/sluice)

Prints a line for each check, and the times of a city. Ends with 1 if one failed.
"""

import functools
import http.server
import os
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

import sites
from axe import axe_script
from browser import Browser

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "Tests/Support/search"
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the sites below /a/b/ only."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".ics": "text/calendar"}

    def translate_path(self, path):
        if not path.startswith("/a/b/"):
            return "/nowhere"
        return super().translate_path(path[len("/a/b"):])

    def log_message(self, *_):
        pass


class Bench:
    """The sites, a server for them, and browsers."""

    def __init__(self, folder):
        self.folder = folder
        self.sites = sites.make_all(folder / "sites")
        handler = functools.partial(Quiet, directory=str(folder / "sites"))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{self.server.server_port}/a/b/"

    def address(self, site, today="2020-06-20", place=""):
        query = f"?today={today}" if today else ""
        return f"{self.base}{site}/{query}{place}"

    def browser(self, **options):
        return Browser(tempfile.mkdtemp(dir=self.folder), **options)


def same(found, wanted, what=""):
    assert found == wanted, f"{what}: {found!r}, not {wanted!r}"


FIRST_PLACE = """
const {data, words} = window.sluice;
const texts = (place) => data.name.map((_, index) => data.texts[place[index + 1]] || "");
const finder = window.sluice.search.makeFinder(words, data.name, data.places, texts);
return arguments[0].map((query) => {
  const {places} = finder.find(query);
  return places.length ? texts(data.places[places[0]]).join("|") : "-";
});
"""


def table(name):
    for line in (TABLES / f"{name}.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


@check
def search_finds_what_the_tables_say(bench):
    with bench.browser() as browser:
        for name in sorted(path.stem for path in TABLES.glob("*.tsv")):
            # A table without a feed of its own is of the city, and leaves its locality out.
            site = name if name in bench.sites else "city"
            browser.open(bench.address(site))
            rows = list(table(name))
            found = browser.run(FIRST_PLACE, [query for query, _ in rows])
            if site == "city":
                found = [one.partition("|")[2] or one for one in found]
            bad = [f"{query}: {place}, not {wanted}"
                   for (query, wanted), place in zip(rows, found) if place != wanted]
            assert not bad, f"{name}: " + "; ".join(bad)


@check
def search_shows_the_place_while_typing(bench):
    with bench.browser() as browser:
        browser.open(bench.address("city"))
        for query, name in (("Непокорённых 15к1", "Непокорённых дом 15 корпус 1"),
                            ("ytgjrjhtyys[ 15", "Непокорённых дом 15 корпус 1"),
                            ("sadovaya 14", "Садовая дом 14")):
            browser.type(query)
            assert name in browser.text(".row-name"), browser.text(".row-name")
            same(browser.text("#clear") is not None, True)
        browser.type("Непокорённых 1")
        same(browser.text(".lead"), "Такого дома в данных нет. Ближайшие на этой улице:")
        assert "дом 1" in browser.text(".row-name")
        browser.type("ъъъъъъъъъъ")
        same(browser.text(".empty-title"), "Ничего не нашлось")
        same(browser.text("#count"), "Ничего не нашлось")
        browser.wait("return document.getElementById('live').textContent === 'Ничего не нашлось'")
        browser.type("")
        assert "адрес" in browser.text("#count")


@check
def a_city_is_fast(bench):
    with bench.browser() as browser:
        browser.open(bench.address("city"))
        times = browser.run("""
          const field = document.getElementById("search");
          const times = [];
          for (const word of ["Непокорённых 15к1", "sadovaya 14", "ytgjrjhtyys[", "Индустриальный"]) {
            for (let end = 1; end <= word.length; end += 1) {
              field.value = word.slice(0, end);
              const start = performance.now();
              field.dispatchEvent(new Event("input", {bubbles: true}));
              document.body.offsetHeight;
              times.push(performance.now() - start);
            }
          }
          return times;""")
        loads = []
        for _ in range(3):
            browser.open(bench.address("city"))
            loads.append(browser.run(
                "return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"))
        print(f"  a city: shown after {min(loads):.0f} ms; a key: at most {max(times):.0f} ms,"
              f" {sum(times) / len(times):.0f} ms in the middle")
        # No test of a time: but a page that hangs is no page.
        assert max(times) < 5000 and min(loads) < 20000


@check
def stars_seen_and_searches_survive_a_reload(bench):
    with bench.browser() as browser:
        browser.open(bench.address("city"))
        browser.type("Садовая 14")
        browser.one(".row .star").click()
        same(browser.one(".row .star").get_attribute("aria-pressed"), "true")
        browser.one(".row-link").click()
        browser.wait("return document.querySelector('.place-name')")
        same(browser.one(".place .star").get_attribute("aria-pressed"), "true")
        browser.open(bench.address("city"))
        same(browser.texts(".recent-one"), ["Садовая 14"])
        same(browser.text(".group-first .row-title"), "Избранное")
        assert "Садовая дом 14" in browser.text(".group-first .row-name")
        same(browser.texts(".group-first .note"), ["просмотрено"])
        browser.one("[data-choice=starred]").click()
        same(len(browser.all(".row")), 1, "only favourites")
        browser.one("[data-choice=starred]").click()
        browser.one(".recent-one").click()
        assert "Садовая дом 14" in browser.text(".row-name")
        # Another feed of the same server has its own.
        browser.open(bench.address("bins"))
        same(browser.all(".group-first, .recent-one"), [])
        browser.open(bench.address("city"))
        browser.one(".recent-forget").click()
        browser.one(".group-first .star").click()
        browser.open(bench.address("city"))
        same(browser.all(".group-first, .recent-one"), [])


@check
def a_place_whose_days_change_is_marked(bench):
    with bench.browser() as browser:
        browser.open(bench.address("told"))
        browser.one(".row-link").click()
        browser.open(bench.address("told"))
        same(browser.texts(".note"), ["просмотрено"])
        browser.run("const key = 'sluice:' + window.sluice.data.feed;"
                    "const kept = JSON.parse(localStorage.getItem(key));"
                    "for (const name in kept.seen) kept.seen[name] = 'other';"
                    "localStorage.setItem(key, JSON.stringify(kept));")
        browser.open(bench.address("told"))
        same(browser.texts(".note"), ["даты изменились"])


@check
def a_browser_that_keeps_nothing_shows_all_the_same(bench):
    deny = ("Object.defineProperty(window, 'localStorage',"
            " {get() { throw new DOMException('denied', 'SecurityError'); }});")
    with bench.browser(scripts=[deny]) as browser:
        browser.open(bench.address("city"))
        browser.type("Садовая 14")
        browser.one(".row .star").click()
        same(browser.one(".row .star").get_attribute("aria-pressed"), "true")
        browser.type("")
        same(browser.text(".group-first .row-title"), "Избранное")
        browser.one("#languages [lang=en]").click()
        same(browser.text(".group-first .row-title"), "Favourites")
        same(browser.console(), [], "console")
    garbage = "localStorage.setItem('sluice:hot-water', '{\"stars\": 5, \"seen\": [1], \"searches\": {}}');"
    with bench.browser(scripts=[f"try {{ {garbage} }} catch {{}}"]) as browser:
        browser.open(bench.address("city"))
        assert "адрес" in browser.text("#count")
        same(browser.console(), [], "console")


@check
def nothing_is_asked_of_others_and_nothing_complains(bench):
    with bench.browser() as browser:
        browser.requests()
        for site in bench.sites:
            browser.open(bench.address(site))
            if browser.all(".row-link"):
                browser.run("document.querySelector('.row-link').click()")
                browser.wait("return document.querySelector('.place-head')")
            browser.type("15")
            same(browser.console(), [], f"{site}: console")
            asked = [url for url in browser.requests()
                     if not url.startswith((f"{bench.base}{site}/", "about:", "chrome:"))]
            same(asked, [], f"{site}: requests")


@check
def hostile_data_is_text(bench):
    with bench.browser() as browser:
        for address in (bench.address("hostile", "2020-06-24"),
                        bench.folder.joinpath("sites/hostile/index.html").as_uri()):
            browser.open(address)
            for index in range(len(browser.all(".row-link"))):
                browser.run("document.querySelectorAll('.row-link')[arguments[0]].click()", index)
                browser.wait("return document.querySelector('.place-head')")
                for query in ("<script>", '"><img', "javascript", "1"):
                    browser.type(query)
                browser.type("")
                found = browser.run("""
                  const own = (script) => /^[a-z]+[.]js$/.test(script.getAttribute("src"));
                  const listeners = Array.from(document.querySelectorAll("*"), (one) =>
                    one.getAttributeNames().filter((name) => /^(on|style$)/.test(name))).flat();
                  return {
                    ran: window.ran || null,
                    scripts: Array.from(document.scripts).filter((one) => !own(one)).length,
                    images: document.querySelectorAll("img, iframe, object, b, i").length,
                    listeners: listeners.filter((name) => name !== "style").length,
                    links: Array.from(document.links, (one) => one.protocol),
                  };""")
                links = set(found.pop("links"))
                same(found, {"ran": None, "scripts": 0, "images": 0, "listeners": 0})
                allowed = {"http:", "https:", "mailto:", "webcal:", "file:"}
                assert links <= allowed, links
            same(browser.console(), [], "console")
        browser.open(bench.address("hostile", "2020-06-24"))
        text = browser.run("return document.body.innerText")
        for part in ("<script>ran(1)</script>", '"><img src=x onerror=ran(1)>', "javascript:ran(5)"):
            assert part in text, part


@check
def a_page_from_a_disk_needs_no_server(bench):
    with bench.browser() as browser:
        browser.open(bench.folder.joinpath("sites/city/index.html").as_uri() + "?today=2020-06-20")
        browser.type("Садовая 14")
        browser.run("document.querySelector('.row-link').click()")
        assert "Садовая" in browser.text(".place-name")
        same(browser.all(".qr"), [])
        same([one for one in browser.run("return Array.from(document.links, (one) => one.href)")
              if one.startswith(("webcal:", "https://calendar", "https://outlook"))], [])
        downloads = browser.run("return Array.from(document.querySelectorAll('.place a[download]'),"
                                " (one) => one.href)")
        assert downloads and all(one.startswith("file:///") for one in downloads), downloads
        same(browser.console(), [], "console")


@check
def links_and_the_qr_code_have_the_address_of_the_page(bench):
    with bench.browser() as browser:
        browser.open(bench.address("city"))
        browser.type("Непокорённых 15к1")
        browser.run("document.querySelector('.row-link').click()")
        browser.wait("return document.querySelector('.place-head')")
        place = browser.run("return decodeURIComponent(location.hash.slice(2))")
        calendar = f"{bench.base}city/house/{place}.ics"
        links = browser.run("return Array.from(document.querySelectorAll('.place a'),"
                            " (one) => one.href)")
        webcal = calendar.replace("http:", "webcal:")
        assert webcal in links and calendar in links, links
        quoted = webcal.replace(":", "%3A").replace("/", "%2F")
        assert any(link.startswith("https://calendar.google.com/") and quoted in link
                   for link in links), links
        assert any(link.startswith("https://outlook.live.com/") for link in links), links
        page = f"{bench.base}city/#/{place}"
        same(browser.run("return Array.from(document.querySelectorAll('.copy input'),"
                         " (one) => one.value)"), [calendar, page])
        for choice, text in ((0, page), (1, webcal)):
            browser.run("document.querySelectorAll('input[name=qr]')[arguments[0]].click()", choice)
            path = bench.folder / "qr.png"
            browser.run("document.querySelector('.qr').scrollIntoView()")
            browser.picture(path, ".qr")
            read = subprocess.run(["zbarimg", "-q", "--raw", path], capture_output=True, text=True)
            same(read.stdout.strip(), text, "QR code")
        # The page opens at the place by that address.
        browser.open(page)
        assert "Непокорённых" in browser.text(".place-name")


@check
def a_reminder_is_a_calendar(bench):
    with bench.browser(language="en") as browser:
        browser.open(bench.address("city", "2020-05-01"))
        browser.type("Непокорённых 15к1")
        browser.run("document.querySelector('.row-link').click()")
        browser.wait("return document.querySelector('#remind')")
        browser.run("window.made = null; URL.createObjectURL = (blob) => {"
                    " blob.text().then((text) => { window.made = text; }); return '#/'; };"
                    "document.querySelector('#remind').parentElement.querySelector('button').click()")
        text = browser.wait("return window.made")
        lines = text.split("\r\n")
        for line in ("BEGIN:VCALENDAR", "DTSTART;VALUE=DATE:20200518", "DTEND;VALUE=DATE:20200601",
                     "TRIGGER:-PT5H", "SUMMARY:No hot water", "END:VCALENDAR"):
            assert line in lines, f"{line}: {text}"
        assert all(len(line.encode()) <= 75 for line in lines)


@check
def a_place_tells_its_days_and_what_changed(bench):
    with bench.browser(language="en") as browser:
        browser.open(bench.address("told"))
        browser.one(".row-link").click()
        same(browser.text(".hero-what"), "No hot water")
        same(browser.text(".hero-main"), "9 days left")
        same(browser.text(".hero-days"), "until 28 June 2020")
        lines = browser.texts(".days")
        same(lines, ["1–5 May 2020 from earlier data",
                     "15–28 June 2020 14 days, 9 days left moved from 25 May – 7 June 2020",
                     "28–30 July 2020 cancelled"])
        label = browser.one(".timeline").get_attribute("aria-label").replace("\u00a0", " ")
        assert "15–28 June 2020" in label and "moved from" in label, label
        same(len(browser.all(".bar")), 4)


@check
def days_are_said_as_people_say_them(bench):
    said = {"2020-06-03": ("через 12 дней", "soon"), "2020-06-14": ("завтра", "soon"),
            "2020-05-31": ("через 15 дней", "later"), "2020-06-24": ("ещё 5 дней", "now"),
            "2020-06-28": ("сегодня последний день", "now"),
            "2020-06-29": ("закончилась вчера", "over"),
            "2020-07-20": ("закончилась 22 дня назад", "over"),
            "2022-07-20": ("закончилась больше года назад", "over")}
    with bench.browser() as browser:
        for today, (text, kind) in said.items():
            browser.open(bench.address("told", today))
            same(browser.text(".row .chip"), text, today)
            assert browser.all(f".row .chip-{kind} .sign-{kind}"), today
            same(browser.text(".row-days"), "15–28 июня 2020")
            same(browser.text(".row-house"), "дом 15 корпус 1 литер А")


@check
def the_state_of_the_data_is_told(bench):
    with bench.browser() as browser:
        browser.open(bench.address("stale"))
        assert ("Верно на 22 июня 2020, 07:26. С тех пор источник не отвечал: сервер не ответил."
                in browser.texts(".message")), browser.texts(".message")
        browser.open(bench.address("told", None))
        assert "Все даты в данных уже прошли. Новых пока нет." in browser.texts(".message")
        assert "Данные от 21 июня 2020" in browser.text(".foot")
        browser.open(bench.address("empty"))
        same(browser.text(".empty-title"), "В данных нет ни одного места")
        same(browser.console(), [], "console")
        browser.open(bench.address("missing"))
        same(browser.text("#title"), "Нет данных")


@check
def the_language_is_the_browsers_or_the_readers(bench):
    with bench.browser(language="en") as browser:
        browser.open(bench.address("city"))
        same(browser.text("#title"), "Hot water outages")
        same(browser.run("return document.documentElement.lang"), "en")
        browser.one("#languages [lang=ru]").click()
        same(browser.text("#title"), "Отключение горячей воды")
        browser.open(bench.address("city"))
        same(browser.run("return document.documentElement.lang"), "ru")
        missing = browser.run("const {ru, en} = window.sluice.texts.keys;"
                              "return ru.filter((key) => !en.includes(key))"
                              ".concat(en.filter((key) => !ru.includes(key)))")
        same(missing, [], "texts in one language only")


@check
def places_are_sorted_and_chosen(bench):
    with bench.browser() as browser:
        browser.open(bench.address("city"))
        for kind in ("now", "soon", "later", "over"):
            browser.one(f"[data-choice={kind}]").click()
            browser.run("document.querySelector('#order').value = 'begin';"
                        "document.querySelector('#order').dispatchEvent(new Event('change'))")
            chips = browser.run("return Array.from(document.querySelectorAll('.row .chip'),"
                                " (one) => one.className)")
            assert chips and set(chips) == {f"chip chip-{kind}"}, (kind, set(chips))
        browser.one("[data-choice=later]").click()
        days = browser.texts(".row .chip")
        ahead = [int(day.split()[1]) for day in days]
        same(ahead, sorted(ahead))
        before = len(days)
        browser.run("document.querySelector('.results .more').scrollIntoView()")
        browser.wait(f"return document.querySelectorAll('.row').length > {before}")
        # The order stays, the state does not.
        browser.open(bench.address("city"))
        same(browser.run("return document.querySelector('#order').value"), "begin")
        same(browser.one("[data-choice=all]").get_attribute("aria-pressed"), "true")


@check
def a_keyboard_is_enough(bench):
    from selenium.webdriver.common.keys import Keys
    with bench.browser() as browser:
        def press(*keys):
            for key in keys:
                browser.driver.switch_to.active_element.send_keys(key)

        browser.open(bench.address("city"))
        press(Keys.TAB)
        same(browser.run("return document.activeElement.id"), "skip")
        press(Keys.ENTER)
        same(browser.run("return document.activeElement.id"), "results")
        press("/")
        same(browser.run("return document.activeElement.id"), "search")
        press("Садовая 14", Keys.ARROW_DOWN)
        same(browser.run("return document.activeElement.className"), "row-link")
        press(Keys.ARROW_UP)
        same(browser.run("return document.activeElement.id"), "search")
        press(Keys.ARROW_DOWN, Keys.ENTER)
        browser.wait("return document.activeElement.id === 'place'")
        assert "Садовая" in browser.text(".place-name")
        browser.run("document.getElementById('search').focus()")
        press(Keys.ESCAPE)
        same(browser.run("return document.getElementById('search').value"), "")
        press("Непокорённых 15к1", Keys.ENTER)
        browser.wait("return document.querySelector('.place-name').innerText.includes('Непокор')")
        outline = browser.run("document.querySelector('.row-link').focus();"
                              "return getComputedStyle(document.activeElement).outlineStyle")
        same(outline, "solid")


@check
def small_screens_and_paper_have_room(bench):
    with bench.browser() as browser:
        for site in bench.sites:
            if site == "missing":
                continue
            for width in (320, 360, 768, 1280):
                browser.resize(width)
                browser.open(bench.address(site))
                same(browser.run("return document.scrollingElement.scrollWidth"), width,
                     f"{site} at {width}")
                if browser.all(".row-link"):
                    browser.run("document.querySelector('.row-link').click()")
                    browser.wait("return document.querySelector('.place-head')")
                    same(browser.run("return document.scrollingElement.scrollWidth"), width,
                         f"a place of {site} at {width}")
        browser.resize(320)
        browser.open(bench.address("city"))
        browser.type("Садовая 14")
        browser.one(".row-link").click()
        browser.wait("return document.querySelector('.back')")
        same(browser.one("#browse").is_displayed(), False)
        browser.one(".back").click()
        browser.wait("return getComputedStyle(document.getElementById('browse')).display !== 'none'")
        same(browser.run("return document.activeElement.className"), "row-link")
        browser.color(False, "print")
        same(browser.one(".search").is_displayed(), False)
        same(browser.one(".row-name").is_displayed(), True)


@check
def no_rule_of_accessibility_is_broken(bench):
    script = axe_script(bench.folder)
    if script is None:
        print("  SKIPPED: axe is not here, and PyPI cannot be reached")
        return
    ask = ("const done = arguments[arguments.length - 1];"
           "axe.run(document).then((found) => done(found.violations.map((one) =>"
           " one.id + ': ' + one.nodes.map((node) => node.html).slice(0, 3).join(' '))));")
    for language in ("ru", "en"):
        for dark in (False, True):
            for width in (1280, 320):
                with bench.browser(language=language, dark=dark, width=width) as browser:
                    def ask_axe(what):
                        browser.run(script)
                        found = browser.driver.execute_async_script(ask)
                        same(found, [], f"{what}, {language}, dark {dark}, {width}")

                    for site in ("city", "stale", "bins", "bonds", "empty"):
                        browser.open(bench.address(site))
                        ask_axe(f"list of {site}")
                        if browser.all(".row-link, .group-toggle"):
                            browser.run("const link = document.querySelector('.row-link'); if (link) "
                                        "link.click(); else { document.querySelector('.group-toggle')"
                                        ".click(); document.querySelector('.row-link').click(); }")
                            browser.wait("return document.querySelector('.place-head')")
                            ask_axe(f"place of {site}")
                    browser.open(bench.address("city"))
                    browser.type("Садовая 1")
                    ask_axe("search")
                    browser.type("ъъъъъъъъ")
                    ask_axe("nothing found")


def main(names):
    chosen = [one for one in CHECKS if not names or any(name in one.__name__ for name in names)]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="sluice-page.") as folder:
        bench = Bench(Path(folder))
        for one in chosen:
            start = time.monotonic()
            try:
                one(bench)
                said = "ok"
            except Exception:
                failed += 1
                said = "FAILED"
                traceback.print_exc()
            print(f"{said}: {one.__name__.replace('_', ' ')} ({time.monotonic() - start:.1f} s)",
                  flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
