import Sluice

/// A text for people in every language of the program: one that lacks a translation does not
/// compile.
struct Text: Equatable, Sendable {
  let en: String
  let ru: String

  /// The text in one language.
  subscript(_ language: Language) -> String {
    switch language {
    case .en: en
    case .ru: ru
    }
  }

  /// What is the same in every language.
  static func verbatim(_ text: String) -> Text { Text(en: text, ru: text) }

  /// Joins two texts.
  static func + (a: Text, b: Text) -> Text { Text(en: a.en + b.en, ru: a.ru + b.ru) }
}

/// Chooses the form of a Russian word that a count wants: 1 байт, 2 байта, 5 байт; 21 байт,
/// 11 байт.
func plural<Count: BinaryInteger>(_ count: Count, _ one: String, _ few: String, _ many: String)
  -> String
{
  let rest = count.magnitude % 100
  if (11...14).contains(rest) { return many }
  return switch rest % 10 {
  case 1: one
  case 2...4: few
  default: many
  }
}

/// Chooses the form of an English word that a count wants.
func plural<Count: BinaryInteger>(_ count: Count, _ one: String, _ many: String) -> String {
  count == 1 ? one : many
}

/// Makes foreign text safe to show inside a message: control characters, line breaks and
/// characters that reorder text or cannot be seen are written as escapes, and what is longer than `limit`
/// characters (Unicode scalars) is cut and ends in `…`.
func escaped(_ text: String, limit: Int = 80) -> String {
  var result = String.UnicodeScalarView()
  for (index, scalar) in text.unicodeScalars.enumerated() {
    if index == limit {
      result.append("…")
      break
    }
    switch scalar {
    case "\n": result.append(contentsOf: "\\n".unicodeScalars)
    case "\r": result.append(contentsOf: "\\r".unicodeScalars)
    case "\t": result.append(contentsOf: "\\t".unicodeScalars)
    case _ where isUnsafe(scalar):
      let digits = String(scalar.value, radix: 16)
      let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
      result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
    default: result.append(scalar)
    }
  }
  return String(result)
}

/// Says whether a scalar could act on a terminal, or hide, instead of being shown: controls, line
/// and paragraph separators, and what has no shape of its own (directions, joiners, byte order
/// mark, tags).
private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
  if (0x20..<0x7F).contains(scalar.value) { return false }
  return switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: true
  default: false
  }
}

extension Language {
  /// Takes the language of messages from the locale: the first of LC_ALL, LC_MESSAGES and LANG
  /// that is set and not empty decides (POSIX, section 8.2); Russian, or else English.
  init(environment: (String) -> String?) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(environment).first { !$0.isEmpty }
    // `ru`, `ru_RU.UTF-8`, `ru@…`; but not `run`.
    let name = locale?.lowercased().prefix { $0.isLetter }
    self = name == "ru" || name == "russian" ? .ru : .en
  }
}

/// Seconds since 1970 as RFC 3339 in UTC.
func utc(_ seconds: Int) -> String {
  let rest = ((seconds % 86_400) + 86_400) % 86_400
  let day = Day(number: Int32(clamping: (seconds - rest) / 86_400))
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return "\(day)T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
}

/// A text as one word of a shell's command line (POSIX, Shell Command Language, 2.2.2): in single
/// quotes where it holds more than letters, digits and what no shell minds.
func shellWord(_ text: String) -> String {
  let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "-_.,:/@%+".contains($0) }
  guard !isPlain || text.isEmpty else { return escaped(text) }
  let parts = text.split(separator: "'", omittingEmptySubsequences: false)
  return "'" + parts.map { escaped(String($0)) }.joined(separator: #"'\''"#) + "'"
}

extension Text {
  /// A count of bytes.
  static func bytes<Count: BinaryInteger>(_ count: Count) -> Text {
    Text(
      en: "\(count) \(plural(count, "byte", "bytes"))",
      ru: "\(count) \(plural(count, "байт", "байта", "байт"))")
  }

  /// A limit in bytes: in the largest unit in which it is a whole number.
  static func size(_ count: Int) -> Text {
    let units = [("KiB", "КиБ"), ("MiB", "МиБ"), ("GiB", "ГиБ"), ("TiB", "ТиБ")]
    for (power, unit) in units.enumerated().reversed() {
      let bytes = 1 << (10 * (power + 1))
      if count > 0, count.isMultiple(of: bytes) {
        return Text(en: "\(count / bytes) \(unit.0)", ru: "\(count / bytes) \(unit.1)")
      }
    }
    return bytes(count)
  }

  /// A time, in Russian as it follows `за` and `через`.
  static func seconds(_ count: Int) -> Text {
    Text(
      en: "\(count) \(plural(count, "second", "seconds"))",
      ru: "\(count) \(plural(count, "секунду", "секунды", "секунд"))")
  }

  /// How much of a transfer has come: `5 of 10 bytes`, or `5 bytes` where the whole is not known.
  static func progress(_ received: Int, of expected: Int?) -> Text {
    guard let expected else { return bytes(received) }
    return Text(
      en: "\(received) of \(bytes(expected).en)", ru: "\(bytes(received).ru) из \(expected)")
  }
}
