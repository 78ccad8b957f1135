// Compares the words of a query with the names of places. A port of the program's own search; see
// spelling.js.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});
  const { MEANING } = sluice.spelling;

  /** Compares names with words. `tools` are those of address.js. */
  function makeMatcher(tools) {
    const { spelling, vocabulary, costs, limits } = tools;

    /** The name of a place: `columns` are texts with their parts, or words of a house's name. */
    function placeName(columns) {
      const name = { parts: [], kinds: [], hasLocality: false };
      columns.forEach(({ text, tokens, part }, column) => {
        addWords(name, tokens || tools.tokensOf(text), column, part === "locality");
      });
      return name;
    }

    function addWords(name, tokens, column, isLocality) {
      if (isLocality && tokens.length) name.hasLocality = true;
      const first = name.parts.length;
      tokens.forEach((token, index) => {
        if (name.parts.length >= limits.words) return;
        const meaning = token.isNumber ? 0 : vocabulary.meaning(token.letters);
        if (tools.isOrdinal(token, tokens[index - 1], meaning)) return;
        const kinds = meaning & MEANING.kind ? vocabulary.kinds(token.letters) : [];
        if (kinds.length) name.kinds.push(kinds);
        const word = tools.wordOf(token, index > 0 && token.joint === "none");
        name.parts.push({
          word, column, isLocality, isKind: kinds.length > 0, side: null,
          // Whether the place abbreviates it: "N Lake Shore Drive", "ул. Ак. Павлова".
          isShort: !word.isNumber && !word.isJoined && (token.hasStop || tools.isLetter(token)) &&
            !(meaning & (MEANING.kind | MEANING.fillers)),
        });
      });
      // On which side of the other words a number stands.
      const { parts } = name;
      for (let index = first; index < parts.length; index += 1) {
        if (!parts[index].word.isNumber) continue;
        const isFirst = !parts.slice(first, index).some((part) => !part.word.isNumber && !part.isKind);
        const isLast = !parts.slice(index + 1).some((part) => !part.word.isNumber);
        if (isFirst !== isLast) parts[index].side = isFirst ? "before" : "after";
      }
    }

    /** Makes a reading ready for names: words in one with the next, and runs without a gap. */
    function prepare(reading) {
      const { words } = reading;
      reading.joins = words.map((_, index) => {
        const all = [];
        let letters = "";
        for (let end = index; end < Math.min(index + limits.joined, words.length); end += 1) {
          if (words[end].isNumber) break;
          letters += words[end].letters;
          all.push(tools.makeWord(letters, false, false));
        }
        return all;
      });
      reading.runEnds = words.map((_, index) => {
        let end = index + 1;
        while (end < words.length && words[end].isJoined) end += 1;
        return end;
      });
    }

    /** How a name fits the words of a reading; null if it lacks one. */
    function match(reading, name) {
      const found = matchWords(reading, name, false) || matchWords(reading, name, true);
      if (found && reading.kinds.length && name.kinds.length &&
          !reading.kinds.some((kinds) =>
            name.kinds.some((others) => kinds.some((kind) => others.includes(kind))))) {
        found.penalty += costs.otherKind;
      }
      return found;
    }

    /** Compares word by word. With `isJoining`, words may also be written in one or in several. */
    function matchWords(reading, name, isJoining) {
      const { words, runEnds } = reading;
      const { parts } = name;
      const used = new Array(parts.length).fill(false);
      const found = { penalty: 0, disorder: 0, unnamed: 0 };
      const unmatched = [];
      let last = -1;
      for (let index = 0; index < words.length;) {
        let fit = runEnds[index] > index + 1
          ? run(reading, index, parts, used) : single(words[index], parts, used);
        if (isJoining && (!fit || fit.penalty > costs.transliteration)) {
          fit = code(reading, index, parts, used) || joined(reading, index, parts, used) || fit;
        }
        if (!fit) {
          unmatched.push(...words.slice(index, runEnds[index]));
          index = runEnds[index];
          continue;
        }
        for (let part = fit.first; part < fit.end; part += 1) used[part] = true;
        if (last >= 0 && fit.first < last && parts[last].column === parts[fit.first].column) {
          found.disorder += 1;
        }
        last = fit.first;
        found.penalty += fit.penalty;
        index += fit.words;
      }
      if (unmatched.length && !allows(unmatched, words, name, used, found)) return null;
      parts.forEach((part, index) => {
        if (!used[index] && !part.isLocality && !part.isKind) found.unnamed += 1;
      });
      return found;
    }

    /** Whether a name may lack these words. */
    function allows(unmatched, words, name, used, found) {
      if (unmatched.length >= words.length) return false;
      // Of a person's initials some may be unknown: "Гагарина Ю. А." is "Юрия Гагарина".
      const initials = unmatched.filter((word) => word.isInitial).length;
      found.penalty += initials * costs.initial;
      if (initials === unmatched.length) return true;
      // A city contradicts nothing if the place does not tell its locality, or if a smaller one was
      // named too: "Санкт-Петербург, Пушкин".
      const isNamed = name.parts.some((part, index) => part.isLocality && used[index]);
      if (name.hasLocality && !isNamed ||
          !unmatched.every((word) => word.isInitial || vocabulary.localities.has(word.letters))) {
        return false;
      }
      found.penalty += costs.unknownLocality;
      return true;
    }

    /** The part that is nearest to a word. */
    function single(word, parts, used) {
      let best = null;
      for (let index = 0; index < parts.length; index += 1) {
        if (used[index]) continue;
        const penalty = comparePart(word, parts[index]);
        if (penalty < 0 || best && penalty >= best.penalty) continue;
        best = { words: 1, first: index, end: index + 1, penalty };
      }
      return best;
    }

    /** Parts that follow each other as the words of a run do. "A2" is not "Ann, room 2". */
    function run({ words, runEnds }, index, parts, used) {
      const length = runEnds[index] - index;
      let best = null;
      for (let first = 0; first + length <= parts.length; first += 1) {
        let penalty = 0;
        for (let offset = 0; offset < length && penalty >= 0; offset += 1) {
          const part = parts[first + offset];
          const word = words[index + offset];
          const cost = used[first + offset] || part.column !== parts[first].column
            ? -1 : comparePart(word, part);
          const isFit = cost >= 0 && (word.letters.length > 1 || cost <= costs.transliteration);
          penalty = isFit ? penalty + cost : -1;
        }
        if (penalty >= 0 && (!best || penalty < best.penalty)) {
          best = { words: length, first, end: first + length, penalty };
        }
      }
      return best;
    }

    // Words in one and in several.

    /** Parts that are some words if both are written in one: "хо ши мина", "бончбруевича". */
    function joined({ words, joins }, index, parts, used) {
      let best = null;
      joins[index].forEach((typed, more) => {
        const length = typed.letters.length;
        if (length < 4) return;
        // An error could swallow a short word.
        const isExact = more > 0 &&
          words.slice(index, index + more + 1).some((word) => word.letters.length <= 2);
        for (let first = 0; first < parts.length; first += 1) {
          let letters = "";
          let sounds = 0;
          for (let end = first; end < Math.min(first + limits.joined, parts.length); end += 1) {
            const { word, column } = parts[end];
            if (used[end] || word.isNumber || column !== parts[first].column) break;
            letters += word.letters;
            sounds += word.sounds.length;
            if (more === 0 && end === first) continue;
            const isLike = Math.abs(letters.length - length) <= 1 &&
              spelling.differentLetters(letters, typed.letters) <= 2;
            if (!isLike &&
                !(isForeign(typed, word) && Math.abs(sounds - typed.sounds.length) <= 2)) {
              continue;
            }
            const cost = whole(typed, tools.makeWord(letters, false, false), isExact ? 0 : 1);
            if (cost < 0 || best && cost + costs.joined >= best.penalty) continue;
            best = { words: more + 1, first, end: end + 1, penalty: cost + costs.joined };
          }
        }
      });
      return best;
    }

    /**
     * Parts that are the same code of letters and digits with other gaps: "nr12bc". One of both is
     * written without a gap, so that no number is taken for a part of another.
     */
    function code({ words, runEnds }, index, parts, used) {
      let typed = "";
      let numbers = 0;
      for (let end = index; end < Math.min(index + limits.code, words.length); end += 1) {
        typed += words[end].letters;
        if (words[end].isNumber) numbers += 1;
        const isCode = end > index && typed.length >= limits.shortCode && numbers > 0 &&
          numbers <= end - index && end + 1 === runEnds[end];
        if (!isCode) continue;
        const isRun = end < runEnds[index];
        for (let first = 0; first < parts.length; first += 1) {
          if (parts[first].word.isJoined) continue;
          let letters = "";
          let last = first;
          while (last < parts.length && !used[last] && letters.length < typed.length &&
              parts[last].column === parts[first].column) {
            letters += parts[last].word.letters;
            last += 1;
          }
          if (letters === typed && (last === parts.length || !parts[last].word.isJoined) &&
              (isRun || parts.slice(first + 1, last).every((part) => part.word.isJoined))) {
            return { words: end + 1 - index, first, end: last, penalty: costs.joined };
          }
        }
      }
      return null;
    }

    /** Compares words of which none is only the beginning of the other. */
    function whole(typed, word, errors) {
      const equal = (a, b) => {
        const found = spelling.typos(a, b, Math.min(errors, spelling.errorsIn(a.length)));
        return found < 0 ? -1 : costs.typo * found;
      };
      if (typed.hasLatin && word.isCyrillic && spelling.lookAlike(typed.letters) === word.letters) {
        return costs.lookAlike;
      }
      if (!isForeign(typed, word)) return equal(typed.letters, word.letters);
      const cost = equal(typed.sounds, word.sounds);
      return cost < 0 ? -1 : costs.transliteration + cost;
    }

    // One word.

    const isForeign = (a, b) => a.hasLatin && b.isCyrillic || a.isCyrillic && b.hasLatin;

    /** How far a typed word is from a part of a place; -1 if it is another word. */
    function comparePart(typed, part) {
      // "5 линия 10" is house 10. It is not house 5 of the tenth.
      if (part.side && typed.side && part.side !== typed.side) return -1;
      const cost = compare(typed, part.word);
      if (cost >= 0) return cost;
      const { word } = part;
      if (!part.isShort || typed.isNumber || typed.letters.length <= word.letters.length) return -1;
      const penalty = word.isAbbreviated ? costs.abbreviation : costs.shortBeginning;
      if (typed.letters.startsWith(word.letters)) return penalty;
      return isForeign(typed, word) && typed.sounds.startsWith(word.sounds)
        ? costs.transliteration + penalty : -1;
    }

    /** How far a typed word is from a place's word; -1 if it is another word. */
    function compare(typed, word) {
      if (typed.letters === word.letters) return 0;
      if (typed.isNumber || word.isNumber) return -1;
      const isAbbreviated = typed.isAbbreviated;
      if (typed.hasLatin && word.isCyrillic) {
        const other = spelling.lookAlike(typed.letters);
        if (other !== null) {
          if (other === word.letters) return costs.lookAlike;
          const more = near(other, vocabulary.stem(other), word.letters, word.stem, isAbbreviated);
          if (more >= 0) return costs.lookAlike + more;
        }
      }
      if (!isForeign(typed, word)) return compareSame(typed, word);
      if (typed.sounds === word.sounds) return costs.transliteration;
      const more = near(
        typed.sounds, vocabulary.stem(typed.sounds), word.sounds, vocabulary.stem(word.sounds),
        isAbbreviated);
      return more < 0 ? -1 : costs.transliteration + more;
    }

    /** The same of words in the same alphabet. "Mueller" is "Müller". */
    function compareSame(typed, word) {
      const cost = near(typed.letters, typed.stem, word.letters, word.stem, typed.isAbbreviated);
      if (typed.plain === null && word.plain === null) return cost;
      const a = typed.plain === null ? typed.letters : typed.plain;
      const b = word.plain === null ? word.letters : word.plain;
      if (a === b) return costs.digraph;
      const other = near(a, vocabulary.stem(a), b, vocabulary.stem(b), typed.isAbbreviated);
      return other >= 0 && (cost < 0 || other + costs.digraph < cost) ? other + costs.digraph : cost;
    }

    /** How far letters are from others that they do not equal. */
    function near(typed, stem, word, otherStem, isAbbreviated) {
      if (!typed || !word) return -1;
      if (typed[0] === word[0]) {
        if (stem !== null && stem === otherStem) return costs.inflection;
        if (word.startsWith(typed)) {
          if (isAbbreviated) return costs.abbreviation;
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
          const cost = compare(word, part.word);
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

    return { placeName, prepare, match, distance };
  }

  sluice.matcher = { makeMatcher };
})();
