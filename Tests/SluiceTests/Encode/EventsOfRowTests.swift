import Testing

@testable import Sluice

/// Calendars of rows that have several events.
@Suite struct EventsOfRowTests {
  private static let bins = """
    feed: own
    rows: d[]
    columns: {t: t, a: {kind: day}, b: {kind: day}, c: {kind: day}}
    key: [t]
    event:
      - {calendar: Bins, summary: "Paper: {t}", start: a}
      - {summary: "Glass: {t}", start: b, end: c, where: {t: {not: y}}}
      - {summary: "Trees: {t}", own: Trees, start: c, as: trees}

    """

  private func run(
    _ document: String, _ rows: String..., from: Day? = nil, to: Day? = nil,
    ofOnePlace isOfOnePlace: Bool = false
  ) throws -> FeedResult {
    var run = FeedRun(feed: try OwnFeed.read(document))
    run.calendar = CalendarOptions(language: .en, isOfOnePlace: isOfOnePlace)
    (run.from, run.to) = (from, to)
    return run("{\"d\":[\(rows.joined(separator: ","))]}")
  }

  /// The title, the start and the end of each event.
  private func events(_ result: FeedResult) -> [String] {
    var events: [String] = []
    for line in result.lines {
      if line == "BEGIN:VEVENT" { events.append("") }
      guard !events.isEmpty else { continue }
      for name in ["SUMMARY:", "DTSTART", "DTEND"] where line.hasPrefix(name) {
        let value = line.split(separator: ":", maxSplits: 1).last ?? ""
        events[events.count - 1] += (events[events.count - 1].isEmpty ? "" : " ") + value
      }
    }
    return events
  }

  private func uids(_ result: FeedResult) -> [String] {
    result.lines.filter { $0.hasPrefix("UID:") }.map { String($0.dropFirst(4)) }
  }

  @Test func `a row has the events whose start it has, and a table has it once`() throws {
    let result = try run(
      Self.bins, #"{"t":"x","a":"2026-01-05","b":"2026-01-12","c":"2026-01-14"}"#,
      #"{"t":"y","a":"2026-01-06","b":"2026-01-13"}"#, #"{"t":"z"}"#)
    #expect(
      events(result) == [
        "20260105 20260106 Paper: x", "20260112 20260115 Glass: x", "20260114 20260115 Trees: x",
        "20260106 20260107 Paper: y",
      ])
    #expect(result.rows.count == 3)
    #expect(result.counts.kept == 3)
    #expect(result.statistics.events == 4)
    #expect(result.lines.filter { $0.hasPrefix("NAME:") } == ["NAME:Bins"])
  }

