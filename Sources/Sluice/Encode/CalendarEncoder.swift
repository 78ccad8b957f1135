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
  private var calendar: CalendarWriter<Output>
  private let options: CalendarOptions
  private let tally: Tally
  private let time: EventTime
  private var numbers = EventNumbers()
  /// The first day of the last row, and its year.
  private var knownYear = (day: Day(number: 0), year: 1970)
  /// That of all events; made at the first, when the content's time is known.
  private var revision: EventRevision?

  /// Writes the calendar's own properties. `event` and `address` are the feed's.
  init(
    _ feed: Feed, _ event: Event, options: CalendarOptions, into output: consuming Output,
    tally: Tally
  ) throws(PipelineError) {
    calendar = try CalendarWriter(feed, event, options: options, into: output, tally: tally)
    self.options = options
    self.tally = tally
    time = feed.eventTime
  }

  static var looksAhead: Bool { true }

  mutating func expect(_ record: borrowing Record) {
    guard case .days = time, record.hasDays else { return }
    numbers.expect(
      address: record.addressID, year: year(of: record), first: record.firstDay,
      last: record.lastDay)
  }

  mutating func passOver(_ record: borrowing Record) { _ = identify(record) }

  mutating func write(_ record: borrowing Record) throws(PipelineError) {
    guard let identity = identify(record) else { return }
    let revision = self.revision ?? makeRevision()
    try calendar.write(record, as: identity, revision)
  }

  consuming func finish() throws(PipelineError) { try calendar.finish() }

  private mutating func identify(_ record: borrowing Record) -> EventIdentity? {
    // What has no days is no event.
    guard record.hasDays else { return nil }
    let year = year(of: record)
    let number: Int?
    switch time {
    case .days:
      number = numbers.number(
        address: record.addressID, year: year, first: record.firstDay, last: record.lastDay)
    case .instants(let start, let end):
      number = numbers.number(
        address: record.addressID, year: year,
        time: EventInstants(record, start: start, end: end).packed)
    }
    return number.map { EventIdentity(year: year, number: $0) }
  }

  private mutating func year(of record: borrowing Record) -> Int {
    if knownYear.day != record.firstDay {
      knownYear = (record.firstDay, record.firstDay.parts.year)
    }
    return knownYear.year
  }

  private mutating func makeRevision() -> EventRevision {
    let known = tally.modified.value
    let revision = EventRevision(stamp: options.stamp ?? (known == .min ? 0 : known))
    self.revision = revision
    return revision
  }
}
