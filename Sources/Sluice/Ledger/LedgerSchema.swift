/// The tables of a ledger.
///
///     event        what is published or was, an event a row: live while `cancelled` is NULL, else
///                  since that day no longer. An address has the same days only once.
///     next_number  what number the next event of an address and year gets; outlives the events
///     origin       the feed's name
///     untold       changes of a run that was cut off before it could commit: their list may never
///                  have been published
///
///     arrival      (temporary) the rows of this night's feed, in feed order
///     refused      (temporary) the addresses of which this night's feed has unreadable records
///     change       (temporary) what is different tonight
///
/// An address is its 64-bit number, read as signed; days count from 1970-01-01, stamps are seconds
/// since then. The feed's texts are columns of their own, behind `text_`.
struct LedgerSchema {
  /// The schema's number. One more for each change that an older program would misread.
  static let version = 1
  /// `slgr`: tells a ledger from other databases.
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

  /// Checks that the ledger is this feed's, and makes room for texts that it does not have yet.
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

  /// Adds the columns of texts that a table does not have yet.
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
