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
  private(set) var record: Record
  /// The offset of the record's first byte in the document.
  private(set) var offset = 0
  let plan: RowPlan
  /// The values read for each field.
  private(set) var slots: FixedArray<Slot>
  /// The members of whole objects, in the order of their values.
  private var members = FixedArray(repeating: Member(), count: RecordShape.maxMembers)
  /// Whether the previous record was a whole object.
  private var followsObject = false
  private(set) var flaws: Flaws
  /// The last day of the record, if a field of its own has it.
  private var endDay: Day?
  /// Number of bytes in use before the texts of the record, and of each element around it.
  private var start = 0
  private var parentStarts: ContiguousArray<Int>
  private var periods: PeriodCell
  private var address: KeyHash<FNV1a>
  /// Computes the check of an address too; nil if nobody needs it.
  private var checkedAddress: KeyHash<CheckedKey>?
  let shares: ShareColumns
  private var clocks: RowClocks

  init(_ table: Table, _ clocks: RowClocks, shares totals: ShareTotals?, checksKeys: Bool) {
    plan = RowPlan(table)
    self.clocks = clocks
    record = Record(columns: table.width)
    slots = FixedArray(repeating: Slot(), count: table.fields.count)
    flaws = Flaws(levels: plan.rowArrays)
    parentStarts = ContiguousArray(repeating: 0, count: plan.rowArrays)
    periods = PeriodCell(skip: plan.skip)
    address = KeyHash(columns: plan.keyParts)
    checkedAddress = checksKeys ? KeyHash(columns: plan.keyParts) : nil
    shares = ShareColumns(table, totals)
  }

  // MARK: Begin and end

  /// Begins a record that is an object or array, and asks for its raw text.
  @inline(never)
  mutating func begin(_ kind: TokenKind, _ text: RawSpan, at offset: Int) -> TokenReply {
    open(at: offset)
    clear()
    switch kind {
    case .beginArray:
      flaws.begin(Flaw(reason: text.byteCount > 0 ? .wrongFieldCount : .notAnObject))
      return .capture
    default: return .record
    }
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
    record.hasDays = false
    endDay = nil
  }

  /// Clears the values of the previous record.
  @inline(__always)
  private mutating func clear() {
    followsObject = false
    clearSlots(arrays: plan.rowArrays)
    flaws.begin()
  }

  /// Ends the record and drops its bytes.
  @inline(__always)
  mutating func end() { record.bytes.truncate(to: start) }

  /// Begins an element with records inside.
  mutating func beginParent(_ level: Int) { parentStarts[level] = record.bytes.count }

  /// Ends an element with records inside, and drops its fields.
  mutating func endParent(_ level: Int) {
    flaws.end(level: level)
    record.bytes.truncate(to: parentStarts[level])
    clearSlots(arrays: level)
  }

  /// Clears the values of the fields inside this number of lists.
  private mutating func clearSlots(arrays: Int) {
    let isOwn = arrays == plan.rowArrays
    for index in slots.indices where plan.readings[index].isOwn == isOwn {
      guard isOwn || plan.entries[index].arrays == arrays else { continue }
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
      } else {
        record.bytes.append(text)
        slots[index].raw = Record.Text(start: start, count: record.bytes.count - start)
        switch reading.kind {
        case .flag: storeFlag(index)
        case .verbatim: record.setText(reading.column, from: start)
        case .text, .integer, .decimal, .day, .instant, .period, .share, .zone: break
        }
      }
      if record.bytes.count &- start > Limits.text { note(.tooLong, kind, text, index, at: offset) }
    case .null: break
    default: storeOther(kind, text, index, at: offset)
    }
    slots[index].isSet = true
    let needsRaw = !reading.isOwn && (kind == .beginObject || kind == .beginArray)
    return needsRaw ? .capture : .proceed
  }

  /// Keeps `true` or `false` of a flag. Any other value is a flaw.
  @inline(never)
  private mutating func storeOther(
    _ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int
  ) {
    guard plan.entries[index].kind == .flag, kind == .true || kind == .false else {
      return note(.wrongKind, kind, text, index, at: offset)
    }
    let start = record.bytes.count
    record.bytes.append(kind == .true ? "true" : "false")
    record.setText(plan.entries[index].column, from: start)
  }

  /// Makes the column of a flag from the raw text of its slot.
  @inline(never)
  private mutating func storeFlag(_ index: Int) {
    let raw = slots[index].raw
    let start = record.bytes.count
    record.bytes.reserve(raw.count)
    WhiteSpace.appendCollapsed(
      UnsafeRawBufferPointer(start: record.bytes.start + raw.start, count: raw.count),
      to: &record.bytes)
    FlagText.tidy(&record.bytes, from: start)
    record.setText(plan.entries[index].column, from: start)
  }

  /// Keeps a flaw of a value, unless there was one before.
  private mutating func note(
    _ reason: RejectReason, _ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int
  ) {
    slots[index].isUnreadable = true
    let flaw = Flaw(reason: reason, field: index, key: plan.entries[index].name)
    flaws.note(flaw, kind, text, level: level(of: index), at: offset)
  }

  /// Returns the level of a field around records; nil for the record's own.
  private func level(of index: Int) -> Int? {
    plan.readings[index].isOwn ? nil : plan.entries[index].arrays
  }
}

