import CSluice

/// Turns the tokens of a feed into its rows.
///
/// What it reads, and where, a ``Feed`` says; it knows no feed itself. A record's values are
/// copied once, as they come, into one reused piece of memory; when the record ends it is judged
/// and becomes rows, or is skipped, filtered away or refused. Records are counted in `tally`.
///
///     [ {"№ дома": " 65 ", "Период…": "22.06.2020-05.07.2020, 1.8.2020"}, …
///       ^ beginRecord      ^ store                                      ^ judge: two rows
///
/// Throws ``FeedFault`` where the document is not this feed's, and at the end where more records
/// were refused than the limit allows.
package struct Normalizer<Next: RecordStage & ~Copyable>: TokenStage, ~Copyable {
  var next: Next
  let plan: RowPlan
  let options: NormalizerOptions
  let tally: Tally
  var cursor: PathCursor
  var record: Record
  var filter: Filter
  let addressColumn: Int?
  var address: AddressHash
  /// The fields that an address is made of.
  let addressFields: [Int]
  var cell: PeriodCell
  /// What was read of each field.
  var slots: FixedArray<Slot>
  /// The fields of records that are handed on as wholes, in the order of their values.
  var objectFields = FixedArray(repeating: ObjectField(), count: RecordShape.most)
  /// The record before was handed on as a whole.
  var followsObject = false
  /// The lists around a record, outermost first.
  var levels: ContiguousArray<Level>
  /// What is wrong with the record in hand: the first thing.
  var flaw: Flaw?
  /// The last day of the record in hand, where a field of its own tells it.
  var endDay: Day?
  /// The record in hand: where it and its texts begin.
  var inRecord = false
  var recordOffset = 0
  var recordStart = 0
  /// How many elements of the outermost list have come, where these are not the rows.
  var elements = 0
  /// How far the way to the rows was gone, for an error that says where it broke off.
  var gone = 0
  /// The furthest that a null stood in for the rest of the way.
  var nothing = 0
  /// Where the way broke off first, as long as nothing has gone further.
  var lack: PipelineError?
  /// The object or array in hand that the way cannot go through.
  var wrongWay: WrongWay?
  /// How many values were refused that the way could not go through.
  var blocked = 0
  /// The key of the last of them; a flaw of a wrong kind without a field is there.
  var blockedKey = ""
  var keys = KeysSeen()

  package init(
    _ feed: Feed, options: NormalizerOptions, into next: consuming Next, tally: Tally
  ) {
    plan = RowPlan(feed)
    self.options = options
    self.next = next
    self.tally = tally
    cursor = PathCursor(plan.tree)
    let columns = feed.columns
    record = Record(columns: feed.width)
    filter = Filter(options.conditions, feed)
    addressColumn = feed.addressIndex
    let parts = feed.address?.parts ?? []
    address = AddressHash(columns: parts.compactMap { columns.firstIndex(of: $0) })
    addressFields = feed.fields.indices.filter {
      feed.fields[$0].columns.contains(where: parts.contains)
    }
    cell = PeriodCell(skip: plan.skip)
    slots = FixedArray(repeating: Slot(), count: feed.fields.count)
    levels = ContiguousArray(repeating: Level(), count: plan.rowArrays)
  }

  package mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    let node = cursor.step(kind, text)
    if inRecord, offset &- recordOffset > Limits.record {
      throw fault(.recordTooLong(limit: Limits.record), at: recordOffset, record: number)
    }
    if kind == .key, !inRecord || !keys.areKnown, cursor.isOnWay {
      keys.see(text, depth: cursor.depth)
    }
    guard node >= 0 else { return .proceed }
    switch plan.roles[node] {
    case .field(let index):
      guard kind == .key else { return try store(kind, text, index, at: offset) }
      if inRecord { keys.areKnown = true }
      return .proceed
    case .row:
      return try row(kind, text, at: offset)
    case .way, .rows, .parent:
      return kind == .key ? .proceed : try walk(kind, text, node, at: offset)
    }
  }

  package consuming func finish() throws(PipelineError) {
    try checkEnd()
    tally.elements.set(plan.elementPlace == nil ? tally.read.value : elements)
    try next.finish()
  }

  /// The number of the record in hand, from 1.
  var number: Int { tally.read.value + 1 }

  func fault(_ fault: FeedFault, at offset: Int?, record: Int? = nil, field: String? = nil)
    -> PipelineError
  {
    PipelineError(.normalize(fault), at: offset, record: record, field: field)
  }
}

