/// A house as an address names it. A part that is not named is nil.
struct HouseNumber: Equatable {
  /// The number: `15`, `178-180/1`.
  var house: [UInt32]?
  /// The number of a building that belongs to the house: `корпус 1`.
  var building: [UInt32]?
  /// The letter: `литер А`.
  var letter: [UInt32]?
}

/// A way in which a text names a house.
struct HouseReading: Equatable {
  /// The parts.
  var number: HouseNumber
  /// How far this is from the text. The nearest way that finds something wins.
  var cost: Int
  /// Why it costs something.
  var reason: MatchReason?
}

/// One way to read what a person typed: which words are names, and which number is the house.
struct AddressReading: Equatable {
  /// The words that a place must have.
  var words: [Word]
  /// The kinds of streets that are named. They only break ties.
  var kinds: [Set<Int>]
  /// The ways to read the house; empty if none is named.
  var houses: [HouseReading]
  /// What is named inside a house: `3` of "Flat 3".
  var inside: [[UInt32]] = []
  /// The cost of this way to read the text.
  var cost: Int
  /// Why it costs something.
  var reason: MatchReason?
}

/// What a person typed, in all ways in which it can be read.
///
///     пр. Непокорённых, 15/1    words: непокоренных; houses: 15/1, or 15 building 1
///     8 линия 15                words: линия, house 8, building 15; or words: 8 линия, house 15
///     Ytgjrjhtyys[ 15           as it is; or on the other layout: непокоренных, house 15
struct AddressQuery {
  /// The ways to read the text, each with at least one word or house.
  let readings: [AddressReading]
  /// The cost of the other keyboard layout.
  static let layoutCost = 2

  /// Reads a text. Without parts of an address, all of it are words.
  init(_ text: String, hasHouses: Bool) {
    let scalars = Array(text.unicodeScalars.prefix(1_000))
    var readings = Self.readings(of: AddressToken.all(in: scalars), hasHouses: hasHouses)
    if let other = Spelling.onOtherLayout(scalars) {
      readings += Self.readings(of: AddressToken.all(in: other), hasHouses: hasHouses).map {
        var reading = $0
        reading.cost += Self.layoutCost
        reading.reason = .otherLayout
        return reading
      }
    }
    self.readings = readings.filter { !$0.words.isEmpty || !$0.houses.isEmpty }
  }

  private static func readings(
    of tokens: [AddressToken], hasHouses: Bool
  ) -> [AddressReading] {
    guard hasHouses else { return [reading(words: tokens, [], cost: 0, isAddress: false)] }
    var parser = AddressParser()
    parser.read(tokens)
    var readings = addresses(parser)
    for index in readings.indices { readings[index].inside = parser.inside }
    if parser.isUnsure {
      // "12 a high street" may be 12A.
      var parser = AddressParser(takesLetters: true)
      parser.read(tokens)
      readings += addresses(parser).map {
        var reading = $0
        reading.cost += 1
        reading.inside = parser.inside
        return reading
      }
    }
    return readings
  }

  private static func addresses(_ parser: AddressParser) -> [AddressReading] {
    let groups = parser.groups
    guard !groups.isEmpty else { return [reading(words: parser.words, [], cost: 0)] }
    var readings: [AddressReading] = []
    /// Adds a reading with this group as the house. The groups before it are part of a name.
    func add(house index: Int, named names: [Int]) {
      let next = groups.indices.contains(index + 1) && !names.contains(index + 1) ? index + 1 : nil
      var reading = reading(
        words: parser.words + names.map { groups[$0].word },
        groups[index].readings(before: next.map { groups[$0] }), cost: 0)
      // A number of the name on one side of the words, and the house on the other.
      if let name = names.first, !groups[index].isMarked {
        let (house, number) = (groups[index].wordsBefore, groups[name].wordsBefore)
        let all = parser.words.count
        let side: Word.Side? =
          house == 0 && number == all ? .after : house == all && number == 0 ? .before : nil
        if let side, all > 0 {
          for word in reading.words.indices.suffix(names.count) { reading.words[word].side = side }
        }
      }
      readings.append(reading)
    }
    if let marked = groups.firstIndex(where: \.isMarked) {
      add(house: marked, named: Array(0..<marked))
      return readings
    }
    add(house: 0, named: [])
    if groups.count > 1 {
      add(house: 1, named: [0])
      add(house: 0, named: [1])
    }
    readings.append(
      reading(words: parser.words + groups.prefix(3).map(\.word), [], cost: 1))
    return readings
  }

