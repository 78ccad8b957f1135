"""Values of twenty-five sorts, as servers write them: the leaves of the random kinds."""
import dataclasses
import json
import typing

from generating import decimal, hexadecimal

WORDS = """alpha river stone quick light harbor north window market summer paper green silver cloud
forest bridge engine signal table garden planet copper winter orange yellow castle simple modern
public open data street square avenue local global""".split()
RUSSIAN = """Невский проспект улица дом корпус Садовая набережная площадь парк школа сад мост река
район город центр южный северный""".split()
DIGITS, TEXT, FLAG = "digits", "text", "flag"


@dataclasses.dataclass(frozen=True)
class Sort:
    """How values are written, and how a column and the peer take them."""

    write: typing.Callable
    # The kinds that a column may have, all of which write the same text.
    kinds: list
    # The function of the peer that reads it.
    reader: str = TEXT
    # Whether its text cannot need quotes.
    is_plain: bool = False
    # Whether it stays the same where its texts are joined.
    is_joined: bool = False


def words(dice, least, most, of=WORDS, between=" "):
    return between.join(dice.pick(of) for _ in range(least + dice.roll(most - least + 1)))


def string(text):
    return json.dumps(text, ensure_ascii=False)


def day(dice):
    return f"2026-{1 + dice.roll(12):02}-{1 + dice.roll(28):02}"


def clock(dice):
    return f"{dice.roll(24):02}:{dice.roll(60):02}:{dice.roll(60):02}"


def uuid(dice):
    digits = hexadecimal(dice, 32)
    return "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])


def escaped(dice):
    """A text with escapes, in one of the ways that they are written."""
    tail = dice.pick(['\\"q\\"', " \\u00e9t\\u00e9", " a\\/b", " x", ""])
    return f'"{words(dice, 2, 9)}{tail}"'


def counting(first, step):
    """Numbers that grow from record to record."""
    state = [first]

    def write(dice):
        state[0] += 1 + dice.roll(step)
        return str(state[0])

    return write


def now_and_then(maker_dice, other, write):
    """The same, but now and then another value."""
    share = maker_dice.pick([5, 30, 80])
    return lambda dice: other if dice.roll(100) < share else write(dice)


def digits(write, *kinds):
    return Sort(write, [*kinds, "text"], DIGITS, is_plain=True, is_joined=True)


def plain(write, *kinds):
    return Sort(lambda dice: string(write(dice)), [*kinds, "text"], is_plain=True, is_joined=True)


def text(write):
    return Sort(lambda dice: string(write(dice)), ["text"])


def choice(dice):
    """One of few words, with an underscore now and then."""
    few = [words(dice, 1, 2, between="_") for _ in range(dice.pick([2, 4, 12]))]
    return lambda dice: dice.pick(few)


SORTS = [
    lambda dice: digits(counting(dice.roll(1_000_000), 9), "integer", "decimal"),
    lambda dice: digits(lambda dice: str(10**18 + dice.roll(1 << 30) * 8_000_000_000)),
    lambda dice: digits(counting(1_760_000_000, 60), "integer", "decimal"),
    lambda dice: digits(lambda dice: str(dice.roll(10)), "integer", "decimal"),
    lambda dice: digits(lambda dice: str(dice.roll(1000) - 500), "integer", "decimal"),
    lambda dice: digits(lambda dice: str(dice.roll(100)), "integer"),
    lambda dice: digits(lambda dice: f"{dice.roll(10_000) / 100:.2f}", "decimal"),
    lambda dice: digits(lambda dice: f"{decimal(dice, -90, 90, 6):.7f}", "decimal"),
    lambda dice: digits(lambda dice: f"{dice.roll(90_000) / 10_000:.4f}e-{1 + dice.roll(8)}"),
    lambda dice: digits(now_and_then(dice, "null", lambda dice: str(dice.roll(1000))), "integer"),
    lambda dice: Sort(lambda dice: dice.pick(["true", "false"]), ["flag"], FLAG, True),
    lambda dice: plain(lambda dice: hexadecimal(dice, 40)),
    lambda dice: plain(uuid),
    lambda dice: plain(lambda dice: f"{day(dice)}T{clock(dice)}Z", "instant"),
    lambda dice: plain(lambda dice: f"{day(dice)} {clock(dice)}"),
    lambda dice: plain(day, "day"),
    lambda dice: plain(lambda dice: f"{dice.roll(100_000) / 100:.2f}", "decimal"),
    lambda dice: plain(choice(dice)),
    lambda dice: plain(lambda dice: dice.pick(WORDS)),
    lambda dice: Sort(now_and_then(dice, '""', lambda dice: string(dice.pick(WORDS))), ["text"]),
    lambda dice: text(lambda dice: f"https://api.example.org/v2/{words(dice, 2, 4, between='/')}"),
    lambda dice: text(lambda dice: words(dice, 2, 12).capitalize()),
    lambda dice: text(lambda dice: words(dice, 10, 90, between=", ")),
    lambda dice: text(lambda dice: words(dice, 1, 6, RUSSIAN)),
    lambda dice: Sort(escaped, ["text"]),
]