/// What the user asks of the normalizer.
package struct NormalizerOptions {
  var conditions: [Condition] = []
  /// The days that a row must overlap, both inclusive.
  var from: Day?
  var to: Day?
  var limit = RejectLimit.standard
  var rejects: (any RejectReceiver)?
  /// Somebody keeps book of the whole feed, whatever is asked of it: rows of records that are
  /// filtered away are passed over too, and the addresses of refused ones are told.
  var keepsBook = false
  /// The totals that shares are of; nil where there are no shares, or nobody wants them.
  var shares: ShareTotals?

  /// The same for a second reading: what is refused has been counted.
  var again: NormalizerOptions {
    var options = self
    options.limit = .count(.max)
    return options
  }
}

/// What was read of one field.
struct Slot: BitwiseCopyable {
  /// A value was there.
  var isSet = false
  /// A second value was there.
  var isDuplicate = false
  /// The text as it came, where the field's rule reads it later.
  var raw = Record.Text()
}

/// A list on the way to the rows, as it stands around the record in hand.
struct Level {
  /// Where the texts of its element begin in the record's bytes.
  var start = 0
  /// Rows have come: a field for all of them comes too late.
  var hasRows = false
  /// The way to the rows went on through its element.
  var isPassed = false
  /// What is wrong with its fields: the first thing.
  var flaw: Flaw?
}

/// What is wrong with a record before its texts are even read.
struct Flaw {
  var reason: RejectReason
  /// The field; nil where the record itself is wrong.
  var field: Int?
  /// The value's text; of an object or array, where it lies in the document.
  var value: [UInt8]?
  var container: Range<Int>?
}

/// A value on the way to the rows that is of another kind than the way asks for.
struct WrongWay {
  /// Its place on the way.
  var index: Int
  var found: TokenKind
  var offset: Int
  /// How many containers are around what is in it.
  var depth: Int
}

extension Normalizer where Next: ~Copyable {
  /// Forgets what was read of the fields that stand at this level.
  mutating func clearSlots(arrays: Int) {
    let isOwn = arrays == plan.rowArrays
    for index in slots.indices where plan.readings[index].isOwn == isOwn {
      guard isOwn || plan.entries[index].arrays == arrays else { continue }
      slots[index] = Slot()
      let reading = plan.readings[index]
      for column in reading.column..<reading.columnsEnd { record.texts[column] = Record.Text() }
    }
  }

  /// Begins or ends a record.
  mutating func row(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    switch kind {
    case .endObject, .endArray:
      if offset &+ 1 &- recordOffset > Limits.record {
        throw fault(.recordTooLong(limit: Limits.record), at: recordOffset, record: number)
      }
      inRecord = false
      try text.withUnsafeBytes { (raw) throws(PipelineError) in try judge(raw) }
      record.bytes.truncate(to: recordStart)
      return .proceed
    default:
      followsObject = false
      recordOffset = offset
      recordStart = record.bytes.count
      flaw = nil
      record.hasDays = false
      endDay = nil
      clearSlots(arrays: plan.rowArrays)
      if kind == .beginObject || kind == .beginArray {
        inRecord = true
        guard kind == .beginArray else { return .record }
        flaw = Flaw(reason: text.byteCount > 0 ? .wrongFieldCount : .notAnObject)
        return .capture
      }
      flaw = Flaw(reason: .notAnObject)
      try text.withUnsafeBytes { (raw) throws(PipelineError) in
        try judge(JSONText.scalar(kind, raw))
      }
      record.bytes.truncate(to: recordStart)
      return .proceed
    }
  }

