#!/usr/bin/env python3
"""Says what `sluice convert` must write: a second, plain reading of CONTRACT.md.

    oracle.py [--feed hot-water|bonds] [INPUT|-] [--csv F] [--csv-excel F] [--ndjson F] [--ics F]
              [--rejects F] [--stats F] [--where FIELD=VALUE]... [--from DAY] [--to DAY]
              [--lang ru|en] [--alarm 1d]... [--calendar-name TEXT] [--max-rejects N|N%]
              [--allow-rejects] [--entry NAME]

INPUT is the API's envelope, a zip, a JSON document or base64 text. The whole of it is held in
memory, every rule stands in a function of its own, and nothing is fast: this program is there to
be read. Its exit codes are those of the contract (0, 3, 64, 65, 66).
"""
import argparse
import base64
import binascii
import datetime
import io
import itertools
import json
import os
import re
import sys
import unicodedata
import zipfile

HOUR = 3600
KIB64 = 64 * 1024


class Broken(Exception):
    """The data is broken as a whole: exit 65."""


class Usage(Exception):
    """The command line is wrong: exit 64."""


class Reject(Exception):
    """One record is refused."""

    def __init__(self, reason, field, value):
        super().__init__(reason)
        self.reason, self.field, self.value = reason, field, value


# --------------------------------------------------------------------------- JSON with positions


class Node:
    """A JSON value: its kind, where its text lies in the document, and what it holds.

    `value` is the text of a string, the digits of a number, a list of nodes (array), or a list of
    (key, node) in their order, repeated keys kept (object).
    """

    __slots__ = ("kind", "start", "end", "value")

    def __init__(self, kind, start, end, value=None):
        self.kind, self.start, self.end, self.value = kind, start, end, value


class JSONReader:
    """Reads one RFC 8259 document out of bytes."""

    SPACE = re.compile(rb"[ \t\n\r]*")
    NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
    STRING = re.compile(rb'"([^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*)"', re.DOTALL)
    LITERALS = ((b"true", "true"), (b"false", "false"), (b"null", "null"))

    def __init__(self, text):
        self.text = text

    def document(self):
        start = 3 if self.text.startswith(b"\xef\xbb\xbf") else 0
        node = self.read(self.skip(start), 0)
        end = self.skip(node.end)
        if end != len(self.text):
            raise Broken(f"json: byte {end}: text after the document")
        return node

    def skip(self, at):
        return self.SPACE.match(self.text, at).end()

    def byte(self, at):
        return self.text[at : at + 1]

    def read(self, at, depth):
        if depth > 512:
            raise Broken(f"json: byte {at}: nested too deeply")
        first = self.byte(at)
        if first == b"{":
            return self.read_object(at, depth)
        if first == b"[":
            return self.read_array(at, depth)
        if first == b'"':
            return self.read_string(at)
        for word, kind in self.LITERALS:
            if self.text.startswith(word, at):
                return Node(kind, at, at + len(word))
        number = self.NUMBER.match(self.text, at)
        if number:
            return Node("number", at, number.end(), number.group().decode("ascii"))
        raise Broken(f"json: byte {at}: no value here")

    def read_string(self, at):
        match = self.STRING.match(self.text, at)
        if not match:
            raise Broken(f"json: byte {at}: not a string")
        try:
            value = match.group(1).decode("utf-8")
            if "\\" in value:
                value = json.loads('"' + value + '"')
            value.encode("utf-8")  # a lone surrogate fails here
        except ValueError as error:
            raise Broken(f"json: byte {at}: {error}") from None
        return Node("string", at, match.end(), value)

    def read_array(self, at, depth):
        items, here = [], self.skip(at + 1)
        if self.byte(here) == b"]":
            return Node("array", at, here + 1, items)
        while True:
            items.append(self.read(here, depth + 1))
            here = self.skip(items[-1].end)
            if self.byte(here) == b"]":
                return Node("array", at, here + 1, items)
            if self.byte(here) != b",":
                raise Broken(f"json: byte {here}: neither , nor ]")
            here = self.skip(here + 1)

    def read_object(self, at, depth):
        pairs, here = [], self.skip(at + 1)
        if self.byte(here) == b"}":
            return Node("object", at, here + 1, pairs)
        while True:
            key = self.read_string(here)
            here = self.skip(key.end)
            if self.byte(here) != b":":
                raise Broken(f"json: byte {here}: no : after a key")
            value = self.read(self.skip(here + 1), depth + 1)
            pairs.append((key.value, value))
            here = self.skip(value.end)
            if self.byte(here) == b"}":
                return Node("object", at, here + 1, pairs)
            if self.byte(here) != b",":
                raise Broken(f"json: byte {here}: neither , nor }}")
            here = self.skip(here + 1)


