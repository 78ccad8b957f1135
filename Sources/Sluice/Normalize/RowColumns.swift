/// Makes the columns of a record's rows from the values that were read.
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
    guard let (reason, index) = readTexts() ?? (plan.makesEvents ? makeEvent() : nil) else {
      return nil
    }
    return Flaw(
      reason: reason, field: index, key: plan.entries[index].name,
      value: reason == .missingValue ? nil : rawText(index))
  }

  /// Makes the times of the record's event.
  @inline(never)
  private mutating func makeEvent() -> (RejectReason, Int)? {
    guard events == nil else { return makeEvents() }
    let (zone, endZone) = (nameText(event?.zoneField), nameText(event?.endZoneField))
    return event?.make(&record, zone: zone, endZone: endZone, &clocks)
  }

  /// Makes the times of the record's events.
  private mutating func makeEvents() -> (RejectReason, Int)? {
    for index in record.events.indices {
      let zone = nameText(events?.zoneField(of: index))
      let endZone = nameText(events?.endZoneField(of: index))
      if let refusal = events?.make(index, &record, zone: zone, endZone: endZone, &clocks) {
        return refusal
      }
    }
    return nil
  }

  /// The text of a field that names a zone.
  private func nameText(_ field: Int?) -> Record.Text {
    guard let field else { return Record.Text() }
    return plan.readings[field].isReadAtOnce
      ? record.texts[plan.readings[field].column] : slots[field].raw
  }

  private mutating func readTexts() -> (RejectReason, Int)? {
    for place in plan.required.indices where isMissing(plan.required[place]) {
      return (.missingValue, plan.required[place])
    }
    var places = unsure & plan.judgedPlaces
    while places != 0 {
      let index = plan.judged[places.trailingZeroBitCount]
      places &= places &- 1
      if let reason = judge(index) { return (reason, index) }
    }
    if plan.judged.count > UInt64.bitWidth, let flaw = judgeLate() { return flaw }
    return plan.firstDayField == plan.lastDayField ? nil : setEndDay()
  }

  /// Judges the fields after the first 64. Returns the first flaw; nil if there is none.
  @inline(never)
  private mutating func judgeLate() -> (RejectReason, Int)? {
    for first in stride(from: UInt64.bitWidth, to: plan.judged.count, by: UInt64.bitWidth) {
      var places = mayBeWrong(first..<min(first + UInt64.bitWidth, plan.judged.count))
      while places != 0 {
        let index = plan.judged[first + places.trailingZeroBitCount]
        places &= places &- 1
        if let reason = judge(index) { return (reason, index) }
      }
    }
    return nil
  }

  /// Which of these judged fields, at most 64, have a value or a rule: the first is bit 0. Of so
  /// many values most are missing, and then have no flaw. It has no branch for each: no processor
  /// could predict them.
  @inline(__always)
  private func mayBeWrong(_ places: Range<Int>) -> UInt64 {
    assert(places.count <= UInt64.bitWidth)
    precondition(places.upperBound <= plan.judged.count)
    let (judged, readings) = (plan.judged.address + places.lowerBound, plan.readings.address)
    let (texts, slots) = (record.texts.address, slots.address)
    var bits: UInt64 = 0
    for place in 0..<places.count {
      let index = judged[place]
      let reading = readings + index
      let length = texts[reading.pointee.column].count | slots[index].raw.count
      let mayBe = length | (reading.pointee.hasRule ? 1 : 0)
      bits |= (mayBe == 0 ? 0 : 1) &<< place
    }
    return bits
  }

  /// Makes the columns of the fields around the record, of which no day is known. Returns false if
  /// one of them has a flaw.
  mutating func makeColumnsAround() -> Bool {
    for place in plan.required.indices {
      let index = plan.required[place]
      if !plan.readings[index].isOwn, isMissing(index) { return false }
    }
    for place in plan.madeAround.indices {
      let index = plan.made[plan.madeAround[place]].field
      if plan.readings[index].isRequired, isMissing(index) { return false }
      if judge(index) != nil { return false }
    }
    var places = unsure & plan.judgedAround
    while places != 0 {
      let index = plan.judged[places.trailingZeroBitCount]
      places &= places &- 1
      if judge(index) != nil { return false }
    }
    return plan.firstDayField == plan.lastDayField || setEndDay() == nil
  }

  /// Whether a field has no value.
  @inline(__always)
  private func isMissing(_ index: Int) -> Bool {
    plan.readings[index].isReadAtOnce
      ? record.texts[plan.readings[index].column].count == 0
      : WhiteSpace.isAll(record.text(slots[index].raw))
  }

  /// Judges the text of a field, and makes its column if that is another. Returns the flaw; nil if
  /// there is none.
  @inline(__always)
  private mutating func judge(_ index: Int) -> RejectReason? {
    let reading = plan.readings[index]
    switch reading.kind {
    case .text, .verbatim, .share, .hidden, .occurrence: break
    case .integer:
      let text = record.text(reading.column)
      if text.count > 0, !slots[index].isInForm, !DecimalText.isInteger(ofRow: text) {
        return .notAnInteger
      }
      settle(reading)
    case .flag:
      let text = record.text(reading.column)
      if text.count > 0, !FlagText.isFlag(text) { return .notAFlag }
    case .day, .instant, .time: return readTime(index)
    case .period:
      if case .reject(let reason) = periods.verdict,
        !WhiteSpace.isAll(record.text(slots[index].raw))
      {
        return reason
      }
    case .decimal:
      let raw = slots[index].raw
      if slots[index].isInForm || DecimalText.isSurelyNumber(ofRow: record.text(raw)) {
        record.texts[reading.column] = raw
        settle(reading)
      } else if !WhiteSpace.isAll(record.text(raw)) {
        return readValue(index)
      }
    }
    return nil
  }

  /// Notes that the column of a field around the record is made, and is that of the records after
  /// it.
  @inline(__always)
  mutating func settle(_ reading: RowPlan.Reading) {
    if !reading.isOwn { unsure &= ~reading.judged }
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
  mutating func noteDay(_ day: Day, of index: Int) {
    if index == plan.firstDayField {
      record.setDays(day, day)
    } else if index == plan.lastDayField {
      endDay = day
    }
  }

  /// Makes a column from the text of a decimal, day or instant. Returns the flaw; nil if there is
  /// none.
  mutating func readValue(_ index: Int) -> RejectReason? {
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

  /// Makes the column of a flag from the raw text of its slot.
  @inline(never)
  mutating func storeFlag(_ index: Int) {
    let raw = slots[index].raw
    let start = record.bytes.count
    record.bytes.reserve(raw.count)
    WhiteSpace.appendCollapsed(
      UnsafeRawBufferPointer(start: record.bytes.start + raw.start, count: raw.count),
      to: &record.bytes)
    FlagText.tidy(&record.bytes, from: start)
    record.setText(plan.entries[index].column, from: start)
  }

  /// Appends an instant to the record's bytes. Returns its day, or its flaw.
  mutating func readInstant(
    _ text: UnsafeRawBufferPointer, _ index: Int
  ) -> Result<Day, RejectReason> {
    guard setZone(of: index) else { return .failure(.noSuchZone) }
    return clocks.read(text, plan.entries[index].unix, of: index, into: &record.bytes)
  }

  /// Sets the zone of a field, if its name is in the document. Returns whether there is such a
  /// zone.
  @inline(__always)
  mutating func setZone(of index: Int) -> Bool {
    guard let field = clocks.zoneField(of: index) else { return true }
    let name = record.text(
      plan.readings[field].isReadAtOnce
        ? record.texts[plan.readings[field].column] : slots[field].raw)
    return clocks.setZone(of: index, name)
  }

  /// Returns a text without the white space around it. The text must not be empty.
  @inline(__always)
  mutating func tidy(_ text: Record.Text) -> Record.Text {
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

  /// Makes the address column from the address's parts, unless nobody wants it.
  @inline(__always)
  mutating func makeKeyNumber() {
    if let column = plan.keyNumberColumn { makeKeyNumber(column) }
  }

  @inline(never)
  private mutating func makeKeyNumber(_ column: Int) {
    if let values = checkedAddress?.state(of: record).values {
      (record.keyNumber, record.keyCheck) = values
    } else if !plan.showsKeyNumber {
      return
    } else {
      record.keyNumber = hashAddress()
    }
    record.texts[column] = appendKeyNumber()
  }

  /// Appends the number of the key to the record's bytes. Returns its text.
  @inline(__always)
  mutating func appendKeyNumber() -> Record.Text {
    let start = record.bytes.count
    record.bytes.append(hexadecimal: record.keyNumber)
    return Record.Text(start: start, count: record.bytes.count - start)
  }

  /// Returns the hash of the columns of the address.
  mutating func hashAddress() -> UInt64 { address.state(of: record).value }

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

  /// Makes the record the row of the first day of its series that overlaps the days asked for, or
  /// of the first after `day`. Returns that day; nil if there is none.
  mutating func setOccurrence(after day: Day?) -> Day? {
    guard let next = event?.nextDay(after: day) else { return nil }
    event?.setDay(next, &record)
    return next
  }

  /// Makes the record ready to be handed on. Its shares are empty.
  @inline(__always)
  mutating func prepareRow() {
    shares.clear(&record)
    if !record.events.isEmpty { events?.setDays(&record) }
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
