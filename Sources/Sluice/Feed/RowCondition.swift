/// What a document says about the rows that it wants.
///
///     where: {type: pickup, stage: {not: [1, 2]}, day: {greater: 2026-01-01}}
///     where: {any: [{type: pickup}, {all: [{stage: 2}, {note: {empty: true}}]}]}
package indirect enum RowCondition: Sendable, Equatable, CustomStringConvertible {
  /// All of these hold.
  case all([RowCondition])
  /// One of these holds.
  case any([RowCondition])
  /// The value of a column holds.
  case column(Condition)

  /// It in one line: `type = pickup, (stage > 1 or note = "")`.
  package var description: String {
    switch self {
    case .all(let parts): parts.map(\.description).joined(separator: ", ")
    case .any(let parts): "(" + parts.map(\.description).joined(separator: " or ") + ")"
    case .column(let condition):
      "\(condition.column) \(condition.comparison.sign) "
        + (condition.value.isEmpty ? "\"\"" : condition.value)
    }
  }

  /// The columns that it is about.
  package var columns: [String] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.columns)
    case .column(let condition): [condition.column]
    }
  }
}

/// A condition on a column: `--where street=Наличная`, or `where: {street: Наличная}` of a
/// document.
public struct Condition: Sendable, Equatable {
  /// How a value is compared with that of a condition.
  public enum Comparison: Sendable, Equatable {
    /// The same, or not. Texts are compared like addresses, numbers and times by value.
    case equal, notEqual
    /// The text has the form of a pattern, or not: `*` stands for any text, `\*` for a star.
    case like, notLike
    /// Numbers and times by value, texts in the order of ``SortKey``. No missing value matches.
    case less, lessOrEqual, greater, greaterOrEqual
  }

  /// The column's name.
  public var column: String
  /// The value, compared like an address. An empty value matches a missing one.
  public var value: String
  /// How it is compared.
  public var comparison: Comparison
  /// The column whose value counts where this one is missing: the begin of an event without an end.
  package var otherwise: String?

  /// Makes a condition.
  public init(column: String, _ comparison: Comparison = .equal, value: String) {
    self.column = column
    self.value = value
    self.comparison = comparison
  }
}

