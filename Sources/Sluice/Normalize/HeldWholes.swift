/// Whole records, or plain values, that wait for the fields around them as they were read.
///
///     [{"hours":[{…},{…},{…}],"city":{"name":"Пушкин"}},{"hours":[{…},…
///                └ wait where they are   └ in the gap: they leave
///
/// Most fields that come after their rows come in the gap behind these, while all texts are still
/// where they were read. Nothing is made of the records until then, and then their rows are those
/// of a series. If the texts go before, the records are held by their fields (``RowHold``).
struct HeldWholes: ~Copyable {
  /// For how many values there is room at most. Of records and tokens there may be a quarter as
  /// many.
  private static let mostRoom = 1 << 13

  /// The number of records, or of plain values.
  private(set) var count = 0
  /// Whether they leave one after the other. None is added meanwhile.
  private var areLeaving = false
  /// For how many values there is room, or will be when some wait. It doubles when it was too
  /// small.
  private var room = 1 << 10
  /// The records, and what is in them. Without memory until there is one.
  private var records = FixedArray<WholeRecord>([])
  private var values = FixedArray<ObjectValue>([])
  private var tokens = FixedArray<ObjectToken>([])
  /// The keys of the records or plain values, if these are members of an object.
  private var keys = FixedArray<ObjectValue>([])
  private var valueCount = 0
  private var tokenCount = 0
  /// The offset of the first plain value.
  private var offset = 0
  /// The run in which plain values leave.
  private var run: ValueRun?
  /// The most bytes that they would take if they were held by their fields.
  private var size = 0
  /// Whether it is worth while: the fields may never come before the texts go.
  private var backoff = Backoff()

  /// Adds a record, perhaps with its key. Returns false if it must be held by its fields.
  ///
  /// No more are added than could be held so in `limit` bytes. Then one takes `fixedSize` at most,
  /// and a few times its text.
  @inline(__always)
  mutating func add(_ record: WholeRecord, key: ObjectValue?, fixedSize: Int, limit: Int) -> Bool {
    guard count > 0 || mayBegin() else { return false }
    if record.tokens.count > 0, tokens.count == 0 {
      tokens = FixedArray(repeating: .none, count: records.count)
    }
    guard count < records.count, record.values.count <= values.count &- valueCount,
      record.tokens.count <= tokens.count &- tokenCount
    else { return wantsRoom() }
    let size = size &+ fixedSize &+ 8 &* (record.raw.count &+ (key?.count ?? 0))
    guard size <= limit else { return false }
    self.size = size
    if let key {
      makeRoomForKeys()
      keys.address[count] = key
    }
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
    _ run: borrowing ValueRun, withKeys: Bool, fixedSize: Int, limit: Int
  ) -> Bool {
    guard count > 0 || mayBegin() else { return false }
    guard run.count <= values.count &- valueCount else { return wantsRoom() }
    var size = size &+ run.count &* fixedSize
    let next = values.address + valueCount
    for index in 0..<run.count {
      next[index] = run[index]
      size &+= 8 &* run[index].count
    }
    if withKeys {
      makeRoomForKeys()
      let next = keys.address + valueCount
      for index in 0..<run.count {
        next[index] = run.key(index)
        size &+= 8 &* next[index].count
      }
    }
    guard size <= limit else { return false }
    self.size = size
    if count == 0 { offset = run.offset(of: 0) }
    valueCount &+= run.count
    count &+= run.count
    return true
  }

  @inline(__always)
  private static func copy<Part: BitwiseCopyable>(
    _ parts: UnsafeBufferPointer<Part>, to memory: UnsafeMutablePointer<Part>
  ) -> UnsafeBufferPointer<Part> {
    if let start = parts.baseAddress { memory.update(from: start, count: parts.count) }
    return UnsafeBufferPointer(start: memory, count: parts.count)
  }

  /// Prepares for the first of some records. Returns whether they may wait here.
  @inline(never)
  private mutating func mayBegin() -> Bool {
    guard !areLeaving, backoff.allowsTry() else { return false }
    if values.count < room {
      records = FixedArray(repeating: .none, count: room / 4)
      values = FixedArray(repeating: ObjectValue(), count: room)
      tokens = FixedArray([])
      keys = FixedArray([])
    }
    return true
  }

  /// Notes that there was no room for all that might wait. Returns false.
  @inline(never)
  private mutating func wantsRoom() -> Bool {
    room = min(2 * values.count, Self.mostRoom)
    return false
  }

