"""A season of the hot-water feed, made of a seed: what the city's list says on each of 60 nights.

    night       14 to 16   22         27     33            41                  every sixth
    the answer  an outage  truncated  empty  half of it    half, and accepted  nothing has changed

The list goes on changing behind an answer that cannot be used, so that the next good one brings
the changes of several nights. `play` writes the answers; `season.py` runs the program on them.
"""
import base64
import datetime
import io
import json
import random
import zipfile

FIRST_NIGHT = datetime.date(2020, 5, 1)
NIGHTS = 60
STREETS = ["Непокорённых", "Краснопутиловская", "Ветеранов", "Бухарестская", "6-я Советская"]

GOOD, MISSING, BROKEN, TRUNCATED, EMPTY, HALF, ACCEPTED = (
    "good", "missing", "broken", "truncated", "empty", "half", "accepted")
ANSWERS = {14: MISSING, 15: BROKEN, 16: MISSING, 22: TRUNCATED, 27: EMPTY, 33: HALF, 41: ACCEPTED}
EXIT_CODES = {GOOD: 0, MISSING: 66, BROKEN: 65, TRUNCATED: 65, EMPTY: 75, HALF: 75, ACCEPTED: 0}
KEPT = "ГВС сохранено"


def days(count):
    return datetime.timedelta(days=count)


def day(month, number, year=2020):
    return datetime.date(year, month, number)


