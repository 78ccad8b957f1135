/// The nodes of a document at and inside the parallel lists that rows are made of.
///
///     zip: [daily.time, "wind[0].speed"]
///
///     daily     on the way: an object          wind      on the way: a list
///     └ time    a list                         └ [0]     on the way: an object
///       └ []    an element: a part of a row      └ …
struct ZipPlan {
  /// What is read of a value: a field, or a part of a pick.
  enum Target {
    case field(Int)
    case pick(Int)
    /// A list of which elements are read, by a field of one of them.
    case list(Int)
  }

  enum Role: Equatable {
    /// A value around lists, which begins with this token.
    case way(TokenKind)
    case list, element
    /// A value inside an element.
    case inside
  }

  struct Node {
    let node: Int
    let role: Role
    /// Its list, or the lists inside it.
    var lists: [Int]
    let target: Target?
    /// Its path in the document.
    let path: Path
  }

  private(set) var nodes: ContiguousArray<Node> = []
  /// The paths of the lists, and what people call them.
  let lists: [Path]
  let names: [String]
  /// The level of the element that the lists are in, 0 for the document; -1 if there are no lists.
  let level: Int
  /// The place of each list's elements.
  private(set) var elements: [Int] = []

  init(_ table: Table, _ tree: PathTree, target: (Int) -> Target?) {
    lists = table.zipped
    level = table.zipped.isEmpty ? -1 : table.rows.arrays - 1
    let base = table.rows.steps.count - 1
    let keys = table.zipped.map(\.lastKey)
    names = table.zipped.map { path in
      keys.count { $0 == path.lastKey } == 1
        ? path.lastKey : Path(Array(path.steps.dropFirst(base))).description
    }
    for (index, list) in table.zipped.enumerated() {
      for count in base + 1..<list.steps.count {
        let path = Path(Array(list.steps[..<count]))
        let node = tree.node(at: path.steps)
        if let place = nodes.firstIndex(where: { $0.node == node }) {
          nodes[place].lists.append(index)
          continue
        }
        let kind: TokenKind =
          if case .element = list.steps[count] { .beginArray } else { .beginObject }
        nodes.append(
          Node(node: node, role: .way(kind), lists: [index], target: nil, path: path))
      }
      let node = tree.node(at: list.steps)
      nodes.append(Node(node: node, role: .list, lists: [index], target: nil, path: list))
      let element = tree.nodes[node].each
      elements.append(nodes.count)
      var inside = [element]
      while let node = inside.popLast() {
        nodes.append(
          Node(
            node: node, role: node == element ? .element : .inside, lists: [index],
            target: target(node), path: list))
        let children = tree.nodes[node]
        inside += tree.keys[children.keys].map(\.node) + children.elements.map(\.node)
        inside += [children.each, children.any].filter { $0 >= 0 }
      }
    }
  }

  /// Returns the places on the way from a place to the lists inside.
  func inside(_ place: Int) -> [Int] {
    nodes.indices.filter { nodes[$0].path.steps.starts(with: nodes[place].path.steps) }
  }

  /// Returns the path to a list that was never found, as far as it is missing; nil if all were found.
  func missing(_ isReached: ContiguousArray<Bool>) -> Path? {
    for list in lists.indices {
      for (place, node) in nodes.enumerated()
      where node.lists.contains(list) && !isReached[place] {
        switch node.role {
        case .way, .list: return node.path
        case .element, .inside: break
        }
      }
    }
    return nil
  }
}

/// Makes rows of the elements of parallel lists.
///
///     {"time": ["2026-01-01", "2026-01-02"], "rain": [0.4, 1]}
///
///     time   held until all lists but one have ended
///     rain   the last one: each of its elements makes a row
///
/// An element is held as the token that it is. One that is an object or a list is held as the tokens
/// that columns need, with their places, and its text.
struct Zipper {
  /// What a token leads to.
  enum Step {
    case nothing, capture
    /// Each list has an element of the next row.
    case row
    /// All lists have ended.
    case end
    /// A value in the place of a list, or around one. The token is the value or its end.
    case mismatch(place: Int, offset: Int)
  }

