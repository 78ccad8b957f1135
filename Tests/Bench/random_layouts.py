"""Where the records of a random kind are in its document."""
import dataclasses

from random_peer import row, taken
from random_schema import Member


def listed(style, written, depth):
    return style.container("[", written, "]", depth)


class Whole:
    """The document is a list of records."""

    rows, depth, before = "[]", 1, "  for (ondemand::value record : document.get_array()) {\n"

    def around(self, maker):
        """The values around the rows that are columns too."""
        return []

    def piece(self, kind, dice):
        """A record, or a group of them: what the document repeats."""
        return kind.record.write(dice, kind.style, self.depth)

    def document(self, kind, pieces):
        return listed(kind.style, pieces, 0)

    def loop(self, kind):
        begin = "  ondemand::document document = parser.iterate(json);\n"
        return f"{begin}{self.before}{row(kind, 'record')}  }}\n"


class Enveloped(Whole):
    """The list is in an object in an object."""

    rows, depth = "result.data[]", 3
    before = (
        '  for (ondemand::value record : document["result"]["data"].get_array()) {\n')

    def document(self, kind, pieces):
        style = kind.style
        inner = [style.member("total", str(len(pieces))),
                 style.member("data", listed(style, pieces, 2))]
        result = style.member("result", style.container("{", inner, "}", 1))
        return style.container("{", [style.member("status", '"ok"'), result], "}", 0)


class Lines(Whole):
    """A record is a line."""

    def document(self, kind, pieces):
        return "".join(piece + "\n" for piece in pieces)

    def loop(self, kind):
        begin = "  ondemand::document_stream lines = parser.iterate_many(json, 1 << 20);\n"
        head = "  for (auto line : lines) {\n    ondemand::object record = line.get_object();\n"
        return f"{begin}{head}{row(kind, 'record')}  }}\n"


class Keyed(Whole):
    """The records are members of an object."""

    rows, depth = "items.*", 2
    before = (
        '  for (auto field : document["items"].get_object()) {\n'
        "    string_view key_of_row = field.unescaped_key();\n"
        "    ondemand::value record = field.value();\n")

    def piece(self, kind, dice):
        key = f"id-{dice.roll(1 << 24):06x}"
        return kind.style.member(key, super().piece(kind, dice))

    def document(self, kind, pieces):
        style = kind.style
        items = style.container("{", pieces, "}", 1)
        return style.container("{", [style.member("items", items)], "}", 0)


@dataclasses.dataclass
class Grouped(Whole):
    """Lists of records in a list, with values around them that are columns too."""

    # Whether these come after the rows of their group.
    is_late: bool = False
    rows, depth = "groups[].items[]", 4

    def around(self, maker):
        count, share = 1 + maker.dice.roll(3), maker.wanted
        maker.wanted = 100
        made = [Member(maker.key(), maker.scalar(True)) for _ in range(count)]
        maker.wanted = share
        for member in made:
            member.value.column.path = f"groups[].{member.key}"
        return made

    def piece(self, kind, dice):
        style = kind.style
        rows = [kind.record.write(dice, style, 4) for _ in range(1 + dice.roll(kind.group_size))]
        items = style.member("items", listed(style, rows, 3))
        around = [style.member(one.key, one.value.write(dice, style, 3)) for one in kind.around]
        members = [style.member("z", "1"), items, *around] if self.is_late else [*around, items]
        return style.container("{", members, "}", 2)

    def document(self, kind, pieces):
        style = kind.style
        return style.container(
            "{", [style.member("groups", listed(style, pieces, 1))], "}", 0)

    def loop(self, kind):
        text = "  ondemand::document document = parser.iterate(json);\n"
        text += '  for (ondemand::object group : document["groups"].get_array()) {\n'
        for one in kind.around:
            text += taken(one.value, f'group["{one.key}"]', 2)
        text += '    for (ondemand::value record : group["items"].get_array()) {\n'
        return f"{text}{row(kind, 'record')}    }}\n  }}\n"


ALL = [Whole(), Enveloped(), Lines(), Grouped(), Grouped(), Keyed(), Grouped(is_late=True)]
