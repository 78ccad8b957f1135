/// Writes rows as one iCalendar file (RFC 5545, RFC 7986), one event per row.
///
/// The UID of an event consists of its address, the year of its start and a number. The number
/// counts the address's events of that year in order of arrival, including those outside the days
/// asked for. So a moved period keeps its UID. The same address with the same days is written once.
///
/// If two addresses have the same number, the later one has no events: they would have the UIDs of
/// the first.
///
/// To detect this the encoder keeps at most 90 bytes per event, and 20 more while a table grows. No
/// other output needs memory that grows with the feed.
///
/// The time stamps are those of the content, never of the clock.
struct CalendarEncoder<Output: ByteStage & ~Copyable>: RecordStage, ~Copyable {
  private var calendar: CalendarWriter<Output>
  private let options: CalendarOptions
  private let counters: Counters
  private var ids: EventIdentities
  /// The events of rows that have several; nil if a row is one event.
  private var several: EventsOfRows?
  /// The revision of all events. It is made at the first event, when the content's time is known.
  private var revision: EventRevision?

  /// Writes the calendar's own properties. `event` is the table's; the table has a key.
  init(
    _ table: Table, of feed: Feed, _ event: Event, options: CalendarOptions,
    into output: consuming Output, counters: Counters
  ) throws(PipelineError) {
    var calendar = try CalendarWriter(
      table, of: feed, event, options: options, into: output, counters: counters)
    try calendar.begin(options.name ?? event.calendarName[options.language])
    self.calendar = calendar
    self.options = options
    self.counters = counters
    ids = EventIdentities(table)
    several = EventsOfRows(table)
  }

  var checksKeys: Bool { true }
  static var looksAhead: Bool { true }

  mutating func expect(_ record: borrowing Record) { ids.expect(record) }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    if case .rejected = fate { return }
    guard record.events.isEmpty else { return try takeEvents(record, fate) }
    // A row without days is not an event.
    guard record.hasDays, record.isEvent else { return }
    guard ids.areOf(record) else {
      if case .wanted = fate { counters.sameNumberRows.increase() }
      return
    }
    // An event that is left out is numbered too.
    guard let identity = ids.identify(record), case .wanted = fate else { return }
    let revision = self.revision ?? makeRevision()
    try calendar.write(record, as: identity, revision)
  }

  /// Writes those events of a row that have days and are within the days asked for.
  private mutating func takeEvents(
    _ record: borrowing Record, _ fate: RowFate
  ) throws(PipelineError) {
    guard let several else { return }
    var isWanted = false
    if case .wanted = fate { isWanted = true }
    for index in record.events.indices where several.read(index, of: record) {
      guard several.areOfRow(index) else {
        // All of them are of one address.
        if isWanted { counters.sameNumberRows.increase() }
        return
      }
      guard let identity = several.identify(index), isWanted,
        several.row.overlaps(from: options.from, to: options.to)
      else { continue }
      let revision = self.revision ?? makeRevision()
      try calendar.write(several.row, as: identity, revision, event: index)
    }
  }

  mutating func handOn() throws(PipelineError) { try calendar.handOn() }

  consuming func finish() throws(PipelineError) { try calendar.finish() }

  private mutating func makeRevision() -> EventRevision {
    let revision = EventRevision(stamp: options.stamp ?? options.date.seconds ?? 0)
    self.revision = revision
    return revision
  }
}

/// Writes iCalendar files (RFC 5545, RFC 7986), one event at a time.
///
/// The caller decides the number, time stamp and status of an event; an ``EventForm`` writes it.
/// Each calendar is begun, gets its events, and is ended, or finished together with the sink.
struct CalendarWriter<Output: ByteStage & ~Copyable>: ~Copyable {
  private var lines: ContentLine<Output>
  private let counters: Counters
  /// The calendar's own properties, before and after its name.
  private let firstLines: ByteBuffer
  private let ownLines: ByteBuffer
  /// The first event of a row, and the others if a row has several.
  private var form: EventForm
  private let otherForms: [Box<EventForm>]
  private let zones: CalendarZones
  private var events = 0
  /// Whether its events go into several files.
  private var isSplit = false

  /// Makes a writer. `event` is the table's; the table has a key.
  init(
    _ table: Table, of feed: Feed, _ event: Event, options: CalendarOptions,
    into output: consuming Output, counters: Counters
  ) throws(PipelineError) {
    // First what may fail: a noncopyable struct is initialized as a whole or not at all.
    let language = options.language
    let zones = CalendarZones()
    let tables = table.ofEachEvent
    let name = event.calendarName[language]
    let form = try EventForm(
      tables.first ?? table, of: feed, event, inCalendar: name, options, zones)
    var others: [Box<EventForm>] = []
    for table in tables.dropFirst() {
      guard let event = table.event else { continue }
      others.append(
        Box(try EventForm(table, of: feed, event, inCalendar: name, options, zones)))
    }
    var firstLines = ByteBuffer(capacity: 256)
    var ownLines = ByteBuffer(capacity: 256)
    try ByteBuffer.write(to: &firstLines) { (lines) throws(PipelineError) in
      try lines.line("BEGIN:VCALENDAR")
      try lines.line("VERSION:2.0")
      try lines.line("PRODID:-//sluice//\(feed.name)//\(language.rawValue.uppercased())")
      try lines.line("CALSCALE:GREGORIAN")
    }
    try ByteBuffer.write(to: &ownLines) { (lines) throws(PipelineError) in
      if let color = event.color { try lines.line("COLOR:\(color)") }
      if let url = feed.publicURL { try lines.line("SOURCE;VALUE=URI:\(url)") }
      try lines.line("REFRESH-INTERVAL;VALUE=DURATION:\(event.refresh)")
      try lines.line("X-PUBLISHED-TTL:\(event.refresh)")
    }
    self.firstLines = firstLines
    self.ownLines = ownLines
    self.form = form
    otherForms = others
    self.zones = zones
    self.counters = counters
    lines = ContentLine(into: output)
  }

