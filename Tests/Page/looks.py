"""How the page looks: states, languages, sizes, paper, and the rules of accessibility."""

from axe import axe_script
from bench import check, same


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
                    browser.follow()
                    same(browser.run("return document.scrollingElement.scrollWidth"), width,
                         f"a place of {site} at {width}")
        browser.resize(320)
        browser.open(bench.address("city"))
        browser.type("Садовая 14")
        browser.follow()
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
                            if not browser.all(".row-link"):
                                browser.one(".group-toggle").click()
                            browser.follow()
                            ask_axe(f"place of {site}")
                    browser.open(bench.address("city"))
                    browser.type("Садовая 1")
                    ask_axe("search")
                    browser.type("ъъъъъъъъ")
                    ask_axe("nothing found")
