extension LedgerRun {
  /// Writes the calendar: live events in feed order, then those whose record was refused and those
  /// that are cancelled, in order of their UIDs; of all only what is wanted. Finishes
  /// `output`, as an encoder does.
  ///
  /// `options.stamp` has no say: an event's time is that of its own last change. Where none of the
  /// events matches, `tally` hears which column is to blame.
  func writeCalendar<Output: ByteStage & ~Copyable>(
    _ options: CalendarOptions, wanted: LedgerQuery, into output: consuming Output, tally: Tally
  ) throws(DatabaseFault) {
    guard let event = feed.event else { throw .noEvents(feed: feed.name) }
    let live = try database.prepare(
      """
      SELECT a.address, a.first, a.last, e.year, e.number, e.sequence, e.stamp\(columns.list(of: "a"))
      FROM temp.arrival a CROSS JOIN event e
      ON e.address = a.address AND e.first = a.first AND e.last = a.last
      ORDER BY a.place
      """)
    let others = """
      SELECT address, first, last, year, number, sequence, stamp\(columns.list()) FROM event
      """
    let order = "ORDER BY address < 0, address, year, number"
    let refused = try database.prepare(
      """
      \(others) WHERE cancelled IS NULL AND address IN (SELECT address FROM temp.refused)
        AND NOT EXISTS (SELECT 1 FROM temp.arrival a WHERE a.address = event.address
          AND a.first = event.first AND a.last = event.last) \(order)
      """)
    let cancelled = try database.prepare("\(others) WHERE cancelled IS NOT NULL \(order)")
    var filter = LedgerFilter(wanted, feed)
    var calendar: CalendarWriter<Output>
    do throws(PipelineError) {
      calendar = try CalendarWriter(feed, event, options: options, into: output, tally: tally)
    } catch {
      throw .output(error)
    }
    try write(live, isCancelled: false, &filter, to: &calendar)
    try write(refused, isCancelled: false, &filter, to: &calendar)
    try write(cancelled, isCancelled: true, &filter, to: &calendar)
    if let (column, nearest) = filter.blame {
      let name = feed.columns[column]
      tally.blame.withLock { $0 = (name, nearest) }
    }
    do throws(PipelineError) {
      try calendar.finish()
    } catch {
      throw .output(error)
    }
  }

  private func write<Output: ByteStage & ~Copyable>(
    _ rows: consuming SQLiteStatement, isCancelled: Bool, _ filter: inout LedgerFilter,
    to calendar: inout CalendarWriter<Output>
  ) throws(DatabaseFault) {
    var record = Record(columns: columns.count)
    while try rows.step() {
      columns.read(
        rows, textsFrom: 7, address: rows.integer(0), first: rows.day(1), last: rows.day(2),
        into: &record)
      guard filter.takes(record) else { continue }
      let identity = EventIdentity(year: rows.integer(3), number: rows.integer(4))
      let revision = EventRevision(
        sequence: rows.integer(5), stamp: rows.integer(6), isCancelled: isCancelled)
      do throws(PipelineError) {
        try calendar.write(record, as: identity, revision)
      } catch {
        throw .output(error)
      }
    }
  }
}
