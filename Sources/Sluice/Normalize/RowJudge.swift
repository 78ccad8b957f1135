/// Judges one record after the other: counts it, and hands on its rows or rejects it.
///
///     --where street=Садовая --from 2020-07-01
///
///     street   period               judged as
///     Невский  ГВС сохранено        skipped: the period says so, whatever the filter; or the
///                                   document's conditions do not hold
///     Невский  31.6.2020            filtered: another street, whatever the flaw
///     Садовая  31.6.2020            rejected: no such day
///     Садовая  1.6.2020, 1.8.2020   kept: one row of two is within the days
///     Садовая  1.6.2020             filtered: no row is within the days
///
/// The order of judgement is skip, filter, flaws, days. Rows outside the days are left out. If
/// a ledger tracks every row, the rows of filtered records are left out, not dropped.
struct RowJudge<Next: RecordStage & ~Copyable>: ~Copyable {
  private var next: Next
  private var filter: Filter
  /// The conditions on what is made of matching records. Each row is judged.
  private var late: Filter
  private let hasLate: Bool
  /// Whether a row of the record has matched them.
  private var hasMatchedLate = true
  /// What the document says about the rows that it wants, and about those with events; nil for all.
  private var rule: RowRule?
  private let hasRule: Bool
  private let hasLateRule: Bool
  private var eventRule: RowRule?
  private let hasEventRule: Bool
  /// Whether the document wants none of the record's rows.
  private var isUnwanted = false
  private let options: NormalizerOptions
  /// Whether some rows with days are outside of those asked for.
  private let isLimited: Bool
  /// Whether all rows of every record without a flaw are wanted.
  let takesAll: Bool
  /// The same, and each such record is one row.
  private let takesSingles: Bool
  /// Whether each record without a flaw is one row, and the texts of some columns say whether it is
  /// wanted.
  let choosesByTexts: Bool
  private let counters: Counters
  /// Number of records that were read and are not judged yet.
  var held = 0
  /// The counters of the encoders.
  private let events: Counters
  /// The names of the columns, for the hint about a filter.
  private let columns: [String]

  init(
    _ table: Table, _ plan: borrowing RowPlan, _ options: NormalizerOptions,
    into next: consuming Next, counters: Counters
  ) {
    filter = Filter(
      options.conditions, place: options.place, table, observer: options.observer, phase: .early)
    late = Filter(options.conditions, table, phase: .late)
    hasLate = !late.isEmpty
    rule = table.conditions.map { RowRule($0, table) }
    // Those of several events are looked at with their days.
    eventRule = table.events.count > 1 ? nil : table.event?.conditions.map { RowRule($0, table) }
    (hasRule, hasEventRule) = (rule != nil, eventRule != nil)
    hasLateRule = rule?.hasLate ?? false
    isLimited = options.from != nil || options.to != nil || table.events.count > 1
    self.options = options
    self.next = next
    self.counters = counters
    events = options.eventCounters ?? counters
    columns = table.columns.map(\.name)
    let areRows =
      !hasLate && !hasEventRule && !isLimited && !options.tracksAllRows
      && !plan.makesEvents && options.shares == nil
    let areSingles = areRows && plan.periodField == nil
    takesAll = areRows && filter.isEmpty && !hasRule
    takesSingles = areSingles && takesAll
    choosesByTexts = areSingles && !takesAll
  }

  /// The columns whose texts say whether a row is wanted. If they do so only of a record without a
  /// flaw, all columns have to be made before.
  var choosingColumns: (columns: [Int], needAll: Bool) {
    (filter.columns + (rule?.columns ?? []), hasLateRule)
  }

  /// Returns whether a row without a flaw is left out by the texts of the ``choosingColumns``, and
  /// counts its record then.
  mutating func leavesOut(_ record: borrowing Record) -> Bool {
    if hasRule, rule?.holds(early: record) == false {
      counters.skipped.increase()
    } else if !filter.isEmpty, !filter.matches(record) {
      counters.filtered.increase()
    } else if hasLateRule, rule?.holds(record) == false {
      counters.skipped.increase()
    } else {
      return false
    }
    counters.read.increase()
    return true
  }