class City:
    """The list, address by address: `places` are the addresses in their order, `plan` what is
    said of each: a list of periods (first day, last day), or KEPT. No entry: not in the list."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.places = [
            ("Санкт-Петербург", street, str(3 * number + 1), building, letter)
            for street in STREETS
            for number in range(10)
            for building, letter in ((None, None), ("2", None), ("1", "А"))
        ]
        self.random.shuffle(self.places)
        # The stories have addresses of their own, which chance leaves alone.
        self.stories = self.places[:10]
        self.plan = {}
        self.lost = []  # (night, place, periods)
        self.capitals = set()
        for place in self.places[10:110]:
            self.plan[place] = [self.period(FIRST_NIGHT)]

    def period(self, today):
        first = today + days(self.random.randrange(-8, 75))
        return first, first + days(self.random.randrange(0, 14))

    def some(self, places):
        places = list(places)
        return self.random.choice(places) if places else None

    def night(self, number, today):
        """Lets one night's changes happen."""
        if number > 1 and number % 6:
            for _ in range(self.random.randrange(2, 5)):
                self.move()
            for change in (self.vanish, self.come_back, self.keep, self.unkeep, self.add,
                           self.double, self.reword):
                if self.random.random() < 0.6:
                    change(number, today)
            self.tidy(today)
        self.tell(number)

    def with_periods(self):
        return [p for p, said in self.plan.items() if said != KEPT and p not in self.stories]

    def move(self):
        place = self.some(self.with_periods())
        said = self.plan[place]
        index = self.random.randrange(len(said))
        first, last = said[index]
        first += days(self.random.randrange(-5, 6))
        last = max(first, last + days(self.random.randrange(-5, 6)))
        self.plan[place] = said[:index] + [(first, last)] + said[index + 1 :]

    def vanish(self, number, today):
        place = self.some(self.with_periods())
        self.lost.append((number, place, self.plan.pop(place)))

    def come_back(self, number, today):
        """Those that vanished a few nights ago, or more than a month ago."""
        lost = [each for each in self.lost
                if each[1] not in self.plan and not 12 < number - each[0] < 29]
        story = self.some(lost)
        if story:
            self.lost.remove(story)
            self.plan[story[1]] = story[2]

    def keep(self, number, today):
        place = self.some(self.with_periods())
        self.lost.append((number, place, self.plan[place]))
        self.plan[place] = KEPT

    def unkeep(self, number, today):
        place = self.some([p for p, said in self.plan.items() if said == KEPT])
        if place and place not in self.stories:
            before = [said for _, lost, said in self.lost if lost == place]
            again = before and self.random.random() < 0.5
            self.plan[place] = before[-1] if again else [self.period(today)]

    def add(self, number, today):
        fresh = [p for p in self.places[10:] if p not in self.plan]
        place = self.some(fresh)
        if place:
            self.plan[place] = [self.period(today)]

    def double(self, number, today):
        place = self.some(self.with_periods())
        said = self.plan[place]
        self.plan[place] = said[1:] if len(said) > 1 else said + [self.period(today)]

    def reword(self, number, today):
        """The same address in other letters."""
        self.capitals ^= {self.some(self.with_periods())}

    def tidy(self, today):
        """Some of what is past leaves the list."""
        for place in self.with_periods():
            stay = [p for p in self.plan[place] if p[1] >= today or self.random.random() < 0.9]
            if stay:
                self.plan[place] = stay
            else:
                self.lost.append((0, place, self.plan.pop(place)))

    def tell(self, number):
        """What must happen in a season, whatever chance does."""
        story = {
            # Two periods, one new one between them: equally near, so the older event moves.
            3: (0, [(day(7, 14), day(7, 16)), (day(7, 10), day(7, 12))]),
            5: (0, [(day(7, 12), day(7, 14))]),
            # Two move at once: the nearest pair first, though the other would cost less in all.
            4: (1, [(day(7, 1), day(7, 3)), (day(7, 11), day(7, 13))]),
            8: (1, [(day(7, 9), day(7, 11)), (day(7, 29), day(7, 31))]),
            # Only the last days tell which is nearer.
            9: (2, [(day(8, 1), day(8, 4)), (day(8, 6), day(8, 14))]),
            10: (2, [(day(8, 3), day(8, 13))]),
            # Gone for 29 nights and for 30: restored, and a new event.
            7: (3, [(day(8, 1), day(8, 10))]),
            11: (3, None),
            40: (3, [(day(8, 1), day(8, 10))]),
            13: (4, [(day(8, 1), day(8, 10))]),
            17: (4, None),
            47: (4, [(day(8, 1), day(8, 10))]),
            # Days that are a cancelled event's: it is restored, and the live one is cancelled.
            19: (5, [(day(7, 1), day(7, 5))]),
            20: (5, KEPT),
            21: (5, [(day(7, 11), day(7, 15))]),
            23: (5, [(day(7, 1), day(7, 5))]),
            # Over new year: the year of the UID stays.
            25: (6, [(day(12, 30), day(1, 5, 2021))]),
            26: (6, [(day(1, 2, 2021), day(1, 8, 2021))]),
            # Its last day is today, and the day before that: cancelled, and gone.
            28: (7, [(day(5, 20), FIRST_NIGHT + days(28)), (day(5, 20), FIRST_NIGHT + days(27))]),
            29: (7, []),
            # A past one leaves as a later one comes: another outage, not the same one moved.
            31: (8, [(day(5, 20), day(5, 30))]),
            34: (8, [(day(6, 5), day(6, 9))]),
            # It moves while it lasts, from an earlier day to a later one.
            32: (9, [(day(5, 30), day(6, 8))]),
            35: (9, [(day(6, 3), day(6, 12))]),
        }.get(number)
        if story:
            which, said = story
            self.plan[self.stories[which]] = said or []
            if said is None:
                del self.plan[self.stories[which]]

    def rows(self):
        """The records: an address, and what its cell says, in the list's order."""
        records = []
        for index, place in enumerate(self.places):
            if place not in self.plan:
                continue
            said = self.plan[place]
            if place in self.capitals:
                place = (place[0], place[1].upper().replace("Ё", "Е"), *place[2:])
            if said == KEPT:
                records.append((place, KEPT, []))
            elif index % 2:
                records += [(place, cell([period]), [period]) for period in said]
                if index % 10 == 1:
                    records.append(records[-1])  # a record that is there twice
            elif said:
                records.append((place, cell(said), said))
        return records


def cell(periods):
    return ", ".join(f"{first:%d.%m.%Y}-{last:%d.%m.%Y}" for first, last in periods)


KEYS = ["Населенный пункт", "Адрес жилого здания", "№ дома", "корпус", "литер"]


def answer(records, number, moment):
    """The API's answer; `moment` is the archive's time of its file, in Moscow."""
    listed = [
        {**{key: text for key, text in zip(KEYS, place) if text is not None},
         "Период отключения ГВС": said}
        for place, said, _ in records
    ]
    archive = io.BytesIO()
    entry = zipfile.ZipInfo("disconnect_teploset.json", moment.timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(entry, json.dumps(listed, ensure_ascii=False))
    return wrapped(archive.getvalue(), number)


def wrapped(archive, number):
    classifier = {"classifierId": 4, "classifierName": "График", "version": str(number),
                  "file": base64.b64encode(archive).decode("ascii")}
    whole = {"status": "result", "responseData": {"classifiers": [classifier]}}
    return json.dumps(whole, ensure_ascii=False).encode("utf-8")