def member(node, key):
    """The one value of a key in an object; None where the key is absent."""
    if node.kind != "object":
        raise Broken(f"json: byte {node.start}: an object was expected")
    found = [value for name, value in node.value if name == key]
    if len(found) > 1:
        raise Broken(f"json: byte {found[1].start}: {key} is there twice")
    return found[0] if found else None


# --------------------------------------------------------------------------- from INPUT to JSON


class Source:
    """The JSON bytes of the feed, and when they were last changed (seconds since 1970)."""

    def __init__(self, path, feed, entry):
        self.entry = entry
        self.changed = None
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            try:
                with open(path, "rb") as file:
                    data = file.read()
                    self.changed = int(os.fstat(file.fileno()).st_mtime)
            except FileNotFoundError:
                print(f"oracle: no such input: {path}", file=sys.stderr)
                sys.exit(66)
        self.json = self.unwrap(data, feed)

    def unwrap(self, data, feed):
        if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            return self.unzip(data)
        first = data.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")[:1]
        if first == b"[":
            return data
        if first == b"{":
            return self.unwrap_envelope(data) if feed == "hot-water" else data
        return self.unwrap_base64(data)

    def unwrap_base64(self, data):
        """Decodes the standard alphabet; what comes out is a zip or bare JSON."""
        try:
            plain = base64.b64decode(re.sub(rb"[ \t\r\n]", b"", data), validate=True)
        except binascii.Error as error:
            raise Broken(f"base64: {error}") from None
        if plain.startswith(b"PK"):
            return self.unzip(plain)
        return plain

    def unwrap_envelope(self, data):
        document = JSONReader(data).document()
        status = member(document, "status")
        if status is None or status.value != "result":
            raise Broken(f"source: status {status and status.value}")
        classifiers = member(member(document, "responseData"), "classifiers").value
        mine = []
        for classifier in classifiers:
            number = member(classifier, "classifierId")
            if number is not None and number.kind == "number" and number.value == "4":
                mine.append(classifier)
        if len(mine) != 1:
            raise Broken(f"envelope: {len(mine)} classifiers 4")
        payload = member(mine[0], "file")
        if payload is None or payload.kind != "string":
            raise Broken("envelope: no file")
        return self.unwrap_base64(payload.value.encode("utf-8"))

    def unzip(self, data):
        """Reads the one data entry; folders, symbolic links and __MACOSX/ do not count."""
        try:
            archive = zipfile.ZipFile(io.BytesIO(data))
            entries = [
                info
                for info in archive.infolist()
                if not info.is_dir()
                and not info.filename.startswith("__MACOSX/")
                and (info.external_attr >> 28) != 0o12
            ]
            if self.entry is not None:
                entries = [info for info in entries if info.filename == self.entry]
            if len(entries) != 1:
                raise Broken(f"unzip: {len(entries)} entries to choose from")
            plain = archive.read(entries[0])
        except (zipfile.BadZipFile, NotImplementedError) as error:
            raise Broken(f"unzip: {error}") from None
        try:
            moment = datetime.datetime(*entries[0].date_time, tzinfo=datetime.timezone.utc)
            self.changed = int(moment.timestamp()) - 3 * HOUR  # the entry's time is UTC+3
        except ValueError:
            pass  # a month 0: this archive does not know
        return plain


def stamp(changed):
    """DTSTAMP: SOURCE_DATE_EPOCH, else what the source says, else 1970."""
    if os.environ.get("SOURCE_DATE_EPOCH"):
        changed = int(os.environ["SOURCE_DATE_EPOCH"])
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=changed or 0)
    return moment.strftime("%Y%m%dT%H%M%SZ")


# --------------------------------------------------------------------------- text

