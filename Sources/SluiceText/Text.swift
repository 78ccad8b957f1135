import Sluice

/// A text for people in each language of the program. A text without a translation does not
/// compile.
///
///     Text(en: "no such file: \(path: path)", ru: "нет файла \(path: path)")
///
/// A text is a whole sentence per language. It has holes for values. Each hole shows its value in
/// the form that the language needs.
package struct Text: Equatable, Sendable {
  package let en: String
  package let ru: String

  /// Makes a text of a whole sentence for each language.
  package init(en: Sentence, ru: Sentence) {
    self.en = en.en
    self.ru = ru.ru
  }

  /// Makes a text that is the same in every language.
  package static func verbatim(_ text: String) -> Text { Text(text, text) }

  /// Makes a text of finished strings.
  private init(_ en: String, _ ru: String) {
    self.en = en
    self.ru = ru
  }

  /// The text in one language.
  package subscript(_ language: Language) -> String {
    switch language {
    case .en: en
    case .ru: ru
    }
  }

  /// Joins two texts.
  package static func + (a: Text, b: Text) -> Text { Text(a.en + b.en, a.ru + b.ru) }

  /// Joins texts in a row.
  package static func joined(_ texts: some Collection<Text>, by separator: String) -> Text {
    Text(
      texts.map(\.en).joined(separator: separator), texts.map(\.ru).joined(separator: separator))
  }
}

/// A sentence, written as a string literal with typed holes.
///
/// A hole keeps its value in both languages, and ``Text`` uses the one of the sentence's language.
/// A type for each language would be checked better, but would cost half a millisecond at every
/// start, because generic types are made when the program runs.
package struct Sentence: ExpressibleByStringInterpolation, Sendable {
  fileprivate let en: String
  fileprivate let ru: String

  private init(_ en: String, _ ru: String) {
    self.en = en
    self.ru = ru
  }

  package init(stringLiteral text: String) { self.init(text, text) }

  package init(stringInterpolation: StringInterpolation) {
    self.init(stringInterpolation.en, stringInterpolation.ru)
  }

  /// Continues a sentence that is too long for one line of source.
  package static func + (a: Self, b: Self) -> Self { Self(a.en + b.en, a.ru + b.ru) }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var en = ""
    fileprivate var ru = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      en += literal
      ru += literal
    }
  }
}

// The holes of a sentence.

extension Sentence.StringInterpolation {
  /// A text inside a text.
  package mutating func appendInterpolation(_ text: Text) {
    en += text.en
    ru += text.ru
  }

  /// Plain text. Characters that could act on a terminal are escaped.
  package mutating func appendInterpolation(_ text: String) {
    appendLiteral(escaped(text, limit: .max))
  }

  package mutating func appendInterpolation(_ number: some BinaryInteger) {
    appendLiteral(String(number))
  }

  package mutating func appendInterpolation(_ day: Day) { appendLiteral(day.description) }

  /// Foreign text, escaped, cut and quoted.
  package mutating func appendInterpolation(quoted text: String, limit: Int = 80) {
    appendInterpolation(.quoted(text, limit: limit))
  }

  /// Foreign text, escaped and cut to `limit` characters.
  package mutating func appendInterpolation(excerpt text: String, limit: Int = 80) {
    appendLiteral(escaped(text, limit: limit))
  }

  /// The path of a file or a URL, quoted.
  package mutating func appendInterpolation(path: String) { appendInterpolation(.path(path)) }

  /// A count of bytes: `3 bytes`.
  package mutating func appendInterpolation(bytes count: some BinaryInteger) {
    appendInterpolation(.bytes(count))
  }

  /// A limit in bytes, in the largest unit in which it is a whole number: `2 GiB`.
  package mutating func appendInterpolation(size: Int) { appendInterpolation(.size(size)) }

  /// A time, in Russian as it follows `за` and `через`.
  package mutating func appendInterpolation(seconds: Int) { appendInterpolation(.seconds(seconds)) }

  /// Seconds since 1970 as RFC 3339 in UTC.
  package mutating func appendInterpolation(utc seconds: Int) { appendLiteral(utc(seconds)) }
}

extension Sentence.StringInterpolation {
  /// A count with its English noun: `1 record`, `2 records`.
  package mutating func appendInterpolation(
    count: some BinaryInteger, _ one: String, _ many: String
  ) {
    appendLiteral("\(count) \(plural(count, one, many))")
  }
}

extension Sentence.StringInterpolation {
  /// A count with its Russian noun: `1 запись`, `2 записи`, `5 записей`.
  package mutating func appendInterpolation(
    count: some BinaryInteger, _ one: String, _ few: String, _ many: String
  ) {
    appendLiteral("\(count) \(plural(count, one, few, many))")
  }
}

extension DefaultStringInterpolation {
  /// Prevents a text from being put into a string without a language.
  @available(*, deprecated, message: "choose a language: text[language]")
  package mutating func appendInterpolation(_ text: Text) { appendLiteral(text.en) }
}

/// Returns the form of a Russian word for a count: 1 байт, 2 байта, 5 байт, and 21
/// байт, 11 байт.
package func plural<Count: BinaryInteger>(
  _ count: Count, _ one: String, _ few: String, _ many: String
)
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

/// Returns the form of an English word for a count.
package func plural<Count: BinaryInteger>(_ count: Count, _ one: String, _ many: String) -> String {
  count == 1 ? one : many
}

