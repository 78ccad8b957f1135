// What a person typed, in all ways in which it can be read: words of a name, and numbers of a
// house. A port of the program's own search; see spelling.js.
//
//     пр. Непокорённых, 15/1    words: непокоренных; houses: 15/1, or 15 building 1
//     8 линия 15                words: линия, house 8, building 15; or words: 8 линия, house 15
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});
  const { MEANING } = sluice.spelling;

  /** Makes the functions that read addresses of the tables of words.js. */
  function makeAddresses(tables) {
    const tools = sluice.tokens.makeTokens(tables);
    const { spelling, vocabulary, costs, tokensOf, wordOf, isLetter, isInitial, isOrdinal } = tools;

    // The numbers of a house among the words.

    /**
     * Reads tokens: those that are words, and groups of numbers that may be a house. `takesLetters`
     * says that a letter before a name belongs to the number before it, `takesEarly` that a building
     * or a letter may come before its house.
     */
    function parse(all, takesLetters = false, takesEarly = true) {
      const words = [];
      const groups = [];
      const inside = [];
      const early = { building: undefined, letter: undefined, words: [] };
      const tokens = withoutSigns(all);
      let isUnsure = false;

      /** Reads a number and what is joined to it. Returns the index after it. */
      function readNumber(start) {
        let index = start + 1;
        // A postal code is no house.
        if (vocabulary.postalDigits.has(tokens[start].letters.length)) return index;
        const group = {
          numbers: [tokens[start].letters], signs: [], isMarked: false, wordsBefore: words.length,
        };
        while (index < tokens.length && tokens[index].isNumber &&
            (tokens[index].joint === "dash" || tokens[index].joint === "slash")) {
          group.numbers.push(tokens[index].letters);
          group.signs.push(tokens[index].joint);
          index += 1;
        }
        // "1-я линия", "2я Советская", "42nd Avenue".
        if (index < tokens.length && isOrdinalAt(index)) {
          words.push(tokens[index - 1], tokens[index]);
          return index + 1;
        }
        groups.push(group);
        return index;
      }

      /** Whether the token after a number makes it part of a name. */
      function isOrdinalAt(index) {
        const token = tokens[index];
        if (!isOrdinal(token, tokens[index - 1], vocabulary.meaning(token.letters))) return false;
        // "15я" at the end is a house with a letter.
        return token.letters.length > 1 ||
          tokens.length > index + 1 && !tokens[index + 1].isNumber;
      }

      /** Reads a building or a letter that comes before its house: "корпус 1, дом 15". */
      function readEarly(token, meaning, next) {
        // One letter or the kind of a street may be part of a name.
        if (!takesEarly || groups.length || !next || isLetter(token) || meaning & MEANING.kind) {
          return -1;
        }
        if (meaning & MEANING.letter && isLetter(next) && early.letter === undefined) {
          early.letter = next.letters;
        } else if (meaning & MEANING.building && next.isNumber && early.building === undefined) {
          early.building = next.letters;
        } else {
          return -1;
        }
        early.words.push(token, next);
        return 1;
      }

      /** Reads a building or a letter with its word. Returns how many more tokens, or -1. */
      function readMarked(token, meaning, next) {
        const group = groups[groups.length - 1];
        if (!group) return -1;
        if (next) {
          if (meaning & MEANING.letter && isLetter(next) && group.letter === undefined) {
            group.letter = next.letters;
            return 1;
          }
          if (meaning & MEANING.building && group.building === undefined &&
              (next.isNumber || isLetter(next) && token.letters.length > 1)) {
            group.building = next.letters;
            return 1;
          }
        }
        // "литА" in one word, or "лА" after a number.
        const isOneWord =
          token.letters.length > 3 || token.letters.length === 2 && token.joint === "none";
        if (group.letter === undefined && isOneWord &&
            vocabulary.meaning(token.letters.slice(0, -1)) & MEANING.letter) {
          group.letter = token.letters.slice(-1);
          return 0;
        }
        return -1;
      }

      /** Reads a letter or a building that follows a number. Returns how many more tokens, or -1. */
      function readAfterNumber(token, meaning, next, afterNext) {
        const used = readMarked(token, meaning, next);
        if (used >= 0) return used;
        const group = groups[groups.length - 1];
        // "37 к2 лА".
        if (token.letters.length === 2 && group && group.letter === undefined &&
            vocabulary.meaning(token.letters[0]) & MEANING.letter) {
          group.letter = token.letters[1];
          return 0;
        }
        if (!isLetter(token) || !group || group.letter !== undefined) return -1;
        // "14 Б. Морская" begins a name, as does "12 W 42nd St"; "14 Б" and "14 Б, Морская" do not.
        if (token.joint === "other" && next && next.joint !== "comma") {
          if (next.isNumber) {
            if (afterNext && isOrdinal(afterNext, next, vocabulary.meaning(afterNext.letters))) {
              return -1;
            }
          } else if (!vocabulary.meaning(next.letters)) {
            isUnsure = true;
            if (!takesLetters) return -1;
          }
        }
        group.letter = token.letters;
        return 0;
      }

      /** Whether the token before was a part of the last group. */
      let isInGroup = false;
      for (let index = 0; index < tokens.length;) {
        const token = tokens[index];
        const next = tokens[index + 1];
        if (token.isNumber) {
          index = readNumber(index);
          isInGroup = true;
          continue;
        }
        const meaning = vocabulary.meaning(token.letters);
        if (isInGroup) {
          const used = readAfterNumber(token, meaning, next, tokens[index + 2]);
          if (used >= 0) { index += 1 + used; continue; }
        }
        isInGroup = false;
        if (next && next.isNumber) {
          if (meaning & MEANING.inside) {
            index += 2;
            inside.push(next.letters);
            // A letter belongs to the flat.
            if (index < tokens.length && isLetter(tokens[index]) && tokens[index].joint === "none") {
              inside[inside.length - 1] += tokens[index].letters;
              index += 1;
            }
            continue;
          }
          if (meaning & MEANING.house && (!token.hasStop || next.joint !== "dash")) {
            const before = groups.length;
            index = readNumber(index + 1);
            // A postal code after the word is no house.
            if (groups.length > before) groups[before].isMarked = true;
            isInGroup = true;
            continue;
          }
        }
        // A marker may stand after other words: "15, Садовая, корпус 1".
        const used = readMarked(token, meaning, next);
        if (used >= 0) {
          index += 1 + used;
          isInGroup = true;
          continue;
        }
        const usedEarly = readEarly(token, meaning, next);
        if (usedEarly >= 0) {
          index += 1 + usedEarly;
          continue;
        }
        // A number before it is not a word.
        const isAfterNumber = index > 0 && tokens[index - 1].isNumber;
        words.push(isAfterNumber ? { ...token, joint: "other" } : token);
        index += 1;
      }
      for (const group of groups) {
        if (group.building === undefined) group.building = early.building;
        if (group.letter === undefined) group.letter = early.letter;
      }
      // "Латышских стр. 3" is no building: the number is the house.
      if (!groups.length && early.words.length) return parse(all, takesLetters, false);
      return {
        words, groups, inside, isUnsure,
        // Whether the number of a house has words of its own.
        isNamed: inside.length > 0 ||
          words.some((word) => !word.isNumber && word.letters.length > 1),
      };
    }

    /** Removes the word for a number before one: "дом номер 14". */
    function withoutSigns(tokens) {
      const result = [];
      tokens.forEach((token, index) => {
        const last = result[result.length - 1];
        const next = tokens[index + 1];
        const isSign = !token.isNumber && last && !last.isNumber && next && next.isNumber &&
          vocabulary.meaning(token.letters) & MEANING.fillers &&
          vocabulary.meaning(last.letters) & (MEANING.house | MEANING.building | MEANING.inside);
        if (!isSign) result.push(token);
      });
      return result;
    }

    const joined = (numbers, signs) =>
      numbers.reduce((text, number, index) =>
        text + (signs[index - 1] === "dash" ? "-" : "/") + number);

    /** The letters that a letter may be: one that looks like it, then one that sounds like it. */
    const knownLetters = new Map();
    function lettersOf(letter) {
      if (!knownLetters.has(letter)) knownLetters.set(letter, readLetters(letter));
      return knownLetters.get(letter);
    }

    function readLetters(letter) {
      if (letter === undefined) return [];
      const sound = spelling.sounds(letter);
      const other = spelling.lookAlike(letter);
      if (other === null) return [letter, sound];
      return other === letter || other === sound ? [other] : [other, sound];
    }

    /** The ways to read a group as a house. A bare number after it is a building: "15 1". */
    function housesOf(group, next) {
      const houses = [];
      const typed =
        group.letter === undefined && group.building === undefined && next
          ? next.letter : group.letter;
      const letters = lettersOf(typed);
      const add = (house, building, cost) => {
        houses.push({ number: { house, building, letter: letters[0] }, cost });
        for (const letter of letters.slice(1)) {
          houses.push({ number: { house, building, letter }, cost: cost + costs.sound });
        }
      };
      const { numbers, signs } = group;
      if (numbers.length === 1) {
        if (group.building === undefined && next && next.numbers.length === 1) {
          add(numbers[0], next.numbers[0], costs.bare);
        } else {
          add(numbers[0], group.building, 0);
        }
        // "2 1/2" may be one number.
        if (group.building === undefined && next && next.numbers.length > 1 &&
            next.wordsBefore === group.wordsBefore) {
          add(numbers.concat(next.numbers).join(" "), undefined, 0);
        }
        return houses;
      }
      add(joined(numbers, signs), group.building, 0);
      const front = joined(numbers.slice(0, -1), signs.slice(0, -1));
      const isDash = signs[signs.length - 1] === "dash";
      if (group.building === undefined) {
        add(front, numbers[numbers.length - 1], costs.split);
        if (isDash) {
          add(front, undefined, costs.flat);
          if (numbers.length === 3) add(numbers[0], numbers[1], costs.flat);
        }
      } else if (isDash) {
        add(front, group.building, costs.flat);
      }
      return houses;
    }

    // All ways to read a text.

    function reading(tokens, houses, cost, isAddress) {
      const reading = { words: [], kinds: [], houses, inside: [], cost };
      const optional = [];
      const named = [];
      /** The index after the last token that became a word. */
      let afterLast = -1;
      tokens.forEach((token, index) => {
        const [last, next] = [tokens[index - 1], tokens[index + 1]];
        // A letter with a number is a code: "B1" on the other layout is "И1", not "and 1".
        const isCode =
          !isAddress && isLetter(token) && next && next.isNumber && next.joint === "none";
        const meaning = token.isNumber || isCode ? 0 : vocabulary.meaning(token.letters);
        if (isOrdinal(token, last, meaning)) {
          afterLast = index + 1;
          return;
        }
        const word = wordOf(token, token.joint === "none" && afterLast === index);
        word.isInitial = isInitial(token) && (isInitial(last) || isInitial(next));
        const kinds = isCode ? [] : vocabulary.kinds(token.letters);
        if (kinds.length) reading.kinds.push(kinds);
        if (isAddress && meaning & MEANING.areas && reading.words.length) {
          optional.push(reading.words.pop());
        } else if (!(meaning & (MEANING.kind | MEANING.fillers))) {
          reading.words.push(word);
          afterLast = index + 1;
        } else {
          optional.push(word);
          if (kinds.length) named.push(word);
        }
      });
      // Nothing but kinds of streets and numbers, as "1-я линия": then the kinds are the name.
      if (isAddress && reading.words.every((word) => word.isNumber)) {
        reading.words = named.concat(reading.words);
      }
      if (!reading.words.length && !houses.length) reading.words = optional;
      return reading;
    }

    function readingsOfTokens(tokens, hasHouses) {
      if (!hasHouses) return [reading(tokens, [], 0, false)];
      const parsed = parse(tokens);
      const readings = addresses(parsed);
      for (const reading of readings) reading.inside = parsed.inside;
      if (parsed.isUnsure) {
        // "12 a high street" may be 12A.
        const other = parse(tokens, true);
        for (const reading of addresses(other)) {
          reading.cost += 1;
          reading.inside = other.inside;
          readings.push(reading);
        }
      }
      return readings;
    }

    /** All ways to take one of the numbers for the house. */
    function addresses({ words, groups }) {
      const tokenOf = (group) => ({
        letters: group.numbers[group.numbers.length - 1], isNumber: true, joint: "other",
        hasStop: false,
      });
      if (!groups.length) return [reading(words, [], 0, true)];
      const readings = [];
      /** Adds a reading with this group as the house. Those in `names` are part of a name. */
      const add = (index, names) => {
        const next = names.includes(index + 1) ? undefined : groups[index + 1];
        const all = words.concat(names.map((name) => tokenOf(groups[name])));
        const made = reading(all, housesOf(groups[index], next), 0, true);
        // A number of the name on one side of the words, and the house on the other.
        if (names.length && !groups[index].isMarked) {
          const house = groups[index].wordsBefore;
          const number = groups[names[0]].wordsBefore;
          const side = house === 0 && number === words.length ? "after"
            : house === words.length && number === 0 ? "before" : null;
          if (side && words.length) {
            for (const word of made.words.slice(-names.length)) word.side = side;
          }
        }
        readings.push(made);
      };
      const marked = groups.findIndex((group) => group.isMarked);
      if (marked >= 0) {
        add(marked, groups.slice(0, marked).map((_, index) => index));
        return readings;
      }
      add(0, []);
      if (groups.length > 1) {
        add(1, [0]);
        add(0, [1]);
      }
      readings.push(reading(words.concat(groups.slice(0, 3).map(tokenOf)), [], 1, true));
      return readings;
    }

    /** What a person typed, in all ways, each with at least one word or house. */
    function readingsOf(text, hasHouses) {
      const start = tools.start(text);
      let readings = readingsOfTokens(tokensOf(start), hasHouses);
      const other = spelling.onOtherLayout(start);
      if (other !== null) {
        const more = readingsOfTokens(tokensOf(other), hasHouses);
        for (const reading of more) reading.cost += costs.layout;
        readings = readings.concat(more);
      }
      return readings.filter((reading) => reading.words.length || reading.houses.length);
    }

    const isPlainNumber = (text) => /^[1-9][0-9]{0,7}$/.test(text);

    /** The house of a place, as its columns have it. A missing text is empty. */
    function placeHouse(house, building, letter) {
      const place = { number: {}, split: null, inside: undefined };
      // A plain number, as most are, needs no reading.
      if (isPlainNumber(house)) {
        place.number.house = house;
      } else if (house) {
        readHouse(place, house);
      }
      if (building) {
        place.number.building = isPlainNumber(building) ? building : plain(building);
        place.split = null;
      }
      if (letter) {
        place.number.letter = lettersOf(plain(letter))[0];
        if (place.split) place.split.letter = place.number.letter;
      }
      return place;
    }

    /** Reads a house that is not one plain number. */
    function readHouse(place, text) {
      const tokens = tokensOf(text);
      const { words, groups, inside, isNamed } = parse(tokens);
      place.inside = inside[0];
      if (isNamed && !groups.length) return;
      if (groups.length !== 1 || words.length && !isNamed) {
        // Not one number: "2 1/2" is not 212.
        place.number.house = tokens.map((token, index) =>
          (index && token.joint !== "none" ? " " : "") + token.letters).join("");
        return;
      }
      const { numbers, signs, building } = groups[0];
      const letter = lettersOf(groups[0].letter)[0];
      place.number = { house: joined(numbers, signs), building, letter };
      if (numbers.length > 1 && building === undefined) {
        place.split = {
          house: joined(numbers.slice(0, -1), signs.slice(0, -1)),
          building: numbers[numbers.length - 1], letter,
        };
      }
    }

    /** The words of a house that has a name: "Rose Cottage". Null if it has none. */
    function houseName(text) {
      // A name has two letters side by side.
      if (!/[A-Za-z\u0080-\u{10ffff}]{2}/u.test(text)) return null;
      const { words, isNamed } = parse(tokensOf(text));
      return isNamed ? words.filter((word) => !word.isNumber) : null;
    }

    /** The letters and digits of a part, without the word that says what it is. */
    function plain(text) {
      const letters = text.length <= 2 ? spelling.folded(text) : "";
      if (letters.length === 1) return letters;
      const tokens = tokensOf(text);
      return tokens.filter((token, index) =>
        token.isNumber || isLetter(token) && index === tokens.length - 1 ||
        !(vocabulary.meaning(token.letters) & (MEANING.building | MEANING.letter))
      ).map((token) => token.letters).join("");
    }

    return { ...tools, readingsOf, placeHouse, houseName };
  }

  sluice.address = { makeAddresses };
})();
