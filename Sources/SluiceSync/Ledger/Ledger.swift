import Sluice

/// The ledger of a feed: for every address the periods that it has had.
///
/// The ledger has the whole feed. Filters apply to the output. A run is one transaction:
///
///     Ledger(folder:feed:) ─▶ begin() ─▶ stage() ◀─ all rows of the feed, finish()
///                                    ─▶ reconcile(today:stamp:)
///                                    ─▶ writeCalendar(…), writeChanges(…): then rename the outputs
///                                    ─▶ commit()
///
/// A change that is not committed has no effect. If the process dies between the renames and the
/// commit, the old state is still there. From the old state, the same rows, day and stamp make the
/// same bytes. That is how `sync` recovers a ledger: it reads the same rows again before it reads
/// new ones.
struct Ledger: ~Copyable {
  /// The name of the file.
  static let name = "ledger.sqlite"

  private let database: SQLiteDatabase
  private let feed: Feed
  private let schema: LedgerSchema
  /// Whether nothing was ever committed to it.
  let isNew: Bool

  /// Opens the ledger in a folder, or makes an empty one. Throws if the file is damaged, is not a
  /// ledger or has a later version.
  init(folder: String, feed: Feed) throws(DatabaseFault) {
    let schema = LedgerSchema(columns: try LedgerColumns(feed))
    let database = try SQLiteDatabase(path: "\(folder)/\(Self.name)")
    let isNew = try Self.examine(database)
    // Of the program's 64 MiB: enough that a city's feed never touches a temporary file.
    try database.run(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -16000;
      PRAGMA temp.cache_size = -8000;
      """)
    self.schema = schema
    self.feed = feed
    self.isNew = isNew
    self.database = database
  }

  /// Checks the file. Returns whether it is new, that is, empty.
  private static func examine(_ database: borrowing SQLiteDatabase) throws(DatabaseFault) -> Bool {
    let version = try database.integer("PRAGMA user_version")
    let application = try database.integer("PRAGMA application_id")
    if application != LedgerSchema.applicationID {
      guard try database.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
        throw .notALedger(path: database.path)
      }
      // To SQLite, a file shorter than its smallest page is empty.
      let size = FileStatus(path: Array(database.path.utf8CString))?.size ?? 0
      guard size == 0 || size >= 512 else {
        throw .corrupt(path: database.path, detail: "file is too short to be a database")
      }
      return true
    }
    guard version <= LedgerSchema.version else {
      throw .newer(path: database.path, version: version, known: LedgerSchema.version)
    }
    var check = try database.prepare("PRAGMA quick_check(1)")
    let answer = try check.step() ? String(decoding: check.text(0), as: UTF8.self) : ""
    guard answer == "ok" else { throw .corrupt(path: database.path, detail: answer) }
    return false
  }

  /// Begins a run. Throws ``DatabaseFault/otherFeed(path:found:wanted:)`` if the ledger is of
  /// another feed.
  consuming func begin() throws(DatabaseFault) -> LedgerRun {
    try database.run("BEGIN IMMEDIATE")
    if isNew {
      try schema.create(in: database, feed: feed)
    } else {
      try schema.adopt(database, feed: feed)
    }
    try schema.createTemporary(in: database)
    return LedgerRun(database, feed: feed, columns: schema.columns)
  }
}

/// The tables of a ledger.
///
///     event        present and past events, one a row: live while `cancelled` is NULL, otherwise
///                  cancelled on that day. An address has the same days only once.
///     next_number  the number of the next event of an address and year. It outlives the events.
///     origin       the feed's name
///     untold       changes of a run that was interrupted before its commit: their list may never
///                  have been published
///
///     arrival      (temporary) the rows of this night's feed, in feed order
///     refused      (temporary) the addresses with unreadable records in this night's feed
///     change       (temporary) the differences of this night
///
/// An address is stored as its 64-bit number, read as signed. Days are counted from 1970-01-01,
/// stamps are seconds since then. Each text of the feed has a column of its own, with the prefix
/// `text_`.
private struct LedgerSchema {
  /// The schema's number. It rises by one with each change that an older program would misread.
  static let version = 1
  /// `slgr`, which distinguishes a ledger from other databases.
  static let applicationID = 0x736C_6772

  let columns: LedgerColumns

  /// Makes the tables of a new ledger.
  func create(in database: borrowing SQLiteDatabase, feed: Feed) throws(DatabaseFault) {
    try database.run(
      """
      CREATE TABLE event(
        address INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
        year INTEGER NOT NULL, number INTEGER NOT NULL,
        sequence INTEGER NOT NULL, stamp INTEGER NOT NULL, cancelled INTEGER,
        digest INTEGER NOT NULL\(columns.list()),
        PRIMARY KEY(address, first, last)) WITHOUT ROWID;
      CREATE TABLE next_number(
        address INTEGER NOT NULL, year INTEGER NOT NULL, next INTEGER NOT NULL,
        PRIMARY KEY(address, year)) WITHOUT ROWID;
      CREATE TABLE origin(feed TEXT NOT NULL);
      \(untold);
      PRAGMA application_id = \(Self.applicationID);
      PRAGMA user_version = \(Self.version);
      """)
    var origin = try database.prepare("INSERT INTO origin VALUES(?)")
    try feed.name.utf8Span.span.bytes.withUnsafeBytes { (name) throws(DatabaseFault) in
      try origin.bind(1, name)
      try origin.run()
    }
  }

  /// Checks that the ledger is of this feed, and adds columns for new texts.
  func adopt(_ database: borrowing SQLiteDatabase, feed: Feed) throws(DatabaseFault) {
    var origin = try database.prepare("SELECT feed FROM origin")
    let found = try origin.step() ? String(decoding: origin.text(0), as: UTF8.self) : ""
    guard found == feed.name else {
      throw .otherFeed(path: database.path, found: found, wanted: feed.name)
    }
    try origin.reset()
    try database.run(untold)
    for table in ["event", "untold"] { try makeRoom(in: table, database) }
  }

  /// Adds the columns of texts that the table lacks.
  private func makeRoom(in table: String, _ database: borrowing SQLiteDatabase)
    throws(DatabaseFault)
  {
    var kept: Set<String> = []
    var names = try database.prepare(
      "SELECT '\"' || replace(name, '\"', '\"\"') || '\"' FROM pragma_table_info('\(table)')")
    while try names.step() { kept.insert(String(decoding: names.text(0), as: UTF8.self)) }
    try names.reset()
    for name in columns.names where !kept.contains(name) {
      try database.run("ALTER TABLE \(table) ADD COLUMN \(name)")
    }
  }

  private var untold: String {
    """
    CREATE TABLE IF NOT EXISTS untold(
      address INTEGER NOT NULL, old_first INTEGER, old_last INTEGER, first INTEGER, last INTEGER,
      kind INTEGER NOT NULL, year INTEGER NOT NULL, number INTEGER NOT NULL\(columns.list()))
    """
  }

  /// Makes the tables of one night.
  func createTemporary(in database: borrowing SQLiteDatabase) throws(DatabaseFault) {
    try database.run(
      """
      CREATE TEMP TABLE arrival(
        place INTEGER PRIMARY KEY, address INTEGER, first INTEGER, last INTEGER,
        digest INTEGER\(columns.list()));
      CREATE UNIQUE INDEX temp.arrival_days ON arrival(address, first, last);
      CREATE TEMP TABLE refused(address INTEGER PRIMARY KEY);
      CREATE TEMP TABLE change(
        kind INTEGER, address INTEGER, year INTEGER, number INTEGER, sequence INTEGER,
        stamp INTEGER, old_first INTEGER, old_last INTEGER, first INTEGER, last INTEGER,
        place INTEGER);
      """)
  }
}

/// The columns of a feed in its ledger: days and the address as numbers, the others as text.
struct LedgerColumns {
  /// The columns that are stored as text, by their indexes in a row.
  let texts: ContiguousArray<Int>
  /// The names of these columns, as SQL.
  let names: [String]
  /// The indexes of the columns with an event's first day, its last day, and the address's number.
  /// The two days may share one column.
  let firstDay: Int
  let lastDay: Int
  let address: Int
  /// The number of columns in a row.
  let count: Int

  /// Throws ``DatabaseFault/noEvents(feed:)`` if the feed has no events of whole days at numbered
  /// addresses.
  init(_ feed: Feed) throws(DatabaseFault) {
    let table = feed.tables[0]
    let columns = table.columns.map(\.name)
    guard table.keepsLedger, let event = table.event, let address = table.keyNumberIndex,
      let first = columns.firstIndex(of: event.start)
    else { throw .noEvents(feed: feed.name) }
    let last = event.end.flatMap { columns.firstIndex(of: $0) } ?? first
    (firstDay, lastDay, self.address, count) = (first, last, address, table.width)
    texts = ContiguousArray(columns.indices.filter { ![first, last, address].contains($0) })
    names = texts.map { Self.name(columns[$0]) }
  }

  /// A column's name in the ledger, quoted, with a prefix that no column of the ledger itself has.
  private static func name(_ column: String) -> String {
    SQLName.quoted("text_\(column)")
  }

  /// The names as SQL, each after a comma, and qualified with `table` if that is not nil.
  func list(of table: String? = nil) -> String {
    names.map { ", \(table.map { "\($0)." } ?? "")\($0)" }.joined()
  }

  /// Returns a hash of a row's texts, which shows whether they have changed.
  ///
  /// FNV-1a, 64 bits. Ledgers on disk contain it: with another function, all events would get new
  /// time stamps.
  func digest(_ record: borrowing Record) -> Int {
    Int(bitPattern: UInt(record.hash(of: texts)))
  }

  /// Makes a row of a statement's result: the texts from its column `start` on, and the address and
  /// days given here.
  func read(
    _ statement: borrowing SQLiteStatement, textsFrom start: Int, address: Int, first: Day,
    last: Day, into record: inout Record
  ) {
    record.bytes.removeAll()
    statement.read(start, into: texts, of: &record)
    record.set(firstDay, to: first)
    record.set(lastDay, to: last)
    record.keyNumber = UInt64(bitPattern: Int64(address))
    record.set(self.address, toKey: record.keyNumber)
    record.setDays(first, last)
  }
}

/// A ledger's part in one run. It reads the feed's rows, writes the calendars, and is committed
/// after the outputs are published.
///
/// A run that ends without ``commit()`` leaves the ledger as it was.
final class LedgerSession: EventLedger {
  private var run: LedgerRun?
  private let keepsChanges: Bool
  /// Whether events that stand in a calendar are taken over, not refused.
  private let takesOver: Bool
  /// The paths of the calendars that are about to be replaced.
  private var calendars: [String] = []
  /// The day before which a period is past.
  private let today: Day
  /// Whether nothing was ever committed to the ledger.
  let isNew: Bool
  /// The changes since the last run, with those that the last run may not have reported. Known
  /// after ``reconcile(stamp:)``.
  private(set) var changes = LedgerChanges()

  /// Opens the ledger in a folder, which must exist, and begins the run.
  ///
  /// If `keepsChanges` is true, the changes are not reported by this session but by the next one.
  /// If `takesOver` is true, the events that stand in the calendars are taken over.
  init(
    folder: String, feed: Feed, today: Day, keepsChanges: Bool = false, takesOver: Bool = false
  ) throws(PipelineError) {
    self.keepsChanges = keepsChanges
    self.takesOver = takesOver
    self.today = today
    let ledger = try Self.blaming { () throws(DatabaseFault) in
      try Ledger(folder: folder, feed: feed)
    }
    isNew = ledger.isNew
    do throws(DatabaseFault) {
      run = try ledger.begin()
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Makes the branch that reads all rows of the feed.
  func branch() throws(PipelineError) -> Branch {
    let stage = try Self.blaming { () throws(DatabaseFault) in try run?.stage() }
    guard let stage else { preconditionFailure("the session has ended") }
    return Branch(stage)
  }

  /// Reads the calendar that is about to be replaced.
  ///
  /// Throws ``SyncFault/unknownEvents(calendar:count:first:)`` if it has events that the ledger does
  /// not know, and ``SyncFault/otherCalendar(path:feed:)`` if the file is not a calendar of the feed,
  /// unless they are to be taken over.
  func examine(calendar path: String) throws(PipelineError) {
    calendars.append(path)
    guard !takesOver, let found = try run?.strangers(in: path, today: today) else { return }
    if found.author == .other {
      throw PipelineError(sync: .otherCalendar(path: path, feed: run?.feed.name ?? ""))
    }
    if found.count > 0 {
      throw PipelineError(
        sync: .unknownEvents(calendar: path, count: found.count, first: found.first))
    }
  }

  /// Compares the feed with the events known so far.
  func reconcile(stamp: Int) throws(PipelineError) {
    if takesOver {
      try run?.takeOver(calendars, today: today)
    }
    changes = try Self.blaming { () throws(DatabaseFault) in
      guard let changed = try run?.reconcile(today: today, stamp: stamp) else { return changes }
      if keepsChanges {
        try run?.keepChanges()
        return changed
      }
      return changed + (try run?.untold() ?? changes)
    }
  }

  /// Writes and finishes a calendar of the selected events. Returns the column that matched none.
  func writeCalendar(
    _ selection: RowSelection, into calendar: EventCalendar
  ) throws(PipelineError) -> (column: String, nearest: [String])? {
    do {
      return try run?.writeCalendar(selection, into: calendar)
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Writes and finishes the list of changes.
  func writeChanges(
    into output: consuming QueuedOutput<OutputWriter>
  ) throws(PipelineError) {
    do {
      try run?.writeChanges(into: output)
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Writes the new state, so that hardly anything is left for ``commit()``.
  func prepare() throws(PipelineError) {
    do {
      try run?.prepare(isTold: !keepsChanges)
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Ends the run after ``prepare()``: makes the new state permanent.
  func commit() throws(PipelineError) {
    do {
      try run.take()?.commit()
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Runs a body, and makes an error of the ledger of what it throws.
  static func blaming<Result: ~Copyable>(
    _ body: () throws(DatabaseFault) -> Result
  ) throws(PipelineError) -> Result {
    do {
      return try body()
    } catch {
      throw PipelineError(ledger: error)
    }
  }
}

extension PipelineError {
  /// Makes an error of a ledger, or unwraps the error of an output that failed while the ledger was
  /// written to it.
  init(ledger fault: DatabaseFault) {
    if case .output(let error) = fault {
      self = error
    } else {
      self.init(.ledger(fault))
    }
  }
}
