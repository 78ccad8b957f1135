/// Reads the columns of a feed document, and what names them: its key and its event.
struct DocumentColumns {
  private static let keys = ["from", "kind", "columns", "required", "skip", "unix", "of"]
  /// Keys that are of use to one kind of columns only.
  private static let special: [(key: String, only: Rule)] = [
    ("columns", .period), ("skip", .period), ("unix", .instant), ("of", .share),
  ]
  private(set) var fields: [Field] = []
  private var names: [String] = []
  /// Columns of shares, which may name a column that comes after them.
  private var shares: [YAMLNode.Entry] = []
  private let rows: Path

  /// Reads the mapping of columns; `rows` is where rows are.
  init(_ node: YAMLNode, rows: Path) throws(FeedDocumentFault) {
    self.rows = rows
    let mapping = try DocumentMapping(node, "columns", keys: nil)
    guard !mapping.entries.isEmpty else { throw node.fault(.noValue("columns")) }
    for entry in mapping.entries { try read(entry) }
    for entry in shares { try checkShare(entry) }
  }

  private mutating func read(_ entry: YAMLNode.Entry) throws(FeedDocumentFault) {
    guard DocumentValues.columnName(entry.key) != nil else {
      throw FeedDocumentFault(
        problem: .badValue(entry.key, key: "columns", .columnName), place: entry.place)
    }
    guard case .mapping = entry.value.content else {
      // A path alone: a text is read from there.
      let path = try fieldPath(entry.value, entry.key)
      try add(Field(path: path, rule: .text, columns: [entry.key]), [entry.place])
      return
    }
    let column = try DocumentMapping(entry.value, entry.key, keys: Self.keys)
    let rule: Rule = try column.choice("kind") ?? .text
    if rule == .period, fields.contains(where: { $0.rule == .period }) {
      throw (column["kind"] ?? entry.value).fault(.secondPeriod)
    }
    for (key, only) in Self.special where rule != only {
      if let node = column[key] { throw node.fault(.onlyFor(only, key: key)) }
    }
    if rule == .share { return try readShare(column, entry) }
    let path =
      try column["from"].map { node throws(FeedDocumentFault) in try fieldPath(node, "from") }
      ?? Path(rows.steps + [.key(entry.key)])
    if column["from"] == nil { try check(path, entry.value) }
    var field = Field(path: path, rule: rule, columns: [entry.key])
    var places = [entry.place]
    if rule == .period { (field.columns, places) = try periodColumns(column, entry) }
    field.isRequired =
      try column.value("required", .trueOrFalse, DocumentValues.flag) ?? false
    field.skip = try column.text("skip")
    field.unix = try column.choice("unix")
    try add(field, places)
  }

  /// Reads what makes a share of a column, whose name may follow.
  private mutating func readShare(_ column: DocumentMapping, _ entry: YAMLNode.Entry)
    throws(FeedDocumentFault)
  {
    for key in ["from", "required"] {
      if let node = column[key] { throw node.fault(.notForShares(key)) }
    }
    var field = Field(path: Path([]), rule: .share, columns: [entry.key])
    field.shareOf = try column.value("of").text("of")
    try add(field, [entry.place])
    shares.append(entry)
  }

  /// Checks that a share is one of numbers.
  private func checkShare(_ entry: YAMLNode.Entry) throws(FeedDocumentFault) {
    let node = try DocumentMapping(entry.value, entry.key, keys: nil).value("of")
    _ = try field(of: try node.text("of"), node, "of") { $0 == .decimal || $0 == .integer }
  }

  /// The two columns of a period: those that are named, or what its own name makes of them.
  private func periodColumns(
    _ column: DocumentMapping, _ entry: YAMLNode.Entry
  ) throws(FeedDocumentFault) -> ([String], [TextPlace]) {
    guard let node = column["columns"] else {
      return (["\(entry.key)_start", "\(entry.key)_end"], [entry.place, entry.place])
    }
    let names = try node.texts("columns")
    guard names.count == 2 else { throw node.fault(.notTwoColumns(names.count)) }
    for (name, node) in names where DocumentValues.columnName(name) == nil {
      throw node.fault(.badValue(name, key: "columns", .columnName))
    }
    return (names.map(\.text), names.map(\.node.place))
  }

