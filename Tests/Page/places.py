"""A place: its days, its links, a reminder; and data that wishes harm."""

import shutil
import subprocess

from bench import check, same


@check
def a_place_tells_its_days_and_what_changed(bench):
    with bench.browser(language="en") as browser:
        browser.open(bench.address("told"))
        browser.follow()
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
        # A place that lost its days is not forgotten.
        browser.open(bench.address("cancelled"))
        same(browser.texts(".row del, .row .chip"), ["28–30 July 2020", "cancelled"])
        browser.follow()
        same(browser.text(".hero-main"), "cancelled")


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
            same(browser.texts(".row-days"),
                 ["15–28 июня 2020", "перенесено с 25 мая – 7 июня 2020"])
            same(browser.text(".row-house"), "дом 15 корпус 1 литер А")


@check
def links_and_the_qr_code_have_the_address_of_the_page(bench):
    with bench.browser() as browser:
        browser.open(bench.address("city"))
        browser.type("Непокорённых 15к1")
        browser.follow()
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
        if not shutil.which("zbarimg"):
            print("  SKIPPED: the QR code, for zbarimg is not here")
            return
        for choice, text in ((0, page), (1, webcal)):
            browser.run("document.querySelectorAll('input[name=qr]')[arguments[0]].click()", choice)
            path = bench.folder / "qr.png"
            browser.run("document.querySelector('.qr').scrollIntoView()")
            browser.picture(path, ".qr")
            read = subprocess.run(["zbarimg", "-q", "--raw", path], capture_output=True, text=True)
            same(read.stdout.strip(), text, "QR code")


@check
def the_address_of_a_place_opens_it(bench):
    with bench.browser() as browser:
        browser.open(bench.address("city"))
        browser.type("Непокорённых 15к1")
        address = browser.run("return document.querySelector('.row-link').href")
        browser.open(address)
        assert "Непокорённых" in browser.text(".place-name")
        # A place without a number is known by its name.
        browser.open(bench.address("stations"))
        browser.type("Museum Island")
        browser.open(browser.run("return document.querySelector('.row-link').href"))
        assert "Museum Island" in browser.text(".place-name")


@check
def a_reminder_is_a_calendar(bench):
    with bench.browser(language="en") as browser:
        browser.open(bench.address("city", "2020-05-01"))
        browser.type("Непокорённых 15к1")
        browser.follow()
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
def a_page_from_a_disk_needs_no_server(bench):
    with bench.browser() as browser:
        browser.open(bench.folder.joinpath("sites/city/index.html").as_uri() + "?today=2020-06-20")
        browser.type("Садовая 14")
        browser.follow()
        assert "Садовая" in browser.text(".place-name")
        same(browser.all(".qr"), [])
        same([one for one in browser.run("return Array.from(document.links, (one) => one.href)")
              if one.startswith(("webcal:", "https://calendar", "https://outlook"))], [])
        downloads = browser.run("return Array.from(document.querySelectorAll('.place a[download]'),"
                                " (one) => one.href)")
        assert downloads and all(one.startswith("file:///") for one in downloads), downloads
        same(browser.console(), [], "console")


@check
def hostile_data_is_text(bench):
    with bench.browser() as browser:
        for address in (bench.address("hostile", "2020-06-24"),
                        bench.address("hostile-feed", "2020-06-24"),
                        bench.folder.joinpath("sites/hostile/index.html").as_uri(),
                        bench.folder.joinpath("sites/hostile-feed/index.html").as_uri()):
            browser.open(address)
            for index in range(len(browser.all(".row-link"))):
                browser.follow(index=index)
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
            text = browser.run("return document.body.innerText")
            assert "javascript:ran(5)" in text and "<script>" in text and '"><img src=x' in text, text


@check
def nothing_is_asked_of_others_and_nothing_complains(bench):
    with bench.browser() as browser:
        browser.requests()
        for site in bench.sites:
            browser.open(bench.address(site))
            if browser.all(".row-link"):
                browser.follow()
            browser.type("15")
            same(browser.console(), [], f"{site}: console")
            asked = [url for url in browser.requests()
                     if not url.startswith((f"{bench.base}{site}/", "about:", "chrome:"))]
            same(asked, [], f"{site}: requests")
