/// Writes one iCalendar file (RFC 5545, RFC 7986), an event at a time.
///
/// It knows how an event reads; which number, time stamp and status an event has, its driver says.
struct CalendarWriter<Output: ByteStage & ~Copyable>: ~Copyable {
  private var lines: ContentLine<Output>
  private let options: CalendarOptions
  private let tally: Tally
  private let idColumn: Int
  private var uidDomain = ByteBuffer(capacity: 64)
  private let summary: TemplateText
  /// What a reminder says: the title.
  private let reminder: TemplateText
  private let location: TemplateText
  private let description: TemplateText
  /// The events have these lines.
  private let hasLocation: Bool
  private let hasDescription: Bool
  private let time: EventTime
  /// DTSTAMP, LAST-MODIFIED, SEQUENCE and STATUS of the last event: they depend on the revision alone.
  private var stamps = ByteBuffer(capacity: 128)
  /// What stands between UID and title, and what ends the last event: it depends on the revision
  /// and on its days alone.
  private var linesBefore = ByteBuffer(capacity: 256)
  private var linesBehind = ByteBuffer(capacity: 256)
  /// The days of the last event as people write them, with room behind them for whole vectors.
  private var dayText = ByteBuffer(capacity: 128)
  private var writtenRevision: EventRevision?
  private var writtenDays: (first: Day, last: Day)?
  /// The lines that all events end with.
  private var lastLines = ByteBuffer(capacity: 256)
  private var events = 0

  /// Writes the calendar's own properties. `event` and `address` are the feed's.
  init(
    _ feed: Feed, _ event: Event, options: CalendarOptions, into output: consuming Output,
    tally: Tally
  ) throws(PipelineError) {
    lines = ContentLine(into: output)
    self.options = options
    self.tally = tally
    let columns = feed.columns
    idColumn = feed.addressIndex ?? 0
    time = feed.eventTime
    uidDomain.append(string: EventIdentity.domain(of: feed))
    let language = options.language
    summary = TemplateText("SUMMARY:", event.summary[language], columns: columns)
    reminder = TemplateText("DESCRIPTION:", event.summary[language], columns: columns)
    (hasLocation, hasDescription) = (event.location != nil, event.description != nil)
    location = TemplateText("LOCATION:", event.location?[language] ?? .none, columns: columns)
    description = TemplateText(
      "DESCRIPTION:", event.description?[language] ?? .none, columns: columns)
    let name = options.name ?? event.calendarName[language]
    try lines.line("BEGIN:VCALENDAR")
    try lines.line("VERSION:2.0")
    try lines.line("PRODID:-//sluice//\(feed.name)//\(language.rawValue.uppercased())")
    try lines.line("CALSCALE:GREGORIAN")
    try lines.line("NAME:", text: name)
    try lines.line("X-WR-CALNAME:", text: name)
    if let color = event.color { try lines.line("COLOR:\(color)") }
    if let url = feed.url { try lines.line("SOURCE;VALUE=URI:\(url)") }
    try lines.line("REFRESH-INTERVAL;VALUE=DURATION:\(event.refresh)")
    try lines.line("X-PUBLISHED-TTL:\(event.refresh)")
    let box = ByteKeeper.Box()
    var last = ContentLine(into: ByteKeeper(box))
    if let category = event.category?[language] { try last.line("CATEGORIES:", text: category) }
    try last.line("TRANSP:TRANSPARENT")
    try last.line("X-MICROSOFT-CDO-BUSYSTATUS:FREE")
    try last.finish()
    lastLines.append(box.bytes.span.bytes)
  }

  /// Writes the event of a row.
  mutating func write(
    _ record: borrowing Record, as identity: EventIdentity, _ revision: EventRevision
  ) throws(PipelineError) {
    if writtenRevision != revision || writtenDays?.first != record.firstDay
      || writtenDays?.last != record.lastDay || time != .days
    {
      try makeLines(revision, record)
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
    // A property without a value is none (libical drops it, and complains).
    if hasLocation, location.says(record, days: days) {
      try location.write(record, days: days, to: &lines)
    }
    if hasDescription, description.hasColumns, description.says(record, days: days) {
      try description.write(record, days: days, to: &lines)
    }
    lines.appendLines(linesBehind.contents)
    // Nobody is to be reminded of what does not take place.
    if !revision.isCancelled {
      for alarm in options.alarms { try writeAlarm(alarm, record) }
    }
    lines.appendLines("END:VEVENT\r\n")
    try lines.out.flushIfFull()
    events += 1
  }

  /// Writes what ends the calendar and finishes the sink.
  consuming func finish() throws(PipelineError) {
    try lines.line("END:VCALENDAR")
    // Of several calendars the largest counts.
    tally.events.set(max(tally.events.value, events))
    tally.calendarBytes.set(max(tally.calendarBytes.value, lines.out.count))
    try lines.finish()
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

  /// Makes the lines for a revision and the days of a row: of those before, none is long enough to
  /// be folded.
  private mutating func makeLines(_ revision: EventRevision, _ record: borrowing Record)
    throws(PipelineError)
  {
    if writtenRevision != revision { makeStamps(revision) }
    writtenRevision = revision
    writtenDays = (record.firstDay, record.lastDay)
    linesBefore.removeAll()
    dayText.removeAll()
    linesBefore.append(stamps.contents)
    switch time {
    case .days: appendDays(record.firstDay, record.lastDay)
    case .instants(let start, let end): appendInstants(record, start, end)
    }
    dayText.reserve(32)
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
      string: "DTSTAMP:\(stamp)\r\nLAST-MODIFIED:\(stamp)\r\nSEQUENCE:\(revision.sequence)\r\n"
        + "STATUS:\(revision.isCancelled ? "CANCELLED" : "CONFIRMED")\r\n")
  }

  /// DTSTART and DTEND, which is the day behind the last, and the days as people write them.
  private mutating func appendDays(_ first: Day, _ last: Day) {
    linesBefore.append("DTSTART;VALUE=DATE:")
    first.append(to: &linesBefore, separator: "")
    linesBefore.append("\r\n")
    // A DATE has four digits for its year (RFC 5545, section 3.3.4): the last day of 9999 is the end.
    // DTEND must be later than DTSTART; without it an event lasts one day (section 3.6.1).
    let end = Day(number: min(last.number + 1, CalendarTime.lastDay.number))
    if end > first {
      linesBefore.append("DTEND;VALUE=DATE:")
      end.append(to: &linesBefore, separator: "")
      linesBefore.append("\r\n")
    }
    dayText.append(string: CalendarTime.text(first, options.language))
    if first != last {
      dayText.append(" - ")
      dayText.append(string: CalendarTime.text(last, options.language))
    }
  }

  /// DTSTART and DTEND of points in time, and these as people write them, by the clock of the feed.
  private mutating func appendInstants(_ record: borrowing Record, _ start: Int, _ end: Int?) {
    let times = EventInstants(record, start: start, end: end)
    times.appendLines(to: &linesBefore)
    appendClock(record.firstDay, record.text(start))
    guard let end, times.end != nil else { return }
    dayText.append(" - ")
    appendClock(record.lastDay == record.firstDay ? nil : record.lastDay, record.text(end))
  }

  /// Appends the day, where there is one, and the hours and minutes of a point in time.
  private mutating func appendClock(_ day: Day?, _ instant: UnsafeRawBufferPointer) {
    if let day {
      dayText.append(string: CalendarTime.text(day, options.language))
      dayText.append(", ")
    }
    dayText.append(UnsafeRawBufferPointer(rebasing: instant[11..<16]))
  }
}
