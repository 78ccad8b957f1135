#!/usr/bin/env python3
"""Compares the events of two calendars, whatever their order: compare_events.py SENT GOT.

An event is the set of its unfolded lines, alarms included, so that a lost comma, escape or
property shows. What a server says about the calendar itself is its own affair.
"""
import collections
import re
import sys


def events(path):
    with open(path, encoding="utf-8", newline="") as file:
        text = re.sub(r"\r?\n[ \t]", "", file.read())
    found, lines = {}, None
    for line in re.split(r"\r?\n", text):
        if line == "BEGIN:VEVENT":
            lines = []
        elif line == "END:VEVENT":
            (uid,) = [each for each in lines if each.startswith("UID:")]
            assert uid not in found, f"{uid} is there twice"
            found[uid], lines = collections.Counter(lines), None
        elif lines is not None:
            lines.append(line)
    return found


sent, got = events(sys.argv[1]), events(sys.argv[2])
differences = [f"missing: {uid}" for uid in sent if uid not in got]
differences += [f"not sent: {uid}" for uid in got if uid not in sent]
for uid in sent.keys() & got.keys():
    for sign, lines in (("-", sent[uid] - got[uid]), ("+", got[uid] - sent[uid])):
        differences += [f"{uid}\n{sign} {line}" for line in lines]
print(f"{len(sent)} events")
sys.exit("\n".join(differences) if differences or not sent else None)
