/// Which nodes of a document the columns need that pick of the elements of a list.
///
///     translation[language=en].text
///
///     translation   the list: its element is picked when it ends
///     └ []          an element: picked if its condition holds and no one before was
///       ├ language  the condition's value
///       └ text      the value, kept until the element ends
struct PickPlan {
  /// A node on the way of picks.
  struct Node {
    let node: Int
    /// The picks and their depths for which it is the list, or an element.
    var lists: [(pick: Int, depth: Int)] = []
    var elements: [(pick: Int, depth: Int)] = []
    /// The picks whose value it is.
    var values: [Int] = []
    /// The picks whose condition it decides.
    var conditions: [(pick: Int, depth: Int)] = []
  }

  private(set) var nodes: ContiguousArray<Node> = []

  /// Returns the paths of the conditions' values, which columns may not have.
  static func paths(_ table: Table) -> [Path] {
    table.fields.filter(\.isRead).flatMap { field in
      field.path.steps.indices.compactMap { place in
        guard case .match(let key, _) = field.path.steps[place] else { return nil }
        return Path(field.path.steps[...place] + [.key(key)])
      }
    }
  }

  init(_ table: Table, _ tree: PathTree) {
    var pick = 0
    for (index, field) in table.fields.enumerated()
    where field.isRead && field.path.steps.contains(where: \.picks) {
      var depth = 0
      for (place, step) in field.path.steps.enumerated() where step.picks {
        let list = Array(field.path.steps[..<place])
        nodes[at(tree.node(at: list))].lists.append((pick, depth))
        nodes[at(tree.node(at: list + [step]))].elements.append((pick, depth))
        if case .match(let key, _) = step {
          nodes[at(tree.node(at: list + [step, .key(key)]))].conditions.append((pick, depth))
        }
        depth += 1
      }
      nodes[at(tree.ends[index + 1])].values.append(pick)
      pick += 1
    }
  }

  /// Returns the place of a node, which is added if it is new.
  private mutating func at(_ node: Int) -> Int {
    if let place = nodes.firstIndex(where: { $0.node == node }) { return place }
    nodes.append(Node(node: node))
    return nodes.count - 1
  }
}

/// Picks of the elements of lists in and around rows.
struct Picker {
  /// A value that may be picked.
  struct Piece {
    let kind: TokenKind
    let text: [UInt8]
    let offset: Int
  }

  /// A field with its rules, one for each list, and what has been found.
  private struct Pick {
    let field: Int
    let rules: [Path.Step]
    var pieces: [Piece] = []
    /// The separator of joined pieces; nil if they are not joined.
    let separator: [UInt8]?
    /// The bytes of the pieces and the separators between them. What is too long for a column is cut
    /// one byte later, so that it stays too long.
    var size = 0
    /// By list: the pieces before the open element and their bytes, whether its condition holds, and
    /// whether an element was picked.
    var marks: [(pieces: Int, size: Int)]
    var isMet: [Bool]
    var isDone: [Bool]
  }

  private let nodes: ContiguousArray<PickPlan.Node>
  private var picks: ContiguousArray<Pick>
  /// The picks whose outermost list has ended.
  private(set) var ended: [Int] = []

  init(_ table: Table, _ nodes: ContiguousArray<PickPlan.Node>) {
    self.nodes = nodes
    picks = []
    for (index, field) in table.fields.enumerated() where field.isRead {
      let rules = field.path.steps.filter(\.picks)
      guard !rules.isEmpty else { continue }
      var separator: [UInt8]?
      for case .all(let text) in rules { separator = Array(text.utf8) }
      picks.append(
        Pick(
          field: index, rules: rules, separator: separator, marks: rules.map { _ in (0, 0) },
          isMet: rules.map { _ in false }, isDone: rules.map { _ in false }))
    }
  }

  /// The fields that are picked.
  var fields: [Int] { picks.map(\.field) }

  /// Reads the token of a node. Afterwards ``ended`` has the picks that are complete.
  mutating func read(_ kind: TokenKind, _ text: RawSpan, _ place: Int, at offset: Int) {
    ended.removeAll(keepingCapacity: true)
    let isEnd = kind == .endObject || kind == .endArray
    let isBegin = kind == .beginObject || kind == .beginArray
    if !isEnd {
      for (pick, depth) in nodes[place].elements {
        picks[pick].marks[depth] = (picks[pick].pieces.count, picks[pick].size)
        picks[pick].isMet[depth] = false
      }
      if kind == .beginArray {
        for (pick, depth) in nodes[place].lists {
          picks[pick].isDone[depth] = false
          if depth == 0 { (picks[pick].pieces, picks[pick].size) = ([], 0) }
        }
      } else if kind != .null {
        // A value in the place of a list is wrong. An empty text would hide it.
        for (pick, depth) in nodes[place].lists {
          if depth == 0 { (picks[pick].pieces, picks[pick].size) = ([], 0) }
          keep(.beginObject, text, pick, at: offset)
          if depth == 0, !isBegin { ended.append(pick) }
        }
      }
      for pick in nodes[place].values { keep(kind, text, pick, at: offset) }
      if !isBegin {
        for (pick, depth) in nodes[place].conditions { decide(kind, text, pick, depth) }
      }
    }
    guard !isBegin else { return }
    if isEnd {
      for (pick, depth) in nodes[place].lists where depth == 0 { ended.append(pick) }
    }
    for (pick, depth) in nodes[place].elements { endElement(pick, depth) }
  }

