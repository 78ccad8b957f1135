#!/usr/bin/env python3
"""Makes nights, and judges what `sluice history` and `sluice diff` say of them.

    history.py make season|year FOLDER     writes the nights
    history.py rows season|year TABLE      compares the history with history_model.py
    history.py mutants season|year TABLE   sees that the model with a broken rule differs
    history.py pairs FOLDER                compares `sluice diff` of each night and the next

The season is that of season.py. The year goes on with its city for 365 nights, of which every
seventh or so is missing, and two whole weeks. SLUICE is the program.
"""
import datetime
import json
import os
import pathlib
import random
import subprocess
import sys

import season_feed
import season_model
from history_model import History
from season_nights import SEED, season


def nights(name):
    """The nights that are there: number, day, records, moment of the archive."""
    if name == "season":
        for night in season():
            yield night.number, night.today, night.records, night.moment
        return
    city, chance = season_feed.City(SEED + 1), random.Random(7)
    for number in range(1, 366):
        today = season_feed.FIRST_NIGHT + season_feed.days(number - 1)
        city.night(number, today)
        if chance.random() < 0.15 or 100 <= number < 114 or 250 <= number < 264:
            continue
        moment = datetime.datetime.combine(today, datetime.time(2, 30))
        yield number, today, city.rows(), moment


def path_of(folder, today):
    return pathlib.Path(folder) / f"feed-{today}.json"


def make(name, folder):
    count = 0
    for number, today, records, moment in nights(name):
        answer = season_feed.answer(records, number, moment)
        path_of(folder, today).write_bytes(answer)
        count += 1
    print(f"{count} nights")


def read(text):
    return [json.loads(line) for line in text.splitlines()]


def plain(records):
    return [(place, periods) for place, _, periods in records]


def expected(name, model=None):
    history = History(model)
    for _, today, records, _ in nights(name):
        history.night(plain(records), today)
    return history.finish()


def found_in(table):
    rows = read(pathlib.Path(table).read_text(encoding="utf-8"))
    return sorted(rows, key=lambda row: (row["uid"], row["version"]))


def rows(name, table):
    found, wanted = found_in(table), expected(name)
    kinds = {row[key] for row in wanted for key in ("change", "ended")}
    print(f"{len(found)} rows, {len(wanted)} expected: {sorted(map(str, kinds))}")
    print(sum(row["unseen_from"] is not None for row in wanted), "not seen for some days")
    for one, other in zip(found, wanted):
        if one != other:
            return f"found {one}\nexpected {other}"
    if len(found) != len(wanted):
        return "another number of rows"
    every = {"new", "moved", "restored", "reworded", "cancelled", "past", None}
    return None if kinds == every else f"too few kinds: {kinds}"


def mutants(name, table):
    found, missed = found_in(table), []
    for mutant in season_model.MUTANTS:
        if "revise" in vars(mutant):  # SEQUENCE and the times of events are not in the table
            continue
        try:
            wrong = expected(name, mutant()) != found
        except (KeyError, TypeError):  # the rows of such a model do not even make sense
            wrong = True
        print(f"{mutant.__doc__}: {'noticed' if wrong else 'NOT NOTICED'}")
        if not wrong:
            missed.append(mutant.__doc__)
    return f"not noticed: {missed}" if missed else None


def pairs(folder):
    """The lists of all pairs, and the exit codes."""
    before, count = None, 0
    for _, today, records, _ in nights("season"):
        if before:
            model = season_model.Model()
            model.night(plain(before[1]), today, "")
            places = {event.uid: (event.place, event.days) for event in model.events}
            changes = model.night(plain(records), today, "")
            reworded = sorted(
                event.uid for event in model.events
                if not event.cancelled and event.uid in places
                and (places[event.uid][0] != event.place and places[event.uid][1] == event.days))
            run = subprocess.run(
                [os.environ["SLUICE"], "diff", str(path_of(folder, before[0])),
                 str(path_of(folder, today)), "--format", "ndjson"],
                stdout=subprocess.PIPE, check=False)
            found = read(run.stdout.decode("utf-8"))
            if [row for row in found if row["change"] != "reworded"] != changes:
                return f"{today}: found {found}\nexpected {changes}"
            if sorted(row["uid"] for row in found if row["change"] == "reworded") != reworded:
                return f"{today}: other words: expected {reworded}"
            if run.returncode != (1 if found else 0):
                return f"{today}: ended with {run.returncode}"
            count += len(found)
        before = today, records
    print(f"{count} changes")
    return None if count > 200 else "too few"


if __name__ == "__main__":
    sys.exit(globals()[sys.argv[1]](*sys.argv[2:]))
