/// Reads the views of a feed document.
///
///     views:
///       unread:
///         table: posts
///         where: {seen: false, user: [anna, ivan], title: {not: ""}}
///         order: [favorite desc, id]
///
/// All conditions must hold. A list has the values of which one must be there, or none after `not`.
/// An empty value is a missing one.
struct DocumentViews {
  private let tables: [Table]

  init(of tables: [Table]) { self.tables = tables }

  /// Reads a view. Throws the first error in it.
  func view(_ entry: YAMLNode.Entry) throws(FeedDocumentFault) -> View {
    let mapping = try DocumentMapping(entry.value, entry.key, keys: ["table", "where", "order"])
    let table = try mapping.value("table").table(of: tables, "table")
    let columns = table.columns.map(\.name) + table.marks
    let known = Set(columns)
    var seen: Set<String> = []
    var order: [View.Order] = []
    for (text, node) in try mapping.value("order").texts("order") {
      let isDescending = text.hasSuffix(" desc")
      let column = isDescending ? String(text.dropLast(5)) : text
      guard known.contains(column) else {
        throw node.fault(.unknownColumn(column, key: "order", columns: columns))
      }
      guard seen.insert(column).inserted else { throw node.fault(.duplicateItem(column)) }
      order.append(View.Order(column, isDescending: isDescending))
    }
    var view = View(entry.key, of: table.name, by: order)
    guard let node = mapping["where"] else { return view }
    let entries = try DocumentMapping(node, "where", keys: nil, allowsMissing: true).entries
    guard !entries.isEmpty else { throw node.fault(.noValue("where")) }
    for entry in entries { view.conditions.append(try condition(entry, table)) }
    return view
  }

  private func condition(
    _ entry: YAMLNode.Entry, _ table: Table
  ) throws(FeedDocumentFault) -> View.Condition {
    let column = entry.key
    let isMark = table.marks.contains(column)
    let kind = isMark ? .flag : table.columns.first { $0.name == column }?.kind
    guard let kind else {
      throw FeedDocumentFault(
        problem: .unknownColumn(
          column, key: "where", columns: table.columns.map(\.name) + table.marks),
        place: entry.place)
    }
    var (node, isNot) = (entry.value, false)
    if case .mapping = node.content {
      node = try DocumentMapping(node, column, keys: ["not"], allowsMissing: true)
        .value("not")
      isNot = true
    }
    var nodes = [node]
    if case .sequence(let items) = node.content { nodes = items }
    guard !nodes.isEmpty else { throw node.fault(.noValue(column)) }
    var values: [String] = []
    for node in nodes {
      let value = try value(node, column, kind, isMark: isMark)
      guard !values.contains(value) else { throw node.fault(.duplicateItem(value)) }
      values.append(value)
    }
    return View.Condition(
      column: column, kind: kind, isMark: isMark, values: values, isNot: isNot)
  }

  /// Returns a value that a column of this kind can have; empty for a missing one. A mark is never
  /// missing.
  private func value(
    _ node: YAMLNode, _ column: String, _ kind: ColumnKind, isMark: Bool
  ) throws(FeedDocumentFault) -> String {
    if node.isMissing, !isMark { return "" }
    let text = try node.text(column)
    if let wanted = DocumentValues.misfit(text, of: kind) {
      throw node.fault(.badValue(text, key: column, wanted))
    }
    return text
  }
}

extension YAMLNode {
  /// Returns the table with the name in the node, which is the value of a key.
  func table(of tables: [Table], _ key: String) throws(FeedDocumentFault) -> Table {
    let name = try text(key)
    guard let table = tables.first(where: { $0.name == name }) else {
      throw fault(.notAChoice(name, key: key, choices: tables.map(\.name)))
    }
    return table
  }
}
