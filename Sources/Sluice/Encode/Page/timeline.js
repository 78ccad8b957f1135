// Days as bars on the months of a season, and how many places each day has.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});
  const { t, count, parts, monthName, daysText, dayText, number } = sluice.texts;
  const { element } = sluice.elements;

  const dayOf = (year, month) => Date.UTC(year, month, 1) / 864e5;

  /** Whole months around days, at least three: their first day, and the day after the last. */
  function months(first, last) {
    const [firstYear, firstMonth] = parts(first);
    const [lastYear, lastMonth] = parts(last);
    const from = firstYear * 12 + firstMonth;
    const to = Math.max(lastYear * 12 + lastMonth, from + 2);
    const list = [];
    for (let month = from; month <= to; month += 1) {
      list.push({
        first: dayOf(Math.floor(month / 12), month % 12), month: month % 12,
        end: dayOf(Math.floor((month + 1) / 12), (month + 1) % 12),
      });
    }
    return { list, first: list[0].first, end: list[list.length - 1].end };
  }

  /** Puts an element at days of a season. The browser's own styles are no markup. */
  function position(made, season, first, end) {
    const whole = season.end - season.first;
    made.style.left = `${100 * (first - season.first) / whole}%`;
    made.style.width = `${100 * (end - first) / whole}%`;
    return made;
  }

  /** The names of the months below a season. */
  function axis(season) {
    const step = Math.ceil(season.list.length / 8);
    return element("div", { class: "axis" }, ...season.list.map((month, index) =>
      position(
        element("span", { class: index % step ? "month month-mute" : "month" },
          element("span", { text: index % step ? "" : monthName(month.month) })),
        season, month.first, month.end)));
  }

  function todayMark(season, today) {
    if (today < season.first || today >= season.end) return null;
    const made = position(element("div", { class: "today" }), season, today, today + 1);
    made.append(element("span", { text: t("today") }));
    return made;
  }

  /** The range that a timeline of a place has: that of all places, unless it is over a year. */
  function range(model, place) {
    const { season } = model;
    if (season && season.last - season.first <= 370) return season;
    const { event } = place.state;
    const near = place.events.filter((other) =>
      other.first !== null && Math.abs(other.first - event.first) <= 180);
    return {
      first: Math.min(...near.map((other) => other.first)),
      last: Math.max(...near.map((other) => other.last)),
    };
  }

  /** The days of a place on the months of its season; null if it has none. */
  function timeline(model, place) {
    const lines = [];
    for (const event of place.events) {
      if (event.first === null) continue;
      const kind = event.last < model.today ? "over" : event.first <= model.today ? "now" : "soon";
      lines.push({ ...event, kind, text: daysText(event.first, event.last) });
    }
    for (const { kind, first, last, oldFirst, oldLast } of place.history) {
      if (kind === "moved" && oldFirst !== null) {
        lines.push({
          first: oldFirst, last: oldLast, kind: "moved",
          text: t("moved", { days: daysText(oldFirst, oldLast) }),
        });
      } else if (first !== null && kind !== "moved") {
        const text = `${daysText(first, last)}: ${t(kind === "cancelled" ? "cancelled" : "wasGone")}`;
        lines.push({ first, last, kind, text });
      }
    }
    if (!lines.length || !place.state.event) return null;
    const { first, last } = range(model, place);
    const season = months(first, last);
    const shown = lines.filter((line) => line.last >= season.first && line.first < season.end);
    return element(
      "div", {
        class: "timeline", role: "img",
        "aria-label": t("timeline", { list: shown.map((line) => line.text).join("; ") }),
      },
      element("div", { class: "track" }, ...shown.map((line) => {
        const bar = element("div", { class: `bar bar-${line.kind}` });
        bar.title = line.text;
        return position(bar, season, Math.max(line.first, season.first),
          Math.min(line.last + 1, season.end));
      }), todayMark(season, model.today)),
      axis(season));
  }

  /** How many places each day has, as columns; null where days are not of one season. */
  function crowd(model) {
    if (!model.season) return null;
    const season = months(model.season.first, model.season.last);
    const length = season.end - season.first;
    if (length > 550) return null;
    const change = new Int32Array(length + 1);
    for (const place of model.places) {
      for (const event of place.events) {
        if (event.first === null) continue;
        change[event.first - season.first] += 1;
        change[event.last + 1 - season.first] -= 1;
      }
    }
    const days = [];
    let running = 0;
    for (let day = 0; day < length; day += 1) {
      running += change[day];
      days.push(running);
    }
    const most = Math.max(...days);
    if (!most) return null;
    const busiest = season.first + days.indexOf(most);
    const bars = element("div", { class: "crowd" });
    // Days of the same height in a row are one column.
    for (let day = 0; day < length;) {
      let end = day + 1;
      while (end < length && days[end] === days[day]) end += 1;
      if (days[day]) {
        const column = position(
          element("div", { class: "column" }), season, season.first + day, season.first + end);
        column.style.height = `${Math.max(2, 100 * days[day] / most)}%`;
        column.title = `${daysText(season.first + day, season.first + end - 1)}: ` +
          count(days[day], model.hasHouses ? "addresses" : "places");
        bars.append(column);
      }
      day = end;
    }
    const mark = todayMark(season, model.today);
    if (mark) bars.append(mark);
    const label = t("byDay", { n: number(most), day: dayText(busiest) });
    return element(
      "figure", { class: "season" },
      element("div", { role: "img", "aria-label": label }, bars, axis(season)),
      element("figcaption", { text: label }));
  }

  sluice.timeline = { timeline, crowd };
})();
