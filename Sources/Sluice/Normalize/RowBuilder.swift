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
  private var members = FixedArray<Member>([])
  /// The fields that are picked of the lists in whole objects.
  private(set) var pickedFields: ContiguousArray<Int> = []
  /// The bits of the values of whole objects.
  private var judgedMembers: UInt64 = 0
  /// The fields whose texts may be wrong: the bits of ``RowPlan/Reading/judged``. Numbers and flags of whole
  /// objects are seen to be right when they come, and a field around the record stays as it was judged.
  var unsure = UInt64.max
  /// The values of whole objects in the place of a list, with a field that is read from the list.
  private var listPlaces: ContiguousArray<(place: Int, field: Int)> = []
  /// Where the flaw of a whole object was noted.
  private var flawOffset = 0
  /// Whether the previous record was a whole object.
  private var followsObject = false
  /// The values that it had, if objects have several words of them.
  private var lastValues = ValueSet(count: 0)
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
  var seriesKey = ObjectValue()
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
  private mutating func open(at offset: Int) {
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
    followsObject = false
    flaws.begin(flaw)
  }

  /// Clears the values of the previous record.
  @inline(__always)
  mutating func clear() {
    followsObject = false
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
      flaws.close(text, level: level(of: index), at: offset)
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

  /// Keeps the value of a field around records, which came in a gap. Returns false if it needs a closer
  /// look: nothing has changed.
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
      flaws.close(text, level: level(of: index), at: offset)
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
    followsObject = false
  }

  /// Returns the level of a field around records; nil for the record's own.
  func level(of index: Int) -> Int? {
    plan.readings[index].isOwn ? nil : plan.entries[index].arrays
  }
}

// MARK: Values of whole objects

extension RowBuilder {
  /// Prepares for whole objects, whose values are used so, and of whose tokens these fields are made.
  mutating func expect(_ uses: [RecordUse], picks: [Int]) {
    members = FixedArray(
      uses.map { use in
        var member = Member()
        guard case .field(let field) = use else { return member }
        let reading = plan.readings[field]
        member.field = field
        (member.column, member.columnsEnd) = (reading.column, reading.columnsEnd)
        member.judged = reading.judged
        switch reading.kind {
        case .integer: member.use = .integer
        case .decimal: member.use = .decimal
        case .flag: member.use = .flag
        default: member.use = reading.isText ? .text : reading.isReadAtOnce ? .token : .raw
        }
        return member
      })
    lastValues = ValueSet(count: members.count)
    judgedMembers = members.indices.reduce(0) { $0 | members[$1].judged }
    for (place, use) in uses.enumerated() {
      if case .list(let field) = use { listPlaces.append((place, field)) }
    }
    pickedFields = ContiguousArray(picks.filter { plan.readings[$0].isOwn })
  }

  /// The values of whole objects whose texts do not become columns, tidied.
  var untidiedValues: Set<Int> {
    let shown = plan.shownSources
    return Set(
      members.indices.filter { place in
        members[place].use != .text && members[place].use != .integer
          && !shown.contains(members[place].field)
      })
  }

  /// Begins a record with all its values. The texts stay in place, unless they must be tidied.
  @inline(__always)
  mutating func begin(_ whole: WholeRecord) {
    open(at: whole.offset)
    if !followsObject {
      clear()
      followsObject = true
      lastValues.insertAll()
    }
    resetPicks()
    guard whole.values.count <= members.count else {
      preconditionFailure("values that were not asked for")
    }
    // Rows of a series set columns too.
    if lastValues.words.count > 1, !plainRows.arePossible, let met = whole.met,
      whole.values.count == members.count
    {
      takeChanged(whole, met)
    } else {
      var sure: UInt64 = 0
      for place in whole.values.indices { take(place, of: whole, &sure) }
      unsure = (unsure | judgedMembers) & ~sure
    }
    for index in listPlaces.indices where whole.values[listPlaces[index].place].kind != .null {
      refuse(whole.values[listPlaces[index].place], of: listPlaces[index].field, whole)
    }
  }

