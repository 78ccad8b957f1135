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
  /// A word of a place, and where it stands.
  struct Part: Equatable {
    var word: Word
    /// The column, counted from 0.
    var column: Int
    var isLocality: Bool
    var isKind: Bool
    /// Whether the place abbreviates it: "N Lake Shore Drive", "ул. Ак. Павлова".
    var isShort: Bool
    /// If it is a number: where it stands.
    var side: Word.Side?
  }

  private(set) var parts: [Part] = []
  private(set) var kinds: [Set<Int>] = []
  private(set) var hasLocality = false
  private var columns = 0
  /// The most words of a place that are compared.
  static let most = 24

  /// Adds the words of a column.
  mutating func add(_ text: String, isLocality: Bool) {
    add(AddressToken.all(in: text), isLocality: isLocality)
  }

  /// Adds words.
  mutating func add(_ tokens: [AddressToken], isLocality: Bool) {
    let vocabulary = AddressVocabulary.all
    if isLocality, !tokens.isEmpty { hasLocality = true }
    let first = parts.count
    for (index, token) in tokens.enumerated() where parts.count < Self.most {
      let meaning = token.isNumber ? [] : vocabulary.meaning(of: token.letters)
      if token.isOrdinal(after: index > 0 ? tokens[index - 1] : nil, meaning) { continue }
      let kinds = meaning.contains(.kind) ? vocabulary.kinds(of: token.letters) : []
      if !kinds.isEmpty { self.kinds.append(kinds) }
      let word = Word(token, isJoined: index > 0 && token.joint == .none, isTyped: false)
      parts.append(
        Part(
          word: word, column: columns, isLocality: isLocality, isKind: !kinds.isEmpty,
          isShort: !word.isNumber && !word.isJoined && (token.hasStop || token.isLetter)
            && meaning.isDisjoint(with: [.kind, .filler])))
    }
    for index in parts.indices[first...] where parts[index].word.isNumber {
      let isFirst = !parts[first..<index].contains { !$0.word.isNumber && !$0.isKind }
      let isLast = !parts[(index + 1)...].contains { !$0.word.isNumber }
      if isFirst != isLast { parts[index].side = isFirst ? .before : .after }
    }
    columns += 1
  }

  /// Prepares the name for a comparison with typed words, some of which may be of another alphabet.
  mutating func hear(_ typed: [Word]) {
    for index in parts.indices where typed.contains(where: { $0.isForeign(to: parts[index].word) })
    {
      parts[index].word.hear()
    }
  }
}

