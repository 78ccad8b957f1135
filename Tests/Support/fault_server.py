#!/usr/bin/env python3
"""Serves answers with named faults over HTTP and HTTPS, for tests.

    fault_server.py [--bind ADDRESS] [--body FILE] [--plain]

The first line of standard output is one JSON object: the port of every listener by name, and under
"ca" the file of the CA that signed the good certificate. A listener is null where the openssl
program is missing, or with --plain. The server is quiet after that and ends when its standard input closes.

The path of a request chooses the fault from the table below; `fault_server.py --list` shows it.
A query is the fault's argument: `/redirects?3` answers the first of three redirects.

To add a fault, write a function that takes a Client and decorate it with its path.
"""

import argparse
import gzip
import json
import os
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from email.utils import formatdate

BODY = b"0123456789abcdef" * 4096
MODIFIED = 1593108790  # 2020-06-25 18:13:10 UTC
FAULTS = {}


def fault(path):
    """Enters the function into the table of faults."""

    def enter(function):
        FAULTS[path] = function
        return function

    return enter


class Client:
    """A connection whose request has been read, and the ways to answer it."""

    def __init__(self, connection, scheme, server):
        self.connection = connection
        self.scheme = scheme
        self.server = server
        self.head = b""
        while b"\r\n\r\n" not in self.head:
            piece = connection.recv(65536)
            if not piece:
                raise ConnectionError("no request")
            self.head += piece
            if self.head[0] == 0x16:  # A TLS handshake where none is spoken.
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                raise ConnectionError("not HTTP")
        self.head, self.body = self.head.split(b"\r\n\r\n", 1)
        self.head += b"\r\n\r\n"
        length = int(self.header("Content-Length") or 0)
        while len(self.body) < length:
            piece = connection.recv(65536)
            if not piece:
                raise ConnectionError("no body")
            self.body += piece
        target = self.head.split(b" ", 2)[1].decode("latin-1")
        self.path, _, self.query = target.partition("?")
        self.target = target

    def header(self, name):
        """A header of the request; None where there is none."""
        for line in self.head.decode("latin-1").split("\r\n")[1:]:
            key, _, value = line.partition(":")
            if key.lower() == name.lower():
                return value.strip()
        return None

    def times(self):
        """How often this very target has been asked for, this time included."""
        return sum(head.split(b" ", 2)[1].decode("latin-1") == self.target
                   for head in self.server.heads)

    def send(self, data):
        self.connection.sendall(data)

    def answer(self, status, *headers, body=None, length=None):
        """Sends status, headers and, unless it is None, the body with its length."""
        lines = [f"HTTP/1.1 {status}", *headers, "Connection: close"]
        if body is not None:
            lines.append(f"Content-Length: {len(body) if length is None else length}")
        self.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (body or b""))

    def chunk(self, data):
        self.send(b"%x\r\n%s\r\n" % (len(data), data))

    def reset(self):
        """Makes the end of the connection a reset."""
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)

    def redirect(self, location, status="302 Found", body=b"elsewhere"):
        self.answer(status, f"Location: {location}", body=body)

    def url(self, path, listener="http", host=None):
        scheme = "http" if listener == "http" else "https"
        return f"{scheme}://{host or self.server.address}:{self.server.ports[listener]}/{path}"


# Good answers


@fault("ok")
def ok(client):
    client.answer("200 OK", body=client.server.body)


@fault("modified")
def modified(client):
    client.answer(
        "200 OK", f"Last-Modified: {formatdate(MODIFIED, usegmt=True)}", body=client.server.body
    )


@fault("chunked")
def chunked(client):
    client.answer("200 OK", "Transfer-Encoding: chunked")
    for start in range(0, len(client.server.body), 5000):
        client.chunk(client.server.body[start : start + 5000])
    client.send(b"0\r\nX-Trailer: fine\r\n\r\n")


@fault("no-length")
def no_length(client):
    client.answer("200 OK")
    client.send(client.server.body)


@fault("identity")
def identity(client):
    client.answer("200 OK", "Content-Encoding: Identity", body=client.server.body)


@fault("interim")
def interim(client):
    client.send(b"HTTP/1.1 103 Early Hints\r\nLocation: /404\r\nContent-Encoding: gzip\r\n\r\n")
    ok(client)


@fault("empty")
def empty(client):
    client.answer("200 OK", body=b"")