  private static func reading(
    words tokens: [AddressToken], _ houses: [HouseReading], cost: Int, isAddress: Bool = true
  ) -> AddressReading {
    let vocabulary = AddressVocabulary.all
    var reading = AddressReading(words: [], kinds: [], houses: houses, cost: cost)
    var (optional, named): ([Word], [Word]) = ([], [])
    /// The index after the last token that became a word.
    var afterLast: Int?
    for (index, token) in tokens.enumerated() {
      // A letter with a number is a code: "B1" on the other layout is "И1", not "and 1".
      let isCode =
        !isAddress && token.isLetter && index + 1 < tokens.count && tokens[index + 1].isNumber
        && tokens[index + 1].joint == .none
      let meaning = token.isNumber || isCode ? [] : vocabulary.meaning(of: token.letters)
      let last = index > 0 ? tokens[index - 1] : nil
      if token.isOrdinal(after: last, meaning) {
        afterLast = index + 1
        continue
      }
      var word = Word(token, isJoined: token.joint == .none && afterLast == index)
      word.isInitial =
        token.isInitial
        && (last?.isInitial == true
          || index + 1 < tokens.count && tokens[index + 1].isInitial)
      let kinds = isCode ? [] : vocabulary.kinds(of: token.letters)
      if !kinds.isEmpty { reading.kinds.append(kinds) }
      if isAddress, meaning.contains(.area), let name = reading.words.popLast() {
        optional.append(name)
      } else if meaning.isDisjoint(with: [.kind, .filler]) {
        reading.words.append(word)
        afterLast = index + 1
      } else {
        optional.append(word)
        if !kinds.isEmpty { named.append(word) }
      }
    }
    // Nothing but kinds of streets and numbers, as "1-я линия": then the kinds are the name.
    if isAddress, reading.words.allSatisfy(\.isNumber) { reading.words = named + reading.words }
    if reading.words.isEmpty, houses.isEmpty { reading.words = optional }
    return reading
  }
}

/// Finds the numbers of a house among the words of an address.
struct AddressParser {
  /// A number that may be that of a house, with what follows it.
  struct Group {
    /// The numbers, of `178-180/1` three.
    var numbers: [[UInt32]]
    /// The signs between them.
    var signs: [AddressToken.Joint] = []
    var building: [UInt32]?
    var letter: [UInt32]?
    /// Whether a word says that it is a house.
    var isMarked = false
    /// How many words of names are before it.
    var wordsBefore = 0

    /// The number as a word of a name.
    var word: AddressToken {
      AddressToken(letters: numbers.last ?? [], isNumber: true, joint: .other)
    }
  }

  private let vocabulary = AddressVocabulary.all
  /// Whether a letter before a name belongs to the number before it.
  private let takesLetters: Bool
  /// Whether a building or a letter may come before its house.
  private let takesEarly: Bool
  /// Whether there was such a letter.
  private(set) var isUnsure = false
  /// The tokens that are not numbers of houses.
  private(set) var words: [AddressToken] = []
  /// The numbers, in order.
  private(set) var groups: [Group] = []
  /// The numbers of what is inside a house, with their letters.
  private(set) var inside: [[UInt32]] = []
  /// A building and a letter that were named before any house, and their words.
  private var early: (building: [UInt32]?, letter: [UInt32]?, words: [AddressToken]) = (
    nil, nil, []
  )

  /// Whether the number of a house has words of its own.
  var isNamed: Bool {
    !inside.isEmpty || words.contains { !$0.isNumber && $0.letters.count > 1 }
  }

  init(takesLetters: Bool = false, takesEarly: Bool = true) {
    self.takesLetters = takesLetters
    self.takesEarly = takesEarly
  }

  /// Reads all tokens.
  mutating func read(_ all: [AddressToken]) {
    let tokens = withoutSigns(all)
    var index = 0
    /// Whether the token before was a part of the last group.
    var isInGroup = false
    while index < tokens.count {
      let token = tokens[index]
      let rest = tokens[(index + 1)...]
      if token.isNumber {
        index = readNumber(tokens, from: index)
        isInGroup = true
        continue
      }
      let meaning = vocabulary.meaning(of: token.letters)
      if isInGroup, let used = readAfterNumber(token, meaning, rest) {
        index += 1 + used
        continue
      }
      isInGroup = false
      if let next = rest.first, next.isNumber {
        if meaning.contains(.inside) {
          index += 2
          inside.append(next.letters)
          // A letter belongs to the flat.
          if index < tokens.count, tokens[index].isLetter, tokens[index].joint == .none {
            inside[inside.count - 1] += tokens[index].letters
            index += 1
          }
          continue
        }
        if meaning.contains(.house), !token.hasStop || next.joint != .dash {
          let before = groups.count
          index = readNumber(tokens, from: index + 1)
          // A postal code after the word is no house.
          if groups.count > before { groups[before].isMarked = true }
          isInGroup = true
          continue
        }
      }
      // A marker may stand after other words: "15, Садовая, корпус 1".
      if !groups.isEmpty, let used = readMarked(token, meaning, rest) {
        index += 1 + used
        isInGroup = true
        continue
      }
      if let used = readEarly(token, meaning, rest) {
        index += 1 + used
        continue
      }
      words.append(token)
      // The number before it is not a word.
      if index > 0, tokens[index - 1].isNumber { words[words.count - 1].joint = .other }
      index += 1
    }
    for index in groups.indices {
      if groups[index].building == nil { groups[index].building = early.building }
      if groups[index].letter == nil { groups[index].letter = early.letter }
    }
    // "Латышских стр. 3" is no building: the number is the house.
    if groups.isEmpty, !early.words.isEmpty {
      self = AddressParser(takesLetters: takesLetters, takesEarly: false)
      read(all)
    }
  }

