"""A Chromium without a window, and what the checks ask of it."""

import json
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By


class Browser:
    """One browser with its own profile: what a page keeps ends with it."""

    def __init__(self, profile, language="ru", dark=False, width=1280, height=900, scripts=()):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                         "--disable-dev-shm-usage", "--disable-background-networking",
                         "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                         f"--lang={language}", f"--user-data-dir={profile}"):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_script_timeout(60)
        self.resize(width, height)
        self.color(dark)
        for script in scripts:
            self.command("Page.addScriptToEvaluateOnNewDocument", source=script)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def resize(self, width, height=900):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)

    def color(self, dark, media=""):
        self.command("Emulation.setEmulatedMedia", media=media, features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, address):
        # The same page with another name after # would not be loaded.
        self.driver.get("about:blank")
        self.driver.get(address)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        found = self.all(selector)
        assert found, f"nothing is {selector}"
        return found[0]

    def texts(self, selector):
        return self.run("return Array.from(document.querySelectorAll(arguments[0]),"
                        " (one) => one.innerText.replace(/\\s+/g, ' ').trim())", selector)

    def text(self, selector):
        texts = self.texts(selector)
        assert texts, f"nothing is {selector}"
        return texts[0]

    def type(self, text):
        """Types into the search, as one change."""
        self.run("const field = document.getElementById('search'); field.value = arguments[0];"
                 "field.dispatchEvent(new Event('input', {bubbles: true}));", text)

    def follow(self, index=0):
        """Clicks the link to a place, and returns when the page has shown it.

        A page hears of its new address only after the click.
        """
        self.driver.execute_async_script(
            "const [index, done] = arguments;"
            "const link = document.querySelectorAll('.row-link')[index];"
            "if (link.hash === location.hash) { link.click(); done(); return; }"
            "window.addEventListener('hashchange', () => done(), {once: true});"
            "link.click();", index)
        self.one(".place-head")

    def wait(self, script, seconds=60):
        """Waits until a script returns something."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.run(script)
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f"not within {seconds} s: {script}")

    def console(self):
        """What the page and the browser complained of since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """The addresses that were asked for since the last call."""
        asked = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        return asked

    def picture(self, path, selector=None):
        made = (self.one(selector).screenshot_as_png if selector
                else self.driver.get_screenshot_as_png())
        Path(path).write_bytes(made)
