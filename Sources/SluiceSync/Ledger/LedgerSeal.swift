import Sluice

/// What shows that a ledger is as the last run has left it: one fingerprint of its tables'
/// definitions, and one of all their rows.
///
/// SQLite notices damage of the structure, but not of the values. So a run writes the seal together
/// with its changes, and the next one computes it again from what it reads. Rows are a set: their
/// order in the file does not matter.
///
/// Every value has a kind and a range. Those of ledgers of version 1, which have no seal, are
/// checked too.
struct LedgerSeal: Equatable {
  private let schema: String
  private let content: String

  /// The definition of the seal's own table, which has one row.
  static let table =
    "CREATE TABLE IF NOT EXISTS seal(schema TEXT NOT NULL, content TEXT NOT NULL)"

  /// Reads all tables. Throws ``DatabaseFault/corrupt(path:detail:)`` if a value is not one that a
  /// run writes.
  init(reading database: borrowing SQLiteDatabase) throws(DatabaseFault) {
    var bytes = ByteBuffer(capacity: 1024)
    var schema = SetFingerprint()
    var names: Set<String> = []
    var definitions = try database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    while try definitions.step() {
      bytes.removeAll()
      guard definitions.appendRow(numbers: 0, to: &bytes) == nil else {
        throw .corrupt(path: database.path, detail: "bad value in sqlite_schema")
      }
      schema.insert(bytes)
      names.insert(String(decoding: definitions.text(1), as: UTF8.self))
    }
    var content = SetFingerprint()
    for table in LedgerTable.all where !table.isLater || names.contains(table.name) {
      var rows = try database.prepare("SELECT * FROM \(table.name)")
      while try rows.step() {
        bytes.removeAll()
        bytes.append(string: "\(table.name):")
        if let column = table.append(rows, to: &bytes) {
          throw .corrupt(
            path: database.path, detail: "bad value in \(table.name).\(rows.columnName(column))")
        }
        content.insert(bytes)
      }
    }
    self.schema = "\(schema)"
    self.content = "\(content)"
  }

  /// Reads the seal that the last run has written; an empty one if it is missing.
  init(storedIn database: borrowing SQLiteDatabase) throws(DatabaseFault) {
    var row = try database.prepare("SELECT schema, content FROM seal")
    let exists = try row.step()
    schema = exists ? String(decoding: row.text(0), as: UTF8.self) : ""
    content = exists ? String(decoding: row.text(1), as: UTF8.self) : ""
  }

  /// Writes the seal in the place of an earlier one.
  func write(to database: borrowing SQLiteDatabase) throws(DatabaseFault) {
    try database.run(
      "DELETE FROM seal; INSERT INTO seal VALUES('\(schema)', '\(content)')")
  }
}

/// The values that a table of a ledger may have: first some numbers, then texts.
private struct LedgerTable {
  /// A column of numbers, with the smallest and the largest one.
  struct Column {
    let name: String
    let range: ClosedRange<Int>
    var isOptional = false
  }

  let name: String
  let columns: [Column]
  /// Whether an older ledger may lack the table.
  var isLater = false

  private static let any = Int.min...Int.max
  private static let years = 1...9999
  private static let counts = 1...(1 << 53)

  static let all = [
    LedgerTable(
      name: "event",
      columns: [
        Column(name: "address", range: any), Column(name: "first", range: LedgerRun.days),
        Column(name: "last", range: LedgerRun.days), Column(name: "year", range: years),
        Column(name: "number", range: counts),
        // RFC 5545, section 3.3.8.
        Column(name: "sequence", range: 0...Int(Int32.max)),
        Column(name: "stamp", range: LedgerRun.stamps),
        Column(name: "cancelled", range: LedgerRun.days, isOptional: true),
        Column(name: "digest", range: any),
      ]),
    LedgerTable(
      name: "next_number",
      columns: [
        Column(name: "address", range: any), Column(name: "year", range: years),
        Column(name: "next", range: counts),
      ]),
    LedgerTable(
      name: "next_of_year",
      columns: [Column(name: "year", range: years), Column(name: "next", range: counts)],
      isLater: true),
    LedgerTable(
      name: "moved",
      columns: [
        Column(name: "address", range: any), Column(name: "year", range: years),
        Column(name: "number", range: counts), Column(name: "first", range: LedgerRun.days),
        Column(name: "last", range: LedgerRun.days),
      ],
      isLater: true),
    LedgerTable(
      name: "untold",
      columns: [
        Column(name: "address", range: any),
        Column(name: "old_first", range: LedgerRun.days, isOptional: true),
        Column(name: "old_last", range: LedgerRun.days, isOptional: true),
        Column(name: "first", range: LedgerRun.days, isOptional: true),
        Column(name: "last", range: LedgerRun.days, isOptional: true),
        Column(name: "kind", range: ChangeKind.new.rawValue...ChangeKind.restored.rawValue),
        Column(name: "year", range: years), Column(name: "number", range: counts),
      ]),
    LedgerTable(name: "origin", columns: []),
  ]

  /// Appends the current row. Returns a column that does not have the right name, kind or range;
  /// nil if all have.
  func append(_ row: borrowing SQLiteStatement, to bytes: inout ByteBuffer) -> Int? {
    guard row.columnCount >= columns.count else { return 0 }
    if let column = row.appendRow(numbers: columns.count, to: &bytes) { return column }
    for index in columns.indices {
      guard let number = row.optionalInteger(index) else {
        if columns[index].isOptional { continue }
        return index
      }
      guard columns[index].range.contains(number) else { return index }
    }
    return nil
  }
}
