/// Writes the rows of one table into an output database.
///
/// Throws ``FeedFault/sameKey(table:key:)`` where two rows have one key, and
/// ``FeedFault/notStorable(table:column:value:)`` where a number is none that SQLite can hold.
struct TableEncoder: RecordStage, ~Copyable {
  private let database: OutputDatabase
  private let schema: TableSchema
  private let keyColumns: [Int]
  /// Columns whose numbers SQLite may not hold.
  private let numberColumns: [Int]
  /// A record could not be read: it may be any row, and none can be said to be gone.
  private var hasRefused = false
  private var insert: SQLiteStatement
  private var insertSeen: SQLiteStatement?
  /// What went wrong where nothing can be thrown.
  private var failure: PipelineError?

  init(_ schema: TableSchema, into database: OutputDatabase) throws(PipelineError) {
    try database.add(schema)
    // Both first: a struct that cannot be copied is made at once or not at all.
    let insert = try database.insert(schema)
    let insertSeen = try database.insertSeen(schema)
    self.database = database
    self.schema = schema
    keyColumns = schema.table.key.compactMap { schema.columns.firstIndex(of: $0) }
    numberColumns = schema.rules.indices.filter {
      schema.rules[$0] == .integer || schema.rules[$0] == .decimal
    }
    self.insert = insert
    self.insertSeen = insertSeen
  }

  mutating func write(_ record: borrowing Record) throws(PipelineError) {
    if let failure { throw failure }
    for column in numberColumns
    where !SQLiteNumber.holds(record.text(column), schema.rules[column]) {
      throw PipelineError(
        .normalize(
          .notStorable(
            table: schema.table.name, column: schema.columns[column],
            value: String(decoding: record.text(column), as: UTF8.self))))
    }
    do throws(DatabaseFault) {
      try see(record)
    } catch {
      throw blame(error, record)
    }
    do throws(DatabaseFault) {
      for column in schema.columns.indices {
        let text = record.text(column)
        if schema.rules[column] == .flag, text.count > 0 {
          try insert.bind(column + 1, text.count == 4 ? 1 : 0)
        } else {
          try insert.bind(column + 1, text)
        }
      }
      try insert.run()
    } catch {
      // A merge has taken note of the key: what is refused now breaks a rule of the user's.
      throw database.isMerge
        ? PipelineError(sink: .database(error, isMerge: true)) : blame(error, record)
    }
  }

  mutating func passOver(_ record: borrowing Record) {
    do throws(DatabaseFault) {
      try see(record)
    } catch {
      failure = failure ?? blame(error, record)
    }
  }

  mutating func refuse(address: UInt64?) { hasRefused = true }

  consuming func finish() throws(PipelineError) {
    if let failure { throw failure }
    if !hasRefused { database.setWhole(schema) }
  }

  /// Takes note of a key.
  private mutating func see(_ record: borrowing Record) throws(DatabaseFault) {
    guard insertSeen != nil else { return }
    for (place, column) in keyColumns.enumerated() {
      try insertSeen?.bind(place + 1, record.text(column))
    }
    try insertSeen?.run()
  }

  private func blame(_ fault: DatabaseFault, _ record: borrowing Record) -> PipelineError {
    guard fault.isRepeatedKey, !keyColumns.isEmpty else {
      return PipelineError(sink: .database(fault, isMerge: database.isMerge))
    }
    let key = keyColumns.map { String(decoding: record.text($0), as: UTF8.self) }
    return PipelineError(.normalize(.sameKey(table: schema.table.name, key: key)))
  }
}