  /// Removes the word for a number before one: "дом номер 14".
  private func withoutSigns(_ tokens: [AddressToken]) -> [AddressToken] {
    var result: [AddressToken] = []
    for (index, token) in tokens.enumerated() {
      if !token.isNumber, let last = result.last, !last.isNumber, index + 1 < tokens.count,
        tokens[index + 1].isNumber,
        vocabulary.meaning(of: token.letters).contains(.filler),
        !vocabulary.meaning(of: last.letters).isDisjoint(with: [.house, .building, .inside])
      {
        continue
      }
      result.append(token)
    }
    return result
  }

  /// Reads a building or a letter that comes before its house: "корпус 1, дом 15". Returns how many
  /// more tokens it takes, or nil if the token is something else.
  private mutating func readEarly(
    _ token: AddressToken, _ meaning: AddressVocabulary.Meaning,
    _ rest: ArraySlice<AddressToken>
  ) -> Int? {
    // One letter or the kind of a street may be part of a name.
    guard takesEarly, groups.isEmpty, let next = rest.first, !token.isLetter,
      !meaning.contains(.kind)
    else { return nil }
    if meaning.contains(.letter), next.isLetter, early.letter == nil {
      early.letter = next.letters
    } else if meaning.contains(.building), next.isNumber, early.building == nil {
      early.building = next.letters
    } else {
      return nil
    }
    early.words += [token, next]
    return 1
  }

  /// Reads a number and what is joined to it. Returns the index after it.
  private mutating func readNumber(_ tokens: [AddressToken], from start: Int) -> Int {
    var index = start + 1
    // A postal code is no house.
    if vocabulary.postalDigits.contains(tokens[start].letters.count) { return index }
    var group = Group(numbers: [tokens[start].letters], wordsBefore: words.count)
    while index < tokens.count, tokens[index].isNumber,
      tokens[index].joint == .dash || tokens[index].joint == .slash
    {
      group.numbers.append(tokens[index].letters)
      group.signs.append(tokens[index].joint)
      index += 1
    }
    // "1-я линия", "2я Советская", "42nd Avenue".
    if index < tokens.count, isOrdinal(tokens, at: index) {
      words += [tokens[index - 1], tokens[index]]
      return index + 1
    }
    groups.append(group)
    return index
  }

  /// Whether the token after a number makes it part of a name.
  private func isOrdinal(_ tokens: [AddressToken], at index: Int) -> Bool {
    let token = tokens[index]
    let meaning = vocabulary.meaning(of: token.letters)
    guard token.isOrdinal(after: tokens[index - 1], meaning) else { return false }
    // "15я" at the end is a house with a letter.
    return token.letters.count > 1 || tokens.count > index + 1 && !tokens[index + 1].isNumber
  }

  /// Reads a letter or a building that follows a number. Returns how many more tokens it takes, or
  /// nil if the token is something else.
  private mutating func readAfterNumber(
    _ token: AddressToken, _ meaning: AddressVocabulary.Meaning,
    _ rest: ArraySlice<AddressToken>
  ) -> Int? {
    if let used = readMarked(token, meaning, rest) { return used }
    // "37 к2 лА".
    if token.letters.count == 2, let last = groups.indices.last, groups[last].letter == nil,
      vocabulary.meaning(of: [token.letters[0]]).contains(.letter)
    {
      groups[last].letter = [token.letters[1]]
      return 0
    }
    guard token.isLetter, !groups.isEmpty, groups[groups.count - 1].letter == nil else {
      return nil
    }
    // "14 Б. Морская" begins a name, as does "12 W 42nd St"; "14 Б" and "14 Б, Морская" do not.
    if token.joint == .other, let next = rest.first, next.joint != .comma {
      if next.isNumber {
        if let after = rest.dropFirst().first,
          after.isOrdinal(after: next, vocabulary.meaning(of: after.letters))
        {
          return nil
        }
      } else if vocabulary.meaning(of: next.letters).isEmpty {
        isUnsure = true
        if !takesLetters { return nil }
      }
    }
    groups[groups.count - 1].letter = token.letters
    return 0
  }

