import Sluice

/// What an option's value or an operand is: how help names it and how shells complete it.
enum ValueKind: Equatable, Sendable {
  /// Text that cannot be guessed; the placeholder says what it is.
  case text(String)
  case file(String)
  case choice([String])
  case feed
  case command

  /// The values of an enumeration, by their names.
  static func choice<Value>(of: Value.Type) -> ValueKind
  where Value: CaseIterable & RawRepresentable<String> {
    .choice(Value.allCases.map(\.rawValue))
  }

  /// What stands for the value in help: `FILE`, or the choices, `csv|ndjson|ics`.
  var placeholder: String {
    switch self {
    case .text(let name), .file(let name): name
    case .choice(let names): names.joined(separator: "|")
    case .feed: "NAME"
    case .command: "COMMAND"
    }
  }

  /// The values that a shell can offer; nil where there is no list.
  var offers: [String]? {
    switch self {
    case .text, .file: nil
    case .choice(let names): names
    case .feed: Feed.names
    case .command: CommandRow.visible.map(\.name.rawValue)
    }
  }

  var isFile: Bool { if case .file = self { true } else { false } }

  /// Besides the values that can be offered, files are taken.
  var mayBeFile: Bool { self == .feed }
}