/// How the name of a place fits the words of a query.
struct NameMatch: Equatable {
  /// How far the words are from those of the place; 0 if they are equal.
  var penalty: Int
  /// How many words stand in another order than those of the place.
  var disorder = 0
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
    static let digraph = 1
    static let transliteration = 2
    static let unknownLocality = 3
    static let initial = 3
    static let beginning = 4
    static let shortBeginning = 6
    static let typo = 8
  }

  private typealias Nearness = (penalty: Int, reason: MatchReason?)

  /// Words of a query that fit parts of a name.
  private struct Fit {
    /// How many words, and which parts.
    var words: Int
    var parts: Range<Int>
    var penalty: Int
    var reasons: Set<MatchReason>
  }

  let words: [Word]
  let kinds: [Set<Int>]
  private let vocabulary = AddressVocabulary.all
  /// For each word: it, and it in one word with the next, and with the next two.
  private let joins: [[Word]]
  /// For each word: where its run ends, of numbers and letters without a gap. "A2" is one run.
  private let runEnds: [Int]
  /// The most words that are taken for one.
  static let mostJoined = 3
  /// The most words, and the fewest letters, of a code that may be written with gaps: "NR1 2BC".
  static let mostOfCode = 6
  static let leastOfCode = 5

  init(_ reading: AddressReading) {
    let words = reading.words
    self.words = words
    kinds = reading.kinds
    joins = words.indices.map { index in
      var all: [Word] = []
      for end in index..<min(index + Self.mostJoined, words.count) {
        if words[end].isNumber { break }
        all.append(Word(words[index...end].flatMap(\.letters)))
      }
      return all
    }
    runEnds = words.indices.map { index in
      var end = index + 1
      while end < words.count, words[end].isJoined { end += 1 }
      return end
    }
  }

  /// Returns how the name fits, or nil if it lacks a word.
  func match(_ name: PlaceName) -> NameMatch? {
    var match = match(name, joining: false) ?? match(name, joining: true)
    if match != nil, !kinds.isEmpty, !name.kinds.isEmpty,
      !kinds.contains(where: { kind in name.kinds.contains { !$0.isDisjoint(with: kind) } })
    {
      match?.penalty += Penalty.otherKind
    }
    return match
  }

  /// Compares word by word. With `joining`, words may also be written in one or in several.
  private func match(_ name: PlaceName, joining: Bool) -> NameMatch? {
    var isUsed = Array(repeating: false, count: name.parts.count)
    var match = NameMatch(penalty: 0, unnamed: 0, reasons: [])
    var unmatched: [Word] = []
    var last: Int?
    var index = 0
    while index < words.count {
      var fit = runEnds[index] > index + 1 ? run(index, name, isUsed) : single(index, name, isUsed)
      if joining, fit == nil || fit?.penalty ?? 0 > Penalty.transliteration {
        fit = code(index, name, isUsed) ?? joined(index, name, isUsed) ?? fit
      }
      guard let fit else {
        unmatched += words[index..<runEnds[index]]
        index = runEnds[index]
        continue
      }
      for part in fit.parts { isUsed[part] = true }
      if let last, fit.parts.lowerBound < last,
        name.parts[last].column == name.parts[fit.parts.lowerBound].column
      {
        match.disorder += 1
      }
      last = fit.parts.lowerBound
      match.penalty += fit.penalty
      match.reasons.formUnion(fit.reasons)
      index += fit.words
    }
    guard unmatched.isEmpty || allows(unmatched, name, isUsed, &match) else { return nil }
    for (index, part) in name.parts.enumerated()
    where !isUsed[index] && !part.isLocality && !part.isKind {
      match.unnamed += 1
    }
    return match
  }

  /// Whether a name may lack these words.
  private func allows(
    _ unmatched: [Word], _ name: PlaceName, _ isUsed: [Bool], _ match: inout NameMatch
  ) -> Bool {
    guard unmatched.count < words.count else { return false }
    // Of a person's initials some may be unknown: "Гагарина Ю. А." is "Юрия Гагарина".
    let initials = unmatched.count { $0.isInitial }
    match.penalty += initials * Penalty.initial
    if initials > 0 { match.reasons.insert(.abbreviation) }
    guard initials < unmatched.count else { return true }
    // A city contradicts nothing if the place does not tell its locality, or if a smaller one was
    // named too: "Санкт-Петербург, Пушкин".
    let isNamed = name.parts.indices.contains { isUsed[$0] && name.parts[$0].isLocality }
    guard !name.hasLocality || isNamed,
      unmatched.allSatisfy({ $0.isInitial || vocabulary.localities.contains($0.letters) })
    else { return false }
    match.penalty += Penalty.unknownLocality
    match.reasons.insert(.unknownLocality)
    return true
  }

  /// Finds the part that is nearest to a word.
  private func single(_ index: Int, _ name: PlaceName, _ isUsed: [Bool]) -> Fit? {
    let word = words[index]
    var best: (index: Int, nearness: Nearness)?
    for (index, part) in name.parts.enumerated() where !isUsed[index] {
      guard let nearness = compare(word, part), nearness.penalty < best?.nearness.penalty ?? .max
      else { continue }
      best = (index, nearness)
    }
    guard let best else { return nil }
    return Fit(
      words: 1, parts: best.index..<best.index + 1, penalty: best.nearness.penalty,
      reasons: best.nearness.reason.map { [$0] } ?? [])
  }

  /// Finds parts that follow each other as the words of a run do. "A2" is not "Ann, room 2".
  private func run(_ index: Int, _ name: PlaceName, _ isUsed: [Bool]) -> Fit? {
    let count = runEnds[index] - index
    var best: Fit?
    guard name.parts.count >= count else { return nil }
    for first in 0...name.parts.count - count {
      var fit = Fit(words: count, parts: first..<first + count, penalty: 0, reasons: [])
      let isFit = (0..<count).allSatisfy { offset in
        let part = name.parts[first + offset]
        guard !isUsed[first + offset], part.column == name.parts[first].column,
          let (penalty, reason) = compare(words[index + offset], part),
          words[index + offset].letters.count > 1 || penalty <= Penalty.transliteration
        else { return false }
        fit.penalty += penalty
        if let reason { fit.reasons.insert(reason) }
        return true
      }
      if isFit, fit.penalty < best?.penalty ?? .max { best = fit }
    }
    return best
  }

  // MARK: Words in one and in several

  /// Finds parts that are some words if both are written in one: "хо ши мина", "бончбруевича".
  private func joined(_ index: Int, _ name: PlaceName, _ isUsed: [Bool]) -> Fit? {
    var best: Fit?
    for (more, typed) in joins[index].enumerated() where typed.letters.count >= 4 {
      // An error could swallow a short word.
      let isExact = more > 0 && words[index...index + more].contains { $0.letters.count <= 2 }
      for first in name.parts.indices {
        var (count, mask, sounds) = (0, UInt64(0), 0)
        for end in first..<min(first + Self.mostJoined, name.parts.count) {
          let part = name.parts[end]
          guard !isUsed[end], !part.word.isNumber, part.column == name.parts[first].column else {
            break
          }
          count += part.word.letters.count
          let isForeign = typed.isForeign(to: part.word)
          if isForeign { sounds += part.word.sounds.count }
          mask |= part.word.mask
          guard more > 0 || end > first,
            abs(count - typed.letters.count) <= 1 && (mask ^ typed.mask).nonzeroBitCount <= 2
              || isForeign && abs(sounds - typed.sounds.count) <= 2
          else { continue }
          let word = Word(name.parts[first...end].flatMap(\.word.letters), isTyped: false)
          guard let (penalty, reason) = whole(typed, word, atMost: isExact ? 0 : 1),
            penalty + Penalty.joined < best?.penalty ?? .max
          else { continue }
          best = Fit(
            words: more + 1, parts: first..<end + 1, penalty: penalty + Penalty.joined,
            reasons: reason.map { [.joined, $0] } ?? [.joined])
        }
      }
    }
    return best
  }

  /// Finds parts that are the same code of letters and digits with other gaps: "nr12bc". One of
  /// both is written without a gap, so that no number is taken for a part of another.
  private func code(_ index: Int, _ name: PlaceName, _ isUsed: [Bool]) -> Fit? {
    var typed: [UInt32] = []
    for end in index..<min(index + Self.mostOfCode, words.count) {
      typed += words[end].letters
      guard end > index, typed.count >= Self.leastOfCode,
        words[index...end].contains(where: \.isNumber),
        !words[index...end].allSatisfy(\.isNumber), end + 1 == runEnds[end]
      else { continue }
      let isRun = end < runEnds[index]
      for first in name.parts.indices where !name.parts[first].word.isJoined {
        var letters: [UInt32] = []
        var last = first
        while last < name.parts.count, !isUsed[last], letters.count < typed.count,
          name.parts[last].column == name.parts[first].column
        {
          letters += name.parts[last].word.letters
          last += 1
        }
        guard letters == typed, last == name.parts.count || !name.parts[last].word.isJoined,
          isRun || name.parts[(first + 1)..<last].allSatisfy({ $0.word.isJoined })
        else { continue }
        return Fit(
          words: end + 1 - index, parts: first..<last, penalty: Penalty.joined, reasons: [.joined])
      }
    }
    return nil
  }

  /// Compares words of which none is only the beginning of the other.
  private func whole(_ typed: Word, _ word: Word, atMost errors: Int) -> Nearness? {
    func equal(_ a: [UInt32], _ b: [UInt32]) -> Nearness? {
      if a == b { return (0, nil) }
      return Spelling.typos(a, b, atMost: min(errors, Spelling.errors(in: a.count))).map {
        (Penalty.typo * $0, .typo)
      }
    }
    if word.isCyrillic, typed.lookAlike == word.letters {
      return (Penalty.lookAlike, .lookAlike)
    }
    guard typed.isForeign(to: word) else { return equal(typed.letters, word.letters) }
    return equal(typed.sounds, word.sounds).map {
      (Penalty.transliteration + $0.penalty, .transliteration)
    }
  }

  // MARK: One word

  /// Returns how far a typed word is from a part of a place, and why; nil if it is another word.
  private func compare(_ typed: Word, _ part: PlaceName.Part) -> Nearness? {
    // "5 линия 10" is house 10. It is not house 5 of the tenth.
    if let side = part.side, let other = typed.side, side != other { return nil }
    if let nearness = compare(typed, part.word) { return nearness }
    guard part.isShort, !typed.isNumber, typed.letters.count > part.word.letters.count else {
      return nil
    }
    let penalty = part.word.isAbbreviated ? Penalty.abbreviation : Penalty.shortBeginning
    if typed.letters.starts(with: part.word.letters) { return (penalty, .abbreviation) }
    guard typed.isForeign(to: part.word), typed.sounds.starts(with: part.word.sounds) else {
      return nil
    }
    return (Penalty.transliteration + penalty, .transliteration)
  }

  private func compare(_ typed: Word, _ word: Word) -> Nearness? {
    if typed.letters == word.letters { return (0, nil) }
    if typed.isNumber || word.isNumber { return nil }
    if word.isCyrillic, let other = typed.lookAlike {
      if other == word.letters { return (Penalty.lookAlike, .lookAlike) }
      if let (more, _) = near(other, word.letters, isAbbreviated: typed.isAbbreviated) {
        return (Penalty.lookAlike + more, .lookAlike)
      }
    }
    guard typed.isForeign(to: word) else {
      let nearness = near(typed.letters, word.letters, isAbbreviated: typed.isAbbreviated)
      // "Mueller" is "Müller".
      guard typed.plain != nil || word.plain != nil else { return nearness }
      let (a, b) = (typed.plain ?? typed.letters, word.plain ?? word.letters)
      if a == b { return (Penalty.digraph, .transliteration) }
      guard let other = near(a, b, isAbbreviated: typed.isAbbreviated),
        other.penalty + Penalty.digraph < nearness?.penalty ?? .max
      else { return nearness }
      return (Penalty.digraph + other.penalty, other.reason)
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