# Unicode White_Space (PropList.txt); Python's str.split() takes U+001C to U+001F too.
WHITE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
WHITE_RUN = re.compile(f"[{WHITE}]+")
BREAKS = "\n\x0b\x0c\r\x85\u2028\u2029"


def tidy(text):
    """Trims and makes inner white space one space."""
    return WHITE_RUN.sub(" ", text).strip(" ")


def fold(text):
    """Makes a text comparable as address_id compares: case, composed й and ё, ё as е."""
    lower = "".join("i" if c == "\u0130" else c.lower() for c in text)  # the simple mapping
    lower = lower.replace("\u0438\u0306", "\u0439").replace("\u0435\u0308", "\u0451")
    return lower.replace("\u0451", "\u0435")


def fnv1a64(data):
    number = 0xCBF29CE484222325
    for byte in data:
        number = ((number ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return number


def address_id(fields):
    """The number of an address out of locality, street, house, building and letter."""
    joined = "\x1f".join(fold(field or "") for field in fields)
    return f"{fnv1a64(joined.encode('utf-8')):016x}"


# --------------------------------------------------------------------------- the period

PARTS = re.compile(f"[{WHITE}]+и[{WHITE}]+|[,;]|[{BREAKS}]")
ONE_DAY = (
    r"(?:(?P<{0}Y>[0-9]{{4}})-(?P<{0}M>[0-9]{{2}})-(?P<{0}D>[0-9]{{2}})"
    r"|(?P<{0}d>[0-9]{{1,2}})\.(?P<{0}m>[0-9]{{1,2}})(?:\.(?P<{0}y>[0-9]{{4}}|[0-9]{{2}}))?)"
    r"(?: ?г\.?)?"
)
DASH = "[-\u2010-\u2015\u2212]"
PERIOD = re.compile(f"(?:с ?)?{ONE_DAY.format('a')}(?: ?{DASH} ?| ?по ?){ONE_DAY.format('b')}")
ALONE = re.compile(ONE_DAY.format("a"))


def day_parts(match, name):
    """Year (None where left out), month and day of one of a match's days."""
    if match[name + "Y"]:
        return int(match[name + "Y"]), int(match[name + "M"]), int(match[name + "D"])
    year = match[name + "y"]
    if year is not None:
        year = int(year) + (2000 if len(year) == 2 else 0)
    return year, int(match[name + "m"]), int(match[name + "d"])


def is_no_outage(text):
    return fold(tidy(text)) == "гвс сохранено"


def read_periods(text):
    """The periods of a cell as (first day, last day); a ValueError names the reason."""
    periods = []
    for part in PARTS.split(fold(text)):
        part = tidy(part)
        if part:
            periods.append(read_period(part))
    if not periods:
        raise ValueError("not-a-period")
    return periods


def read_period(part):
    match = PERIOD.fullmatch(part)
    if match:
        first, last = day_parts(match, "a"), day_parts(match, "b")
    else:
        match = ALONE.fullmatch(part)
        if not match:
            raise ValueError("not-a-period")
        first = last = day_parts(match, "a")
    if last[0] is None:
        raise ValueError("not-a-period")
    if first[0] is None:
        over_new_year = first[1:] > last[1:]
        first = (last[0] - 1 if over_new_year else last[0], *first[1:])
    try:
        start, end = datetime.date(*first), datetime.date(*last)
    except ValueError:
        raise ValueError("no-such-day") from None
    if end < start:
        raise ValueError("end-before-start")
    return start, end


# --------------------------------------------------------------------------- instants, decimals

INSTANT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?)"
    r"(?:([Zz])|([+-][0-9]{2}):?([0-9]{2}))"
)


def read_instant(text):
    """An instant as RFC 3339, and the day written in it; None where it is none."""
    match = INSTANT.fullmatch(text)
    if not match:
        return None
    day, time, zulu, hours, minutes = match.groups()
    try:
        date = datetime.date.fromisoformat(day)
    except ValueError:
        return None
    if int(time[0:2]) > 23 or int(time[3:5]) > 59 or int(time[6:8]) > 60:
        return None
    if not zulu and (int(hours[1:]) > 23 or int(minutes) > 59):
        return None
    return f"{day}T{time}" + ("Z" if zulu else f"{hours}:{minutes}"), date


