/// Whole records, or plain values, that wait for the fields around them as they were read.
///
///     [{"hours":[{…},{…},{…}],"city":{"name":"Пушкин"}},{"hours":[{…},…
///                └ wait where they are   └ in the gap: they leave
///
/// Most fields that come after their rows come in the gap behind these. Nothing is made of the
/// records until then, and then their rows are those of a series. Texts that go before are copied
/// (``HeldTexts``). What waits in several lists waits in parts: the fields around each of these are
/// kept (``RowHold``). If there is no room, the records are held by their fields.
struct HeldWholes: ~Copyable {
  /// What waits in one list or object, as far as it follows in one text.
  struct Part: BitwiseCopyable {
    /// The number of the first record or value.
    let first: Int
    /// The offset of the first plain value.
    let offset: Int
    /// The innermost element around it, if that has ended; -1 if it is open.
    var frame = -1
  }

  /// For how many values, and for how many tokens, there is room. Of records there may be a quarter
  /// as many.
  private static let room = 1 << 14

  /// The number of records, or of plain values.
  private(set) var count = 0
  /// What waits in one text and list each, in order.
  private(set) var parts: ContiguousArray<Part> = []
  /// Whether they leave one after the other. None is added meanwhile.
  private var areLeaving = false
  /// The records, and what is in them. They get room when there is one of them, and what nothing
  /// was written to takes no memory.
  private var records = FixedArray<WholeRecord>([])
  private var values = FixedArray<ObjectValue>([])
  private var tokens = FixedArray<ObjectToken>([])
  /// The keys of the records or plain values, if these are members of an object. Either all have
  /// one, or none has.
  private var keys = FixedArray<ObjectValue>([])
  private var valueCount = 0
  private var tokenCount = 0
  /// Whether records wait, not plain values.
  private var areRecords = false
  /// Whether what comes next is another part.
  private var partHasEnded = true
  /// The copies of texts, and how many records, values and tokens have theirs there.
  private var texts = HeldTexts()
  private var (kept, keptValues, keptTokens) = (0, 0, 0)
  /// Whether some have their texts in copies, which are forgotten when others begin to wait.
  private(set) var hasCopies = false
  /// The text of what has come since, from its first byte to that after its last.
  private var (textStart, textEnd) = (ObjectValue().start, ObjectValue().start)
  /// The run in which plain values leave.
  private var run: ValueRun?
  /// The most bytes that they would take if they were held by their fields.
  private var size = 0
  /// Whether it is worth while: the fields may never come before there is no room.
  private var backoff = Backoff()

  /// Adds a record, perhaps with its key. One that was noted before is copied. Returns false if the
  /// record must be held by its fields.
  ///
  /// No more are added than could be held so in `limit` bytes. Then one takes `fixedSize` at most,
  /// and a few times its text.
  @inline(__always)
  mutating func add(
    _ record: WholeRecord, key: ObjectValue?, keyIsNoted: Bool, fixedSize: Int, limit: Int
  ) -> Bool {
    guard count > 0 || mayBegin() else { return false }
    if tokens.count == 0, !record.tokens.isEmpty { tokens = FixedArray(unsetCount: Self.room) }
    guard count < records.count, record.values.count <= values.count &- valueCount,
      record.tokens.count <= tokens.count &- tokenCount
    else { return false }
    let size = size &+ fixedSize &+ 8 &* (record.raw.count &+ (key?.count ?? 0))
    guard size <= limit, let start = record.raw.baseAddress else { return false }
    if let key {
      makeRoomForKeys()
      guard setKey(count, to: key, isNoted: keyIsNoted) else { return false }
    }
    let first = key?.written ?? start.assumingMemoryBound(to: UInt8.self)
    note(from: first, to: start.assumingMemoryBound(to: UInt8.self) + record.raw.count)
    if partHasEnded { beginPart(at: record.offset) }
    (self.size, areRecords) = (size, true)
    records.address[count] = WholeRecord(
      values: Self.copy(record.values, to: values.address + valueCount), met: nil,
      tokens: Self.copy(record.tokens, to: tokens.address + tokenCount), raw: record.raw,
      offset: record.offset)
    valueCount &+= record.values.count
    tokenCount &+= record.tokens.count
    count &+= 1
    return true
  }

  /// Adds plain values in the same way, perhaps with their keys: all of a run, or none.
  mutating func add(
    _ run: borrowing ValueRun, withKeys: Bool, keyIsNoted: Bool, fixedSize: Int, limit: Int
  ) -> Bool {
    guard count > 0 || mayBegin() else { return false }
    guard run.count <= values.count &- valueCount else { return false }
    var size = size &+ run.count &* fixedSize
    let next = values.address + valueCount
    for index in 0..<run.count {
      next[index] = run[index]
      size &+= 8 &* run[index].count
    }
    if withKeys {
      makeRoomForKeys()
      for index in 0..<run.count {
        let key = run.key(index)
        size &+= 8 &* key.count
        guard setKey(count &+ index, to: key, isNoted: keyIsNoted) else { return false }
      }
    }
    guard size <= limit else { return false }
    note(
      from: withKeys ? run.key(0).written : run[0].written,
      to: HeldTexts.end(of: run[run.count - 1]))
    if partHasEnded { beginPart(at: run.offset(of: 0)) }
    (self.size, areRecords) = (size, false)
    valueCount &+= run.count
    count &+= run.count
    return true
  }

