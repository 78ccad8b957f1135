/// Turns the tokens of a document into the rows of a ``Table``, which has the paths and kinds.
///
///     {"city": "Pushkin", "off": "1.8.2020, 3.8.2020"}     PathFollower: a record, a field, …
///              └ field ┘         └────── field ─────┘      RowBuilder:   collects the values
///                                                    ↓     RowJudge:     kept, two rows
///
/// A row is made in one of two ways:
///
///     plain         beginPlain ─▶ makePlain ─▶ addPlain, to a series ─▶ handOnSeries      PlainRows
///     any other     begin, from tokens or a whole record ─▶ judge ─▶ emitRow
///
/// A plain one is of a whole record, a plain value or an element of parallel lists, needs no closer
/// look and follows one that was kept. Rows that wait for a value after them are held
/// (``RowHold``). Those of parallel lists are put together first (``Zipper``).
///
/// Throws ``FeedFault`` if the document is not this feed's, and at the end if more records were
/// rejected than the limit allows.
struct Normalizer<Next: RecordStage & ~Copyable>: TokenStage, ~Copyable {
  var paths: PathFollower
  var row: RowBuilder
  var rows: RowJudge<Next>
  var hold: RowHold
  var picker: Picker
  var wholePicks: WholePicks
  var zipper: Zipper
  let counters: Counters
  /// The fields of the document, if the input can be read twice for them.
  let late: LateFields?
  /// Whether the input is read for the second time because of them.
  let isAgain: Bool
  /// Whether somebody wants the texts of rejected records.
  let keepsRaw: Bool
  /// Whether other sections of the document's list are read elsewhere. Whoever reads all of them
  /// checks the end.
  var isSection: Bool
  /// Is told what is found out beside the rows; nil if nobody wants it.
  private let findings: RowFindings?
  /// The values of whole records; nil if there is no such form, or if it has not been made.
  private var form: RecordForm?
  private var isFormMade = false
  /// Whether elements of lists in whole records are picked.
  private var hasPicks = false
  /// The tokens of gaps, and their uses; nil if gaps come as tokens.
  private var madeGapForm: RecordForm?
  private var gapUses: ContiguousArray<GapUse> = []
  private var isGapFormMade = false

