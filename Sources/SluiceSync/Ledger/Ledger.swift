import Glibc
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
  private let isNew: Bool
  private let version: Int

  /// Opens the ledger in a folder, or makes an empty one. Throws if the file is damaged, is not a
  /// ledger or has a later version.
  init(folder: String, feed: Feed) throws(DatabaseFault) {
    let schema = LedgerSchema(columns: try LedgerColumns(feed))
    let database = try SQLiteDatabase(path: "\(folder)/\(Self.name)")
    try database.run("PRAGMA cell_size_check = ON")
    let isNew = try Self.examine(database)
    let version = try database.integer("PRAGMA user_version")
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
    self.version = version
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
    try database.check()
    return false
  }

  /// Begins a run. Reads the whole ledger and checks it.
  ///
  /// Throws ``DatabaseFault/otherFeed(path:found:wanted:)`` if the ledger is of another feed, and
  /// ``DatabaseFault/corrupt(path:detail:)`` if a value is not one that a run writes, or if the
  /// content is not what the last run has sealed.
  consuming func begin() throws(DatabaseFault) -> LedgerRun {
    try database.run("BEGIN IMMEDIATE")
    var adoption = LedgerSchema.Adoption(isChanged: isNew)
    if isNew {
      try schema.create(in: database, feed: feed)
    } else {
      do throws(DatabaseFault) {
        adoption = try schema.adopt(database, feed: feed, version: version)
      } catch {
        // The queries are right: if SQLite refuses one, a name in the schema is damaged.
        guard case .refused(let path, _, let detail) = error else { throw error }
        throw .corrupt(path: path, detail: detail)
      }
    }
    try schema.createTemporary(in: database)
    return LedgerRun(
      database, feed: feed, columns: schema.columns, isNew: isNew, adoption: adoption)
  }

  /// Renames a damaged ledger, so that the next run makes a new one. Its new name ends in
  /// `.damaged`, or `.damaged-2` and so on. Nothing is deleted. The ledger must not be open.
  static func setAside(in folder: String) throws(DatabaseFault) {
    let path = "\(folder)/\(name)"
    func exists(_ path: String) -> Bool {
      FileStatus(path: Array(path.utf8CString), followingLinks: false) != nil
    }
    var target = "\(path).damaged"
    var number = 1
    while exists(target) || exists("\(target)-wal") {
      number += 1
      target = "\(path).damaged-\(number)"
    }
    // The journal first: without its database nobody would read it.
    for suffix in ["-wal", "-shm", ""] where exists(path + suffix) {
      guard rename(path + suffix, target + suffix) == 0 else {
        throw .access(path: path, errno: errno)
      }
    }
  }
}