def read_decimal(text):
    return text if JSONReader.NUMBER.fullmatch(text.encode("utf-8")) else None


# --------------------------------------------------------------------------- records

HOT_WATER_KEYS = {
    "Населенный пункт": "locality",
    "Адрес жилого здания": "street",
    "№ дома": "house",
    "корпус": "building",
    "литер": "letter",
    "Период отключения ГВС": "period",
}
ADDRESS = ["locality", "street", "house", "building", "letter"]
PERIOD_KEY = "Период отключения ГВС"
BOND_KEYS = {"isin": "isin", "title": "title", "currency": "currency"}
ITEM_KEYS = {"date": "date", "price": "price"}


class Fields:
    """What a record says in the feed's columns, and the first thing that is wrong with it."""

    def __init__(self, document):
        self.document = document
        self.raw = {}  # column: the text as it came; absent and null are not in it
        self.seen = set()
        self.problem = None

    def take(self, node, keys):
        """Adds the keys of one object; the first value of a repeated key stays."""
        for key, value in node.value:
            if key not in keys:
                continue
            problem = None
            if key in self.seen:
                problem = "duplicate-key"
            elif value.kind in ("string", "number"):
                self.raw[keys[key]] = value.value
            elif value.kind != "null":
                problem = "wrong-kind"
            self.seen.add(key)
            if problem and not self.problem:
                self.problem = Reject(problem, key, self.shown(value))

    def shown(self, value):
        """A value for the rejects file: text as it is, anything else as its raw JSON."""
        if value.kind == "null":
            return None
        if value.kind in ("string", "number"):
            return value.value
        return cut(self.document[value.start : value.end])

    def text(self, column):
        """The tidied text of a column, None where it is missing."""
        return tidy(self.raw.get(column, "")) or None


def cut(raw):
    """The first 64 KiB of a raw text, not ending inside a character."""
    return raw[:KIB64].decode("utf-8", errors="ignore")


class Row:
    def __init__(self, values, first, last):
        self.values = values  # column: text or None
        self.first, self.last = first, last


class HotWater:
    name = "hot-water"
    columns = ADDRESS + ["start_date", "end_date", "address_id"]
    text_columns = ADDRESS + ["address_id"]
    where_columns = ADDRESS + ["address_id"]
    keys = set(HOT_WATER_KEYS)

    def records(self, document, root):
        """Yields (node of the record, its fields)."""
        if root.kind != "array":
            raise Broken("normalize: an array of records was expected")
        for node in root.value:
            fields = Fields(document)
            if node.kind == "object":
                fields.take(node, HOT_WATER_KEYS)
            else:
                fields.problem = Reject("not-an-object", None, None)
            yield node, fields

    def is_skipped(self, fields):
        return is_no_outage(fields.raw.get("period", "")) and not (
            fields.problem and fields.problem.field == PERIOD_KEY
        )

    def where_value(self, fields, column):
        if column == "address_id":
            return address_id([fields.text(name) for name in ADDRESS])
        return fields.text(column)

    def rows(self, fields):
        if fields.problem:
            raise fields.problem
        if fields.text("street") is None:
            raise Reject("missing-value", "Адрес жилого здания", None)
        if fields.text("period") is None:
            raise Reject("missing-value", PERIOD_KEY, None)
        try:
            periods = read_periods(fields.raw["period"])
        except ValueError as error:
            raise Reject(str(error), PERIOD_KEY, fields.raw["period"]) from None
        values = {name: fields.text(name) for name in ADDRESS}
        values["address_id"] = address_id([values[name] for name in ADDRESS])
        return [
            Row(dict(values, start_date=first.isoformat(), end_date=last.isoformat()), first, last)
            for first, last in periods
        ]