  private mutating func add(_ field: Field, _ places: [TextPlace]) throws(FeedDocumentFault) {
    for (name, place) in zip(field.columns, places) {
      guard !names.contains(where: { DocumentValues.isSameName($0, name) }) else {
        throw FeedDocumentFault(problem: .duplicateColumn(name), place: place)
      }
      names.append(name)
    }
    fields.append(field)
  }

  // MARK: Paths

  private func fieldPath(_ node: YAMLNode, _ key: String) throws(FeedDocumentFault) -> Path {
    let written = try DocumentPath(node, key)
    guard !written.path.steps.isEmpty, written.path.steps.last != .each else {
      throw node.fault(.badPath(written.text, .onTheWay))
    }
    guard written.isFromDocument else {
      let path = Path(rows.steps + written.path.steps)
      try check(path, node)
      return path
    }
    guard rows.steps.starts(with: written.path.toLastList) else {
      throw node.fault(.badPath(written.text, .otherList(rows: rows.description)))
    }
    try check(written.path, node)
    return written.path
  }

  /// Checks that nothing else is at a path, around it or inside.
  private func check(_ path: Path, _ node: YAMLNode) throws(FeedDocumentFault) {
    if rows.steps.starts(with: path.steps) {
      throw node.fault(.badPath(path.description, .onTheWay))
    }
    let other = fields.first {
      guard $0.rule != .share else { return false }
      return $0.path.steps.starts(with: path.steps) || path.steps.starts(with: $0.path.steps)
    }
    if let other {
      throw node.fault(.badPath(path.description, .taken(column: other.columns[0])))
    }
    // One element of a list whose elements are the rows belongs to no row.
    if path.divides(rows) {
      throw node.fault(.badPath(path.description, .otherList(rows: rows.description)))
    }
  }

  // MARK: Key and event

  /// Reads what a key is made of: a list of columns, or a mapping that says more of it.
  func key(_ node: YAMLNode) throws(FeedDocumentFault) -> AddressColumn {
    var list = node
    var shown: String?
    var isUnique = false
    if case .mapping = node.content {
      let mapping = try DocumentMapping(node, "key", keys: ["columns", "as", "unique"])
      list = try mapping.value("columns")
      isUnique = try mapping.value("unique", .trueOrFalse, DocumentValues.flag) ?? false
      shown = try mapping.value("as", .columnName, DocumentValues.columnName)
      if let shown, names.contains(where: { DocumentValues.isSameName($0, shown) }) {
        throw (mapping["as"] ?? node).fault(.duplicateColumn(shown))
      }
    }
    let parts = try list.texts("key")
    guard !parts.isEmpty else { throw list.fault(.noValue("key")) }
    for (name, node) in parts {
      let field = try field(of: name, node, "key") { $0.isReadAtOnce }
      if isUnique, !field.isRequired { throw node.fault(.keyNotRequired(name)) }
    }
    return AddressColumn(column: shown, parts: parts.map(\.text), isUnique: isUnique)
  }

  /// The field that gives a column, whose rule must be fit.
  func field(
    of name: String, _ node: YAMLNode, _ key: String, _ isFit: (Rule) -> Bool
  ) throws(FeedDocumentFault) -> Field {
    let fit = fields.filter { isFit($0.rule) }.flatMap(\.columns)
    guard let field = fields.first(where: { $0.columns.contains(name) }) else {
      throw node.fault(.unknownColumn(name, key: key, columns: fit))
    }
    guard isFit(field.rule) else {
      throw node.fault(.columnOfOtherKind(name, field.rule, key: key, columns: fit))
    }
    return field
  }
}
