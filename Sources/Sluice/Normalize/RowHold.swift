import CSluice

/// Holds finished records until the fields around them are known.
///
///     {"date": "2026-01-05", "bins": [{…}, {…}]}     date is known: its rows are not held
///     {"bins": [{…}, {…}], "date": "2026-01-12"}     two rows wait for date
///     {"bins": [{…}]}                                one row waits for the end of the element
///
/// A record is held as it was read: the texts and slots of its own fields. Those of an element
/// around it are kept once, when the element ends and its rows still wait for a field further
/// outside.
///
///     list[].bins[].days[], with list[].city late and bins[].name known
///
///     bytes    │ day │ day │ fields of bin 1 │ day │ …
///     frames     bin 1, ended ─▶ list 1, open, waits for city ─▶ document
///
/// Rows leave in the order in which they came, so one that waits holds up those after it. While
/// none is held so, whole records and plain values may wait as they were read (``HeldWholes``).
struct RowHold: ~Copyable {
  /// A held record.
  private struct Row: BitwiseCopyable {
    var offset: Int
    /// Where its fields begin in `bytes`.
    var start: Int
    /// Where its text is in `raws`.
    var rawStart: Int
    var rawCount: Int
    /// The innermost element around it.
    var frame: Int
    /// Its flaw; -1 if it has none.
    var flaw = -1
  }

  /// An element around held records.
  private struct Frame {
    /// The element around it; -1 for the document.
    let parent: Int
    let level: Int
    /// Where its fields begin in `bytes`; -1 while it is open.
    var start = -1
    var flaw: Flaw?
  }

  /// The most bytes that are held for a field of the document, if its rows can be read again: that
  /// takes less time.
  private static let limitForDocument = 64 << 10

  /// The most bytes of elements around records that wait as they were read.
  private static let limitForFrames = 64 << 10

  /// The most bytes that are held.
  let limit: Int
  /// Whether a field is around the rows.
  let isWanted: Bool
  /// Whether a record must be held: a field around it has not come, or others are held.
  private(set) var isActive = false
  /// Whether records are dropped, because too many wait for a field of the document.
  private(set) var isScanning = false
  /// The rows' own fields, and those of each level around them.
  private let ownFields: [Int]
  private let levelFields: [[Int]]
  /// The fields that are waited for, by level, and how many of them have not come.
  private let awaited: [[Int]]
  private var pending: FixedArray<Int>
  private var isSeen: FixedArray<Bool>
  /// The number of levels with such fields.
  private var pendingLevels = 0
  /// The records that wait as they were read, while no other is held.
  var wholes = HeldWholes()
  /// The bytes that a record takes beside its texts at most.
  private let fixedSize: Int
  private var rows: ContiguousArray<Row> = []
  /// The row that leaves next.
  private var head = 0
  private var frames: ContiguousArray<Frame> = []
  /// The open frame of each level; -1 if no row is held in it.
  private var openFrames: ContiguousArray<Int>
  private var flaws: ContiguousArray<Flaw> = []
  private var flawBytes = 0
  private var bytes = ByteBuffer(capacity: 64)
  /// The texts of records, which only a rejected one needs.
  private var raws = ByteBuffer(capacity: 64)
  /// The values of the open elements while rows of others leave.
  private var liveSlots: FixedArray<RowBuilder.Slot>
  private var liveTexts: FixedArray<Record.Text>
  private var liveFlaws: ContiguousArray<Flaw?>
  /// The frame whose fields the row has, by level; -1 for the open element.
  private var applied: ContiguousArray<Int>

  init(_ table: Table, _ plan: borrowing RowPlan, limit: Int) {
    self.limit = limit
    let levels = plan.rowArrays
    var own: [Int] = []
    var around = [[Int]](repeating: [], count: levels)
    var awaited = around
    for (index, field) in table.fields.enumerated() {
      if plan.readings[index].isOwn {
        own.append(index)
      } else if Self.isRead(field) {
        around[field.path.arrays].append(index)
        // The key of an element comes with its beginning.
        if field.path.steps.last != .keyName { awaited[field.path.arrays].append(index) }
      }
    }
    (ownFields, levelFields, self.awaited) = (own, around, awaited)
    isWanted = awaited.contains { !$0.isEmpty }
    pending = FixedArray(repeating: 0, count: levels)
    isSeen = FixedArray(repeating: true, count: table.fields.count)
    openFrames = ContiguousArray(repeating: -1, count: levels)
    applied = openFrames
    liveSlots = FixedArray(repeating: RowBuilder.Slot(), count: isWanted ? table.fields.count : 0)
    liveTexts = FixedArray(repeating: Record.Text(), count: isWanted ? table.width : 0)
    liveFlaws = ContiguousArray(repeating: nil, count: levels)
    fixedSize =
      8 * own.reduce(0) { $0 + 1 + plan.readings[$1].columnsEnd - plan.readings[$1].column }
      + MemoryLayout<Row>.stride + MemoryLayout<Flaw>.stride
      + levels * MemoryLayout<Frame>.stride
    if isWanted { begin(0) }
  }

