import CSluice

/// Keeps the elements of parallel lists until rows can be made of them.
///
///     {"time": ["2026-01-01", "2026-01-02"], "rain": [0.4, 1]}
///
///     time   held until all lists but one have ended
///     rain   the last one: each of its elements makes a row
///
/// A plain value is held with its kind and what is known of it, true and false without a text. An
/// element that is an object or a list is held as the tokens that columns need, with their places,
/// and its text.
///
/// The lists come one after the other, so that all are in one buffer.
struct Zipper: ~Copyable {
  /// What a token leads to.
  enum Step {
    case nothing, capture
    /// A list begins.
    case list
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
  }

  /// Where the elements of a list are that are in no row.
  struct Elements: BitwiseCopyable {
    var next = 0
    var end = 0
    /// Where the element after the next one begins.
    var after = 0
  }

  /// Ends the tokens of an element that is an object or a list.
  private static let mark: UInt8 = 0xFF
  /// The length of what stands before the text of a plain value: its kind, its traits and its
  /// length.
  private static let headCount = 10
  private let plan: ZipPlan
  private let limit: Int
  private var lists: ContiguousArray<List>
  private var elements: FixedArray<Elements>
  /// The elements of all lists.
  private var bytes = ByteBuffer(capacity: 1)
  /// The list that began last, and where its elements begin.
  private(set) var openList = 0
  private var openStart = 0
  /// The number of lists that have not ended in the open element.
  private var awaited: Int
  /// The open element that is an object or a list: where it begins, if there is one.
  private var openElement: Int?
  /// The open value in the place of a list, and where it begins.
  private var openMismatch: (place: Int, offset: Int)?
  /// Whether a value was in the place of a list: the element around has no rows.
  private var isBroken = false
  /// The plain values of a row.
  private var values: FixedArray<ObjectValue>
  /// Whether the values of a row are being stored.
  var isMakingRow = false
  /// The text of the row that is made.
  var raw: ContiguousArray<UInt8> = []

  init(_ plan: ZipPlan, limit: Int) {
    self.plan = plan
    self.limit = limit
    havePlainValues = plan.fields != nil
    lists = ContiguousArray(
      plan.names.map { name in
        let key = Array(name.utf8).withUnsafeBytes { JSONText.scalar(.string, $0) }
        return List(name: name, key: key + [UInt8(ascii: ":")])
      })
    awaited = lists.count
    elements = FixedArray(repeating: Elements(), count: lists.count)
    values = FixedArray(repeating: ObjectValue(), count: lists.count)
  }

  /// The level of the element that the lists are in; -1 if the rows are not made of lists.
  var level: Int { plan.level }
  var listCount: Int { lists.count }
  /// The field of each list, if all elements should be plain values; else nil.
  var fields: [Int]? { plan.fields }
  /// Whether all elements should be plain values.
  let havePlainValues: Bool
  /// Whether a list has elements that are in no row.
  var hasMore: Bool {
    !isBroken && elements.indices.contains { hasMore($0) }
  }

  /// Begins an element with lists.
  mutating func begin() {
    for list in lists.indices {
      (lists[list].hasCome, lists[list].isPresent) = (false, false)
      elements[list] = Elements()
    }
    bytes.removeAll()
    awaited = lists.count
    isBroken = false
  }

  /// Reads the token of a place. Throws ``FeedFault`` if a list comes twice, or if too much is
  /// held.
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
      try beginList(node.lists[0], at: offset)
      return .list
    case .element where isEnd:
      try keep(kind, text, place, at: offset)
      openElement = nil
      bytes.append(Self.mark)
      append(text)
      return try endElement(at: offset)
    case .element:
      beginElement(kind, at: offset)
      guard kind == .beginObject || kind == .beginArray else {
        append(text)
        return try endElement(at: offset)
      }
      openElement = offset
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