  /// Reads a building or a letter with its word: `к 1`, `корпус Б`, `лит. А`, `литА`.
  private mutating func readMarked(
    _ token: AddressToken, _ meaning: AddressVocabulary.Meaning,
    _ rest: ArraySlice<AddressToken>
  ) -> Int? {
    guard let last = groups.indices.last else { return nil }
    if let next = rest.first {
      if meaning.contains(.letter), next.isLetter, groups[last].letter == nil {
        groups[last].letter = next.letters
        return 1
      }
      if meaning.contains(.building), next.isNumber || next.isLetter && token.letters.count > 1,
        groups[last].building == nil
      {
        groups[last].building = next.letters
        return 1
      }
    }
    // "литА" in one word, or "лА" after a number.
    let isOneWord = token.letters.count > 3 || token.letters.count == 2 && token.joint == .none
    if groups[last].letter == nil, isOneWord, let letter = token.letters.last,
      vocabulary.meaning(of: Array(token.letters.dropLast())).contains(.letter)
    {
      groups[last].letter = [letter]
      return 0
    }
    return nil
  }
}

extension AddressParser.Group {
  /// How far a way to read a house is from its text.
  enum Cost {
    static let split = 1
    static let bare = 2
    static let sound = 3
    static let flat = 4
  }

  /// Returns the ways to read this number as a house. A bare number after it is a building: "15 1".
  func readings(before next: AddressParser.Group? = nil) -> [HouseReading] {
    var readings: [HouseReading] = []
    let letter = letter ?? (building == nil ? next?.letter : nil)
    /// Adds a reading, also with the letter that sounds like a Latin one.
    func add(_ house: [UInt32], _ building: [UInt32]?, _ cost: Int, _ reason: MatchReason?) {
      let letters = Self.letters(letter)
      let number = HouseNumber(house: house, building: building, letter: letters.first)
      readings.append(HouseReading(number: number, cost: cost, reason: reason))
      for other in letters.dropFirst() {
        var number = number
        number.letter = other
        readings.append(
          HouseReading(number: number, cost: cost + Cost.sound, reason: .transliteration))
      }
    }
    guard numbers.count > 1 else {
      if building == nil, let next, next.numbers.count == 1 {
        add(numbers[0], next.numbers[0], Cost.bare, .bareBuilding)
      } else {
        add(numbers[0], building, 0, nil)
      }
      // "2 1/2" may be one number.
      if building == nil, let next, next.numbers.count > 1, next.wordsBefore == wordsBefore {
        add(Array((numbers + next.numbers).joined(separator: [0x20])), nil, 0, nil)
      }
      return readings
    }
    add(Self.joined(numbers, signs), building, 0, nil)
    let front = Self.joined(Array(numbers.dropLast()), Array(signs.dropLast()))
    if building == nil {
      add(front, numbers.last, Cost.split, .splitHouse)
      if signs.last == .dash {
        add(front, nil, Cost.flat, .flatIgnored)
        if numbers.count == 3 { add(numbers[0], numbers[1], Cost.flat, .flatIgnored) }
      }
    } else if signs.last == .dash {
      add(front, building, Cost.flat, .flatIgnored)
    }
    return readings
  }

  /// The number as a place of the feed has it.
  var asWritten: HouseNumber {
    HouseNumber(
      house: Self.joined(numbers, signs), building: building, letter: Self.letters(letter).first)
  }

  /// The number of a place, with the last of several numbers as a building; nil if it has one.
  var split: HouseNumber? {
    guard numbers.count > 1, building == nil else { return nil }
    return HouseNumber(
      house: Self.joined(Array(numbers.dropLast()), Array(signs.dropLast())),
      building: numbers.last, letter: Self.letters(letter).first)
  }

  private static func joined(
    _ numbers: [[UInt32]], _ signs: [AddressToken.Joint]
  ) -> [UInt32] {
    var result = numbers[0]
    for (number, sign) in zip(numbers.dropFirst(), signs) {
      result.append(sign == .dash ? 0x2D : 0x2F)
      result += number
    }
    return result
  }

  /// The letters that a letter may be: one that looks like it first, then one that sounds like it.
  static func letters(_ letter: [UInt32]?) -> [[UInt32]] {
    guard let letter else { return [] }
    let sound = Spelling.sounds(letter)
    guard let other = Spelling.lookAlike(letter) else { return [letter, sound] }
    return other == letter || other == sound ? [other] : [other, sound]
  }
}