  /// Whether the field has a value in the document. Others are computed.
  static func isRead(_ field: Field) -> Bool { field.isRead && !field.path.steps.isEmpty }

  /// Whether no record is held.
  var isEmpty: Bool { hasNoRows && wholes.count == 0 }
  /// Whether none is held by its fields, so that others may wait as they were read.
  var hasNoRows: Bool {
    @inline(__always) get { head == rows.count }
  }
  /// Number of records that are held.
  var count: Int { rows.count - head + wholes.count }

  // MARK: Elements around rows

  /// Begins an element: none of its fields has come.
  mutating func begin(_ level: Int) {
    for field in awaited[level] { isSeen[field] = false }
    wait(for: awaited[level].count, level)
  }

  /// Whether a field has come, or cannot come any longer.
  func isPast(_ field: Int) -> Bool { isSeen[field] }

  /// Whether the rows of the open element of a level that have come may have left: they wait for no
  /// field of it, or of the elements around it. For an element, fields of the document do not count,
  /// because then it would depend on how many rows there are.
  func mayHaveLeft(_ level: Int) -> Bool {
    level == 0 ? isComplete(0) : (1...level).allSatisfy { isComplete($0) }
  }

  /// Notes that a field has come, or cannot come any longer.
  @inline(__always)
  mutating func see(_ field: Int, level: Int) {
    guard !isSeen[field] else { return }
    isSeen[field] = true
    wait(for: pending[level] - 1, level)
  }

  /// Ends an element: fields that have not come are missing.
  mutating func end(_ level: Int) {
    wait(for: 0, level)
  }

  /// Whether all fields of a level have come.
  func isComplete(_ level: Int) -> Bool { pending[level] == 0 }

  /// Sets how many fields of a level are waited for.
  @inline(__always)
  private mutating func wait(for count: Int, _ level: Int) {
    pendingLevels += (count > 0 ? 1 : 0) - (pending[level] > 0 ? 1 : 0)
    pending[level] = count
    update()
  }

  @inline(__always)
  private mutating func update() { isActive = isScanning || !isEmpty || pendingLevels > 0 }

  /// Keeps the fields of an element that ends before its rows could leave. Records that stood in
  /// place of elements inside have frames there too.
  mutating func close(_ level: Int, _ row: inout RowBuilder) {
    for inner in (level..<openFrames.count).reversed() where openFrames[inner] >= 0 {
      let frame = openFrames[inner]
      openFrames[inner] = -1
      frames[frame].start = bytes.count
      frames[frame].flaw = row.flaws[inner]
      write(levelFields[inner], &row)
    }
  }

  // MARK: Records

  /// Holds the record in `row`; `raw` is its text. Returns whether there was room. The row does not
  /// change, but otherwise the compiler would copy it.
  mutating func add(
    _ row: inout RowBuilder, _ raw: UnsafeRawBufferPointer, keepsRaw: Bool
  ) -> Bool {
    let start = bytes.count
    write(ownFields, &row)
    let size =
      bytes.count + flawBytes + (rows.count + 1) * MemoryLayout<Row>.stride
      + (frames.count + openFrames.count) * MemoryLayout<Frame>.stride
    guard size <= limit else {
      bytes.truncate(to: start)
      return false
    }
    openAllFrames()
    var held = Row(
      offset: row.offset, start: start, rawStart: raws.count, rawCount: 0,
      frame: openFrames[openFrames.count - 1])
    if var flaw = row.flaws.ownFlaw {
      flaw.value = flaw.value(in: raw, at: row.offset)
      flaw.valueOffset = nil
      held.flaw = flaws.count
      flawBytes += MemoryLayout<Flaw>.stride + (flaw.value?.count ?? 0)
      flaws.append(flaw)
    }
    if keepsRaw, raws.count + raw.count <= limit {
      held.rawCount = raw.count
      raws.append(raw)
    }
    rows.append(held)
    isActive = true
    return true
  }

  /// Makes frames of the open elements that have none. Returns that of the innermost one.
  @discardableResult
  private mutating func openAllFrames() -> Int {
    for level in openFrames.indices where openFrames[level] < 0 {
      openFrames[level] = frames.count
      frames.append(Frame(parent: level > 0 ? openFrames[level - 1] : -1, level: level))
    }
    return openFrames[openFrames.count - 1]
  }

