/// Reads texts of a feed document that have a form of their own; each gives nil for another text.
enum DocumentValues {
  /// A feed's name, which names folders and ends UIDs: letters a to z, digits and dashes.
  static func feedName(_ text: String) -> String? {
    guard (1...64).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-") else {
      return nil
    }
    let isName = text.utf8.allSatisfy { byte in
      isDigit(byte) || isLower(byte) || byte == UInt8(ascii: "-")
    }
    return isName ? text : nil
  }

  /// A column's name, which no format has to quote: letters of any script, digits, `_` and `-`.
  static func columnName(_ text: String) -> String? {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isAlphabetic,
      text.utf8.count <= 64
    else { return nil }
    let isName = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || "0"..."9" ~= scalar || scalar == "_" || scalar == "-"
    }
    return isName ? text : nil
  }

  /// Whether names of columns or tables are one in a database, which takes no notice of the case of
  /// ASCII letters.
  static func isSameName(_ one: String, _ other: String) -> Bool {
    one == other || one.utf8.elementsEqual(other.utf8) { folded($0) == folded($1) }
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  /// An http or https URL of nothing but ASCII that a URL may hold (RFC 3986, appendix A).
  static func url(_ text: String) -> String? {
    let lower = text.lowercased()
    let scheme = ["http://", "https://"].first { lower.hasPrefix($0) }
    guard let scheme, text.utf8.count > scheme.utf8.count else { return nil }
    let isURL = text.utf8.allSatisfy { byte in
      (0x21..<0x7F).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
    }
    return isURL ? text : nil
  }

  /// A clock's distance from UTC, `Z`, `+03:00` or `-0330`, in seconds.
  static func clock(_ text: String) -> Int? {
    if text == "Z" || text == "UTC" { return 0 }
    var digits = Array(text.utf8)
    guard let sign = digits.first, "+-".utf8.contains(sign) else { return nil }
    digits.removeFirst()
    if digits.count == 5, digits[2] == UInt8(ascii: ":") { digits.remove(at: 2) }
    guard digits.count == 4, digits.allSatisfy(isDigit) else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    guard number / 100 < 24, number % 100 < 60 else { return nil }
    let seconds = number / 100 * 3600 + number % 100 * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// How often to look, `1d` or `P1D`, as an RFC 5545 duration (section 3.3.6).
  static func refresh(_ text: String) -> String? {
    if let time = Alarm(text) { return time.duration }
    guard text.first == "P" else { return nil }
    let parts = text.dropFirst().split(separator: "T", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), text.utf8.count < 20 else { return nil }
    let hasDays = isDuration(parts[0], "WD")
    guard parts.count == 2 else { return hasDays ? text : nil }
    return (hasDays || parts[0].isEmpty) && isDuration(parts[1], "HMS") ? text : nil
  }

  /// The text is of numbers with these letters, in their order.
  private static func isDuration(_ text: Substring, _ letters: String) -> Bool {
    var letters = letters[...]
    var rest = text
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, digits.endIndex < rest.endIndex,
        let index = letters.firstIndex(of: rest[digits.endIndex])
      else { return false }
      letters = letters[letters.index(after: index)...]
      rest = rest[rest.index(after: digits.endIndex)...]
    }
    return !text.isEmpty
  }

  /// A whole number of this range, in digits.
  static func count(_ text: String, in range: ClosedRange<Int>) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit), let number = Int(text) else { return nil }
    return range.contains(number) ? number : nil
  }

  /// `true` or `false`.
  static func flag(_ text: String) -> Bool? {
    switch text {
    case "true": true
    case "false": false
    default: nil
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
  private static func isLower(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }
}
