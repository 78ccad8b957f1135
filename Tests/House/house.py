#!/usr/bin/env python3
"""Prints the figures of the tree, and checks that its arrows point down.

    house.py [--check] [ROOT]

An arrow goes from the floor that uses a name to the floor that declares it. A floor is a room of
the engine, or a whole target above the engine. Each cycle and each arrow up is printed, with the
files and names that make it; the exit code is 1 if there is one. --check leaves out the figures.

The names are those of top-level types, typealiases and functions. A member of an extension is not
followed, but `extension X` is a use of X. Comments and string literals are not read.
"""

import re
import statistics
import sys
from collections import defaultdict, namedtuple
from pathlib import Path

# The rooms of the engine, lowest first; `Sluice` is the files beside them. It is the order of the
# data, except that a feed uses JSON's paths, and that an encoder writes a database's file itself.
ROOMS = ["Base", "Errors", "Pipeline", "Source", "YAML", "JSON", "Feed", "Decode", "Normalize",
         "Search", "Sink", "Encode", "Draft", "Sluice"]
# The targets on top of the engine.
TARGETS = ["SluiceSync", "SluiceText", "sluice-cli"]
RANKS = {floor: rank for rank, floor in enumerate(ROOMS + TARGETS)}
# Rooms of a target above the engine, whose folder they may not have reached yet.
APART = {"State": "SluiceSync", "Requests": "SluiceSync", "Ledger": "SluiceSync",
         "Sync": "SluiceSync", "SluiceText": "SluiceText"}
# Not read: it measures the stages from inside.
LEFT_OUT = "sluice-bench"

SHORTEST, LONGEST = 100, 500  # The lines of a file.
SHOWN = 3  # Arrows of a cycle that are shown for each pair of floors.

TYPES = {"struct", "class", "enum", "protocol", "actor"}
DECLARES = TYPES | {"typealias", "associatedtype", "func"}
MODIFIERS = {"public", "package", "private", "fileprivate", "final", "indirect", "nonisolated"}
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*|#*"""|#*"|[()]')
WORD = re.compile(r"(?:(?<!\.)\.)?`?\b[A-Za-z_]\w*`?|@\w+|[{}(<:]")
GENERICS = re.compile(r"\s*<([^{}()]*?)>\s*[({:=w]")

Declaration = namedtuple("Declaration", "name is_private")
Arrow = namedtuple("Arrow", "user name declared_in")


def code_of(text, at=0, interpolated=False):
    """Returns the code without comments and texts, but with the code in texts; and its end."""
    code, depth = [], 0
    while found := COMMENT_OR_TEXT.search(text, at):
        code.append(text[at:found.start()])
        mark, at = found[0], found.end()
        if mark == "/*":
            at = end_of_comment(text, at)
        elif mark.endswith('"'):
            inner, at = code_in_text(text, at, mark)
            code.append(f" {inner} ")
        elif not mark.startswith("//"):
            depth += 1 if mark == "(" else -1
            if interpolated and depth < 0:
                return "".join(code), at
            code.append(mark)
    return "".join(code) + text[at:], len(text)


def end_of_comment(text, at):
    depth = 1
    for mark in re.finditer(r"/\*|\*/", text[at:]):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return at + mark.end()
    return len(text)


def code_in_text(text, at, opening):
    """Returns the interpolated code of the literal whose text begins at `at`, and its end."""
    hashes = "#" * opening.count("#")
    mark = re.compile(rf"\\{hashes}(?P<escaped>.)|{opening.lstrip('#')}{hashes}", re.DOTALL)
    code = []
    while found := mark.search(text, at):
        at = found.end()
        if found["escaped"] is None:
            break
        if found["escaped"] == "(":
            inner, at = code_of(text, at, interpolated=True)
            code.append(f"({inner})")
    return " ".join(code), at


class File:
    """A Swift file: where it is, what it declares, which names it uses."""

    def __init__(self, path, root):
        self.path = path.relative_to(root)
        text = path.read_text(encoding="utf-8")
        self.lines = text.count("\n")
        _, self.module, *folders, _ = self.path.parts
        room = folders[0] if folders else self.module
        self.floor = APART.get(room, room if self.module == "Sluice" else self.module)
        self.declared = []
        self.public_types = 0
        self.used = set()
        self.within = defaultdict(set)  # The names declared in a type or function, by its name.
        self.code, _ = code_of(text)
        self.imports = set(re.findall(r"^\s*(?:@?\w+ )*import ([\w-]+)", self.code, re.MULTILINE))
        self.read_words()

    def read_words(self):
        depth, owner, before, modifiers = 0, None, "", set()
        for found in WORD.finditer(self.code):
            word = found[0].strip("`")
            if word in "{}":
                depth += 1 if word == "{" else -1
            elif before in DECLARES and word not in DECLARES and word not in "(<:":
                self.public_types += "public" in modifiers and before in TYPES
                if depth == 0:
                    is_private = not modifiers.isdisjoint({"private", "fileprivate"})
                    self.declared.append(Declaration(word, is_private))
                    owner = word
                else:
                    self.within[owner].add(word)
                self.within[owner] |= self.generics(found.end())
            elif word == "init":
                self.within[owner] |= self.generics(found.end())
            elif word not in "(<:" and word[0] not in ".@":
                if before == "extension":
                    owner = word
                # A function is used where it is called.
                is_called = self.code[found.end():found.end() + 1] in ("(", "<")
                if word[0].isupper() or is_called and before != "case":
                    self.used.add(word)
            if word not in DECLARES and word != "(":
                modifiers = modifiers | {word} if word in MODIFIERS else set()
            before = word

    def generics(self, at):
        """Returns the names of the generic parameters at this place of the code."""
        found = GENERICS.match(self.code, at)
        return set(re.findall(r"(?:^|,)\s*(?:let\s+)?(\w+)", found[1])) if found else set()