  /// Holds a whole record as it was read, perhaps with its key. Returns false if it must be held by
  /// its fields.
  @inline(__always)
  mutating func add(_ whole: WholeRecord, key: ObjectValue?, keyIsNoted: Bool) -> Bool {
    hasNoRows
      && wholes.add(
        whole, key: key, keyIsNoted: keyIsNoted, fixedSize: fixedSize, limit: limit - bytes.count)
  }

  /// Holds plain values as they were read. Returns false if they must be held by their fields.
  mutating func add(_ run: borrowing ValueRun, withKeys: Bool, keyIsNoted: Bool) -> Bool {
    hasNoRows
      && wholes.add(
        run, withKeys: withKeys, keyIsNoted: keyIsNoted, fixedSize: fixedSize,
        limit: limit - bytes.count)
  }

  /// Whether many records wait for fields of the document only.
  var waitsForDocument: Bool {
    pendingLevels == 1 && pending[0] > 0 && bytes.count > Self.limitForDocument
  }

  /// Whether the records that wait as they were read can leave: every field around them has come.
  var wholesAreReady: Bool { pendingLevels == 0 && wholes.count > 0 }

  /// Lets these records wait though the elements around them end, whose fields are kept. Returns
  /// false if they must be held by their fields.
  mutating func frameWholes() -> Bool {
    guard wholes.isInOpenElement else { return true }
    guard bytes.count <= Self.limitForFrames else { return false }
    wholes.endElement(openAllFrames())
    return true
  }

  /// Begins to take these records, because they leave or must be held by their fields. Returns how
  /// many there are.
  mutating func beginWholes() -> Int {
    defer { update() }
    return wholes.beginLeaving(areComplete: pendingLevels == 0)
  }

  /// Lets the records that are held next be in the elements of this frame. Returns the open ones.
  mutating func enter(_ frame: Int) -> ContiguousArray<Int> {
    let open = openFrames
    var frame = frame
    while frame >= 0 {
      openFrames[frames[frame].level] = frame
      frame = frames[frame].parent
    }
    return open
  }

  /// Lets them be in the open elements again. These have no frames if all records were dropped.
  mutating func leave(to open: ContiguousArray<Int>) {
    if !isScanning { openFrames = open }
  }

  /// Whether the next row can leave: every field around it has come, or its element has ended.
  var isReady: Bool {
    guard !hasNoRows else { return false }
    var frame = rows[head].frame
    while frame >= 0 {
      if frames[frame].start < 0, pending[frames[frame].level] > 0 { return false }
      frame = frames[frame].parent
    }
    return true
  }

  /// Returns the field that the next row waits for, the innermost one.
  var blocker: (field: Int, level: Int)? {
    var levels = Array(pending.indices.reversed())
    if !hasNoRows {
      levels = []
      var frame = rows[head].frame
      while frame >= 0 {
        if frames[frame].start < 0 { levels.append(frames[frame].level) }
        frame = frames[frame].parent
      }
    }
    for level in levels where pending[level] > 0 {
      if let field = awaited[level].first(where: { !isSeen[$0] }) { return (field, level) }
    }
    return nil
  }

  /// Drops all records, those that come too: they will be read again. Returns how many they were.
  mutating func scan() -> Int {
    let dropped = count
    isScanning = true
    reset()
    return dropped
  }

  /// Forgets all records, whose memory is used again.
  private mutating func reset() {
    rows.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    flaws.removeAll()
    bytes.removeAll()
    raws.removeAll()
    (head, flawBytes) = (0, 0)
    for level in openFrames.indices { openFrames[level] = -1 }
    update()
  }

  // MARK: Leaving

  /// Prepares for rows that leave. The values of open elements come back with ``endRelease(_:)``.
  mutating func beginRelease(_ row: inout RowBuilder) {
    for level in levelFields.indices {
      applied[level] = -1
      liveFlaws[level] = row.flaws[level]
      for field in levelFields[level] {
        liveSlots[field] = row.slots[field]
        let reading = row.plan.readings[field]
        for column in reading.column..<reading.columnsEnd {
          liveTexts[column] = row.record.texts[column]
        }
      }
    }
  }

  /// Makes `row` the next record. Returns its text, as far as it was kept.
  mutating func take(_ row: inout RowBuilder) -> UnsafeRawBufferPointer {
    let held = rows[head]
    head += 1
    row.resume(at: held.offset, held.flaw < 0 ? nil : flaws[held.flaw])
    surround(&row, by: held.frame)
    let memory = UnsafeRawPointer(bytes.start)
    Self.read(ownFields, memory, base: memory, from: held.start, to: &row)
    return UnsafeRawBufferPointer(start: raws.start + held.rawStart, count: held.rawCount)
  }

