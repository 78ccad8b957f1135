import CSluice

/// Collects the values of one record and makes the columns of its rows from them.
///
///     {"town": " Пушкин ", "hot": "да",
///      "since": "2020-06-22T09:00+03", "off": "1.8.2020, 3.8.2020"}
///
///     field  rule     as the value comes    makeColumns()                a row for each period
///     town   text     column Пушкин
///     hot    flag     column true
///     since  instant  raw text              2020-06-22T09:00:00+03:00
///     off    period   raw text                                           2020-08-01  2020-08-01
///                                                                        2020-08-03  2020-08-03
///
/// The texts of tokens are copied once, into the record's own bytes. The texts of whole objects
/// stay in their chunk. If a value is wrong, the first flaw is kept until the record is judged.
/// Fields of the lists around the record are collected in the same way, and stay until their
/// element ends.
struct RowBuilder: ~Copyable {
  /// The record. It becomes one row after the other.
  var record: Record
  /// The offset of the record's first byte in the document.
  var offset = 0
  let plan: RowPlan
  /// The values read for each field.
  var slots: FixedArray<Slot>
  /// What becomes of the values of whole objects.
  var wholes = WholeFields()
  /// The fields whose texts may be wrong: the bits of ``RowPlan/Reading/judged``. Numbers and flags
  /// of whole objects are seen to be right when they come, and a field around the record stays as
  /// it was judged.
  var unsure = UInt64.max
  var flaws: Flaws
  /// The last day of the record, if a field of its own has it.
  var endDay: Day?
  /// Number of bytes in use before the texts of the record, and of each element around it.
  var start = 0
  /// The keys of the elements around the record, outermost first; level 0 is none.
  var elementKeys: ContiguousArray<ContiguousArray<UInt8>>
  /// The key of the record.
  var rowKey = ByteBuffer(capacity: 64)
  var parentStarts: ContiguousArray<Int>
  var periods: PeriodCell
  var address: KeyHash<FNV1a>
  /// Computes the check of an address too; nil if nobody needs it.
  var checkedAddress: KeyHash<CheckedKey>?
  let shares: ShareColumns
  var clocks: RowClocks
  var keptTimes: KeptTimes
  var clockTimes: ClockTimes
  /// What is known of rows that need no closer look.
  var plainRows = PlainRows()
  /// Those of them that have not been handed on.
  var series = RowSeries(columns: [])
  /// The key of the record that comes with its key.
  var memberKey = ObjectValue()
  /// Makes the times of events; nil if columns have them.
  var event: EventMaker?
  /// Makes the events of a row that has several; nil if it has not.
  var events: RowEvents?
  /// The rules of the texts that are made, in the plan's order; empty if none has any.
  var makers: ContiguousArray<TextMaker?>
  /// The text that rules are making.
  var work = ByteBuffer(capacity: 64)

  init(
    _ table: Table, _ clocks: RowClocks, _ event: EventMaker?, _ events: RowEvents?,
    shares totals: ShareTotals?, checksKeys: Bool
  ) {
    plan = RowPlan(table, clocks)
    self.clocks = clocks
    keptTimes = KeptTimes(fields: table.fields.count)
    clockTimes = ClockTimes(fields: table.fields.count)
    self.event = event
    self.events = events
    makers = plan.makers
    record = Record(columns: table.width)
    record.events = ContiguousArray(repeating: EventDays(), count: events?.count ?? 0)
    slots = FixedArray(repeating: Slot(), count: table.fields.count)
    flaws = Flaws(levels: plan.rowArrays)
    parentStarts = ContiguousArray(repeating: 0, count: plan.rowArrays)
    elementKeys = ContiguousArray(repeating: [], count: plan.rowArrays)
    periods = PeriodCell(skip: plan.skip)
    address = KeyHash(plan.keyParts)
    checkedAddress = checksKeys ? KeyHash(plan.keyParts) : nil
    shares = ShareColumns(table, totals)
  }

  // MARK: Begin and end

  /// Begins a record that is an object or array, and asks for its raw text.
  @inline(never)
  mutating func begin(_ kind: TokenKind, _ text: RawSpan, at offset: Int) -> TokenReply {
    open(at: offset)
    clear()
    let mayBeKept = plan.shape.isPlain || beginShaped(kind, at: offset)
    switch kind {
    case .beginArray:
      if text.byteCount > 0 {
        flaws.begin(Flaw(reason: .wrongFieldCount))
      } else if !plan.shape.mayBeArray, plan.shape.value < 0 {
        flaws.begin(Flaw(reason: .notAnObject))
      }
      return mayBeKept && plan.shape.isArray && text.byteCount == 0 ? .record : .capture
    default: return mayBeKept ? .record : .capture
    }
  }

  /// Begins a record that is a plain value. Only a table that asks for such values can use it.
  mutating func beginScalar(_ kind: TokenKind, _ text: RawSpan, at offset: Int) {
    open(at: offset)
    clear()
    guard plan.shape.isPlain || !storeValue(kind, text, at: offset) else { return }
    flaws.begin(Flaw(reason: .notAnObject))
  }

  /// Begins a record whose values come one by one.
  mutating func begin(at offset: Int) {
    open(at: offset)
    clear()
  }

  /// Begins a record without values, because another value is in its place.
  mutating func begin(_ flaw: Flaw, at offset: Int) {
    open(at: offset)
    clear()
    flaws.begin(flaw)
  }

  @inline(__always)
  mutating func open(at offset: Int) {
    (self.offset, start) = (offset, record.bytes.count)
    // The day of a field around the record stays as it was judged.
    if plan.aroundDay & ~unsure == 0 { record.hasDays = false }
    endDay = nil
    leavePlainRows()
  }

