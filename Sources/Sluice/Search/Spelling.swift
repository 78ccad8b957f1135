/// A word as people write it: its letters folded for comparison.
///
/// Letters are lower-cased, `ё` is `е`, a decomposed `й` is composed, and Latin letters have no
/// accents.
struct Word: Equatable {
  /// The folded letters, or the digits without leading zeros.
  let letters: [UInt32]
  /// The side of the other words on which a number stands: "10-я линия", "Route 66".
  enum Side { case before, after }

  /// Whether it is a number. Numbers are compared as a whole.
  let isNumber: Bool
  /// Whether a full stop follows, as after an abbreviation.
  let isAbbreviated: Bool
  /// The set of its letters, for a first comparison.
  let mask: UInt64
  /// Whether it has Cyrillic letters only.
  let isCyrillic: Bool
  /// Whether it has Latin letters.
  let hasLatin: Bool
  /// Its sounds, if it was typed, or after ``hear()``.
  private var knownSounds: [UInt32]?
  /// If it was typed: its letters with Cyrillic ones for all Latin ones, if they look alike.
  let lookAlike: [UInt32]?
  /// Its letters with one letter for two that are one elsewhere: `muller` of `mueller`; nil if it
  /// has no such letters.
  let plain: [UInt32]?
  /// Whether it follows the word before without a gap, as the digits of `A2` do.
  var isJoined = false
  /// Whether it is one of a person's initials.
  var isInitial = false
  /// If it is a number of a name: the side on which it was typed. Nil if there is no house on the
  /// other side.
  var side: Side?

  /// Its sounds, which do not depend on the alphabet.
  var sounds: [UInt32] { knownSounds ?? (isNumber ? letters : Spelling.sounds(letters)) }

  /// Keeps its sounds, because it is compared with words of another alphabet.
  mutating func hear() {
    if !isNumber, knownSounds == nil { knownSounds = Spelling.sounds(letters) }
  }

  /// Makes a word of a token, of a query unless `isTyped` is false.
  init(_ token: AddressToken, isJoined: Bool = false, isTyped: Bool = true) {
    self.init(
      token.letters, isNumber: token.isNumber, isAbbreviated: token.hasStop, isTyped: isTyped)
    self.isJoined = isJoined
  }

  /// Makes a word of folded letters.
  init(
    _ letters: some Sequence<UInt32>, isNumber: Bool = false, isAbbreviated: Bool = false,
    isTyped: Bool = true
  ) {
    self.letters = Array(letters)
    self.isNumber = isNumber
    self.isAbbreviated = isAbbreviated
    mask = Self.mask(self.letters)
    isCyrillic = self.letters.allSatisfy(Spelling.isCyrillic)
    hasLatin = self.letters.contains(where: Spelling.isLatin)
    knownSounds = isNumber || !isTyped ? nil : Spelling.sounds(self.letters)
    lookAlike = isTyped && hasLatin ? Spelling.lookAlike(self.letters) : nil
    plain = hasLatin ? Spelling.plain(self.letters) : nil
  }

  /// Whether the other word is in the other alphabet.
  func isForeign(to other: Word) -> Bool {
    hasLatin && other.isCyrillic || isCyrillic && other.hasLatin
  }

  /// The set of letters of a text, one bit for each, with some sharing a bit.
  static func mask(_ letters: [UInt32]) -> UInt64 { letters.reduce(0) { $0 | 1 << ($1 & 63) } }
}

/// The ways to write the same letters.
enum Spelling {
  // MARK: Letters

  static func isCyrillic(_ letter: UInt32) -> Bool { 0x400..<0x530 ~= letter }
  static func isLatin(_ letter: UInt32) -> Bool { 0x61..<0x7B ~= letter }
  static func isDigit(_ letter: UInt32) -> Bool { 0x30..<0x3A ~= letter }

  /// Calls `body` with each folded letter of a text. One scalar may become two letters, and a
  /// combining mark becomes none.
  static func forEachFolded(_ text: some Sequence<Unicode.Scalar>, _ body: (UInt32) -> Void) {
    var held: UInt32?
    for scalar in text {
      if 0x300..<0x370 ~= scalar.value {
        if scalar.value == 0x306, held == 0x438 { held = 0x439 }  // A decomposed й.
        continue
      }
      if let held { body(held) }
      held = nil
      let lower = Fold.lowercased(scalar.value)
      switch lower {
      case 0x451: held = 0x435  // ё
      case 0xC0..<0x250:
        guard let base = bases[lower] else {
          held = lower
          continue
        }
        base.forEach(body)
      default: held = lower
      }
    }
    if let held { body(held) }
  }