@fault("echo")
def echo(client):
    """Answers the request itself."""
    client.answer("200 OK", body=client.head)


@fault("log")
def log(client):
    """Answers the heads of all requests so far, other than for this."""
    heads = [head for head in client.server.heads if not head.startswith(b"GET /log ")]
    client.answer("200 OK", body=b"".join(heads))


@fault("pings")
def pings(client):
    """Answers the pings so far: method, target, the watcher's credentials, and what was posted."""
    client.answer("200 OK", body=json.dumps(client.server.pings).encode())


def watcher(path, answer):
    """Answers pings under this path so, and records them."""

    def hear(client):
        method = client.head.split(b" ", 1)[0].decode()
        client.server.pings.append(
            [method, client.target, client.header("Authorization") or "", client.body.decode()])
        answer(client)

    for news in ("", "/start", "/fail"):
        FAULTS[path + news] = hear


# Answers that depend on what was asked before


@fault("etag")
def etag(client):
    tag = f'"{zlib.crc32(client.server.body):08x}"'
    if client.header("If-None-Match") == tag:
        client.answer("304 Not Modified", f"ETag: {tag}")
    else:
        client.answer("200 OK", f"ETag: {tag}", body=client.server.body)


@fault("since")
def since(client):
    stamp = formatdate(client.server.changed, usegmt=True)
    if client.header("If-Modified-Since") == stamp:
        client.answer("304 Not Modified")
    else:
        client.answer("200 OK", f"Last-Modified: {stamp}", body=client.server.body)


@fault("always-304")
def always_304(client):
    client.answer("304 Not Modified")


@fault("redirect-to-etag")
def redirect_to_etag(client):
    client.redirect("/etag")


@fault("later")
def later(client):
    """Answers well once, and from then on as the path says that is the query."""
    if client.times() == 1:
        return ok(client)
    client.path, _, client.query = client.query.partition("?")
    FAULTS[client.path](client)


def flapping(path, failure, times=2):
    """Fails so many times for one target, then answers well."""

    def answer(client):
        (failure if client.times() <= times else ok)(client)

    FAULTS[path] = answer


def changing(path, *failures):
    """Fails in one way after another, then answers well."""

    def answer(client):
        number = client.times() - 1
        (failures[number] if number < len(failures) else ok)(client)

    FAULTS[path] = answer


def sorry(line, *headers):
    return lambda client: client.answer(line, *headers, body=b"sorry")


# Bodies that end early


@fault("short-body")
def short_body(client):
    client.answer("200 OK", body=client.server.body[:1000], length=len(client.server.body))


def shorter_body(client):
    client.answer("200 OK", body=client.server.body[:500], length=len(client.server.body))


def modified_but_cut(client):
    time = formatdate(MODIFIED, usegmt=True)
    length = len(client.server.body)
    client.answer("200 OK", f"Last-Modified: {time}", body=client.server.body[:1000], length=length)


def later_modified(client):
    time = formatdate(MODIFIED + 86400, usegmt=True)
    client.answer("200 OK", f"Last-Modified: {time}", body=client.server.body)


def whole_but_shorter(client):
    client.answer("200 OK", body=client.server.body[:500])


def other_body(client):
    body = b"[" + client.server.body
    client.answer("200 OK", body=body[:1000], length=len(body))


@fault("cut-chunk")
def cut_chunk(client):
    client.answer("200 OK", "Transfer-Encoding: chunked")
    client.send(b"1000\r\n" + client.server.body[:1000])


@fault("no-last-chunk")
def no_last_chunk(client):
    client.answer("200 OK", "Transfer-Encoding: chunked")
    client.chunk(client.server.body[:1000])


@fault("reset")
def reset(client):
    client.answer("200 OK", body=client.server.body[:1000], length=len(client.server.body))
    time.sleep(0.2)  # A reset overtakes what was not read yet.
    client.reset()


@fault("no-answer")
def no_answer(client):
    """Closes the connection without a word."""


@fault("cut-head")
def cut_head(client):
    client.send(b"HTTP/1.1 200 OK\r\nContent-Le")


@fault("cut-redirect")
def cut_redirect(client):
    client.send(b"HTTP/1.1 302 Found\r\nLocation: /ok\r\nX: ")


