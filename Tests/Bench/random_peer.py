"""Writes the C++ program on simdjson that makes the table of a random kind."""
import places
from random_schema import WHOLE, List, Object

# Texts of a list are joined by this.
BETWEEN = ", "

HEAD = """#include "with_simdjson.hpp"

static inline string_view flag(ondemand::value value) { return bool(value) ? "true" : "false"; }

template <typename Value, typename Read>
static inline string_view joined(std::string &all, Value &&list, Read read) {
  all.clear();
  ondemand::array elements = list;
  for (ondemand::value element : elements) {
    string_view text = read(element);
    if (text.empty()) continue;
    if (!all.empty()) all += "%s";
    all += text;
  }
  return all;
}

static void convert(ondemand::parser &parser, simdjson::padded_string &json, const char *output) {
  CsvTable table(output, "%s");
%s
"""
TAIL = """  table.close();
}

int main(int count, char **arguments) { return run(count, arguments, convert); }
"""


def taken(value, source, level):
    """The statements that take the columns of a value."""
    if isinstance(value, Object):
        return members(value, source, level)
    indent = "  " * level
    if isinstance(value, List):
        number = value.column.number
        return f"{indent}v{number} = joined(j{number}, {source}, {value.element.sort.reader});\n"
    return f"{indent}v{value.column.number} = {value.sort.reader}({source});\n"


def members(value, source, level):
    """The same for the members of an object: by their keys, or as they come if these may change."""
    indent, name = "  " * level, f"o{level}"
    wanted = [one for one in value.members if one.value.columns()]
    text = f"{indent}{{\n{indent}  ondemand::object {name} = {source};\n"
    if not value.is_shuffled and all(one.share == WHOLE for one in wanted):
        for one in wanted:
            text += taken(one.value, f'{name}["{one.key}"]', level + 1)
        return f"{text}{indent}}}\n"
    text += f"{indent}  for (auto f{level} : {name}) {{\n"
    text += f"{indent}    ondemand::raw_json_string key = f{level}.key();\n"
    text += f"{indent}    ondemand::value x{level} = f{level}.value();\n{indent}    "
    for one in wanted:
        text += f'if (key == "{one.key}") {{\n{taken(one.value, f"x{level}", level + 3)}'
        text += f"{indent}    }} else "
    return f"{text}{{\n{indent}    }}\n{indent}  }}\n{indent}}}\n"


def row(kind, source):
    """The statements that write a row."""
    inside = kind.record.columns()
    text = "".join(f"    v{column.number} = {{}};\n" for column in inside)
    text += taken(kind.record, source, 2)
    for column in kind.columns:
        text += f"    table.{'plain' if column.is_plain else 'cell'}(v{column.number});\n"
    if kind.has_keys:
        text += "    table.plain(key_of_row);\n"
    return f"{text}    table.end_row();\n"


def program(kind):
    """The whole program."""
    names = ", ".join(f"v{column.number}" for column in kind.columns)
    state = f"  string_view {names};\n"
    state += "".join(f"  std::string j{one.number};\n" for one in kind.columns if one.is_joined)
    return HEAD % (BETWEEN, kind.header, state) + kind.layout.loop(kind) + TAIL


def compiler(source, to):
    """The command that builds it, as the other peers are built."""
    return [
        *"c++ -std=c++17 -O3 -march=native -DNDEBUG -I".split(), places.PEERS,
        *("-o", to, source, "-lsimdjson"),
    ]