  /// Keeps a field's value. Of an object or array that stands around records the raw text is asked
  /// for; one inside a record is part of the record's.
  mutating func store(_ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    let arrays = plan.entries[index].arrays
    if !inRecord, arrays < plan.rowArrays, levels[arrays].hasRows {
      throw fault(
        .afterItsRows(field: plan.entries[index].name), at: offset, field: plan.entries[index].name)
    }
    switch kind {
    case .endObject, .endArray:
      closeFlaw(text, index, at: offset)
      return .proceed
    case _ where slots[index].isSet:
      slots[index].isDuplicate = true
      note(.duplicateKey, kind, text, index, at: offset)
    case .string, .number:
      let start = record.bytes.count
      if plan.readings[index].isText {
        text.withUnsafeBytes { WhiteSpace.appendCollapsed($0, to: &record.bytes) }
        record.setText(plan.readings[index].column, from: start)
      } else {
        record.bytes.append(text)
        slots[index].raw = Record.Text(start: start, count: record.bytes.count - start)
        switch plan.readings[index].rule {
        case .flag: storeFlag(index)
        case .verbatim: record.setText(plan.readings[index].column, from: start)
        case .text, .integer, .decimal, .day, .instant, .period, .share: break
        }
      }
    case .null: break
    default: storeOther(kind, text, index, at: offset)
    }
    slots[index].isSet = true
    return !inRecord && (kind == .beginObject || kind == .beginArray) ? .capture : .proceed
  }

  /// Keeps `true` or `false` where one is wanted; anything else is wrong.
  @inline(never)
  private mutating func storeOther(
    _ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int
  ) {
    guard plan.entries[index].rule == .flag, kind == .true || kind == .false else {
      return note(.wrongKind, kind, text, index, at: offset)
    }
    let start = record.bytes.count
    record.bytes.append(kind == .true ? "true" : "false")
    record.setText(plan.entries[index].column, from: start)
  }

  /// Makes a column of a word for true or false that was kept.
  @inline(never)
  private mutating func storeFlag(_ index: Int) {
    let raw = slots[index].raw
    let start = record.bytes.count
    record.bytes.reserve(raw.count + 16)
    WhiteSpace.appendCollapsed(
      UnsafeRawBufferPointer(start: record.bytes.start + raw.start, count: raw.count),
      to: &record.bytes)
    FlagText.tidy(&record.bytes, from: start)
    record.setText(plan.entries[index].column, from: start)
  }

  /// Remembers what is wrong, where nothing was before.
  private mutating func note(
    _ reason: RejectReason, _ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int
  ) {
    var flaw = Flaw(reason: reason, field: index)
    switch kind {
    case .beginObject, .beginArray: flaw.container = offset..<offset
    case .string, .number:
      flaw.value = text.withUnsafeBytes { Array(UTF8Encoding.prefix($0, Limits.captured)) }
    case .null: break
    default: flaw.value = JSONText.word(kind).map { Array("\($0)".utf8) }
    }
    if inRecord {
      if self.flaw == nil { self.flaw = flaw }
    } else {
      let level = plan.entries[index].arrays
      if levels[level].flaw == nil { levels[level].flaw = flaw }
    }
  }

  /// Says where the object or array that is wrong ends; of one around records, what it is.
  private mutating func closeFlaw(_ text: RawSpan, _ index: Int, at offset: Int) {
    guard !inRecord else {
      if let container = flaw?.container, container.isEmpty {
        flaw?.container = container.lowerBound..<offset + 1
      }
      return
    }
    let level = plan.entries[index].arrays
    guard levels[level].flaw?.container != nil else { return }
    levels[level].flaw?.container = nil
    levels[level].flaw?.value = text.withUnsafeBytes {
      Array(UTF8Encoding.prefix($0, Limits.captured))
    }
  }
}

/// A field of records that are handed on as wholes.
struct ObjectField: BitwiseCopyable {
  /// The field's number; -1 where the feed does not know the key.
  var index = -1
  /// Its column, where its rule is text; else -1.
  var textColumn = -1
  /// The last text needed no tidying, if it was not short.
  var isTidy = false
}

extension Normalizer where Next: ~Copyable {
  /// Bytes of a text that is looked at with one vector.
  private static var shortText: Int { 16 }

  /// Takes records as wholes that have some of the feed's keys, none of them twice.
  package mutating func recognize(_ names: [UnsafeRawBufferPointer]) -> Bool {
    var known: Set<Int> = []
    for (place, name) in names.enumerated() {
      objectFields[place] = ObjectField()
      guard
        case .field(let index)? = plan.tree.node(of: name, in: plan.rowNode).map({ plan.roles[$0] })
      else { continue }
      let reading = plan.readings[index]
      // What becomes a column as it comes, but for texts, is read from tokens.
      guard known.insert(index).inserted, reading.isText || !reading.isReadAtOnce else {
        return false
      }
      objectFields[place].index = index
      if reading.isText { objectFields[place].textColumn = reading.column }
    }
    return !known.isEmpty
  }

