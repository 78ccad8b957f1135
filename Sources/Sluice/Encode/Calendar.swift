/// Writes rows as one iCalendar file (RFC 5545, RFC 7986), one event per row.
///
/// The UID of an event consists of its address, the year of its start and a number. The number
/// counts the address's events of that year in order of arrival, including those outside the days
/// asked for. So a moved period keeps its UID. The same address with the same days is written once.
///
/// If two addresses have the same number, the later one has no events: they would have the UIDs of the
/// first.
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
  /// The revision of all events. It is made at the first event, when the content's time is known.
  private var revision: EventRevision?
  /// The further events of a row; empty if it has one at most.
  private let more: [FurtherEvent]

  /// Writes the calendar's own properties. `event` is the table's; the table has a key.
  init(
    _ table: Table, of feed: Feed, _ event: Event, options: CalendarOptions,
    into output: consuming Output, counters: Counters
  ) throws(PipelineError) {
    let more = try FurtherEvent.all(table, of: feed, options)
    var calendar = try CalendarWriter(
      table.moreEvents.isEmpty ? table : table.eventViews[0], of: feed, event, options: options,
      into: output, counters: counters)
    try calendar.begin(options.name ?? event.calendarName[options.language])
    self.calendar = calendar
    self.options = options
    self.counters = counters
    self.more = more
    ids = EventIdentities(table.moreEvents.isEmpty ? table : table.eventViews[0])
  }

  var checksKeys: Bool { true }
  var takesEvents: Bool { true }
  static var looksAhead: Bool { true }

  mutating func expect(_ record: borrowing Record) { ids.expect(record) }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    if case .rejected = fate { return }
    // A row without days is not an event.
    guard record.hasDays, record.isEvent else { return }
    guard ids.areOf(record) else {
      if case .wanted = fate { counters.sameNumberRows.increase() }
      return
    }
    if record.eventNumber > 1 { return try take(record, fate, more[record.eventNumber - 2]) }
    // An event that is left out is numbered too.
    guard let identity = ids.identify(record), case .wanted = fate else { return }
    let revision = self.revision ?? makeRevision()
    try calendar.write(record, as: identity, revision)
  }

  /// Takes a further event of a row.
  private mutating func take(
    _ record: borrowing Record, _ fate: RowFate, _ event: FurtherEvent
  ) throws(PipelineError) {
    guard let identity = event.identify(record), case .wanted = fate else { return }
    let revision = self.revision ?? makeRevision()
    try calendar.append(event: event.text(of: record, as: identity, revision))
  }

  mutating func handOn() throws(PipelineError) { try calendar.handOn() }

  consuming func finish() throws(PipelineError) { try calendar.finish() }

  private mutating func makeRevision() -> EventRevision {
    let revision = EventRevision(stamp: options.stamp ?? options.date.seconds ?? 0)
    self.revision = revision
    return revision
  }
}

/// A further event of a row: its texts, and the numbers of its events.
private final class FurtherEvent {
  private let box = ByteKeeper.Box()
  private var writer: CalendarWriter<ByteKeeper>
  private var ids: EventIdentities
  private let number: Int

  /// Prepares all further events of a table's rows.
  static func all(
    _ table: Table, of feed: Feed, _ options: CalendarOptions
  ) throws(PipelineError) -> [FurtherEvent] {
    guard !table.moreEvents.isEmpty else { return [] }
    var all: [FurtherEvent] = []
    for (view, event) in zip(table.eventViews.dropFirst(), table.moreEvents) {
      all.append(try FurtherEvent(view, of: feed, event, number: all.count + 2, options: options))
    }
    return all
  }

  /// Prepares the event with this number, from 2. `view` is the table with this event alone.
  init(
    _ view: Table, of feed: Feed, _ event: Event, number: Int, options: CalendarOptions
  ) throws(PipelineError) {
    writer = try CalendarWriter(
      view, of: feed, event, options: options, into: ByteKeeper(box), counters: Counters())
    ids = EventIdentities(view)
    self.number = number
  }

  /// Returns the identity of a row's event; nil if the same key had the same time before.
  func identify(_ record: borrowing Record) -> EventIdentity? {
    var identity = ids.identify(record)
    identity?.event = number
    return identity
  }

