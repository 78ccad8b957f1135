/// What is done to a text before it is read as its kind, in this order.
///
///     {html: text, split: {by: ";", take: 1}, cut: {prefix: "Bin: "}, trim: "*", case: lower,
///      map: {bio: organic, else: keep}, decimal: ",", thousands: "."}
///
///     <b>Bin: *Bio*</b>; weekly     html    Bin: *Bio*; weekly
///                                   split   Bin: *Bio*
///                                   cut     *Bio*
///                                   trim    Bio
///                                   case    bio
///                                   map     organic
package struct TextRules: Sendable, Equatable {
  /// Whether it is HTML, of which the text is taken.
  package var isHTML = false
  /// The part that is taken; nil for all.
  package var split: Split?
  /// What is cut off its begin and end, if it is there; empty for nothing.
  package var prefix = ""
  package var suffix = ""
  /// The characters that are taken off its ends, beside white space; nil for none.
  package var trim: String?
  /// What becomes of its letters; nil if they stay.
  package var letters: Letters?
  /// The texts that take its place; nil if it stays.
  package var map: Map?
  /// How its number is written; nil for JSON's way.
  package var number: NumberForm?

  /// One part of a text.
  package struct Split: Sendable, Equatable {
    /// The separator that stands for a line break.
    static let line = "line"

    /// What stands between the parts. A space is any white space.
    package var by: String
    /// The number of the part, from 1; from the end if it is negative.
    package var take: Int
  }

  /// The case of letters.
  package enum Letters: String, Sendable, Equatable, CaseIterable { case upper, lower }

  /// Texts by other texts.
  package struct Map: Sendable, Equatable {
    /// What becomes of a text that is no key.
    package enum Other: Sendable, Equatable {
      case keep, reject
      case text(String)
    }

    /// The texts by their keys. The empty key is that of a missing value.
    package var texts: [String: String]
    /// What becomes of the others. A missing value stays missing.
    package var other: Other
  }

  /// The signs in a number. Texts of a map are written in JSON's way.
  package struct NumberForm: Sendable, Equatable {
    /// The signs between thousands. A space is any white space.
    static let separators = [".", ",", " ", "'"]

    /// Whether a comma stands before the decimals, and not a point.
    package var hasDecimalComma = false
    /// The sign between thousands; nil if there is none.
    package var thousands: String?
  }

  /// Whether nothing is done.
  var isEmpty: Bool { self == TextRules() }

  /// The rules in one line, which differs for different rules.
  var description: String {
    var words: [String] = []
    if isHTML { words.append("html") }
    if let split { words.append("split \(split.by) \(split.take)") }
    if !prefix.isEmpty { words.append("prefix \(prefix)") }
    if !suffix.isEmpty { words.append("suffix \(suffix)") }
    if let trim { words.append("trim \(trim)") }
    if let letters { words.append(letters.rawValue) }
    if let map {
      let texts = map.texts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      words.append("map \(texts.joined(separator: ", ")), else \(map.other)")
    }
    if let number {
      words.append("decimal \(number.hasDecimalComma ? "," : ".")")
      if let sign = number.thousands { words.append("thousands \(sign)") }
    }
    return words.joined(separator: ", ")
  }
}