class Bonds:
    name = "bonds"
    columns = ["isin", "title", "currency", "date", "price"]
    text_columns = ["isin", "title", "currency"]
    where_columns = ["isin", "title", "currency"]
    keys = set(BOND_KEYS) | set(ITEM_KEYS)

    def records(self, document, root):
        activities = member(root, "activities")
        if activities is None or activities.kind != "array":
            raise Broken("normalize: no array activities")
        bonds = activities.value
        # One bond shows that the way to the items is right, be there none.
        ways = [member(bond, "items") for bond in bonds if bond.kind == "object"]
        if bonds and not any(way is not None and way.kind in ("array", "null") for way in ways):
            raise Broken("normalize: no bond has items")
        for bond in bonds:
            if bond.kind != "object":
                fields = Fields(document)
                fields.problem = Reject("not-an-object", None, None)
                yield bond, fields
                continue
            keys = [key for key, _ in bond.value]
            if "items" not in keys:
                continue
            for key in keys[keys.index("items") :]:
                if key in BOND_KEYS:
                    raise Broken(f"normalize: {key} arrives after its items")
            items = member(bond, "items")
            if items.kind == "null":
                continue
            if items.kind != "array":
                fields = Fields(document)
                fields.take(bond, BOND_KEYS)
                shown = fields.shown(items)
                fields.problem = fields.problem or Reject("wrong-kind", "items", shown)
                yield items, fields
                continue
            for node in items.value:
                fields = Fields(document)
                fields.take(bond, BOND_KEYS)
                if node.kind == "object":
                    fields.take(node, ITEM_KEYS)
                else:
                    fields.problem = Reject("not-an-object", None, None)
                yield node, fields

    def is_skipped(self, fields):
        return False

    def where_value(self, fields, column):
        return fields.text(column)

    def rows(self, fields):
        if fields.problem:
            raise fields.problem
        for column in ("isin", "date", "price"):
            if fields.text(column) is None:
                raise Reject("missing-value", column, None)
        instant = read_instant(fields.text("date"))
        if instant is None:
            raise Reject("not-an-instant", "date", fields.raw["date"])
        price = read_decimal(fields.text("price"))
        if price is None:
            raise Reject("not-a-decimal", "price", fields.raw["price"])
        values = {name: fields.text(name) for name in ("isin", "title", "currency")}
        values["date"], day = instant
        values["price"] = price
        return [Row(values, day, day)]


class Wanted:
    """--where, --from and --to."""

    def __init__(self, feed, options):
        self.feed = feed
        self.where = {}
        for condition in options.where:
            column, equals, value = condition.partition("=")
            if not equals or column not in feed.where_columns:
                raise Usage(f"--where {condition}")
            self.where.setdefault(column, set()).add(fold(tidy(value)))
        self.first = iso_day(options.first) if options.first else datetime.date.min
        self.last = iso_day(options.last) if options.last else datetime.date.max
        if self.first > self.last:
            raise Usage("--from is after --to")
        self.is_selective = bool(options.where or options.first or options.last)

    def takes_record(self, fields):
        """Different columns AND, the same column OR; an empty value matches a missing one."""
        return all(
            fold(self.feed.where_value(fields, column) or "") in values
            for column, values in self.where.items()
        )

    def takes_row(self, row):
        return row.first <= self.last and row.last >= self.first


def iso_day(text):
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise Usage(f"not a day: {text}") from None


class Run:
    """Judges every record of a document."""

    def __init__(self, feed, source, wanted):
        self.read = self.kept = self.filtered = self.skipped = 0
        self.unwanted = 0  # filtered by --where
        self.rows = []  # (row, is it wanted), in input order
        self.rejects = []
        document = source.json
        try:
            document.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Broken(f"json: byte {error.start}: not UTF-8") from None
        known_keys = False
        for node, fields in feed.records(document, JSONReader(document).document()):
            self.read += 1
            known_keys = known_keys or bool(fields.seen)
            if feed.is_skipped(fields):
                self.skipped += 1
            elif not wanted.takes_record(fields):
                self.filtered += 1
                self.unwanted += 1
            else:
                self.judge(feed, wanted, node, fields, document)
        if self.read and not known_keys:
            raise Broken("normalize: no record has any of the feed's keys")

    def judge(self, feed, wanted, node, fields, document):
        try:
            rows = [(row, wanted.takes_row(row)) for row in feed.rows(fields)]
        except Reject as reject:
            self.rejects.append(
                {
                    "record": self.read,
                    "offset": node.start,
                    "field": reject.field,
                    "value": reject.value,
                    "reason": reject.reason,
                    "raw": cut(document[node.start : node.end]),
                }
            )
            return
        self.rows += rows
        if any(is_wanted for _, is_wanted in rows):
            self.kept += 1
        else:
            self.filtered += 1

    @property
    def wanted_rows(self):
        return [row for row, is_wanted in self.rows if is_wanted]

    def is_over(self, limit):
        """Whether there are more rejects than --max-rejects allows."""
        if limit.endswith("%"):
            if len(self.rejects) * 100 > float(limit[:-1]) * self.read:
                return True
        elif len(self.rejects) > int(limit):
            return True
        # No record that was asked for could be read.
        return bool(self.rejects) and len(self.rejects) == self.read - self.unwanted


