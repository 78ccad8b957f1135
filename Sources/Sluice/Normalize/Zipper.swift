import CSluice

/// Keeps the elements of parallel lists until rows can be made of them.
///
///     {"time": ["2026-01-01", "2026-01-02"], "rain": [0.4, 1]}
///
///     time   held until all lists but one have ended
///     rain   the last one: each of its elements makes a row
///
/// A plain value is held with its kind and what is known of it. An element that is an object or a list is
/// held as the tokens that columns need, with their places, and its text.
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
  private let plan: ZipPlan
  private let limit: Int
  private var lists: ContiguousArray<List>
  private var elements: FixedArray<Elements>
  /// The elements of all lists.
  private var bytes = ByteBuffer(capacity: 1)
  /// The list that began last, and where its elements begin.
  private var openList = 0
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
  fileprivate(set) var isMakingRow = false
  /// The text of the row that is made.
  fileprivate var raw: ContiguousArray<UInt8> = []

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
  fileprivate let havePlainValues: Bool
  /// Whether a list has elements that are in no row.
  fileprivate var hasMore: Bool {
    !isBroken && elements.indices.contains { elements[$0].next < elements[$0].end }
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
    elements[list] = Elements(next: openStart, end: openStart)
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

  /// Keeps an element of the open list that is a plain value. Returns whether each list has an element of
  /// the next row. Throws ``FeedFault`` if too much is held.
  @inline(__always)
  mutating func keep(_ value: ObjectValue, at offset: Int) throws(PipelineError) -> Bool {
    guard !isBroken else { return false }
    // A row begins where its element of the first list does.
    if openList == 0 { bytes.append(wordOf: offset) }
    // A value as a whole is not too long for a column.
    let head = UnsafeMutableRawPointer(bytes.end(withRoom: 10 + value.count + 16))
    head.storeBytes(of: value.kind, as: TokenKind.self)
    (head + 1).storeBytes(of: value.traits, as: ValueTraits.self)
    (head + 2).storeBytes(of: Int64(value.count).littleEndian, as: Int64.self)
    cscan_put((head + 10).assumingMemoryBound(to: UInt8.self), value.start, value.count)
    bytes.commit(10 + value.count)
    elements.address[openList].end = bytes.count
    if awaited == 1 { return true }
    try checkSize(at: offset)
    return false
  }

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

  /// Appends a text. What is too long for a column is cut one byte later, so that it stays too long.
  private mutating func append(_ text: RawSpan) {
    let count = min(text.byteCount, Limits.text + 1)
    bytes.append(wordOf: count)
    text.withUnsafeBytes { bytes.append(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
  }

  /// Throws ``FeedFault`` if too much is held. An element of the last list is not held, but has the same
  /// limit.
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
  fileprivate struct Reader: BitwiseCopyable {
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

  fileprivate func name(_ list: Int) -> String { lists[list].name }
  fileprivate func target(_ place: Int) -> ZipPlan.Target? { plan.nodes[place].target }
  fileprivate func elementPlace(_ list: Int) -> Int { plan.elements[list] }

  // MARK: Rows of any elements

  /// Returns a reader of the next element of a list. It is nil if there is none: `isShort` then tells
  /// whether the list has come.
  fileprivate func reader(_ list: Int) -> (reader: Reader?, isShort: Bool) {
    guard elements[list].next < elements[list].end else { return (nil, lists[list].isPresent) }
    return (Reader(start: bytes.start, place: elements[list].next), false)
  }

  /// Notes that the element of a list was read up to here.
  fileprivate mutating func endReading(_ list: Int, at place: Int) { elements[list].next = place }

  // MARK: Rows of plain values

  /// Reads the next element of each list, if all are plain values. Sets where the row begins and the first
  /// list that has too few elements, if they are known. Returns whether it did.
  fileprivate mutating func readValues(_ start: inout Int, _ short: inout Int?) -> Bool {
    for list in elements.indices {
      var reader = Reader(start: bytes.start, place: elements[list].next)
      if reader.place == elements[list].end {
        values[list] = ObjectValue()
        if lists[list].isPresent { short = short ?? list }
      } else {
        if list == 0 { start = reader.word() }
        let (kind, traits) = reader.head()
        guard kind != .beginObject, kind != .beginArray else { return false }
        let text = reader.text()
        // A long text may be too long for a column.
        guard text.count <= RecordShape.maxLength else { return false }
        let first = (bytes.start + reader.place - text.count).assumingMemoryBound(to: UInt8.self)
        values[list] = ObjectValue(
          start: first, count: text.count, written: first, kind: kind, traits: traits)
      }
      elements[list].after = reader.place
    }
    for list in elements.indices { elements[list].next = elements[list].after }
    return true
  }

  /// The values that were read last, as a row that begins at this offset.
  fileprivate func row(at offset: Int) -> WholeRecord {
    WholeRecord(of: values.prefix(values.count), at: offset)
  }

  /// Writes the text of the row with these values.
  fileprivate mutating func writeText() {
    for list in elements.indices where values[list].times > 0 {
      beginText(list)
      raw.append(contentsOf: JSONText.scalar(values[list].kind, values[list].text))
    }
    endText()
  }

  fileprivate mutating func beginText(_ list: Int) {
    raw.append(UInt8(ascii: raw.isEmpty ? "{" : ","))
    raw.append(contentsOf: lists[list].key)
  }

  fileprivate mutating func endText() { raw.append(UInt8(ascii: "}")) }

  /// Ends a row. An element of the last list is not held any longer.
  fileprivate mutating func endRow() {
    if !raw.isEmpty { raw.removeAll(keepingCapacity: true) }
    guard awaited == 1, elements[openList].next == elements[openList].end else { return }
    bytes.truncate(to: openStart)
    elements[openList] = Elements(next: openStart, end: openStart)
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
    case .list: return .values
    case .row: try makeRow(at: offset)
    case .end: while zipper.hasMore { try makeRow(at: offset) }
    case .mismatch(let place, let start):
      paths.beginRows()
      row.begin(Flaw(mismatch: kind, text, key: zipper.key(of: place)), at: start)
      try judge(kind, text)
    }
    return .proceed
  }

  /// Reads a plain value of such a list.
  @inline(__always)
  mutating func zip(_ value: ObjectValue, at offset: Int) throws(PipelineError) {
    if try zipper.keep(value, at: offset) { try makeRow(at: offset) }
  }

  /// Ends an element with lists. Those that have not come are missing.
  mutating func endZip(_ level: Int) throws(PipelineError) {
    guard zipper.level == level else { return }
    while zipper.hasMore { try makeRow(at: row.offset) }
  }

  /// Makes a row of the next element of each list. A list that has no more elements than its rows
  /// makes the row wrong.
  @inline(never)
  private mutating func makeRow(at offset: Int) throws(PipelineError) {
    paths.beginRows()
    var (start, short) = (offset, nil as Int?)
    if zipper.havePlainValues, zipper.readValues(&start, &short) {
      row.begin(zipper.row(at: start))
      if keepsRaw { zipper.writeText() }
    } else {
      short = try storeElements(at: offset)
    }
    if let short { row.note(Flaw(reason: .wrongFieldCount, key: zipper.name(short))) }
    if zipper.raw.isEmpty {
      try judge(UnsafeRawBufferPointer(start: nil, count: 0))
    } else {
      let raw = zipper.raw
      try raw.span.bytes.withUnsafeBytes { (raw) throws(PipelineError) in try judge(raw) }
    }
    zipper.endRow()
  }

  /// Stores the next element of each list, of any kind. Returns the first list that has none.
  private mutating func storeElements(at offset: Int) throws(PipelineError) -> Int? {
    var start = offset
    if var first = zipper.reader(0).reader { start = first.word() }
    row.begin(at: start)
    zipper.isMakingRow = true
    var short: Int?
    for list in 0..<zipper.listCount {
      let (reader, isShort) = zipper.reader(list)
      if isShort { short = short ?? list }
      guard var reader else { continue }
      if list == 0 { _ = reader.word() }
      zipper.beginText(list)
      try storeElement(&reader, list, at: start)
      zipper.endReading(list, at: reader.place)
    }
    zipper.isMakingRow = false
    zipper.endText()
    return short
  }

  /// Stores the values of an element in the row that begins at `start`, and appends its text.
  private mutating func storeElement(
    _ reader: inout Zipper.Reader, _ list: Int, at start: Int
  ) throws(PipelineError) {
    let kind = reader.head().kind
    guard kind == .beginObject || kind == .beginArray else {
      let text = reader.text()
      zipper.raw.append(contentsOf: JSONText.scalar(kind, text))
      return try storePart(kind, text, zipper.elementPlace(list), at: start)
    }
    let place = start + zipper.raw.count
    while let kind = TokenKind(rawValue: reader.byte()) {
      let (part, offset) = (reader.word(), reader.word())
      let text = reader.text()
      try storePart(kind, text, part, at: place + offset)
    }
    zipper.raw.append(contentsOf: reader.text())
  }

  private mutating func storePart(
    _ kind: TokenKind, _ text: UnsafeRawBufferPointer, _ place: Int, at offset: Int
  ) throws(PipelineError) {
    let text = RawSpan(_unsafeBytes: text)
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
