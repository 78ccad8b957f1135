/// Opens the ledger of a feed: for every address the periods that it has seen.
///
/// The ledger knows the whole feed; filters apply on the way out. A run is one transaction:
///
///     Ledger(folder:feed:) ─▶ begin() ─▶ stage() ◀─ all rows of the feed, finish()
///                                    ─▶ reconcile(today:stamp:)
///                                    ─▶ writeCalendar(…), writeChanges(…): then rename the outputs
///                                    ─▶ commit()
///
/// What is not committed never was: after a process that died between the renames and the commit
/// the old state is there, and from the old state, the same rows, day and stamp come the same
/// bytes. So `sync` heals it: by the same rows, before it takes new ones.
struct Ledger: ~Copyable {
  /// The name of the file.
  static let name = "ledger.sqlite"

  private let database: SQLiteDatabase
  private let feed: Feed
  private let schema: LedgerSchema
  /// Nothing was ever committed to it.
  let isNew: Bool

  /// Opens the ledger in a folder, or makes an empty one; checks that it is whole.
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

  /// Tells whether the file is new, that is, empty.
  private static func examine(_ database: borrowing SQLiteDatabase) throws(DatabaseFault) -> Bool {
    let version = try database.integer("PRAGMA user_version")
    let application = try database.integer("PRAGMA application_id")
    if application != LedgerSchema.applicationID {
      guard try database.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
        throw .notALedger(path: database.path)
      }
      // SQLite takes what is shorter than its smallest page for nothing at all.
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

  /// Begins a run.
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