  private struct List {
    /// Its name, and its key in the text of a row.
    let name: String
    let key: [UInt8]
    /// Whether it, or a null in its place, has come in the open element.
    var hasCome = false
    /// Whether it is a list, not a null.
    var isPresent = false
    /// Its elements, where the next one begins, and how many of the bytes count as held.
    var bytes: ContiguousArray<UInt8> = []
    var next = 0
    var counted = 0
  }

  /// Ends the tokens of an element that is an object or a list.
  private static let mark: UInt8 = 0xFF
  private let plan: ZipPlan
  private let limit: Int
  private var lists: ContiguousArray<List>
  /// The number of lists that have not ended in the open element.
  private var awaited: Int
  /// The bytes of all lists.
  private var held = 0
  /// The list of the open element that is an object or a list, and where it begins.
  private var openElement: (list: Int, offset: Int)?
  /// The open value in the place of a list, and where it begins.
  private var openMismatch: (place: Int, offset: Int)?
  /// Whether a value was in the place of a list: the element around has no rows.
  private var isBroken = false
  /// Whether the values of a row are being stored.
  fileprivate(set) var isMakingRow = false
  /// The text of the row that is made.
  fileprivate var raw: ContiguousArray<UInt8> = []

  init(_ plan: ZipPlan, limit: Int) {
    self.plan = plan
    self.limit = limit
    lists = ContiguousArray(
      plan.names.map { name in
        let key = Array(name.utf8).withUnsafeBytes { JSONText.scalar(.string, $0) }
        return List(name: name, key: key + [UInt8(ascii: ":")])
      })
    awaited = lists.count
  }

  /// The level of the element that the lists are in; -1 if the rows are not made of lists.
  var level: Int { plan.level }
  var listCount: Int { lists.count }
  /// Whether a list has elements that are in no row.
  fileprivate var hasMore: Bool {
    !isBroken && lists.contains { $0.next < $0.bytes.count }
  }

  /// Begins an element with lists.
  mutating func begin() {
    for list in lists.indices { reset(list) }
    awaited = lists.count
    isBroken = false
  }

  private mutating func reset(_ list: Int) {
    (lists[list].hasCome, lists[list].isPresent) = (false, false)
    clear(list)
  }

  /// Drops the elements of a list and keeps the memory.
  fileprivate mutating func clear(_ list: Int) {
    held -= lists[list].counted
    (lists[list].next, lists[list].counted) = (0, 0)
    lists[list].bytes.removeAll(keepingCapacity: true)
  }

  /// Reads the token of a place. Throws ``FeedFault`` if a list comes twice, or if too much is held.
  mutating func read(_ kind: TokenKind, _ text: RawSpan, _ place: Int, at offset: Int)
    throws(PipelineError) -> Step
  {
    let isEnd = kind == .endObject || kind == .endArray
    if let (open, start) = openMismatch {
      guard isEnd, open == place else { return .nothing }
      openMismatch = nil
      return .mismatch(place: place, offset: start)
    }
    guard !isBroken else { return .nothing }
    let node = plan.nodes[place]
    switch node.role {
    case .way(let wanted):
      if isEnd || kind == wanted { return .nothing }
      guard kind == .null else { return try leave(kind, place, wanted, at: offset) }
      for list in node.lists { try end(list, at: offset) }
      return awaited == 0 ? .end : .nothing
    case .list:
      if isEnd {
        awaited -= 1
        return awaited == 0 ? .end : .nothing
      }
      if kind == .null {
        try end(node.lists[0], at: offset)
        return awaited == 0 ? .end : .nothing
      }
      guard kind == .beginArray else { return try leave(kind, place, .beginArray, at: offset) }
      try come(node.lists[0], at: offset)
      lists[node.lists[0]].isPresent = true
      return .nothing
    case .element where isEnd:
      try keep(kind, text, place, at: offset)
      openElement = nil
      lists[node.lists[0]].bytes.append(Self.mark)
      append(text, to: node.lists[0])
      return try endElement(node.lists[0], at: offset)
    case .element:
      // A row begins where its element of the first list does.
      if node.lists[0] == 0 { append(wordOf: offset, to: 0) }
      lists[node.lists[0]].bytes.append(kind.rawValue)
      guard kind == .beginObject || kind == .beginArray else {
        append(text, to: node.lists[0])
        return try endElement(node.lists[0], at: offset)
      }
      openElement = (node.lists[0], offset)
      try keep(kind, text, place, at: offset)
      return .capture
    case .inside:
      try keep(kind, text, place, at: offset)
      return .nothing
    }
  }

