import Sluice

/// The tables of a ledger.
///
///     event        present and past events, one a row: live while `cancelled` is NULL, otherwise
///                  cancelled on that day. An address has the same days only once.
///     next_number  the number of the next event of an address and year. It outlives the events:
///                  ``LedgerNumbers``
///     next_of_year the same for years gone by, of all addresses together
///     moved        the days that an event had before its last move, for what a site tells about it
///     origin       the feed's name, and what makes its addresses and events: ``LedgerOrigin``
///     untold       changes of a run that was interrupted before its commit: their list may never
///                  have been published
///     seal         fingerprints of all the above, written with each change: ``LedgerSeal``
///
///     arrival      (temporary) the rows of this night's feed, in feed order
///     refused      (temporary) the addresses with unreadable records in this night's feed
///     change       (temporary) the differences of this night
///
/// An address is stored as its 64-bit number, read as signed. Days are counted from 1970-01-01,
/// stamps are seconds since then. Each text of the feed has a column of its own, with the prefix
/// `text_`.
struct LedgerSchema {
  /// The schema's number. It rises by one with each change that an older program would misread.
  static let version = 2
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
      \(nextOfYear);
      \(moved);
      CREATE TABLE origin(feed TEXT NOT NULL, document TEXT);
      \(untold);
      \(LedgerSeal.table);
      PRAGMA application_id = \(Self.applicationID);
      PRAGMA user_version = \(Self.version);
      """)
    var origin = try database.prepare("INSERT INTO origin VALUES(?, ?)")
    try Self.run(&origin, feed.name, LedgerOrigin(feed).text)
  }

  /// Runs a statement with two texts.
  private static func run(
    _ statement: inout SQLiteStatement, _ first: String, _ second: String
  ) throws(DatabaseFault) {
    try first.utf8Span.span.bytes.withUnsafeBytes { (first) throws(DatabaseFault) in
      try second.utf8Span.span.bytes.withUnsafeBytes { (second) throws(DatabaseFault) in
        try statement.bind(1, first)
        try statement.bind(2, second)
        try statement.run()
      }
    }
  }

  /// What a run finds in a ledger when it adopts it.
  struct Adoption {
    /// Whether anything was changed.
    var isChanged = false
    /// What makes other addresses or events than before: ``LedgerOrigin/differences(from:)``.
    var differences: [String] = []
  }

  /// Checks the ledger, brings it to this version, and adds columns for new texts.
  func adopt(
    _ database: borrowing SQLiteDatabase, feed: Feed, version: Int
  ) throws(DatabaseFault) -> Adoption {
    var origin = try database.prepare("SELECT feed FROM origin")
    let found = try origin.step() ? String(decoding: origin.text(0), as: UTF8.self) : ""
    guard found == feed.name else {
      throw .otherFeed(path: database.path, found: found, wanted: feed.name)
    }
    try origin.reset()
    let hasSeal =
      try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'seal'") != 0
    guard version >= 1, hasSeal == (version == Self.version) else {
      throw .corrupt(path: database.path, detail: "version \(version) does not match its tables")
    }
    if version < Self.version {
      try database.run(
        """
        \(untold); \(LedgerSeal.table); ALTER TABLE origin ADD COLUMN document TEXT;
        PRAGMA user_version = \(Self.version);
        """)
    }
    let seal = try LedgerSeal(reading: database)
    if version == Self.version, try seal != LedgerSeal(storedIn: database) {
      throw .corrupt(path: database.path, detail: "the content does not match its seal")
    }
    var adoption = Adoption(isChanged: version < Self.version)
    // An earlier run knew no such table. If one had been lost, the seal would not match.
    for (table, definition) in [("next_of_year", nextOfYear), ("moved", moved)]
    where try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = '\(table)'") == 0 {
      try database.run(definition)
      adoption.isChanged = true
    }
    for table in ["event", "untold"] where try makeRoom(in: table, database) {
      adoption.isChanged = true
    }
    try adoptDocument(database, feed, &adoption)
    return adoption
  }

  /// Compares what makes addresses and events with what the ledger has kept, and keeps the new.
  private func adoptDocument(
    _ database: borrowing SQLiteDatabase, _ feed: Feed, _ adoption: inout Adoption
  ) throws(DatabaseFault) {
    var row = try database.prepare("SELECT document FROM origin")
    let kept = try row.step() ? String(decoding: row.text(0), as: UTF8.self) : ""
    try row.reset()
    let origin = LedgerOrigin(feed)
    guard kept != origin.text else { return }
    adoption.isChanged = true
    if !kept.isEmpty { adoption.differences = origin.differences(from: kept) }
    var update = try database.prepare("UPDATE origin SET feed = ?, document = ?")
    try Self.run(&update, feed.name, origin.text)
  }

  /// Adds the columns of texts that the table lacks. Returns whether there were any.
  private func makeRoom(in table: String, _ database: borrowing SQLiteDatabase)
    throws(DatabaseFault) -> Bool
  {
    var kept: Set<String> = []
    var names = try database.prepare(
      "SELECT '\"' || replace(name, '\"', '\"\"') || '\"' FROM pragma_table_info('\(table)')")
    while try names.step() { kept.insert(String(decoding: names.text(0), as: UTF8.self)) }
    try names.reset()
    let missing = columns.names.filter { !kept.contains($0) }
    for name in missing { try database.run("ALTER TABLE \(table) ADD COLUMN \(name)") }
    return !missing.isEmpty
  }

  private var nextOfYear: String {
    "CREATE TABLE next_of_year(year INTEGER PRIMARY KEY, next INTEGER NOT NULL)"
  }

  private var moved: String {
    """
    CREATE TABLE moved(
      address INTEGER NOT NULL, year INTEGER NOT NULL, number INTEGER NOT NULL,
      first INTEGER NOT NULL, last INTEGER NOT NULL,
      PRIMARY KEY(address, year, number)) WITHOUT ROWID
    """
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
