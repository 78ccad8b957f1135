/// Reads the tables of a feed document, and the references between them.
///
///     tables:
///       users:    {rows: "users[]", columns: {id: {kind: integer, required: true}}, key: [id]}
///       comments:
///         rows: comments[]
///         columns: {id: …, user_id: {from: userId, kind: integer, required: true}}
///         key: [id]
///         references: {user_id: users}      # by the other's key, of one column
///         marks: [seen, deleted]
///         hides: [deleted]                  # marks whose rows no view shows
///     views:
///       unseen_first: {table: comments, order: [seen, id desc]}    # see ``DocumentViews``
struct DocumentTables {
  private static let keys = [
    "rows", "zip", "columns", "where", "key", "event", "references", "marks", "hides",
  ]
  /// The largest number of tables, and of views.
  private static let most = 1000
  private(set) var tables: [Table] = []
  private(set) var views: [View] = []
  /// The columns of each table.
  private var columns: [DocumentColumns] = []
  private let mapping: DocumentMapping

  /// Reads the mapping of tables, and the mapping of views if there is one.
  init(_ node: YAMLNode, views viewNode: YAMLNode?) throws(FeedDocumentFault) {
    mapping = try DocumentMapping(node, "tables", keys: nil)
    guard !mapping.entries.isEmpty else { throw node.fault(.noValue("tables")) }
    guard mapping.entries.count <= Self.most else {
      throw node.fault(.tooMany("tables", limit: Self.most))
    }
    var names: Set<String> = []
    var width = 0
    for entry in mapping.entries {
      try Self.check(entry, isNewIn: &names)
      let (table, columns) = try Self.table(entry)
      self.columns.append(columns)
      width += table.columns.count + table.marks.count
      guard width <= DocumentColumns.most else {
        throw FeedDocumentFault(
          problem: .tooMany("columns", limit: DocumentColumns.most), place: entry.place)
      }
      tables.append(table)
    }
    for entry in mapping.entries { try readReferences(entry) }
    guard let viewNode else { return }
    let entries = try DocumentMapping(viewNode, "views", keys: nil).entries
    guard entries.count <= Self.most else {
      throw viewNode.fault(.tooMany("views", limit: Self.most))
    }
    for entry in entries {
      try Self.checkName(entry, of: "views")
      try Self.check(entry, isNewIn: &names)
      views.append(try DocumentViews(of: tables).view(entry))
    }
  }

  /// Adds the name of a table or view. Throws if one has that name.
  private static func check(
    _ entry: YAMLNode.Entry, isNewIn names: inout Set<String>
  ) throws(FeedDocumentFault) {
    guard names.insert(DocumentValues.comparable(entry.key)).inserted else {
      throw FeedDocumentFault(problem: .duplicateColumn(entry.key), place: entry.place)
    }
  }

  /// Reads the events of the tables. `feed` has what belongs to all of them.
  mutating func readEvents(of feed: Feed) throws(FeedDocumentFault) {
    for (index, entry) in mapping.entries.enumerated() {
      guard let node = try DocumentMapping(entry.value, entry.key, keys: nil)["event"] else {
        continue
      }
      var table = tables[index]
      if !table.key.isEmpty { table.keyNumber = KeyNumber(column: nil, parts: table.key) }
      var columns = columns[index]
      table.events = try columns.events(node, of: feed, table)
      table.fields = columns.fields
      tables[index] = table
    }
  }

  private static func table(
    _ entry: YAMLNode.Entry
  ) throws(FeedDocumentFault) -> (Table, DocumentColumns) {
    try checkName(entry, of: "tables")
    let mapping = try DocumentMapping(entry.value, entry.key, keys: keys)
    let rows = try DocumentRows(mapping)
    let columns = try DocumentColumns(mapping.value("columns"), rows: rows)
    var table = Table(entry.key, rows: rows.path, fields: columns.fields)
    table.zipped = rows.zip
    table.conditions = try mapping["where"].map { node throws(FeedDocumentFault) in
      try DocumentConditions(columns: columns).read(node)
    }
    if let node = mapping["key"] {
      var seen: Set<String> = []
      for (name, node) in try node.texts("key") {
        guard seen.insert(name).inserted else { throw node.fault(.duplicateItem(name)) }
        let field = try columns.field(of: name, node, "key", \.mayBeKey)
        guard field.isRequired else { throw node.fault(.keyNotRequired(name)) }
        table.key.append(name)
      }
    }
    try table.readMarks(mapping, columns)
    return (table, columns)
  }

  private static func checkName(_ entry: YAMLNode.Entry, of key: String)
    throws(FeedDocumentFault)
  {
    guard DocumentValues.columnName(entry.key) != nil else {
      throw FeedDocumentFault(
        problem: .badValue(entry.key, key: key, .columnName), place: entry.place)
    }
  }

  /// Reads what a table refers to, once all are known.
  private mutating func readReferences(_ entry: YAMLNode.Entry) throws(FeedDocumentFault) {
    let mapping = try DocumentMapping(entry.value, entry.key, keys: nil)
    guard let node = mapping["references"],
      let index = tables.firstIndex(where: { $0.name == entry.key })
    else { return }
    let columns = tables[index].fields.flatMap(\.columns)
    for reference in try DocumentMapping(node, "references", keys: nil).entries {
      guard columns.contains(reference.key) else {
        throw FeedDocumentFault(
          problem: .unknownColumn(reference.key, key: "references", columns: columns),
          place: reference.place)
      }
      let other = try reference.value.table(of: tables, "references")
      guard other.key.count == 1, let key = other.key.first else {
        throw reference.value.fault(.noSingleKey(table: other.name))
      }
      tables[index].references.append(Table.Reference(reference.key, to: other.name, key))
    }
  }
}

extension Table {
  /// Reads the marks of a table, and those that hide rows.
  mutating func readMarks(
    _ mapping: DocumentMapping, _ columns: DocumentColumns
  ) throws(FeedDocumentFault) {
    if let node = mapping["marks"] {
      // Without a key nobody could name the marked row.
      guard !key.isEmpty || keyNumber == nil else {
        throw node.fault(.keyWants("marks", other: "unique"))
      }
      var seen: Set<String> = []
      if let column = keyNumber?.column { seen.insert(DocumentValues.comparable(column)) }
      for (name, node) in try node.texts("marks") {
        guard DocumentValues.columnName(name) != nil else {
          throw node.fault(.badValue(name, key: "marks", .columnName))
        }
        guard !columns.has(name), seen.insert(DocumentValues.comparable(name)).inserted else {
          throw node.fault(.duplicateColumn(name))
        }
        marks.append(name)
      }
    }
    guard let node = mapping["hides"] else { return }
    for (name, node) in try node.texts("hides") {
      guard marks.contains(name) else {
        throw node.fault(.unknownColumn(name, key: "hides", columns: marks))
      }
      guard !hides.contains(name) else { throw node.fault(.duplicateItem(name)) }
      hides.append(name)
    }
  }
}
