import Testing

@testable import Sluice
@testable import SluiceSync

/// One run of a ledger over a feed, for tests.
struct LedgerNight {
  var feed = Feed.hotWater
  var today: Day
  var stamp: Int
  var calendar = CalendarOptions(language: .ru)
  var query = RowSelection()
  /// The conditions that the feed is read with.
  var conditions: [Condition] = []
  /// The process lives to commit.
  var commits = true
  /// The number of rows from which on the numbers of years gone by are folded.
  var foldedRows = LedgerRun.foldedRows

  struct Result {
    var ics: [UInt8]
    var changes: [UInt8]
    var counts: LedgerChanges
    var counters: Counters
    var unmatched: (column: String, nearest: [String])?

    var events: [CalendarEvent] { CalendarEvent.all(in: ics) }
    var changeLines: [String] {
      String(decoding: changes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  init(_ today: String = "2020-06-01", stamp: Int = 1_593_108_790) {
    self.today = LedgerNight.day(today)
    self.stamp = stamp
  }

  /// A day of its ISO text.
  static func day(_ text: String) -> Day {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    return Day(year: parts[0], month: parts[1], day: parts[2]) ?? Day(number: 0)
  }

  /// Runs the ledger in `folder` over `json`; `beforeCommit` is called when all is written.
  @discardableResult
  func callAsFunction(
    _ json: String, in folder: String, beforeCommit: () throws -> Void = {}
  ) throws -> Result {
    let run = try Ledger(folder: folder, feed: feed).begin()
    let counters = Counters()
    let normalizer = Normalizer(
      feed,
      options: NormalizerOptions(
        conditions: conditions, limit: .count(.max), tracksAllRows: true),
      into: FanOut([Branch(try run.stage(counters))]), counters: counters)
    try ChunkCutter.feed(
      Array(json.utf8), splitAt: json.utf8.count,
      to: Tokenizer(into: normalizer, counters: counters))
    let counts = try run.reconcile(today: today, stamp: stamp, foldedRows: foldedRows)
    let ics = Collector.Box()
    let unmatched = try run.writeCalendar(
      query,
      into: EventCalendar(
        feed, #require(feed.event), options: calendar, into: Collector(box: ics), counters: counters
      ))
    let changes = Collector.Box()
    try run.writeChanges(into: Collector(box: changes))
    #expect(ics.isFinished && changes.isFinished)
    try run.prepare()
    try beforeCommit()
    if commits { try run.commit() }
    return Result(
      ics: ics.bytes, changes: changes.bytes, counts: counts, counters: counters,
      unmatched: unmatched)
  }
}

/// An event as a calendar has it.
struct CalendarEvent: Equatable {
  var uid = ""
  var first = ""
  var end = ""
  var sequence = 0
  var stamp = ""
  var modified = ""
  var status = ""
  var summary = ""
  /// All its lines.
  var lines: [String] = []

  /// The year and the number in the UID.
  var number: String {
    uid.split(separator: "@")[0].split(separator: "-").dropFirst().joined(separator: "-")
  }

  static func all(in ics: [UInt8]) -> [CalendarEvent] {
    var events: [CalendarEvent] = []
    var event = CalendarEvent()
    for line in unfold(ics) {
      if line == "BEGIN:VEVENT" { event = CalendarEvent() }
      event.lines.append(line)
      let value = String(line.drop { $0 != ":" }.dropFirst())
      switch line.prefix(while: { $0 != ":" && $0 != ";" }) {
      case "UID": event.uid = value
      case "DTSTART": event.first = value
      case "DTEND": event.end = value
      case "SEQUENCE": event.sequence = Int(value) ?? -1
      case "DTSTAMP": event.stamp = value
      case "LAST-MODIFIED": event.modified = value
      case "STATUS": event.status = value
      case "SUMMARY": event.summary = value
      case "END": if value == "VEVENT" { events.append(event) }
      default: break
      }
    }
    return events
  }

  /// The lines, unfolded; quicker than ``Unfolding`` on what is known to end its lines rightly.
  private static func unfold(_ ics: [UInt8]) -> [String] {
    var lines: [[UInt8]] = []
    for line in ics.split(separator: 0x0A) {
      if line.first == 0x20, !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst().dropLast()
      } else {
        lines.append(Array(line.dropLast()))
      }
    }
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }
}
