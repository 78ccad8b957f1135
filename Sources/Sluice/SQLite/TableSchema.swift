/// A table of an output database, as SQL.
///
///     posts:  id INTEGER NOT NULL, user_id INTEGER REFERENCES users(id) …, title TEXT, …,
///             favorite INTEGER NOT NULL DEFAULT 0, …, PRIMARY KEY(id)
struct TableSchema {
  let table: Table
  /// The columns that the feed gives, in order.
  let columns: [String]
  /// How each of them was read. Flags, `true` or `false`, are 1 and 0 here.
  let rules: [Rule]
  private let types: [String]
  private let required: Set<String>

  init(_ table: Table, of feed: Feed) {
    let only = feed.only(table)
    self.table = table
    columns = only.columns
    rules =
      only.fields.flatMap { field in field.columns.map { _ in field.rule } }
      + (only.address?.column == nil ? [] : [.text])
    types = rules.map { rule in
      switch rule {
      case .text, .verbatim, .day, .instant, .period: "TEXT"
      case .integer, .flag: "INTEGER"
      case .decimal, .share: "NUMERIC"
      }
    }
    required = Set(only.fields.filter(\.isRequired).flatMap(\.columns)).union(table.key)
  }

  /// A name as SQL takes any.
  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  var name: String { Self.quoted(table.name) }
  private var key: String { list(table.key) }
  private func list(_ names: [String], _ prefix: String = "") -> String {
    names.map { prefix + Self.quoted($0) }.joined(separator: ", ")
  }

  /// Makes the table, with an index for each column that names another table's row.
  var create: String {
    var parts = zip(columns, types).map { column, type in
      "\(Self.quoted(column)) \(type)\(required.contains(column) ? " NOT NULL" : "")"
    }
    parts += table.marks.map(Self.mark)
    if !table.key.isEmpty { parts.append("PRIMARY KEY(\(key))") }
    for reference in table.references {
      parts.append(
        "FOREIGN KEY(\(Self.quoted(reference.column))) REFERENCES "
          + "\(Self.quoted(reference.table))(\(Self.quoted(reference.key))) ON DELETE CASCADE")
    }
    return "CREATE TABLE IF NOT EXISTS \(name)(\(parts.joined(separator: ", ")));\n" + indexes
  }

  private var indexes: String {
    table.references.filter { [$0.column] != table.key }.map { reference in
      let index = Self.quoted("\(table.name)_by_\(reference.column)")
      return "CREATE INDEX IF NOT EXISTS \(index) ON \(name)(\(Self.quoted(reference.column)));\n"
    }.joined()
  }

  /// Makes room for columns that an older table lacks.
  func addColumns(except known: Set<String>) -> String {
    let missing =
      zip(columns, types).filter { !known.contains($0.0) }.map { "\(Self.quoted($0)) \($1)" }
      + table.marks.filter { !known.contains($0) }.map(Self.mark)
    return missing.map { "ALTER TABLE \(name) ADD COLUMN \($0);\n" }.joined()
  }

  private static func mark(_ column: String) -> String {
    "\(quoted(column)) INTEGER NOT NULL DEFAULT 0"
  }

  /// Writes a row; with a key, over the columns of the row that has it already.
  func insert(isMerge: Bool) -> String {
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let insert = "INSERT INTO \(name)(\(list(columns))) VALUES(\(places))"
    guard isMerge else { return insert }
    let others = columns.filter { !table.key.contains($0) }
    let updates = others.map { "\(Self.quoted($0)) = excluded.\(Self.quoted($0))" }
    return insert + " ON CONFLICT(\(key)) DO "
      + (others.isEmpty ? "NOTHING" : "UPDATE SET " + updates.joined(separator: ", "))
  }

  // MARK: Merging

  /// The table of the keys that came. A table of a feed has no space in its name.
  var seen: String { "temp.\(Self.quoted("seen " + table.name))" }

  /// Makes the list of the keys that came, and takes one more.
  var createSeen: String { "CREATE TABLE \(seen)(\(key), PRIMARY KEY(\(key))) WITHOUT ROWID" }
  var insertSeen: String {
    "INSERT INTO \(seen) VALUES(\(table.key.map { _ in "?" }.joined(separator: ", ")))"
  }
  /// Finds a row that came and names one that is not in a table of keys.
  func dangling(_ reference: Table.Reference, from parent: String, isMerge: Bool) -> String {
    let column = Self.quoted(reference.column)
    let came = isMerge ? " AND (\(key)) IN (SELECT \(key) FROM \(seen))" : ""
    return """
      SELECT \(column) FROM \(name) WHERE \(column) IS NOT NULL\(came)
        AND \(column) NOT IN (SELECT \(Self.quoted(reference.key)) FROM \(parent)) LIMIT 1
      """
  }
  /// Removes the rows whose keys did not come.
  var deleteUnseen: String {
    "DELETE FROM \(name) WHERE (\(key)) NOT IN (SELECT \(key) FROM \(seen))"
  }
}

extension View {
  /// Makes the view.
  var create: String {
    let order = order.map { TableSchema.quoted($0.column) + ($0.isDescending ? " DESC" : "") }
    let name = TableSchema.quoted(name)
    return """
      CREATE VIEW IF NOT EXISTS \(name) AS SELECT * FROM \(TableSchema.quoted(table))
        ORDER BY \(order.joined(separator: ", "));

      """
  }
}