class House:
    def __init__(self, root):
        self.files = [File(path, root) for path in sorted((root / "Sources").rglob("*.swift"))
                      if LEFT_OUT not in path.parts]
        self.arrows = defaultdict(list)  # By the pair of floors.
        for arrow in self.find_arrows():
            pair = arrow.user.floor, arrow.declared_in.floor
            if pair[0] != pair[1]:
                self.arrows[pair].append(arrow)

    def find_arrows(self):
        declared, within = defaultdict(dict), defaultdict(set)
        for file in self.files:
            declared[file.module] |= {one.name: file for one in file.declared if not one.is_private}
            for owner, names in file.within.items():
                within[file.module, owner] |= names
        for file in self.files:
            own = {one.name for one in file.declared}
            for owner in own | set(file.within):
                own = own | within[file.module, owner]
            modules = [file.module, *sorted(file.imports)]
            for name in sorted(file.used - own):
                place = next((declared[module][name] for module in modules
                              if name in declared[module]), None)
                if place:
                    yield Arrow(file, name, place)

    def faults(self):
        """Returns lines about each floor without a place in the order, cycle, and arrow up."""
        lines = [f"without a place in the order: {floor}"
                 for floor in sorted({file.floor for file in self.files} - set(RANKS))]
        for cycle in cycles(self.arrows):
            lines.append("cycle: " + " → ".join([*cycle, cycle[0]]))
            for pair in zip(cycle, [*cycle[1:], cycle[0]]):
                arrows = self.arrows[pair]
                lines += [f"  {described(arrow)}" for arrow in arrows[:SHOWN]]
                if len(arrows) > SHOWN:
                    lines.append(f"  … and {len(arrows) - SHOWN} more from {pair[0]}")
        for (user, used), arrows in sorted(self.arrows.items()):
            if is_up(user, used):
                lines += [f"arrow up: {user} → {used}: {described(arrow)}" for arrow in arrows]
        for file in self.files:
            lines += [f"arrow up: {file.floor} → {module}: {file.path} imports it"
                      for module in sorted(file.imports) if is_up(file.floor, module)]
        return lines

    def figures(self):
        lengths = [file.lines for file in self.files]
        longest = max(self.files, key=lambda file: file.lines)
        outside = [file for file in self.files if not SHORTEST <= file.lines <= LONGEST]
        public = sum(file.public_types for file in self.files if file.floor in ROOMS)
        yield f"Swift files             {len(lengths)}"
        yield f"lines                   {sum(lengths):,}"
        yield f"median                  {statistics.median_low(lengths)}"
        yield f"longest                 {longest.lines} ({longest.path})"
        yield f"outside {SHORTEST}–{LONGEST} lines   {len(outside)}"
        yield from (f"  {file.lines:5} {file.path}" for file in outside)
        yield f"public types of Sluice  {public}"
        yield "each floor, and how many names it uses of others:"
        for floor in RANKS:
            used = [f"{other} {len({arrow.name for arrow in self.arrows[floor, other]})}"
                    for other in RANKS if (floor, other) in self.arrows]
            yield f"  {floor:10} {', '.join(used) or 'none'}"


def is_up(user, used):
    return user in RANKS and used in RANKS and RANKS[user] < RANKS[used]


def described(arrow):
    return f"{arrow.user.path} uses {arrow.name} of {arrow.declared_in.path}"


def cycles(pairs):
    """Returns the shortest cycle through each arrow up, if any: every cycle has an arrow up."""
    found = set()
    for user, used in pairs:
        if not is_up(user, used):
            continue
        ways = {used: [used]}  # The shortest way from `used` to each floor.
        for floor in (queue := [used]):
            for other in sorted(other for before, other in pairs if before == floor):
                if other not in ways:
                    ways[other] = [*ways[floor], other]
                    queue.append(other)
        if way := ways.get(user):
            least = way.index(min(way, key=lambda floor: RANKS.get(floor, -1)))
            found.add((*way[least:], *way[:least]))
    return sorted(found, key=lambda cycle: (len(cycle), cycle))


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    house = House(Path(arguments[0]) if arguments else Path(__file__).resolve().parents[2])
    faults = house.faults()
    if "--check" not in sys.argv:
        print("\n".join(house.figures()))
    print("\n".join(faults) or "every arrow points down")
    sys.exit(1 if faults else 0)


main()
