/// One night of a ledger: an open transaction, which ends with ``commit()`` or leaves no trace.
///
/// In this order: ``stage()`` once and all rows into it, ``reconcile(today:stamp:)``, any number of
/// calendars and lists of changes, ``commit()``. After a throw nothing but the end is left to it.
struct LedgerRun: ~Copyable {
  let database: SQLiteDatabase
  let feed: Feed
  let columns: LedgerColumns
  private let arrivals = Arrivals()

  init(_ database: consuming SQLiteDatabase, feed: Feed, columns: LedgerColumns) {
    self.database = database
    self.feed = feed
    self.columns = columns
  }

  /// Makes the stage that takes the feed's rows.
  func stage() throws(DatabaseFault) -> LedgerStage {
    let values = String(repeating: ", ?", count: 3 + columns.names.count)
    let insert = try database.prepare(
      """
      INSERT OR IGNORE INTO temp.arrival(address, first, last, digest\(columns.list()))
      VALUES(?\(values))
      """)
    let refused = try database.prepare("INSERT OR IGNORE INTO temp.refused VALUES(?)")
    return LedgerStage(
      insert, refused: refused, columns: columns, arrivals: arrivals, path: database.path)
  }

  /// Compares what arrived with what was known and changes the ledger accordingly.
  ///
  /// `today` is the day that rules ask for, `stamp` the content's time in seconds since 1970. Memory
  /// grows with the periods of one address only. Throws ``DatabaseFault/incomplete(path:)`` where the
  /// rows have not all come.
  func reconcile(today: Day, stamp: Int) throws(DatabaseFault) -> LedgerChanges {
    guard arrivals.areComplete else { throw .incomplete(path: database.path) }
    let changes = try compare(Reconciler(today: today, stamp: stamp))
    guard changes.isAny else { return changes }
    try apply(today: today)
    return changes
  }

  /// Ends the run: what was reconciled is on the disk when this returns, and nothing is left to be
  /// told but what this run itself has kept.
  consuming func commit(isTold: Bool = true) throws(DatabaseFault) {
    // With a condition, a table that is empty is not written.
    if isTold { try database.run("DELETE FROM untold WHERE rowid > 0") }
    try database.run("COMMIT")
  }

  // MARK: Comparing

  /// Goes through both sides in order of addresses and notes what is different.
  private func compare(_ reconciler: Reconciler) throws(DatabaseFault) -> LedgerChanges {
    var events = try database.prepare(
      """
      SELECT address, first, last, year, number, sequence, stamp, cancelled, digest
      FROM event ORDER BY address, first, last
      """)
    var periods = try database.prepare(
      """
      SELECT address, first, last, place, digest
      FROM temp.arrival INDEXED BY arrival_days ORDER BY address, first, last
      """)
    var refused = try database.prepare("SELECT address FROM temp.refused ORDER BY address")
    var notes = try ChangeNotes(database)
    var known: [KnownPeriod] = []
    var arrived: [ArrivedPeriod] = []
    var decisions: [Decision] = []
    var hasEvent = try events.step()
    var hasPeriod = try periods.step()
    var hasRefused = try refused.step()
    while hasEvent || hasPeriod {
      let address =
        hasEvent && hasPeriod
        ? min(events.integer(0), periods.integer(0))
        : hasEvent ? events.integer(0) : periods.integer(0)
      known.removeAll(keepingCapacity: true)
      arrived.removeAll(keepingCapacity: true)
      decisions.removeAll(keepingCapacity: true)
      while hasEvent, events.integer(0) == address {
        known.append(KnownPeriod(events))
        hasEvent = try events.step()
      }
      while hasPeriod, periods.integer(0) == address {
        arrived.append(ArrivedPeriod(periods))
        hasPeriod = try periods.step()
      }
      while hasRefused, refused.integer(0) < address { hasRefused = try refused.step() }
      reconciler.decide(
        known: known, arrived: arrived,
        isWhole: !hasRefused || refused.integer(0) != address, into: &decisions)
      if !decisions.isEmpty { try notes.note(decisions, known, arrived, address: address) }
    }
    return notes.counts
  }

  // MARK: Applying

  /// Changes the ledger as noted. Nothing that stays can be in the way of new days: an address has
  /// the same days once, and what is gone goes first.
  private func apply(today: Day) throws(DatabaseFault) {
    let found = """
      event.address = c.address AND event.first = c.old_first AND event.last = c.old_last
      """
    let texts = columns.names.map { ", \($0) = a.\($0)" }.joined()
    try database.run(
      """
      DELETE FROM event WHERE (address, first, last) IN (
        SELECT address, old_first, old_last FROM temp.change
        WHERE kind = \(ChangeKind.gone.rawValue));
      UPDATE event SET sequence = c.sequence, stamp = c.stamp, cancelled = \(today.number)
        FROM temp.change c WHERE c.kind = \(ChangeKind.cancelled.rawValue) AND \(found);
      UPDATE event SET first = c.first, last = c.last, sequence = c.sequence, stamp = c.stamp,
          cancelled = NULL, digest = a.digest\(texts)
        FROM temp.change c JOIN temp.arrival a ON a.place = c.place
        WHERE c.kind IN (\(ChangeKind.moved.rawValue), \(ChangeKind.restored.rawValue),
          \(ChangeKind.reworded.rawValue)) AND \(found);
      INSERT INTO event(address, first, last, year, number, sequence, stamp, cancelled,
          digest\(columns.list()))
        SELECT c.address, c.first, c.last, c.year, c.number, c.sequence, c.stamp, NULL,
          a.digest\(columns.list(of: "a"))
        FROM temp.change c CROSS JOIN temp.arrival a ON a.place = c.place
        WHERE c.kind = \(ChangeKind.new.rawValue);
      INSERT INTO next_number(address, year, next)
        SELECT address, year, max(number) + 1 FROM temp.change
        WHERE kind = \(ChangeKind.new.rawValue) GROUP BY address, year
        ON CONFLICT DO UPDATE SET next = excluded.next;
      """)
  }
}

extension KnownPeriod {
  /// Reads a row of ``LedgerRun``'s events.
  fileprivate init(_ row: borrowing SQLiteStatement) {
    days = Period(first: row.day(1), last: row.day(2))
    identity = EventIdentity(year: row.integer(3), number: row.integer(4))
    sequence = row.integer(5)
    stamp = row.integer(6)
    cancelled = row.optionalInteger(7).map { Day(number: Int32(truncatingIfNeeded: $0)) }
    digest = row.integer(8)
  }
}

extension ArrivedPeriod {
  /// Reads a row of ``LedgerRun``'s arrivals.
  fileprivate init(_ row: borrowing SQLiteStatement) {
    days = Period(first: row.day(1), last: row.day(2))
    place = row.integer(3)
    digest = row.integer(4)
  }
}

extension SQLiteStatement {
  /// A day of the row in hand.
  func day(_ column: Int) -> Day { Day(number: Int32(truncatingIfNeeded: integer(column))) }
}
