#!/usr/bin/env python3
"""Speaks APIs' own paths over HTTP on local data, for tests: JSONPlaceholder's, and those of modules.

    api_server.py DATA [--module FILE]... [--fault FAULT]... [--delay SECONDS] [--key VALUE] [--hold NUMBER]

DATA is a JSON object of lists, JSONPlaceholder's or one like it. The first line of standard output
is one JSON object, {"port": N}. The server is quiet after that and ends when its standard input
closes.

Every list of DATA is answered as json-server 0.17 does: /posts, /photos?_page=2&_limit=20&q=officia,
/photos?_start=20&_limit=20, with X-Total-Count, and Link for pages. A module is a Python file with a
function `routes(server)` that gives {path: function(request) -> Answer}; it is asked first.

Told under way:
  GET  /_counts   what was asked so far: {"requests", "connections", "most", "answered", "paths"}
  POST /_reset    forgets the counts
  POST /_faults   takes a JSON list of faults in place of those that are left
  POST /_data     takes lists in place of those of the same names
  POST /_release  lets the answers go that --hold holds: to request NUMBER, and all after it

A FAULT is KIND:WHERE[:TIMES[:ARGUMENT]]. WHERE is a path, or path?parameter=value ("*" is any
request, "#7" the seventh, ">7" all that follow it); TIMES is how often (0, the default, is always). KIND is one of:
  cut        the connection is cut in the middle of the body (with its whole length announced)
  short      the body ends early and is announced so short: broken JSON
  malformed  JSON with an error in it
  html       a page that says 200
  grow       the list has one row more from now on, and this is answered well
  STATUS     that status, with ARGUMENT as Retry-After where there is one
"""

import argparse
import importlib.util
import json
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


class Answer:
    """What is answered: a status, a value for JSON, and header lines."""

    def __init__(self, value, status=200, headers=()):
        self.status = status
        self.headers = list(headers)
        self.body = value if isinstance(value, bytes) else json.dumps(value, indent=2, ensure_ascii=False).encode()


class Request:
    """A request, taken apart: path, parameters (the last of a name counts), the header lines."""

    def __init__(self, handler):
        parts = urlsplit(handler.path)
        self.target = handler.path
        self.path = parts.path
        self.parameters = dict(parse_qsl(parts.query, keep_blank_values=True))
        self.headers = handler.headers
        self.origin = "http://" + handler.headers.get("Host", "")

    def number(self, name, standard=None):
        try:
            return int(self.parameters[name])
        except (KeyError, ValueError):
            return standard


class Fault:
    """How a request is answered badly, and which."""

    def __init__(self, text):
        kind, _, rest = text.partition(":")
        where, _, rest = rest.partition(":")
        times, _, self.argument = rest.partition(":")
        self.kind = kind
        self.path, _, query = where.partition("?")
        self.parameters = parse_qsl(query, keep_blank_values=True)
        self.left = int(times or 0) or None

    def hits(self, request, number):
        if self.left == 0:
            return False
        if self.path.startswith("#"):
            return number == int(self.path[1:])
        if self.path.startswith(">"):
            return number > int(self.path[1:])
        if self.path not in ("*", request.path):
            return False
        return all(request.parameters.get(name) == value for name, value in self.parameters)


