import CSQLite
import Glibc

/// Owns a prepared statement of a ``SQLiteDatabase``.
///
/// Parameters are counted from 1, columns from 0, as SQLite counts them.
struct SQLiteStatement: ~Copyable {
  private let handle: OpaquePointer
  private let path: String

  init(_ handle: OpaquePointer, path: String) {
    self.handle = handle
    self.path = path
  }

  deinit { sqlite3_finalize(handle) }

  /// Gives a parameter a number.
  @inline(__always)
  mutating func bind(_ parameter: Int, _ value: Int) throws(DatabaseFault) {
    try check(sqlite3_bind_int64(handle, Int32(parameter), Int64(value)))
  }

  /// Gives a parameter a number, or NULL.
  mutating func bind(_ parameter: Int, _ value: Int?) throws(DatabaseFault) {
    if let value {
      try bind(parameter, value)
    } else {
      try check(sqlite3_bind_null(handle, Int32(parameter)))
    }
  }

  /// Gives a parameter a text, an empty one as NULL. The text is not copied: it must live until the
  /// statement has run.
  @inline(__always)
  mutating func bind(_ parameter: Int, _ text: UnsafeRawBufferPointer) throws(DatabaseFault) {
    if text.count == 0 {
      try check(sqlite3_bind_null(handle, Int32(parameter)))
    } else {
      try check(
        sqlite3_bind_text64(
          handle, Int32(parameter), text.baseAddress?.assumingMemoryBound(to: CChar.self),
          UInt64(text.count), nil, UInt8(SQLITE_UTF8)))
    }
  }

  /// Goes on to the next row and tells whether there is one.
  @inline(__always)
  mutating func step() throws(DatabaseFault) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw fault(code)
    }
  }

  /// Runs a statement that gives no rows, and makes it ready to run again.
  @inline(__always)
  mutating func run() throws(DatabaseFault) {
    while try step() {}
    try check(sqlite3_reset(handle))
  }

  /// Makes the statement ready to run again.
  mutating func reset() throws(DatabaseFault) { try check(sqlite3_reset(handle)) }

  /// A number of the row in hand; 0 for NULL.
  @inline(__always)
  func integer(_ column: Int) -> Int { Int(sqlite3_column_int64(handle, Int32(column))) }

  /// A number of the row in hand; nil for NULL.
  func optionalInteger(_ column: Int) -> Int? {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL ? nil : integer(column)
  }

  /// A text of the row in hand, empty for NULL; valid until the next step.
  @inline(__always)
  func text(_ column: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_text(handle, Int32(column))
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  @inline(__always)
  private func check(_ code: Int32) throws(DatabaseFault) {
    guard code == SQLITE_OK else { throw fault(code) }
  }

  private func fault(_ code: Int32) -> DatabaseFault {
    DatabaseFault(sqlite3_db_handle(handle), code, path: path)
  }
}