  private mutating func beginList(_ list: Int, at offset: Int) throws(PipelineError) {
    try come(list, at: offset)
    lists[list].isPresent = true
    (openList, openStart) = (list, bytes.count)
    elements[list] = Elements(next: openStart, end: openStart, after: openStart)
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

  /// Whether all lists but the open one have ended, so that each of its elements makes a row.
  var isAtLast: Bool { awaited == 1 && !isBroken }

  /// Keeps elements of the open list that are plain values. Throws ``FeedFault`` if too much is
  /// held.
  mutating func keep(_ run: borrowing ValueRun, _ range: Range<Int>) throws(PipelineError) {
    guard !isBroken else { return }
    let start = bytes.count
    // A row begins where its element of the first list does.
    let isFirst = openList == 0
    var room = 0
    for index in range { room += run[index].count + Self.headCount + 8 }
    var p = UnsafeMutableRawPointer(bytes.end(withRoom: room))
    for index in range {
      let value = run[index]
      let count = Self.heldCount(of: value)
      if isFirst {
        p.storeBytes(of: Int64(run.offset(of: index)).littleEndian, as: Int64.self)
        p += 8
      }
      p.storeBytes(of: value.kind, as: TokenKind.self)
      (p + 1).storeBytes(of: value.traits, as: ValueTraits.self)
      (p + 2).storeBytes(of: Int64(count).littleEndian, as: Int64.self)
      p += Self.headCount
      // A value of a run is not too long for a column.
      p = UnsafeMutableRawPointer(
        cscan_put(p.assumingMemoryBound(to: UInt8.self), value.start, count))
    }
    bytes.commit(upTo: p.assumingMemoryBound(to: UInt8.self))
    elements.address[openList].end = bytes.count
    guard awaited > 1, bytes.count > limit else { return }
    var (held, index) = (start, range.lowerBound)
    while true {
      held += Self.heldCount(of: run[index]) + Self.headCount + (isFirst ? 8 : 0)
      if held > limit { throw tooMuch(at: run.offset(of: index)) }
      index += 1
    }
  }

  /// The length of the text that is held of a plain value.
  @inline(__always)
  private static func heldCount(of value: ObjectValue) -> Int { value.isFlag ? 0 : value.count }

  /// Keeps the kind of an element.
  private mutating func beginElement(_ kind: TokenKind, at offset: Int) {
    // A row begins where its element of the first list does.
    if openList == 0 { bytes.append(wordOf: offset) }
    bytes.append(kind.rawValue)
    bytes.append(ValueTraits().rawValue)
  }

  private mutating func endElement(at offset: Int) throws(PipelineError) -> Step {
    elements[openList].end = bytes.count
    if awaited == 1 { return .row }
    try checkSize(at: offset)
    return .nothing
  }

  /// Keeps a token of an open element, if something is read there.
  private mutating func keep(
    _ kind: TokenKind, _ text: RawSpan, _ place: Int, at offset: Int
  ) throws(PipelineError) {
    guard let openElement, plan.nodes[place].target != nil else { return }
    bytes.append(kind.rawValue)
    bytes.append(wordOf: place)
    bytes.append(wordOf: offset - openElement)
    // The end of a captured value has its text, which is kept once.
    append(kind == .endObject || kind == .endArray ? RawSpan() : text)
    try checkSize(at: offset)
  }

  /// Appends a text. What is too long for a column is cut one character later, so that it stays too
  /// long.
  private mutating func append(_ text: RawSpan) {
    text.withUnsafeBytes { text in
      let count = UTF8Encoding.cut(text, to: Limits.text + 4)
      bytes.append(wordOf: count)
      bytes.append(UnsafeRawBufferPointer(rebasing: text.prefix(count)))
    }
  }

  /// Throws ``FeedFault`` if too much is held. An element of the last list is not held, but has the
  /// same limit.
  @inline(__always)
  private func checkSize(at offset: Int) throws(PipelineError) {
    if bytes.count - (awaited > 1 ? 0 : openStart) > limit { throw tooMuch(at: offset) }
  }

  private func tooMuch(at offset: Int) -> PipelineError {
    let name = (lists.first { !$0.hasCome } ?? lists[openList]).name
    return PipelineError(
      .normalize(.tooManyHeld(field: name, limit: limit)), at: offset, field: name)
  }
}

// MARK: Rows

extension Zipper {
  /// Reads numbers and texts of an element.
  struct Reader: BitwiseCopyable {
    let start: UnsafeRawPointer
    var place: Int

    @inline(__always)
    mutating func byte() -> UInt8 {
      defer { place += 1 }
      return start.load(fromByteOffset: place, as: UInt8.self)
    }

    /// Reads what an element begins with.
    @inline(__always)
    mutating func head() -> (kind: TokenKind, traits: ValueTraits) {
      defer { place += 2 }
      return (
        start.load(fromByteOffset: place, as: TokenKind.self),
        start.load(fromByteOffset: place + 1, as: ValueTraits.self)
      )
    }