  /// Takes a record. Its texts stay where they are, but for those that have to be tidied.
  package mutating func object(
    _ values: UnsafeBufferPointer<ObjectValue>, _ raw: UnsafeRawBufferPointer, at offset: Int
  ) throws(PipelineError) {
    recordOffset = offset
    recordStart = record.bytes.count
    record.hasDays = false
    endDay = nil
    if !followsObject {
      // What these records do not have stays empty from here on.
      clearSlots(arrays: plan.rowArrays)
      flaw = nil
      followsObject = true
    }
    for place in 0..<values.count {
      let field = objectFields[place]
      if field.textColumn >= 0 {
        // A short text is looked at sooner than asked after.
        let isKnownTidy =
          values[place].count > Self.shortText && values[place].isRepeated && field.isTidy
        setText(field.textColumn, values[place], isKnownTidy, place)
      } else if field.index >= 0 {
        setRaw(field.index, values[place])
      }
    }
    try judge(raw)
    record.bytes.truncate(to: recordStart)
  }

  @inline(__always)
  private mutating func setText(
    _ column: Int, _ value: ObjectValue, _ isKnownTidy: Bool, _ place: Int
  ) {
    let isTidy = isKnownTidy || cscan_is_tidy(value.start, value.count) != 0
    // Of a text that is long enough to be asked for.
    if !isKnownTidy, value.count > Self.shortText { objectFields[place].isTidy = isTidy }
    if isTidy {
      record.texts[column] = Record.Text(base: value.start, count: value.count)
    } else {
      let start = record.bytes.count
      WhiteSpace.appendCollapsed(value.text, to: &record.bytes)
      record.setText(column, from: start)
    }
  }

  @inline(__always)
  private mutating func setRaw(_ field: Int, _ value: ObjectValue) {
    slots[field].raw = Record.Text(base: value.start, count: value.count)
    let reading = plan.readings[field]
    for column in reading.column..<reading.columnsEnd { record.texts[column] = Record.Text() }
  }
}

extension Normalizer where Next: ~Copyable {
  /// Hands on the record's rows, and tells whether one of them was wanted.
  mutating func emit(isWanted: Bool) throws(PipelineError) -> Bool {
    var wasKept = false
    if let field = plan.periodField, slots[field].raw.count > 0, !cell.periods.isEmpty {
      let column = plan.readings[field].column
      let dates = UnsafeRawPointer(cell.dates.start)
      for index in 0..<cell.periods.count {
        record.texts[column] = Record.Text(base: dates, start: 20 * index, count: 10)
        record.texts[column + 1] = Record.Text(base: dates, start: 20 * index + 10, count: 10)
        if field == plan.firstDayField {
          record.setDays(cell.periods[index].first, cell.periods[index].last)
        }
        if try emitRow(isWanted: isWanted) { wasKept = true }
      }
    } else {
      wasKept = try emitRow(isWanted: isWanted)
    }
    return wasKept
  }

  /// Hands on one row, and tells whether it lies within the days asked for.
  private mutating func emitRow(isWanted: Bool) throws(PipelineError) -> Bool {
    record.bytes.reserve(16)
    if options.shares != nil { clearShares() }
    guard isWanted else {
      next.passOver(record)
      return false
    }
    if record.hasDays {
      let first = Int(record.firstDay.number)
      let last = Int(record.lastDay.number)
      tally.firstDayRead.set(min(tally.firstDayRead.value, first))
      tally.lastDayRead.set(max(tally.lastDayRead.value, last))
      if let from = options.from, record.lastDay < from {
        next.passOver(record)
        return false
      }
      if let to = options.to, to < record.firstDay {
        next.passOver(record)
        return false
      }
      tally.firstDay.set(min(tally.firstDay.value, first))
      tally.lastDay.set(max(tally.lastDay.value, last))
    } else if options.from != nil || options.to != nil {
      next.passOver(record)
      return false
    }
    if let totals = options.shares { try share(totals) }
    try next.write(record)
    tally.rows.increase()
    return true
  }
}