  /// Returns the lines of a row's event.
  func text(
    of record: borrowing Record, as identity: EventIdentity, _ revision: EventRevision
  ) throws(PipelineError) -> [UInt8] {
    box.bytes = []
    try writer.write(record, as: identity, revision)
    try writer.flush()
    return box.bytes
  }
}

/// Writes iCalendar files (RFC 5545, RFC 7986), one event at a time.
///
/// It knows the text of an event. The caller decides the number, time stamp and status. Each calendar
/// is begun, gets its events, and is ended, or finished together with the sink.
struct CalendarWriter<Output: ByteStage & ~Copyable>: ~Copyable {
  private var lines: ContentLine<Output>
  private let options: CalendarOptions
  private let counters: Counters
  /// The calendar's own properties, before and after its name.
  private var firstLines = ByteBuffer(capacity: 256)
  private var ownLines = ByteBuffer(capacity: 256)
  private let idColumn: Int
  private var uidDomain = ByteBuffer(capacity: 64)
  private let summary: TemplateText
  /// The text of a reminder: the event's title.
  private let reminder: TemplateText
  private let location: TemplateText
  private let description: TemplateText
  /// Whether the events have these lines.
  private let hasLocation: Bool
  private let hasDescription: Bool
  private let time: EventTime
  /// The texts of an event beside the columns; nil if there are none.
  private let texts: EventTexts?
  /// What else is said about an event; nil if there is nothing.
  private let details: EventDetailLines?
  /// The zones of the times; nil if they are in UTC.
  private let local: LocalTimes?
  /// Whether the lines of an event depend on more than its revision and its days.
  private let isVaried: Bool
  /// DTSTAMP, LAST-MODIFIED, SEQUENCE and STATUS of the last event. They depend on the revision
  /// alone.
  private var stamps = ByteBuffer(capacity: 128)
  /// The lines between UID and title of the last event, and the lines at its end. They depend on
  /// the revision and the event's days alone.
  private var linesBefore = ByteBuffer(capacity: 256)
  private var linesBehind = ByteBuffer(capacity: 256)
  /// The text of the last event's days for people.
  private var dayText = ByteBuffer(capacity: 128)
  private var writtenRevision: EventRevision?
  private var writtenDays: (first: Day, last: Day)?
  /// The lines at the end of every event.
  private var lastLines = ByteBuffer(capacity: 256)
  private var events = 0
  /// Whether its events go into several files.
  private var isSplit = false

  /// Makes a writer. `event` is the table's; the table has a key.
  init(
    _ table: Table, of feed: Feed, _ event: Event, options: CalendarOptions,
    into output: consuming Output, counters: Counters
  ) throws(PipelineError) {
    lines = ContentLine(into: output)
    self.options = options
    self.counters = counters
    let columns = table.columns
    idColumn = table.keyNumberIndex ?? 0
    // Local: the compiler (6.3) destroys what is not there yet if `||` sees a part of the struct.
    let (time, texts) = (table.eventTime, table.eventTexts)
    (self.time, self.texts) = (time, texts)
    let details = EventDetailLines(event, columns: columns, options.language)
    self.details = details
    local = LocalTimes(table, of: feed, event)
    isVaried = time != .days || texts?.rule != nil || details?.hasStatus == true
    uidDomain.append(string: EventIdentity.domain(of: feed, table))
    let language = options.language
    let title = (options.isOfOnePlace ? event.ownSummary : nil) ?? event.summary
    summary = TemplateText("SUMMARY:", title[language], columns: columns)
    reminder = TemplateText("DESCRIPTION:", title[language], columns: columns)
    (hasLocation, hasDescription) = (event.location != nil, event.description != nil)
    location = TemplateText("LOCATION:", event.location?[language] ?? .none, columns: columns)
    description = TemplateText(
      "DESCRIPTION:", event.description?[language] ?? .none, columns: columns)
    try Self.write(to: &firstLines) { (lines) throws(PipelineError) in
      try lines.line("BEGIN:VCALENDAR")
      try lines.line("VERSION:2.0")
      try lines.line("PRODID:-//sluice//\(feed.name)//\(language.rawValue.uppercased())")
      try lines.line("CALSCALE:GREGORIAN")
    }
    try Self.write(to: &ownLines) { (lines) throws(PipelineError) in
      if let color = event.color { try lines.line("COLOR:\(color)") }
      if let url = feed.publicURL { try lines.line("SOURCE;VALUE=URI:\(url)") }
      try lines.line("REFRESH-INTERVAL;VALUE=DURATION:\(event.refresh)")
      try lines.line("X-PUBLISHED-TTL:\(event.refresh)")
    }
    try Self.write(to: &lastLines) { (lines) throws(PipelineError) in
      if details == nil, let category = event.category?[language] {
        try lines.line("CATEGORIES:", text: category)
      }
      try lines.line("TRANSP:TRANSPARENT")
      try lines.line("X-MICROSOFT-CDO-BUSYSTATUS:FREE")
    }
  }