# --------------------------------------------------------------------------- CSV and NDJSON


# Characters without a shape that are not controls, formats or spaces (Default_Ignorable_Code_Point).
FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"


def is_blank(c):
    """Whether nothing is seen where the character stands."""
    is_selector = (
        "\u180b" <= c <= "\u180f"
        or "\ufe00" <= c <= "\ufe0f"
        or "\U000e0000" <= c <= "\U000e0fff"
    )
    return (
        unicodedata.category(c) in ("Cc", "Cf", "Co", "Zl", "Zp")
        or c.isspace()
        or c in FILLERS
        or is_selector
    )


def disarmed(cell):
    """A text of the dialect for spreadsheets, with an apostrophe before what may be a formula."""
    marks = set()
    first = "".join(itertools.dropwhile(is_blank, cell))[:1]
    if cell[:1] in tuple("\t\r\n") or first in tuple("=+-@＝＋－＠"):
        marks.add(0)
    # What is a cell of its own where a spreadsheet splits at commas, tabs or lines.
    for found in re.finditer("[,\t\n\r]([^,\t\n\r]*)", cell):
        part = "".join(itertools.dropwhile(is_blank, found[1]))
        calls = re.search(r"[|!]|[A-Za-z\u0080-\U0010ffff][^(]*\(", part[1:])
        if part[:1] in tuple("=@＝＠") or part[:1] in tuple("+-＋－") and calls:
            marks.add(found.end() - len(part))
    return "".join("'" + c if at in marks else c for at, c in enumerate(cell))


def local_time(instant):
    """The time on the clock that an instant is written in: 2018-09-01 13:00:00."""
    fraction = re.match(r"\.(\d+)", instant[19:])
    return instant[:10] + " " + instant[11:19] + ("," + fraction[1] if fraction else "")


def csv_bytes(feed, rows, excel):
    """Header and rows; returns the bytes and how many cells were guarded."""
    separator, line_end = (";", "\r\n") if excel else (",", "\n")
    special = (separator, '"', "\r", "\n") + ((",", "\t") if excel else ())
    guarded = 0
    lines = [separator.join(feed.columns)]
    for row in rows:
        cells = []
        for column in feed.columns:
            cell = row.values[column] or ""
            if excel and column == "price":
                cell = cell.replace(".", ",")
            if excel and column == "date":
                cell = local_time(cell)
            if excel and column in feed.text_columns and disarmed(cell) != cell:
                cell = disarmed(cell)
                guarded += 1
            if any(c in cell for c in special):
                cell = '"' + cell.replace('"', '""') + '"'
            cells.append(cell)
        lines.append(separator.join(cells))
    text = "".join(line + line_end for line in lines)
    return (b"\xef\xbb\xbf" if excel else b"") + text.encode("utf-8"), guarded


JSON_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\u0085": "\\u0085",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def json_text(value):
    """A value as JSON: a text, None or a number of Python's."""
    if value is None:
        return "null"
    if isinstance(value, int):
        return str(value)
    out = ['"']
    for c in value:
        if c in JSON_ESCAPES:
            out.append(JSON_ESCAPES[c])
        elif c < " ":
            out.append(f"\\u{ord(c):04x}")
        else:
            out.append(c)
    return "".join(out) + '"'


def json_line(pairs):
    return "{" + ",".join(json_text(key) + ":" + text for key, text in pairs) + "}\n"


def ndjson_bytes(feed, rows):
    lines = []
    for row in rows:
        pairs = []
        for column in feed.columns:
            value = row.values[column]
            is_bare = column == "price" and value is not None
            pairs.append((column, value if is_bare else json_text(value)))
        lines.append(json_line(pairs))
    return "".join(lines).encode("utf-8")


