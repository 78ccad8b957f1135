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

extension Normalizer where Next: ~Copyable {
  mutating func reject(
    _ reason: RejectReason, _ field: Int?, value: [UInt8]?, _ raw: UnsafeRawBufferPointer
  ) throws(PipelineError) {
    try checkShares(reason, field, value: value)
    tally.rejected.increase()
    tally.reasons.withLock { $0[reason, default: 0] += 1 }
    guard let receiver = options.rejects else { return }
    let key = reason == .wrongKind ? blockedKey : nil
    try receiver.receive(
      Reject(
        record: tally.read.value, offset: recordOffset,
        field: field.map { plan.entries[$0].name } ?? key, value: value, reason: reason,
        raw: Array(UTF8Encoding.prefix(raw, Limits.captured))))
  }

  /// Tells of a record that is refused for this field, nil for the record itself; where the address
  /// is what is wrong, nobody can tell whose record it is.
  mutating func noteRefusal(_ flawed: Int?) {
    guard options.keepsBook else { return }
    guard addressColumn != nil, let flawed, !addressFields.contains(flawed),
      addressFields.allSatisfy({
        !plan.entries[$0].isRequired || record.texts[plan.entries[$0].column].count > 0
      })
    else { return next.refuse(address: nil) }
    next.refuse(address: address.hash(record))
  }

  /// The text of a field as it came; nil where there is none.
  func rawText(_ index: Int) -> [UInt8]? {
    let text =
      plan.readings[index].isReadAtOnce
      ? record.texts[plan.entries[index].column] : slots[index].raw
    guard text.count > 0 else { return nil }
    return Array(UTF8Encoding.prefix(record.text(text), Limits.captured))
  }

  /// The text of a value that is wrong as such; nil where it lies behind what is kept of `raw`.
  func value(of flaw: Flaw, in raw: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let container = flaw.container, flaw.field != nil else { return flaw.value }
    let start = container.lowerBound - recordOffset
    let end = min(container.upperBound - recordOffset, raw.count)
    guard start >= 0, start < end else { return nil }
    return Array(
      UTF8Encoding.prefix(UnsafeRawBufferPointer(rebasing: raw[start..<end]), Limits.captured))
  }

  /// Checks that the document was this feed's and that few enough records were refused.
  mutating func checkEnd() throws(PipelineError) {
    // Where a null stood for it, the way is right.
    if gone < plan.steps.count, nothing <= gone, lack != nil || plan.steps[gone] != .each {
      throw lack
        ?? fault(
          .missing(
            path: Path(Array(plan.steps.prefix(gone + 1))).description,
            keys: keys.at(depth: gone + 1)), at: nil)
    }
    let read = tally.read.value
    if read > blocked, !keys.areKnown {
      let expected = plan.entries.filter { $0.arrays == plan.rowArrays }.map(\.name)
      let found = keys.at(depth: plan.steps.count + 1)
      throw fault(.noKnownKey(expected: expected, keys: found), at: nil)
    }
    let judged = read - tally.filtered.value
    guard options.limit.allows(tally.rejected.value, of: judged) else {
      throw fault(
        .tooManyRejects(rejected: tally.rejected.value, of: judged, limit: options.limit), at: nil)
    }
    try checkTotals()
    if read > 0, let (column, nearest) = filter.blame {
      let name = plan.columns[column]
      tally.blame.withLock { $0 = (name, nearest) }
    }
  }
}
