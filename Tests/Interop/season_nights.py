"""The nights of the season: what the feed holds on each of them, and what its events are then."""
import datetime

import season_feed
import season_model
from oracle import fold
from season_feed import ACCEPTED, ANSWERS, EXIT_CODES, FIRST_NIGHT, GOOD, NIGHTS, STREETS, days

SEED = 20200501


class Night:
    """One night: its day, what the city's list says, and what the answer is."""

    def __init__(self, number, city):
        self.number = number
        self.today = FIRST_NIGHT + days(number - 1)
        self.kind = ANSWERS.get(number, GOOD)
        self.is_published = EXIT_CODES[self.kind] == 0
        city.night(number, self.today)
        self.records = city.rows()
        if self.kind in (season_feed.HALF, ACCEPTED):
            self.records = self.records[: len(self.records) // 2]
        if self.kind == season_feed.EMPTY:
            self.records = []
        # At 2 at night, Moscow's time; an archive counts in steps of two seconds.
        self.moment = datetime.datetime.combine(
            self.today, datetime.time(2, number % 60, number % 30 * 2))

    @property
    def stamp(self):
        """When the feed was last changed, as a calendar says it."""
        return (self.moment - datetime.timedelta(hours=3)).strftime("%Y%m%dT%H%M%SZ")

    @property
    def filter(self):
        """What tonight's filtered calendar holds: options, and whether an event is in it."""
        def on(*streets):
            wanted = {fold(street) for street in streets}
            options = [word for street in streets for word in ("--where", f"street={street}")]
            return options, lambda event: fold(event.place[1]) in wanted
        return [
            on(STREETS[0]),
            on(STREETS[1], STREETS[2].upper()),
            ([], lambda event: True),
            (["--from", str(self.today)], lambda event: event.days[1] >= self.today),
            on(STREETS[4]),
        ][self.number % 5]

    def folder(self, base):
        return base / f"night-{self.number:02}"


def season():
    city = season_feed.City(SEED)
    return [Night(number, city) for number in range(1, NIGHTS + 1)]


def published(model=None):
    """The published nights with the model's events and changes after each."""
    model = model or season_model.Model()
    for night in season():
        if night.is_published:
            records = [(place, periods) for place, _, periods in night.records]
            changes = model.night(records, night.today, night.stamp)
            yield night, model.events, changes
