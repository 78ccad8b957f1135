import CLibraries
import CSluice
import Glibc

/// Owns an open SQLite database.
///
/// An open transaction is rolled back when the database is destroyed. Statements may outlive it:
/// SQLite closes the file with the last of them.
package struct SQLiteDatabase: ~Copyable {
  private let handle: OpaquePointer
  /// The path for errors.
  package let path: String

  /// Opens a file, or creates it. Waits at most five seconds for a locked file. Throws
  /// ``DatabaseFault`` if it cannot be opened.
  package init(path: String) throws(DatabaseFault) {
    // A relative path could be taken for a URI otherwise.
    let name = path.hasPrefix("/") ? path : "./\(path)"
    try self.init(Array(name.utf8CString), SQLITE_OPEN_CREATE, path: path)
  }

  /// Opens the file at an absolute path in which there is no link. Errors name the file `shown`.
  /// Otherwise like `init(path:)`.
  init(existing path: [CChar], as shown: String) throws(DatabaseFault) {
    try self.init(path, SQLITE_OPEN_NOFOLLOW, path: shown)
  }

  private init(_ name: [CChar], _ flags: Int32, path: String) throws(DatabaseFault) {
    var opened: OpaquePointer?
    let flags = flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(name, &opened, flags, nil)
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

  /// Runs statements that return no rows. Throws ``DatabaseFault`` if one fails.
  package func run(_ sql: String) throws(DatabaseFault) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseFault(handle, code, path: path) }
  }

  /// Takes the file for one that anybody may have made: its schema calls no functions and no
  /// virtual tables with side effects, and damaged pages are noticed when they are read. Throws
  /// ``DatabaseFault`` if SQLite does not accept that.
  func distrust() throws(DatabaseFault) {
    let code = clibraries_defend(handle)
    guard code == SQLITE_OK else { throw DatabaseFault(handle, code, path: path) }
    try run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
  }

  /// Checks the structure of all pages. Throws ``DatabaseFault/corrupt(path:detail:)`` with the
  /// first damage, and other faults if the file cannot be read.
  package func check() throws(DatabaseFault) {
    var check = try prepare("PRAGMA quick_check(1)")
    let answer = try check.step() ? String(decoding: check.text(0), as: UTF8.self) : ""
    guard answer == "ok" else { throw .corrupt(path: path, detail: answer) }
  }

  /// Writes the changes of the open transaction to the disk, as far as they are not in use. The
  /// transaction stays open. After this, its commit needs hardly any room.
  package func flush() throws(DatabaseFault) {
    let code = sqlite3_db_cacheflush(handle)
    // A page in use, or a lock that somebody holds, is left for the commit.
    guard code == SQLITE_OK || code == SQLITE_BUSY else {
      throw DatabaseFault(handle, code, path: path)
    }
    try reserveRoom()
  }

  /// Reserves room on the disk for the last pages of a commit, behind the log of this transaction.
  private func reserveRoom() throws(DatabaseFault) {
    let log = open("\(path)-wal", O_WRONLY | O_CLOEXEC)
    guard log >= 0 else { return }
    defer { close(log) }
    guard let size = FileStatus(descriptor: log)?.size, size > 0 else { return }
    // SQLite locks another file, so closing this one releases no lock.
    let code = cposix_reserve_room(log, off_t(size), 64 << 10)
    guard code == 0 else { throw .access(path: path, errno: code) }
  }

  /// Prepares one statement. Throws ``DatabaseFault`` if SQLite does not accept it.
  package func prepare(_ sql: String) throws(DatabaseFault) -> SQLiteStatement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw DatabaseFault(handle, code, path: path) }
    return SQLiteStatement(statement, path: path)
  }

  /// Returns the size in bytes that the database has in the open transaction, with its temporary
  /// tables. Throws ``DatabaseFault`` if SQLite fails.
  package func size() throws(DatabaseFault) -> Int {
    let pages = try integer("PRAGMA page_count")
    return try pages * integer("PRAGMA page_size")
      + integer("PRAGMA temp.page_count") * integer("PRAGMA temp.page_size")
  }

  /// Returns the first value of a statement's first row; 0 if it has no rows. Throws
  /// ``DatabaseFault`` if the statement fails.
  package func integer(_ sql: String) throws(DatabaseFault) -> Int {
    var statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }
}

extension DatabaseFault {
  /// Makes a fault from the last failed call on a connection. `code` is its result.
  init(_ connection: OpaquePointer?, _ code: Int32, path: String) {
    let detail = String(cString: sqlite3_errmsg(connection))
    let number = sqlite3_system_errno(connection)
    switch code & 0xFF {
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt(path: path, detail: detail)
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked(path: path)
    case SQLITE_CANTOPEN, SQLITE_PERM: self = .open(path: path, errno: number)
    case SQLITE_FULL: self = .access(path: path, errno: number == 0 ? ENOSPC : number)
    // On a read-only file system the lock would have failed before this. So permissions are the
    // cause.
    case SQLITE_READONLY: self = .access(path: path, errno: number == 0 ? EACCES : number)
    case SQLITE_NOMEM: self = .access(path: path, errno: ENOMEM)
    case SQLITE_ERROR where detail.hasPrefix("unsafe use of "):
      self = .distrusted(path: path, detail: detail)
    case SQLITE_IOERR: self = .access(path: path, errno: number == 0 ? EIO : number)
    default: self = .refused(path: path, code: code, detail: detail)
    }
  }
}

