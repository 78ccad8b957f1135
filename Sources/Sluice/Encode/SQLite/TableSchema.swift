/// A table of an output database, as SQL.
///
///     posts:  id INTEGER NOT NULL, user_id INTEGER REFERENCES users(id) …, title TEXT, …,
///             favorite INTEGER NOT NULL DEFAULT 0, …, PRIMARY KEY(id)
struct TableSchema {
  /// An index on some columns, by their names in the database.
  struct Index: Equatable {
    let name: String
    let columns: [String]
  }

  let table: Table
  /// The names in the database.
  let names: TableNames
  /// The columns that the feed gives, in order. Flags, `true` or `false`, are 1 and 0 here.
  let columns: [Column]
  /// The indexes of the columns whose words are in the column of searched texts, in their order.
  let searched: [Int]
  /// Whether the database has this table without a column of searched texts.
  var lacksSearch = false
  private let types: [String]
  private let required: Set<String>
  /// The names of all tables, by their own names.
  private let tables: [String: TableNames]

  init(_ table: Table, _ names: DatabaseNames) {
    self.table = table
    tables = names.tables
    // Every table of the database has names.
    self.names = names.tables[table.name] ?? TableNames(unchanged: table)
    let columns = table.columns
    self.columns = columns
    types = columns.map { column in
      switch column.kind {
      case .text, .verbatim, .day, .instant, .time, .keyNumber: "TEXT"
      case .integer, .flag: "INTEGER"
      case .decimal: "NUMERIC"
      }
    }
    required = Set(table.fields.filter(\.isRequired).flatMap(\.columns)).union(table.key)
    searched =
      table.search.map(SearchText.order)?.compactMap { name in
        columns.firstIndex { $0.name == name }
      } ?? []
  }

  var name: String { SQLName.quoted(names.table) }
  private var key: String { list(table.key) }
  private func quoted(_ column: String) -> String { SQLName.quoted(names[column]) }
  private func list(_ columns: [String]) -> String {
    columns.map(quoted).joined(separator: ", ")
  }

  /// SQL that creates the table.
  var create: String {
    var parts = zip(columns.map(\.name), types).map { column, type in
      "\(quoted(column)) \(type)\(required.contains(column) ? " NOT NULL" : "")"
    }
    parts += search
    parts += table.marks.map(mark)
    if !table.key.isEmpty { parts.append("PRIMARY KEY(\(key))") }
    for reference in table.references {
      guard let parent = tables[reference.table] else { continue }
      parts.append(
        "FOREIGN KEY(\(quoted(reference.column))) REFERENCES "
          + "\(SQLName.quoted(parent.table))(\(SQLName.quoted(parent[reference.key]))) "
          + "ON DELETE CASCADE")
    }
    return "CREATE TABLE IF NOT EXISTS \(name)(\(parts.joined(separator: ", ")))"
  }

  /// The column of searched texts. `LIKE` can use an index on it, because both ignore the case of
  /// ASCII letters.
  private var search: [String] {
    names.search.map { ["\(SQLName.quoted($0)) \(TableNames.searchType) COLLATE NOCASE"] } ?? []
  }

  /// Returns SQL that adds the columns that an older table lacks.
  func addColumns(except known: Set<String>) -> String {
    var missing = zip(columns.map(\.name), types).filter { !known.contains(names[$0.0]) }.map {
      "\(quoted($0)) \($1)"
    }
    if lacksSearch { missing += search }
    missing += table.marks.filter { !known.contains(names[$0]) }.map(mark)
    return missing.map { "ALTER TABLE \(name) ADD COLUMN \($0);\n" }.joined()
  }

  private func mark(_ column: String) -> String { "\(quoted(column)) INTEGER NOT NULL DEFAULT 0" }

