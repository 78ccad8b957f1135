import Glibc
import Sluice

/// One night of a ledger: an open transaction, which ends with ``commit()`` or leaves no trace.
///
/// The order of the calls: ``stage()`` once and all rows into it, ``reconcile(today:stamp:)``, any
/// number of calendars and lists of changes, ``prepare(isTold:)``, ``commit()``. After an error
/// nothing more may be called.
struct LedgerRun: ~Copyable {
  let database: SQLiteDatabase
  let feed: Feed
  let columns: LedgerColumns
  /// Whether nothing was ever committed to the ledger.
  let isNew: Bool
  /// What in the feed's document makes other addresses or events than before.
  let differences: [String]
  let arrivals = Arrivals()

  /// The numbers of the days that a ledger may have: those of the years 1 to 9999.
  static let days = -719_162...2_932_896
  /// The times that a ledger may have, in seconds since 1970: those of the same years. A calendar
  /// cannot name others.
  static let stamps = -62_135_596_800...253_402_300_799

  /// Makes a run of an open transaction. `adoption` is what was found when it began.
  init(
    _ database: consuming SQLiteDatabase, feed: Feed, columns: LedgerColumns, isNew: Bool,
    adoption: LedgerSchema.Adoption
  ) {
    self.database = database
    self.feed = feed
    self.columns = columns
    self.isNew = isNew
    differences = adoption.differences
    arrivals.needsSeal = adoption.isChanged
  }

  /// Makes the stage that reads the feed's rows. It counts in `counters` the rows that it leaves
  /// out, because their address has the number of another one.
  func stage(_ counters: Counters = Counters()) throws(DatabaseFault) -> LedgerStage {
    let values = String(repeating: ", ?", count: 3 + columns.names.count)
    let insert = try database.prepare(
      """
      INSERT OR IGNORE INTO temp.arrival(address, first, last, digest\(columns.list()))
      VALUES(?\(values))
      """)
    let refused = try database.prepare("INSERT OR IGNORE INTO temp.refused VALUES(?)")
    return LedgerStage(
      insert, refused: refused, columns: columns, arrivals: arrivals, owners: try owners(),
      counters: counters, path: database.path)
  }

  /// Reads which addresses the numbers of the known events belong to.
  private func owners() throws(DatabaseFault) -> KeyOwners {
    var owners = KeyOwners()
    var checker = KeyChecker(feed.tables[0])
    var record = Record(columns: columns.count)
    var rows = try database.prepare(
      "SELECT address, first, last\(columns.list()) FROM event ORDER BY address, first, last")
    while try rows.step() {
      columns.read(
        rows, textsFrom: 3, address: rows.integer(0), first: rows.day(1), last: rows.day(2),
        into: &record)
      let (number, check) = checker.values(of: record)
      // The texts are those of a document with other columns: they do not tell the address.
      guard number == record.keyNumber else { continue }
      _ = owners.claims(number, check)
    }
    return owners
  }

  /// Compares the arrived periods with the known events, and changes the ledger accordingly.
  ///
  /// A period that ended before `today` is past. `stamp` is the content's time in seconds since
  /// 1970. Memory grows only with the periods of one address. Throws
  /// ``DatabaseFault/incomplete(path:)`` if some of the rows did not arrive. `foldedRows` is for
  /// ``foldNumbers(today:from:)``.
  func reconcile(
    today: Day, stamp: Int, foldedRows: Int = Self.foldedRows
  ) throws(DatabaseFault) -> LedgerChanges {
    guard arrivals.areComplete else { throw .incomplete(path: database.path) }
    let today = Day(
      number: min(max(today.number, Int32(Self.days.lowerBound)), Int32(Self.days.upperBound)))
    let stamp = min(max(stamp, Self.stamps.lowerBound), Self.stamps.upperBound)
    let changes = try compare(Reconciler(today: today, stamp: stamp))
    guard changes.isAny else { return changes }
    arrivals.needsSeal = true
    try apply(today: today)
    try foldNumbers(today: today, from: foldedRows)
    return changes
  }

