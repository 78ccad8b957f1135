/// Writes rows as one iCalendar file (RFC 5545, RFC 7986), an event a row.
///
/// An event's UID is made of its address, the year in which it starts and a number that counts the
/// address's events of that year in order of arrival, those outside of the days asked for too: a
/// moved period keeps its UID. The same address with the same days is written once. To know this
/// the encoder keeps at most 64 bytes per event, and for a moment, when a table grows, 20 more:
/// it is the one output whose memory grows with the feed.
///
/// The time stamps are those of the content, never of the clock.
struct CalendarEncoder<Output: ByteStage & ~Copyable>: RecordStage, ~Copyable {
  private var lines: ContentLine<Output>
  private let event: Event
  private let options: CalendarOptions
  private let tally: Tally
  private let idColumn: Int
  private let uidDomain: String
  private let summary: TemplateText
  private let location: TemplateText
  private var numbers = EventNumbers()
  private var events = 0
  /// The lines of an event that depend on the feed's time alone; made at the first event.
  private var stampLines = ByteBuffer(capacity: 256)
  /// The lines that depend on the days alone, for the days of the last event.
  private var dayLines = ByteBuffer(capacity: 256)
  private var dayText = ByteBuffer(capacity: 64)
  private var writtenDays: (first: Day, last: Day)?

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
    uidDomain = "@\(feed.name).sluice"
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
  }

  mutating func passOver(_ record: borrowing Record) { _ = number(record) }

  private mutating func number(_ record: borrowing Record) -> (year: Int, number: Int)? {
    let year = record.firstDay.parts.year
    return numbers.number(
      address: record.addressID, year: year, first: record.firstDay, last: record.lastDay
    ).map { (year, $0) }
  }

  mutating func write(_ record: borrowing Record) throws(PipelineError) {
    guard let (year, number) = number(record) else { return }
    if stampLines.count == 0 { makeStampLines() }
    if writtenDays?.first != record.firstDay || writtenDays?.last != record.lastDay {
      makeDayLines(record.firstDay, record.lastDay)
    }
    lines.append("BEGIN:VEVENT")
    try lines.end()
    lines.append("UID:")
    lines.append(record.text(idColumn))
    appendDecimal(separator: "-", year)
    appendDecimal(separator: "-", number)
    try lines.line(uidDomain)
    lines.out.bytes.append(stampLines.contents)
    lines.out.bytes.append(dayLines.contents)
    lines.append("SUMMARY:")
    try summary.append(record, to: &lines)
    try lines.end()
    lines.append("LOCATION:")
    try location.append(record, to: &lines)
    try lines.end()
    lines.append("DESCRIPTION:")
    try lines.appendText(dayText.contents)
    try lines.end()
    try lines.line("CATEGORIES:", text: event.category[options.language])
    lines.append("TRANSP:TRANSPARENT")
    try lines.end()
    lines.append("X-MICROSOFT-CDO-BUSYSTATUS:FREE")
    try lines.end()
    for alarm in options.alarms { try writeAlarm(alarm, record) }
    lines.append("END:VEVENT")
    try lines.end()
    events += 1
  }

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

  private mutating func appendDecimal(separator: StaticString, _ value: Int) {
    lines.append(separator)
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
      var index = 20
      var rest = value
      repeat {
        index -= 1
        digits[index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      lines.append(UnsafeRawBufferPointer(rebasing: digits[index...]))
    }
  }

  /// DTSTAMP, LAST-MODIFIED, SEQUENCE and STATUS.
  private mutating func makeStampLines() {
    let known = tally.modified.value
    let seconds = options.stamp ?? (known == .min ? 0 : known)
    let stamp = CalendarTime.utc(seconds)
    stampLines.append(
      string: "DTSTAMP:\(stamp)\r\nLAST-MODIFIED:\(stamp)\r\nSEQUENCE:0\r\n"
        + "STATUS:CONFIRMED\r\n")
  }

  /// DTSTART and DTEND, which is the day behind the last, and the days as people write them.
  private mutating func makeDayLines(_ first: Day, _ last: Day) {
    writtenDays = (first, last)
    dayLines.removeAll()
    dayLines.append("DTSTART;VALUE=DATE:")
    first.append(to: &dayLines, separator: "")
    dayLines.append("\r\n")
    // A DATE has four digits for its year (RFC 5545, section 3.3.4): the last day of 9999 is the end.
    // DTEND must be later than DTSTART; without it an event lasts one day (section 3.6.1).
    let end = Day(number: min(last.number + 1, CalendarTime.lastDay.number))
    if end > first {
      dayLines.append("DTEND;VALUE=DATE:")
      end.append(to: &dayLines, separator: "")
      dayLines.append("\r\n")
    }
    dayText.removeAll()
    dayText.append(string: CalendarTime.text(first, options.language))
    if first != last {
      dayText.append(" - ")
      dayText.append(string: CalendarTime.text(last, options.language))
    }
  }
}

/// What the user asks of a calendar.
struct CalendarOptions {
  var language: Language
  /// Its name; nil for the feed's own.
  var name: String?
  /// Reminders: how long before the event, as RFC 5545 durations without a sign.
  var alarms: [String] = []
  /// When the content was last changed, in seconds since 1970, where the user says so.
  var stamp: Int?
}
