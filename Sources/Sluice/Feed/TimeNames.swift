/// The names of months, weekdays and halves of the day in some languages, and the endings of their
/// ordinal numbers.
///
/// A class: a rule with it is copied for each row.
package final class TimeNames: Sendable, Equatable {
  /// What a name is of.
  enum Kind: Int, Sendable, BitwiseCopyable { case month, weekday, half }

  /// A name, folded. A dot may follow a short one.
  private struct Name: Sendable, Equatable {
    var scalars: Range<Int>
    var isShort: Bool
    /// The month from 1, a bit for the weekday, Monday's being the lowest, or 1 before and 2 after
    /// noon.
    var value: UInt8
  }

  /// The languages that have names, by their codes (ISO 639-1).
  package static let languages = ["en", "ru", "de", "fr", "nl", "sv", "es", "it", "pl", "pt"]

  /// No names.
  static let none = TimeNames(of: [])

  /// The languages, in order.
  package let languages: [String]
  private let scalars: [UInt32]
  /// The names of each kind, longer ones first.
  private let names: [ContiguousArray<Name>]
  /// Those that are one word.
  private let words: TimeNameWords
  /// The endings of ordinal numbers, longer ones first, and the days of a month that have them, as
  /// bits.
  private let endings: [(text: [UInt32], days: UInt32)]
  /// Whether an ordinal number may have no ending. In some languages only the first has one.
  private let allowsBareOrdinals: Bool

  /// Makes the names of some of ``languages``.
  init(of languages: [String]) {
    self.languages = languages
    var scalars: [UInt32] = []
    var names: [ContiguousArray<Name>] = [[], [], []]
    func add(_ text: Substring, _ kind: Kind, _ value: UInt8) {
      let isShort = text.hasSuffix(".")
      let start = scalars.count
      scalars += text.unicodeScalars.map(\.value).dropLast(isShort ? 1 : 0)
      names[kind.rawValue].append(
        Name(scalars: start..<scalars.count, isShort: isShort, value: value))
    }
    for language in languages {
      // A line for each month, weekday and half of the day.
      for (index, line) in TimeNameTable.lines(of: language).enumerated() {
        for name in line.split(separator: ",") {
          switch index {
          case ..<12: add(name, .month, UInt8(index + 1))
          case ..<19: add(name, .weekday, 1 << UInt8(index - 12))
          default: add(name, .half, UInt8(index - 18))
          }
        }
      }
    }
    if !languages.isEmpty {
      // Everybody writes these.
      for (value, texts) in [(1, ["am.", "a.m."]), (2, ["pm.", "p.m."])] {
        for text in texts { add(text[...], .half, UInt8(value)) }
      }
    }
    for kind in names.indices {
      names[kind].sort { ($1.scalars.count, $0.value) < ($0.scalars.count, $1.value) }
    }
    (self.scalars, self.names) = (scalars, names)
    words = Self.words(of: names, scalars)
    let ordinals = languages.map(Self.ordinals)
    endings = ordinals.flatMap(\.endings).map { ($0.unicodeScalars.map(\.value), $1) }
      .sorted { $0.text.count > $1.text.count }
    allowsBareOrdinals = ordinals.contains(where: \.isBare)
  }

  /// Returns the names that are one word, and with which no other name goes on after the word.
  private static func words(
    of names: [ContiguousArray<Name>], _ scalars: [UInt32]
  ) -> TimeNameWords {
    // Each is written in three ways.
    var words = TimeNameWords(atMost: 3 * names.reduce(0) { $0 + $1.count })
    for (index, names) in names.enumerated() {
      guard let kind = Kind(rawValue: index) else { continue }
      let others = names.map { scalars[$0.scalars] }.filter { text in
        !text.compactMap(Unicode.Scalar.init).allSatisfy { scalar in
          // Most are small Latin letters, which is seen at once.
          scalar.value &- 0x61 < 26 || scalar.properties.isAlphabetic
        }
      }
      var known: [ArraySlice<UInt32>: Name] = [:]
      for name in names {
        let first = known[scalars[name.scalars], default: name]
        known[scalars[name.scalars]] = Name(
          scalars: name.scalars, isShort: first.isShort || name.isShort,
          value: kind == .weekday ? first.value | name.value : first.value)
      }
      for (text, name) in known where !others.contains(where: { $0.starts(with: text) }) {
        words.add(text, of: kind, value: name.value, isShort: name.isShort)
      }
    }
    return words
  }

  /// Names are equal in equal languages.
  package static func == (a: TimeNames, b: TimeNames) -> Bool { a.languages == b.languages }

  /// An ending of ordinal numbers, and the days of a month that have it, as bits.
  private typealias Ending = (text: String, days: UInt32)

  /// The endings of ordinal numbers in a language, and whether a number may stand for one.
  private static func ordinals(_ language: String) -> (endings: [Ending], isBare: Bool) {
    func days(_ days: Int...) -> UInt32 { days.reduce(0) { $0 | 1 << UInt32($1) } }
    func all(_ texts: String...) -> [Ending] { texts.map { ($0, .max) } }
    let (first, second, third) = (days(1, 21, 31), days(2, 22), days(3, 23))
    switch language {
    case "en":
      return (
        [("st", first), ("nd", second), ("rd", third), ("th", ~(first | second | third))], false
      )
    case "de", "pl": return (all("."), false)
    case "fr": return ([("er", days(1)), ("e", ~days(1))], true)
    case "nl":
      // 1ste, 8ste and from 20 on.
      let long = days(1, 8) | ~(1 << 20 - 1)
      return ([("e", .max), ("ste", long), ("de", ~long)], false)
    case "sv":
      let short = first | second
      return ([(":a", short), (":e", ~short)], false)
    case "ru": return (all("-е", "-ое", "-го"), false)
    case "es", "pt": return (all("º", "°", ".º", ".°"), true)
    default: return (all("º", "°"), true)
    }
  }

  // MARK: Reading

  /// Returns the longest name of a kind that a text has at an index, ignoring case, and the index
  /// after it. Nil if there is none. The value has the bits of all weekdays of this name: the same
  /// word may name two in two languages. A month's name is that of the first language that has it.
  func match(
    _ kind: Kind, in text: UnsafeRawBufferPointer, at index: Int, takesDot: Bool
  ) -> (value: UInt8, end: Int)? {
    func skipDot(at end: Int, ofShort isShort: Bool) -> Int {
      let hasDot = takesDot && isShort && end < text.count && text[end] == UInt8(ascii: ".")
      return end + (hasDot ? 1 : 0)
    }
    if let word = words.find(kind, in: text, at: index) {
      return (word.value, skipDot(at: word.end, ofShort: word.isShort))
    }
    guard index < text.count else { return nil }
    let first = Self.lowercased(UTF8Encoding.scalar(in: text, at: index).value)
    var found: (value: UInt8, end: Int, isShort: Bool)?
    let names = names[kind.rawValue]
    for name in names where scalars[name.scalars.lowerBound] == first {
      guard let end = end(of: scalars[name.scalars], in: text, at: index) else { continue }
      guard let known = found else {
        found = (name.value, end, name.isShort)
        continue
      }
      // Shorter ones follow.
      guard known.end == end else { break }
      found = (
        kind == .weekday ? known.value | name.value : known.value, end,
        known.isShort || name.isShort
      )
    }
    return found.map { ($0.value, skipDot(at: $0.end, ofShort: $0.isShort)) }
  }

  /// Returns a scalar in lower case. Most names have Latin letters, and those are quick.
  @inline(__always)
  private static func lowercased(_ scalar: UInt32) -> UInt32 {
    guard scalar < 0x80 else { return Fold.lowercased(scalar) }
    return scalar &- 0x41 < 26 ? scalar | 0x20 : scalar
  }

  /// Returns the index after the ending of an ordinal number, a day of a month, at an index; nil if
  /// it has none of its endings and needs one.
  func endOfOrdinal(_ day: Int, in text: UnsafeRawBufferPointer, at index: Int) -> Int? {
    guard 0..<32 ~= day else { return nil }
    for ending in endings where ending.days & 1 << UInt32(day) != 0 {
      if let end = end(of: ending.text[...], in: text, at: index) { return end }
    }
    return allowsBareOrdinals ? index : nil
  }

  /// Returns the index after a folded word at an index of a text; nil if another text is there.
  private func end(
    of word: ArraySlice<UInt32>, in text: UnsafeRawBufferPointer, at start: Int
  ) -> Int? {
    var index = start
    for wanted in word {
      guard index < text.count else { return nil }
      if wanted == 0x20 {
        guard let end = WhiteSpace.end(in: text, at: index) else { return nil }
        index = end
        continue
      }
      let (scalar, length) = UTF8Encoding.scalar(in: text, at: index)
      guard scalar == wanted || Self.lowercased(scalar) == wanted else { return nil }
      index += length
    }
    return index
  }
}
