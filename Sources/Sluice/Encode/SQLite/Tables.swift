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
  private var names: DatabaseNames?
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
    database = try Self.open(file, as: shown, isMerge: isMerge)
    do throws(DatabaseFault) {
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

  /// Opens a file, called `shown` in errors. One that existed before is not trusted. Throws like
  /// ``init(_:as:views:isMerge:)``.
  static func open(
    _ file: PlacedFile, as shown: String, isMerge: Bool
  ) throws(PipelineError) -> SQLiteDatabase {
    let before = file.place.openDescriptors
    let database: SQLiteDatabase
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
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
    return database
  }

  /// The names that are others than in the feed.
  var renamed: [Statistics.Renamed] { names?.changes ?? [] }

  /// Creates the tables unless they exist. A merge also adds the columns that older ones lack.
  /// `feed` is the name of a feed of one table. Returns the tables as SQL. Throws if this fails.
  func add(_ tables: [Table], of feed: String?) throws(PipelineError) -> [TableSchema] {
    do throws(DatabaseFault) {
      let names = try DatabaseNames(
        tables, views: views, feed: feed, in: isMerge ? try tablesAndViews() : []
      ) { (name) throws(DatabaseFault) in isMerge ? try columns(of: SQLName.quoted(name)) : [:] }
      self.names = names
      for table in tables {
        var schema = TableSchema(table, names)
        try database.run(schema.create)
        if isMerge {
          let known = Set(try columns(of: schema.name).keys)
          schema.lacksSearch = schema.names.search.map { !known.contains($0) } ?? false
          try database.run(schema.addColumns(except: known))
          try database.run(schema.createSeen)
        }
        schemas.append(schema)
      }
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
    return schemas
  }

  /// The names of the tables and views that the database has, in the form in which they are
  /// compared.
  private func tablesAndViews() throws(DatabaseFault) -> Set<String> {
    var rows = try database.prepare(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    var names: Set<String> = []
    while try rows.step() {
      names.insert(DocumentValues.comparable(String(decoding: rows.text(0), as: UTF8.self)))
    }
    return names
  }

  /// Returns the columns of a table, whose name is in quotes, with their declared types.
  private func columns(of table: String) throws(DatabaseFault) -> [String: String] {
    var rows = try database.prepare("PRAGMA table_info(\(table))")
    var columns: [String: String] = [:]
    while try rows.step() {
      columns[String(decoding: rows.text(1), as: UTF8.self)] = String(
        decoding: rows.text(2), as: UTF8.self)
    }
    return columns
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

  /// Marks a table as one for which all rows have come.
  func setWhole(_ schema: TableSchema) { whole.insert(schema.table.name) }

  /// Completes the tables. Throws ``FeedFault/noSuchRow(table:column:value:parent:)`` if a row
  /// refers to a row that does not exist, and ``SinkFault/database(_:isMerge:)`` if SQLite fails.
  func finish() throws(PipelineError) {
    let fault: FeedFault?
    do throws(DatabaseFault) {
      fault = try danglingReference()
      if fault == nil {
        for schema in schemas {
          if schema.lacksSearch { try fillSearch(schema) }
          for index in schema.indexes { try make(index, of: schema) }
          if isMerge, whole.contains(schema.table.name) { try database.run(schema.deleteUnseen) }
        }
        for view in views { try make(view) }
        if !isMerge { try database.run("COMMIT") }
      }
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
    if let fault { throw PipelineError(.normalize(fault)) }
  }

  /// Makes an index unless there is one of its name. Only now, because it is faster than with each
  /// row.
  private func make(_ index: TableSchema.Index, of schema: TableSchema) throws(DatabaseFault) {
    // Another table's index or another thing of the owner's may have the name.
    var (name, number) = (index.name, 2)
    while let found = try object(name),
      found.type != "index"
        || DocumentValues.comparable(found.table) != DocumentValues.comparable(schema.names.table)
    {
      name = "\(index.name)_\(number)"
      number += 1
    }
    try database.run(schema.create(index, as: name))
  }

  /// Makes a view. One that an earlier run made is replaced if the document says something else by
  /// now, unless it has triggers. Whatever else has its name stays.
  private func make(_ view: View) throws(DatabaseFault) {
    guard let names else { return }
    let name = names.views[view.name] ?? view.name
    let view = ViewSchema(view, name, among: schemas)
    if let found = try object(name) {
      guard found.type == "view", found.sql != view.create, view.isMadeByUs(found.sql) else {
        return
      }
      let triggers = try database.integer(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = "
          + SQLName.literal(name) + " COLLATE NOCASE")
      guard triggers == 0 else { return }
      try database.run("DROP VIEW \(SQLName.quoted(name))")
    }
    try database.run(view.create)
  }

  /// Returns the type, the table and the SQL of what has a name in the database; nil if nothing
  /// has.
  private func object(
    _ name: String
  ) throws(DatabaseFault) -> (type: String, table: String, sql: String)? {
    var rows = try database.prepare(
      "SELECT type, tbl_name, sql FROM sqlite_schema WHERE type <> 'trigger' AND name = "
        + SQLName.literal(name) + " COLLATE NOCASE")
    guard try rows.step() else { return nil }
    return (
      String(decoding: rows.text(0), as: UTF8.self), String(decoding: rows.text(1), as: UTF8.self),
      String(decoding: rows.text(2), as: UTF8.self)
    )
  }

  /// Gives the rows that did not come the text that is searched. A database of an earlier version
  /// has none.
  private func fillSearch(_ schema: TableSchema) throws(DatabaseFault) {
    var rows = try database.prepare(schema.rowsWithoutSearch)
    var update = try database.prepare(schema.setSearch)
    let (count, texts) = (schema.table.key.count, schema.searched.count)
    while try rows.step() {
      // The new text, then the key. SQLite may move its own texts.
      var bytes = ByteBuffer(capacity: 256)
      for column in count..<count + texts {
        // The owner may have put any bytes there.
        var text = String(decoding: rows.text(column), as: UTF8.self)
        text.withUTF8 { SearchText.append(UnsafeRawBufferPointer($0), to: &bytes) }
      }
      var ends = [bytes.count]
      for column in 0..<count {
        bytes.append(rows.text(column))
        ends.append(bytes.count)
      }
      for (place, end) in ends.enumerated() {
        let start = place == 0 ? 0 : ends[place - 1]
        try update.bind(
          place + 1, UnsafeRawBufferPointer(rebasing: bytes.contents[start..<end]))
      }
      try update.run()
    }
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
          schema.dangling(reference, from: parent, isLeaving: isLeaving, isMerge: isMerge))
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
  /// The text of the row that is searched.
  private var searched = ByteBuffer(capacity: 256)

  init(_ schema: TableSchema, into database: OutputDatabase) throws(PipelineError) {
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
      if schema.names.search != nil {
        searched.removeAll()
        for column in schema.searched { SearchText.append(record.text(column), to: &searched) }
        try insert.bind(schema.columns.count + 1, searched.contents)
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

/// Holds a database until it is complete, and the file that it becomes.
final class OpenDatabase {
  private(set) var tables: OutputDatabase?
  /// The growth of a new file, once it is closed.
  private var finalGrowth = 0
  /// The merged database, once it is complete; nil before that, and for a new file.
  private(set) var merged: Statistics.Written?
  /// The names that are others than in the feed, once it is complete.
  private(set) var renamed: [Statistics.Renamed] = []
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
    renamed = tables?.renamed ?? []
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