  @Test func `UIDs differ between the events of a row, and the order of rows does not matter`()
    throws
  {
    let x = #"{"t":"x","a":"2026-01-05","b":"2026-01-12","c":"2026-01-14"}"#
    let y = #"{"t":"yy","a":"2026-01-05","b":"2026-01-12","c":"2026-01-14"}"#
    let found = uids(try run(Self.bins, x, y))
    #expect(
      found.prefix(3) == [
        "af63f54c86021707-2026-1@own.sluice", "af63f54c86021707-2026-1-2@own.sluice",
        "af63f54c86021707-2026-1-trees@own.sluice",
      ])
    #expect(Set(found).count == 6)
    #expect(Set(uids(try run(Self.bins, y, x))) == Set(found))
    // An event that a row does not have leaves the UIDs of the others as they are.
    let without = #"{"t":"x","b":"2026-01-12","c":"2026-01-14"}"#
    #expect(uids(try run(Self.bins, without)) == Array(found[1..<3]))
    // The first event has the UIDs that it would have alone.
    let alone = Self.bins.split(separator: "\n", omittingEmptySubsequences: false).dropLast(3)
    #expect(uids(try run(alone.joined(separator: "\n"), x)) == Array(found[..<1]))
  }

  @Test func `days choose rows with one such event, and calendars have only those`() throws {
    let rows = [
      #"{"t":"x","a":"2026-01-05","b":"2026-02-12","c":"2026-02-14"}"#,
      #"{"t":"z","a":"2026-01-01","c":"2026-02-20"}"#, #"{"t":"w"}"#,
    ].joined(separator: ",")
    let january = try run(
      Self.bins, rows, from: Day(iso: "2026-01-02"), to: Day(iso: "2026-01-31"))
    #expect(events(january) == ["20260105 20260106 Paper: x"])
    #expect(january.rows.count == 1)
    let february = try run(Self.bins, rows, from: Day(iso: "2026-02-13"))
    #expect(
      events(february) == [
        "20260212 20260215 Glass: x", "20260214 20260215 Trees: x", "20260220 20260221 Trees: z",
      ])
    // Nothing lies in between, although the days of the row begin before and end after.
    let between = try run(
      Self.bins, rows, from: Day(iso: "2026-01-10"), to: Day(iso: "2026-01-20"))
    #expect(between.rows.isEmpty)
    #expect(events(between).isEmpty)
    // The numbers of events do not depend on the days.
    #expect(uids(february).last == uids(try run(Self.bins, rows)).last)
  }

  @Test func `an event is written once for an address`() throws {
    let row = #"{"t":"x","a":"2026-01-05","c":"2026-01-05"}"#
    let result = try run(Self.bins, row, row, #"{"t":"x","a":"2026-01-05","c":"2026-03-05"}"#)
    #expect(
      events(result) == [
        "20260105 20260106 Paper: x", "20260105 20260106 Trees: x", "20260305 20260306 Trees: x",
      ])
    #expect(uids(result).last == "af63f54c86021707-2026-2-trees@own.sluice")
  }

  @Test func `each has titles of its own in a calendar of one place`() throws {
    let result = try run(
      Self.bins, #"{"t":"x","a":"2026-01-05","c":"2026-01-14"}"#, ofOnePlace: true)
    #expect(events(result) == ["20260105 20260106 Paper: x", "20260114 20260115 Trees"])
  }

  @Test func `an event that ends before it starts rejects its record`() throws {
    let result = try run(
      Self.bins, #"{"t":"x","a":"2026-01-05","b":"2026-01-12","c":"2026-01-04"}"#)
    #expect(
      result.rejects.map { "\($0.reason.rawValue) \($0.field ?? "")" } == ["end-before-start c"])
    #expect(events(result).isEmpty)
  }

  @Test func `times, lengths, instants and zones belong to each event`() throws {
    let document = """
      feed: own
      clock: Europe/London
      rows: d[]
      columns:
        t: t
        day: {kind: day}
        at: {kind: time}
        doors: {kind: instant}
        close: {kind: instant, zone: Europe/Berlin}
        minutes: {kind: integer}
      key: [t]
      event:
        - {summary: Tickets, start: doors, for: 1d, times: local}
        - {summary: Show, start: {day: day, time: at, zone: Europe/Berlin}, for: {minutes: minutes}, times: local}
        - {summary: Close, start: close}
        - {summary: Party, start: {day: day, time: at}, for: 2h, times: local, as: party}

      """
    let result = try run(
      document,
      #"{"t":"x","day":"2026-07-01","at":"20:00","doors":"2026-06-01T09:00:00Z","close":"2026-07-02T00:30:00+02:00","minutes":90}"#,
      #"{"t":"y","day":"2026-07-03"}"#, #"{"t":"z","doors":"2026-06-02T09:00:00Z"}"#)
    #expect(
      events(result) == [
        "20260601T100000 20260602T100000 Tickets", "20260701T200000 20260701T213000 Show",
        "20260701T223000Z Close", "20260701T200000 20260701T220000 Party",
        "20260703 20260704 Show", "20260703 20260704 Party",
        "20260602T100000 20260603T100000 Tickets",
      ])
    #expect(
      result.lines.filter { $0.hasPrefix("TZID:") } == ["TZID:Europe/London", "TZID:Europe/Berlin"])
    #expect(
      result.lines.filter { $0.hasPrefix("DTSTART;TZID") }.prefix(3) == [
        "DTSTART;TZID=Europe/London:20260601T100000", "DTSTART;TZID=Europe/Berlin:20260701T200000",
        "DTSTART;TZID=Europe/London:20260701T200000",
      ])
  }

  @Test func `each period of a row is an event, and what is beside it is written once`() throws {
    let result = try run(
      """
      feed: own
      rows: d[]
      columns: {t: t, p: {kind: period, columns: [p, p2]}, a: {kind: day}}
      key: [t]
      event:
        - {summary: Off, start: p}
        - {summary: Check, start: a}

      """, #"{"t":"x","p":"1.7.2026-3.7.2026, 8.8.2026","a":"2026-05-05"}"#)
    #expect(
      events(result) == [
        "20260701 20260704 Off", "20260505 20260506 Check", "20260808 20260809 Off",
      ])
    #expect(result.rows.count == 2)
  }

  @Test func `what else is said belongs to each event`() throws {
    let result = try run(
      """
      feed: own
      rows: d[]
      columns: {t: t, a: {kind: day}, b: {kind: day}, s: s, u: u}
      key: [t]
      event:
        - {summary: A, start: a, status: {from: s, map: {off: CANCELLED}}, url: "{u}", category: one}
        - {summary: B, start: b, location: "{t}", categories: [two, "{s}"]}

      """, #"{"t":"x","a":"2026-01-05","b":"2026-01-06","s":"off","u":"https://a/"}"#)
    let names = ["SUMMARY", "STATUS", "URL", "CATEGORIES", "LOCATION"]
    #expect(
      result.lines.filter { line in names.contains { line.hasPrefix($0) } } == [
        "STATUS:CANCELLED", "SUMMARY:A", "CATEGORIES:one", "URL:https://a/", "STATUS:CONFIRMED",
        "SUMMARY:B", "LOCATION:x", "CATEGORIES:two,off",
      ])
  }

  @Test func `an event without a title has the name of the calendar`() throws {
    var run = FeedRun(
      feed: try OwnFeed.read(
        OwnFeed.document(
          "t: t, n: n, a: {kind: day}", "key: [t]\nevent: {calendar: Games, summary: '{n}'}")))
    run.calendar = CalendarOptions(language: .en, alarms: ["PT1H"])
    let result = run(#"{"d":[{"t":"x","a":"2026-01-05"},{"t":"y","a":"2026-01-05","n":"Final"}]}"#)
    let names = ["SUMMARY", "DESCRIPTION"]
    #expect(
      result.lines.filter { line in names.contains { line.hasPrefix($0) } } == [
        "SUMMARY:Games", "DESCRIPTION:Games", "SUMMARY:Final", "DESCRIPTION:Final",
      ])
  }
}
