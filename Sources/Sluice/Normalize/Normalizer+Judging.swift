extension Normalizer where Next: ~Copyable {
  /// Judges a scalar that stands where a record should.
  mutating func judge(_ raw: [UInt8]) throws(PipelineError) {
    try raw.span.bytes.withUnsafeBytes { (bytes) throws(PipelineError) in try judge(bytes) }
  }

  /// Judges the record in hand: is it skipped, filtered away, refused, or what rows does it give?
  mutating func judge(_ raw: UnsafeRawBufferPointer) throws(PipelineError) {
    tally.read.increase()
    // What is compared with the record before is read by whole vectors.
    record.bytes.reserve(32)
    if readCell() {
      tally.skipped.increase()
      // Whoever asked for this very record wants to know that it is there.
      if !filter.isEmpty, matchesFilter() { tally.skippedMatches.increase() }
      return
    }
    if !filter.isEmpty, !matchesFilter() {
      noteDaysFiltered()
      tally.filtered.increase()
      if options.keepsBook { try keepBook() }
      return
    }
    if let flaw = firstFlaw {
      noteRefusal(flaw.field)
      try reject(flaw.reason, flaw.field, value: value(of: flaw, in: raw), raw)
      return
    }
    if let (reason, index) = readTexts() {
      noteRefusal(index)
      try reject(reason, index, value: reason == .missingValue ? nil : rawText(index), raw)
      return
    }
    if let column = addressColumn { appendAddress(column) }
    if try emit(isWanted: true) {
      tally.kept.increase()
    } else {
      tally.filtered.increase()
      tally.outsideOfDays.increase()
    }
  }

  /// Passes over the rows of a record that is filtered away, or tells that there is no reading them.
  private mutating func keepBook() throws(PipelineError) {
    if let flaw = firstFlaw { return noteRefusal(flaw.field) }
    if let (_, index) = readTexts() { return noteRefusal(index) }
    if let column = addressColumn { appendAddress(column) }
    _ = try emit(isWanted: false)
  }

  private mutating func matchesFilter() -> Bool {
    if let column = addressColumn, filter.concerns(column) { appendAddress(column) }
    return filter.matches(record)
  }

  /// Takes note of the last day of a record that is filtered away: what is judged of a feed as a
  /// whole must not depend on what is asked of it.
  private func noteDaysFiltered() {
    guard plan.periodField != nil, case .periods = cell.verdict else { return }
    for period in cell.periods where Int(period.last.number) > tally.lastDayFiltered.value {
      tally.lastDayFiltered.set(Int(period.last.number))
    }
  }

  /// What is wrong with the record or with what stands around it.
  private var firstFlaw: Flaw? {
    for index in levels.indices where levels[index].flaw != nil { return levels[index].flaw }
    return flaw
  }

  /// Reads the cell of periods, where the feed has one, and tells whether it says to skip the record.
  private mutating func readCell() -> Bool {
    guard let index = plan.periodField else { return false }
    cell.read(record.text(slots[index].raw))
    // A period that stands twice is no word to skip by.
    if case .skip = cell.verdict { return !slots[index].isDuplicate }
    return false
  }

  /// Checks that what must be there is, and makes columns of the texts that have rules.
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
      switch plan.readings[index].rule {
      case .text, .verbatim, .share: break
      case .integer, .flag:
        if let reason = judgeText(index) { return (reason, index) }
      case .period:
        if case .reject(let reason) = cell.verdict, !WhiteSpace.isAll(record.text(slots[index].raw))
        {
          return (reason, index)
        }
      case .decimal, .day, .instant:
        if !WhiteSpace.isAll(record.text(slots[index].raw)), let reason = readValue(index) {
          return (reason, index)
        }
      }
    }
    return plan.firstDayField == plan.lastDayField ? nil : endDays()
  }

  /// Tells what is wrong with a column that was filled as its value came.
  private func judgeText(_ index: Int) -> RejectReason? {
    let text = record.text(plan.entries[index].column)
    guard text.count > 0 else { return nil }
    if plan.entries[index].rule == .flag { return FlagText.isFlag(text) ? nil : .notAFlag }
    return DecimalText.isInteger(text) ? nil : .notAnInteger
  }

  /// Makes the row end with the day of the field that tells it.
  private mutating func endDays() -> (RejectReason, Int)? {
    guard let last = endDay, record.hasDays else { return nil }
    let (start, end) = (plan.firstDayField, plan.lastDayField)
    let isReversed: Bool
    if plan.entries[start].rule == .instant {
      isReversed =
        InstantText.seconds(record.text(plan.entries[end].column))
        < InstantText.seconds(record.text(plan.entries[start].column))
    } else {
      isReversed = last < record.firstDay
    }
    if isReversed { return (.endBeforeStart, end) }
    // Clocks may differ: the day written in the end may come before that written in the start.
    record.lastDay = max(record.firstDay, last)
    return nil
  }

  /// Takes a day where it is the row's first or last one.
  private mutating func noteDay(_ day: Day, of index: Int) {
    if index == plan.firstDayField {
      record.setDays(day, day)
    } else if index == plan.lastDayField {
      endDay = day
    }
  }

  /// Makes a column of one decimal, day or instant.
  private mutating func readValue(_ index: Int) -> RejectReason? {
    let raw = tidy(slots[index].raw)
    let column = plan.readings[index].column
    let source = record.bytes.count
    // The parser reads while the record's bytes grow: room first, so that they stay in place.
    record.bytes.reserve(raw.count + 64)
    let text = record.text(raw)
    if plan.readings[index].rule == .decimal {
      guard DecimalText.isNumber(text) else { return .notADecimal }
      record.texts[column] = raw
      return nil
    }
    let day: Day
    if plan.entries[index].rule == .day {
      switch PeriodParser.day(text) {
      case .failure(let reason): return reason
      case .success(let read): day = read
      }
      day.append(to: &record.bytes)
    } else {
      switch readInstant(text, plan.entries[index].unix) {
      case .failure(let reason): return reason
      case .success(let read): day = read
      }
    }
    record.setText(column, from: source)
    noteDay(day, of: index)
    return nil
  }

  /// Appends an instant.
  private mutating func readInstant(_ text: UnsafeRawBufferPointer, _ unix: UnixTime?)
    -> Result<Day, RejectReason>
  {
    guard let unix else { return InstantParser.parse(text, into: &record.bytes) }
    return UnixInstant.parse(text, unix, clockOffset: plan.clockOffset, into: &record.bytes)
  }

  /// The text without white space around it.
  @inline(__always)
  private mutating func tidy(_ text: Record.Text) -> Record.Text {
    let bytes = record.text(text)
    // No white space begins or ends with one of these bytes.
    if bytes[0] &- 0x21 < 0x5E, bytes[bytes.count - 1] &- 0x21 < 0x5E { return text }
    return slowlyTidy(text)
  }

  @inline(never)
  private mutating func slowlyTidy(_ text: Record.Text) -> Record.Text {
    record.bytes.reserve(text.count + 16)
    let start = record.bytes.count
    WhiteSpace.appendCollapsed(record.text(text), to: &record.bytes)
    return Record.Text(start: start, count: record.bytes.count - start)
  }

  private mutating func appendAddress(_ column: Int) {
    let number = address.hash(record)
    let start = record.bytes.count
    record.addressID = number
    AddressHash.append(number, to: &record.bytes)
    record.setText(column, from: start)
  }
}