// MARK: Values of whole objects

extension RowBuilder {
  /// Texts up to this length are checked with one vector.
  private static var shortText: Int { 16 }

  /// Prepares for whole objects. `fields` are the fields of their members, nil for a key that the
  /// feed does not know. Returns whether such objects can be used: they have fields of the feed,
  /// and none twice.
  mutating func recognize(_ fields: [Int?]) -> Bool {
    var known: Set<Int> = []
    for (place, field) in fields.enumerated() {
      members[place] = Member()
      guard let field else { continue }
      let reading = plan.readings[field]
      // Flags and verbatim texts are made from tokens only.
      guard known.insert(field).inserted, reading.isText || !reading.isReadAtOnce else {
        return false
      }
      members[place].field = field
      if reading.isText { members[place].textColumn = reading.column }
    }
    return !known.isEmpty
  }

  /// Begins a record with all its values. The texts stay in place, unless they must be tidied.
  @inline(__always)
  mutating func begin(_ values: UnsafeBufferPointer<ObjectValue>, at offset: Int) {
    open(at: offset)
    if !followsObject {
      // Fields that these objects do not have stay empty from here on.
      clear()
      followsObject = true
    }
    for place in 0..<values.count {
      let member = members[place]
      if member.textColumn >= 0 {
        // Checking a short text is faster than looking up whether it was tidy before.
        let isKnownTidy =
          values[place].count > Self.shortText && values[place].isRepeated && member.isTidy
        setText(member.textColumn, values[place], isKnownTidy, place)
      } else if member.field >= 0 {
        setRaw(member.field, values[place])
      }
    }
  }

  /// Notes a flaw if a value of the record is too long. Only a record that is longer than a value
  /// may be can have one.
  mutating func refuseLongValues(_ values: UnsafeBufferPointer<ObjectValue>) {
    for (place, value) in values.enumerated() where value.count > Limits.text {
      let (column, field) = (members[place].textColumn, members[place].field)
      guard field >= 0, column < 0 || record.texts[column].count > Limits.text else { continue }
      flaws.begin(
        Flaw(
          reason: .tooLong, field: field, key: plan.entries[field].name,
          value: Array(UTF8Encoding.prefix(value.text, Limits.captured))))
      slots[field].isUnreadable = true
      // The next object begins without a flaw.
      followsObject = false
      return
    }
  }

