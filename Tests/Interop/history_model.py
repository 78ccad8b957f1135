"""What a history of nights is: the season's rules (season_model.py), and a row for each version.

A version is an event for as long as its days and its texts stay the same. The rows are made by
looking at the events before and after each night, not by following the program.
"""
import datetime

import season_model
from oracle import address_id

DAY = datetime.timedelta(days=1)


class History:
    def __init__(self, model=None):
        self.model = model or season_model.Model()
        self.open = {}  # UID: the version that stands, or that was cancelled and may come back
        self.rows = []

    def night(self, records, today):
        """Takes the feed of a night: (place, periods) by record."""
        self.model.night(records, today, "")
        there = {(address_id(place), days) for place, said in records for days in said}
        events = {event.uid: event for event in self.model.events}
        for uid in list(self.open):
            if uid not in events:  # past, or cancelled long ago
                row = self.open.pop(uid)
                if not row["ended"]:
                    self.end(row, "past", today)
                self.rows.append(row)
        for uid, event in events.items():
            row = self.open.get(uid)
            if event.cancelled:
                if not row["ended"]:
                    self.end(row, "cancelled", today)
                    row["cancelled_on"] = today
            elif row is None:
                self.begin("new", event, today, None)
            elif row["ended"]:
                row["restored_on"] = today
                self.next("restored", event, today, row)
            elif row["days"] != event.days:
                self.end(row, "moved", today)
                self.next("moved", event, today, row)["old"] = row["days"]
            elif row["place"] != event.place:
                self.end(row, "reworded", today)
                self.next("reworded", event, today, row)
            if not event.cancelled and (event.address, event.days) in there:
                self.open[uid]["last_seen"] = today
                self.open[uid]["nights"] += 1

    def begin(self, change, event, today, before):
        self.open[event.uid] = {
            "uid": event.uid, "address_id": event.address, "place": event.place,
            "days": event.days, "change": change, "first_seen": today, "nights": 0, "ended": None,
            "version": before["version"] + 1 if before else 1, "old": None, "cancelled_on": None,
            "restored_on": None, "unseen": None}
        return self.open[event.uid]

    def next(self, change, event, today, row):
        self.rows.append(row)
        return self.begin(change, event, today, row)

    def end(self, row, how, today):
        row["ended"] = how
        first, last = row["last_seen"] + DAY, today - DAY
        row["unseen"] = (first, last) if first <= last else None

    def finish(self):
        """All rows, by event and version."""
        rows = self.rows + list(self.open.values())
        return sorted((told(row) for row in rows), key=lambda row: (row["uid"], row["version"]))


def told(row):
    """A row as the program writes it."""
    def text(value):
        return None if value is None else str(value)

    def both(first, last, days):
        return {first: text(days and days[0]), last: text(days and days[1])}
    return {
        **dict(zip(season_model.COLUMNS, row["place"])),
        **both("start_date", "end_date", row["days"]),
        **{name: row[name] for name in ("change", "nights", "ended", "version", "uid",
                                        "address_id")},
        **{name: text(row[name]) for name in ("first_seen", "last_seen", "cancelled_on",
                                              "restored_on")},
        **both("old_start_date", "old_end_date", row["old"]),
        **both("unseen_from", "unseen_to", row["unseen"])}
