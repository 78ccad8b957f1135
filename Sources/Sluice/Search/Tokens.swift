/// A run of letters or digits in an address, and what stands around it.
struct AddressToken: Equatable {
  /// What is between a token and the one before.
  enum Joint: Equatable {
    case none, dash, slash, comma, other
  }

  var letters: [UInt32]
  var isNumber: Bool
  var joint: Joint
  /// Whether a full stop follows.
  var hasStop = false

  /// Whether it is one letter.
  var isLetter: Bool { !isNumber && letters.count == 1 }

  /// Whether it is one letter with a full stop, as a person's initials are.
  var isInitial: Bool { isLetter && hasStop }

  /// Whether it makes the number before it part of a name: "1-я линия", "42nd Street".
  func isOrdinal(after last: AddressToken?, _ meaning: AddressVocabulary.Meaning) -> Bool {
    last?.isNumber == true && (joint == .none || joint == .dash) && meaning.contains(.ordinal)
  }
}

extension AddressToken {
  /// The most scalars of a text that are read. No address is longer.
  static let longestText = 1_000
  /// The most tokens of a text, and letters of a token.
  static let most = 32
  static let longest = 64

  /// Splits a text into tokens. Only so much of it is read as an address may have.
  static func all(in text: String) -> [AddressToken] {
    all(in: text.unicodeScalars.prefix(longestText))
  }

  /// Splits a text into tokens.
  static func all(in text: some Collection<Unicode.Scalar>) -> [AddressToken] {
    var tokens: [AddressToken] = []
    var joint = Joint.other
    var isInside = false
    Spelling.forEachFolded(text.prefix(longestText)) { letter in
      let isNumber = Spelling.isDigit(letter)
      guard isNumber || isWordLetter(letter) else {
        switch letter {
        case _ where isApostrophe(letter): return
        case 0x2D, 0x2010...0x2015, 0x2212: joint = joint == .none ? .dash : .other
        case 0x2F, 0x5C: joint = joint == .slash || !isInside && tokens.isEmpty ? .other : .slash
        case 0x2E:
          if isInside, joint == .none { tokens[tokens.count - 1].hasStop = true }
          joint = .other
        case 0x2C, 0x3B: joint = .comma
        default: if joint != .slash, joint != .comma { joint = .other }
        }
        isInside = false
        return
      }
      if isInside, let last = tokens.last, last.isNumber == isNumber {
        if last.letters.count < longest { tokens[tokens.count - 1].letters.append(letter) }
        return
      }
      if tokens.count < most {
        tokens.append(AddressToken(letters: [letter], isNumber: isNumber, joint: joint))
        isInside = true
      }
      joint = .none
    }
    return merged(tokens)
  }

  /// Whether it is an apostrophe, which is part of its word.
  static func isApostrophe(_ letter: UInt32) -> Bool {
    switch letter {
    case 0x27, 0x2019, 0x60, 0xB4, 0x2BC: true
    default: false
    }
  }

  /// Whether a letter that is no digit belongs to a word. It must be folded.
  static func isWordLetter(_ letter: UInt32) -> Bool {
    if Spelling.isLatin(letter) || Spelling.isCyrillic(letter) { return true }
    return letter > 0x7F && Unicode.Scalar(letter)?.properties.isAlphabetic == true
  }

  /// Joins the halves of `пр-т` and `б-р`, removes leading zeros, and writes short names out.
  private static func merged(_ tokens: [AddressToken]) -> [AddressToken] {
    let vocabulary = AddressVocabulary.all
    var result: [AddressToken] = []
    for var token in tokens {
      if token.isNumber {
        token.letters = Array(token.letters.drop { $0 == 0x30 })
        if token.letters.isEmpty { token.letters = [0x30] }
      } else if let last = result.last, token.joint == .dash, !last.isNumber,
        last.letters.count <= 3, token.letters.count <= 2,
        !vocabulary.meaning(of: last.letters + token.letters).isDisjoint(with: [.kind, .area])
      {
        result[result.count - 1].letters += token.letters
        result[result.count - 1].hasStop = token.hasStop
        continue
      }
      result.append(token)
    }
    return writtenOut(result, vocabulary)
  }

  /// Writes out short names, the endings of compounds, and ordinal numbers in words.
  private static func writtenOut(
    _ tokens: [AddressToken], _ vocabulary: AddressVocabulary
  ) -> [AddressToken] {
    var result: [AddressToken] = []
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      if let alias = vocabulary.alias(at: index, of: tokens) {
        for (place, letters) in alias.long.enumerated() {
          result.append(
            AddressToken(
              letters: letters, isNumber: false, joint: place == 0 ? token.joint : .other))
        }
        index += alias.short.count
      } else if let number = vocabulary.number(of: token) {
        result.append(AddressToken(letters: number.digits, isNumber: true, joint: token.joint))
        result.append(AddressToken(letters: number.ending, isNumber: false, joint: .none))
        index += 1
      } else {
        result.append(token)
        result[result.count - 1].letters = vocabulary.compound(token.letters) ?? token.letters
        index += 1
      }
    }
    return result
  }
}
