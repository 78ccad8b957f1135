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
    /// The picks and their depths for which it is the list, or an element with a condition.
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
        if case .match(let key, _) = step {
          nodes[at(tree.node(at: list + [step]))].elements.append((pick, depth))
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
///
///     labels[*].name, separated by ", "     {"labels": [{"name": "bug"}, {"name": "help"}]}
///
///     bytes    bug, help       kept from record to record, so that nothing is allocated for one
///     pieces   └0┘  └ 1 ┘
struct Picker: ~Copyable {
  /// A value that may be picked.
  struct Piece: BitwiseCopyable {
    let kind: TokenKind
    /// Where its text is in the bytes of its pick.
    let start: Int
    let count: Int
    let offset: Int
  }

  /// A field, and what has been found for it.
  private struct Pick {
    let field: Int
    /// The separator of joined pieces; nil if they are not joined.
    let separator: [UInt8]?
    var pieces: ContiguousArray<Piece> = []
    /// The texts of the pieces with the separators between them. What is too long for a column is
    /// cut one character later, so that it stays too long.
    var bytes: [UInt8] = []

    mutating func removeAll() {
      pieces.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
    }

    /// Keeps a value.
    mutating func keep(_ kind: TokenKind, _ text: RawSpan, at offset: Int) {
      guard bytes.count <= Limits.text else { return }
      text.withUnsafeBytes { text in
        var text = text
        if let separator {
          // Nulls and empty texts are not joined.
          if kind == .null || kind == .string && text.isEmpty { return }
          if let literal = JSONText.literal(kind) {
            text = UnsafeRawBufferPointer(
              start: literal.utf8Start, count: literal.utf8CodeUnitCount)
          }
          if !pieces.isEmpty { bytes += separator }
        }
        let start = bytes.count
        let count = UTF8Encoding.cut(text, to: max(4, Limits.text + 4 - start))
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text.prefix(count)))
        pieces.append(Piece(kind: kind, start: start, count: count, offset: offset))
      }
    }
  }

  /// One of the lists of a pick.
  private struct List {
    let pick: Int
    let isOutermost: Bool
    /// What the condition's value of the element has to be; nil if all elements are picked.
    let wanted: [UInt8]?
    /// The number of pieces before the open element, and of their bytes.
    var pieces = 0
    var bytes = 0
    /// Whether the open element's condition holds, and whether an element was picked.
    var isMet = false
    var isDone = false
  }

  /// A node, with what to do there: places in ``numbers``.
  private struct Node {
    let lists: Range<Int>
    let elements: Range<Int>
    let values: Range<Int>
    let conditions: Range<Int>
  }

  private let nodes: ContiguousArray<Node>
  /// The numbers of all nodes' lists, and of the picks whose values they are.
  private let numbers: ContiguousArray<Int>
  private var picks: ContiguousArray<Pick> = []
  private var lists: ContiguousArray<List> = []
  /// The picks whose outermost list has ended.
  private(set) var ended: ContiguousArray<Int> = []

  init(_ table: Table, _ nodes: ContiguousArray<PickPlan.Node>) {
    var firstLists: [Int] = []
    for (index, field) in table.fields.enumerated() where field.isRead {
      let rules = field.path.steps.filter(\.picks)
      guard !rules.isEmpty else { continue }
      firstLists.append(lists.count)
      var separator: [UInt8]?
      for (depth, rule) in rules.enumerated() {
        var wanted: [UInt8]?
        if case .match(_, let value) = rule { wanted = Array(value.utf8) }
        if case .all(let text) = rule { separator = Array(text.utf8) }
        lists.append(List(pick: picks.count, isOutermost: depth == 0, wanted: wanted))
      }
      picks.append(Pick(field: index, separator: separator))
    }
    var numbers: ContiguousArray<Int> = []
    func add(_ some: [Int]) -> Range<Int> {
      numbers += some
      return numbers.count - some.count..<numbers.count
    }
    func add(_ places: [(pick: Int, depth: Int)]) -> Range<Int> {
      add(places.map { firstLists[$0.pick] + $0.depth })
    }
    self.nodes = ContiguousArray(
      nodes.map { node in
        Node(
          lists: add(node.lists), elements: add(node.elements), values: add(node.values),
          conditions: add(node.conditions))
      })
    self.numbers = numbers
  }

  /// The fields that are picked.
  var fields: [Int] { picks.map(\.field) }

  /// Reads the token of a node. Afterwards ``ended`` has the picks that are complete.
  mutating func read(_ kind: TokenKind, _ text: RawSpan, _ place: Int, at offset: Int) {
    if !ended.isEmpty { ended.removeAll(keepingCapacity: true) }
    let node = nodes[place]
    let isBegin = kind == .beginObject || kind == .beginArray
    if kind != .endObject, kind != .endArray {
      for place in node.elements { beginElement(numbers[place]) }
      for place in node.lists { begin(numbers[place], kind, text, at: offset) }
      for place in node.values { picks[numbers[place]].keep(kind, text, at: offset) }
      if !isBegin {
        for place in node.conditions { decide(kind, text, numbers[place]) }
      }
    } else {
      for place in node.lists where lists[numbers[place]].isOutermost {
        ended.append(lists[numbers[place]].pick)
      }
    }
    guard !isBegin else { return }
    for place in node.elements { endElement(numbers[place]) }
  }

  /// Begins a list. A value in the place of a list is wrong: an empty text would hide it.
  private mutating func begin(
    _ list: Int, _ kind: TokenKind, _ text: RawSpan, at offset: Int
  ) {
    let pick = lists[list].pick
    guard kind != .null else { return }
    if lists[list].isOutermost { picks[pick].removeAll() }
    guard kind != .beginArray else {
      lists[list].isDone = false
      return
    }
    picks[pick].keep(.beginObject, text, at: offset)
    if lists[list].isOutermost, kind != .beginObject { ended.append(pick) }
  }

  private mutating func beginElement(_ list: Int) {
    let pick = lists[list].pick
    lists[list].pieces = picks[pick].pieces.count
    lists[list].bytes = picks[pick].bytes.count
    lists[list].isMet = false
  }

  private mutating func decide(_ kind: TokenKind, _ text: RawSpan, _ list: Int) {
    guard let wanted = lists[list].wanted, kind != .null else { return }
    let isEqual =
      if let literal = JSONText.literal(kind) {
        UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
          .elementsEqual(wanted)
      } else {
        text.withUnsafeBytes { $0.elementsEqual(wanted) }
      }
    if isEqual { lists[list].isMet = true }
  }

  private mutating func endElement(_ list: Int) {
    guard lists[list].wanted != nil else { return }
    if lists[list].isMet, !lists[list].isDone {
      lists[list].isDone = true
    } else {
      let pick = lists[list].pick
      picks[pick].pieces.removeLast(picks[pick].pieces.count - lists[list].pieces)
      picks[pick].bytes.removeLast(picks[pick].bytes.count - lists[list].bytes)
    }
  }

  /// Returns the field of a pick that has ended, and its values: one text if all are joined.
  mutating func result(_ pick: Int) -> (
    field: Int, pieces: ContiguousArray<Piece>, bytes: [UInt8]
  ) {
    if picks[pick].separator != nil, let first = picks[pick].pieces.first {
      // An object or a list has no text.
      let other = picks[pick].pieces.first { $0.kind == .beginObject || $0.kind == .beginArray }
      let joined = Piece(
        kind: .string, start: 0, count: picks[pick].bytes.count, offset: first.offset)
      picks[pick].pieces.removeAll(keepingCapacity: true)
      picks[pick].pieces.append(other ?? joined)
    }
    return (picks[pick].field, picks[pick].pieces, picks[pick].bytes)
  }
}

