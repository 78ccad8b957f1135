// The places of data.js with their days, and what a day is from today's point of view.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});
  const { t, count, daysText } = sluice.texts;

  /** Days that begin within so many are soon. */
  const SOON = 14;
  /** The order of states where places are counted. */
  const STATES = ["now", "soon", "later", "over", "none"];

  /** Makes a model of the data; `today` is a number of days since 1970. */
  function makeModel(data, today) {
    const columns = data.name;
    const texts = data.texts;
    const places = data.places.map((row, index) => ({
      index, id: typeof row[0] === "string" ? row[0] : null, row, events: [], history: [],
    }));
    for (const row of data.events) {
      const [place, first, last] = row;
      if (!places[place]) continue;
      places[place].events.push({
        first: first === null ? last : first, last: last === null ? first : last, row,
      });
    }
    const rank = (event) => (event.first === null ? Infinity : event.first);
    for (const place of places) {
      if (place.events.length > 1) place.events.sort((a, b) => rank(a) - rank(b) || 0);
    }
    for (const [place, kind, first, last, oldFirst, oldLast] of data.history || []) {
      if (places[place]) places[place].history.push({ kind, first, last, oldFirst, oldLast });
    }

    const partOf = (name) => columns.findIndex((column) => column.part === name);
    const houseParts = ["house", "building", "letter"]
      .map((name) => [name, partOf(name)]).filter(([, column]) => column >= 0);
    const isHouse = new Set(houseParts.map(([, column]) => column));
    const locality = partOf("locality");
    let nameColumns = columns.map((_, index) => index)
      .filter((index) => !isHouse.has(index) && index !== locality);
    // Without parts of an address the first column may be what the others belong to: a team.
    let owner = locality;
    if (owner < 0 && !houseParts.length && nameColumns.length > 1) {
      const first = new Set(places.map((place) => place.row[nameColumns[0] + 1]));
      if (first.size * 2 <= places.length) {
        owner = nameColumns[0];
        nameColumns = nameColumns.slice(1);
      }
    }

    const textsOf = (place) => columns.map((_, index) => texts[place.row[index + 1]] || "");
    const textOf = (place, column) => (column < 0 ? "" : texts[place.row[column + 1]] || "");

    /** A place's name in the words of people: where it is, its street or name, its house. */
    function nameOf(place) {
      const names = nameColumns.map((column) => textOf(place, column)).filter(Boolean);
      const house = houseParts.map(([part, column]) => [part, textOf(place, column)])
        .filter(([, text]) => text).map(([part, text]) => houseWord(part, text)).join(" ");
      const where = textOf(place, owner);
      const title = joinedName(names) || where || (house ? "" : t("unnamed"));
      return { where: names.length || house ? where : "", title, house };
    }

    /** A part of a house with its word: `дом 15`. A house with a name needs none. */
    const houseWord = (part, text) =>
      (part === "house" && /^\p{L}{2}/u.test(text) ? text : `${t(part)}\u00a0${text}`);

    /** Words are said one after the other; a number stands apart. */
    const joinedName = (names) => names.join(names.some((name) => /\d/.test(name)) ? " · " : " ");

    /** The first details of an event in a few words: `paper`, `bikes 3`. */
    function snippet(event) {
      const said = [];
      (data.details || []).forEach((detail, index) => {
        const text = texts[event.row[3 + index]];
        if (!text || said.length === 3 || detail.kind === "instant" || detail.kind === "keyNumber") {
          return;
        }
        const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
        said.push(detail.kind === "text" || detail.kind === "verbatim"
          ? short : `${labelOf(detail)} ${short}`);
      });
      return said.join(" · ");
    }

    const labelOf = (detail) =>
      sluice.texts.choose(detail.label) || detail.column.replaceAll("_", " ");

    /** The whole name in one line. */
    function fullName(place) {
      const { where, title, house } = nameOf(place);
      return [where, title, house].filter(Boolean).join(", ").replaceAll("\u00a0", " ");
    }

    /** What a place is kept under: its name, which stays the same when the data is new. */
    const keyOf = (place) => textsOf(place).join("\u001f");

    /** What is remembered of a place that was seen, to tell when its days change. */
    function signature(place) {
      let hash = 0x811c9dc5;
      const text = place.events.map((event) => `${event.first}-${event.last}`).join();
      for (let index = 0; index < text.length; index += 1) {
        hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
      }
      return (hash >>> 0).toString(36);
    }

    /** The event that counts now: one that runs, or the next, or the last; and its state. */
    function findState(place) {
      let best = null;
      // Several rows may be of the same days.
      const days = new Set();
      for (const event of place.events) {
        if (event.first === null) continue;
        if (event.last >= today) days.add(`${event.first}-${event.last}`);
        if (!best || isBetter(event, best)) best = event;
      }
      if (!best) return { kind: "none", event: null, others: 0 };
      const kind = best.last < today ? "over"
        : best.first <= today ? "now" : best.first - today <= SOON ? "soon" : "later";
      return { kind, event: best, others: Math.max(0, days.size - 1) };
    }

    function isBetter(a, b) {
      const [isAOver, isBOver] = [a.last < today, b.last < today];
      if (isAOver !== isBOver) return isBOver;
      return isAOver ? a.last > b.last : a.first < b.first;
    }

    const counts = {};
    for (const kind of STATES) counts[kind] = 0;
    let [first, last] = [Infinity, -Infinity];
    const widen = (a, b) => {
      if (a === null || b === null || a === undefined || b === undefined) return;
      first = Math.min(first, a);
      last = Math.max(last, b);
    };
    for (const place of places) {
      place.state = findState(place);
      counts[place.state.kind] += 1;
      for (const event of place.events) widen(event.first, event.last);
      for (const change of place.history) {
        widen(change.first, change.last);
        widen(change.oldFirst, change.oldLast);
      }
    }

    /** Places by street; without houses, by what they belong to. */
    function groups(list) {
      const result = [];
      const byKey = new Map();
      const keyColumns = houseParts.length ? [owner, ...nameColumns] : [owner];
      for (const place of list) {
        const key = keyColumns.map((column) => textOf(place, column)).join("\u001f");
        let group = byKey.get(key);
        if (!group) {
          const { where, title } = nameOf(place);
          group = houseParts.length
            ? { where, title, places: [] } : { where: "", title: where || title, places: [] };
          byKey.set(key, group);
          result.push(group);
        }
        group.places.push(place);
      }
      return result;
    }

    /** The places in the order of a column: their name, or a day of the event that counts. */
    function sorted(list, order) {
      if (order === "name") return list;
      const day = (place) => {
        const { event, kind } = place.state;
        if (!event) return Infinity;
        // What is over comes after all that is not.
        return event[order === "begin" ? "first" : "last"] + (kind === "over" ? 1e7 : 0);
      };
      return list.map((place) => [day(place), place])
        .sort((a, b) => a[0] - b[0] || a[1].index - b[1].index).map(([, place]) => place);
    }

    const localities = new Set(owner < 0 ? [] : places.map((place) => place.row[owner + 1]));
    return {
      /** The days of a place that were cancelled, or undefined. */
      cancelled: (place) =>
        place.history.find(({ kind, first }) => kind === "cancelled" && first !== null),
      data, today, columns, places, counts, textsOf, nameOf, fullName, keyOf, signature, groups,
      sorted, snippet, labelOf,
      byId: new Map(places.filter((place) => place.id !== null).map((place) => [place.id, place])),
      /** The first and the last day of all places, or null. */
      season: first <= last ? { first, last } : null,
      houseOf: (place) => textOf(place, partOf("house")),
      hasHouses: houseParts.length > 0,
      isGrouped: houseParts.length > 0 || owner >= 0,
      hasDays: first <= last,
      hasSeveralLocalities: localities.size > 1,
      /** The calendar of the place's street, or null. */
      streetFile(place) {
        const key = `${locality < 0 ? 0 : place.row[locality + 1]}/${place.row[partOf("street") + 1]}`;
        return (data.streets && data.streets[key]) || null;
      },
    };
  }

  /** The days of a state in one line, and what is left. */
  function stateDays(state) {
    const { event, others } = state;
    if (!event) return "";
    const days = daysText(event.first, event.last);
    return others ? `${days}, ${count(others, "more1")}` : days;
  }

  sluice.model = { makeModel, stateDays, STATES };
})();
