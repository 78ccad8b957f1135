/// An error of marks in a database, except those of the database itself.
package enum MarkFault: Error, Equatable, Sendable {
  /// There is no such file.
  case noFile(path: String)
  /// The file cannot be opened, read or written.
  case failed(PipelineError)
  /// The database has no such table. `tables` are those with marks.
  case noTable(String, tables: [String])
  /// The table has no marks, or no key by which its rows are named.
  case noMarks(table: String)
  /// The key has other columns than so many, or no mark follows it.
  case wrongKey(table: String, key: [String], marks: [String])
  /// The table has no such mark.
  case noMark(String, marks: [String])
  /// No row has the key. `nearest` are up to three keys that are like it.
  case noRow(String, nearest: [String])
}

/// An output database in which a person marks rows.
///
/// A mark is what a document's `marks` become: a column of whole numbers that is never missing, and
/// 0 in a new row. A column of the same kind that the owner has added is one too.
package struct MarkedDatabase: ~Copyable {
  /// A table with marks.
  package struct Table: Equatable, Sendable {
    /// Its name.
    package let name: String
    /// The columns of its primary key.
    package let key: [String]
    /// Its marks.
    package let marks: [String]
  }

  private let database: SQLiteDatabase

  /// Opens the database at a path. Links are followed as for outputs. Throws ``MarkFault``.
  package init(path: String) throws(MarkFault) {
    let file: PlacedFile?
    do throws(PipelineError) {
      file = try OutputTarget.existingFile(path)
    } catch {
      throw .failed(error)
    }
    guard let file else { throw .noFile(path: path) }
    do throws(PipelineError) {
      database = try OutputDatabase.open(file, as: path, isMerge: true)
    } catch {
      throw .failed(error)
    }
  }

  /// Returns the table with a name, or with the name that it has in SQL. Throws ``MarkFault``.
  package func table(_ name: String) throws(MarkFault) -> Table {
    let wanted = [name, SQLName.plain(name, isTable: true)].map(DocumentValues.comparable)
    var tables: [Table] = []
    do throws(DatabaseFault) {
      // A virtual table may need code that is not there.
      var rows = try database.prepare(
        """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          AND sql NOT LIKE 'CREATE VIRTUAL %' ORDER BY rowid
        """)
      while try rows.step() { tables.append(try read(text(rows, 0))) }
    } catch {
      throw fault(error)
    }
    guard let table = tables.first(where: { wanted.contains(DocumentValues.comparable($0.name)) })
    else { throw .noTable(name, tables: tables.filter { !$0.marks.isEmpty }.map(\.name)) }
    guard !table.marks.isEmpty, !table.key.isEmpty else { throw .noMarks(table: table.name) }
    return table
  }

  private func read(_ name: String) throws(DatabaseFault) -> Table {
    var rows = try database.prepare("PRAGMA table_info(\(SQLName.quoted(name)))")
    var key: [(place: Int, name: String)] = []
    var marks: [String] = []
    while try rows.step() {
      let place = rows.integer(5)
      if place > 0 {
        key.append((place, text(rows, 1)))
      } else if DocumentValues.comparable(text(rows, 2)) == "integer", rows.integer(3) == 1,
        text(rows, 4) == "0"
      {
        marks.append(text(rows, 1))
      }
    }
    return Table(name: name, key: key.sorted { $0.place < $1.place }.map(\.name), marks: marks)
  }

  /// Returns the number of rows that have a mark of a table. Throws ``MarkFault``.
  package func count(_ mark: String, in table: Table) throws(MarkFault) -> Int {
    do throws(DatabaseFault) {
      return try database.integer(
        "SELECT count(*) FROM \(SQLName.quoted(table.name)) WHERE \(SQLName.quoted(mark)) IS TRUE")
    } catch {
      throw fault(error)
    }
  }

  /// Sets marks of the row with a key, in one transaction: the texts of the key's columns, then
  /// marks such as `favorite=1`. Waits at most five seconds for another program that writes. Throws
  /// ``MarkFault``; nothing has changed then.
  package func set(_ words: [String], in table: Table) throws(MarkFault) {
    let key = Array(words.prefix(table.key.count))
    let settings = words.dropFirst(table.key.count)
    guard key.count == table.key.count, !settings.isEmpty else {
      throw .wrongKey(table: table.name, key: table.key, marks: table.marks)
    }
    var changes: [String] = []
    for word in settings {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let wanted = [String(parts[0]), SQLName.plain(String(parts[0]))].map(
        DocumentValues.comparable)
      guard parts.count == 2, parts[1] == "0" || parts[1] == "1" else {
        throw .wrongKey(table: table.name, key: table.key, marks: table.marks)
      }
      guard
        let mark = table.marks.first(where: { wanted.contains(DocumentValues.comparable($0)) })
      else { throw .noMark(String(parts[0]), marks: table.marks) }
      changes.append("\(SQLName.quoted(mark)) = \(parts[1])")
    }
    var nearest: [String]?
    do throws(DatabaseFault) {
      try database.run("BEGIN IMMEDIATE")
      // As a merge does: a change could go well in a damaged file, and leave it damaged.
      try database.check()
      let row = table.key.map { "\(SQLName.quoted($0)) = ?" }.joined(separator: " AND ")
      let name = SQLName.quoted(table.name)
      let count = try first("SELECT count(*) FROM \(name) WHERE \(row)", key)
      if count == 0 { nearest = try keys(near: key, in: table) }
      _ = try first("UPDATE \(name) SET \(changes.joined(separator: ", ")) WHERE \(row)", key)
      try database.run("COMMIT")
    } catch {
      throw fault(error)
    }
    if let nearest { throw .noRow(key.joined(separator: ", "), nearest: nearest) }
  }

  /// Runs a statement with these texts as its parameters. Returns the first number of its first
  /// row; 0 if it has no rows.
  private func first(_ sql: String, _ texts: [String]) throws(DatabaseFault) -> Int {
    var statement = try database.prepare(sql)
    var bytes = ByteBuffer(capacity: 256)
    var ends = [0]
    for text in texts {
      bytes.append(string: text)
      ends.append(bytes.count)
    }
    // The bytes stay where they are from here on.
    for index in texts.indices {
      try statement.bind(
        index + 1,
        UnsafeRawBufferPointer(rebasing: bytes.contents[ends[index]..<ends[index + 1]]))
    }
    let number = try statement.step() ? statement.integer(0) : 0
    try statement.reset()
    withExtendedLifetime(bytes) {}
    return number
  }

  /// Returns up to three keys that are like one.
  private func keys(near key: [String], in table: Table) throws(DatabaseFault) -> [String] {
    var nearest = NearestValues(to: Fold.key(key.joined(separator: ", ")))
    let columns = table.key.map(SQLName.quoted).joined(separator: ", ")
    var rows = try database.prepare("SELECT \(columns) FROM \(SQLName.quoted(table.name))")
    while try rows.step() {
      var text = table.key.indices.map { self.text(rows, $0) }.joined(separator: ", ")
      text.withUTF8 { nearest.consider(UnsafeRawBufferPointer($0)) }
    }
    return nearest.texts
  }

  private func text(_ row: borrowing SQLiteStatement, _ column: Int) -> String {
    String(decoding: row.text(column), as: UTF8.self)
  }

  private func fault(_ fault: DatabaseFault) -> MarkFault {
    .failed(PipelineError(sink: .database(fault, isMerge: true)))
  }
}