  init(
    _ table: Table, of feed: Feed, options: NormalizerOptions, into next: consuming Next,
    counters: Counters
  ) {
    paths = PathFollower(table)
    picker = Picker(table, paths.picks)
    wholePicks = WholePicks(table, paths.picks)
    zipper = Zipper(paths.zip, limit: feed.hold)
    row = RowBuilder(
      table, RowClocks(table, of: feed, options.zones),
      EventMaker(table, of: feed, options.zones, window: (options.from, options.to)),
      RowEvents(table, of: feed, options.zones),
      shares: options.shares, checksKeys: next.checksKeys)
    rows = RowJudge(table, row.plan, options, into: next, counters: counters)
    self.counters = counters
    hold = RowHold(table, row.plan, limit: feed.hold)
    late = options.late
    isAgain = late?.fields != nil
    keepsRaw = options.rejects != nil
    isSection = options.isSection
    findings = options.findings
    if let fields = late?.fields { hold.setDocumentFields(fields, &row) }
    // Only those rows have plain values as wholes.
    if let fields = zipper.fields {
      row.expect(fields.map { .field($0) }, picks: [])
      row.expectPlainRows(ofLists: fields)
    } else if row.plan.shape.value >= 0 {
      row.expect([.field(row.plan.shape.value)], picks: [])
      row.expectPlainRows(asMembers: paths.membersAreRows)
    }
  }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    if paths.isInRow { try rows.checkLength(from: row.offset, upTo: offset) }
    switch try paths.follow(kind, text, at: offset) {
    case .nothing: break
    case .pass: return .pass
    case .capture: return .capture
    case .rowsBegin: return replyToRows
    case .field(let index): return row.store(kind, text, index, at: offset)
    case .fieldAround(let index): return try storeAround(kind, text, index, at: offset)
    case .rowBegins:
      try settleWholes()
      return row.begin(kind, text, at: offset)
    case .rowEnds:
      try rows.checkLength(from: row.offset, upTo: offset &+ 1)
      if !row.plan.shape.isPlain { row.endShaped(kind, text) }
      _ = try text.withUnsafeBytes { (raw) throws(PipelineError) in try judge(raw) }
    case .rowIsScalar:
      try settleWholes()
      row.beginScalar(kind, text, at: offset)
      try judge(kind, text)
    case .pick(let place): try pick(kind, text, place, at: offset)
    case .asideEnds(let place): try endAside(place)
    case .noList(let index): return row.refuse(kind, text, index, at: offset)
    case .zip(let place): return try zip(kind, text, place, at: offset)
    case .elementKey(let level):
      row.noteKey(text, level)
      if level == row.plan.rowArrays { return .record }
    case .parentBegins(let level):
      try beginParent(level, at: offset)
      if paths.haveRows(level) { return replyToRows }
    case .parentEnds(let level): try endParent(level)
    case .mismatch(let mismatch):
      try settleWholes()
      let flaw = Flaw(mismatch: kind, text, key: paths.key(of: mismatch))
      row.begin(flaw, at: mismatch.offset)
      try judge(kind, text)
    }
    return .proceed
  }

  /// The reply to what begins a list of records.
  private var replyToRows: TokenReply { row.plan.shape.value < 0 ? .records : .values }

  mutating func recordForm() -> RecordForm? {
    // Until then the keys are needed, for the error that none is known.
    guard paths.knowsKeys else { return nil }
    if !isFormMade {
      isFormMade = true
      if let (form, uses) = paths.recordForm() {
        row.expect(uses, picks: picker.fields)
        self.form = form
        self.form?.untidied = row.untidiedValues
        hasPicks = form.places.contains { $0.token >= 0 }
        self.form?.tokensAreTidied = wholePicks.pickElements
        row.expectPlainRows(
          ofRecords: uses, picks: wholePicks.fields, choosing: rows.choosingColumns,
          asMembers: paths.membersAreRows)
      }
    }
    return form
  }

  @inline(__always)
  mutating func object(_ record: WholeRecord) throws(PipelineError) {
    row.plainRows.areSimple ? try takeSimple(record) : try takeOther(record)
  }

  var takesKeys: Bool { row.plainRows.takesKeys && mayTakeWholes }

  mutating func object(_ record: WholeRecord, key: ObjectValue) throws(PipelineError) {
    row.memberKey = key
    if try !takePlain(record) { try makeOther(record, key: key) }
  }

  /// Takes a record of which a row is nothing but its values, if they need no closer look.
  @inline(never)
  private mutating func takeSimple(_ record: WholeRecord) throws(PipelineError) {
    guard mayTakePlain(.records), row.addSimple(record) else { return try makeOther(record) }
    paths.countUnread(record.values)
    if row.series.count == RowSeries.most { try rows.handOnSeries(&row) }
  }

  @inline(never)
  private mutating func takeOther(_ record: WholeRecord) throws(PipelineError) {
    if !row.plainRows.showKeys, try takePlain(record) { return }
    try makeOther(record)
  }

  /// Holds a record that needs a closer look, or makes its row. It has the key unless that is nil.
  @inline(__always)
  private mutating func makeOther(_ record: WholeRecord, key: ObjectValue? = nil)
    throws(PipelineError)
  {
    hold.isActive ? try holdRow(record, key: key) : try makeAlone(record, key: key)
  }

  /// Hands on the series, and makes the row of a record as any other.
  @inline(never)
  private mutating func makeAlone(_ record: WholeRecord, key: ObjectValue?) throws(PipelineError) {
    try rows.handOnSeries(&row)
    try makeRow(of: record, key: key)
  }

  /// Takes a record if it needs no closer look, and adds its row to the series if it is wanted.
  /// Returns whether it did.
  @inline(__always)
  private mutating func takePlain(_ record: WholeRecord) throws(PipelineError) -> Bool {
    guard mayTakePlain(.records), row.beginPlain(record, &wholePicks) else { return false }
    if rows.choosesByTexts, rows.leavesOut(row.record) {
      row.dropPlain()
    } else {
      guard row.makePlain(record, &wholePicks) else { return skipPlain(record) }
      row.addPlain(record, before: counters.read.value)
    }
    paths.countUnread(record.values)
    if row.series.count == RowSeries.most { try rows.handOnSeries(&row) }
    return true
  }

  /// Returns whether the row could not be made because its period says to skip it, and counts it
  /// then.
  @inline(never)
  private mutating func skipPlain(_ record: WholeRecord) -> Bool {
    guard row.endSkippedPlain() else { return false }
    paths.countUnread(record.values)
    rows.skip()
    return true
  }

  /// Makes the row of a record as any other. Its `key` is that of the last token unless it is given.
  @inline(__always)
  mutating func makeRow(of record: WholeRecord, key: ObjectValue? = nil) throws(PipelineError) {
    if let key { row.noteKey(RawSpan(_unsafeBytes: key.text), row.plan.rowArrays) }
    row.begin(record)
    if !row.plan.shape.isPlain {
      row.storeKeyOfWhole(at: record.offset)
      let isObject = record.raw.first == UInt8(ascii: "{")
      row.endShaped(isObject ? .endObject : .endArray, RawSpan(_unsafeBytes: record.raw))
    }
    paths.countUnread(record.values)
    if hasPicks { try pick(record) }
    if try judge(record.raw) { beginPlainRows() }
  }

  mutating func endWholes() throws(PipelineError) {
    try keepWholes()
    try rows.handOnSeries(&row)
  }

  /// Returns whether the next row may need no closer look, if it is of this source.
  @inline(__always)
  private mutating func mayTakePlain(_ source: PlainRows.Source) -> Bool {
    guard row.plainRows.source == source else { return false }
    return row.plainRows.areReady
      || row.plainRows.container.hasEnded && !hold.isActive && row.beginContainer()
  }

  mutating func values(_ run: borrowing ValueRun) throws(PipelineError) {
    guard zipper.level < 0 else { return try zip(run) }
    if hold.isActive {
      if holdRows(run, areMembers: false) { return }
      try settleWholes()
    }
    try takeValues(run)
  }

  /// Makes rows of plain values.
  @inline(__always)
  mutating func takeValues(_ run: borrowing ValueRun) throws(PipelineError) {
    var index = 0
    while index < run.count {
      if mayTakePlain(.values) {
        index = row.takePlain(run, from: index)
        if index == run.count { return }
      }
      let isFull = row.series.count == RowSeries.most
      try rows.handOnSeries(&row)
      if isFull { continue }
      try makeRow(of: run[index], at: run.offset(of: index))
      index += 1
    }
  }

  /// Makes the row of a plain value as any other.
  @inline(never)
  mutating func makeRow(of value: ObjectValue, at offset: Int) throws(PipelineError) {
    withUnsafePointer(to: value) {
      row.begin(WholeRecord(of: UnsafeBufferPointer(start: $0, count: 1), at: offset))
    }
    row.storeKeyOfWhole(at: offset)
    if try judge(value.kind, RawSpan(_unsafeBytes: value.text)) { beginPlainRows() }
  }

  /// Notes that a row was made as any other, and kept. If all is settled, those after it need less.
  @inline(__always)
  mutating func beginPlainRows() {
    guard row.plainRows.arePossible, paths.isSettled else { return }
    if rows.takesAll || rows.choosesByTexts && row.plainRows.source == .records {
      row.beginPlainRows()
    }
  }

  var takesMembers: Bool {
    @inline(__always) get { row.plainRows.source == .members && mayTakeWholes }
  }

  /// Whether the next row may need no closer look, or be held as it is read.
  private var mayTakeWholes: Bool {
    @inline(__always) get {
      row.plainRows.areReady || row.plainRows.container.hasEnded
        || hold.isActive && hold.hasNoRows && row.plainRows.arePossible
    }
  }

  mutating func members(_ run: borrowing ValueRun) throws(PipelineError) -> Int {
    if hold.isActive, holdRows(run, areMembers: true) { return run.count }
    return try takeMembers(run, from: 0)
  }

  /// Makes rows of members, from this one on. Returns the index of the first that it does not take,
  /// or the number of all.
  @inline(__always)
  mutating func takeMembers(_ run: borrowing ValueRun, from first: Int) throws(PipelineError)
    -> Int
  {
    var index = first
    while mayTakePlain(.members) {
      index = row.takePlain(membersOf: run, from: index)
      if index == run.count { return index }
      guard row.series.count == RowSeries.most else { break }
      try rows.handOnSeries(&row)
    }
    try rows.handOnSeries(&row)
    return index
  }

  mutating func nextContainer(_ key: ObjectValue?, at offset: Int) throws(PipelineError) -> Bool {
    guard row.plainRows.areReady, row.plainRows.mayGoOn, !hold.isWanted,
      let level = paths.nextContainer(hasKey: key != nil)
    else { return false }
    if !row.seriesGoesOn { try rows.handOnSeries(&row) }
    row.endParent(level)
    row.beginParent(level, key: key.map { ObjectToken(key: $0) }, at: offset)
    return true
  }

  mutating func gapForm() -> RecordForm? {
    if !isGapFormMade, paths.isSettled {
      isGapFormMade = true
      if let (form, uses) = paths.gapForm() {
        madeGapForm = form
        gapUses = ContiguousArray(uses)
      }
    }
    return madeGapForm
  }

  mutating func gap(_ gap: WholeRecord) throws(PipelineError) {
    if !row.seriesGoesOn { try rows.handOnSeries(&row) }
    do throws(PipelineError) {
      try readGap(gap)
    } catch {
      // The rows before the gap have been read.
      try rows.handOnSeries(&row)
      throw error
    }
  }

  @inline(__always)
  private mutating func readGap(_ gap: WholeRecord) throws(PipelineError) {
    var key: ObjectToken?
    for token in gap.tokens {
      let offset = gap.offset + token.offset
      switch gapUses[token.number] {
      case .key: key = token
      case .element(let level) where token.kind == .beginObject || token.kind == .beginArray:
        paths.beginElementOfGap(level)
        try beginParent(level, key: key.take(), at: offset)
      case .element(let level): try endParent(level)
      case .field(let index):
        try storeAround(token, index, at: offset)
      case .aside(let place):
        if token.kind != .beginObject, token.kind != .beginArray { try endAside(place) }
      case .pick(let place):
        try pick(token.kind, RawSpan(_unsafeBytes: token.text), place, at: offset)
      }
    }
    paths.endGap()
  }

  /// A record that is too long is found at its first token beyond the limit.
  var passLimit: Int { paths.isInRow ? row.offset &+ Limits.record : .max }

  consuming func finish() throws(PipelineError) {
    try endZip(0)
    // Rows that are read again have not been written: their outputs are not finished.
    if try endHold() { return }
    findings?.unread = paths.unreadElements
    if !isSection {
      let read = counters.read.value
      try paths.checkEnd(records: read)
      try rows.checkEnd(row)
      counters.elements.set(paths.elements ?? read)
    }
    try rows.finish()
  }

  /// Judges and ends the current record, or holds it. Returns whether it was kept.
  @inline(__always) @discardableResult
  mutating func judge(_ raw: UnsafeRawBufferPointer) throws(PipelineError) -> Bool {
    if hold.isActive {
      try holdRow(raw)
      return false
    }
    let isKept = try rows.judge(&row, raw)
    row.end()
    return isKept
  }

  /// The same with a record that is this whole token, or a mismatch that ends with it.
  @inline(__always) @discardableResult
  mutating func judge(_ kind: TokenKind, _ text: RawSpan) throws(PipelineError) -> Bool {
    keepsRaw
      ? try judgeWithText(kind, text) : try judge(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  @inline(never)
  private mutating func judgeWithText(_ kind: TokenKind, _ text: RawSpan) throws(PipelineError)
    -> Bool
  {
    let json = text.withUnsafeBytes { JSONText.scalar(kind, $0) }
    return try json.span.bytes.withUnsafeBytes { (raw) throws(PipelineError) in try judge(raw) }
  }
}

/// What a reading of rows finds out beside the rows. It can be read after the end.
final class RowFindings {
  /// The column that no record matched, with its values nearest to the one asked for.
  var unmatched: (column: String, nearest: [String])?
  /// What single elements of lists left out.
  var unread: [UnreadElements] = []

  /// Adds what another reading left out.
  func add(_ others: [UnreadElements]) {
    for other in others {
      if let index = unread.firstIndex(where: { $0.path == other.path }) {
        unread[index].elements += other.elements
        unread[index].lists += other.lists
      } else {
        unread.append(other)
      }
    }
  }
}

/// The user's options for the rows.
struct NormalizerOptions {
  var conditions: [Condition] = []
  /// The conditions of the one place that is wanted; empty for all.
  var place: [Condition] = []
  /// Sees the records that do not match, until one does. Without conditions it sees all, and none
  /// is handed on.
  var observer: (any LeftOutObserver)?
  /// The days that a row must overlap, both inclusive.
  var from: Day?
  var to: Day?
  var limit = RejectLimit.standard
  var rejects: (any RejectReceiver)?
  /// Is told the findings; nil if nobody wants them.
  var findings: RowFindings?
  /// Whether a ledger tracks every row, whatever the filter: the rows of filtered records come as
  /// left out, and rejected records come too.
  var tracksAllRows = false
  /// The totals of the feed's shares; nil if it has none, or if they are not needed.
  var shares: ShareTotals?
  /// The fields of the document that may come after its rows; nil if the input cannot be read
  /// again.
  var late: LateFields?
  /// The time zones of the feed.
  var zones = Zones()
  /// The counters of the encoders, if they are others than the normalizer's.
  var eventCounters: Counters?
  /// Whether the rows are read for a second time: rejected records were reported by the first.
  var isAgain = false
  /// Whether the rows are those of some sections of a list, and the others are read elsewhere.
  var isSection = false

  /// The same options for a second reading. Its rejects were counted by the first.
  var again: NormalizerOptions {
    var options = self
    options.limit = .unlimited
    options.isAgain = true
    return options
  }
}
