/// Writes the events of one kind: it knows their texts and their times.
struct EventForm: ~Copyable {
  private let options: CalendarOptions
  private let idColumn: Int
  private var uidDomain = ByteBuffer(capacity: 64)
  private let summary: TemplateText
  /// The title of an event whose own is empty.
  private let calendarName: String
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
  private let zones: CalendarZones
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

  /// Prepares the event of a table, which has a key and this event alone. `calendar` is the name of
  /// the calendar in the document.
  init(
    _ table: Table, of feed: Feed, _ event: Event, inCalendar calendar: String,
    _ options: CalendarOptions, _ zones: CalendarZones
  ) throws(PipelineError) {
    self.options = options
    self.zones = zones
    let columns = table.columns
    idColumn = table.keyNumberIndex ?? 0
    // Local: the compiler (6.3) destroys what is not there yet if `||` sees a part of the struct.
    let (time, texts) = (table.eventTime, table.eventTexts)
    (self.time, self.texts) = (time, texts)
    let details = EventDetailLines(event, columns: columns, options.language)
    self.details = details
    local = LocalTimes(table, of: feed, event, zones)
    isVaried = time != .days || texts?.rule != nil || details?.hasStatus == true
    uidDomain.append(string: EventIdentity.domain(of: feed, table))
    let language = options.language
    let title = (options.isOfOnePlace ? event.ownSummary : nil) ?? event.summary
    summary = TemplateText("SUMMARY:", title[language], columns: columns)
    calendarName = options.name ?? calendar
    reminder = TemplateText("DESCRIPTION:", title[language], columns: columns)
    (hasLocation, hasDescription) = (event.location != nil, event.description != nil)
    location = TemplateText("LOCATION:", event.location?[language] ?? .none, columns: columns)
    description = TemplateText(
      "DESCRIPTION:", event.description?[language] ?? .none, columns: columns)
    try ByteBuffer.write(to: &lastLines) { (lines) throws(PipelineError) in
      if details == nil, let category = event.category?[language] {
        try lines.line("CATEGORIES:", text: category)
      }
      try lines.line("TRANSP:TRANSPARENT")
      try lines.line("X-MICROSOFT-CDO-BUSYSTATUS:FREE")
    }
  }

  /// Writes the event of a row. Throws if the output fails.
  mutating func write<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, as identity: EventIdentity, _ revision: EventRevision,
    to lines: inout ContentLine<Output>
  ) throws(PipelineError) {
    if writtenRevision != revision || writtenDays?.first != record.firstDay
      || writtenDays?.last != record.lastDay || isVaried
    {
      try makeLines(revision, record)
      if local != nil, zones.hasPending, !zones.isSplit {
        for line in zones.takeLines() { try lines.line(line) }
      }
    }
    let days = dayText.contents
    lines.appendLines("BEGIN:VEVENT\r\n")
    let start = lines.out.bytes.count
    lines.out.bytes.append("UID:")
    identity.appendNumbers(address: record.text(idColumn), to: &lines.out.bytes)
    lines.out.bytes.append(uidDomain.contents)
    try lines.end(from: start)
    lines.appendLines(linesBefore.contents)
    if summary.says(record, days: days) {
      try summary.write(record, days: days, to: &lines)
    } else {
      try lines.line("SUMMARY:", text: calendarName)
    }
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
      for alarm in options.alarms { try writeAlarm(alarm, record, to: &lines) }
    }
    lines.appendLines("END:VEVENT\r\n")
  }

  private func writeAlarm<Output: ByteStage & ~Copyable>(
    _ before: String, _ record: borrowing Record, to lines: inout ContentLine<Output>
  ) throws(PipelineError) {
    try lines.line("BEGIN:VALARM")
    try lines.line("ACTION:DISPLAY")
    if reminder.says(record, days: dayText.contents) {
      try reminder.write(record, days: dayText.contents, to: &lines)
    } else {
      try lines.line("DESCRIPTION:", text: calendarName)
    }
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
    try ByteBuffer.write(to: &linesBefore) { (lines) throws(PipelineError) in
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

extension ByteBuffer {
  /// Appends whole lines to a buffer.
  static func write(
    to buffer: inout ByteBuffer,
    _ body: (inout ContentLine<ByteKeeper>) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    let box = ByteKeeper.Box()
    var lines = ContentLine(into: ByteKeeper(box))
    try body(&lines)
    try lines.finish()
    buffer.append(box.bytes.span.bytes)
  }
}