  private mutating func makeRoomForKeys() {
    if keys.count == 0 { keys = FixedArray(repeating: ObjectValue(), count: values.count) }
  }

  /// Begins to take all that wait, and returns their number. `areComplete` says whether the fields
  /// around them have come.
  mutating func beginLeaving(areComplete: Bool) -> Int {
    defer { (count, valueCount, tokenCount, size, areLeaving) = (0, 0, 0, 0, true) }
    if areComplete { backoff.reward() }
    return count
  }

  /// Notes that all have been taken.
  mutating func endLeaving() { areLeaving = false }

  /// Returns a record that leaves.
  func record(_ index: Int) -> WholeRecord { records[index] }

  /// Returns its key.
  func key(_ index: Int) -> ObjectValue { keys[index] }

  /// Returns the next of `count` plain values that leave, from this one on, as a run. It must be
  /// given back before another is returned.
  mutating func run(from first: Int, of count: Int) -> ValueRun {
    var run = run.take() ?? ValueRun()
    let start = values[first].written
    let next = run.begin(at: start, offset: offset + (start - values[0].written))
    let length = min(ValueRun.most, count - first)
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

extension Normalizer where Next: ~Copyable {
  /// Holds a whole record, perhaps with its key, while a field around it has not come. It may wait
  /// as it was read.
  @inline(never)
  mutating func holdRow(_ record: WholeRecord, key: ObjectValue? = nil) throws(PipelineError) {
    if hold.isScanning {
      paths.countUnread(record.values)
      late?.dropped(1, counters)
      return
    }
    // One whose key came as a token is held by its fields.
    let mayWait = row.plainRows.arePossible && row.plainRows.takesKeys == (key != nil)
    if mayWait, hold.add(record, key: key) { return }
    try settleWholes()
    try rows.handOnSeries(&row)
    try makeRow(of: record, key: key)
  }

  /// Holds plain values, perhaps members with their keys, while a field around them has not come.
  /// Returns false if they must be held by their fields.
  @inline(never)
  mutating func holdRows(_ run: borrowing ValueRun, areMembers: Bool) -> Bool {
    if hold.isScanning {
      late?.dropped(run.count, counters)
      return true
    }
    // The key of a single member has come as a token.
    return row.plainRows.source == (areMembers ? .members : .values) && row.plainRows.arePossible
      && hold.add(run, withKeys: areMembers)
  }

  /// Holds by their fields what waits as it was read: the texts go, or what stands around ends.
  @inline(__always)
  mutating func settleWholes() throws(PipelineError) {
    if hold.wholes.count > 0 { try takeWholes() }
  }

  /// Makes rows of what waits as it was read, if the fields around it have come. Otherwise it is
  /// held by its fields.
  @inline(never)
  mutating func takeWholes() throws(PipelineError) {
    let count = hold.beginWholes()
    switch row.plainRows.source {
    case .records where row.plainRows.takesKeys:
      for index in 0..<count {
        try object(hold.wholes.record(index), key: hold.wholes.key(index))
      }
    case .records:
      for index in 0..<count { try object(hold.wholes.record(index)) }
    case .values, .members, .lists:
      var index = 0
      while index < count {
        let run = hold.wholes.run(from: index, of: count)
        index += run.count
        try takeHeld(run)
        hold.wholes.giveBack(run)
      }
    }
    hold.wholes.endLeaving()
    // What is around them may end now.
    if !row.seriesGoesOn { try rows.handOnSeries(&row) }
  }

  private mutating func takeHeld(_ run: borrowing ValueRun) throws(PipelineError) {
    guard row.plainRows.source == .members else { return try takeValues(run) }
    var index = try takeMembers(run, from: 0)
    while index < run.count {
      row.noteKey(RawSpan(_unsafeBytes: run.key(index).text), row.plan.rowArrays)
      try makeRow(of: run[index], at: run.offset(of: index))
      index = try takeMembers(run, from: index + 1)
    }
  }
}

extension WholeRecord {
  /// A record without anything.
  fileprivate static var none: WholeRecord {
    WholeRecord(of: UnsafeBufferPointer(start: nil, count: 0), at: 0)
  }
}

extension ObjectToken {
  /// A token of nothing.
  fileprivate static var none: ObjectToken {
    ObjectToken(
      number: 0, kind: .null, offset: 0, text: UnsafeRawBufferPointer(start: nil, count: 0))
  }
}