  private mutating func come(_ list: Int, at offset: Int) throws(PipelineError) {
    let name = lists[list].name
    guard !lists[list].hasCome else {
      throw PipelineError(.normalize(.afterItsRows(field: name)), at: offset, field: name)
    }
    lists[list].hasCome = true
  }

  /// Ends a list that is null.
  private mutating func end(_ list: Int, at offset: Int) throws(PipelineError) {
    try come(list, at: offset)
    awaited -= 1
  }

  /// Leaves the lists of the open element at a value of another kind.
  private mutating func leave(
    _ kind: TokenKind, _ place: Int, _ wanted: TokenKind, at offset: Int
  ) throws(PipelineError) -> Step {
    guard level > 0 else {
      let path = plan.nodes[place].path.description
      throw PipelineError(
        .normalize(.wrongKind(path: path, found: kind, wanted: wanted, keys: [])), at: offset)
    }
    isBroken = true
    guard kind == .beginObject || kind == .beginArray else {
      return .mismatch(place: place, offset: offset)
    }
    openMismatch = (place, offset)
    return .capture
  }

  /// The key of a value in the place of a list.
  func key(of place: Int) -> String { plan.nodes[place].path.lastKey }

  // MARK: Elements

  /// Keeps a token of an open element, if something is read there.
  private mutating func keep(
    _ kind: TokenKind, _ text: RawSpan, _ place: Int, at offset: Int
  ) throws(PipelineError) {
    guard let open = openElement, plan.nodes[place].target != nil else { return }
    lists[open.list].bytes.append(kind.rawValue)
    append(wordOf: place, to: open.list)
    append(wordOf: offset - open.offset, to: open.list)
    // The end of a captured value has its text, which is kept once.
    append(kind == .endObject || kind == .endArray ? RawSpan() : text, to: open.list)
    try checkSize(open.list, at: offset)
  }

  /// Appends a text. What is too long for a column is cut one byte later, so that it stays too long.
  private mutating func append(_ text: RawSpan, to list: Int) {
    let count = min(text.byteCount, Limits.text + 1)
    append(wordOf: count, to: list)
    text.withUnsafeBytes { lists[list].bytes.append(contentsOf: $0.prefix(count)) }
  }

  private mutating func append(wordOf number: Int, to list: Int) {
    withUnsafeBytes(of: Int64(number).littleEndian) {
      lists[list].bytes.append(contentsOf: $0)
    }
  }

  private mutating func endElement(_ list: Int, at offset: Int) throws(PipelineError) -> Step {
    if awaited == 1 { return .row }
    try checkSize(list, at: offset)
    return .nothing
  }

  /// Counts what a list has got. Throws ``FeedFault`` if that is too much. An element of the last list
  /// is not held, but has the same limit.
  private mutating func checkSize(_ list: Int, at offset: Int) throws(PipelineError) {
    let count = lists[list].bytes.count
    held += count - lists[list].counted
    lists[list].counted = count
    guard (awaited > 1 ? held : count) > limit else { return }
    let other = lists.first { !$0.hasCome } ?? lists[list]
    throw PipelineError(
      .normalize(.tooManyHeld(field: other.name, limit: limit)), at: offset, field: other.name)
  }
}

// MARK: Rows

extension Zipper {
  /// Reads numbers and texts of an element.
  fileprivate struct Reader {
    let bytes: ContiguousArray<UInt8>
    var place: Int

    mutating func byte() -> UInt8 {
      defer { place += 1 }
      return bytes[place]
    }

    mutating func word() -> Int {
      defer { place += 8 }
      let number = bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: place, as: Int64.self)
      }
      return Int(truncatingIfNeeded: Int64(littleEndian: number))
    }

    mutating func text() -> Range<Int> {
      let count = word()
      defer { place += count }
      return place..<place + count
    }
  }

  /// Returns a reader of the next element of a list. It is nil if there is none: `isShort` then tells
  /// whether the list has come.
  fileprivate func reader(_ list: Int) -> (reader: Reader?, isShort: Bool) {
    guard lists[list].next < lists[list].bytes.count else { return (nil, lists[list].isPresent) }
    return (Reader(bytes: lists[list].bytes, place: lists[list].next), false)
  }

  /// Notes that the element of a list was read up to here. The memory of a list that is read is used
  /// again.
  fileprivate mutating func endReading(_ list: Int, at place: Int) {
    lists[list].next = place
    if place == lists[list].bytes.count { clear(list) }
  }

  fileprivate func name(_ list: Int) -> String { lists[list].name }
  fileprivate func target(_ place: Int) -> ZipPlan.Target? { plan.nodes[place].target }
  fileprivate func elementPlace(_ list: Int) -> Int { plan.elements[list] }

  fileprivate mutating func beginText(_ list: Int) {
    raw.append(UInt8(ascii: raw.isEmpty ? "{" : ","))
    raw.append(contentsOf: lists[list].key)
  }
}