  /// Counts a record that the text of its period says to skip.
  mutating func skip() {
    counters.read.increase()
    counters.skipped.increase()
  }

  /// Throws ``FeedFault`` if a record that begins at `offset` and was read up to `end` is longer
  /// than allowed.
  @inline(__always)
  func checkLength(from offset: Int, upTo end: Int) throws(PipelineError) {
    if end &- offset > Limits.record { throw tooLong(offset) }
  }

  private func tooLong(_ offset: Int) -> PipelineError {
    PipelineError(
      .normalize(.recordTooLong(limit: Limits.record)), at: offset,
      record: counters.read.value + held + 1)
  }

  /// Judges the record in `row`. `raw` is its text, as far as it was kept. Returns whether it was
  /// kept. Throws if the rows or the reject cannot be handed on, or if a value has no share.
  @discardableResult
  mutating func judge(_ row: inout RowBuilder, _ raw: UnsafeRawBufferPointer)
    throws(PipelineError) -> Bool
  {
    counters.read.increase()
    if row.plan.makesTexts { row.derive() }
    if takesSingles, row.flaws.areNone { return try takeOne(&row, raw) }
    if hasRule, rule?.holds(row) == false {
      counters.skipped.increase()
      return false
    }
    if row.readPeriods() {
      counters.skipped.increase()
      // A user who filters for this record wants to know that it exists.
      if !filter.isEmpty, matchesFilter(&row) { counters.skippedMatches.increase() }
      return false
    }
    if !filter.isEmpty, !matchesFilter(&row) {
      counters.filtered.increase()
      if let day = row.lastDayOfPeriods { noteLastDay(day) }
      if options.tracksAllRows { try leaveOut(&row) }
      return false
    }
    if let flaw = row.flaws.first {
      try reject(&row, flaw, value: flaw.value(in: raw, at: row.offset), raw)
      return false
    }
    if let flaw = row.makeColumns() {
      try reject(&row, flaw, value: flaw.value, raw)
      return false
    }
    row.makeKeyNumber()
    if hasLate { hasMatchedLate = false }
    if hasLateRule { isUnwanted = true }
    let isKept = try emit(&row, isWanted: true)
    if isKept {
      counters.kept.increase()
    } else if isUnwanted {
      counters.skipped.increase()
      isUnwanted = false
    } else {
      counters.filtered.increase()
      if hasMatchedLate { counters.outsideOfDays.increase() }
    }
    if events.sameNumberRows.value > 0 { try noteSameNumber(at: row.offset, raw) }
    return isKept
  }

  /// Hands on the one row of a record of which nothing more is asked than its columns.
  @inline(__always)
  private mutating func takeOne(_ row: inout RowBuilder, _ raw: UnsafeRawBufferPointer)
    throws(PipelineError) -> Bool
  {
    if let flaw = row.makeColumns() {
      try reject(&row, flaw, value: flaw.value, raw)
      return false
    }
    row.makeKeyNumber()
    row.prepareRow()
    if row.record.hasDays {
      noteRead(row.record.firstDay, row.record.lastDay)
      noteKept(row.record.firstDay, row.record.lastDay)
    }
    try next.take(row.record, .wanted)
    counters.rows.increase()
    counters.kept.increase()
    if events.sameNumberRows.value > 0 { try noteSameNumber(at: row.offset, raw) }
    return true
  }

  /// Hands on the series of rows that the builder has made, if it has any. All of them are wanted.
  @inline(__always)
  mutating func handOnSeries(_ row: inout RowBuilder) throws(PipelineError) {
    if row.series.count > 0 { try takeSeries(&row) }
  }

