/// The paths that columns are read from, as a tree. A path is compared with all of them in one
/// walk.
///
///     0 ── list ── 1 ── [] ── 2 ─┬─ city ── 3 (column city)
///                                └─ address ─ 4 ── street ── 5 (column street)
struct TakenPaths {
  private struct Node {
    /// The step to it.
    var step: Path.Step
    /// Its children in order. Few nodes have many of them, and a dictionary costs as much as
    /// reading the rest of a usual document.
    var children: [Int] = []
    /// The children by their steps, if there are many.
    var index: [Path.Step: Int]?
    /// The first column that is read from here or from inside.
    var column: String
    /// Whether a column is read from here.
    var isEnd = false
  }

  /// The number of children from which on they have an index.
  private static let many = 64

  private var nodes = [Node(step: .each, column: "")]
  /// Whether several columns are read from one path.
  private(set) var hasShared = false

  /// Adds the path of a column.
  mutating func add(_ path: Path, column: String) {
    var node = 0
    for step in path.steps {
      if let child = child(step, of: node) {
        node = child
        continue
      }
      let new = nodes.count
      nodes.append(Node(step: step, column: column))
      nodes[node].children.append(new)
      if nodes[node].index != nil {
        nodes[node].index?[step] = new
      } else if nodes[node].children.count == Self.many {
        nodes[node].index = Dictionary(
          uniqueKeysWithValues: nodes[node].children.map { (nodes[$0].step, $0) })
      }
      node = new
    }
    if nodes[node].isEnd { hasShared = true }
    nodes[node].isEnd = true
  }

  private func child(_ step: Path.Step, of node: Int) -> Int? {
    if let index = nodes[node].index { return index[step] }
    return nodes[node].children.first { nodes[$0].step == step }
  }

  /// Returns the column that is read from around a path or from inside it; nil if there is none.
  /// Several columns may be read from the same path.
  func column(at path: Path) -> String? {
    var node = 0
    for step in path.steps {
      if nodes[node].isEnd { return nodes[node].column }
      // Elements by their places and by other rules are not followed in one list.
      if step.isOfElements {
        let mixed = nodes[node].children.first { child in
          let other = nodes[child].step
          if case .element = other { return step.picks }
          if case .element = step { return other.picks }
          return false
        }
        if let mixed { return nodes[mixed].column }
      }
      guard let child = child(step, of: node) else { return nil }
      node = child
    }
    return nodes[node].isEnd ? nil : nodes[node].column
  }
}

extension Path.Step {
  /// Whether it is about single elements of a list.
  fileprivate var isOfElements: Bool {
    if case .element = self { true } else { picks }
  }
}

/// A path as a feed document writes it.
///
///     street                  from the row: its key "street"
///     address.street          from the row: "street" in the object "address"
///     weather[0].description  from the row: one element of a list inside it, counted from 0
///     kl[*].id                from the row: all elements of a list, joined
///     links[rel=self].href    from the row: the first element whose "rel" is "self"
///     activities[].isin       from the document, as every path with a list
///     $.city                  from the document, with JSONPath's sign for it
///     $request.page           from the data of the request that was answered
///     rates.*                 rows only: the values of all keys of an object
///     [address, "st. name"]   key by key: for keys that contain dots or brackets
///     [rates, {any: true}]    key by key, with a wildcard
struct DocumentPath {
  let path: Path
  /// Whether it starts at the document, not at the row.
  let isFromDocument: Bool
  /// Whether it says so with a `$`.
  let isRooted: Bool
  /// The path as it is written, for errors.
  let text: String

  init(_ node: YAMLNode, _ key: String) throws(FeedDocumentFault) {
    var steps: [Path.Step]?
    var isRooted = false
    if case .scalar = node.content {
      text = try node.text(key)
      isRooted = text == "$" || text.hasPrefix("$.") || text.hasPrefix("$[")
      if text.hasPrefix(Joined.requestRoot + ".") {
        // A fact about the request, beside the document.
        path = Path([
          .key(Joined.requestRoot), .key(String(text.dropFirst(Joined.requestRoot.count + 1))),
        ])
        (isFromDocument, self.isRooted) = (true, true)
        return
      }
      steps = Self.steps(isRooted ? text.dropFirst(text.hasPrefix("$.") ? 2 : 1) : text[...])
    } else {
      var keys: [String] = []
      var wildcards: Set<Int> = []
      guard case .sequence(let items) = node.content, !items.isEmpty else {
        throw node.fault(.wrongKind(key: key, found: node.kind, wanted: [.text, .list]))
      }
      for item in items {
        if try Self.isWildcard(item) {
          wildcards.insert(keys.count)
          keys.append("*")
          continue
        }
        // A key may be empty, in quotes.
        guard case .scalar(let text, _) = item.content else {
          throw item.fault(.badPath("", .syntax))
        }
        keys.append(text)
      }
      text = "[" + keys.joined(separator: ", ") + "]"
      steps = keys.enumerated().map { index, key in
        wildcards.contains(index) ? .any : Self.bracketed(key) ?? .key(key)
      }
      if steps?.first == .key("$") {
        isRooted = true
        steps?.removeFirst()
      }
    }
    guard let steps else { throw node.fault(.badPath(text, .syntax)) }
    guard steps.count <= Self.most else {
      throw node.fault(.badPath(text, .tooLong(limit: Self.most)))
    }
    path = Path(steps)
    self.isRooted = isRooted
    isFromDocument = isRooted || steps.contains(where: \.isWild)
  }

