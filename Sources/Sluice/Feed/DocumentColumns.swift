/// Reads the columns of a feed document, and the parts that refer to them: the key and the event.
struct DocumentColumns {
  private static let keys =
    [
      "from", "kind", "columns", "required", "skip", "unix", "of", "label", "show",
      "zone", "gap", "overlap", "separator",
    ] + timeKeys + textKeys
  /// Keys that are allowed for one kind of columns only.
  private static let special: [(key: String, only: FieldKind)] = [
    ("columns", .period), ("skip", .period), ("unix", .instant), ("of", .share),
    ("zone", .instant), ("gap", .instant), ("overlap", .instant),
  ]
  /// The largest number of columns of a document, marks included.
  static let most = 1000

  private(set) var fields: [Field] = []
  /// The names of all columns, each in the form in which it is compared.
  private var names: Set<String> = []
  /// The index of each column's field.
  private var indexes: [String: Int] = [:]
  private var paths = TakenPaths()
  /// The paths of values that no column may have: zones' names, and parts of days and times.
  var unseen: [(path: Path, node: YAMLNode, name: String)] = []
  /// Columns of shares. Each may refer to a column after it.
  private var shares: [YAMLNode.Entry] = []
  private let rows: DocumentRows

  /// Reads the mapping of columns.
  init(_ node: YAMLNode, rows: DocumentRows) throws(FeedDocumentFault) {
    self.rows = rows
    let mapping = try DocumentMapping(node, "columns", keys: nil)
    guard !mapping.entries.isEmpty else { throw node.fault(.noValue("columns")) }
    for entry in mapping.entries { try read(entry) }
    guard fields.contains(where: \.isShown) else { throw node.fault(.noShownColumn) }
    for entry in shares { try checkShare(entry) }
    // Most documents make no text of others.
    if paths.hasShared || fields.contains(where: \.isMade) {
      Self.addSources(to: &fields)
    }
    try addUnseen()
  }

  /// Adds the values that no column has. A column may be read from the path of a zone that
  /// stands before it.
  private mutating func addUnseen() throws(FeedDocumentFault) {
    for (path, node, name) in unseen where !fields.contains(where: { $0.isRead && $0.path == path })
    {
      try check(path, node)
      paths.add(path, column: name)
      fields.append(Field(path: path, kind: .hidden, columns: []))
    }
  }

  private mutating func read(_ entry: YAMLNode.Entry) throws(FeedDocumentFault) {
    guard DocumentValues.columnName(entry.key) != nil else {
      throw FeedDocumentFault(
        problem: .badValue(entry.key, key: "columns", .columnName), place: entry.place)
    }
    guard case .mapping = entry.value.content else {
      if let fact = InputFact(entry.value) {
        var field = Field(path: Path([]), kind: .text, columns: [entry.key])
        field.made = MadeText(of: fact)
        return try add(field, [entry.place])
      }
      // Only a path: the column is the text there.
      let path = try fieldPath(entry.value, entry.key)
      try add(Field(path: path, kind: .text, columns: [entry.key]), [entry.place])
      return
    }
    let column = try DocumentMapping(entry.value, entry.key, keys: Self.keys)
    let kind: FieldKind = try column.choice("kind") ?? .text
    // Only one is allowed, so that this looks through the columns twice at most.
    if kind == .period, fields.contains(where: { $0.kind == .period }) {
      throw (column["kind"] ?? entry.value).fault(.secondPeriod)
    }
    for (key, only) in Self.special where kind != only {
      // The day of an instant is one of its clock.
      if kind == .day, column["read"] != nil, key == "unix" || key == "zone" { continue }
      if let node = column[key] { throw node.fault(.onlyFor(only, key: key)) }
    }
    if kind == .share { return try readShare(column, entry) }
    let rule = try rule(column, kind)
    let paths = try DocumentShape.separated(
      column["parts"] == nil ? sources(column, entry) : [], by: column["separator"])
    var field = Field(path: paths.first ?? Path([]), kind: kind, columns: [entry.key])
    field.made = try made(column, kind, of: paths)
    field.rule = rule
    var places = [entry.place]
    if kind == .period { (field.columns, places) = try periodColumns(column, entry) }
    field.isRequired =
      try column.value("required", .trueOrFalse, DocumentValues.flag)
      ?? (field.made?.constant?.isEmpty == false)
    field.skip = try column.text("skip")
    field.unix = try column.choice("unix")
    field.zone = try column["zone"].map { node throws(FeedDocumentFault) in try zone(node) }
    field.gap = try column.choice("gap")
    field.overlap = try column.choice("overlap")
    field.labels = try labels(column, kind)
    field.isShown = try column.value("show", .trueOrFalse, DocumentValues.flag) ?? true
    try add(field, places)
  }