  /// Appends whole lines to a buffer.
  private static func write(
    to buffer: inout ByteBuffer,
    _ body: (inout ContentLine<ByteKeeper>) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    let box = ByteKeeper.Box()
    var lines = ContentLine(into: ByteKeeper(box))
    try body(&lines)
    try lines.finish()
    buffer.append(box.bytes.span.bytes)
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
    guard let zones = atBegin ? try local?.linesAtBegin() : local?.takeLines() else { return }
    for line in zones { try lines.line(line) }
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

  /// Ends a calendar and passes on all of its bytes. Another may be begun; they count as one. Throws
  /// if the output fails.
  mutating func end() throws(PipelineError) {
    try writeZones(atBegin: false)
    try lines.line("END:VCALENDAR")
    count()
    try lines.out.handOn()
  }

  /// Writes the event of a row. Throws if the output fails.
  mutating func write(
    _ record: borrowing Record, as identity: EventIdentity, _ revision: EventRevision
  ) throws(PipelineError) {
    if writtenRevision != revision || writtenDays?.first != record.firstDay
      || writtenDays?.last != record.lastDay || isVaried
    {
      try makeLines(revision, record)
      if let local, local.hasPending, !local.isSplit { try writeZones(atBegin: false) }
    }
    let days = dayText.contents
    lines.appendLines("BEGIN:VEVENT\r\n")
    let start = lines.out.bytes.count
    lines.out.bytes.append("UID:")
    identity.appendNumbers(address: record.text(idColumn), to: &lines.out.bytes)
    lines.out.bytes.append(uidDomain.contents)
    try lines.end(from: start)
    lines.appendLines(linesBefore.contents)
    try summary.write(record, days: days, to: &lines)
    // A property without a value is omitted (libical would drop it, and complain).
    if hasLocation, location.says(record, days: days) {
      try location.write(record, days: days, to: &lines)
    }
    if hasDescription, description.hasColumns, description.says(record, days: days) {
      try description.write(record, days: days, to: &lines)
    }
    if let details { try details.write(record, days: days, to: &lines) }
    lines.appendLines(linesBehind.contents)
    // A cancelled event needs no reminder.
    if !revision.isCancelled, details?.status(of: record) != .cancelled {
      for alarm in options.alarms { try writeAlarm(alarm, record) }
    }
    lines.appendLines("END:VEVENT\r\n")
    try lines.out.flushIfFull()
    events += 1
  }

  /// Writes an event that another writer has made. Throws if the output fails.
  mutating func append(event text: [UInt8]) throws(PipelineError) {
    text.withUnsafeBytes { lines.appendLines($0) }
    try lines.out.flushIfFull()
    events += 1
  }

  /// Hands on all bytes so far.
  fileprivate mutating func flush() throws(PipelineError) { try lines.out.handOn() }

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
    local?.isSplit = true
    try lines.out.handOn()
  }

  private mutating func writeAlarm(_ before: String, _ record: borrowing Record)
    throws(PipelineError)
  {
    try lines.line("BEGIN:VALARM")
    try lines.line("ACTION:DISPLAY")
    try reminder.write(record, days: dayText.contents, to: &lines)
    try lines.line("TRIGGER:-\(before)")
    try lines.line("END:VALARM")
  }

