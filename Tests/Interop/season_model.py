"""What the events of a season are, night after night: the rules of `sluice sync`, read plainly.

Nothing is fast here, and nothing is the program's: this file is there to be read. Each rule is a
method of its own, so that the check can break one and see that the season notices.
"""
import datetime

from oracle import WORDS, address_id, place_text

COLUMNS = ["locality", "street", "house", "building", "letter"]


class Event:
    def __init__(self, address, year, number, stamp):
        self.address, self.year, self.number, self.stamp = address, year, number, stamp
        self.sequence = 0
        self.cancelled = None  # the day on which it was
        self.days = self.place = None

    @property
    def uid(self):
        return f"{self.address}-{self.year}-{self.number}@hot-water.sluice"

    @property
    def order(self):
        return self.address, self.year, self.number

    def facts(self):
        """What a calendar says of it."""
        values = dict(zip(COLUMNS, self.place))
        return (
            self.uid,
            self.sequence,
            "CANCELLED" if self.cancelled else "CONFIRMED",
            self.days[0],
            self.days[1] + datetime.timedelta(days=1),
            self.stamp,
            place_text(WORDS["ru"], values, locality=False) + WORDS["ru"]["summary"],
        )


class Model:
    """The events that are shown, and the numbers that were handed out."""

    def __init__(self):
        self.events = []
        self.numbers = {}

    # The rules, one by one.

    def is_shown(self, event, today):
        """A cancelled event is shown for 30 days."""
        return (today - event.cancelled).days < 30

    def is_past(self, event, today):
        """An outage is past when its last day is over."""
        return event.days[1] < today

    def nearness(self, event, days):
        """How far apart the first days and the last days are; ties go to the older event."""
        distance = abs((days[0] - event.days[0]).days) + abs((days[1] - event.days[1]).days)
        return distance, event.year, event.number, days

    def can_return(self, event):
        """A period that comes back while it is shown is the same outage."""
        return True

    def can_move(self, event):
        """The same address on other days is the same outage."""
        return True

    def revise(self, event, stamp):
        """Every change of an outage is a revision of its event, at the feed's time."""
        event.sequence += 1
        event.stamp = stamp

    def next_number(self, address, year):
        """A number is never handed out twice."""
        self.numbers[address, year] = self.numbers.get((address, year), 0) + 1
        return self.numbers[address, year]

    # The night.

    def night(self, records, today, stamp):
        """Takes the feed of a night, (place, periods) by record; gives the changes."""
        periods, changes = {}, []
        for place, said in records:
            for days in said:
                periods.setdefault((address_id(place), days), place)
        self.events = [e for e in self.events if not e.cancelled or self.is_shown(e, today)]
        missing = []
        for event in list(self.events):
            key = event.address, event.days
            if key in periods and (not event.cancelled or self.can_return(event)):
                if event.cancelled:
                    event.cancelled = None
                    self.revise(event, stamp)
                    changes.append(("restored", event, None))
                elif event.place != periods[key]:
                    event.stamp = stamp  # the same outage in other words
                event.place = periods.pop(key)
            elif not event.cancelled and self.is_past(event, today):
                self.events.remove(event)
            elif not event.cancelled:
                missing.append(event)
        self.move(missing, periods, stamp, changes)
        for event in missing:
            event.cancelled = today
            self.revise(event, stamp)
            changes.append(("cancelled", event, event.days))
        for (address, days), place in periods.items():
            year = days[0].year
            event = Event(address, year, self.next_number(address, year), stamp)
            event.days, event.place = days, place
            self.events.append(event)
            changes.append(("new", event, None))
        return [told(*change) for change in sorted(changes, key=lambda each: each[1].order)]

    def move(self, missing, periods, stamp, changes):
        """Pairs what is missing with what is new at its address, the nearest first."""
        while True:
            pairs = [(self.nearness(event, key[1]), event, key)
                     for event in missing if self.can_move(event)
                     for key in periods if key[0] == event.address]
            if not pairs:
                return
            _, event, key = min(pairs, key=lambda pair: pair[0])
            missing.remove(event)
            old, event.days = event.days, key[1]
            event.place = periods.pop(key)
            self.revise(event, stamp)
            changes.append(("moved", event, old))


def told(word, event, old):
    """A line of the list of changes."""
    new = event.days if word != "cancelled" else None
    days = [str(day) if day else None for day in (*(old or (None, None)), *(new or (None, None)))]
    names = ["old_start_date", "old_end_date", "start_date", "end_date"]
    return {"change": word, "uid": event.uid, "address_id": event.address,
            **dict(zip(COLUMNS, event.place)), **dict(zip(names, days))}


# The model with one rule broken each: the season must notice every one of them.


class ShownADayLess(Model):
    """cancelled events are shown for 29 days"""

    def is_shown(self, event, today):
        return (today - event.cancelled).days < 29


class ShownADayMore(Model):
    """cancelled events are shown for 31 days"""

    def is_shown(self, event, today):
        return (today - event.cancelled).days < 31


class PastTooEarly(Model):
    """an outage is past on its last day"""

    def is_past(self, event, today):
        return event.days[1] <= today


class NeverPast(Model):
    """a past outage that leaves the feed is cancelled"""

    def is_past(self, event, today):
        return False


class NearestByFirstDay(Model):
    """periods are paired by their first days alone"""

    def nearness(self, event, days):
        return abs((days[0] - event.days[0]).days), event.year, event.number, days


class PairedInOrder(Model):
    """periods are paired in order, however far apart"""

    def nearness(self, event, days):
        return event.days, days


class YoungerFirst(Model):
    """of events equally near the younger moves"""

    def nearness(self, event, days):
        distance, year, number, _ = super().nearness(event, days)
        return distance, -year, -number, days


class NeverRestored(Model):
    """what comes back is a new event"""

    def can_return(self, event):
        return False


class NeverMoved(Model):
    """other days are another event"""

    def can_move(self, event):
        return False


class NotRevised(Model):
    """SEQUENCE stays"""

    def revise(self, event, stamp):
        event.stamp = stamp


class NotStamped(Model):
    """LAST-MODIFIED stays"""

    def revise(self, event, stamp):
        event.sequence += 1


class NumbersReused(Model):
    """numbers are the lowest that is free"""

    def next_number(self, address, year):
        taken = {e.number for e in self.events if (e.address, e.year) == (address, year)}
        return min(set(range(1, len(taken) + 2)) - taken)


MUTANTS = [ShownADayLess, ShownADayMore, PastTooEarly, NeverPast, NearestByFirstDay, PairedInOrder,
           YoungerFirst, NeverRestored, NeverMoved, NotRevised, NotStamped, NumbersReused]
