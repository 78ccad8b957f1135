#!/usr/bin/env python3
"""Writes a hot-water feed of any size: the API's envelope around a base64 zip of one JSON file.

    make_feed.py RECORDS --envelope F [--zip F] [--json F]

The records look like those of the real feed, and the JSON is laid out as there: 13,000 of them make
3.8 MB. Houses stand street by street, most of a street is off in the same fortnight; some houses
are like 12/3, some streets have white space around them or a comma or quotes inside, so that a
converter has to trim and to quote. Every record is a good one. The same number of records gives the
same bytes on every machine that has the same zlib. Memory grows with the zip, not with the records.
"""
import argparse
import base64
import importlib.util
import pathlib
import zlib

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "Samples" / "make-samples.py"


def load_samples():
    """The maker of the sample feeds, for its words, its dice, its zip and its envelope."""
    spec = importlib.util.spec_from_file_location("make_samples", SAMPLES)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


samples = load_samples()
HOUSES_A_STREET = (8, 70)
RARE_STREETS = ['Набережная "Тучкова"', "Ленинский, дублёр", " Среднеохтинский", "Лесной  "]


def streets_in_turn(dice):
    """A town, a street, the fortnight in which it is off, how many houses: without end."""
    streets = [name.strip() for name in samples.STREETS.split(",")]
    days = samples.fortnights()
    fewest, most = HOUSES_A_STREET
    while True:
        street = dice.pick(RARE_STREETS if dice.roll(50) == 0 else streets)
        yield dice.pick(samples.TOWNS), street, dice.pick(days), fewest + dice.roll(most - fewest)


def records(wanted):
    """The six values of each record, in the order of the keys."""
    dice, made = samples.Dice(2020), 0
    for town, street, period, houses in streets_in_turn(dice):
        house = 1 + dice.roll(60)
        for _ in range(houses):
            number = f"{house}/{1 + dice.roll(40)}" if dice.roll(40) == 0 else str(house)
            letter = dice.pick(["", "", "", "", "", "", "А", "Б", "В"])
            for building in dice.pick([[""], [""], [""], ["1", "2"], ["1", "2", "3"]]):
                if made == wanted:
                    return
                yield town, street, number, building, letter, period
                made += 1
            house += dice.pick([1, 2, 2, 2, 4])


def json_pieces(wanted):
    """The JSON text in pieces of a thousand records, laid out as `pretty` of the samples does."""
    keys = [f'    "{key}": "' for key in samples.KEYS]
    bodies, between = [], "\n"
    yield b"["
    for values in records(wanted):
        # Of what JSON escapes, the values hold nothing but quotes.
        lines = [key + value.replace('"', '\\"') for key, value in zip(keys, values)]
        bodies.append(between + "  {\n" + '",\n'.join(lines) + '"\n  }')
        between = ",\n"
        if len(bodies) == 1000:
            yield "".join(bodies).encode()
            bodies.clear()
    yield ("".join(bodies) + "\n]\n").encode()


class Deflater:
    """Deflates pieces and remembers what a zip has to say of them."""

    def __init__(self):
        self.squeeze = zlib.compressobj(6, zlib.DEFLATED, -15)
        self.body, self.size, self.crc = bytearray(), 0, 0

    def write(self, piece):
        self.size += len(piece)
        self.crc = zlib.crc32(piece, self.crc)
        self.body += self.squeeze.compress(piece)

    def finish(self):
        self.body += self.squeeze.flush()
        return samples.zip_around(bytes(self.body), self.size, self.crc)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("records", type=int)
    parser.add_argument("--envelope", type=pathlib.Path, required=True)
    parser.add_argument("--zip", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()

    deflater = Deflater()
    json_file = open(options.json, "wb") if options.json else None
    for piece in json_pieces(options.records):
        deflater.write(piece)
        if json_file:
            json_file.write(piece)
    if json_file:
        json_file.close()
    zipped = deflater.finish()
    if options.zip:
        options.zip.write_bytes(zipped)
    text = samples.envelope_around(base64.b64encode(zipped).decode("ascii"))
    options.envelope.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
