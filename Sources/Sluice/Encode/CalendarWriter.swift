/// Writes one iCalendar file (RFC 5545, RFC 7986), an event at a time.
///
/// It knows how an event reads; which number, time stamp and status an event has, its driver says.
struct CalendarWriter<Output: ByteStage & ~Copyable>: ~Copyable {
  private var lines: ContentLine<Output>
  private let event: Event
  private let options: CalendarOptions
  private let tally: Tally
  private let idColumn: Int
  private var uidDomain = ByteBuffer(capacity: 64)
  private var uid = ByteBuffer(capacity: 64)
  private let summary: TemplateText
  private let location: TemplateText
  /// What stands between UID and title, and behind the place, in the last event: it depends on the
  /// revision and on the days alone.
  private var linesBefore = ByteBuffer(capacity: 256)
  private var linesBehind = ByteBuffer(capacity: 256)
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
    self.event = event
    self.options = options
    self.tally = tally
    let columns = feed.columns
    idColumn = feed.address.flatMap { columns.firstIndex(of: $0.column) } ?? 0
    uidDomain.append(string: EventIdentity.domain(of: feed))
    summary = TemplateText(event.summary, columns: columns, language: options.language)
    location = TemplateText(event.location, columns: columns, language: options.language)
    let language = options.language
    let name = options.name ?? event.calendarName[language]
    try lines.line("BEGIN:VCALENDAR")
    try lines.line("VERSION:2.0")
    try lines.line("PRODID:-//sluice//\(feed.name)//\(language.rawValue.uppercased())")
    try lines.line("CALSCALE:GREGORIAN")
    try lines.line("NAME:", text: name)
    try lines.line("X-WR-CALNAME:", text: name)
    try lines.line("COLOR:\(event.color)")
    if let url = feed.url { try lines.line("SOURCE;VALUE=URI:\(url)") }
    try lines.line("REFRESH-INTERVAL;VALUE=DURATION:\(event.refresh)")
    try lines.line("X-PUBLISHED-TTL:\(event.refresh)")
    let box = ByteKeeper.Box()
    var last = ContentLine(into: ByteKeeper(box))
    try last.line("CATEGORIES:", text: event.category[language])
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
      || writtenDays?.last != record.lastDay
    {
      makeLines(revision, record.firstDay, record.lastDay)
    }
    lines.append("BEGIN:VEVENT")
    try lines.end()
    lines.append("UID:")
    uid.removeAll()
    identity.appendNumbers(address: record.text(idColumn), to: &uid)
    uid.append(uidDomain.contents)
    lines.append(uid.contents)
    try lines.end()
    lines.appendLines(linesBefore.contents, column: 0)
    lines.append("SUMMARY:")
    try summary.append(record, to: &lines)
    try lines.end()
    lines.append("LOCATION:")
    try location.append(record, to: &lines)
    try lines.end()
    lines.appendLines(linesBehind.contents, column: 0)
    // Nobody is to be reminded of what does not take place.
    if !revision.isCancelled {
      for alarm in options.alarms { try writeAlarm(alarm, record) }
    }
    lines.append("END:VEVENT")
    try lines.end()
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
    lines.append("DESCRIPTION:")
    try summary.append(record, to: &lines)
    try lines.end()
    try lines.line("TRIGGER:-\(before)")
    try lines.line("END:VALARM")
  }

  /// Makes the lines for a revision and days: of those before, and DESCRIPTION, none is long enough
  /// to be folded.
  private mutating func makeLines(_ revision: EventRevision, _ first: Day, _ last: Day) {
    writtenRevision = revision
    writtenDays = (first, last)
    linesBefore.removeAll()
    linesBehind.removeAll()
    appendStamps(revision)
    appendDays(first, last)
    linesBehind.append("DESCRIPTION:")
    linesBehind.append(string: CalendarTime.text(first, options.language))
    if first != last {
      linesBehind.append(" - ")
      linesBehind.append(string: CalendarTime.text(last, options.language))
    }
    linesBehind.append("\r\n")
    linesBehind.append(lastLines.contents)
  }

  /// DTSTAMP, LAST-MODIFIED, SEQUENCE and STATUS.
  private mutating func appendStamps(_ revision: EventRevision) {
    let stamp = CalendarTime.utc(revision.stamp)
    linesBefore.append(
      string: "DTSTAMP:\(stamp)\r\nLAST-MODIFIED:\(stamp)\r\nSEQUENCE:\(revision.sequence)\r\n"
        + "STATUS:\(revision.isCancelled ? "CANCELLED" : "CONFIRMED")\r\n")
  }

  /// DTSTART and DTEND, which is the day behind the last.
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
  }
}