  /// Gives the row the fields of the elements around it: of this frame and those around it, or of
  /// the open ones. Those that it has are given `isAnew` if copies of their texts may be gone.
  mutating func surround(_ row: inout RowBuilder, by innermost: Int, isAnew: Bool = false) {
    if innermost < 0 {
      for level in applied.indices where applied[level] >= 0 { apply(-1, level, to: &row) }
    }
    var frame = innermost
    while frame >= 0 {
      let level = frames[frame].level
      let wanted = frames[frame].start < 0 ? -1 : frame
      if isAnew || applied[level] != wanted { apply(wanted, level, to: &row) }
      frame = frames[frame].parent
    }
  }

  /// Ends the leaving of rows.
  mutating func endRelease(_ row: inout RowBuilder) {
    surround(&row, by: -1)
    row.clear()
    if isEmpty { reset() } else { update() }
  }

  /// Gives the row the fields of an element: of a frame, or of the open one.
  private mutating func apply(_ frame: Int, _ level: Int, to row: inout RowBuilder) {
    applied[level] = frame
    guard frame < 0 else {
      row.flaws[level] = frames[frame].flaw
      let memory = UnsafeRawPointer(bytes.start)
      Self.read(levelFields[level], memory, base: memory, from: frames[frame].start, to: &row)
      return
    }
    row.flaws[level] = liveFlaws[level]
    for field in levelFields[level] {
      row.slots[field] = liveSlots[field]
      let reading = row.plan.readings[field]
      for column in reading.column..<reading.columnsEnd {
        row.record.texts[column] = liveTexts[column]
      }
    }
  }

  // MARK: Fields as bytes

  /// Appends fields: what is known of each, its raw text, and the texts of its columns if they do
  /// not have to be made from that. Eight bytes before each text are its length.
  private mutating func write(_ fields: [Int], _ row: inout RowBuilder) {
    for field in fields {
      let slot = row.slots[field]
      let reading = row.plan.readings[field]
      let marks =
        (slot.isSet ? 1 : 0) | (slot.isDuplicate ? 2 : 0) | (slot.isUnreadable ? 4 : 0)
        | (slot.isInForm ? 8 : 0)
      write(slot.raw.count << 4 | marks, row.record.text(slot.raw))
      guard reading.isReadAtOnce else { continue }
      for column in reading.column..<reading.columnsEnd {
        let text = row.record.text(column)
        write(text.count, text)
      }
    }
  }

  /// Appends a number and a text of the row.
  @inline(__always)
  private mutating func write(_ number: Int, _ text: UnsafeRawBufferPointer) {
    let end = bytes.end(withRoom: 8 + text.count + 16)
    UnsafeMutableRawPointer(end).storeBytes(of: Int64(number).littleEndian, as: Int64.self)
    if let start = text.baseAddress {
      cscan_put(end + 8, start.assumingMemoryBound(to: UInt8.self), text.count)
    }
    bytes.commit(8 + text.count)
  }

  /// Puts fields back that were written from `start` on. Their texts stay in `memory`; `base` is
  /// the same, or nil if it is the row's own.
  private static func read(
    _ fields: [Int], _ memory: UnsafeRawPointer, base: UnsafeRawPointer?, from start: Int,
    to row: inout RowBuilder
  ) {
    var place = start
    func word() -> Int {
      defer { place += 8 }
      return Int(
        truncatingIfNeeded: Int64(
          littleEndian: memory.loadUnaligned(fromByteOffset: place, as: Int64.self)))
    }
    for field in fields {
      let marks = word()
      row.slots[field] = RowBuilder.Slot(
        isSet: marks & 1 != 0, isDuplicate: marks & 2 != 0, isUnreadable: marks & 4 != 0,
        isInForm: marks & 8 != 0, raw: Record.Text(base: base, start: place, count: marks >> 4))
      place += marks >> 4
      let reading = row.plan.readings[field]
      for column in reading.column..<reading.columnsEnd {
        let count = reading.isReadAtOnce ? word() : 0
        row.record.texts[column] = Record.Text(base: base, start: place, count: count)
        place += count
      }
    }
  }

  // MARK: Fields of the document

  /// Returns the fields of the document for a second reading of the input.
  mutating func documentFields(_ row: inout RowBuilder) -> (bytes: [UInt8], flaw: Flaw?) {
    reset()
    write(levelFields[0], &row)
    defer { bytes.removeAll() }
    return (Array(bytes.contents), row.flaws[0])
  }

  /// Gives the row the fields of the document, which a first reading has found.
  mutating func setDocumentFields(
    _ fields: (bytes: [UInt8], flaw: Flaw?), _ row: inout RowBuilder
  ) {
    let start = row.record.bytes.count
    fields.bytes.withUnsafeBytes { row.record.bytes.append($0) }
    Self.read(
      levelFields[0], UnsafeRawPointer(row.record.bytes.start), base: nil, from: start, to: &row)
    row.flaws[0] = fields.flaw
    end(0)
  }
}