class Counts:
    """What was asked."""

    def __init__(self):
        self.lock = threading.Lock()
        self.reset()

    def reset(self):
        self.requests, self.connections, self.most, self.now = 0, 0, 0, 0
        self.answered, self.paths, self.times = 0, [], []

    def shown(self):
        with self.lock:
            return {
                "requests": self.requests,
                "connections": self.connections,
                "most": self.most,
                "answered": self.answered,
                "paths": self.paths,
                "times": self.times,
            }


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Many small answers over one connection: nothing waits for more to come.
    disable_nagle_algorithm = True
    wbufsize = -1

    def setup(self):
        super().setup()
        self.is_new = True

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/_reset":
            with self.server.counts.lock:
                self.server.counts.reset()
        elif self.path == "/_faults":
            self.server.faults = [Fault(text) for text in json.loads(body)]
        elif self.path == "/_data":
            self.server.data.update(json.loads(body))
        elif self.path == "/_release":
            self.server.released.set()
        self.send(Answer({}))

    def do_GET(self):
        if self.path == "/_counts":
            return self.send(Answer(self.server.counts.shown()))
        request, counts = Request(self), self.server.counts
        with counts.lock:
            counts.requests += 1
            counts.now += 1
            counts.connections += self.is_new
            counts.most = max(counts.most, counts.now)
            counts.paths.append(self.path)
            counts.times.append(time.monotonic())
            number = counts.requests
            fault = next((f for f in self.server.faults if f.hits(request, number)), None)
            if fault and fault.left:
                fault.left -= 1
        self.is_new = False
        try:
            if self.server.hold and number >= self.server.hold:
                self.server.released.wait()
            if self.server.delay:
                time.sleep(self.server.delay)
            if fault and fault.kind == "grow":
                rows = self.server.data[request.path.strip("/")]
                rows.append(dict(rows[-1], id=len(rows) + 1))
                fault = None
            answer = self.server.answer(request)
            if fault:
                self.fail(fault, answer)
            else:
                with counts.lock:
                    counts.answered += answer.status == 200
                self.send(answer)
        finally:
            with counts.lock:
                counts.now -= 1

    def send(self, answer, length=None):
        self.send_response(answer.status)
        for name, value in answer.headers:
            self.send_header(name, value)
        if not any(name.lower() == "content-type" for name, _ in answer.headers):
            self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(answer.body) if length is None else length))
        self.end_headers()
        self.wfile.write(answer.body)
        self.wfile.flush()

    def fail(self, fault, answer):
        kind = fault.kind
        if kind == "cut":
            whole = len(answer.body)
            answer.body = answer.body[: whole // 2]
            self.send(answer, whole)
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        elif kind == "short":
            answer.body = answer.body[: len(answer.body) // 2]
            self.send(answer)
        elif kind == "malformed":
            answer.body = answer.body.replace(b":", b"=", 1)
            self.send(answer)
        elif kind == "html":
            answer.body = b"<!DOCTYPE html><html><title>Sorry</title></html>"
            answer.headers = [("Content-Type", "text/html")]
            self.send(answer)
        else:
            status = int(kind)
            headers = [("Retry-After", fault.argument)] if fault.argument else []
            self.send(Answer({"message": "no"}, status, headers))


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, document, modules, faults, delay, key, hold):
        super().__init__(("127.0.0.1", 0), Handler)
        # The bytes of DATA as they are, for modules that answer with all of it.
        self.document = document
        self.data = json.loads(document)
        self.faults = [Fault(text) for text in faults]
        self.delay = delay
        # The answers to this request, counted from 1, and to all after it wait.
        self.hold = hold
        self.released = threading.Event()
        # What a module takes for the right key of its API.
        self.key = key
        self.counts = Counts()
        self.routes = {}
        for module in modules:
            self.routes.update(module.routes(self))

    def handle_error(self, request, address):
        # A client that goes away is what some tests are about.
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, address)

    def answer(self, request):
        if request.path in self.routes:
            return self.routes[request.path](request)
        rows = self.data.get(request.path.strip("/"))
        return Answer({}, 404) if rows is None else rows_answer(rows, request)


def rows_answer(rows, request):
    """A list, searched and cut as json-server 0.17 does it."""
    term = request.parameters.get("q")
    if term is not None:
        rows = [row for row in rows if holds(row, term.lower())]
    headers = []
    limit = request.number("_limit")
    if "_page" in request.parameters:
        page, size = max(1, request.number("_page", 1)), max(1, limit or 10)
        headers = [("X-Total-Count", str(len(rows)))]
        last = max(1, -(-len(rows) // size))
        names = [("first", 1), ("prev", page - 1), ("next", page + 1), ("last", last)]
        links = [
            f'<{request.origin}{with_page(request.target, number)}>; rel="{name}"'
            for name, number in names
            if 1 <= number <= last and not (name in ("first", "prev") and page == 1 and last == 1)
        ]
        if len(rows) > size:
            headers.append(("Link", ", ".join(links)))
        rows = rows[(page - 1) * size : page * size]
    elif "_start" in request.parameters or limit is not None:
        headers = [("X-Total-Count", str(len(rows)))]
        start = request.number("_start", 0)
        rows = rows[start : None if limit is None else start + limit]
    return Answer(rows, headers=headers)


def with_page(target, number):
    parts = urlsplit(target)
    query = [f"_page={number}" if p.startswith("_page=") else p for p in parts.query.split("&")]
    return f"{parts.path}?{'&'.join(query)}"


def holds(value, term):
    if isinstance(value, dict):
        return any(holds(inner, term) for inner in value.values())
    if isinstance(value, list):
        return any(holds(inner, term) for inner in value)
    return term in str(value).lower()


def load(path):
    spec = importlib.util.spec_from_file_location("module", path)
    module = importlib.util.module_from_spec(spec)
    # A module makes its answers of the same class.
    module.Answer = Answer
    spec.loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("data")
    parser.add_argument("--module", action="append", default=[])
    parser.add_argument("--fault", action="append", default=[])
    parser.add_argument("--delay", type=float, default=0)
    parser.add_argument("--key")
    parser.add_argument("--hold", type=int)
    arguments = parser.parse_args()
    with open(arguments.data, "rb") as file:
        document = file.read()
    modules = [load(path) for path in arguments.module]
    server = Server(document, modules, arguments.fault, arguments.delay, arguments.key, arguments.hold)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"port": server.server_address[1]}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