  /// Reads a share. The column that it is a share of may follow later.
  private mutating func readShare(_ column: DocumentMapping, _ entry: YAMLNode.Entry)
    throws(FeedDocumentFault)
  {
    for key in ["from", "required", "show"] + Self.textKeys {
      if let node = column[key] { throw node.fault(.notForShares(key)) }
    }
    var field = Field(path: Path([]), kind: .share, columns: [entry.key])
    field.shareOf = try column.value("of").text("of")
    field.labels = try labels(column, .share)
    try add(field, [entry.place])
    shares.append(entry)
  }

  /// Checks that a share is of a column of numbers.
  private func checkShare(_ entry: YAMLNode.Entry) throws(FeedDocumentFault) {
    let node = try DocumentMapping(entry.value, entry.key, keys: nil).value("of")
    _ = try field(of: try node.text("of"), node, "of") { $0 == .decimal || $0 == .integer }
  }

  /// Returns the names of a period's two columns: those in the document, or two that are made of
  /// the period's own name.
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

  /// Returns the labels of a field's columns: one, or two for a period, of lists of two texts.
  private func labels(
    _ column: DocumentMapping, _ kind: FieldKind
  ) throws(FeedDocumentFault) -> [Localized<String>] {
    guard kind == .period else {
      return try column.localized("label") { text, _ in text }.map { [$0] } ?? []
    }
    guard let node = column["label"] else { return [] }
    guard case .mapping = node.content else {
      return try periodLabels(node).map { Localized(ru: $0, en: $0) }
    }
    let languages = try DocumentMapping(
      node, "label", keys: Language.allCases.map(\.rawValue))
    return try zip(
      periodLabels(languages.value("ru")), periodLabels(languages.value("en"))
    ).map { Localized(ru: $0, en: $1) }
  }

  private func periodLabels(_ node: YAMLNode) throws(FeedDocumentFault) -> [String] {
    let texts = try node.texts("label")
    guard texts.count == 2 else { throw node.fault(.notTwoLabels(texts.count)) }
    return texts.map(\.text)
  }

  /// Reads the zone of an event's local times: its name, or the path of a text with its name.
  mutating func eventZone(_ node: YAMLNode) throws(FeedDocumentFault) -> FieldZone {
    let zone = try zone(node)
    try addUnseen()
    return zone
  }

  /// Adds a column that is made and not read.
  mutating func addMade(_ field: Field, at place: TextPlace) throws(FeedDocumentFault) {
    try add(field, [place])
  }

  /// Reads the zone of a column: its name, or the path of a text with its name.
  private mutating func zone(_ node: YAMLNode) throws(FeedDocumentFault) -> FieldZone {
    guard case .mapping = node.content else {
      guard case .scalar = node.content else {
        throw node.fault(
          .wrongKind(key: "zone", found: node.kind, wanted: [.text, .mapping], keys: ["from"]))
      }
      let name = try node.text("zone")
      guard let zone = DocumentValues.zone(name) else {
        throw node.fault(.badValue(name, key: "zone", .zone))
      }
      try node.check(zone: zone, "zone")
      return .named(zone)
    }
    let mapping = try DocumentMapping(node, "zone", keys: ["from"])
    let from = try mapping.value("from")
    let path = try fieldPath(from, "from", isShared: true)
    unseen.append((path, from, "zone"))
    return .path(path)
  }

  private mutating func add(_ field: Field, _ places: [TextPlace]) throws(FeedDocumentFault) {
    for (name, place) in zip(field.columns, places) {
      guard names.insert(DocumentValues.comparable(name)).inserted else {
        throw FeedDocumentFault(problem: .duplicateColumn(name), place: place)
      }
      guard names.count <= Self.most else {
        throw FeedDocumentFault(problem: .tooMany("columns", limit: Self.most), place: place)
      }
      indexes[name] = fields.count
    }
    for path in field.valuePaths { paths.add(path, column: field.columns[0]) }
    fields.append(field)
  }

  /// Whether a column has this name.
  func has(_ name: String) -> Bool { names.contains(DocumentValues.comparable(name)) }

  // MARK: Paths

