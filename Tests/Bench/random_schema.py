"""Random schemas: what the records of a random kind consist of, and how they are written."""
import dataclasses

from random_values import SORTS, WORDS, string, words

# The deepest objects of a record, and the shares of what a member may be, of a hundred.
DEPTH = 3
SCALARS, OBJECTS, LISTS, LISTS_OF_OBJECTS = 74, 12, 6, 6
WHOLE = 100


@dataclasses.dataclass
class Column:
    """A column of the table. Its name is its number; its path is found when all are known."""

    number: int
    kind: str
    is_plain: bool
    is_joined: bool = False
    path: str = ""


@dataclasses.dataclass
class Scalar:
    sort: object
    column: Column | None = None

    def write(self, dice, style, depth):
        return self.sort.write(dice)

    def columns(self):
        return [self.column] if self.column else []

    def set_paths(self, path):
        if self.column:
            self.column.path = path


@dataclasses.dataclass
class Member:
    key: str
    value: object
    # How many of a hundred records have it.
    share: int = WHOLE


@dataclasses.dataclass
class Object:
    members: list
    # Whether they come in any order.
    is_shuffled: bool = False

    def write(self, dice, style, depth):
        members = [one for one in self.members if one.share == WHOLE or dice.roll(100) < one.share]
        if self.is_shuffled:
            members = shuffled(dice, members)
        written = [style.member(one.key, one.value.write(dice, style, depth + 1)) for one in members]
        return style.container("{", written, "}", depth)

    def columns(self):
        return [column for member in self.members for column in member.value.columns()]

    def set_paths(self, path):
        for member in self.members:
            member.value.set_paths(f"{path}.{member.key}" if path else member.key)


@dataclasses.dataclass
class List:
    element: object
    most: int
    column: Column | None = None

    def write(self, dice, style, depth):
        count = dice.roll(self.most + 1)
        written = [self.element.write(dice, style, depth + 1) for _ in range(count)]
        return style.container("[", written, "]", depth)

    def columns(self):
        return [self.column] if self.column else []

    def set_paths(self, path):
        if self.column:
            self.column.path = f"{path}[*]"


@dataclasses.dataclass
class Map:
    """An object whose keys are data. Nobody wants it."""

    value: object
    most: int

    def write(self, dice, style, depth):
        first, count = 100 + dice.roll(1_000_000), dice.roll(self.most + 1)
        values = [self.value.write(dice, style, depth + 1) for _ in range(count)]
        written = [style.member(f"k{first + number}", value) for number, value in enumerate(values)]
        return style.container("{", written, "}", depth)

    def columns(self):
        return []

    def set_paths(self, path):
        pass


@dataclasses.dataclass(frozen=True)
class Style:
    """How a server lays JSON out."""

    colon: str = ":"
    comma: str = ","
    indent: str = ""

    def member(self, key, value):
        return f"{string(key)}{self.colon}{value}"

    def container(self, begin, written, end, depth):
        if not written or not self.indent:
            return f"{begin}{self.comma.join(written)}{end}"
        line = "\n" + self.indent * depth
        inner = line + self.indent
        return f"{begin}{inner}{(',' + inner).join(written)}{line}{end}"


COMPACT, SPACED, INDENTED = Style(), Style(": ", ", "), Style(": ", ",", "  ")


def shuffled(dice, members):
    members = list(members)
    for last in range(len(members) - 1, 0, -1):
        other = dice.roll(last + 1)
        members[last], members[other] = members[other], members[last]
    return members


class Maker:
    """Makes a schema. Columns are numbered as they are found."""

    def __init__(self, dice):
        self.dice = dice
        self.keys = 0
        self.columns = []
        self.wanted = dice.pick([15, 40, 70, 95])
        self.optional = dice.pick([0, 0, 0, 20, 50])
        self.is_shuffled = dice.roll(8) == 0

    def key(self):
        self.keys += 1
        one, other = self.dice.pick(WORDS), self.dice.pick(WORDS)
        stem = self.dice.pick([one, f"{one}_{other}", one + other.capitalize(), one[:2]])
        return f"{stem}{self.keys}"

    def column(self, sort, is_joined=False):
        kind = "text" if is_joined else self.dice.pick(sort.kinds)
        made = Column(len(self.columns), kind, sort.is_plain and not is_joined, is_joined)
        self.columns.append(made)
        return made

    def scalar(self, may_be_wanted):
        sort = self.dice.pick(SORTS)(self.dice)
        is_wanted = may_be_wanted and self.dice.roll(100) < self.wanted
        return Scalar(sort, self.column(sort) if is_wanted else None)

    def object(self, count, depth=0, may_be_wanted=True):
        members = []
        for _ in range(count):
            share = self.dice.pick([95, 60, 20]) if self.dice.roll(100) < self.optional else WHOLE
            value = self.value(depth, may_be_wanted)
            members.append(Member(self.key(), value, share))
        return Object(members, self.is_shuffled)

    def value(self, depth, may_be_wanted):
        dice, sides = self.dice, self.dice.roll(100)
        if sides < SCALARS or depth >= DEPTH:
            return self.scalar(may_be_wanted)
        if sides < SCALARS + OBJECTS:
            return self.object(1 + dice.roll(6), depth + 1, may_be_wanted)
        if sides < SCALARS + OBJECTS + LISTS:
            element, most = self.scalar(False), dice.pick([1, 3, 8, 30])
            is_wanted = may_be_wanted and 2 * dice.roll(100) < self.wanted
            is_joined = is_wanted and element.sort.is_joined
            return List(element, most, self.column(element.sort, True) if is_joined else None)
        if sides < SCALARS + OBJECTS + LISTS + LISTS_OF_OBJECTS:
            return List(self.object(1 + dice.roll(4), depth + 1, False), dice.pick([1, 3, 10]))
        return Map(self.scalar(False), dice.pick([3, 10]))
