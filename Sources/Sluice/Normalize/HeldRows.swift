import Synchronization

/// Rows that come before the fields around them.
extension Normalizer where Next: ~Copyable {
  /// Stores a field of an element around rows. Rows that waited for it leave.
  @inline(never)
  mutating func storeAround(_ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    let level = row.plan.entries[index].arrays
    // It is known from the first reading.
    if level == 0, isAgain { return .proceed }
    let isEnd = kind == .endObject || kind == .endArray
    if !isEnd, row.slots[index].isSet || hold.isPast(index), hold.mayHaveLeft(level),
      paths.hasRows(level)
    {
      let name = row.plan.entries[index].name
      throw PipelineError(.normalize(.afterItsRows(field: name)), at: offset, field: name)
    }
    let reply = row.store(kind, text, index, at: offset)
    guard kind != .beginObject, kind != .beginArray else { return reply }
    try seeAround(index, level)
    return reply
  }

  /// Stores a plain value of such a field, which came in a gap.
  @inline(__always)
  mutating func storeAround(_ token: ObjectToken, _ index: Int, at offset: Int)
    throws(PipelineError)
  {
    let level = row.plan.readings[index].level
    if level > 0, !hold.isPast(index), row.storeAround(token, index) {
      try seeAround(index, level)
    } else {
      _ = try storeAround(token.kind, RawSpan(_unsafeBytes: token.text), index, at: offset)
    }
  }

  /// Notes that a field around rows has come. Rows that waited for it leave.
  @inline(__always)
  private mutating func seeAround(_ index: Int, _ level: Int) throws(PipelineError) {
    hold.see(index, level: level)
    if hold.isComplete(level) {
      if !hold.isEmpty { try releaseRows() }
      if level == 0, !hold.isScanning { late?.settle() }
    }
  }

  /// Ends a value with fields around rows inside. Those that have not come are missing, and rows do
  /// not wait for them any longer.
  mutating func endAside(_ place: Int) throws(PipelineError) {
    let level = paths.asides[place].level
    if level == 0, isAgain { return }
    for index in paths.asides[place].fields.indices {
      try seeAround(paths.asides[place].fields[index], level)
    }
  }

  /// Begins an element around rows. Its `key` is that of the last token unless it is given.
  mutating func beginParent(_ level: Int, key: ObjectToken? = nil, at offset: Int)
    throws(PipelineError)
  {
    if zipper.level == level { zipper.begin() }
    if hold.isWanted {
      // Records that stood in place of an element have its level too.
      hold.close(level, &row)
      hold.begin(level)
    }
    row.beginParent(level, key: key, at: offset)
  }

  /// Ends an element around rows. What has not come is missing.
  mutating func endParent(_ level: Int) throws(PipelineError) {
    if zipper.level == level { try endZip(level) }
    if hold.isWanted {
      hold.end(level)
      if !hold.isEmpty {
        try releaseRows()
        if !hold.frameWholes() { try settleWholes() }
        hold.close(level, &row)
      }
    }
    row.endParent(level)
  }

  /// Holds the current record.
  @inline(never)
  mutating func holdRow(_ raw: UnsafeRawBufferPointer) throws(PipelineError) {
    defer { row.end() }
    if hold.isScanning {
      late?.dropped(1, counters)
      return
    }
    if let late, late.readsAgain, hold.waitsForDocument {
      late.dropped(hold.scan() + 1, counters)
      rows.held = 0
      return
    }
    if hold.add(&row, raw, keepsRaw: keepsRaw) {
      rows.held = hold.count
      return
    }
    guard let (field, level) = hold.blocker else { return }
    guard level == 0, let late else {
      let name = row.plan.entries[field].name
      throw PipelineError(
        .normalize(.tooManyHeld(field: name, limit: hold.limit)), at: row.offset,
        record: counters.read.value + hold.count + 1, field: name)
    }
    late.dropped(hold.scan() + 1, counters)
    rows.held = 0
  }

  // MARK: As they were read

  /// Holds a whole record, perhaps with its key, while a field around it has not come. It may wait
  /// as it was read.
  @inline(never)
  mutating func holdRow(_ record: WholeRecord, key: ObjectValue? = nil) throws(PipelineError) {
    if hold.isScanning {
      paths.countUnread(record.values)
      late?.dropped(1, counters)
      return
    }
    if row.plainRows.arePossible {
      // The key may have come as a token.
      let isNoted = row.plainRows.takesKeys && key == nil
      let key = isNoted ? record.raw.baseAddress.map { row.notedKey(before: $0) } : key
      if hold.add(record, key: key, keyIsNoted: isNoted) { return }
    }
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
    let withKeys = row.plainRows.source == .members
    guard row.plainRows.arePossible, withKeys || row.plainRows.source == .values else {
      return false
    }
    // The key of a single member has come as a token.
    let isNoted = withKeys && !areMembers
    if isNoted {
      guard run.count == 1 else { return false }
      run.set(0, key: row.notedKey(before: run[0].written))
    }
    return hold.add(run, withKeys: withKeys, keyIsNoted: isNoted)
  }

  /// Copies the texts of what waits as it was read, because they go.
  @inline(__always)
  mutating func keepWholes() throws(PipelineError) {
    if hold.wholes.count > 0, !hold.wholes.keepTexts() { try takeWholes() }
  }

  /// Holds by their fields what waits as it was read: something else is held after it, whose key
  /// may have been noted.
  @inline(__always)
  mutating func settleWholes() throws(PipelineError) {
    if hold.wholes.count > 0 { try settleAll() }
  }

  @inline(never)
  private mutating func settleAll() throws(PipelineError) {
    let key = Array(row.rowKey.contents)
    try takeWholes()
    row.noteKey(key.span.bytes, row.plan.rowArrays)
  }

