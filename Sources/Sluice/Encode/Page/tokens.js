// Runs of letters or digits in an address, and the words that they are. A port of the program's own
// search; see spelling.js.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});
  const { MEANING, makeSpelling, makeVocabulary, some, every } = sluice.spelling;

  /** Makes the functions that read tokens of the tables of words.js. */
  function makeTokens(tables) {
    const spelling = makeSpelling(tables);
    const vocabulary = makeVocabulary(tables, spelling);
    const { limits } = tables;
    const { isCyrillic, isLatin, isDigit } = spelling;

    const isWordLetter = (letter) =>
      isLatin(letter) || isCyrillic(letter) || letter > "\u007f" && /\p{Alphabetic}/u.test(letter);
    /** Whether a token is one letter. */
    const isLetter = (token) => !token.isNumber && token.letters.length === 1;
    /** Whether it is one letter with a full stop, as a person's initials are. */
    const isInitial = (token) => token !== undefined && isLetter(token) && token.hasStop;

    /** So much of a text as an address may have. */
    const start = (text) =>
      Array.from(text.slice(0, 2 * limits.text)).slice(0, limits.text).join("");

    /** Splits a text into tokens. */
    function tokensOf(text) {
      const tokens = [];
      let joint = "other";
      let isInside = false;
      spelling.forEachFolded(start(text), (letter) => {
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

    /** Writes out short names, the endings of compounds, and ordinal numbers in words. */
    function writtenOut(tokens) {
      const result = [];
      const add = (letters, isNumber, joint) =>
        result.push({ letters, isNumber, joint, hasStop: false });
      for (let index = 0; index < tokens.length;) {
        const token = tokens[index];
        const alias = vocabulary.alias(tokens, index);
        if (alias) {
          alias.long.forEach((letters, place) => add(letters, false, place ? "other" : token.joint));
          index += alias.short.length;
          continue;
        }
        index += 1;
        const number = vocabulary.number(token);
        if (number) {
          add(number.digits, true, token.joint);
          add(number.ending, false, "none");
        } else {
          const letters = token.isNumber ? token.letters : vocabulary.compound(token.letters);
          result.push({ ...token, letters });
        }
      }
      return result;
    }

    /** A word as it is compared. */
    function makeWord(letters, isNumber, isAbbreviated) {
      const hasLatin = some(letters, isLatin);
      return {
        letters, isNumber, isAbbreviated, hasLatin,
        isCyrillic: every(letters, isCyrillic),
        sounds: isNumber ? letters : spelling.sounds(letters),
        stem: vocabulary.stem(letters),
        plain: hasLatin ? spelling.plain(letters) : null,
        isJoined: false, isInitial: false, side: null,
      };
    }

    /** The word of a token. `isJoined` says that it follows the one before without a gap. */
    function wordOf(token, isJoined) {
      const word = makeWord(token.letters, token.isNumber, token.hasStop);
      word.isJoined = isJoined;
      return word;
    }

    /** Whether a token makes the number before it part of a name: `1-я линия`, `42nd Street`. */
    const isOrdinal = (token, last, meaning) =>
      last !== undefined && last.isNumber && (token.joint === "none" || token.joint === "dash") &&
      (meaning & MEANING.ordinals) !== 0;

    return {
      spelling, vocabulary, costs: tables.costs, limits, start, tokensOf, makeWord, wordOf, isLetter,
      isInitial, isOrdinal,
    };
  }

  sluice.tokens = { makeTokens };
})();
