// What a person typed, in all ways in which it can be read: words of a name, and numbers of a
// house. A port of the program's own search; see spelling.js.
//
//     пр. Непокорённых, 15/1    words: непокоренных; houses: 15/1, or 15 building 1
//     8 линия 15                words: линия, house 8, building 15; or words: 8 линия, house 15
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});
  const { MEANING, makeSpelling, makeVocabulary, some, every } = sluice.spelling;

  /** Makes the functions that read addresses of the tables of words.js. */
  function makeAddresses(tables) {
    const spelling = makeSpelling(tables);
    const vocabulary = makeVocabulary(tables, spelling);
    const { costs, limits } = tables;
    const { isCyrillic, isLatin, isDigit } = spelling;

    // Tokens: runs of letters or digits, and what stands around them.

    const isWordLetter = (letter) =>
      isLatin(letter) || isCyrillic(letter) || letter > "\u007f" && /\p{Alphabetic}/u.test(letter);
    const isLetter = (token) => !token.isNumber && token.letters.length === 1;

    /** Splits a text into tokens. Only so much of it is read as an address may have. */
    function tokensOf(text) {
      const tokens = [];
      let joint = "other";
      let isInside = false;
      const start = Array.from(text.slice(0, 2 * limits.text)).slice(0, limits.text).join("");
      spelling.forEachFolded(start, (letter) => {
        const isNumber = isDigit(letter);
        if (!isNumber && !isWordLetter(letter)) {
          // An apostrophe is part of its word.
          if ("'\u2019`\u00b4\u02bc".includes(letter)) return;
          if (/[-\u2010-\u2015\u2212]/.test(letter)) {
            joint = joint === "none" ? "dash" : "other";
          } else if (letter === "/" || letter === "\\") {
            joint = joint === "slash" || !isInside && !tokens.length ? "other" : "slash";
          } else if (letter === ".") {
            if (isInside && joint === "none") tokens[tokens.length - 1].hasStop = true;
            joint = "other";
          } else if (letter === "," || letter === ";") {
            joint = "comma";
          } else if (joint !== "slash" && joint !== "comma") {
            joint = "other";
          }
          isInside = false;
          return;
        }
        const last = tokens[tokens.length - 1];
        if (isInside && last && last.isNumber === isNumber) {
          if (last.letters.length < limits.letters) last.letters += letter;
          return;
        }
        if (tokens.length < limits.tokens) {
          tokens.push({ letters: letter, isNumber, joint, hasStop: false });
          isInside = true;
        }
        joint = "none";
      });
      return writtenOut(merged(tokens));
    }

    /** Joins the halves of `пр-т` and `б-р`, and removes leading zeros. */
    function merged(tokens) {
      const result = [];
      for (const token of tokens) {
        const last = result[result.length - 1];
        if (token.isNumber) {
          token.letters = token.letters.replace(/^0+(?=.)/, "");
        } else if (last && token.joint === "dash" && !last.isNumber && last.letters.length <= 3 &&
            token.letters.length <= 2 &&
            vocabulary.meaning(last.letters + token.letters) & (MEANING.kind | MEANING.areas)) {
          last.letters += token.letters;
          last.hasStop = token.hasStop;
          continue;
        }
        result.push(token);
      }
      return result;
    }

    /** Writes short names out: `спб`. */
    function writtenOut(tokens) {
      const result = [];
      for (let index = 0; index < tokens.length;) {
        const alias = vocabulary.aliases.find(({ short }) =>
          short.every((word, offset) => {
            const token = tokens[index + offset];
            return token && !token.isNumber && token.letters === word;
          }));
        if (!alias) {
          result.push(tokens[index]);
          index += 1;
          continue;
        }
        for (const letters of alias.long) {
          result.push({ letters, isNumber: false, joint: "other", hasStop: false });
        }
        index += alias.short.length;
      }
      return result;
    }

    /** A word as it is compared. */
    function makeWord(letters, isNumber, isAbbreviated) {
      return {
        letters, isNumber, isAbbreviated,
        isCyrillic: every(letters, isCyrillic),
        hasLatin: some(letters, isLatin),
        sounds: isNumber ? letters : spelling.sounds(letters),
        stem: isNumber ? null : vocabulary.stem(letters),
      };
    }

    /** Whether a token is the ending of the number before it, as in `1-я линия`. */
    const isOrdinalAfter = (tokens, index) =>
      index > 0 && tokens[index - 1].isNumber &&
      (tokens[index].joint === "none" || tokens[index].joint === "dash") &&
      (vocabulary.meaning(tokens[index].letters) & MEANING.ordinals) !== 0;

    // The numbers of a house among the words.

    /** Reads tokens: those that are words, and groups of numbers that may be a house. */
    function parse(tokens) {
      const words = [];
      const groups = [];

      /** Reads a number and what is joined to it. Returns the index after it. */
      function readNumber(start) {
        let index = start + 1;
        // A postal code is no house.
        if (vocabulary.postalDigits.has(tokens[start].letters.length)) return index;
        const group = { numbers: [tokens[start].letters], signs: [], isMarked: false };
        while (index < tokens.length && tokens[index].isNumber &&
            (tokens[index].joint === "dash" || tokens[index].joint === "slash")) {
          group.numbers.push(tokens[index].letters);
          group.signs.push(tokens[index].joint);
          index += 1;
        }
        // "1-я линия", "2я Советская", "42nd Avenue".
        if (index < tokens.length && isOrdinal(index)) {
          words.push(tokens[index - 1], tokens[index]);
          return index + 1;
        }
        groups.push(group);
        return index;
      }

      /** Whether the token after a number makes it part of a name. */
      function isOrdinal(index) {
        const token = tokens[index];
        if (token.joint !== "none" && token.joint !== "dash" ||
            !(vocabulary.meaning(token.letters) & MEANING.ordinals)) {
          return false;
        }
        // "15я" at the end is a house with a letter.
        return token.letters.length > 1 ||
          tokens.length > index + 1 && !tokens[index + 1].isNumber;
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
      function readAfterNumber(token, meaning, next) {
        const used = readMarked(token, meaning, next);
        if (used >= 0) return used;
        const group = groups[groups.length - 1];
        if (!isLetter(token) || !group || group.letter !== undefined) return -1;
        // "14 Б. Морская" begins a name; "14 Б" and "14 Б, Морская" do not.
        if (token.joint === "other" && next && !next.isNumber && next.joint !== "comma" &&
            !vocabulary.meaning(next.letters)) {
          return -1;
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
          const used = readAfterNumber(token, meaning, next);
          if (used >= 0) { index += 1 + used; continue; }
        }
        isInGroup = false;
        if (next && next.isNumber) {
          if (meaning & MEANING.inside) {
            index += 2;
            // A letter belongs to the flat.
            if (index < tokens.length && isLetter(tokens[index]) && tokens[index].joint === "none") {
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
        words.push(token);
        index += 1;
      }
      return { words, groups };
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
        return houses;
      }
      add(joined(numbers, signs), group.building, 0);
      if (group.building === undefined) {
        const front = joined(numbers.slice(0, -1), signs.slice(0, -1));
        add(front, numbers[numbers.length - 1], costs.split);
        if (signs[signs.length - 1] === "dash") add(front, undefined, costs.flat);
      }
      return houses;
    }

    // All ways to read a text.

    function reading(tokens, houses, cost, isAddress) {
      const reading = { words: [], kinds: [], houses, cost };
      const optional = [];
      const named = [];
      tokens.forEach((token, index) => {
        if (isOrdinalAfter(tokens, index)) return;
        const word = makeWord(token.letters, token.isNumber, token.hasStop);
        const meaning = token.isNumber ? 0 : vocabulary.meaning(token.letters);
        const kinds = vocabulary.kinds(token.letters);
        if (kinds.length) reading.kinds.push(kinds);
        if (isAddress && meaning & MEANING.areas && reading.words.length) {
          optional.push(reading.words.pop());
        } else if (!(meaning & (MEANING.kind | MEANING.fillers))) {
          reading.words.push(word);
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
      const { words, groups } = parse(tokens);
      const wordOf = (group) => ({
        letters: group.numbers[group.numbers.length - 1], isNumber: true, joint: "other",
        hasStop: false,
      });
      if (!groups.length) return [reading(words, [], 0, true)];
      const readings = [];
      const add = (index, named) => {
        const next = named.includes(index + 1) ? undefined : groups[index + 1];
        const names = words.concat(named.map((name) => wordOf(groups[name])));
        readings.push(reading(names, housesOf(groups[index], next), 0, true));
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
      readings.push(reading(words.concat(groups.slice(0, 3).map(wordOf)), [], 1, true));
      return readings;
    }

    /** What a person typed, in all ways, each with at least one word or house. */
    function readingsOf(text, hasHouses) {
      const start = Array.from(text.slice(0, 2 * limits.text)).slice(0, limits.text).join("");
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
      const place = { number: {}, split: null };
      // A plain number, as most are, needs no reading.
      if (isPlainNumber(house)) {
        place.number.house = house;
      } else if (house) {
        const tokens = tokensOf(house);
        const { words, groups } = parse(tokens);
        if (groups.length === 1 && !words.length) {
          const { numbers, signs } = groups[0];
          const part = { building: groups[0].building, letter: lettersOf(groups[0].letter)[0] };
          place.number = { house: joined(numbers, signs), ...part };
          if (numbers.length > 1 && part.building === undefined) {
            place.split = {
              house: joined(numbers.slice(0, -1), signs.slice(0, -1)),
              building: numbers[numbers.length - 1], letter: part.letter,
            };
          }
        } else {
          place.number.house = tokens.map((token) => token.letters).join("");
        }
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

    return {
      spelling, vocabulary, costs, limits, tokensOf, makeWord, isOrdinalAfter, readingsOf,
      placeHouse,
    };
  }

  sluice.address = { makeAddresses };
})();