  /// Sets the key of a record or plain value. Returns false if there is no room for one that was
  /// noted.
  @inline(__always)
  private mutating func setKey(_ index: Int, to key: ObjectValue, isNoted: Bool) -> Bool {
    keys.address[index] = key
    guard isNoted else { return true }
    guard let text = texts.append(key.text) else { return false }
    keys.address[index].start = text
    return true
  }

  /// Notes where the text of what comes next begins and ends.
  @inline(__always)
  private mutating func note(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) {
    if count == kept { textStart = start }
    textEnd = end
  }

  @inline(__always)
  private static func copy<Element: BitwiseCopyable>(
    _ parts: UnsafeBufferPointer<Element>, to memory: UnsafeMutablePointer<Element>
  ) -> UnsafeBufferPointer<Element> {
    if let start = parts.baseAddress { memory.update(from: start, count: parts.count) }
    return UnsafeBufferPointer(start: memory, count: parts.count)
  }

  private mutating func beginPart(at offset: Int) {
    parts.append(Part(first: count, offset: offset))
    partHasEnded = false
  }

  /// Whether what came last is in an element that is open.
  var isInOpenElement: Bool { parts.last.map { $0.frame < 0 } ?? false }

  /// Notes that the elements around what came last end. The innermost one has this frame.
  mutating func endElement(_ frame: Int) {
    for index in parts.indices.reversed() {
      guard parts[index].frame < 0 else { break }
      parts[index].frame = frame
    }
    partHasEnded = true
  }

  /// Copies the texts that have not been copied, because they go. Returns false if there is no
  /// room: then all must leave at once.
  mutating func keepTexts() -> Bool {
    guard kept < count else { return true }
    guard texts.add(from: textStart, to: textEnd) else { return false }
    hasCopies = true
    for index in keptValues..<valueCount {
      guard texts.move(&values.address[index]) else { return false }
    }
    for index in keptTokens..<tokenCount {
      guard texts.move(&tokens.address[index]) else { return false }
    }
    for index in kept..<count {
      if keys.count > 0, !texts.move(&keys.address[index]) { return false }
      if areRecords { records.address[index] = texts.moved(records[index]) }
    }
    (kept, keptValues, keptTokens) = (count, valueCount, tokenCount)
    // The offset of a plain value is counted from the first of its part.
    partHasEnded = true
    return true
  }

  /// Prepares for the first of some records. Returns whether they may wait here.
  @inline(never)
  private mutating func mayBegin() -> Bool {
    guard !areLeaving, backoff.allowsTry() else { return false }
    texts.removeAll()
    hasCopies = false
    if values.count == 0 {
      records = FixedArray(unsetCount: Self.room / 4)
      values = FixedArray(unsetCount: Self.room)
    }
    return true
  }

  private mutating func makeRoomForKeys() {
    if keys.count == 0 { keys = FixedArray(unsetCount: Self.room) }
  }

  /// Begins to take all that wait, and returns their number. `areComplete` says whether the fields
  /// around them have come.
  mutating func beginLeaving(areComplete: Bool) -> Int {
    defer {
      (count, valueCount, tokenCount, size, areLeaving) = (0, 0, 0, 0, true)
      (kept, keptValues, keptTokens) = (0, 0, 0)
    }
    if areComplete { backoff.reward() }
    return count
  }

  /// Notes that all have been taken.
  mutating func endLeaving() {
    areLeaving = false
    parts.removeAll(keepingCapacity: true)
    partHasEnded = true
  }

  /// Returns a record that leaves.
  func record(_ index: Int) -> WholeRecord { records[index] }

  /// Returns its key.
  func key(_ index: Int) -> ObjectValue { keys[index] }

  /// Returns the next plain values of a part that leave, from this one up to `end`, as a run. It
  /// must be given back before another is returned.
  mutating func run(from first: Int, to end: Int, of part: Part) -> ValueRun {
    var run = run.take() ?? ValueRun()
    let start = values[first].written
    let next = run.begin(at: start, offset: part.offset + (start - values[part.first].written))
    let length = min(ValueRun.most, end - first)
    next.update(from: values.address + first, count: length)
    if keys.count > 0 {
      for index in 0..<length { run.set(index, key: keys[first + index]) }
    }
    run.end(count: length)
    return run
  }

  /// Takes back a run.
  mutating func giveBack(_ run: consuming ValueRun) { self.run = consume run }
}
