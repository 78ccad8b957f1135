import Glibc

/// Writes the tables of a feed into one SQLite file: a new one, or an old one to which a user may
/// have added things.
///
///     begin ─▶ add tables, write rows ─▶ finish() ─▶ a new file is published with the others
///                                                ╰▶ a merge: commit() once those are
///
/// A new file is written without a journal, beside its target, so it is complete or does not exist.
/// A merge is one transaction. It is rolled back unless it is committed. The file is checked before
/// it. Its triggers run, but they may not use what SQLite takes for unsafe.
final class OutputDatabase {
  private let database: SQLiteDatabase
  let isMerge: Bool
  private let views: [View]
  /// The size of the file before the run, in bytes.
  private let sizeBefore: Int
  private var schemas: [TableSchema] = []
  /// The names of the tables for which all rows have come. Rows of theirs that did not come are
  /// deleted.
  private var whole: Set<String> = []

  /// Opens a file, called `shown` in errors, and begins. Throws ``SinkFault/changed(path:)`` if
  /// the path leads to another file by now, and other errors if opening fails.
  init(
    _ file: PlacedFile, as shown: String, views: [View], isMerge: Bool
  ) throws(PipelineError) {
    self.isMerge = isMerge
    self.views = views
    let before = file.place.openDescriptors
    do throws(DatabaseFault) {
      database = try SQLiteDatabase(existing: file.path, as: shown)
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
    // SQLite opens by the path. In a folder that others may write, that can be any file by now.
    guard file.place.openDescriptors > before else {
      throw PipelineError(sink: .changed(path: shown))
    }
    do throws(DatabaseFault) {
      if isMerge { try database.distrust() }
      // References are checked at the end, when all rows are there. Deletions have to cascade.
      try database.run(
        isMerge
          ? "PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON"
          : """
          PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA cache_size = -4000; PRAGMA foreign_keys = OFF; BEGIN EXCLUSIVE
          """)
      // A merge into a damaged file could go well, and leave it damaged.
      if isMerge { try database.check() }
      sizeBefore = isMerge ? try database.size() : 0
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }

  /// Creates a table unless it exists. A merge also adds the columns that an older one lacks.
  /// Throws if this fails.
  func add(_ schema: TableSchema) throws(PipelineError) {
    schemas.append(schema)
    do throws(DatabaseFault) {
      try database.run(schema.create)
      guard isMerge else { return }
      try database.run(schema.addColumns(except: try columns(of: schema)))
      try database.run(schema.createSeen)
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }

  /// Prepares the statement that writes a row of a table. Throws if this fails.
  func insert(_ schema: TableSchema) throws(PipelineError) -> SQLiteStatement {
    do {
      return try database.prepare(schema.insert(isMerge: isMerge))
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }

  /// Prepares the statement that notes a row's key; nil if this is not a merge. Throws if this
  /// fails.
  func insertSeen(_ schema: TableSchema) throws(PipelineError) -> SQLiteStatement? {
    guard isMerge else { return nil }
    do {
      return try database.prepare(schema.insertSeen)
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }

  private func columns(of schema: TableSchema) throws(DatabaseFault) -> Set<String> {
    var rows = try database.prepare("PRAGMA table_info(\(schema.name))")
    var names: Set<String> = []
    while try rows.step() { names.insert(String(decoding: rows.text(1), as: UTF8.self)) }
    return names
  }

  /// Marks a table as one for which all rows have come.
  func setWhole(_ schema: TableSchema) { whole.insert(schema.table.name) }

  /// Completes the tables. Throws ``FeedFault/noSuchRow(table:column:value:parent:)`` if a row
  /// refers to a row that does not exist, and ``SinkFault/database(_:isMerge:)`` if SQLite fails.
  func finish() throws(PipelineError) {
    let fault: FeedFault?
    do throws(DatabaseFault) {
      fault = try danglingReference()
      if fault == nil {
        if isMerge {
          for schema in schemas where whole.contains(schema.table.name) {
            try database.run(schema.deleteUnseen)
          }
        }
        for view in views { try database.run(view.create) }
        if !isMerge { try database.run("COMMIT") }
      }
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
    if let fault { throw PipelineError(.normalize(fault)) }
  }

  /// Returns the fault of the first row that refers to a row that does not exist or is about to be
  /// deleted; nil if there is none.
  private func danglingReference() throws(DatabaseFault) -> FeedFault? {
    for schema in schemas {
      for reference in schema.table.references {
        guard let parent = schemas.first(where: { $0.table.name == reference.table }) else {
          continue
        }
        let isLeaving = isMerge && whole.contains(reference.table)
        var rows = try database.prepare(
          schema.dangling(reference, from: isLeaving ? parent.seen : parent.name, isMerge: isMerge))
        guard try rows.step() else { continue }
        return .noSuchRow(
          table: schema.table.name, column: reference.column,
          value: String(decoding: rows.text(0), as: UTF8.self), parent: reference.table)
      }
    }
    return nil
  }

  /// Returns the path and the size in bytes that the file has once the transaction is committed.
  /// Throws if SQLite fails.
  func written() throws(PipelineError) -> Statistics.Written {
    do {
      return Statistics.Written(
        path: database.path,
        bytes: try database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size"))
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }

  /// Returns the number of bytes by which the file has grown, those of temporary tables included.
  /// Throws if SQLite fails.
  func growth() throws(PipelineError) -> Int {
    do {
      return try database.size() - sizeBefore
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }

  /// Commits a merge; does nothing for a new file. Throws if this fails.
  func commit() throws(PipelineError) {
    guard isMerge else { return }
    do throws(DatabaseFault) {
      try database.run("COMMIT")
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }
}

/// Writes the rows of one table into an output database.
///
/// Throws ``FeedFault/sameKey(table:key:)`` if two rows have the same key, and
/// ``FeedFault/notStorable(table:column:value:)`` if SQLite cannot hold a number.
struct TableEncoder: RecordStage, ~Copyable {
  private let database: OutputDatabase
  private let schema: TableSchema
  private let keyColumns: [Int]
  /// The columns with numbers, which SQLite may not be able to hold.
  private let numberColumns: [Int]
  /// Whether a record could not be read. It may have been any row, so no row can be considered
  /// gone.
  private var hasRejected = false
  private var insert: SQLiteStatement
  private var insertSeen: SQLiteStatement?

  init(_ schema: TableSchema, into database: OutputDatabase) throws(PipelineError) {
    try database.add(schema)
    // Both first: a noncopyable struct is initialised at once or not at all.
    let insert = try database.insert(schema)
    let insertSeen = try database.insertSeen(schema)
    self.database = database
    self.schema = schema
    keyColumns = schema.table.key.compactMap { schema.columns.map(\.name).firstIndex(of: $0) }
    numberColumns = schema.columns.indices.filter {
      [.integer, .decimal].contains(schema.columns[$0].kind)
    }
    self.insert = insert
    self.insertSeen = insertSeen
  }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    switch fate {
    case .wanted: try write(record)
    case .leftOut:
      do throws(DatabaseFault) {
        try see(record)
      } catch {
        throw blame(error, record)
      }
    case .rejected: hasRejected = true
    }
  }

  private mutating func write(_ record: borrowing Record) throws(PipelineError) {
    for column in numberColumns
    where !SQLiteNumber.holds(record.text(column), schema.columns[column].kind) {
      throw PipelineError(
        .normalize(
          .notStorable(
            table: schema.table.name, column: schema.columns[column].name,
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
        if schema.columns[column].kind == .flag, text.count > 0 {
          try insert.bind(column + 1, text.count == 4 ? 1 : 0)
        } else {
          try insert.bind(column + 1, text)
        }
      }
      try insert.run()
    } catch {
      // A merge has already noted the key, so this error comes from a constraint of the user's.
      throw database.isMerge
        ? PipelineError(sink: .database(error, isMerge: true)) : blame(error, record)
    }
  }

  consuming func finish() throws(PipelineError) {
    if !hasRejected { database.setWhole(schema) }
  }

  /// Notes a row's key, if this is a merge.
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

/// A table of an output database, as SQL.
///
///     posts:  id INTEGER NOT NULL, user_id INTEGER REFERENCES users(id) …, title TEXT, …,
///             favorite INTEGER NOT NULL DEFAULT 0, …, PRIMARY KEY(id)
struct TableSchema {
  let table: Table
  /// The columns that the feed gives, in order. Flags, `true` or `false`, are 1 and 0 here.
  let columns: [Column]
  private let types: [String]
  private let required: Set<String>

  init(_ table: Table) {
    self.table = table
    columns = table.columns
    types = columns.map { column in
      switch column.kind {
      case .text, .verbatim, .day, .instant, .keyNumber: "TEXT"
      case .integer, .flag: "INTEGER"
      case .decimal: "NUMERIC"
      }
    }
    required = Set(table.fields.filter(\.isRequired).flatMap(\.columns)).union(table.key)
  }

  var name: String { SQLName.quoted(table.name) }
  private var key: String { list(table.key) }
  private func list(_ names: [String], _ prefix: String = "") -> String {
    names.map { prefix + SQLName.quoted($0) }.joined(separator: ", ")
  }

  /// SQL that creates the table, with an index for each column that refers to another table's row.
  var create: String {
    var parts = zip(columns.map(\.name), types).map { column, type in
      "\(SQLName.quoted(column)) \(type)\(required.contains(column) ? " NOT NULL" : "")"
    }
    parts += table.marks.map(Self.mark)
    if !table.key.isEmpty { parts.append("PRIMARY KEY(\(key))") }
    for reference in table.references {
      parts.append(
        "FOREIGN KEY(\(SQLName.quoted(reference.column))) REFERENCES "
          + "\(SQLName.quoted(reference.table))(\(SQLName.quoted(reference.key))) ON DELETE CASCADE"
      )
    }
    return "CREATE TABLE IF NOT EXISTS \(name)(\(parts.joined(separator: ", ")));\n" + indexes
  }

  private var indexes: String {
    table.references.filter { [$0.column] != table.key }.map { reference in
      let index = SQLName.quoted("\(table.name)_by_\(reference.column)")
      return
        "CREATE INDEX IF NOT EXISTS \(index) ON \(name)(\(SQLName.quoted(reference.column)));\n"
    }.joined()
  }

  /// Returns SQL that adds the columns that an older table lacks.
  func addColumns(except known: Set<String>) -> String {
    let missing =
      zip(columns.map(\.name), types).filter { !known.contains($0.0) }.map {
        "\(SQLName.quoted($0)) \($1)"
      }
      + table.marks.filter { !known.contains($0) }.map(Self.mark)
    return missing.map { "ALTER TABLE \(name) ADD COLUMN \($0);\n" }.joined()
  }

  private static func mark(_ column: String) -> String {
    "\(SQLName.quoted(column)) INTEGER NOT NULL DEFAULT 0"
  }

  /// Returns SQL that inserts a row. In a merge it updates the columns of a row with the same key.
  func insert(isMerge: Bool) -> String {
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let insert = "INSERT INTO \(name)(\(list(columns.map(\.name)))) VALUES(\(places))"
    guard isMerge else { return insert }
    let others = columns.map(\.name).filter { !table.key.contains($0) }
    let updates = others.map { "\(SQLName.quoted($0)) = excluded.\(SQLName.quoted($0))" }
    return insert + " ON CONFLICT(\(key)) DO "
      + (others.isEmpty ? "NOTHING" : "UPDATE SET " + updates.joined(separator: ", "))
  }

  // MARK: Merging

  /// The temporary table of the keys that came. A table of a feed has no space in its name.
  var seen: String { "temp.\(SQLName.quoted("seen " + table.name))" }

  /// SQL that creates the table of the keys that came, and SQL that adds a key to it.
  var createSeen: String { "CREATE TABLE \(seen)(\(key), PRIMARY KEY(\(key))) WITHOUT ROWID" }
  var insertSeen: String {
    "INSERT INTO \(seen) VALUES(\(table.key.map { _ in "?" }.joined(separator: ", ")))"
  }
  /// Returns SQL that finds a row that came and refers to a row that is not in `parent`.
  func dangling(_ reference: Table.Reference, from parent: String, isMerge: Bool) -> String {
    let column = SQLName.quoted(reference.column)
    let came = isMerge ? " AND (\(key)) IN (SELECT \(key) FROM \(seen))" : ""
    return """
      SELECT \(column) FROM \(name) WHERE \(column) IS NOT NULL\(came)
        AND \(column) NOT IN (SELECT \(SQLName.quoted(reference.key)) FROM \(parent)) LIMIT 1
      """
  }
  /// SQL that deletes the rows whose keys did not come.
  var deleteUnseen: String {
    "DELETE FROM \(name) WHERE (\(key)) NOT IN (SELECT \(key) FROM \(seen))"
  }
}

extension View {
  /// SQL that creates the view.
  var create: String {
    let order = order.map { SQLName.quoted($0.column) + ($0.isDescending ? " DESC" : "") }
    let name = SQLName.quoted(name)
    return """
      CREATE VIEW IF NOT EXISTS \(name) AS SELECT * FROM \(SQLName.quoted(table))
        ORDER BY \(order.joined(separator: ", "));

      """
  }
}

/// Holds a database until it is complete, and the file that it becomes.
final class OpenDatabase {
  private(set) var tables: OutputDatabase?
  /// The growth of a new file, once it is closed.
  private var finalGrowth = 0
  /// The merged database, once it is complete; nil before that, and for a new file.
  private(set) var merged: Statistics.Written?
  private let file: ForeignOutput?
  /// Whether an existing database is changed.
  var isMerge: Bool { file == nil }

  init(_ tables: OutputDatabase, file: ForeignOutput?) {
    self.tables = tables
    self.file = file
  }

  /// Completes the database. A new file is closed too. Throws if the database or the file fails.
  func finish() throws(PipelineError) {
    try tables?.finish()
    guard let file else {
      merged = try tables?.written()
      return
    }
    finalGrowth = try growth()
    tables = nil
    try file.finish()
  }

  /// Returns the number of bytes by which the file has grown. Throws if SQLite fails.
  func growth() throws(PipelineError) -> Int { try tables?.growth() ?? finalGrowth }

  /// Commits a merge. Throws if this fails.
  func commit() throws(PipelineError) { try tables?.commit() }
}