  private mutating func keep(_ kind: TokenKind, _ text: RawSpan, _ pick: Int, at offset: Int) {
    let separator = picks[pick].separator
    var bytes = text.withUnsafeBytes { Array($0) }
    if separator != nil, let literal = JSONText.literal(kind) { bytes = Array("\(literal)".utf8) }
    // Nulls and empty texts are not joined.
    if separator != nil, kind == .null || (kind == .string && bytes.isEmpty) { return }
    let size = picks[pick].size + (picks[pick].pieces.isEmpty ? 0 : separator?.count ?? 0)
    guard picks[pick].size <= Limits.text else { return }
    if size + bytes.count > Limits.text {
      bytes = Array(bytes.prefix(max(1, Limits.text + 1 - size)))
    }
    picks[pick].size = size + bytes.count
    picks[pick].pieces.append(Piece(kind: kind, text: bytes, offset: offset))
  }

  private mutating func decide(_ kind: TokenKind, _ text: RawSpan, _ pick: Int, _ depth: Int) {
    guard case .match(_, let value) = picks[pick].rules[depth] else { return }
    let isEqual =
      switch kind {
      case .true: value == "true"
      case .false: value == "false"
      case .null: false
      default: text.withUnsafeBytes { $0.elementsEqual(value.utf8) }
      }
    if isEqual { picks[pick].isMet[depth] = true }
  }

  private mutating func endElement(_ pick: Int, _ depth: Int) {
    guard case .match = picks[pick].rules[depth] else { return }
    if picks[pick].isMet[depth], !picks[pick].isDone[depth] {
      picks[pick].isDone[depth] = true
    } else {
      let (count, size) = picks[pick].marks[depth]
      picks[pick].pieces.removeLast(picks[pick].pieces.count - count)
      picks[pick].size = size
    }
  }

  /// Returns the field of a pick and its values: one text if all are joined.
  func result(_ pick: Int) -> (field: Int, pieces: [Piece]) {
    let (field, pieces) = (picks[pick].field, picks[pick].pieces)
    guard let separator = picks[pick].separator, let first = pieces.first else {
      return (field, pieces)
    }
    // An object or a list has no text.
    if let other = pieces.first(where: { $0.kind == .beginObject || $0.kind == .beginArray }) {
      return (field, [other])
    }
    let joined = Array(pieces.map(\.text).joined(separator: separator))
    return (field, [Piece(kind: .string, text: joined, offset: first.offset)])
  }
}

extension Normalizer where Next: ~Copyable {
  /// Reads a token of a list whose elements are picked, and stores what is complete. It may be one of a
  /// whole record.
  @inline(never)
  mutating func pick(
    _ kind: TokenKind, _ text: RawSpan, _ place: Int, at offset: Int, ofWhole: Bool = false
  ) throws(PipelineError) {
    picker.read(kind, text, place, at: offset)
    for pick in picker.ended {
      let (field, pieces) = picker.result(pick)
      if pieces.isEmpty { try store(.null, [], field, at: offset, offset, ofWhole) }
      for piece in pieces {
        try store(piece.kind, piece.text, field, at: piece.offset, offset, ofWhole)
        guard piece.kind == .beginObject || piece.kind == .beginArray else { continue }
        let end: TokenKind = piece.kind == .beginObject ? .endObject : .endArray
        try store(end, [], field, at: offset, offset, ofWhole)
      }
    }
  }

  /// Picks of the tokens of a whole record.
  @inline(never)
  mutating func pick(_ record: WholeRecord) throws(PipelineError) {
    for token in record.tokens {
      try pick(
        token.kind, RawSpan(_unsafeBytes: token.text), token.number,
        at: record.offset + token.offset, ofWhole: true)
    }
  }

  /// Stores a value that was picked when the token at `ended` was read.
  private mutating func store(
    _ kind: TokenKind, _ text: [UInt8], _ field: Int, at offset: Int, _ ended: Int, _ ofWhole: Bool
  ) throws(PipelineError) {
    if ofWhole {
      row.storeToken(kind, text.span.bytes, field, at: offset, noted: ended)
    } else if paths.isInRow || zipper.isMakingRow {
      _ = row.store(kind, text.span.bytes, field, at: offset)
    } else {
      _ = try storeAround(kind, text.span.bytes, field, at: offset)
    }
  }
}
