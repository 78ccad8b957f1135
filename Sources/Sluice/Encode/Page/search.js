// Finds places by what people type: names that fit, then houses. A port of the program's own
// search; see spelling.js.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});

  /** Compares names with words. `tools` are those of address.js. */
  function makeMatcher(tools) {
    const { spelling, vocabulary, costs, limits } = tools;

    /** The words of a place's name: `columns` are its texts, without those of the house. */
    function placeName(columns) {
      const name = { parts: [], kinds: [], hasLocality: false };
      for (const { text, part } of columns) {
        const tokens = tools.tokensOf(text);
        const isLocality = part === "locality";
        if (isLocality && tokens.length) name.hasLocality = true;
        tokens.forEach((token, index) => {
          if (name.parts.length >= limits.words || tools.isOrdinalAfter(tokens, index)) return;
          const kinds = token.isNumber ? [] : vocabulary.kinds(token.letters);
          if (kinds.length) name.kinds.push(kinds);
          name.parts.push({
            word: tools.makeWord(token.letters, token.isNumber, token.hasStop),
            isLocality, isKind: kinds.length > 0,
          });
        });
      }
      name.street = tools.makeWord(
        name.parts.filter((part) => !part.isLocality && !part.isKind)
          .map((part) => part.word.letters).join(""), false, false);
      return name;
    }

    const isForeign = (a, b) => a.hasLatin && b.isCyrillic || a.isCyrillic && b.hasLatin;

    /** How far a typed word is from a place's word; -1 if it is another word. */
    function compare(typed, word, isJoined) {
      if (typed.letters === word.letters) return 0;
      if (typed.isNumber || word.isNumber) return -1;
      if (typed.hasLatin && word.isCyrillic) {
        const other = spelling.lookAlike(typed.letters);
        if (other !== null) {
          if (other === word.letters) return costs.lookAlike;
          const more = near(other, vocabulary.stem(other), word.letters, word.stem, typed, false);
          if (more >= 0) return costs.lookAlike + more;
        }
      }
      if (!isForeign(typed, word)) {
        return near(typed.letters, typed.stem, word.letters, word.stem, typed, isJoined);
      }
      if (typed.sounds === word.sounds) return costs.transliteration;
      const more = near(
        typed.sounds, vocabulary.stem(typed.sounds), word.sounds, vocabulary.stem(word.sounds),
        typed, false);
      return more < 0 ? -1 : costs.transliteration + more;
    }

    /** How far letters are from others that they do not equal. Joined ones are no beginning. */
    function near(typed, stem, word, otherStem, { isAbbreviated }, isJoined) {
      if (!typed || !word) return -1;
      if (typed[0] === word[0]) {
        if (stem !== null && stem === otherStem) return isJoined ? -1 : costs.inflection;
        if (word.startsWith(typed)) {
          if (isAbbreviated) return costs.abbreviation;
          if (isJoined) return -1;
          return typed.length >= 3 ? costs.beginning : costs.shortBeginning;
        }
      }
      const errors = spelling.typos(typed, word, spelling.errorsIn(typed.length));
      if (errors >= 0) return costs.typo * errors;
      // The beginning of a word, with one error.
      if (typed.length >= 5 && word.length > typed.length &&
          spelling.typos(typed, word.slice(0, typed.length), 1) >= 0) {
        return costs.typo + costs.beginning;
      }
      return -1;
    }

    /** How a name fits the words of a reading; null if it lacks one. */
    function match(reading, name) {
      const match = matchByWord(reading.words, name) || matchJoined(reading.words, name);
      if (match && reading.kinds.length && name.kinds.length &&
          !reading.kinds.some((kinds) =>
            name.kinds.some((others) => kinds.some((kind) => others.includes(kind))))) {
        match.penalty += costs.otherKind;
      }
      return match;
    }

    function matchByWord(words, name) {
      const used = new Set();
      const unmatched = [];
      let penalty = 0;
      for (const word of words) {
        let best = -1;
        let bestPenalty = Infinity;
        for (let index = 0; index < name.parts.length; index += 1) {
          if (used.has(index)) continue;
          const cost = compare(word, name.parts[index].word, false);
          if (cost >= 0 && cost < bestPenalty) {
            best = index;
            bestPenalty = cost;
          }
        }
        if (best < 0) {
          unmatched.push(word);
          continue;
        }
        used.add(best);
        penalty += bestPenalty;
      }
      if (unmatched.length) {
        // A city contradicts nothing if the place does not tell its locality, or if a smaller one
        // was named too: "Санкт-Петербург, Пушкин".
        const isNamed = name.parts.some((part, index) => part.isLocality && used.has(index));
        if (name.hasLocality && !isNamed || unmatched.length >= words.length ||
            !unmatched.every((word) => vocabulary.localities.has(word.letters))) {
          return null;
        }
        penalty += costs.unknownLocality;
      }
      const unnamed = name.parts.filter(
        (part, index) => !used.has(index) && !part.isLocality && !part.isKind).length;
      return { penalty, unnamed };
    }

    /** Compares words that were written in one, or one word that was written in several. */
    function matchJoined(words, name) {
      if (words.length + name.parts.length <= 2) return null;
      // What names the locality word by word is left out.
      const used = new Set();
      let rest = "";
      for (const word of words) {
        const place = name.parts.findIndex((part, index) => {
          if (!part.isLocality || used.has(index)) return false;
          const cost = compare(word, part.word, false);
          return cost >= 0 && cost <= costs.transliteration;
        });
        if (place >= 0) used.add(place); else rest += word.letters;
      }
      if (rest.length < 4) return null;
      const cost = compare(tools.makeWord(rest, false, false), name.street, true);
      return cost < 0 ? null : { penalty: costs.joined + cost, unnamed: 0 };
    }

    /** How far a name is that lacks words; -1 if it is quite another one. */
    function distance(reading, name) {
      const farthest = costs.typo * 4;
      let total = 0;
      let isStreetNear = false;
      for (const word of reading.words) {
        if (word.isNumber) continue;
        let best = farthest;
        for (const part of name.parts) {
          if (part.word.isNumber) continue;
          const before = best;
          const cost = compare(word, part.word, false);
          if (cost >= 0) {
            best = Math.min(best, cost);
          } else if (word.letters.length >= 4) {
            const foreign = isForeign(word, part.word);
            const a = foreign ? word.sounds : word.letters;
            const b = foreign ? part.word.sounds : part.word.letters;
            const errors = spelling.typos(a, b, Math.max(2, Math.floor(a.length / 3)));
            if (errors >= 0) best = Math.min(best, costs.typo * errors);
          }
          if (best < before && !part.isLocality) isStreetNear = true;
        }
        total += best;
      }
      return isStreetNear ? total : -1;
    }
    return { placeName, match, distance };
  }

  // Houses.

  /** How the house of a place fits one that was typed: the parts it has more, or how it differs. */
  function fit(place, typed) {
    const result = fitNumber(place.number, typed);
    if (place.split && typed.building !== undefined) {
      const split = fitNumber(place.split, typed);
      if (split.differs === undefined) return split;
    }
    return result;
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
    const matcher = makeMatcher(tools);
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
        const text = nameColumns.map((column) => all[column]).join("\u001f");
        let name = byText.get(text);
        if (!name) {
          name = matcher.placeName(nameColumns.map((column) => ({
            text: all[column], part: columns[column].part,
          })));
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
          const { rank, differs } = rankOf(readings, matches, limit, index);
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
    function rankOf(readings, matches, limit, index) {
      let best = null;
      let differs = Infinity;
      const consider = (rank) => {
        if (!best || rankBefore(rank, best)) best = rank;
      };
      matches.forEach((match, at) => {
        const reading = readings[at];
        if (!match || match.penalty + reading.cost > limit) return;
        const penalty = match.penalty + reading.cost;
        if (!reading.houses.length) consider([penalty, 0, 0, match.unnamed]);
        for (const house of reading.houses) {
          const result = fit(houseOf(index), house.number);
          if (result.differs === undefined) {
            consider([penalty, house.cost, result.more, match.unnamed]);
          } else {
            // A house that begins with what was typed may be meant: it is being typed.
            const own = houseOf(index).number.house || "";
            const isBegun = house.number.house !== undefined && result.differs > 2 &&
              own.startsWith(house.number.house);
            differs = Math.min(differs, isBegun ? 2 : result.differs + 1);
          }
        }
      });
      return { rank: best, differs };
    }

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
