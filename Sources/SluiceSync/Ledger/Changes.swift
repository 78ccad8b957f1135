import Sluice

extension LedgerRun {
  /// Writes the list of changes: one JSON object a line, in the order of the UIDs, after the
  /// changes that an interrupted run may not have reported. Filters do not apply. Finishes
  /// `output`, as an encoder does.
  ///
  ///     {"change":"moved","uid":…,"address_id":…,"locality":…,…,
  ///      "old_start_date":…,"old_end_date":…,"start_date":…,"end_date":…}
  ///
  /// The old days are those published before, the new days those published now. A new or restored
  /// event has no old days. A cancelled event has no new ones.
  func writeChanges<Output: ByteStage & ~Copyable>(into output: consuming Output)
    throws(DatabaseFault)
  {
    let layout = ChangeLayout(feed, columns)
    var encoder = NDJSONEncoder(layout.list, into: output)
    try write(database.prepare("SELECT \(kept) FROM untold ORDER BY rowid"), layout, to: &encoder)
    try write(database.prepare(tonight), layout, to: &encoder)
    do throws(PipelineError) {
      try encoder.finish()
    } catch {
      throw .output(error)
    }
  }

  /// Keeps this night's changes for the next list.
  func keepChanges() throws(DatabaseFault) {
    try database.run("INSERT INTO untold(\(kept)) \(tonight)")
    arrivals.needsSeal = true
  }

  /// Counts the changes that wait to be reported.
  func untold() throws(DatabaseFault) -> LedgerChanges {
    var rows = try database.prepare("SELECT kind, count(*) FROM untold GROUP BY kind")
    var changes = LedgerChanges()
    while try rows.step() {
      if let kind = ChangeKind(rawValue: rows.integer(0)) { changes.count(kind, rows.integer(1)) }
    }
    return changes
  }

  private var kept: String {
    "address, old_first, old_last, first, last, kind, year, number\(columns.list())"
  }

  private var tonight: String {
    """
    SELECT c.address, c.old_first, c.old_last, c.first, c.last, c.kind, c.year,
      c.number\(columns.list(of: "e"))
    FROM temp.change c CROSS JOIN event e
    ON e.address = c.address AND e.first = coalesce(c.first, c.old_first)
      AND e.last = coalesce(c.last, c.old_last)
    WHERE c.kind <= \(ChangeKind.restored.rawValue)
    ORDER BY c.address < 0, c.address, c.year, c.number
    """
  }

  private func write<Output: ByteStage & ~Copyable>(
    _ changes: consuming SQLiteStatement, _ layout: ChangeLayout,
    to encoder: inout NDJSONEncoder<Output>
  ) throws(DatabaseFault) {
    var rows = changes
    var record = Record(columns: layout.list.count)
    while try rows.step() {
      guard let kind = ChangeKind(rawValue: rows.integer(5)), let word = kind.word else { continue }
      layout.read(rows, kind, word, into: &record)
      do throws(PipelineError) {
        try encoder.take(record, .wanted)
      } catch {
        throw .output(error)
      }
    }
  }
}

extension ChangeLayout {
  /// Reads a row of ``LedgerRun/writeChanges(into:)`` into the record of a line.
  fileprivate func read(
    _ row: borrowing SQLiteStatement, _ kind: ChangeKind, _ word: StaticString,
    into record: inout Record
  ) {
    begin(
      word, key: UInt64(bitPattern: Int64(row.integer(0))),
      EventIdentity(year: row.integer(6), number: row.integer(7)), into: &record)
    row.read(8, into: textColumns, of: &record)
    let hasOld = kind == .moved || kind == .cancelled
    setDays(
      old: hasOld ? Period(first: row.day(1), last: row.day(2)) : nil,
      new: kind != .cancelled ? Period(first: row.day(3), last: row.day(4)) : nil, in: &record)
  }
}

/// Writes this night's changes to the ledger's temporary table, and numbers new events.
struct ChangeNotes: ~Copyable {
  private var insert: SQLiteStatement
  private var given: LedgerNumbers
  /// The next numbers of the current address, by year. They are few.
  private var numbers: [(year: Int, next: Int)] = []
  private(set) var counts = LedgerChanges()