  /// Makes the lines for a revision and the days of a row. None of the lines before the title is
  /// long enough to be folded.
  private mutating func makeLines(_ revision: EventRevision, _ record: borrowing Record)
    throws(PipelineError)
  {
    if writtenRevision != revision { makeStamps(revision) }
    writtenRevision = revision
    writtenDays = (record.firstDay, record.lastDay)
    linesBefore.removeAll()
    dayText.removeAll()
    linesBefore.append(stamps.contents)
    if let details, details.hasStatus {
      let status = revision.isCancelled ? .cancelled : details.status(of: record)
      linesBefore.append(string: "STATUS:\(status.rawValue)\r\n")
    }
    let rule = texts?.rule(of: record)
    switch time {
    case .instants(let start, let end) where record.text(start).count > 0:
      appendInstants(record, start, end, isRepeated: rule != nil)
    default: appendDays(record.firstDay, rule?.last ?? record.lastDay)
    }
    if let rule { try append(rule, record) }
    linesBehind.removeAll()
    if hasDescription, !description.hasColumns {
      let box = ByteKeeper.Box()
      var line = ContentLine(into: ByteKeeper(box))
      try description.write(record, days: dayText.contents, to: &line)
      try line.finish()
      linesBehind.append(box.bytes.span.bytes)
    }
    linesBehind.append(lastLines.contents)
  }

  private mutating func makeStamps(_ revision: EventRevision) {
    let stamp = CalendarTime.utc(revision.stamp)
    stamps.removeAll()
    stamps.append(
      string: "DTSTAMP:\(stamp)\r\nLAST-MODIFIED:\(stamp)\r\nSEQUENCE:\(revision.sequence)\r\n")
    guard details?.hasStatus != true else { return }
    stamps.append(
      string: "STATUS:\(revision.isCancelled ? "CANCELLED" : "CONFIRMED")\r\n")
  }

  /// Appends DTSTART and DTEND, which is the day after the last, and the text of the days for
  /// people.
  private mutating func appendDays(_ first: Day, _ last: Day) {
    linesBefore.append("DTSTART;VALUE=DATE:")
    first.append(to: &linesBefore, isBasic: true)
    linesBefore.append("\r\n")
    // A DATE has a year of four digits (RFC 5545, section 3.3.4), so the last day of 9999 is the
    // limit. DTEND must be later than DTSTART; without it an event lasts one day (section 3.6.1).
    let end = Day(number: min(last.number + 1, CalendarTime.lastDay.number))
    if end > first {
      linesBefore.append("DTEND;VALUE=DATE:")
      end.append(to: &linesBefore, isBasic: true)
      linesBefore.append("\r\n")
    }
    dayText.append(string: CalendarTime.text(first, options.language))
    if first != last {
      dayText.append(" - ")
      dayText.append(string: CalendarTime.text(last, options.language))
    }
  }

  /// Appends DTSTART and DTEND of points in time, and their text for people, by the clock of the
  /// feed.
  private mutating func appendInstants(
    _ record: borrowing Record, _ start: Int, _ end: Int?, isRepeated: Bool
  ) {
    let times = EventInstants(record, start: start, end: end)
    if local == nil {
      times.appendLines(to: &linesBefore)
    } else {
      local?.appendLines(times, record, isRepeated: isRepeated, to: &linesBefore)
    }
    appendClock(isRepeated ? nil : record.firstDay, record.text(start))
    guard let end, times.end != nil else { return }
    dayText.append(" - ")
    let isOneDay = record.lastDay == record.firstDay || isRepeated
    appendClock(isOneDay ? nil : record.lastDay, record.text(end))
  }

  /// Appends the rule of an event that comes again, and its exceptions.
  private mutating func append(
    _ rule: EventTexts.Rule, _ record: borrowing Record
  ) throws(PipelineError) {
    let isOfDays = rule.isOfDays
    // The day of such an event is in its rule.
    if isOfDays { dayText.removeAll() }
    try Self.write(to: &linesBefore) { (lines) throws(PipelineError) in
      try lines.line("RRULE:\(rule.text)")
      guard isOfDays else { return }
      for day in rule.except { try lines.line("EXDATE;VALUE=DATE:\(day)") }
    }
    if !isOfDays { local?.appendExceptions(rule.except, record, to: &linesBefore) }
  }

  /// Appends the day, unless it is nil, and the hours and minutes of a point in time.
  private mutating func appendClock(_ day: Day?, _ instant: UnsafeRawBufferPointer) {
    if let day {
      dayText.append(string: CalendarTime.text(day, options.language))
      dayText.append(", ")
    }
    dayText.append(UnsafeRawBufferPointer(rebasing: instant[11..<16]))
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
}
