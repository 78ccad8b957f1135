import Sluice

extension LedgerRun {
  /// Passes on what the ledger knows of the selected events beside their days: those that were moved,
  /// with the days before the last move, and those that were cancelled. Both come in the order of
  /// their UIDs. The record has the event's texts, and its days.
  func writeHistory(
    _ selection: RowSelection,
    _ write: (borrowing Record, EventHistory) throws(PipelineError) -> Void
  ) throws(DatabaseFault) {
    let order = "ORDER BY e.address < 0, e.address, e.year, e.number"
    let moved = try database.prepare(
      """
      SELECT e.address, e.first, e.last, m.first, m.last\(columns.list(of: "e"))
      FROM moved m CROSS JOIN event e
      ON e.address = m.address AND e.year = m.year AND e.number = m.number
      WHERE e.cancelled IS NULL \(order)
      """)
    let cancelled = try database.prepare(
      """
      SELECT e.address, e.first, e.last, NULL, NULL\(columns.list(of: "e"))
      FROM event e WHERE e.cancelled IS NOT NULL \(order)
      """)
    var filter = LedgerFilter(selection, feed)
    try pass(moved, .moved, &filter, to: write)
    try pass(cancelled, .cancelled, &filter, to: write)
  }

  private func pass(
    _ events: consuming SQLiteStatement, _ kind: EventHistory.Kind, _ filter: inout LedgerFilter,
    to write: (borrowing Record, EventHistory) throws(PipelineError) -> Void
  ) throws(DatabaseFault) {
    var rows = events
    var record = Record(columns: columns.count)
    while try rows.step() {
      columns.read(
        rows, textsFrom: 5, address: rows.integer(0), first: rows.day(1), last: rows.day(2),
        into: &record)
      guard filter.takes(record) else { continue }
      var oldDays: ClosedRange<Day>?
      if kind == .moved, rows.day(3) <= rows.day(4) { oldDays = rows.day(3)...rows.day(4) }
      let (first, last) = (rows.day(1), rows.day(2))
      let history = EventHistory(kind, days: first...max(first, last), oldDays: oldDays)
      do throws(PipelineError) {
        try write(record, history)
      } catch {
        throw .output(error)
      }
    }
  }
}
