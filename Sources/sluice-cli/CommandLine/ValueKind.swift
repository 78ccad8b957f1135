import Sluice
import SluiceText

/// The kind of an option's value or of an operand. It decides its name in help, its completion in
/// shells, and its explanation in errors.
enum ValueKind: Equatable, Sendable {
  /// Any text. Help shows the placeholder.
  case text(String)
  case file(String)
  case choice([String])
  case feed
  case command
  /// A day, `2020-06-22`.
  case day
  /// A day or a time, also as a distance from today: `+7d`.
  case time
  /// A time before an event, `1d`.
  case reminder
  /// A length of time, `90s`.
  case duration
  /// A number of bytes, `500M`.
  case size
  /// A whole number, at least 1.
  case count
  case percentage
  case countOrPercentage
  case headerLine
  /// An http or https URL. Help shows the example.
  case url(example: String)

  /// Returns the kind whose values are the names of an enumeration.
  static func choice<Value>(of: Value.Type) -> ValueKind
  where Value: CaseIterable & RawRepresentable<String> {
    .choice(Value.allCases.map(\.rawValue))
  }

  /// The value's name in help: `FILE`, or the choices, `csv|ndjson|ics`.
  var placeholder: String {
    switch self {
    case .text(let name), .file(let name): name
    case .choice(let names): names.joined(separator: "|")
    case .feed: "NAME"
    case .command: "COMMAND"
    case .day, .time: "DATE"
    case .reminder, .duration: "TIME"
    case .size: "BYTES"
    case .count: "N"
    case .percentage: "N%"
    case .countOrPercentage: "N|N%"
    case .headerLine: "NAME: VALUE"
    case .url: "URL"
    }
  }

  /// The values that a shell can offer, or nil if there is no list.
  var offers: [String]? {
    switch self {
    case .choice(let names): names
    case .feed: Feed.names
    case .command: Command.visible.map(\.name)
    case .text, .file, .day, .time, .reminder, .duration, .size, .count, .percentage,
      .countOrPercentage,
      .headerLine, .url:
      nil
    }
  }

  var isFile: Bool { if case .file = self { true } else { false } }

  /// Whether a file is possible in addition to the values that can be offered.
  var mayBeFile: Bool { self == .feed }
}

extension ValueKind {
  /// Returns a text that says why the value of an option cannot be read, and how such a value is
  /// written.
  func refusal(of value: String, for option: String) -> Text {
    switch self {
    case .day:
      Text(
        en: """
          \(option): \(quoted: value) is not a day of the calendar; write it as YYYY-MM-DD, \
          2020-06-22 for example
          """,
        ru: """
          \(option): \(quoted: value) — нет такого дня в календаре; пишите ГГГГ-ММ-ДД, например \
          2020-06-22
          """)
    case .time:
      Text(
        en:
          "\(option): \(quoted: value) is not a day of the calendar; write \(SelectionError.daysEN)",
        ru:
          "\(option): \(quoted: value) — нет такого дня в календаре; пишите \(SelectionError.daysRU)"
      )
    case .reminder:
      Text(
        en: """
          \(option): \(quoted: value) is not a length of time; write a whole number and a unit: \
          30m, 2h, 1d or 1w
          """,
        ru: """
          \(option): \(quoted: value) — это не промежуток времени; пишите целое число и единицу: \
          30m, 2h, 1d или 1w
          """)
    case .duration:
      Text(
        en: """
          \(option): \(quoted: value) is not a length of time; write a whole number and a unit: \
          90s, 30m, 3h, 7d or 1w
          """,
        ru: """
          \(option): \(quoted: value) — это не промежуток времени; пишите целое число и единицу: \
          90s, 30m, 3h, 7d или 1w
          """)
    case .size:
      Text(
        en: """
          \(option): \(quoted: value) is not a size; write bytes, 1000000, or a number with K, M, G or \
          T, 500M for example
          """,
        ru: """
          \(option): \(quoted: value) — это не размер; пишите число байтов, 1000000, или число с K, M, \
          G или T, например 500M
          """)
    case .count:
      Text(
        en: "\(option): \(quoted: value) is not a number; write a whole number from 1 on",
        ru: "\(option): \(quoted: value) — это не число; пишите целое число, от 1")
    case .percentage:
      Text(
        en: "\(option): \(quoted: value) is not a percentage; write 25% or 0.5%, for example",
        ru: "\(option): \(quoted: value) — это не процент; пишите, например, 25% или 0.5%")
    case .countOrPercentage:
      Text(
        en: """
          \(option): \(quoted: value) is neither a count nor a percentage; write 50, 10% or 0.5%, for \
          example
          """,
        ru: """
          \(option): \(quoted: value) — это не число и не процент; пишите, например, 50, 10% или 0.5%
          """)
    case .headerLine:
      Text(
        en: """
          \(option): \(quoted: value) is not a header line, or is one that sluice sets itself; write \
          'NAME: VALUE', 'Authorization: Bearer abc' for example
          """,
        ru: """
          \(option): \(quoted: value) — не строка заголовка или та, которую sluice задаёт сам; пишите \
          'NAME: VALUE', например 'Authorization: Bearer abc'
          """)
    case .url(let example):
      Text(
        en: "\(option): \(quoted: value) is not an http or https URL; write \(example)",
        ru: "\(option): \(quoted: value) — это не адрес http или https; пишите \(example)")
    case .text, .file, .choice, .feed, .command:
      Text(
        en: "\(option): \(quoted: value) cannot be read; write \(placeholder)",
        ru: "\(option): значение \(quoted: value) не разобрать; пишите \(placeholder)")
    }
  }
}
