/// What of a ledger is wanted: rows that match all conditions and overlap the days asked for.
struct LedgerQuery {
  /// As in ``Conversion/conditions``.
  var conditions: [Condition] = []
  /// The first and the last of the days, both inclusive.
  var from: Day?
  var to: Day?
}

/// Tells which rows are wanted.
struct LedgerFilter: ~Copyable {
  private var filter: Filter
  private let from: Day?
  private let to: Day?
  private var hasRows = false

  init(_ query: LedgerQuery, _ feed: Feed) {
    filter = Filter(query.conditions, feed)
    from = query.from
    to = query.to
  }

  /// The row is wanted.
  mutating func takes(_ record: borrowing Record) -> Bool {
    hasRows = true
    if !filter.isEmpty, !filter.matches(record) { return false }
    if let from, record.lastDay < from { return false }
    if let to, to < record.firstDay { return false }
    return true
  }

  /// The column to blame where there were rows and none matched, with its nearest values.
  var blame: (column: Int, nearest: [String])? { hasRows ? filter.blame : nil }
}