    @inline(__always)
    mutating func word() -> Int {
      defer { place += 8 }
      return Int(
        truncatingIfNeeded: Int64(
          littleEndian: start.loadUnaligned(fromByteOffset: place, as: Int64.self)))
    }

    @inline(__always)
    mutating func text() -> UnsafeRawBufferPointer {
      let count = word()
      defer { place += count }
      return UnsafeRawBufferPointer(start: start + place, count: count)
    }
  }

  func name(_ list: Int) -> String { lists[list].name }
  func target(_ place: Int) -> ZipPlan.Target? { plan.nodes[place].target }
  func elementPlace(_ list: Int) -> Int { plan.elements[list] }

  // MARK: Rows of any elements

  /// Returns a reader of the next element of a list. It is nil if there is none: `isShort` then
  /// tells whether the list has come.
  func reader(_ list: Int) -> (reader: Reader?, isShort: Bool) {
    guard hasMore(list) else { return (nil, lists[list].isPresent) }
    return (Reader(start: bytes.start, place: elements[list].next), false)
  }

  /// Notes that the element of a list was read up to here.
  mutating func endReading(_ list: Int, at place: Int) { elements[list].next = place }

  // MARK: Rows of plain values

  /// Reads the next element of a list, which has one, if it is a plain value. ``endReading()`` ends
  /// that of all lists.
  @inline(__always)
  mutating func readPlain(_ list: Int) -> ObjectValue? {
    let element = elements.address + list
    var reader = Reader(start: bytes.start, place: element.pointee.next + (list == 0 ? 8 : 0))
    let (kind, traits) = reader.head()
    guard kind != .beginObject, kind != .beginArray else { return nil }
    let text = reader.text()
    // A long text may be too long for a column.
    guard text.count <= RecordShape.maxLength else { return nil }
    element.pointee.after = reader.place
    if kind == .true || kind == .false { return ObjectValue(flag: kind == .true) }
    let first = (bytes.start + reader.place - text.count).assumingMemoryBound(to: UInt8.self)
    return ObjectValue(
      start: first, count: text.count, written: first, kind: kind, traits: traits)
  }

  /// Whether a list has an element that is in no row.
  @inline(__always)
  func hasMore(_ list: Int) -> Bool {
    elements.address[list].next < elements.address[list].end
  }

  /// The offset of the next element of the first list, which has one.
  @inline(__always)
  var nextOffset: Int {
    var reader = Reader(start: bytes.start, place: elements.address[0].next)
    return reader.word()
  }

  /// Goes on after the plain values that were read.
  @inline(__always)
  mutating func endReading() {
    for list in elements.indices { elements.address[list].next = elements.address[list].after }
  }

  /// Reads the next element of each list, if all are plain values. Sets where the row begins and
  /// the first list that has too few elements, if they are known. Returns whether it did.
  mutating func readValues(_ start: inout Int, _ short: inout Int?) -> Bool {
    if hasMore(0) { start = nextOffset }
    for list in elements.indices {
      if hasMore(list) {
        guard let value = readPlain(list) else { return false }
        values[list] = value
      } else {
        values[list] = ObjectValue()
        elements[list].after = elements[list].next
        if lists[list].isPresent { short = short ?? list }
      }
    }
    endReading()
    return true
  }

  /// The values that were read last, as a row that begins at this offset.
  func row(at offset: Int) -> WholeRecord {
    WholeRecord(of: values.prefix(values.count), at: offset)
  }

  /// Writes the text of the row with these values.
  mutating func writeText() {
    for list in elements.indices where values[list].times > 0 {
      beginText(list)
      raw.append(contentsOf: JSONText.scalar(values[list].kind, values[list].text))
    }
    endText()
  }

  mutating func beginText(_ list: Int) {
    raw.append(UInt8(ascii: raw.isEmpty ? "{" : ","))
    raw.append(contentsOf: lists[list].key)
  }

  mutating func endText() { raw.append(UInt8(ascii: "}")) }

  /// Ends a row. An element of the last list is not held any longer.
  mutating func endRow() {
    if !raw.isEmpty { raw.removeAll(keepingCapacity: true) }
    guard awaited == 1, elements[openList].next == elements[openList].end else { return }
    bytes.truncate(to: openStart)
    elements[openList] = Elements(next: openStart, end: openStart, after: openStart)
  }
}