  /// Makes rows of what waits as it was read, if the fields around it have come. Otherwise it is
  /// held by its fields.
  @inline(never)
  private mutating func takeWholes() throws(PipelineError) {
    let count = hold.beginWholes()
    let parts = hold.wholes.parts
    // Those before one in an element that has ended are in such elements too.
    let areFramed = parts[0].frame >= 0
    let isRelease = areFramed && !hold.isActive
    let bytesAround = row.record.bytes.count
    if isRelease { hold.beginRelease(&row) }
    for index in parts.indices {
      let part = parts[index]
      let end = index + 1 < parts.count ? parts[index + 1].first : count
      if isRelease, index == 0 || part.frame != parts[index - 1].frame {
        try enter(part.frame, bytesAround)
      }
      // Without frames they are dropped, as the fields of the document have not come in time.
      if isRelease || part.frame < 0 || hold.isScanning {
        try take(part, to: end)
      } else {
        let open = hold.enter(part.frame)
        try take(part, to: end)
        hold.leave(to: open)
      }
    }
    hold.wholes.endLeaving()
    // What is around them may end now.
    if isRelease || hold.wholes.hasCopies || !row.seriesGoesOn { try rows.handOnSeries(&row) }
    if isRelease {
      row.endContainer(level: row.plan.rowArrays - 1)
      row.record.bytes.truncate(to: bytesAround)
      hold.endRelease(&row)
    }
  }

  /// Begins a part in the elements of this frame. What was in the row's bytes before is of the open
  /// ones.
  private mutating func enter(_ frame: Int, _ bytesAround: Int) throws(PipelineError) {
    if !row.seriesGoesOn { try rows.handOnSeries(&row) }
    row.endContainer(level: row.plan.rowArrays - 1)
    let isSeriesEmpty = row.series.count == 0
    if isSeriesEmpty { row.record.bytes.truncate(to: bytesAround) }
    hold.surround(&row, by: frame, isAnew: isSeriesEmpty)
    row.unsure = .max
  }

  /// Takes what waits of a part, up to the number of the next.
  private mutating func take(_ part: HeldWholes.Part, to end: Int) throws(PipelineError) {
    switch row.plainRows.source {
    case .records where row.plainRows.takesKeys:
      for index in part.first..<end {
        try object(hold.wholes.record(index), key: hold.wholes.key(index))
      }
    case .records:
      for index in part.first..<end { try object(hold.wholes.record(index)) }
    case .values, .members, .lists:
      var index = part.first
      while index < end {
        let run = hold.wholes.run(from: index, to: end, of: part)
        index += run.count
        try take(run)
        hold.wholes.giveBack(run)
      }
    }
  }

  private mutating func take(_ run: borrowing ValueRun) throws(PipelineError) {
    guard row.plainRows.source == .members else { return try takeValues(run) }
    var index = try takeMembers(run, from: 0)
    while index < run.count {
      row.noteKey(RawSpan(_unsafeBytes: run.key(index).text), row.plan.rowArrays)
      try makeRow(of: run[index], at: run.offset(of: index))
      index = try takeMembers(run, from: index + 1)
    }
  }

  // MARK: Leaving

  /// Judges the held records that need not wait any longer, in their order.
  @inline(never)
  private mutating func releaseRows() throws(PipelineError) {
    if hold.wholesAreReady { return try takeWholes() }
    guard hold.isReady else { return }
    hold.beginRelease(&row)
    while hold.isReady {
      let raw = hold.take(&row)
      rows.held = hold.count
      try rows.judge(&row, raw)
      row.end()
    }
    hold.endRelease(&row)
  }

  /// Ends the document for held records. Returns whether its rows must be read again.
  mutating func endHold() throws(PipelineError) -> Bool {
    guard hold.isWanted else { return false }
    if hold.isScanning {
      guard let late, late.readsAgain else { return false }
      try paths.checkEnd(records: late.records)
      late.fields = hold.documentFields(&row)
      return true
    }
    hold.end(0)
    try releaseRows()
    return false
  }
}

/// The fields of a whole document that come after more rows than may be held. The rows are read
/// again when these are known.
///
///     first reading: [{…}, {…}, … too many], "updated": "2026-01-05"      second: every row with updated
final class LateFields {
  /// Whether the rows can be read again. Otherwise they are only counted.
  let readsAgain: Bool
  /// The fields, and a flaw of one of them; nil while they are unknown.
  var fields: (bytes: [UInt8], flaw: Flaw?)?
  /// Whether the rows have been read again.
  var isDone = false
  /// Whether the rows must be read again.
  var isWanted: Bool { fields != nil && !isDone }
  /// The number of records that were dropped.
  private(set) var records = 0
  private let settled = Atomic<Bool>(false)

  private init(readsAgain: Bool) { self.readsAgain = readsAgain }

  /// For stages that only count records.
  static var counting: LateFields { LateFields(readsAgain: false) }

  /// Makes the late fields of a table; nil if it has no fields of the whole document.
  init?(_ table: Table) {
    guard table.rows.arrays > 0,
      table.fields.contains(where: { $0.path.arrays == 0 && RowHold.isRead($0) })
    else { return nil }
    readsAgain = true
  }

  /// Whether all of them have come in time, so that nothing is read again. The source asks, and may
  /// be in another thread.
  var isSettled: Bool { settled.load(ordering: .relaxed) }

  /// Notes that they have come in time.
  func settle() { settled.store(true, ordering: .relaxed) }

  /// Notes that records were dropped.
  func dropped(_ count: Int, _ counters: Counters) {
    records += count
    guard !readsAgain else { return }
    for _ in 0..<count {
      counters.read.increase()
      counters.kept.increase()
      counters.rows.increase()
    }
  }
}