extension Condition.Comparison {
  /// Its sign, as in `--where`.
  fileprivate var sign: String {
    switch self {
    case .equal, .like: "="
    case .notEqual, .notLike: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

/// Reads the conditions of a feed document.
struct DocumentConditions {
  /// The words of a column's condition.
  private static let words = ["not", "in", "empty", "greater", "less"]
  /// The words that are no columns.
  private static let joints = ["all", "any"]

  let columns: DocumentColumns

  /// Reads the value of `where`.
  func read(_ node: YAMLNode) throws(FeedDocumentFault) -> RowCondition {
    let entries = try DocumentMapping(node, "where", keys: nil, allowsMissing: true).entries
    guard !entries.isEmpty else { throw node.fault(.noValue("where")) }
    var parts: [RowCondition] = []
    for entry in entries {
      switch entry.key {
      case "all": parts.append(.all(try list(entry)))
      case "any": parts.append(.any(try list(entry)))
      default: parts.append(try column(entry))
      }
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private func list(_ entry: YAMLNode.Entry) throws(FeedDocumentFault) -> [RowCondition] {
    guard case .sequence(let items) = entry.value.content else {
      throw entry.value.fault(
        .wrongKind(key: entry.key, found: entry.value.kind, wanted: [.list]))
    }
    guard !items.isEmpty else { throw entry.value.fault(.noValue(entry.key)) }
    var parts: [RowCondition] = []
    for item in items { parts.append(try read(item)) }
    return parts
  }

  private func column(_ entry: YAMLNode.Entry) throws(FeedDocumentFault) -> RowCondition {
    let name = entry.key
    // Only an error needs them.
    var fit: [String] {
      columns.fields.filter { $0.kind != .share }.flatMap(\.columns) + Self.joints
    }
    guard let field = columns.fields.first(where: { $0.columns.contains(name) }),
      field.kind != .share
    else {
      throw FeedDocumentFault(
        problem: .unknownColumn(name, key: "where", columns: fit), place: entry.place)
    }
    guard case .mapping = entry.value.content else { return try equal(entry.value, name, field) }
    let words = try DocumentMapping(entry.value, name, keys: Self.words, allowsMissing: true)
    guard !words.entries.isEmpty else { throw entry.value.fault(.noValue(name)) }
    var parts: [RowCondition] = []
    for word in words.entries {
      switch word.key {
      case "not": parts.append(try equal(word.value, name, field, isNot: true))
      case "in":
        guard case .sequence = word.value.content else {
          throw word.value.fault(.wrongKind(key: "in", found: word.value.kind, wanted: [.list]))
        }
        parts.append(try equal(word.value, name, field))
      case "empty":
        let text = try word.value.text("empty")
        guard let isEmpty = DocumentValues.flag(text) else {
          throw word.value.fault(.badValue(text, key: "empty", .trueOrFalse))
        }
        parts.append(.column(Condition(column: name, isEmpty ? .equal : .notEqual, value: "")))
      default:
        let text = try word.value.text(word.key)
        let comparison: Condition.Comparison = word.key == "greater" ? .greater : .less
        guard field.kind != .flag else {
          throw word.value.fault(.badValue(text, key: word.key, .trueOrFalse))
        }
        parts.append(
          .column(
            Condition(
              column: name, comparison, value: try value(text, word.value, word.key, field))))
      }
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// Reads a value, or a list of values of which one must be there, or none if `isNot`.
  private func equal(
    _ node: YAMLNode, _ name: String, _ field: Field, isNot: Bool = false
  ) throws(FeedDocumentFault) -> RowCondition {
    var nodes = [node]
    if case .sequence(let items) = node.content { nodes = items }
    guard !nodes.isEmpty else { throw node.fault(.noValue(name)) }
    var parts: [RowCondition] = []
    var seen: Set<String> = []
    for node in nodes {
      // An empty value is a missing one.
      let text = node.isMissing ? "" : try value(node.text(name), node, name, field)
      guard seen.insert(text).inserted else { throw node.fault(.duplicateItem(text)) }
      parts.append(.column(Condition(column: name, isNot ? .notEqual : .equal, value: text)))
    }
    if parts.count == 1 { return parts[0] }
    return isNot ? .all(parts) : .any(parts)
  }

  /// Returns a value that the column can be compared with.
  private func value(
    _ text: String, _ node: YAMLNode, _ key: String, _ field: Field
  ) throws(FeedDocumentFault) -> String {
    if let shown = field.shown(text) { return shown }
    let kind = field.kind.columnKind
    if let wanted = DocumentValues.incomparable(text, with: kind) {
      throw node.fault(.badValue(text, key: key, wanted))
    }
    return text
  }
}

extension Field {
  /// Returns a value as its column shows it: of a flag's word, and of a day or a time of day that
  /// is written in the column's formats or in a form of its kind. Nil for any other text.
  fileprivate func shown(_ text: String) -> String? {
    switch kind {
    case .flag: FlagText.value(of: text).map { "\($0)" }
    case .time:
      read(text).map { TimeOfDay.text($0.time) }
        ?? TimeOfDay.seconds(typed: text).map(TimeOfDay.text)
    case .day, .instant, .period: read(text).map { "\($0.day)" }
    case .text, .verbatim, .integer, .decimal, .share, .hidden, .occurrence: nil
    }
  }

  /// Reads a text in the column's formats; that of a day without any in `31.12.2026`. An instant
  /// can be compared with a day, which has no format of its own.
  private func read(_ text: String) -> WrittenInstant? {
    // What the column shows is understood in any case.
    guard Day(iso: text) == nil else { return nil }
    let formats: [TimeFormat]
    switch (rule?.source, kind) {
    case (.formats(let own), .day), (.formats(let own), .time): formats = own
    case (_, .time): return nil
    default: formats = [try? TimeFormat("d.M.yyyy", for: .day)].compactMap(\.self)
    }
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { try? FormatReader.read($0, formats, rule ?? TimeRule()).get() }
  }
}