@fault("no-length-cut")
def no_length_cut(client):
    """Closes early where nothing but the content can tell."""
    client.answer("200 OK")
    client.send(client.server.body[: len(client.server.body) // 2])


# Encodings


@fault("gzip")
def gzip_encoding(client):
    client.answer("200 OK", "Content-Encoding: gzip", body=gzip.compress(client.server.body))


@fault("gzip-in-name-only")
def gzip_in_name_only(client):
    client.answer("200 OK", "content-encoding:gzip", body=client.server.body)


@fault("gzip-transfer")
def gzip_transfer(client):
    """Compresses the transfer, and ends it in the middle, with an end of chunks."""
    body = gzip.compress(client.server.body)
    client.answer("200 OK", "Transfer-Encoding: gzip, chunked")
    client.chunk(body[: len(body) // 2])
    client.send(b"0\r\n\r\n")


# Too much


@fault("big-headers")
def big_headers(client):
    client.answer("200 OK", *(f"X-{n}: {'x' * 1000}" for n in range(100)), body=client.server.body)


@fault("big-header-line")
def big_header_line(client):
    client.answer("200 OK", f"X: {'x' * 200000}", body=client.server.body)


@fault("endless-headers")
def endless_headers(client):
    client.send(b"HTTP/1.1 200 OK\r\n")
    while True:
        client.send(b"X-More: and more\r\n" * 64)


@fault("endless-interim")
def endless_interim(client):
    while True:
        client.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 64)


@fault("endless-trailers")
def endless_trailers(client):
    client.answer("200 OK", "Transfer-Encoding: chunked")
    client.send(b"0\r\n")
    while True:
        client.send(b"X-More: and more\r\n" * 64)


@fault("endless-body")
def endless_body(client):
    client.answer("200 OK")
    while True:
        client.send(client.server.body)


@fault("huge-length")
def huge_length(client):
    client.answer("200 OK", body=client.server.body, length=1 << 40)


# Too slow


@fault("drip")
def drip(client):
    client.answer("200 OK", body=b"", length=len(client.server.body))
    for byte in client.server.body:
        client.send(bytes([byte]))
        time.sleep(0.1)


@fault("slow-headers")
def slow_headers(client):
    for byte in b"HTTP/1.1 200 OK\r\n" + b"X: x\r\n" * 10000:
        client.send(bytes([byte]))
        time.sleep(0.1)


@fault("silent")
def silent(client):
    client.connection.recv(1)


@fault("stall")
def stall(client):
    """Sends half of the body and then nothing."""
    half = client.server.body[: len(client.server.body) // 2]
    client.answer("200 OK", body=half, length=len(client.server.body))
    client.connection.recv(1)


@fault("steady")
def steady(client):
    """Is never slow and never done."""
    client.answer("200 OK")
    while True:
        client.send(client.server.body[:4096])
        time.sleep(0.1)


# Redirects


@fault("redirects")
def redirects(client):
    """Answers as many redirects as the query says, then the body."""
    left = int(client.query or 1)
    client.redirect(f"/redirects?{left - 1}" if left > 1 else "/ok")


@fault("redirect-to")
def redirect_to(client):
    client.redirect(client.query)


@fault("redirect-loop")
def redirect_loop(client):
    client.redirect("/redirect-loop", "301 Moved Permanently")


@fault("redirect-relative")
def redirect_relative(client):
    client.redirect("a/../ok#part", "307 Temporary Redirect")


@fault("redirect-raw")
def redirect_raw(client):
    """Answers a Location that is not ASCII and has a space."""
    client.redirect("/echo?Санкт Петербург".encode().decode("latin-1"), "308 Permanent Redirect")


@fault("redirect-endless-body")
def redirect_endless_body(client):
    client.answer("302 Found", "Location: /ok")
    while True:
        client.send(client.server.body)


@fault("redirect-short-body")
def redirect_short_body(client):
    client.answer("302 Found", "Location: /ok", body=b"", length=1000)


@fault("redirect-nowhere")
def redirect_nowhere(client):
    client.answer("302 Found", body=b"")


@fault("redirect-malformed")
def redirect_malformed(client):
    client.redirect("http://somebody:secret@[::1")


@fault("redirect-file")
def redirect_file(client):
    client.redirect("file:///etc/passwd")


@fault("redirect-ftp")
def redirect_ftp(client):
    client.redirect("ftp://somebody:secret@127.0.0.1/x")


@fault("redirect-unknown-scheme")
def redirect_unknown_scheme(client):
    client.redirect("gemini://127.0.0.1/x")


@fault("redirect-to-http")
def redirect_to_http(client):
    client.redirect(client.url("ok"))


@fault("redirect-to-https")
def redirect_to_https(client):
    client.redirect(client.url("echo", "https"))


@fault("redirect-other-host")
def redirect_other_host(client):
    """Leads to the same server under another name."""
    client.redirect(client.url(client.query or "echo", host="localhost"))


@fault("redirect-with-credentials")
def redirect_with_credentials(client):
    client.redirect(client.url("echo").replace("://", "://somebody:secret@"))


@fault("redirect-there-and-back")
def redirect_there_and_back(client):
    client.redirect(client.url("redirect-back", host="localhost"))


@fault("redirect-back")
def redirect_back(client):
    client.redirect(client.url("echo"))


# Statuses


def status(path, line, *headers):
    FAULTS[path] = lambda client: client.answer(line, *headers, body=b"sorry")


FAULTS["101"] = lambda client: client.answer("101 Switching Protocols", "Upgrade: x")
status("201", "201 Created")
FAULTS["204"] = lambda client: client.answer("204 No Content")
status("206", "206 Partial Content", "Content-Range: bytes 0-4/10")
status("300", "300 Multiple Choices", "Location: /ok")
FAULTS["304"] = lambda client: client.answer("304 Not Modified")
status("401", "401 Unauthorized", 'WWW-Authenticate: Basic realm="x"')
status("404", "404 Not Found")
status("429-seconds", "429 Too Many Requests", "Retry-After: 17")
status("429-garbage", "429 Too Many Requests", "Retry-After: soon")
status("429-negative", "429 Too Many Requests", "Retry-After: -5")
status("500", "500 Internal Server Error")
status("502", "502 Bad Gateway", "Retry-After: 3")
status("503", "503 Service Unavailable")
status("504", "504 Gateway Timeout")


@fault("429-date")
def too_many_until(client):
    until = formatdate(time.time() + 3600, usegmt=True)
    client.answer("429 Too Many Requests", f"Retry-After: {until}", body=b"sorry")


@fault("429-past")
def too_many_until_past(client):
    past = formatdate(time.time() - 3600, usegmt=True)
    client.answer("429 Too Many Requests", f"Retry-After: {past}", body=b"sorry")


@fault("404-short-body")
def not_found_short_body(client):
    client.answer("404 Not Found", body=b"", length=1000)


# No HTTP


@fault("not-http")
def not_http(client):
    client.send(b"220 mail.example.org ESMTP\r\n")


@fault("bad-length")
def bad_length(client):
    client.answer("200 OK", "Content-Length: many")
    client.send(client.server.body)


@fault("two-lengths")
def two_lengths(client):
    client.answer("200 OK", "Content-Length: 10", body=client.server.body)


@fault("bad-chunk")
def bad_chunk(client):
    client.answer("200 OK", "Transfer-Encoding: chunked")
    client.send(b"zz\r\n" + client.server.body)


flapping("flapping-503", sorry("503 Service Unavailable"))
flapping("flapping-429", sorry("429 Too Many Requests", "Retry-After: 1"), times=1)
flapping("flapping-garbage", sorry("502 Bad Gateway", "Retry-After: soon"), times=1)
flapping("flapping-short", short_body)
flapping("flapping-no-answer", no_answer)
flapping("flapping-reset", reset)
changing("shorter-and-shorter", short_body, shorter_body)
changing("longer-and-longer", shorter_body, short_body)
changing("other-before", other_body)
changing("other-after", short_body, other_body)
changing("shorter-in-the-end", short_body, shorter_body, shorter_body)
changing("later-and-later", modified_but_cut, later_modified)
changing("shrunken", short_body, whole_but_shorter, whole_but_shorter)
flapping("flapping-404", sorry("404 Not Found"))
status("503-much-later", "503 Service Unavailable", "Retry-After: 3600")


watcher("ping", lambda client: client.answer("200 OK", body=b"OK"))
watcher("ping-accepted", lambda client: client.answer("202 Accepted", body=b"OK"))
watcher("ping-404", lambda client: client.answer("404 Not Found", body=b"not found"))
watcher("ping-500", lambda client: client.answer("500 Internal Server Error", body=b"sorry"))
watcher("ping-silent", silent)
watcher("ping-reset", reset)
watcher("ping-endless", endless_body)
watcher("ping-moved", lambda client: client.redirect(client.target.replace("-moved", "")))
watcher("ping-to-file", redirect_file)


class Server:
    """The listeners, each in a thread of its own, as is every connection."""

    def __init__(self, address, body, folder, is_plain):
        self.address = address
        self.file = body
        self.heads = []
        self.pings = []
        self.ports = {}
        self.listen("http", "http")
        self.listen("mute", None)
        is_secure = not is_plain and shutil.which("openssl")
        certificates = Certificates(folder, address) if is_secure else None
        self.ca = certificates and certificates.path("ca.pem")
        for name in ("https", "https-self-signed", "https-expired", "https-wrong-host"):
            context = certificates and certificates.context(name)
            self.ports[name] = None
            if context:
                self.listen(name, "https", context)

    @property
    def body(self):
        """What the good answers hold now: the file may be changed at any time."""
        if self.file is None:
            return BODY
        with open(self.file, "rb") as file:
            return file.read()

    @property
    def changed(self):
        """When the file was changed."""
        return os.stat(self.file).st_mtime

    def listen(self, name, scheme, context=None):
        listener = socket.create_server((self.address, 0), backlog=64)
        self.ports[name] = listener.getsockname()[1]
        run(self.accept, listener, scheme, context)

    def accept(self, listener, scheme, context):
        kept = []
        while True:
            connection, _ = listener.accept()
            if scheme is None:
                kept.append(connection)  # Accepted, and never a word.
            else:
                run(self.serve, connection, scheme, context)

    def serve(self, connection, scheme, context):
        try:
            if context:
                connection = context.wrap_socket(connection, server_side=True)
            client = Client(connection, scheme, self)
            self.heads.append(client.head)
            FAULTS.get(client.path.lstrip("/"), FAULTS["404"])(client)
            if context:
                connection.settimeout(1)
                connection.unwrap()
        except (OSError, ValueError):
            pass  # Most clients here leave early.
        finally:
            connection.close()


class Certificates:
    """A CA and what it signed, made on the spot."""

    def __init__(self, folder, address):
        self.folder = folder
        self.make_ca()
        here = f"IP:{address},DNS:localhost"
        self.sign("https", here, days=2)
        self.sign("https-expired", here, days=-1)
        self.sign("https-wrong-host", "DNS:elsewhere.example", days=2)
        self.openssl(
            "req", "-x509", *self.new_key("https-self-signed"), "-days", "2",
            "-subj", "/CN=self-signed", "-addext", f"subjectAltName={here}",
            "-out", self.path("https-self-signed.pem"),
        )  # fmt: skip

    def make_ca(self):
        self.openssl(
            "req", "-x509", *self.new_key("ca"), "-days", "2", "-subj", "/CN=test CA",
            "-out", self.path("ca.pem"),
        )  # fmt: skip

    def sign(self, name, names, days):
        with open(self.path(name + ".ext"), "w") as file:
            file.write(f"subjectAltName={names}\n")
        self.openssl(
            "req", "-new", *self.new_key(name), "-subj", f"/CN={name}",
            "-out", self.path(name + ".csr"),
        )  # fmt: skip
        self.openssl(
            "x509", "-req", "-in", self.path(name + ".csr"), "-days", str(days),
            "-CA", self.path("ca.pem"), "-CAkey", self.path("ca.key"), "-CAcreateserial",
            "-extfile", self.path(name + ".ext"), "-out", self.path(name + ".pem"),
        )  # fmt: skip

    def new_key(self, name):
        return (
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", self.path(name + ".key"),
        )  # fmt: skip

    def openssl(self, *arguments):
        subprocess.run(("openssl", *arguments), check=True, capture_output=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def context(self, name):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.path(name + ".pem"), self.path(name + ".key"))
        return context


def run(function, *arguments):
    threading.Thread(target=function, args=arguments, daemon=True).start()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bind", default="127.0.0.1", metavar="ADDRESS")
    parser.add_argument("--body", metavar="FILE", help="what the good answers hold, read anew for each")
    parser.add_argument("--plain", action="store_true", help="HTTP alone: making certificates takes a while")
    parser.add_argument("--list", action="store_true", help="show the faults and end")
    options = parser.parse_args()
    if options.list:
        print("\n".join(sorted(FAULTS)))
        return
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.bind, options.body, folder, options.plain)
        print(json.dumps({**server.ports, "ca": server.ca}), flush=True)
        sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