  /// Writes everything but the end of the transaction. The changes that waited to be reported are
  /// removed, unless `isTold` is false. Called once, before ``commit()``.
  func prepare(isTold: Bool = true) throws(DatabaseFault) {
    if isTold, try database.integer("SELECT EXISTS(SELECT 1 FROM untold)") != 0 {
      try database.run("DELETE FROM untold")
      arrivals.needsSeal = true
    }
    if arrivals.needsSeal { try LedgerSeal(reading: database).write(to: database) }
    try database.flush()
  }

  /// Ends the run after ``prepare(isTold:)``. When this returns, the new state is on the disk.
  consuming func commit() throws(DatabaseFault) {
    try database.run("COMMIT")
    giveRoomBack()
  }

  // MARK: Comparing

  /// Reads both sides in the order of addresses, and notes the differences.
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
    var waiting = 0
    while hasEvent || hasPeriod {
      let address =
        hasEvent && hasPeriod
        ? min(events.integer(0), periods.integer(0))
        : hasEvent ? events.integer(0) : periods.integer(0)
      known.removeAll(keepingCapacity: true)
      arrived.removeAll(keepingCapacity: true)
      decisions.removeAll(keepingCapacity: true)
      while hasEvent, events.integer(0) == address {
        let event = KnownPeriod(events)
        if event.cancelled == nil, event.days.last >= reconciler.today { arrivals.expected += 1 }
        known.append(event)
        hasEvent = try events.step()
      }
      while hasPeriod, periods.integer(0) == address {
        arrived.append(ArrivedPeriod(periods))
        hasPeriod = try periods.step()
      }
      while hasRefused, refused.integer(0) < address { hasRefused = try refused.step() }
      let absence: Absence =
        hasRefused && refused.integer(0) == address
        ? .atRejectedAddress : arrivals.hasUnknownAddresses ? .perhapsRejected : .certain
      waiting += reconciler.decide(
        known: known, arrived: arrived, absence: absence, into: &decisions)
      if !decisions.isEmpty { try notes.note(decisions, known, arrived, address: address) }
    }
    var counts = notes.counts
    counts.waiting = waiting
    return counts
  }

  // MARK: Applying

  /// Changes the ledger as noted. Events that are gone are deleted first. An address has the same
  /// days only once, so no remaining event can conflict with new days.
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
      INSERT OR REPLACE INTO moved(address, year, number, first, last)
        SELECT address, year, number, old_first, old_last FROM temp.change
        WHERE kind = \(ChangeKind.moved.rawValue);
      DELETE FROM moved WHERE (address, year, number) IN (
        SELECT address, year, number FROM temp.change WHERE kind = \(ChangeKind.gone.rawValue));
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
  /// Returns a day of the current row.
  func day(_ column: Int) -> Day { Day(number: Int32(truncatingIfNeeded: integer(column))) }
}

/// Writes all rows of a feed to the ledger's run, in feed order.
///
/// The normalizer before it must have no conditions: a row that does not arrive counts as gone from
/// the feed, unless its address was rejected, or a record whose address is unknown. A selection by
/// days is allowed. Duplicates of an address with the same days count once. If two addresses have
/// the same number, the later one has no events. Throws `SinkFault.write` if the rows cannot be
/// written.
struct LedgerStage: RecordStage, ~Copyable {
  private var insert: SQLiteStatement
  private var insertRefused: SQLiteStatement
  private let columns: LedgerColumns
  private let arrivals: Arrivals
  private var owners: KeyOwners
  private let counters: Counters
  private let path: String

  init(
    _ insert: consuming SQLiteStatement, refused: consuming SQLiteStatement,
    columns: LedgerColumns, arrivals: Arrivals, owners: consuming KeyOwners, counters: Counters,
    path: String
  ) {
    self.insert = insert
    insertRefused = refused
    self.columns = columns
    self.arrivals = arrivals
    self.owners = owners
    self.counters = counters
    self.path = path
  }