  /// Keeps the values that a record of many values has, or the one before it had. The others are missing, as they
  /// were.
  @inline(never)
  private mutating func takeChanged(_ whole: WholeRecord, _ met: UnsafePointer<UInt64>) {
    var sure: UInt64 = 0
    for word in lastValues.words.indices {
      var changed = lastValues.exchange(word, for: met[word]) | met[word]
      while changed != 0 {
        let place = ValueSet.next(word, &changed)
        let member = members.address + place
        unsure |= member.pointee.judged
        if whole.values[place].times > 0 {
          take(place, of: whole, &sure)
        } else if member.pointee.field >= 0 {
          reset(member.pointee.field)
          sure |= member.pointee.judged
        }
      }
    }
    unsure &= ~sure
  }

  /// Keeps a value of a whole object. Sets the bit of its field, ``RowPlan/Reading/judged``, if it is surely right.
  @inline(__always)
  private mutating func take(_ place: Int, of whole: WholeRecord, _ sure: inout UInt64) {
    // There are as many members as values, or more.
    let member = members.address + place
    let value = whole.values[place]
    let texts = record.texts.address
    switch member.pointee.use {
    case .text where value.traits.contains(.tidy):
      texts[member.pointee.column] = Record.Text(base: value.start, count: value.count)
    case .integer where value.traits.contains(.tidy):
      texts[member.pointee.column] = Record.Text(base: value.start, count: value.count)
      let isInForm = value.traits.contains(.whole) || value.kind == .null
      slots.address[member.pointee.field].isInForm = isInForm
      if isInForm { sure |= member.pointee.judged }
    case .decimal where !value.isFlag:
      let text = Record.Text(base: value.start, count: value.count)
      let isInForm = value.kind != .string || DecimalText.isSurelyNumber(ofRow: value.text)
      slots.address[member.pointee.field].raw = text
      slots.address[member.pointee.field].isInForm = isInForm
      texts[member.pointee.column] = isInForm ? text : Record.Text()
      if isInForm { sure |= member.pointee.judged }
    case .flag where value.isFlag || value.kind == .null:
      texts[member.pointee.column] = Record.Text(base: value.start, count: value.count)
      sure |= member.pointee.judged
    case .raw where !value.isFlag: setRaw(member.pointee, value)
    default: take(value, for: member.pointee, whole)
    }
  }

  /// Keeps a value that needs more than to note where it is.
  @inline(never)
  private mutating func take(_ value: ObjectValue, for member: Member, _ whole: WholeRecord) {
    guard member.field >= 0 else { return }
    if member.use == .text || member.use == .integer, !value.isFlag {
      let start = record.bytes.count
      WhiteSpace.appendCollapsed(value.text, to: &record.bytes)
      slots[member.field].isInForm = false
      return record.setText(member.column, from: start)
    }
    reset(member.field)
    guard value.times > 0 else { return }
    storeToken(
      value.kind, RawSpan(_unsafeBytes: value.text), member.field, at: offset,
      noted: whole.offset(of: value))
  }

  /// Notes that a value is in the place of a list from which a field is read.
  @inline(never)
  private mutating func refuse(_ value: ObjectValue, of field: Int, _ whole: WholeRecord) {
    storeToken(
      value.kind, RawSpan(_unsafeBytes: value.text), field, at: offset,
      noted: whole.offset(of: value), isNoList: true)
  }

  /// Stores a token of a whole object. Its flaw is the record's if no other was noted at an earlier
  /// offset: values do not come in the order in which they are written.
  mutating func storeToken(
    _ kind: TokenKind, _ text: RawSpan, _ field: Int, at offset: Int, noted: Int,
    isNoList: Bool = false
  ) {
    let first = flaws.ownFlaw
    if first != nil, kind == .endObject || kind == .endArray {
      _ = store(kind, text, field, at: offset)
      return
    }
    flaws.begin()
    if isNoList {
      _ = refuse(kind, text, field, at: offset)
    } else {
      _ = store(kind, text, field, at: offset)
    }
    if flaws.ownFlaw == nil || first != nil && flawOffset <= noted {
      flaws.begin(first)
    } else {
      flawOffset = noted
      // The next object begins without a flaw.
      followsObject = false
    }
  }

  /// Forgets the value of a field.
  mutating func reset(_ field: Int) {
    slots[field] = Slot()
    let reading = plan.readings[field]
    for column in reading.column..<reading.columnsEnd { record.texts[column] = Record.Text() }
  }

  @inline(__always)
  private mutating func setRaw(_ member: Member, _ value: ObjectValue) {
    slots[member.field].raw = Record.Text(base: value.start, count: value.count)
    for column in member.column..<member.columnsEnd { record.texts[column] = Record.Text() }
  }
}