extension Normalizer where Next: ~Copyable {
  /// Reads a token of lists that rows are made of, and makes the rows that are complete.
  @inline(never)
  mutating func zip(_ kind: TokenKind, _ text: RawSpan, _ place: Int, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    switch try zipper.read(kind, text, place, at: offset) {
    case .nothing: return .proceed
    case .capture: return .capture
    case .row: try makeRow(at: offset)
    case .end: while zipper.hasMore { try makeRow(at: offset) }
    case .mismatch(let place, let start):
      paths.beginRows()
      row.begin(Flaw(mismatch: kind, text, key: zipper.key(of: place)), at: start)
      try judge(kind, text)
    }
    return .proceed
  }

  /// Ends an element with lists. Those that have not come are missing.
  mutating func endZip(_ level: Int) throws(PipelineError) {
    guard zipper.level == level else { return }
    while zipper.hasMore { try makeRow(at: row.offset) }
  }

  /// Makes a row of the next element of each list. A list that has no more elements than its rows
  /// makes the row wrong.
  private mutating func makeRow(at offset: Int) throws(PipelineError) {
    paths.beginRows()
    var start = offset
    if var first = zipper.reader(0).reader { start = first.word() }
    row.begin(at: start)
    zipper.raw.removeAll(keepingCapacity: true)
    zipper.isMakingRow = true
    var short: String?
    for list in 0..<zipper.listCount {
      let (reader, isShort) = zipper.reader(list)
      if isShort { short = short ?? zipper.name(list) }
      guard var reader else { continue }
      if list == 0 { _ = reader.word() }
      zipper.beginText(list)
      try storeElement(&reader, list, at: start)
      zipper.endReading(list, at: reader.place)
    }
    zipper.isMakingRow = false
    zipper.raw.append(UInt8(ascii: "}"))
    if let short { row.note(Flaw(reason: .wrongFieldCount, key: short)) }
    let raw = zipper.raw
    try raw.span.bytes.withUnsafeBytes { (raw) throws(PipelineError) in try judge(raw) }
  }

  /// Stores the values of an element in the row that begins at `start`, and appends its text.
  private mutating func storeElement(
    _ reader: inout Zipper.Reader, _ list: Int, at start: Int
  ) throws(PipelineError) {
    let bytes = reader.bytes
    guard let kind = TokenKind(rawValue: reader.byte()) else { return }
    guard kind == .beginObject || kind == .beginArray else {
      let text = reader.text()
      let value = bytes.span.bytes.extracting(text)
      value.withUnsafeBytes { zipper.raw.append(contentsOf: JSONText.scalar(kind, $0)) }
      return try storePart(kind, value, zipper.elementPlace(list), at: start)
    }
    let place = start + zipper.raw.count
    while let kind = TokenKind(rawValue: reader.byte()) {
      let (part, offset) = (reader.word(), reader.word())
      let text = reader.text()
      try storePart(kind, bytes.span.bytes.extracting(text), part, at: place + offset)
    }
    zipper.raw.append(contentsOf: bytes[reader.text()])
  }

  private mutating func storePart(
    _ kind: TokenKind, _ text: RawSpan, _ place: Int, at offset: Int
  ) throws(PipelineError) {
    switch zipper.target(place) {
    case .field(let index): _ = row.store(kind, text, index, at: offset)
    case .list(let index):
      if kind != .null, kind != .beginArray, kind != .endArray {
        _ = row.refuse(kind, text, index, at: offset)
      }
    case .pick(let pick): try self.pick(kind, text, pick, at: offset)
    case nil: break
    }
  }
}