  /// Begins a record whose values were held, with its flaw.
  mutating func resume(at offset: Int, _ flaw: Flaw?) {
    unsure = .max
    open(at: offset)
    wholes.cameLast = false
    flaws.begin(flaw)
  }

  /// Clears the values of the previous record.
  @inline(__always)
  mutating func clear() {
    wholes.cameLast = false
    clearSlots(arrays: plan.rowArrays)
    flaws.begin()
  }

  /// Ends the record and drops its bytes.
  @inline(__always)
  mutating func end() { record.bytes.truncate(to: start) }

  /// Clears the values of the fields inside this number of lists.
  mutating func clearSlots(arrays: Int) {
    unsure = .max
    for index in slots.indices where plan.readings[index].level == arrays {
      slots[index] = Slot()
      let reading = plan.readings[index]
      for column in reading.column..<reading.columnsEnd { record.texts[column] = Record.Text() }
    }
  }
}

// MARK: Values from tokens

extension RowBuilder {
  /// Keeps the value of a field. For an object or array around records the reply asks for the raw
  /// text. One inside a record is part of the record's raw text.
  @inline(never)
  mutating func store(_ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int)
    -> TokenReply
  {
    let reading = plan.readings[index]
    notePlainRows(reading)
    unsure |= reading.judged
    switch kind {
    case .endObject, .endArray:
      flaws.close(text, level: level(of: index))
      return .proceed
    case _ where slots[index].isSet:
      slots[index].isDuplicate = true
      note(.duplicateKey, kind, text, index, at: offset)
    case .string, .number:
      let start = record.bytes.count
      if reading.isText {
        text.withUnsafeBytes { WhiteSpace.appendCollapsed($0, to: &record.bytes) }
        record.setText(reading.column, from: start)
        if reading.kind == .integer, kind == .number {
          slots[index].isInForm = DecimalText.isInteger(record.text(reading.column))
        }
      } else {
        record.bytes.append(text)
        slots[index].raw = Record.Text(start: start, count: record.bytes.count - start)
        slots[index].isInForm = reading.kind == .decimal && kind == .number
        switch reading.kind {
        case .flag: storeFlag(index)
        case .verbatim: record.setText(reading.column, from: start)
        case .text, .integer, .decimal, .day, .instant, .time, .period, .share, .hidden,
          .occurrence:
          break
        }
      }
      // As it is written: one that was cut may have become short without its white space.
      if text.byteCount > Limits.text { note(.tooLong, kind, text, index, at: offset) }
    case .null: break
    default: storeOther(kind, text, index, at: offset)
    }
    slots[index].isSet = true
    let needsRaw = !reading.isOwn && (kind == .beginObject || kind == .beginArray)
    return needsRaw ? .capture : .proceed
  }

  /// Keeps the value of a field around records, which came in a gap. Returns false if it needs a
  /// closer look: nothing has changed.
  @inline(__always)
  mutating func storeAround(_ token: ObjectToken, _ index: Int) -> Bool {
    let reading = plan.readings[index]
    let slot = slots.address + index
    guard !slot.pointee.isSet, token.kind == .string || token.kind == .number,
      token.text.count <= Limits.text
    else { return false }
    switch reading.kind {
    case .text, .integer: guard token.traits.contains(.tidy) else { return false }
    case .decimal, .day, .instant, .time, .hidden: break
    case .verbatim, .flag, .period, .share, .occurrence: return false
    }
    notePlainRows(reading)
    unsure |= reading.judged
    let text = Record.Text(start: record.bytes.count, count: token.text.count)
    record.bytes.append(short: token.text)
    if reading.isText {
      record.texts[reading.column] = text
      slot.pointee.isInForm = token.traits.contains(.whole)
    } else {
      slot.pointee.raw = text
      slot.pointee.isInForm = reading.kind == .decimal && token.kind == .number
    }
    slot.pointee.isSet = true
    return true
  }

  /// Keeps `true` or `false` of a flag. Any other value is a flaw.
  @inline(never)
  private mutating func storeOther(
    _ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int
  ) {
    let isFlag = plan.entries[index].kind == .flag
    guard isFlag || plan.entries[index].takesFlags, kind == .true || kind == .false else {
      return note(.wrongKind, kind, text, index, at: offset)
    }
    let start = record.bytes.count
    record.bytes.append(kind == .true ? "true" : "false")
    if isFlag {
      record.setText(plan.entries[index].column, from: start)
    } else {
      slots[index].raw = Record.Text(start: start, count: record.bytes.count - start)
    }
  }

  /// Notes that a value is in the place of a list from which a field is read. For an object around
  /// records the reply asks for the raw text.
  @inline(never)
  mutating func refuse(_ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int)
    -> TokenReply
  {
    leavePlainRows()
    if kind == .endObject {
      flaws.close(text, level: level(of: index))
      return .proceed
    }
    note(.wrongKind, kind, text, index, at: offset)
    return kind == .beginObject && level(of: index) != nil ? .capture : .proceed
  }

  /// Keeps a flaw of a value, unless there was one before.
  private mutating func note(
    _ reason: RejectReason, _ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int
  ) {
    slots[index].isUnreadable = true
    let flaw = Flaw(reason: reason, field: index, key: plan.entries[index].name)
    flaws.note(flaw, kind, text, level: level(of: index), at: offset)
  }

  /// Keeps the flaw of a text that was made, unless there was a flaw before.
  mutating func note(_ flaw: Flaw) {
    if let field = flaw.field { slots[field].isUnreadable = true }
    guard flaws.first == nil else { return }
    flaws.begin(flaw)
    // The next object begins without a flaw.
    wholes.cameLast = false
  }

  /// Returns the level of a field around records; nil for the record's own.
  func level(of index: Int) -> Int? {
    plan.readings[index].isOwn ? nil : plan.entries[index].arrays
  }
}
