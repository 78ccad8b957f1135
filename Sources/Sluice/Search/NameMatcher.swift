/// Why a place was found, beside words that are equal.
package enum MatchReason: String, Sendable, Hashable, CaseIterable {
  /// A Latin letter was typed for a Cyrillic one that looks the same.
  case lookAlike
  /// The text was typed on the other keyboard layout.
  case otherLayout
  /// Russian was typed in Latin letters, or the other way round.
  case transliteration
  /// A word has another ending, as in a sentence.
  case inflection
  /// A word is an abbreviation, or the beginning of the place's word.
  case abbreviation, beginning
  /// A word has typing errors.
  case typo
  /// Words were written in one, or one word in several.
  case joined
  /// The place has no locality to compare.
  case unknownLocality
  /// `15/1` is house 15, building 1.
  case splitHouse
  /// `15 1` is house 15, building 1.
  case bareBuilding
  /// `15-23` is house 15; the rest is a flat.
  case flatIgnored
  /// The place has a building or a letter that was not named.
  case broader
}

/// The words of a place's name.
struct PlaceName: Equatable {
  /// A word, and whether it belongs to the locality.
  struct Part: Equatable {
    var word: Word
    var isLocality: Bool
    var isKind: Bool
  }

  private(set) var parts: [Part] = []
  private(set) var kinds: [Set<Int>] = []
  private(set) var hasLocality = false
  /// The most words of a place that are compared.
  static let most = 24

  /// Adds the words of a column.
  mutating func add(_ text: String, isLocality: Bool) {
    let vocabulary = AddressVocabulary.all
    let tokens = AddressToken.all(in: text)
    if isLocality, !tokens.isEmpty { hasLocality = true }
    for (index, token) in tokens.enumerated() where parts.count < Self.most {
      if index > 0, tokens[index - 1].isNumber, token.joint == .none || token.joint == .dash,
        vocabulary.meaning(of: token.letters).contains(.ordinal)
      {
        continue
      }
      let kinds = token.isNumber ? [] : vocabulary.kinds(of: token.letters)
      if !kinds.isEmpty { self.kinds.append(kinds) }
      parts.append(
        Part(
          word: Word(token.letters, isNumber: token.isNumber, isAbbreviated: token.hasStop),
          isLocality: isLocality, isKind: !kinds.isEmpty))
    }
  }
}

/// How the name of a place fits the words of a query.
struct NameMatch: Equatable {
  /// How far the words are from those of the place; 0 if they are equal.
  var penalty: Int
  /// How many words of the street were not named.
  var unnamed: Int
  /// Why it has a penalty.
  var reasons: Set<MatchReason>
}

/// Compares names with the words of a query.
struct NameMatcher {
  /// How far a word is from another.
  enum Penalty {
    static let lookAlike = 1
    static let inflection = 1
    static let joined = 1
    static let otherKind = 1
    static let abbreviation = 1
    static let transliteration = 2
    static let unknownLocality = 3
    static let beginning = 4
    static let shortBeginning = 6
    static let typo = 8
  }

  let words: [Word]
  let kinds: [Set<Int>]
  private let vocabulary = AddressVocabulary.all

  init(_ reading: AddressReading) {
    words = reading.words
    kinds = reading.kinds
  }

  /// Returns how the name fits, or nil if it lacks a word.
  func match(_ name: PlaceName) -> NameMatch? {
    var match = matchByWord(name) ?? matchJoined(name)
    if match != nil, !kinds.isEmpty, !name.kinds.isEmpty,
      !kinds.contains(where: { kind in name.kinds.contains { !$0.isDisjoint(with: kind) } })
    {
      match?.penalty += Penalty.otherKind
    }
    return match
  }

  private func matchByWord(_ name: PlaceName) -> NameMatch? {
    var isUsed = Array(repeating: false, count: name.parts.count)
    var match = NameMatch(penalty: 0, unnamed: 0, reasons: [])
    var unmatched: [Word] = []
    for word in words {
      var best: (index: Int, penalty: Int, reason: MatchReason?)?
      for (index, part) in name.parts.enumerated() where !isUsed[index] {
        guard let (penalty, reason) = compare(word, part.word),
          penalty < best?.penalty ?? .max
        else { continue }
        best = (index, penalty, reason)
      }
      guard let best else {
        unmatched.append(word)
        continue
      }
      isUsed[best.index] = true
      match.penalty += best.penalty
      if let reason = best.reason { match.reasons.insert(reason) }
    }
    if !unmatched.isEmpty {
      // A city contradicts nothing if the place does not tell its locality, or if a smaller one was
      // named too: "Санкт-Петербург, Пушкин".
      let isNamed = name.parts.indices.contains { isUsed[$0] && name.parts[$0].isLocality }
      guard !name.hasLocality || isNamed, unmatched.count < words.count,
        unmatched.allSatisfy({ vocabulary.localities.contains($0.letters) })
      else { return nil }
      match.penalty += Penalty.unknownLocality
      match.reasons.insert(.unknownLocality)
    }
    for (index, part) in name.parts.enumerated()
    where !isUsed[index] && !part.isLocality && !part.isKind {
      match.unnamed += 1
    }
    return match
  }