  /// Reads the path of a value. One that is `isShared` may be another column's too.
  func fieldPath(
    _ node: YAMLNode, _ key: String, isShared: Bool = false
  ) throws(FeedDocumentFault) -> Path {
    let path = try writtenPath(node, key)
    if path.picks(around: rows.path) { throw node.fault(.badPath(path.description, .picksOfRow)) }
    if !isShared { try check(path, node) }
    return path
  }

  private func writtenPath(_ node: YAMLNode, _ key: String) throws(FeedDocumentFault) -> Path {
    if let path = try DocumentShape.ownPath(node, of: rows) { return path }
    let written = try DocumentPath(node, key)
    if let path = try rows.zipped(written, node) { return path }
    if written.path.steps.last == .each, written.path != rows.path,
      written.path.steps.count > 1
    {
      throw node.fault(.badPath(written.text, .wholeList))
    }
    guard !written.path.steps.isEmpty, !(written.path.steps.last?.isWild ?? true) else {
      throw node.fault(.badPath(written.text, .onTheWay))
    }
    guard written.isFromDocument else { return Path(rows.base + written.path.steps) }
    guard rows.path.steps.starts(with: written.path.toLastList) else {
      throw node.fault(.badPath(written.text, .otherList(rows: rows.path.description)))
    }
    return written.path
  }

  /// Returns the path of a column that names none: the row's key of its name.
  func ownPath(_ name: String, _ node: YAMLNode) throws(FeedDocumentFault) -> Path {
    try rows.zipped(named: name, node) ?? Path(rows.base + [.key(name)])
  }

  /// Checks that no other column is read from around a path or from inside it.
  func check(_ path: Path, _ node: YAMLNode) throws(FeedDocumentFault) {
    guard path.steps.count <= DocumentPath.most else {
      throw node.fault(.badPath(path.description, .tooLong(limit: DocumentPath.most)))
    }
    if rows.leads(through: path) {
      throw node.fault(.badPath(path.description, .onTheWay))
    }
    if let other = paths.column(at: path) {
      throw node.fault(.badPath(path.description, .taken(column: other)))
    }
    // If the elements of a list are the rows, one of them cannot belong to each row.
    if path.divides(rows.path) {
      throw node.fault(.badPath(path.description, .otherList(rows: rows.path.description)))
    }
  }

  // MARK: Key and event

  /// Reads a key: a list of columns, or a mapping with more options. `isUnique` tells whether it
  /// identifies a row.
  func key(_ node: YAMLNode) throws(FeedDocumentFault) -> (number: KeyNumber, isUnique: Bool) {
    var list = node
    var shown: String?
    var label: Localized<String>?
    var isUnique = false
    if case .mapping = node.content {
      let mapping = try DocumentMapping(node, "key", keys: ["columns", "as", "label", "unique"])
      list = try mapping.value("columns")
      isUnique = try mapping.value("unique", .trueOrFalse, DocumentValues.flag) ?? false
      shown = try mapping.value("as", .columnName, DocumentValues.columnName)
      if let shown, has(shown) {
        throw (mapping["as"] ?? node).fault(.duplicateColumn(shown))
      }
      label = try mapping.localized("label") { text, _ in text }
      if shown == nil, let node = mapping["label"] {
        throw node.fault(.keyWants("label", other: "as"))
      }
    }
    let parts = try list.texts("key")
    guard !parts.isEmpty else { throw list.fault(.noValue("key")) }
    var seen: Set<String> = []
    for (name, node) in parts {
      guard seen.insert(name).inserted else { throw node.fault(.duplicateItem(name)) }
      let field = try field(of: name, node, "key", \.mayBeKey)
      if isUnique, !field.isRequired { throw node.fault(.keyNotRequired(name)) }
    }
    return (KeyNumber(column: shown, parts: parts.map(\.text), label: label), isUnique)
  }

  /// Returns the field of a column. Throws if there is no such column, or if its rule is not fit.
  func field(
    of name: String, _ node: YAMLNode, _ key: String, _ isFit: (FieldKind) -> Bool
  ) throws(FeedDocumentFault) -> Field {
    // Only an error needs them.
    var fit: [String] { fields.filter { isFit($0.kind) }.flatMap(\.columns) }
    guard let field = indexes[name].map({ fields[$0] }) else {
      throw node.fault(.unknownColumn(name, key: key, columns: fit))
    }
    guard isFit(field.kind) else {
      throw node.fault(.columnOfOtherKind(name, field.kind, key: key, columns: fit))
    }
    return field
  }
}