  var checksKeys: Bool { true }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    do throws(DatabaseFault) {
      switch fate {
      case _ where !mayHaveEvents(record, fate): break
      case .wanted, .leftOut: try insert(record)
      case .rejected(nil): arrivals.hasUnknownAddresses = true
      case .rejected(let key?):
        try insertRefused.bind(1, Int(truncatingIfNeeded: key))
        try insertRefused.run()
      }
    } catch {
      var number = EIO
      if case .access(_, let errno) = error { number = errno }
      throw PipelineError(sink: .write(path: path, errno: number))
    }
  }

  /// Whether the number of a row's address is its own. If it belongs to another address, by the
  /// known events or by an earlier row, the events of the two could not be told apart.
  private mutating func mayHaveEvents(_ record: borrowing Record, _ fate: RowFate) -> Bool {
    if case .rejected = fate { return true }
    guard record.hasDays, record.isEvent, !owners.claims(record.keyNumber, record.keyCheck) else {
      return true
    }
    if case .wanted = fate { counters.sameNumberRows.increase() }
    return false
  }

  private mutating func insert(_ record: borrowing Record) throws(DatabaseFault) {
    // A row without days is not an event.
    guard record.hasDays, record.isEvent else { return }
    try insert.bind(1, Int(truncatingIfNeeded: record.keyNumber))
    try insert.bind(2, Int(record.firstDay.number))
    try insert.bind(3, Int(record.lastDay.number))
    try insert.bind(4, columns.digest(record))
    try insert.bind(5, columns.texts, of: record)
    try insert.run()
  }

  consuming func finish() { arrivals.areComplete = true }
}

/// Records what has arrived in a run, and what has become of the ledger.
final class Arrivals {
  /// Whether the ledger's content has changed, so that it needs a new seal.
  var needsSeal = false
  /// Whether all rows have arrived.
  var areComplete = false
  /// The number of live events that were not past, before the comparison.
  var expected = 0
  /// Whether a record was rejected whose address cannot be read.
  var hasUnknownAddresses = false
}

extension LedgerRun {
  /// Writes and finishes the calendar. It has the selected events: live ones in feed order, then
  /// those whose record was or may be rejected, then cancelled ones, both in the order of their
  /// UIDs.
  ///
  /// An event's time is that of its own last change. If no event matches the conditions, returns
  /// the column that matched none, with its nearest values.
  func writeCalendar(
    _ selection: RowSelection, into calendar: EventCalendar
  ) throws(DatabaseFault) -> (column: String, nearest: [String])? {
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
    let kept =
      arrivals.hasUnknownAddresses ? "" : "AND address IN (SELECT address FROM temp.refused)"
    let refused = try database.prepare(
      """
      \(others) WHERE cancelled IS NULL \(kept) AND NOT EXISTS (
        SELECT 1 FROM temp.arrival a WHERE a.address = event.address
          AND a.first = event.first AND a.last = event.last) \(order)
      """)
    let cancelled = try database.prepare("\(others) WHERE cancelled IS NOT NULL \(order)")
    var filter = LedgerFilter(selection, feed)
    try write(live, isCancelled: false, &filter, to: calendar)
    try write(refused, isCancelled: false, &filter, to: calendar)
    try write(cancelled, isCancelled: true, &filter, to: calendar)
    do throws(PipelineError) {
      try calendar.finish()
    } catch {
      throw .output(error)
    }
    return filter.blame.map { (feed.tables[0].columns[$0.column].name, $0.nearest) }
  }

  private func write(
    _ rows: consuming SQLiteStatement, isCancelled: Bool, _ filter: inout LedgerFilter,
    to calendar: EventCalendar
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

/// Decides which rows are selected.
private struct LedgerFilter: ~Copyable {
  private var filter: Filter
  private let selection: RowSelection
  private var hasRows = false

  init(_ query: RowSelection, _ feed: Feed) {
    filter = Filter(query.conditions, place: query.place, feed.tables[0])
    selection = query
  }

  /// Returns whether the row is selected.
  mutating func takes(_ record: borrowing Record) -> Bool {
    hasRows = true
    if !filter.isEmpty, !filter.matches(record) { return false }
    return selection.includesDays(of: record)
  }

  /// The column that matched none, with its nearest values, or nil if there were no rows or some
  /// matched.
  var blame: (column: Int, nearest: [String])? { hasRows ? filter.blame : nil }
}

extension LedgerRun {
  /// Passes on what the ledger knows of the selected events beside their days: those that were
  /// moved, with the days before the last move, and those that were cancelled. Both come in the
  /// order of their UIDs. The record has the event's texts, and its days.
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