  /// Compares words that were written in one, or one word that was written in several.
  private func matchJoined(_ name: PlaceName) -> NameMatch? {
    guard words.count + name.parts.count > 2 else { return nil }
    var match = NameMatch(penalty: Penalty.joined, unnamed: 0, reasons: [.joined])
    // What names the locality word by word is left out.
    var isUsed = Array(repeating: false, count: name.parts.count)
    var rest: [UInt32] = []
    for word in words {
      let place = name.parts.indices.first { index in
        name.parts[index].isLocality && !isUsed[index]
          && compare(word, name.parts[index].word)?.penalty ?? .max <= Penalty.transliteration
      }
      if let place { isUsed[place] = true } else { rest += word.letters }
    }
    let street = name.parts.filter { !$0.isLocality && !$0.isKind }.flatMap(\.word.letters)
    guard rest.count >= 4, let (penalty, reason) = compare(Word(rest), Word(street)),
      reason != .beginning, reason != .inflection
    else { return nil }
    match.penalty += penalty
    if let reason { match.reasons.insert(reason) }
    return match
  }

  /// Returns how far a typed word is from a place's word, and why; nil if it is another word.
  private func compare(_ typed: Word, _ word: Word) -> (penalty: Int, reason: MatchReason?)? {
    if typed.letters == word.letters { return (0, nil) }
    if typed.isNumber || word.isNumber { return nil }
    if typed.hasLatin, word.isCyrillic {
      if let other = Spelling.lookAlike(typed.letters) {
        if other == word.letters { return (Penalty.lookAlike, .lookAlike) }
        if let (more, _) = near(other, word.letters, isAbbreviated: typed.isAbbreviated) {
          return (Penalty.lookAlike + more, .lookAlike)
        }
      }
    }
    guard typed.isForeign(to: word) else {
      return near(typed.letters, word.letters, isAbbreviated: typed.isAbbreviated)
    }
    if typed.sounds == word.sounds { return (Penalty.transliteration, .transliteration) }
    return near(typed.sounds, word.sounds, isAbbreviated: typed.isAbbreviated).map {
      (Penalty.transliteration + $0.penalty, .transliteration)
    }
  }

  /// Returns how far a word is from another that it does not equal, in the same letters.
  private func near(
    _ typed: [UInt32], _ word: [UInt32], isAbbreviated: Bool
  ) -> (penalty: Int, reason: MatchReason)? {
    guard let first = typed.first, !word.isEmpty else { return nil }
    if first == word[0] {
      if let stem = vocabulary.stem(typed), let other = vocabulary.stem(word), stem == other {
        return (Penalty.inflection, .inflection)
      }
      if word.starts(with: typed) {
        if isAbbreviated { return (Penalty.abbreviation, .abbreviation) }
        return typed.count >= 3
          ? (Penalty.beginning, .beginning) : (Penalty.shortBeginning, .beginning)
      }
    }
    let limit = Spelling.errors(in: typed.count)
    if let errors = Spelling.typos(typed, word, atMost: limit) {
      return (Penalty.typo * errors, .typo)
    }
    // The beginning of a word, with one error.
    if typed.count >= 5, word.count > typed.count,
      Spelling.typos(typed, Array(word.prefix(typed.count)), atMost: 1) != nil
    {
      return (Penalty.typo + Penalty.beginning, .typo)
    }
    return nil
  }

  // MARK: What is near

  /// Returns how far the name is from the query if it lacks words, for suggestions; nil if it is
  /// quite another name. Smaller is nearer.
  func distance(_ name: PlaceName) -> Int? {
    let farthest = Penalty.typo * 4
    var total = 0
    var isStreetNear = false
    for word in words where !word.isNumber {
      var best = farthest
      for part in name.parts where !part.word.isNumber {
        let before = best
        defer { if best < before, !part.isLocality { isStreetNear = true } }
        if let near = compare(word, part.word) {
          best = min(best, near.penalty)
        } else if word.letters.count >= 4 {
          let (a, b) =
            word.isForeign(to: part.word)
            ? (word.sounds, part.word.sounds) : (word.letters, part.word.letters)
          let limit = max(2, a.count / 3)
          if let errors = Spelling.typos(a, b, atMost: limit) {
            best = min(best, Penalty.typo * errors)
          }
        }
      }
      total += best
    }
    return isStreetNear ? total : nil
  }
}
