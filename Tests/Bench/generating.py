"""What the makers of big inputs share: dice that fall alike everywhere, and JSON text."""
import argparse
import json
import pathlib

from make_feed import samples

Dice = samples.Dice


def decimal(dice, low, high, places=2):
    """A number between two whole ones, with at most so many digits after the point."""
    scale = 10**places
    scaled = low * scale + dice.roll((high - low) * scale + 1)
    # A whole one has no point, as in most servers' JSON.
    return scaled / scale if scaled % scale else scaled // scale


def word(dice, alphabet, length):
    return "".join(dice.pick(alphabet) for _ in range(length))


def hexadecimal(dice, digits):
    """So many hexadecimal digits, seven of each throw."""
    text = "".join(f"{dice.roll(1 << 28):07x}" for _ in range(-(-digits // 7)))
    return text[:digits]


def compact(value, ascii_only=False):
    """JSON without spaces, as servers write it; `ascii_only` escapes every other character."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only)


def write(description, pieces_of):
    """The program around a maker: MAKER COUNT FILE writes the texts of `pieces_of(count)`."""
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("count", type=int)
    parser.add_argument("file", type=pathlib.Path)
    options = parser.parse_args()
    with open(options.file, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(pieces_of(options.count))