  /// Returns SQL that inserts a row. In a merge it updates the columns of a row with the same key.
  func insert(isMerge: Bool) -> String {
    let own = columns.map(\.name)
    let all = own.map(quoted) + (names.search.map { [SQLName.quoted($0)] } ?? [])
    let places = all.map { _ in "?" }.joined(separator: ", ")
    let insert = "INSERT INTO \(name)(\(all.joined(separator: ", "))) VALUES(\(places))"
    guard isMerge else { return insert }
    let key = Set(table.key.map(quoted))
    let updates = all.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }
    return insert + " ON CONFLICT(\(self.key)) DO "
      + (updates.isEmpty ? "NOTHING" : "UPDATE SET " + updates.joined(separator: ", "))
  }

  // MARK: Indexes

  /// The indexes: on each column that refers to another table's row, on the number of the key, or
  /// else on the key unless it is the primary key, on the columns in which people search, and on
  /// the column of searched texts.
  var indexes: [Index] {
    var indexes: [Index] = []
    func add(_ name: String, _ columns: [String]) {
      // The index of a primary key serves for its first columns too.
      let isCovered =
        table.key.map { names[$0] }.starts(with: columns)
        || indexes.contains { $0.columns.starts(with: columns) }
      if !columns.isEmpty, !isCovered {
        indexes.append(Index(name: "\(names.table)_by_\(name)", columns: columns))
      }
    }
    for reference in table.references where [reference.column] != table.key {
      add(names[reference.column], [names[reference.column]])
    }
    if let number = table.keyNumber {
      let key = number.column.map { [$0] } ?? number.parts
      add(number.column.map { names[$0] } ?? "key", key.map { names[$0] })
    }
    if let rule = table.search {
      let columns = SearchText.order(of: rule).map { names[$0] }
      if rule.items.contains(where: { $0.part != nil }) {
        add("address", columns)
      } else {
        for column in columns { add(column, [column]) }
      }
    }
    if let search = names.search { add(search, [search]) }
    return indexes
  }

  /// Returns SQL that creates an index.
  func create(_ index: Index, as name: String) -> String {
    let columns = index.columns.map(SQLName.quoted).joined(separator: ", ")
    return "CREATE INDEX IF NOT EXISTS \(SQLName.quoted(name)) ON \(self.name)(\(columns))"
  }

  // MARK: Merging

  /// The temporary table of the keys that came. A table of a feed has no space in its name.
  private var seen: String { "temp.\(SQLName.quoted("seen " + table.name))" }

  /// SQL that creates the table of the keys that came, and SQL that adds a key to it.
  var createSeen: String { "CREATE TABLE \(seen)(\(key), PRIMARY KEY(\(key))) WITHOUT ROWID" }
  var insertSeen: String {
    "INSERT INTO \(seen) VALUES(\(table.key.map { _ in "?" }.joined(separator: ", ")))"
  }

  /// Returns SQL that finds a row that came and refers to a row that is not in the other table, or
  /// is about to be deleted there.
  func dangling(
    _ reference: Table.Reference, from parent: TableSchema, isLeaving: Bool, isMerge: Bool
  ) -> String {
    let column = quoted(reference.column)
    let came = isMerge ? " AND (\(key)) IN (SELECT \(key) FROM \(seen))" : ""
    return """
      SELECT \(column) FROM \(name) WHERE \(column) IS NOT NULL\(came)
        AND \(column) NOT IN (SELECT \(parent.quoted(reference.key)) FROM \
      \(isLeaving ? parent.seen : parent.name)) LIMIT 1
      """
  }

  /// SQL that deletes the rows whose keys did not come. A hidden row stays, so that it is still
  /// hidden when it comes back.
  var deleteUnseen: String {
    let hidden = table.hides.map { " AND \(quoted($0)) IS NOT TRUE" }.joined()
    return "DELETE FROM \(name) WHERE (\(key)) NOT IN (SELECT \(key) FROM \(seen))\(hidden)"
  }

  /// SQL that reads the rows without a searched text: their keys, and the texts it is made of.
  var rowsWithoutSearch: String {
    let texts = searched.map { columns[$0].name }
    return "SELECT \(list(table.key + texts)) FROM \(name) WHERE \(searchColumn) IS NULL"
  }

  /// SQL that sets the searched text of the row with a key.
  var setSearch: String {
    let key = table.key.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
    return "UPDATE \(name) SET \(searchColumn) = ? WHERE \(key)"
  }

  private var searchColumn: String { SQLName.quoted(names.search ?? "") }
}