def rejects_bytes(rejects):
    lines = (json_line((key, json_text(value)) for key, value in r.items()) for r in rejects)
    return "".join(lines).encode("utf-8")


# --------------------------------------------------------------------------- iCalendar

URL = (
    "https://api.gu.spb.ru/UniversalMobileService/classifiers/"
    "downloadClassifiers?classifiersId=4"
)
WORDS = {
    "ru": {
        "calendar": "Отключение горячей воды",
        "summary": ": нет горячей воды",
        "own": "Нет горячей воды",
        "house": "дом",
        "building": "корпус",
        "letter": "литер",
        "category": "Горячая вода",
        "months": "января февраля марта апреля мая июня июля августа сентября октября ноября"
        " декабря".split(),
    },
    "en": {
        "calendar": "Hot water outages",
        "summary": ": no hot water",
        "own": "No hot water",
        "house": "house",
        "building": "building",
        "letter": "letter",
        "category": "Hot water",
        "months": "January February March April May June July August September October November"
        " December".split(),
    },
}


def ical_text(text):
    """A TEXT value: \\ ; , and line breaks escaped, TAB kept, other controls dropped."""
    out = []
    for c in text.replace("\r\n", "\n").replace("\r", "\n"):
        if c in "\\;,":
            out.append("\\" + c)
        elif c == "\n":
            out.append("\\n")
        elif c == "\t" or (c >= " " and c != "\x7f"):
            out.append(c)
    return "".join(out)


def folded(line):
    """A content line with its CRLF, folded at 75 octets between characters and escapes."""
    out, room = [], 75
    for unit in re.findall(r"\\.|.", line, re.DOTALL):
        size = len(unit.encode("utf-8"))
        if size > room:
            out.append("\r\n ")
            room = 74  # the space counts
        out.append(unit)
        room -= size
    return "".join(out) + "\r\n"


def trigger(alarm):
    match = re.fullmatch(r"([0-9]+)([dhm])", alarm)
    if not match:
        raise Usage(f"--alarm {alarm}")
    number, unit = int(match[1]), match[2]
    return f"-P{number}D" if unit == "d" else f"-PT{number}{unit.upper()}"


def place_text(words, values, locality):
    """`locality, street, house 15 building 1 letter А`, without what is missing."""
    house = [f"{words[c]} {values[c]}" for c in ("house", "building", "letter") if values[c]]
    parts = [values["locality"] if locality else None, values["street"], " ".join(house)]
    return ", ".join(part for part in parts if part)


def day_text(words, day):
    return f"{day.day} {words['months'][day.month - 1]} {day.year}"


def calendar_bytes(run, changed, lang, alarms, name):
    """The calendar, and how many events it has."""
    words, moment = WORDS[lang], stamp(changed)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//sluice//hot-water//{lang.upper()}",
        "CALSCALE:GREGORIAN",
        "NAME:" + ical_text(name or words["calendar"]),
        "X-WR-CALNAME:" + ical_text(name or words["calendar"]),
        "COLOR:dodgerblue",
        "SOURCE;VALUE=URI:" + URL,
        "REFRESH-INTERVAL;VALUE=DURATION:P1D",
        "X-PUBLISHED-TTL:P1D",
    ]
    events, met, numbers = 0, set(), {}
    for row, is_wanted in run.rows:
        values = row.values
        event = (values["address_id"], row.first, row.last)
        if event in met:
            continue
        met.add(event)
        series = (values["address_id"], row.first.year)
        numbers[series] = numbers.get(series, 0) + 1
        if not is_wanted:
            continue
        events += 1
        summary = ical_text(place_text(words, values, locality=False) + words["summary"])
        description = day_text(words, row.first)
        if row.last != row.first:
            description += " - " + day_text(words, row.last)
        lines += [
            "BEGIN:VEVENT",
            f"UID:{values['address_id']}-{row.first.year}-{numbers[series]}@hot-water.sluice",
            "DTSTAMP:" + moment,
            "LAST-MODIFIED:" + moment,
            "SEQUENCE:0",
            "STATUS:CONFIRMED",
            "DTSTART;VALUE=DATE:" + row.first.strftime("%Y%m%d"),
            "DTEND;VALUE=DATE:" + (row.last + datetime.timedelta(days=1)).strftime("%Y%m%d"),
            "SUMMARY:" + summary,
            "LOCATION:" + ical_text(place_text(words, values, locality=True)),
            "DESCRIPTION:" + ical_text(description),
            "CATEGORIES:" + ical_text(words["category"]),
            "TRANSP:TRANSPARENT",
            "X-MICROSOFT-CDO-BUSYSTATUS:FREE",
        ]
        for alarm in alarms:
            lines += [
                "BEGIN:VALARM",
                "ACTION:DISPLAY",
                "DESCRIPTION:" + summary,
                "TRIGGER:" + trigger(alarm),
                "END:VALARM",
            ]
        lines.append("END:VEVENT")
    lines.append("END:VCALENDAR")
    return "".join(folded(line) for line in lines).encode("utf-8"), events


