import Sluice

/// What makes the addresses and the events of a feed, as text: the path of the rows, the columns of
/// the key, and the days of an event. A ledger keeps it.
///
///     rows: []
///     key: [locality, street, house]
///     locality: Населенный пункт (text)
///     …
///     event: start_date to end_date
///     start_date: Период отключения ГВС (period)
///
/// A document in which this differs has other addresses and other events. Texts of the calendar are
/// not part of it.
struct LedgerOrigin {
  private let lines: [(name: String, value: String)]

  /// Makes it of a feed that keeps a ledger.
  init(_ feed: Feed) {
    let table = feed.tables[0]
    let parts = table.keyNumber?.parts ?? []
    let days = [table.event?.start, table.event?.end].compactMap { $0 }
    func line(_ column: String) -> (name: String, value: String) {
      guard let field = table.fields.first(where: { $0.columns.contains(column) }) else {
        return (column, "")
      }
      return (column, "\(field.origin) (\(field.kind.rawValue))")
    }
    lines =
      [("rows", "\(table.rows)"), ("key", "[\(parts.joined(separator: ", "))]")]
      + parts.map { line($0) } + [("event", days.joined(separator: " to "))]
      + days.map { line($0) }
  }

  /// Reads it from a ledger.
  private init(text: String) {
    lines = text.split(separator: "\n").map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), String(parts.count > 1 ? parts[1].dropFirst() : ""))
    }
  }

  /// The text that a ledger keeps. A line break in a name is a space.
  var text: String {
    lines.map { name, value in
      String("\(name): \(value)".map { $0.isNewline ? " " : $0 })
    }.joined(separator: "\n")
  }

  /// Returns what differs from the text that a ledger has kept, each in the form
  /// `key: [street, house] → [street]`.
  func differences(from kept: String) -> [String] {
    let old = LedgerOrigin(text: kept).lines
    let new = LedgerOrigin(text: text).lines
    var names: [String] = []
    for (name, _) in old + new where !names.contains(name) { names.append(name) }
    return names.compactMap { name in
      let before = old.first { $0.name == name }?.value
      let now = new.first { $0.name == name }?.value
      return before == now ? nil : "\(name): \(before ?? "-") → \(now ?? "-")"
    }
  }
}
