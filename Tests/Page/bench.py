"""What all checks share: the sites, a server for them, and browsers."""

import functools
import http.server
import tempfile
import threading

import sites
from browser import Browser

CHECKS = []


def check(function):
    """Makes a function one of the checks. Its name says what it checks."""
    CHECKS.append(function)
    return function


def same(found, wanted, what=""):
    assert found == wanted, f"{what}: {found!r}, not {wanted!r}"



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
