import CSQLite
import Glibc

/// Owns an open SQLite database.
///
/// What is neither committed nor rolled back when it is destroyed is rolled back. Statements may
/// outlive it: SQLite closes the file with the last of them.
struct SQLiteDatabase: ~Copyable {
  private let handle: OpaquePointer
  /// The path for errors.
  let path: String

  /// Opens a file, or creates it. Waits at most five seconds for a file that is locked. Errors name
  /// the file as `shown`, where that is given.
  init(path: String, as shown: String? = nil) throws(DatabaseFault) {
    // A relative path could be taken for a URI otherwise.
    let name = path.hasPrefix("/") ? path : "./\(path)"
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_EXRESCODE, nil)
    let path = shown ?? path
    guard let opened else { throw .open(path: path, errno: ENOMEM) }
    guard code == SQLITE_OK else {
      let fault = DatabaseFault(opened, code, path: path)
      sqlite3_close_v2(opened)
      throw fault
    }
    handle = opened
    self.path = path
    sqlite3_busy_timeout(handle, 5000)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements that give no rows.
  func run(_ sql: String) throws(DatabaseFault) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseFault(handle, code, path: path) }
  }

  /// Makes one statement ready.
  func prepare(_ sql: String) throws(DatabaseFault) -> SQLiteStatement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw DatabaseFault(handle, code, path: path) }
    return SQLiteStatement(statement, path: path)
  }

  /// The first value of a statement's first row; 0 where it gives none.
  func integer(_ sql: String) throws(DatabaseFault) -> Int {
    var statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }
}

extension DatabaseFault {
  /// What the last failed call on a connection means.
  init(_ connection: OpaquePointer?, _ code: Int32, path: String) {
    let detail = String(cString: sqlite3_errmsg(connection))
    let number = sqlite3_system_errno(connection)
    switch code & 0xFF {
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt(path: path, detail: detail)
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked(path: path)
    case SQLITE_CANTOPEN, SQLITE_PERM: self = .open(path: path, errno: number)
    case SQLITE_FULL: self = .access(path: path, errno: number == 0 ? ENOSPC : number)
    // A file system that is read-only has refused the lock before: what is left are permissions.
    case SQLITE_READONLY: self = .access(path: path, errno: number == 0 ? EACCES : number)
    case SQLITE_NOMEM: self = .access(path: path, errno: ENOMEM)
    case SQLITE_IOERR: self = .access(path: path, errno: number == 0 ? EIO : number)
    default: self = .refused(path: path, code: code, detail: detail)
    }
  }
}
