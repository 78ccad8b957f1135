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
    let groups = parser.groups
    guard !groups.isEmpty else { return [reading(words: parser.words, [], cost: 0)] }
    var readings: [AddressReading] = []
    /// Adds a reading with this group as the house. The groups before it are part of a name.
    func add(house index: Int, named names: [Int]) {
      let next = groups.indices.contains(index + 1) && !names.contains(index + 1) ? index + 1 : nil
      readings.append(
        reading(
          words: parser.words + names.map { groups[$0].word },
          groups[index].readings(before: next.map { groups[$0] }), cost: 0))
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
    for (index, token) in tokens.enumerated() {
      let word = Word(token.letters, isNumber: token.isNumber, isAbbreviated: token.hasStop)
      let meaning = token.isNumber ? [] : vocabulary.meaning(of: token.letters)
      if index > 0, tokens[index - 1].isNumber, token.joint == .none || token.joint == .dash,
        meaning.contains(.ordinal)
      {
        continue
      }
      let kinds = vocabulary.kinds(of: token.letters)
      if !kinds.isEmpty { reading.kinds.append(kinds) }
      if isAddress, meaning.contains(.area), let name = reading.words.popLast() {
        optional.append(name)
      } else if meaning.isDisjoint(with: [.kind, .filler]) {
        reading.words.append(word)
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

    /// The number as a word of a name.
    var word: AddressToken {
      AddressToken(letters: numbers.last ?? [], isNumber: true, joint: .other)
    }
  }

  private let vocabulary = AddressVocabulary.all
  /// The tokens that are not numbers of houses.
  private(set) var words: [AddressToken] = []
  /// The numbers, in order.
  private(set) var groups: [Group] = []

  /// Reads all tokens.
  mutating func read(_ tokens: [AddressToken]) {
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
          // A letter belongs to the flat.
          if index < tokens.count, tokens[index].isLetter, tokens[index].joint == .none {
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
      words.append(token)
      index += 1
    }
  }

  /// Reads a number and what is joined to it. Returns the index after it.
  private mutating func readNumber(_ tokens: [AddressToken], from start: Int) -> Int {
    var index = start + 1
    // A postal code is no house.
    if vocabulary.postalDigits.contains(tokens[start].letters.count) { return index }
    var group = Group(numbers: [tokens[start].letters])
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
    guard token.joint == .none || token.joint == .dash,
      vocabulary.meaning(of: token.letters).contains(.ordinal)
    else { return false }
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
    guard token.isLetter, !groups.isEmpty, groups[groups.count - 1].letter == nil else {
      return nil
    }
    // "14 Б. Морская" begins a name; "14 Б" and "14 Б, Морская" do not.
    if token.joint == .other, let next = rest.first, !next.isNumber, next.joint != .comma,
      vocabulary.meaning(of: next.letters).isEmpty
    {
      return nil
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
      return readings
    }
    add(Self.joined(numbers, signs), building, 0, nil)
    let front = Self.joined(Array(numbers.dropLast()), Array(signs.dropLast()))
    if building == nil {
      add(front, numbers.last, Cost.split, .splitHouse)
      if signs.last == .dash { add(front, nil, Cost.flat, .flatIgnored) }
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