  @inline(never)
  private mutating func takeSeries(_ row: inout RowBuilder) throws(PipelineError) {
    let count = row.series.count
    // The days of fields around a narrow series are those of its record.
    let days = row.series.haveDays ? row.series.allDays : row.record.days
    if let (first, last) = days {
      noteRead(first, last)
      noteKept(first, last)
    }
    row.keepAround()
    if row.plainRows.key.isChecked {
      try takeChecked(&row)
    } else {
      try next.take(row.series, of: &row.record)
    }
    row.putAroundBack()
    row.endSeries()
    counters.read.increase(by: count)
    counters.rows.increase(by: count)
    counters.kept.increase(by: count)
  }

  /// Hands on the rows of a series one by one, each as the record that was read last: its key may
  /// have the number of another, and what refuses it names its record. Meanwhile the number of
  /// records that were read goes back.
  private mutating func takeChecked(_ row: inout RowBuilder) throws(PipelineError) {
    // Records were dropped meanwhile, those of the series are not counted yet.
    let read = counters.read.value
    for index in 0..<row.series.count {
      let origin = row.plainRows.key.origin(of: index)
      counters.read.set(origin.number)
      row.series.set(index, in: &row.record)
      try next.take(row.record, .wanted)
      if events.sameNumberRows.value > 0 { try noteSameNumber(at: origin.offset, origin.raw) }
    }
    counters.read.set(read)
  }

  /// Checks that few enough records were rejected, and reports the column that no record matched.
  ///
  /// Throws ``FeedFault`` if too many were rejected, or if a total has no shares because it is
  /// zero.
  mutating func checkEnd(_ row: borrowing RowBuilder) throws(PipelineError) {
    // Records with the number of another address are not among them: their rows are published.
    try counters.refuseIfTooManyRejected(options.limit)
    try row.shares.checkTotals()
    if counters.read.value > 0, let (column, nearest) = filter.blame ?? late.blame {
      options.findings?.unmatched = (columns[column], nearest)
    }
  }

  consuming func finish() throws(PipelineError) { try next.finish() }

  // MARK: Filtered records

  private mutating func matchesFilter(_ row: inout RowBuilder) -> Bool {
    if let column = row.plan.keyNumberColumn, filter.concerns(column) { row.makeKeyNumber() }
    return filter.matches(row.record)
  }

  /// Notes the last day of a filtered record. Guards judge the whole feed, whatever the filter.
  private func noteLastDay(_ day: Day) {
    counters.lastDayFiltered.set(max(counters.lastDayFiltered.value, Int(day.number)))
  }

  /// Hands on the rows of a filtered record as left out, or that it cannot be read.
  private mutating func leaveOut(_ row: inout RowBuilder) throws(PipelineError) {
    if let flaw = row.flaws.first ?? row.makeColumns() {
      return try next.take(row.record, .rejected(key: row.address(despite: flaw)))
    }
    row.makeKeyNumber()
    _ = try emit(&row, isWanted: false)
  }

  // MARK: Rejected records

  private mutating func reject(
    _ row: inout RowBuilder, _ flaw: Flaw, value: [UInt8]?,
    _ raw: UnsafeRawBufferPointer
  ) throws(PipelineError) {
    if options.tracksAllRows {
      try next.take(row.record, .rejected(key: row.address(despite: flaw)))
    }
    let number = counters.read.value
    try row.shares.check(flaw, value, number: number, at: row.offset)
    counters.rejected.increase()
    counters.reasons.withLock { $0[flaw.reason, default: 0] += 1 }
    guard !options.isAgain else { return }
    try options.rejects?.receive(
      Reject(
        record: number, offset: row.offset, field: flaw.key, value: value, reason: flaw.reason,
        raw: Array(UTF8Encoding.prefix(raw, Limits.captured))))
  }

  /// Reports a record whose event was left out, because its address has the number of another one.
  /// Its rows are in the tables, so it is not rejected.
  @inline(never)
  private func noteSameNumber(at offset: Int, _ raw: UnsafeRawBufferPointer)
    throws(PipelineError)
  {
    events.sameNumberRows.set(0)
    events.sameNumber.increase()
    try options.rejects?.receive(
      Reject(
        record: counters.read.value, offset: offset, reason: .sameNumber,
        raw: Array(UTF8Encoding.prefix(raw, Limits.captured))))
  }