extension Normalizer where Next: ~Copyable {
  /// Reads a token of a list whose elements are picked, and stores what is complete. It may be one
  /// of a whole record.
  @inline(never)
  mutating func pick(
    _ kind: TokenKind, _ text: RawSpan, _ place: Int, at offset: Int, ofWhole: Bool = false
  ) throws(PipelineError) {
    picker.read(kind, text, place, at: offset)
    for index in picker.ended.indices {
      let (field, pieces, bytes) = picker.result(picker.ended[index])
      if pieces.isEmpty { try store(.null, RawSpan(), field, at: offset, offset, ofWhole) }
      for piece in pieces {
        let text = bytes.span.bytes.extracting(piece.start..<piece.start + piece.count)
        try store(piece.kind, text, field, at: piece.offset, offset, ofWhole)
        guard piece.kind == .beginObject || piece.kind == .beginArray else { continue }
        let end: TokenKind = piece.kind == .beginObject ? .endObject : .endArray
        try store(end, RawSpan(), field, at: offset, offset, ofWhole)
      }
    }
  }

  /// Picks of the tokens of a whole record.
  @inline(never)
  mutating func pick(_ record: WholeRecord) throws(PipelineError) {
    if !wholePicks.areNone {
      if wholePicks.make(record, into: &row) { return }
      row.resetPicks()
    }
    for token in record.tokens {
      try pick(
        token.kind, RawSpan(_unsafeBytes: token.text), token.number,
        at: record.offset + token.offset, ofWhole: true)
    }
  }

  /// Stores a value that was picked when the token at `ended` was read.
  private mutating func store(
    _ kind: TokenKind, _ text: RawSpan, _ field: Int, at offset: Int, _ ended: Int, _ ofWhole: Bool
  ) throws(PipelineError) {
    if ofWhole {
      row.storeToken(kind, text, field, at: offset, noted: ended)
    } else if paths.isInRow || zipper.isMakingRow {
      _ = row.store(kind, text, field, at: offset)
    } else {
      _ = try storeAround(kind, text, field, at: offset)
    }
  }
}