  /// Whether an item of a list of keys is `{any: true}`, which stands for every key.
  private static func isWildcard(_ item: YAMLNode) throws(FeedDocumentFault) -> Bool {
    guard case .mapping = item.content else { return false }
    let mapping = try DocumentMapping(item, "from", keys: ["any"])
    guard try mapping.value("any").text("any") == "true" else {
      throw item.fault(
        .notAChoice(try mapping.value("any").text("any"), key: "any", choices: ["true"]))
    }
    return true
  }

  /// The largest number of steps from the document to a value. None can lie deeper.
  static let most = Limits.depth
  /// The largest index of an element.
  private static let lastElement = 9999

  /// Returns the step of `[]` or `[2]`, or nil for any other text.
  static func bracketed(_ text: String) -> Path.Step? {
    if text == "[]" { return .each }
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    let digits = text.dropFirst().dropLast()
    if digits == "*" { return .all(separator: ", ") }
    if let sign = digits.firstIndex(of: "="), sign > digits.startIndex {
      return .match(
        key: String(digits[..<sign]), value: String(digits[digits.index(after: sign)...]))
    }
    guard digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), let index = Int(digits),
      index <= lastElement, "\(index)" == digits
    else { return nil }
    return .element(index)
  }

  /// Returns the steps of `a.b[].c[0]`, or nil if a key is missing or brackets contain something
  /// else.
  private static func steps(_ text: Substring) -> [Path.Step]? {
    let (dot, open, close) = (UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"))
    var steps: [Path.Step] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.first {
      if first == open {
        let inside = rest.take { $0 != close }
        guard rest.popFirst() == close,
          let step = bracketed(String(decoding: inside, as: UTF8.self) + "]")
        else { return nil }
        steps.append(step)
      } else {
        // A key is first or after a dot.
        if !steps.isEmpty, rest.popFirst() != dot { return nil }
        let key = rest.take { $0 != dot && $0 != open && $0 != close }
        guard !key.isEmpty else { return nil }
        steps.append(
          key.elementsEqual("*".utf8) ? .any : .key(String(decoding: key, as: UTF8.self)))
      }
    }
    return steps
  }
}

extension Path {
  /// The start of the path, up to and including its last list. Empty if it has no list.
  var toLastList: ArraySlice<Step> {
    steps.prefix((steps.lastIndex(where: \.isWild) ?? -1) + 1)
  }
}

extension Path {
  /// Throws if the path has a single element of a list, which is allowed for columns only, or all
  /// members of an object, which is allowed for rows only.
  func refuseElements(_ node: YAMLNode, areRows: Bool = false) throws(FeedDocumentFault) {
    for step in steps {
      if case .element = step { throw node.fault(.badPath(description, .oneElement)) }
      if step.picks { throw node.fault(.badPath(description, .oneElement)) }
    }
    if !areRows, steps.contains(.any) { throw node.fault(.badPath(description, .wildcard)) }
  }

  /// Whether elements of the last value of another path are picked, or of an object on its way.
  func picks(around other: Path) -> Bool {
    var place = 0
    while place < min(steps.count, other.steps.count), steps[place] == other.steps[place] {
      place += 1
    }
    guard place < steps.count, steps[place].picks else { return false }
    return place == other.steps.count || other.steps[place] != .each
  }

  /// Whether this path has one element where the other has all.
  func divides(_ other: Path) -> Bool {
    for (step, otherStep) in zip(steps, other.steps) where step != otherStep {
      if case .element = step { return otherStep == .each }
      return step.picks && otherStep == .each
    }
    return false
  }
}