  /// Begins a calendar. Throws if the output fails.
  mutating func begin(_ name: String) throws(PipelineError) {
    lines.appendLines(firstLines.contents)
    try lines.line("NAME:", text: name)
    try lines.line("X-WR-CALNAME:", text: name)
    lines.appendLines(ownLines.contents)
    try writeZones(atBegin: true)
  }

  /// Writes the zones that are known when a calendar begins, or those that events need since then.
  private mutating func writeZones(atBegin: Bool) throws(PipelineError) {
    for line in atBegin ? try zones.linesAtBegin() : zones.takeLines() { try lines.line(line) }
  }

  /// Begins a calendar that has the name of a row. Throws if the output fails.
  mutating func begin(
    _ name: borrowing CalendarName, of record: borrowing Record
  ) throws(PipelineError) {
    isSplit = true
    lines.appendLines(firstLines.contents)
    let days = UnsafeRawBufferPointer(start: nil, count: 0)
    try name.name.write(record, days: days, to: &lines)
    try name.shown.write(record, days: days, to: &lines)
    lines.appendLines(ownLines.contents)
    try writeZones(atBegin: true)
  }

  /// Ends a calendar and passes on all of its bytes. Another may be begun; they count as one.
  /// Throws if the output fails.
  mutating func end() throws(PipelineError) {
    try writeZones(atBegin: false)
    try lines.line("END:VCALENDAR")
    count()
    try lines.out.handOn()
  }

  /// Writes an event of a row; `index` says which, if it has several. Throws if the output fails.
  mutating func write(
    _ record: borrowing Record, as identity: EventIdentity, _ revision: EventRevision,
    event index: Int = 0
  ) throws(PipelineError) {
    if index == 0 {
      try form.write(record, as: identity, revision, to: &lines)
    } else {
      try otherForms[index - 1].value.pointee.write(record, as: identity, revision, to: &lines)
    }
    try lines.out.flushIfFull()
    events += 1
  }

  /// Writes the end of the calendar and finishes the sink. Throws if the output fails.
  consuming func finish() throws(PipelineError) {
    try writeZones(atBegin: false)
    try lines.line("END:VCALENDAR")
    count()
    try lines.finish()
  }

  /// Counts the calendar, or all so far if there are many.
  private func count() {
    let bytes = lines.out.count
    // With several calendars the largest count is kept.
    counters.events.set(max(counters.events.value, events))
    counters.calendarBytes.set(max(counters.calendarBytes.value, bytes))
    if !isSplit { counters.noteCalendar(events: events, bytes: bytes) }
  }

  /// Hands on all bytes so far, so that the events go into several files.
  mutating func handOn() throws(PipelineError) {
    isSplit = true
    zones.isSplit = true
    try lines.out.handOn()
  }
}

/// The user's options for a calendar.
struct CalendarOptions {
  var language: Language
  /// The calendar's name; nil for the feed's own.
  var name: String?
  /// Reminders, each as the time before the event: RFC 5545 durations without a sign.
  var alarms: [String] = []
  /// The time stamp that the user sets, in seconds since 1970; nil if there is none.
  var stamp: Int?
  /// When the content last changed. It is known before the first row.
  var date = ContentDate()
  /// Whether the calendar is that of one place, so that its titles need no address.
  var isOfOnePlace = false
  /// The days asked for, both inclusive: a row that is wanted may have other events too.
  var from: Day?
  var to: Day?
}

/// The events of a table whose rows have several: each is identified as if the table had it alone.
final class EventsOfRows {
  private var identities: [Box<EventIdentities>] = []
  /// The row with the days of one of its events. Its texts are those of the row, as long as that is
  /// there.
  private(set) var row: Record

  /// Nil if a row is one event at most.
  init?(_ table: Table) {
    guard table.events.count > 1 else { return nil }
    identities = table.ofEachEvent.map { Box(EventIdentities($0)) }
    row = Record(columns: table.width)
  }

  /// Makes the row that of one event. Returns whether there is such an event.
  func read(_ index: Int, of record: borrowing Record) -> Bool {
    let event = record.events[index]
    guard event.isEvent else { return false }
    for column in record.texts.indices {
      let text = record.text(column)
      row.texts[column] = Record.Text(base: text.baseAddress, count: text.count)
    }
    row.setDays(event.first, event.last)
    (row.keyNumber, row.keyCheck) = (record.keyNumber, record.keyCheck)
    return true
  }

  /// Returns whether the number of the row's address is its own.
  func areOfRow(_ index: Int) -> Bool { identities[index].value.pointee.areOf(row) }

  /// Returns the identity of the row's event; nil if the same address had the same time before.
  func identify(_ index: Int) -> EventIdentity? {
    identities[index].value.pointee.identify(row)
  }
}