  init(_ database: borrowing SQLiteDatabase) throws(DatabaseFault) {
    // Both before `self`: a noncopyable struct is initialized as a whole or not at all.
    let insert = try database.prepare(
      "INSERT INTO temp.change VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    let given = try LedgerNumbers(database)
    self.insert = insert
    self.given = given
  }

  /// Writes all decisions on one address.
  mutating func note(
    _ decisions: [Decision], _ known: [KnownPeriod], _ arrived: [ArrivedPeriod], address: Int
  ) throws(DatabaseFault) {
    numbers.removeAll(keepingCapacity: true)
    try insert.bind(2, address)
    for decision in decisions {
      let event = decision.known.map { known[$0] }
      let period = decision.arrived.map { arrived[$0] }
      let identity: EventIdentity
      if let event {
        identity = event.identity
      } else {
        let year = period?.days.first.parts.year ?? 0
        identity = EventIdentity(year: year, number: try number(address, year))
      }
      try insert.bind(1, decision.kind.rawValue)
      try insert.bind(3, identity.year)
      try insert.bind(4, identity.number)
      try insert.bind(5, decision.sequence)
      try insert.bind(6, decision.stamp)
      try insert.bind(7, event.map { Int($0.days.first.number) })
      try insert.bind(8, event.map { Int($0.days.last.number) })
      try insert.bind(9, period.map { Int($0.days.first.number) })
      try insert.bind(10, period.map { Int($0.days.last.number) })
      try insert.bind(11, period?.place)
      try insert.run()
      counts.count(decision.kind)
    }
  }

  /// Returns the next number of an address and year.
  private mutating func number(_ address: Int, _ year: Int) throws(DatabaseFault) -> Int {
    if let index = numbers.firstIndex(where: { $0.year == year }) {
      numbers[index].next += 1
      return numbers[index].next - 1
    }
    let number = try given.next(address, year)
    numbers.append((year, number + 1))
    return number
  }
}

/// The result of a comparison for one event. The raw values are those of the ledger's temporary
/// table.
enum ChangeKind: Int {
  /// Published for the first time.
  case new = 0
  /// The same event on other days.
  case moved
  /// Left the feed before its last day had passed.
  case cancelled
  /// Came back while it was still shown as cancelled.
  case restored
  /// No longer shown. Not reported as a change.
  case gone
  /// The same days with other texts. A list of a night does not report it either.
  case reworded
}

extension ChangeKind {
  /// Its name in a list of changes, or nil if it is not reported.
  var word: StaticString? {
    switch self {
    case .new: "new"
    case .moved: "moved"
    case .cancelled: "cancelled"
    case .restored: "restored"
    case .gone, .reworded: nil
    }
  }
}

/// The numbers of a ledger's events that changed in a run.
public struct LedgerChanges: Equatable, Sendable {
  /// Events published for the first time.
  public var new = 0
  /// Events on other days than before.
  public var moved = 0
  /// Events that left the feed before their last day had passed.
  public var cancelled = 0
  /// Events that came back while they were still shown as cancelled.
  public var restored = 0
  /// Events no longer shown: past and gone from the feed, or cancelled long enough ago.
  public var gone = 0
  /// Events with other texts on the same days.
  public var reworded = 0
  /// Events that are missing from the feed and stay as they are, because a rejected record may have
  /// them.
  public var waiting = 0

  /// Whether anything differs from the last run.
  public var isAny: Bool { new + moved + cancelled + restored + gone + reworded > 0 }

  static func + (a: LedgerChanges, b: LedgerChanges) -> LedgerChanges {
    LedgerChanges(
      new: a.new + b.new, moved: a.moved + b.moved, cancelled: a.cancelled + b.cancelled,
      restored: a.restored + b.restored, gone: a.gone + b.gone, reworded: a.reworded + b.reworded,
      waiting: a.waiting + b.waiting)
  }

  mutating func count(_ kind: ChangeKind, _ number: Int = 1) {
    switch kind {
    case .new: new += number
    case .moved: moved += number
    case .cancelled: cancelled += number
    case .restored: restored += number
    case .gone: gone += number
    case .reworded: reworded += number
    }
  }
}