  @inline(__always)
  private mutating func setText(
    _ column: Int, _ value: ObjectValue, _ isKnownTidy: Bool, _ place: Int
  ) {
    let isTidy = isKnownTidy || cscan_is_tidy(value.start, value.count) != 0
    if !isKnownTidy, value.count > Self.shortText { members[place].isTidy = isTidy }
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

// MARK: Columns

extension RowBuilder {
  /// Reads the cell of periods, if the feed has one. Returns true if the cell says to skip the
  /// record.
  @inline(__always)
  mutating func readPeriods() -> Bool {
    guard let index = plan.periodField else { return false }
    periods.read(record.text(slots[index].raw))
    // A second value is a flaw. The first value must not hide it.
    if case .skip = periods.verdict { return !slots[index].isDuplicate }
    return false
  }

  /// The last day of all periods; nil if the cell has none.
  @inline(__always)
  var lastDayOfPeriods: Day? {
    guard plan.periodField != nil, case .periods = periods.verdict else { return nil }
    return periods.lastDay
  }

  /// Checks required values, and makes columns from the texts that have rules. Returns the first
  /// flaw; nil if there is none.
  @inline(__always)
  mutating func makeColumns() -> Flaw? {
    guard let (reason, index) = readTexts() else { return nil }
    return Flaw(
      reason: reason, field: index, key: plan.entries[index].name,
      value: reason == .missingValue ? nil : rawText(index))
  }

  private mutating func readTexts() -> (RejectReason, Int)? {
    for place in plan.required.indices {
      let index = plan.required[place]
      if plan.readings[index].isReadAtOnce {
        if record.texts[plan.readings[index].column].count == 0 { return (.missingValue, index) }
      } else if WhiteSpace.isAll(record.text(slots[index].raw)) {
        return (.missingValue, index)
      }
    }
    for place in plan.judged.indices {
      let index = plan.judged[place]
      switch plan.readings[index].kind {
      case .text, .verbatim, .share, .zone: break
      case .integer:
        let text = record.text(plan.readings[index].column)
        if text.count > 0, !DecimalText.isInteger(text) { return (.notAnInteger, index) }
      case .flag:
        let text = record.text(plan.readings[index].column)
        if text.count > 0, !FlagText.isFlag(text) { return (.notAFlag, index) }
      case .period:
        if case .reject(let reason) = periods.verdict,
          !WhiteSpace.isAll(record.text(slots[index].raw))
        {
          return (reason, index)
        }
      case .decimal, .day, .instant:
        if !WhiteSpace.isAll(record.text(slots[index].raw)), let reason = readValue(index) {
          return (reason, index)
        }
      }
    }
    return plan.firstDayField == plan.lastDayField ? nil : setEndDay()
  }

  /// Sets the row's last day to the day of its own field.
  private mutating func setEndDay() -> (RejectReason, Int)? {
    guard let last = endDay, record.hasDays else { return nil }
    let (start, end) = (plan.firstDayField, plan.lastDayField)
    let isReversed: Bool
    if plan.entries[start].kind == .instant {
      isReversed =
        InstantText.seconds(record.text(plan.entries[end].column))
        < InstantText.seconds(record.text(plan.entries[start].column))
    } else {
      isReversed = last < record.firstDay
    }
    if isReversed { return (.endBeforeStart, end) }
    // With different clocks, the day written in the end may be before that written in the start.
    record.lastDay = max(record.firstDay, last)
    return nil
  }

  /// Keeps a day if it is the row's first or last one.
  private mutating func noteDay(_ day: Day, of index: Int) {
    if index == plan.firstDayField {
      record.setDays(day, day)
    } else if index == plan.lastDayField {
      endDay = day
    }
  }

  /// Makes a column from the text of a decimal, day or instant. Returns the flaw; nil if there is
  /// none.
  private mutating func readValue(_ index: Int) -> RejectReason? {
    let raw = tidy(slots[index].raw)
    let column = plan.readings[index].column
    let source = record.bytes.count
    // The parser reads while the record's bytes grow. Room is reserved first, so that they do not
    // move.
    record.bytes.reserve(raw.count + 64)
    let text = record.text(raw)
    if plan.readings[index].kind == .decimal {
      guard DecimalText.isNumber(text) else { return .notADecimal }
      record.texts[column] = raw
      return nil
    }
    let day: Day
    if plan.entries[index].kind == .day {
      switch PeriodParser.day(text) {
      case .failure(let reason): return reason
      case .success(let read): day = read
      }
      day.append(to: &record.bytes)
    } else {
      switch readInstant(text, index) {
      case .failure(let reason): return reason
      case .success(let read): day = read
      }
    }
    record.setText(column, from: source)
    noteDay(day, of: index)
    return nil
  }

  /// Appends an instant to the record's bytes. Returns its day, or its flaw.
  private mutating func readInstant(
    _ text: UnsafeRawBufferPointer, _ index: Int
  ) -> Result<Day, RejectReason> {
    if let field = clocks.zoneField(of: index) {
      let name = record.text(
        plan.readings[field].isReadAtOnce
          ? record.texts[plan.readings[field].column] : slots[field].raw)
      guard clocks.setZone(of: index, name) else { return .failure(.noSuchZone) }
    }
    return clocks.read(text, plan.entries[index].unix, of: index, into: &record.bytes)
  }

  /// Returns a text without the white space around it. The text must not be empty.
  @inline(__always)
  private mutating func tidy(_ text: Record.Text) -> Record.Text {
    let bytes = record.text(text)
    // No white space begins or ends with one of these bytes.
    if bytes[0] &- 0x21 < 0x5E, bytes[bytes.count - 1] &- 0x21 < 0x5E { return text }
    return slowlyTidy(text)
  }

  @inline(never)
  private mutating func slowlyTidy(_ text: Record.Text) -> Record.Text {
    record.bytes.reserve(text.count)
    let start = record.bytes.count
    WhiteSpace.appendCollapsed(record.text(text), to: &record.bytes)
    return Record.Text(start: start, count: record.bytes.count - start)
  }

  /// Makes the address column from the address's parts.
  @inline(never)
  mutating func makeKeyNumber() {
    guard let column = plan.keyNumberColumn else { return }
    let number: UInt64
    if let values = checkedAddress?.state(of: record).values {
      (number, record.keyCheck) = values
    } else {
      number = hashAddress()
    }
    let start = record.bytes.count
    record.keyNumber = number
    record.bytes.append(hexadecimal: number)
    record.setText(column, from: start)
  }

  /// Returns the hash of the columns of the address.
  mutating func hashAddress() -> UInt64 { address.hash(record) }

  // MARK: Rows

  /// Number of periods, each of which is a row. 0 if the record has none and is one row.
  @inline(__always)
  var periodCount: Int {
    guard let field = plan.periodField, slots[field].raw.count > 0 else { return 0 }
    return periods.periods.count
  }

  /// Makes the record the row of a period.
  @inline(__always)
  mutating func setPeriod(_ index: Int) {
    guard let field = plan.periodField else { return }
    let column = plan.readings[field].column
    let dates = UnsafeRawPointer(periods.dates.start)
    record.texts[column] = Record.Text(base: dates, start: 20 * index, count: 10)
    record.texts[column + 1] = Record.Text(base: dates, start: 20 * index + 10, count: 10)
    if field == plan.firstDayField {
      record.setDays(periods.periods[index].first, periods.periods[index].last)
    }
  }

  /// Makes the record ready to be handed on. Its shares are empty.
  @inline(__always)
  mutating func prepareRow() {
    shares.clear(&record)
  }

  /// Adds the row to the totals of its shares, or fills their columns. `number` is the record's.
  /// Throws ``FeedFault`` if a value has no share.
  @inline(__always)
  mutating func fillShares(number: Int) throws(PipelineError) {
    try shares.fill(&record, number: number, at: offset)
  }

  /// Returns the raw text of a field; nil if there is none.
  private func rawText(_ index: Int) -> [UInt8]? {
    let text =
      plan.readings[index].isReadAtOnce
      ? record.texts[plan.entries[index].column] : slots[index].raw
    guard text.count > 0 else { return nil }
    return Array(UTF8Encoding.prefix(record.text(text), Limits.captured))
  }
}