/// Owns a prepared statement of a ``SQLiteDatabase``.
///
/// Parameters are counted from 1, columns from 0, as in SQLite. A method that throws passes on
/// SQLite's error as a ``DatabaseFault``.
package struct SQLiteStatement: ~Copyable {
  private let handle: OpaquePointer
  private let path: String

  init(_ handle: OpaquePointer, path: String) {
    self.handle = handle
    self.path = path
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds a number to a parameter.
  @inline(__always)
  package mutating func bind(_ parameter: Int, _ value: Int) throws(DatabaseFault) {
    try check(sqlite3_bind_int64(handle, Int32(parameter), Int64(value)))
  }

  /// Binds a number to a parameter; nil is NULL.
  package mutating func bind(_ parameter: Int, _ value: Int?) throws(DatabaseFault) {
    if let value {
      try bind(parameter, value)
    } else {
      try check(sqlite3_bind_null(handle, Int32(parameter)))
    }
  }

  /// Binds a text to a parameter; an empty one is NULL. The text is not copied, so it must live
  /// until the statement has run.
  @inline(__always)
  package mutating func bind(_ parameter: Int, _ text: UnsafeRawBufferPointer) throws(DatabaseFault)
  {
    if text.count == 0 {
      try check(sqlite3_bind_null(handle, Int32(parameter)))
    } else {
      try check(
        sqlite3_bind_text64(
          handle, Int32(parameter), text.baseAddress?.assumingMemoryBound(to: CChar.self),
          UInt64(text.count), nil, UInt8(SQLITE_UTF8)))
    }
  }

  /// Advances to the next row. Returns false if there is none.
  @inline(__always)
  package mutating func step() throws(DatabaseFault) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw fault(code)
    }
  }

  /// Runs a statement that returns no rows, and makes it ready to run again.
  @inline(__always)
  package mutating func run() throws(DatabaseFault) {
    while try step() {}
    try check(sqlite3_reset(handle))
  }

  /// Makes the statement ready to run again.
  package mutating func reset() throws(DatabaseFault) { try check(sqlite3_reset(handle)) }

  /// Returns a number of the current row; 0 for NULL.
  @inline(__always)
  package func integer(_ column: Int) -> Int { Int(sqlite3_column_int64(handle, Int32(column))) }

  /// Returns a number of the current row; nil for NULL.
  package func optionalInteger(_ column: Int) -> Int? {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL ? nil : integer(column)
  }

  /// Returns a text of the current row, valid until the next step; empty for NULL.
  @inline(__always)
  package func text(_ column: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_text(handle, Int32(column))
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  /// Appends the values of the current row, each with its place, so that two rows are equal exactly
  /// if their bytes are. NULL is omitted. The first `numbers` columns must be whole numbers, the
  /// others texts in well-formed UTF-8. Returns the first column that is not; nil if all are.
  package func appendRow(numbers: Int, to bytes: inout ByteBuffer) -> Int? {
    for column in 0..<Int(sqlite3_column_count(handle)) {
      switch sqlite3_column_type(handle, Int32(column)) {
      case SQLITE_NULL: continue
      case SQLITE_INTEGER where column < numbers:
        bytes.append(wordOf: column)
        bytes.append(wordOf: integer(column))
      case SQLITE_TEXT where column >= numbers:
        let text = text(column)
        guard UTF8Encoding.isWellFormed(text) else { return column }
        bytes.append(wordOf: column)
        bytes.append(wordOf: text.count)
        bytes.append(text)
      default: return column
      }
    }
    return nil
  }

  /// The number of columns of a row, and the name of a column.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }
  package func columnName(_ column: Int) -> String {
    sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? ""
  }

  /// Binds texts of a row to the parameters from `parameter` on. They must live until the statement
  /// has run.
  package mutating func bind(
    _ parameter: Int, _ columns: ContiguousArray<Int>, of record: borrowing Record
  ) throws(DatabaseFault) {
    for index in columns.indices { try bind(parameter + index, record.text(columns[index])) }
  }

  /// Reads texts of the current row, from `column` on, into columns of a record.
  package func read(_ column: Int, into columns: ContiguousArray<Int>, of record: inout Record) {
    for index in columns.indices {
      let start = record.bytes.count
      record.bytes.append(text(column + index))
      record.setText(columns[index], from: start)
    }
  }

  @inline(__always)
  private func check(_ code: Int32) throws(DatabaseFault) {
    guard code == SQLITE_OK else { throw fault(code) }
  }

  private func fault(_ code: Int32) -> DatabaseFault {
    DatabaseFault(sqlite3_db_handle(handle), code, path: path)
  }
}

/// Writes names of tables and columns.
package enum SQLName {
  /// Returns a name in quotes: so SQL accepts any name.
  package static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// Returns a text as a literal.
  static func literal(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}

/// Tells which numbers SQLite can hold: 64-bit integers and 8-byte floats. It silently stores other
/// numbers as the nearest float.
enum SQLiteNumber {
  /// Returns whether SQLite can store a number, given as its JSON text: a whole number exactly, a
  /// decimal as the nearest float. An empty text can be stored too.
  static func holds(_ text: UnsafeRawBufferPointer, _ kind: ColumnKind) -> Bool {
    if kind == .integer {
      // 18 digits always fit.
      return text.count <= 18 || Int(String(decoding: text, as: UTF8.self)) != nil
    }
    // The greatest float has 309 digits.
    let hasExponent = text.contains { $0 | 0x20 == UInt8(ascii: "e") }
    guard hasExponent || text.count > 308 else { return true }
    return Double(String(decoding: text, as: UTF8.self))?.isFinite ?? false
  }
}
