/// Reads the parts of a feed document about rows that are no objects in lists.
///
///     rows: divisions.*.events[]
///     columns:
///       division: $key            # the key of the innermost *
///     rows: rates.*
///     columns:
///       currency: $key[0]
///       rate: {from: $value, kind: decimal}
enum DocumentShape {
  /// Returns the path of a key around a row, or of a row that is a plain value; nil for any other
  /// path.
  static func ownPath(_ node: YAMLNode, of rows: DocumentRows) throws(FeedDocumentFault) -> Path? {
    guard case .scalar(let text, _) = node.content, text.hasPrefix("$") else { return nil }
    if text == Path.itself {
      guard rows.zip.isEmpty else { throw rows.notOneOfLists(text, node) }
      return Path(rows.path.steps + [.itself])
    }
    guard let index = keyIndex(text) else { return nil }
    let steps = rows.path.steps
    let wildcards = steps.indices.filter { steps[$0] == .any }
    guard index < wildcards.count else {
      throw node.fault(.badPath(text, .noElementKey(wildcards: wildcards.count)))
    }
    let place = wildcards[wildcards.count - 1 - index]
    return Path(Array(steps[...place]) + [.keyName])
  }

  /// Returns the number in `$key[1]`, 0 for `$key`; nil for any other text.
  private static func keyIndex(_ text: String) -> Int? {
    if text == Path.keyName { return 0 }
    guard text.hasPrefix(Path.keyName + "["),
      case .element(let index)? = DocumentPath.bracketed(
        String(text.dropFirst(Path.keyName.utf8.count)))
    else { return nil }
    return index
  }

  /// Returns paths that join the elements of lists with a separator, if a column has one.
  static func separated(_ paths: [Path], by node: YAMLNode?) throws(FeedDocumentFault) -> [Path] {
    guard let node else { return paths }
    guard case .scalar(let separator, _) = node.content else {
      throw node.fault(.wrongKind(key: "separator", found: node.kind, wanted: [.text]))
    }
    guard paths.contains(where: { $0.steps.contains(.all(separator: ", ")) }) else {
      throw node.fault(.keyWants("separator", other: "[*]"))
    }
    return paths.map { path in
      Path(
        path.steps.map { step in
          if case .all = step { .all(separator: separator) } else { step }
        })
    }
  }

  /// Reads a size, `64MB` or `64MiB`, which are the same here.
  static func size(_ text: String) -> Int? {
    let isPlain = text.hasSuffix("B") && !text.hasSuffix("iB") && !text.hasSuffix("ib")
    return byteCount(isPlain ? String(text.dropLast()) : text)
  }
}

/// Where the rows of a table are, as a document says it.
///
///     rows: stations[]                       # each element is a row
///
///     rows: stations[]
///     zip: [daily.time, daily.rain]          # the i-th elements of these lists are a row
struct DocumentRows {
  /// The path of the rows.
  let path: Path
  /// The parallel lists that they are made of; empty if the rows are values themselves.
  let zip: [Path]
  /// The steps to the value that paths of the row count from.
  let base: [Path.Step]
  /// The largest number of lists.
  private static let most = 1000

  /// Reads the keys `rows` and `zip`.
  init(_ mapping: DocumentMapping) throws(FeedDocumentFault) {
    let node = mapping["zip"]
    let rows: Path
    if node != nil, mapping["rows"] == nil {
      rows = []
    } else {
      rows = try Self.rows(mapping.value("rows"))
    }
    base = rows.steps
    zip = try node.map { node throws(FeedDocumentFault) in try Self.lists(node, in: rows) } ?? []
    path = node == nil ? rows : Path(rows.steps + [.zip])
  }

  /// Reads the path of rows, which ends in a list or in the members of an object.
  private static func rows(_ node: YAMLNode) throws(FeedDocumentFault) -> Path {
    let rows = try DocumentPath(node, "rows")
    guard rows.path.steps.last?.isWild ?? false else {
      throw node.fault(.badPath(rows.text, .noList))
    }
    try rows.path.refuseElements(node, areRows: true)
    return rows.path
  }

