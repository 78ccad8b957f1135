/// The house of a place, as its columns have it.
struct PlaceHouse: Equatable {
  /// The number as the feed writes it.
  private(set) var number = HouseNumber()
  /// The last of several numbers in one column as a building: `15/1`.
  private var split: HouseNumber?

  /// What the place is inside its house: `3` of "Flat 3, 12". Nil if it is the house.
  private(set) var inside: [UInt32]?

  /// How a house fits.
  enum Fit: Equatable {
    /// It is this house. `more` counts the parts that the place has and the query does not.
    case same(more: Int)
    /// It is another house.
    case other(Difference)
  }

  /// In which part two houses differ.
  enum Difference: Equatable {
    case letter, building
    /// By how much the numbers differ; nil if they are not compared.
    case house(by: Int?)
  }

  /// Makes a place without a house.
  init() {}

  /// Makes a house of the texts of its columns. A missing one is empty.
  init(
    house: UnsafeRawBufferPointer, building: UnsafeRawBufferPointer,
    letter: UnsafeRawBufferPointer
  ) {
    if house.count > 0 {
      if let digits = Self.digits(house) {
        number.house = digits
      } else {
        readHouse(String(decoding: house, as: UTF8.self))
      }
    }
    if building.count > 0 { number.building = Self.digits(building) ?? Self.plain(building) }
    if letter.count > 0 {
      number.letter = AddressParser.Group.letters(Self.plain(letter)).first
    }
    if number.building != nil, building.count > 0 { split = nil }
    if letter.count > 0 { split?.letter = number.letter }
  }

  /// The words of a house that has a name: "Rose Cottage". Empty if it has none.
  static func nameWords(of text: UnsafeRawBufferPointer) -> [AddressToken] {
    var parser = AddressParser()
    parser.read(AddressToken.all(in: String(decoding: text, as: UTF8.self)))
    return parser.isNamed ? parser.words.filter { !$0.isNumber } : []
  }

  /// Whether a house has a name, or is a part of one: "Rose Cottage", "Flat 3, 12".
  static func hasName(_ text: UnsafeRawBufferPointer) -> Bool {
    var parser = AddressParser()
    parser.read(AddressToken.all(in: String(decoding: text, as: UTF8.self)))
    return parser.isNamed
  }

  /// Returns the digits of a plain number, as most are, or nil.
  private static func digits(_ text: UnsafeRawBufferPointer) -> [UInt32]? {
    guard text[0] != UInt8(ascii: "0"), text.count <= 8,
      text.allSatisfy({ Spelling.isDigit(UInt32($0)) })
    else { return nil }
    return text.map { UInt32($0) }
  }

  private mutating func readHouse(_ text: String) {
    var parser = AddressParser()
    let tokens = AddressToken.all(in: text)
    parser.read(tokens)
    inside = parser.inside.first
    let isNamed = parser.isNamed
    if isNamed, parser.groups.isEmpty { return }
    guard parser.groups.count == 1, isNamed || parser.words.isEmpty else {
      // Not one number: "2 1/2" is not 212.
      for (index, token) in tokens.enumerated() {
        if index > 0, token.joint != .none { number.house?.append(0x20) }
        number.house = (number.house ?? []) + token.letters
      }
      return
    }
    number = parser.groups[0].asWritten
    split = parser.groups[0].split
  }

  /// The letters and digits of a part, without the word that says what it is.
  private static func plain(_ text: UnsafeRawBufferPointer) -> [UInt32] {
    // One letter, as most are.
    if text.count <= 2 {
      let letters = Spelling.folded(String(decoding: text, as: UTF8.self))
      if letters.count == 1 { return letters }
    }
    let tokens = AddressToken.all(in: String(decoding: text, as: UTF8.self))
    let vocabulary = AddressVocabulary.all
    let parts = tokens.enumerated().filter { index, token in
      token.isNumber || token.isLetter && index == tokens.count - 1
        || vocabulary.meaning(of: token.letters).isDisjoint(with: [.building, .letter])
    }
    return parts.flatMap(\.element.letters)
  }

  /// Returns how the house fits one that was typed.
  func fit(_ typed: HouseNumber) -> Fit {
    let fit = Self.fit(number, typed)
    if case .same = fit { return fit }
    // "30" is also "30/16", as it is building 16 of house 30.
    if let split, case .same(let more) = Self.fit(split, typed) { return .same(more: more) }
    return fit
  }

  private static func fit(_ number: HouseNumber, _ typed: HouseNumber) -> Fit {
    if let house = typed.house, house != number.house {
      return .other(.house(by: difference(house, number.house)))
    }
    var more = 0
    for (typed, part, difference) in [
      (typed.building, number.building, Difference.building),
      (typed.letter, number.letter, .letter),
    ] {
      if let typed {
        if typed != part { return .other(difference) }
      } else if part != nil {
        more += 1
      }
    }
    return .same(more: more)
  }

  private static func difference(_ a: [UInt32], _ b: [UInt32]?) -> Int? {
    func value(_ text: [UInt32]) -> Int? {
      let digits = text.prefix { Spelling.isDigit($0) }.prefix(6)
      return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
    guard let b, let first = value(a), let second = value(b) else { return nil }
    return abs(first - second)
  }
}