  /// The folded letters of a text.
  static func folded(_ text: String) -> [UInt32] {
    var letters: [UInt32] = []
    forEachFolded(text.unicodeScalars) { letters.append($0) }
    return letters
  }

  /// Latin letters with accents, by the letters that people type instead.
  static let accents: [(base: String, letters: String)] = [
    ("a", "àáâãäåāăą"), ("ae", "æ"), ("c", "çćĉċč"), ("d", "ðďđ"), ("e", "èéêëēĕėęě"),
    ("g", "ĝğġģ"), ("h", "ĥħ"), ("i", "ìíîïĩīĭįı"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľŀł"),
    ("n", "ñńņňŋ"), ("o", "òóôõöøōŏő"), ("oe", "œ"), ("r", "ŕŗř"), ("s", "śŝşšș"), ("ss", "ß"),
    ("t", "ţťŧț"), ("th", "þ"), ("u", "ùúûüũūŭůűų"), ("w", "ŵ"), ("y", "ýÿŷ"), ("z", "źżž"),
  ]
  private static let bases: [UInt32: [UInt32]] = {
    var bases: [UInt32: [UInt32]] = [:]
    for row in accents {
      for letter in row.letters.unicodeScalars {
        bases[letter.value] = row.base.unicodeScalars.map(\.value)
      }
    }
    return bases
  }()

  /// Two Latin letters that stand for one with an accent: `ae` for `ä`.
  static let digraphTexts = ["ae", "oe", "ue", "aa"]
  private static let digraphs = digraphTexts.map { $0.unicodeScalars.map(\.value) }

  /// Returns the letters with the first letter of each digraph only, or nil if they have none.
  static func plain(_ letters: [UInt32]) -> [UInt32]? {
    var result: [UInt32] = []
    var isSecond = false
    for letter in letters {
      if !isSecond, let last = result.last, digraphs.contains([last, letter]) {
        isSecond = true
      } else {
        result.append(letter)
        isSecond = false
      }
    }
    return result.count < letters.count ? result : nil
  }

  private static func table(_ from: String, _ to: String) -> [UInt32: UInt32] {
    Dictionary(
      zip(from.unicodeScalars.map(\.value), to.unicodeScalars.map(\.value)),
      uniquingKeysWith: { first, _ in first })
  }

  // MARK: Letters that look alike

  private static let lookAlikes = table(Fold.lookAlikes.latin, Fold.lookAlikes.cyrillic)

  /// Returns the letters with Cyrillic ones instead of Latin ones that look like them, or nil if
  /// other Latin letters remain.
  static func lookAlike(_ letters: [UInt32]) -> [UInt32]? {
    var result = letters
    for (index, letter) in letters.enumerated() where isLatin(letter) {
      guard let other = lookAlikes[letter] else { return nil }
      result[index] = other
    }
    return result
  }

  // MARK: The other keyboard layout

  static let latinKeys = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.~{}:\"<>"
  static let cyrillicKeys = "ёйцукенгшщзхъфывапролджэячсмитьбюёхъжэбю"
  private static let toCyrillic = table(latinKeys, cyrillicKeys)
  private static let toLatin = table(cyrillicKeys, latinKeys)

  /// Returns the text that the same keys give on the other layout, English or Russian. Only words
  /// in the letters of one of them change. Nil if no word changes.
  static func onOtherLayout(_ text: [Unicode.Scalar]) -> [Unicode.Scalar]? {
    var (result, isChanged): ([Unicode.Scalar], Bool) = ([], false)
    let isAllLatin =
      text.contains { isLatin(Fold.lowercased($0.value)) }
      && !text.contains { isCyrillic($0.value) }
    for word in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == " " }) {
      if !result.isEmpty || word.startIndex > 0 { result.append(" ") }
      let lower = word.map { Fold.lowercased($0.value) }
      var latin = lower.contains(where: isLatin)
      let cyrillic = lower.contains(where: isCyrillic)
      // A sign that stands alone among Latin words: "<" for "Б".
      if isAllLatin, lower.count == 1, lower[0] != 0x2C, lower[0] != 0x2E,
        toCyrillic[lower[0]] != nil
      {
        latin = true
      }
      guard latin != cyrillic else {
        result += word
        continue
      }
      isChanged = true
      let keys = latin ? toCyrillic : toLatin
      for (index, key) in lower.enumerated() {
        // A comma or full stop at the end of a word is what it is.
        let isStop = latin && (key == 0x2C || key == 0x2E)
        let next = index + 1 < lower.count ? lower[index + 1] : 0x20
        let isLast = !isLatin(next) && keys[next] == nil
        if isStop && isLast {
          result.append(" ")
        } else if latin && key == 0x7C {
          result.append("/")
        } else {
          result.append(Unicode.Scalar(keys[key] ?? key) ?? " ")
        }
      }
    }
    return isChanged ? result : nil
  }

  // MARK: Transliteration

  /// Latin spellings of Russian sounds, the longest first. Many schemes are in use, so each has
  /// several.
  static let sounds: [(latin: String, sound: String)] = [
    ("shch", "ш"), ("tch", "ч"), ("sch", "ш"), ("shh", "ш"), ("sh", "ш"), ("ch", "ч"),
    ("zh", "ж"), ("kh", "х"), ("ts", "ц"), ("tz", "ц"), ("ph", "ф"), ("a", "а"), ("b", "б"),
    ("c", "ц"), ("d", "д"), ("e", "е"), ("f", "ф"), ("g", "г"), ("h", "х"), ("i", "и"),
    ("j", "и"), ("k", "к"), ("l", "л"), ("m", "м"), ("n", "н"), ("o", "о"), ("p", "п"),
    ("q", "к"), ("r", "р"), ("s", "с"), ("t", "т"), ("u", "у"), ("v", "в"), ("w", "в"),
    ("x", "кс"), ("y", "и"), ("z", "з"),
  ]
  /// The spellings by their first letter, from a to z.
  private static let soundTable: [[(latin: [UInt32], sound: [UInt32])]] = {
    let rows = sounds.map { row in
      (latin: row.latin.unicodeScalars.map(\.value), sound: row.sound.unicodeScalars.map(\.value))
    }
    return (UInt32(0x61)..<0x7B).map { letter in rows.filter { $0.latin[0] == letter } }
  }()
  /// Cyrillic letters that Latin spellings do not tell apart.
  static let mergedLetters: [(letter: Unicode.Scalar, sound: String)] = [
    ("й", "и"), ("ы", "и"), ("і", "и"), ("ь", ""), ("ъ", ""), ("э", "е"), ("щ", "ш"),
    ("я", "иа"), ("ю", "иу"),
  ]
  private static let merged: [UInt32: [UInt32]] = Dictionary(
    uniqueKeysWithValues: mergedLetters.map { row in
      (row.letter.value, row.sound.unicodeScalars.map(\.value))
    })
  /// Two sounds that are heard as one: ye, yo, je and jo are written for е.
  static let mergedSounds: [MergedSound] = [
    ("и", "и", "и"), ("и", "е", "е"), ("и", "о", "е"), ("т", "с", "ц"),
  ]
  typealias MergedSound = (first: Unicode.Scalar, second: Unicode.Scalar, sound: Unicode.Scalar)

  /// Returns the sounds of a word, which are the same in Latin and in Cyrillic letters:
  /// `Непокорённых`, `Nepokoryonnykh` and `Nepokorennyh` have the same.
  static func sounds(_ letters: [UInt32]) -> [UInt32] {
    var raw: [UInt32] = []
    var index = 0
    while index < letters.count {
      let letter = letters[index]
      if isLatin(letter),
        let row = soundTable[Int(letter) - 0x61].first(where: {
          $0.latin.count == 1 || letters[index...].starts(with: $0.latin)
        })
      {
        raw += row.sound
        index += row.latin.count
      } else {
        raw += merged[letter] ?? [letter]
        index += 1
      }
    }
    var result: [UInt32] = []
    for letter in raw {
      if let last = result.last,
        let row = mergedSounds.first(where: { $0.first.value == last && $0.second.value == letter })
      {
        result[result.count - 1] = row.sound.value
      } else {
        result.append(letter)
      }
    }
    return result
  }

  // MARK: Distance

  /// Returns the number of typing errors between two words if it is at most `limit`.
  static func typos(_ a: [UInt32], _ b: [UInt32], atMost limit: Int) -> Int? {
    guard limit > 0, abs(a.count - b.count) <= limit,
      (Word.mask(a) ^ Word.mask(b)).nonzeroBitCount <= 2 * limit
    else { return a == b ? 0 : nil }
    let distance = editDistance(a, b)
    return distance <= limit ? distance : nil
  }

  /// The number of typing errors that a word of this length may have: one, and two from eight
  /// letters on. Three letters with an error could be any word.
  static func errors(in length: Int) -> Int { length >= twoErrors ? 2 : length >= oneError ? 1 : 0 }
  /// The letters of the shortest word that may have one typing error, and two.
  static let oneError = 4
  static let twoErrors = 8
}
