// Finds places by what people type: names that fit, then houses. A port of the program's own
// search; see spelling.js.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});

  // Houses.

  /** The house of a place where none is asked for. */
  const NOWHERE = { number: {}, split: null, inside: undefined };

  /** How the house of a place fits one that was typed: the parts it has more, or how it differs. */
  function fit(place, typed) {
    const result = fitNumber(place.number, typed);
    if (result.differs === undefined || !place.split) return result;
    // "30" is also "30/16", as it is building 16 of house 30.
    const split = fitNumber(place.split, typed);
    return split.differs === undefined ? split : result;
  }

  /** A letter differs by 0, a building by 1, a house by more. */
  function fitNumber(number, typed) {
    if (typed.house !== undefined && typed.house !== number.house) {
      return { differs: 2 + houseDifference(typed.house, number.house) };
    }
    let more = 0;
    for (const [part, differs] of [["building", 1], ["letter", 0]]) {
      if (typed[part] !== undefined) {
        if (typed[part] !== number[part]) return { differs };
      } else if (number[part] !== undefined) {
        more += 1;
      }
    }
    return { more };
  }

  function houseDifference(a, b) {
    const value = (text) => {
      const digits = /^[0-9]{1,6}/.exec(text === undefined ? "" : text);
      return digits ? Number(digits[0]) : null;
    };
    const [first, second] = [value(a), value(b)];
    return first === null || second === null ? 1e6 : Math.min(Math.abs(first - second), 1e6);
  }

  /**
   * Makes a search in places. `columns` are those of a place's name, `texts` gives the texts of a
   * place. The places are in the order of people.
   */
  function makeFinder(tables, columns, places, texts) {
    const tools = sluice.address.makeAddresses(tables);
    const matcher = sluice.matcher.makeMatcher(tools);
    const isOfHouse = (part) => part === "house" || part === "building" || part === "letter";
    const nameColumns = columns.map((_, index) => index)
      .filter((index) => !isOfHouse(columns[index].part));
    const columnOf = (part) => columns.findIndex((column) => column.part === part);
    const houseColumns = ["house", "building", "letter"].map(columnOf);
    const hasHouses = houseColumns[0] >= 0;
    const houses = new Array(places.length);
    let names = null;

    /** The distinct names, each with its places. */
    function allNames() {
      if (names) return names;
      const byText = new Map();
      places.forEach((place, index) => {
        const all = texts(place);
        // A house may have a name, which belongs to that of the place.
        const house = hasHouses ? tools.houseName(all[houseColumns[0]]) : null;
        const own = nameColumns.map((column) => all[column]);
        if (house) own.push(all[houseColumns[0]]);
        const text = own.join("\u001f");
        let name = byText.get(text);
        if (!name) {
          const parts = nameColumns.map((column) => ({
            text: all[column], part: columns[column].part,
          }));
          if (house) parts.push({ tokens: house, part: null });
          name = matcher.placeName(parts);
          name.isNamed = house !== null;
          name.places = [];
          byText.set(text, name);
        }
        name.places.push(index);
      });
      names = Array.from(byText.values());
      return names;
    }

    function houseOf(index) {
      if (!houses[index]) {
        const all = texts(places[index]);
        houses[index] = tools.placeHouse(
          ...houseColumns.map((column) => (column < 0 ? "" : all[column])));
      }
      return houses[index];
    }

    /** The places, the best first; those that are near if there is none. Both are indexes. */
    function find(text) {
      const readings = tools.readingsOf(text, hasHouses);
      if (!readings.length) return { isEmpty: true, places: [], near: [] };
      for (const reading of readings) matcher.prepare(reading);
      let best = Infinity;
      let named = [];
      for (const name of allNames()) {
        const matches = readings.map((reading) => matcher.match(reading, name));
        let penalty = Infinity;
        matches.forEach((match, index) => {
          if (match) penalty = Math.min(penalty, match.penalty + readings[index].cost);
        });
        if (penalty > best || penalty === Infinity) continue;
        if (penalty < best) {
          // Another name is no answer if the one that was typed is there.
          best = penalty;
          named = [];
        }
        named.push({ name, matches });
      }
      const { found, others } = inHouses(readings, named, best);
      if (found.length) return { places: found, near: [], others: [] };
      return { places: [], near: named.length ? [] : nearNames(readings), others };
    }

    const byRank = (a, b) => {
      for (let index = 0; index < a.rank.length; index += 1) {
        if (a.rank[index] !== b.rank[index]) return a.rank[index] - b.rank[index];
      }
      return a.index - b.index;
    };

    /** Of the places whose name fits best: those whose house fits, and the others, nearest first. */
    function inHouses(readings, named, limit) {
      const found = [];
      const others = [];
      for (const { name, matches } of named) {
        for (const index of name.places) {
          const { rank, differs } = rankOf(readings, matches, limit, name, index);
          if (rank) found.push({ rank, index }); else others.push({ rank: [differs], index });
        }
      }
      found.sort(byRank);
      others.sort(byRank);
      return {
        found: found.filter((one) => one.rank[1] === found[0].rank[1]).map((one) => one.index),
        others: found.length ? [] : others.map((one) => one.index),
      };
    }

    /** The smallest rank of a place over all readings; or else how its house differs. */
    function rankOf(readings, matches, limit, name, index) {
      let best = null;
      let differs = Infinity;
      const place = namesHouse(readings) || name.isNamed ? houseOf(index) : NOWHERE;
      matches.forEach((match, at) => {
        const reading = readings[at];
        if (!match || match.penalty + reading.cost > limit) return;
        const isInside = reading.inside.length > 0;
        const isOther = place.inside !== undefined && !reading.inside.includes(place.inside);
        if (isOther && isInside) return;
        const consider = (cost, more) => {
          // A flat that the place does not have makes it worse than one that has it.
          const disorder = match.disorder + (place.inside === undefined && isInside ? 1 : 0);
          const rank = [
            match.penalty + reading.cost, cost, more + (isOther ? 1 : 0), disorder, match.unnamed,
          ];
          if (!best || rankBefore(rank, best)) best = rank;
        };
        if (!reading.houses.length) {
          consider(0, name.isNamed && place.number.house !== undefined ? 1 : 0);
        }
        for (const house of reading.houses) {
          const result = fit(place, house.number);
          if (result.differs === undefined) {
            consider(house.cost, result.more);
          } else {
            // A house that begins with what was typed may be meant: it is being typed.
            const own = place.number.house || "";
            const isBegun = house.number.house !== undefined && result.differs > 2 &&
              own.startsWith(house.number.house);
            differs = Math.min(differs, isBegun ? 2 : result.differs + 1);
          }
        }
      });
      return { rank: best, differs };
    }

    const namesHouse = (readings) => readings.some((reading) => reading.houses.length > 0);

    function rankBefore(a, b) {
      for (let index = 0; index < a.length; index += 1) {
        if (a[index] !== b[index]) return a[index] < b[index];
      }
      return false;
    }

    /** The places whose names come nearest. */
    function nearNames(readings) {
      const near = [];
      for (const name of allNames()) {
        let distance = Infinity;
        for (const reading of readings) {
          const own = matcher.distance(reading, name);
          if (own >= 0) distance = Math.min(distance, own + reading.cost);
        }
        if (distance < Infinity) near.push({ rank: [distance], index: name.places[0], name });
      }
      near.sort(byRank);
      const places = [];
      for (const { rank, name } of near.slice(0, tools.limits.near)) {
        for (const index of name.places) {
          let differs = 0;
          for (const reading of readings) {
            for (const house of reading.houses) {
              const result = fit(houseOf(index), house.number);
              differs = Math.min(
                differs || Infinity, result.differs === undefined ? 0.5 : result.differs + 1);
            }
          }
          places.push({ rank: [rank[0], differs], index });
        }
      }
      return places.sort(byRank).slice(0, tools.limits.near).map((one) => one.index);
    }

    return { find, prepare: allNames };
  }

  sluice.search = { makeFinder };
})();