  /// Reads the paths of parallel lists, each with or without `[]` at its end.
  private static func lists(_ node: YAMLNode, in rows: Path) throws(FeedDocumentFault) -> [Path] {
    guard case .sequence(let items) = node.content else {
      throw node.fault(.wrongKind(key: "zip", found: node.kind, wanted: [.list]))
    }
    guard !items.isEmpty else { throw node.fault(.noValue("zip")) }
    guard items.count <= most else { throw node.fault(.tooMany("zip", limit: most)) }
    var lists: [Path] = []
    for item in items {
      let written = try DocumentPath(item, "zip")
      var steps = written.path.steps
      if steps.last == .each, steps != rows.steps { steps.removeLast() }
      if rows.arrays > 0, steps.starts(with: rows.steps) { steps.removeFirst(rows.steps.count) }
      guard case .key? = steps.first, !(written.isRooted && rows.arrays > 0),
        !steps.contains(where: { $0.isWild || $0.picks })
      else { throw item.fault(.badPath(written.text, .notZippable)) }
      let list = Path(rows.steps + steps)
      guard list.steps.count < DocumentPath.most else {
        throw item.fault(.badPath(written.text, .tooLong(limit: DocumentPath.most)))
      }
      guard !lists.contains(list) else { throw item.fault(.duplicateItem(written.text)) }
      let isApart = lists.allSatisfy { other in
        !other.steps.starts(with: list.steps) && !list.steps.starts(with: other.steps)
      }
      guard isApart else { throw item.fault(.badPath(written.text, .notZippable)) }
      lists.append(list)
    }
    return lists
  }

  // MARK: Columns

  /// The lists as the document may write them.
  private var names: [String] {
    zip.map { Path(Array($0.steps.dropFirst(base.count))).description }
  }

  /// Makes the error of a path that should be one of the lists.
  func notOneOfLists(_ text: String, _ node: YAMLNode) -> FeedDocumentFault {
    node.fault(.badPath(text, .notOneOfLists(names)))
  }

  /// Whether a path leads to the rows, to a list of them, or to something around.
  func leads(through path: Path) -> Bool {
    self.path.steps.starts(with: path.steps) || zip.contains { $0.steps.starts(with: path.steps) }
  }

  /// Returns the path of a value in the elements of a list; nil for a path to another place.
  ///
  ///     daily.time     an element        hours[].from   the member of an element
  ///     time           the same, if no other list has this last key
  func zipped(_ written: DocumentPath, _ node: YAMLNode) throws(FeedDocumentFault) -> Path? {
    guard !zip.isEmpty else { return nil }
    let ways = [written.path.steps] + (written.isRooted ? [] : [base + written.path.steps])
    for steps in ways {
      guard let list = zip.first(where: { steps.starts(with: $0.steps) }) else { continue }
      var rest = steps.dropFirst(list.steps.count)
      if rest.first == .each {
        rest.removeFirst()
      } else if let step = rest.first {
        // One element of the list itself is no value of a row.
        guard case .key = step else { throw notOneOfLists(written.text, node) }
      }
      guard !rest.contains(where: \.isWild) else { throw notOneOfLists(written.text, node) }
      return Path(list.steps + [.each] + rest)
    }
    guard !written.isRooted, written.path.steps.count == 1,
      case .key(let name)? = written.path.steps.first
    else { return nil }
    return try zipped(named: name, node)
  }

  /// Returns the path of the elements of the list with this last key; nil if there is none.
  func zipped(named name: String, _ node: YAMLNode) throws(FeedDocumentFault) -> Path? {
    let lists = zip.filter { $0.lastKey == name }
    guard lists.count < 2 else { throw notOneOfLists(name, node) }
    return lists.first.map { Path($0.steps + [.each]) }
  }
}

extension Table {
  /// Where its rows are, for people: `stations[], zip daily.time, daily.rain`.
  package var rowsText: String {
    guard !zipped.isEmpty else { return rows.description }
    let base = rows.steps.dropLast()
    let lists = zipped.map { Path(Array($0.steps.dropFirst(base.count))).description }
    return (base.isEmpty ? "" : "\(Path(Array(base))), ") + "zip " + lists.joined(separator: ", ")
  }
}