/// Returns foreign text in a form that is safe to show inside a message.
///
/// Control characters, line breaks and characters that reorder text or cannot be seen are written
/// as escapes. Text longer than `limit` characters (Unicode scalars) is cut and ends in `…`.
package func escaped(_ text: String, limit: Int = 80) -> String {
  var result = String.UnicodeScalarView()
  for (index, scalar) in text.unicodeScalars.enumerated() {
    if index == limit {
      result.append("…")
      break
    }
    if scalar.isHidden {
      result.append(contentsOf: scalar.escape.unicodeScalars)
    } else {
      result.append(scalar)
    }
  }
  return String(result)
}

/// Seconds since 1970 as RFC 3339 in UTC.
package func utc(_ seconds: Int) -> String { InstantText.utc(seconds) }

/// Returns a text as one word of a shell's command line (POSIX, Shell Command Language, 2.2.2). It
/// is in single quotes if it has characters other than letters, digits and signs without a meaning
/// in any shell.
package func shellWord(_ text: String) -> String {
  let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "-_.,:/@%+".contains($0) }
  guard !isPlain || text.isEmpty else { return escaped(text) }
  let parts = text.split(separator: "'", omittingEmptySubsequences: false)
  return "'" + parts.map { escaped(String($0)) }.joined(separator: #"'\''"#) + "'"
}

/// Returns the candidate that was probably meant by `word`, or nil if none is near.
///
/// A candidate is near if it begins with the word (three characters or more), or differs by at most
/// one edit per three characters. Case is ignored. The first of equals wins.
package func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
  let word = Array(word.lowercased())
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let other = Array(candidate.lowercased())
    let isBeginning = word.count >= 3 && other.starts(with: word)
    let distance = isBeginning ? 1 : editDistance(word, other)
    guard distance <= max(1, max(word.count, other.count) / 3), distance < max(word.count, 1)
    else { continue }
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.candidate
}

extension Language {
  /// Reads the language of messages from the locale. The first of LC_ALL, LC_MESSAGES and LANG that
  /// is set and not empty decides (POSIX, section 8.2). English unless it is Russian.
  package init(environment: (String) -> String?) {
    self = Language(ofLocale: environment) ?? .en
  }

  /// Reads the language of a person from the locale. Nil if no locale is set, or one of programs: C
  /// or POSIX.
  package init?(ofLocale environment: (String) -> String?) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(environment).first { !$0.isEmpty }
    // `ru`, `ru_RU.UTF-8` and `ru@…`, but not `run`.
    guard let name = locale?.lowercased().prefix(while: { $0.isLetter }), name != "c",
      name != "posix"
    else { return nil }
    self = name == "ru" || name == "russian" ? .ru : .en
  }
}

extension Text {
  /// Foreign text, made safe to show, in the quotation marks of the language.
  package static func quoted(_ text: String, limit: Int = 80) -> Text {
    let safe = escaped(text, limit: limit)
    return Text("\"\(safe)\"", "«\(safe)»")
  }

  /// The path of a file or a URL, quoted, with more room than other texts.
  package static func path(_ path: String) -> Text { quoted(path, limit: 240) }

  /// Foreign text, made safe to show, without quotes.
  package static func shown(_ text: String) -> Text { .verbatim(escaped(text)) }

  /// Returns a place in a file, in the form at the start of errors: `FILE:2:8: `.
  package static func place(_ file: String, _ place: TextPlace) -> Text {
    .verbatim("\(escaped(file, limit: 240)):\(place.line):\(place.column): ")
  }

  /// A count of bytes.
  package static func bytes(_ count: some BinaryInteger) -> Text {
    Text(
      en: "\(count: count, "byte", "bytes")", ru: "\(count: count, "байт", "байта", "байт")")
  }

  /// A limit in bytes, in the largest unit in which it is a whole number.
  package static func size(_ count: Int) -> Text {
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
  package static func seconds(_ count: Int) -> Text {
    Text(
      en: "\(count: count, "second", "seconds")",
      ru: "\(count: count, "секунду", "секунды", "секунд")")
  }

  /// Suggests the name that was probably meant.
  package static func didYouMean(_ name: String) -> Text { Remedy.meant(name).continuation }

  /// Suggests one of a few names, or lists them all.
  package static func oneOf(_ names: [String], meant word: String) -> Text {
    Remedy.oneOf(names, meant: word).continuation
  }

  /// The remedy if there are no names to choose from.
  package static let removeIt = Remedy.removeIt.continuation
}

extension PipelineError {
  /// What a published page says about the error: for people who wait for the data, without any
  /// detail of the machine.
  package var publicText: Localized<String> {
    switch `class` {
    case .unreachable, .noInput, .blocked, .connectionLost, .stalled, .timedOut, .serverBusy,
      .gatewayFailed, .unauthorized, .forbidden, .badAnswer:
      Localized(ru: "источник данных недоступен", en: "the source of the data cannot be reached")
    case .badData, .badFeed:
      Localized(
        ru: "источник прислал данные, которые не удалось прочитать",
        en: "the source has sent data that cannot be read")
    case .guarded:
      Localized(
        ru: "новые данные выглядят неверно и ждут проверки",
        en: "the new data looks wrong and waits for a check")
    case .usage, .cannotRead, .cannotCreate, .cannotWrite, .badState, .busy, .readerGone,
      .nothingFound,
      .cancelled,
      .notInstalled:
      Localized(
        ru: "новые данные не удалось опубликовать", en: "the new data could not be published")
    }
  }
}