  // MARK: Rows

  /// Hands on the record's rows. Returns whether one of them was wanted and within the days.
  @inline(__always)
  private mutating func emit(_ row: inout RowBuilder, isWanted: Bool) throws(PipelineError)
    -> Bool
  {
    let count = row.periodCount
    if count == 0 {
      return row.plan.makesEvents && row.event?.series != nil
        ? try emitSeries(&row, isWanted: isWanted) : try emitRow(&row, isWanted: isWanted)
    }
    var wasKept = false
    for index in 0..<count {
      row.setPeriod(index)
      if try emitRow(&row, isWanted: isWanted) { wasKept = true }
    }
    return wasKept
  }

  /// Hands on a row for each day of the record's series that overlaps the days asked for. Returns
  /// whether one of them was wanted.
  @inline(never)
  private mutating func emitSeries(_ row: inout RowBuilder, isWanted: Bool) throws(PipelineError)
    -> Bool
  {
    guard isWanted else { return try emitRow(&row, isWanted: false) }
    let end = row.record.bytes.count
    var wasKept = false
    var day: Day?
    var count = 0
    while let next = row.setOccurrence(after: day) {
      count += 1
      guard count <= EventMaker.mostOccurrences else {
        throw PipelineError(
          .normalize(.tooManyOccurrences(limit: EventMaker.mostOccurrences)), at: row.offset,
          record: counters.read.value)
      }
      if try emitRow(&row, isWanted: true) { wasKept = true }
      row.record.bytes.truncate(to: end)
      day = next
    }
    // A series without an occurrence on these days counts among those of its key.
    if count == 0 { return try emitRow(&row, isWanted: false) }
    return wasKept
  }

  /// Hands on one row. Returns whether it was wanted and is within the days asked for.
  private mutating func emitRow(_ row: inout RowBuilder, isWanted: Bool) throws(PipelineError)
    -> Bool
  {
    if hasLateRule {
      // It is as if the row were not in the feed.
      guard rule?.holds(row.record) == true else { return false }
      isUnwanted = false
    }
    if hasEventRule { row.record.isEvent = eventRule?.holds(row.record) == true }
    row.prepareRow()
    guard isWanted, !hasLate || matchesLate(row.record), isWithinDays(row.record) else {
      try next.take(row.record, .leftOut)
      return false
    }
    if options.shares != nil { try row.fillShares(number: counters.read.value) }
    try next.take(row.record, .wanted)
    counters.rows.increase()
    return true
  }

  /// Returns whether a row matches the conditions on what was made of its record.
  @inline(never)
  private mutating func matchesLate(_ record: borrowing Record) -> Bool {
    guard late.matches(record) else {
      if record.hasDays { noteLastDay(record.lastDay) }
      return false
    }
    hasMatchedLate = true
    return true
  }

  /// Counts the days of a row. Returns whether it overlaps the days asked for.
  @inline(__always)
  private func isWithinDays(_ record: borrowing Record) -> Bool {
    guard record.hasDays else { return options.from == nil && options.to == nil }
    noteRead(record.firstDay, record.lastDay)
    // Between the days of several events there may be none that are asked for.
    if isLimited, !record.overlaps(from: options.from, to: options.to) { return false }
    noteKept(record.firstDay, record.lastDay)
    return true
  }

  @inline(__always)
  private func noteRead(_ first: Day, _ last: Day) {
    counters.firstDayRead.set(min(counters.firstDayRead.value, Int(first.number)))
    counters.lastDayRead.set(max(counters.lastDayRead.value, Int(last.number)))
  }

  @inline(__always)
  private func noteKept(_ first: Day, _ last: Day) {
    counters.firstDay.set(min(counters.firstDay.value, Int(first.number)))
    counters.lastDay.set(max(counters.lastDay.value, Int(last.number)))
  }
}