# --------------------------------------------------------------------------- the command


def write(path, data):
    if path == "-":
        sys.stdout.buffer.write(data)
    elif path:
        with open(path, "wb") as file:
            file.write(data)


def statistics(run, over, guarded, events):
    rows = run.wanted_rows
    reasons = {}
    for reject in run.rejects:
        reasons[reject["reason"]] = reasons.get(reject["reason"], 0) + 1
    return {
        "read": run.read,
        "kept": run.kept,
        "filtered": run.filtered,
        "skipped": run.skipped,
        "rejected": len(run.rejects),
        "rows": len(rows),
        "reasons": reasons,
        "events": events,
        "guarded": guarded,
        "first_day": min(row.first for row in rows).isoformat() if rows else None,
        "last_day": max(row.last for row in rows).isoformat() if rows else None,
        "published": not over,
    }


def convert(options):
    feed = {"hot-water": HotWater, "bonds": Bonds}[options.feed]()
    if options.ics and feed.name == "bonds":
        raise Usage("the bonds feed has no events")
    wanted = Wanted(feed, options)
    for alarm in options.alarm:
        trigger(alarm)
    source = Source(options.input, options.feed, options.entry)
    run = Run(feed, source, wanted)
    over = run.is_over(options.max_rejects)
    rows = run.wanted_rows
    plain, _ = csv_bytes(feed, rows, excel=False)
    excel, guarded = csv_bytes(feed, rows, excel=True)
    calendar, events = b"", 0
    if feed.name == "hot-water":
        calendar, events = calendar_bytes(
            run, source.changed, options.lang, options.alarm, options.calendar_name
        )
    if not over:
        write(options.csv, plain)
        write(options.csv_excel, excel)
        write(options.ndjson, ndjson_bytes(feed, rows))
        write(options.ics, calendar)
    write(options.rejects, rejects_bytes(run.rejects))
    facts = json.dumps(statistics(run, over, guarded, events), ensure_ascii=False) + "\n"
    write(options.stats, facts.encode("utf-8"))
    if over:
        return 65
    if not rows and wanted.is_selective:
        return 1
    return 3 if run.rejects and not options.allow_rejects else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("input", nargs="?", default="-")
    parser.add_argument("--feed", choices=["hot-water", "bonds"], default="hot-water")
    for name in ("csv", "csv-excel", "ndjson", "ics", "rejects", "stats"):
        parser.add_argument("--" + name, metavar="FILE")
    parser.add_argument("--where", action="append", default=[], metavar="FIELD=VALUE")
    parser.add_argument("--from", dest="first", metavar="DAY")
    parser.add_argument("--to", dest="last", metavar="DAY")
    parser.add_argument("--lang", choices=["ru", "en"], default="ru")
    parser.add_argument("--alarm", action="append", default=[])
    parser.add_argument("--calendar-name")
    parser.add_argument("--max-rejects", default="10%")
    parser.add_argument("--allow-rejects", action="store_true")
    parser.add_argument("--entry")
    try:
        return convert(parser.parse_args())
    except Usage as error:
        print(f"oracle: usage: {error}", file=sys.stderr)
        return 64
    except Broken as error:
        print(f"oracle: {error}", file=sys.stderr)
        return 65


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    sys.exit(main())
