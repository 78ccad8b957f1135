// The ways to write the same letters, and the words of an address: the tables of words.js, ready
// for look-up. search.js reads addresses with them. Both are the search of the program `sluice
// find`, step by step; one table of queries checks the two.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});

  /** What a word may mean: bits of a set. */
  const MEANING = {
    house: 1, building: 2, letter: 4, inside: 8, fillers: 16, ordinals: 32, kind: 64, areas: 128,
  };

  const isCyrillic = (letter) => letter >= "\u0400" && letter < "\u0530";
  const isLatin = (letter) => letter >= "a" && letter <= "z";
  const isDigit = (letter) => letter >= "0" && letter <= "9";
  const some = (text, test) => {
    for (const letter of text) if (test(letter)) return true;
    return false;
  };
  const every = (text, test) => !some(text, (letter) => !test(letter));

  /** Makes the functions of spelling of the tables. */
  function makeSpelling(tables) {
    const bases = new Map();
    for (const [base, letters] of Object.entries(tables.accents)) {
      for (const letter of letters) bases.set(letter, base);
    }
    const table = (from, to) => {
      const letters = Array.from(to);
      const map = new Map();
      Array.from(from).forEach((letter, index) => {
        if (!map.has(letter)) map.set(letter, letters[index]);
      });
      return map;
    };
    const lookAlikes = table(...tables.lookAlikes);
    const [latinKeys, cyrillicKeys] = tables.keys;
    const toCyrillic = table(latinKeys, cyrillicKeys);
    const toLatin = table(cyrillicKeys, latinKeys);
    const soundsOf = new Map();
    tables.latinSounds.forEach((latin, index) => {
      const rows = soundsOf.get(latin[0]) || [];
      rows.push([latin, tables.sounds[index]]);
      soundsOf.set(latin[0], rows);
    });
    const digraphs = new Set(tables.digraphs);
    const mergedLetters = new Map(Object.entries(tables.mergedLetters));
    const mergedSounds = new Map(Object.entries(tables.mergedSounds));

    /** The lower-case letter, if that is one letter. */
    function lower(letter) {
      if (letter === "\u0130") return "i";
      const mapped = letter.toLowerCase();
      return mapped.length === letter.length ? mapped : letter;
    }

    /** Calls `body` with each folded letter of a text. */
    function forEachFolded(text, body) {
      let held = "";
      for (const scalar of text) {
        if (scalar >= "\u0300" && scalar < "\u0370") {
          if (scalar === "\u0306" && held === "и") held = "й";
          continue;
        }
        if (held) body(held);
        held = "";
        const letter = lower(scalar);
        const base = bases.get(letter);
        if (letter === "ё") held = "е";
        else if (base) for (const part of base) body(part);
        else held = letter;
      }
      if (held) body(held);
    }

    function folded(text) {
      let result = "";
      forEachFolded(text, (letter) => { result += letter; });
      return result;
    }

    /** The letters with one for each two that are one elsewhere; null if they have none. */
    function plain(letters) {
      let result = "";
      let isSecond = false;
      for (const letter of letters) {
        if (!isSecond && digraphs.has(result.slice(-1) + letter)) {
          isSecond = true;
        } else {
          result += letter;
          isSecond = false;
        }
      }
      return result.length < letters.length ? result : null;
    }

    /** The letters in Cyrillic where they look like it; null if other Latin letters remain. */
    function lookAlike(letters) {
      let result = "";
      for (const letter of letters) {
        if (!isLatin(letter)) { result += letter; continue; }
        const other = lookAlikes.get(letter);
        if (!other) return null;
        result += other;
      }
      return result;
    }

    /** The text that the same keys give on the other keyboard layout; null if no word changes. */
    function onOtherLayout(text) {
      const all = Array.from(text);
      let isChanged = false;
      const isAllLatin =
        all.some((letter) => isLatin(lower(letter))) && !all.some((letter) => isCyrillic(letter));
      const words = all.join("").split(" ").map((word) => {
        const letters = Array.from(word, lower);
        let latin = letters.some(isLatin);
        const cyrillic = letters.some(isCyrillic);
        // A sign that stands alone among Latin words: "<" for "Б".
        if (isAllLatin && letters.length === 1 && letters[0] !== "," && letters[0] !== "." &&
            toCyrillic.has(letters[0])) {
          latin = true;
        }
        if (latin === cyrillic) return word;
        isChanged = true;
        const keys = latin ? toCyrillic : toLatin;
        return letters.map((key, index) => {
          // A comma or full stop at the end of a word is what it is.
          const isStop = latin && (key === "," || key === ".");
          const next = index + 1 < letters.length ? letters[index + 1] : " ";
          if (isStop && !isLatin(next) && !keys.has(next)) return " ";
          if (latin && key === "|") return "/";
          return keys.get(key) || key;
        }).join("");
      });
      return isChanged ? words.join(" ") : null;
    }

    /** The sounds of a word, which are the same in Latin and in Cyrillic letters. */
    function sounds(letters) {
      let raw = "";
      for (let index = 0; index < letters.length;) {
        const letter = letters[index];
        const rows = soundsOf.get(letter);
        const row = rows && rows.find(([latin]) => letters.startsWith(latin, index));
        if (row) {
          raw += row[1];
          index += row[0].length;
        } else {
          const merged = mergedLetters.get(letter);
          raw += merged === undefined ? letter : merged;
          index += 1;
        }
      }
      let result = "";
      for (const letter of raw) {
        const one = result && mergedSounds.get(result[result.length - 1] + letter);
        result = one ? result.slice(0, -1) + one : result + letter;
      }
      return result;
    }

    /** The number of typing errors that a word of this length may have. */
    function errorsIn(length) {
      return length >= tables.limits.twoErrors ? 2 : length >= tables.limits.oneError ? 1 : 0;
    }

    return {
      isCyrillic, isLatin, isDigit, forEachFolded, folded, lookAlike, onOtherLayout, sounds,
      plain, errorsIn, typos, differentLetters,
    };
  }

  /** The number of typing errors between two words if it is at most `limit`, or else -1. */
  function typos(a, b, limit) {
    if (a === b) return 0;
    if (limit <= 0 || Math.abs(a.length - b.length) > limit) return -1;
    if (differentLetters(a, b) > 2 * limit) return -1;
    const distance = editDistance(a, b);
    return distance <= limit ? distance : -1;
  }

  /** How many letters only one of the words has, with some letters counted as one. */
  function differentLetters(a, b) {
    let low = 0, high = 0;
    const add = (word, isFirst) => {
      let wordLow = 0, wordHigh = 0;
      for (let index = 0; index < word.length; index += 1) {
        const bit = word.charCodeAt(index) & 63;
        if (bit < 32) wordLow |= 1 << bit; else wordHigh |= 1 << (bit - 32);
      }
      low = isFirst ? wordLow : low ^ wordLow;
      high = isFirst ? wordHigh : high ^ wordHigh;
    };
    add(a, true);
    add(b, false);
    let count = 0;
    for (let bits = low; bits; bits &= bits - 1) count += 1;
    for (let bits = high; bits; bits &= bits - 1) count += 1;
    return count;
  }

  /** The least number of letters to insert, delete, replace or swap between two words. */
  function editDistance(a, b) {
    let beforeLast = [];
    let last = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 0; i < a.length; i += 1) {
      const row = [i + 1];
      for (let j = 0; j < b.length; j += 1) {
        let cost = Math.min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] === b[j] ? 0 : 1));
        if (i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j]) {
          cost = Math.min(cost, beforeLast[j - 1] + 1);
        }
        row.push(cost);
      }
      beforeLast = last;
      last = row;
    }
    return last[b.length];
  }

  /** The words of all languages: a feed's data and its readers' language may differ. */
  function makeVocabulary(tables, spelling) {
    const meanings = new Map();
    const kindsOf = new Map();
    const endings = [];
    const aliases = new Map();
    const numbers = new Map();
    const compounds = [];
    const localities = new Set();
    const postalDigits = new Set();
    let kind = 0;
    const mean = (word, bit) => meanings.set(word, (meanings.get(word) || 0) | bit);
    for (const language of tables.languages) {
      for (const name of ["house", "building", "letter", "inside", "fillers", "ordinals", "areas"]) {
        for (const word of language[name]) mean(word, MEANING[name]);
      }
      for (const words of language.kinds) {
        for (const word of words.split(" ")) {
          mean(word, MEANING.kind);
          kindsOf.set(word, (kindsOf.get(word) || []).concat(kind));
        }
        kind += 1;
      }
      endings.push(...language.endings);
      language.short.forEach((text, index) => {
        const short = text.split(" ");
        const alias = { short, long: language.long[index].split(" ") };
        aliases.set(short[0], (aliases.get(short[0]) || []).concat(alias));
      });
      language.numbers.forEach((words, index) => {
        for (const word of words.split(" ")) {
          numbers.set(word, { digits: String(index + 1), ending: language.ordinals[0] });
        }
      });
      language.compoundEnds.forEach((short, index) => {
        compounds.push({ short, long: language.compounds[index] });
      });
      for (const word of language.localities) localities.add(word);
      if (language.postalDigits) postalDigits.add(language.postalDigits);
    }
    endings.sort((a, b) => b.length - a.length);
    for (const all of aliases.values()) all.sort((a, b) => b.short.length - a.short.length);

    /** Looks a word up, also if some of its letters only look right. */
    function look(map, letters) {
      const found = map.get(letters);
      if (found !== undefined || !some(letters, isLatin)) return found;
      const other = spelling.lookAlike(letters);
      return other === null ? undefined : map.get(other);
    }
    const meaning = (letters) => look(meanings, letters) || 0;
    return {
      localities, postalDigits, meaning,
      kinds: (letters) => look(kindsOf, letters) || [],
      /** The number that a word names: "пятая", "fifth". */
      number: (token) => (token.isNumber ? undefined : numbers.get(token.letters)),
      /** The short name that begins at a token; undefined if there is none. */
      alias(tokens, index) {
        const found = (aliases.get(tokens[index].letters) || []).find(({ short }) =>
          short.every((word, offset) => {
            const token = tokens[index + offset];
            return token && !token.isNumber && token.letters === word;
          }));
        if (!found || found.short.length > 1) return found;
        // "во Всеволожске" is no short name.
        const next = tokens[index + 1];
        return meaning(found.short[0]) & MEANING.fillers && next && !next.isNumber &&
          next.joint !== "comma" ? undefined : found;
      },
      /** The word with its ending written out, if it has a short one. */
      compound(letters) {
        const found = compounds.find(({ short }) =>
          letters.length >= short.length + 3 && letters.endsWith(short));
        return found ? letters.slice(0, -found.short.length) + found.long : letters;
      },
      /** The word without the ending of an adjective, or null if it has none. */
      stem(letters) {
        const ending = endings.find(
          (ending) => letters.length >= ending.length + 3 && letters.endsWith(ending));
        return ending === undefined ? null : letters.slice(0, -ending.length);
      },
    };
  }

  sluice.spelling = { MEANING, makeSpelling, makeVocabulary, some, every };
})();
