import Testing

@testable import Sluice

/// Events whose times are made of columns, and local times.
@Suite struct EventTimesTests {
  /// The calendar of rows with the columns `t`, `d` (a day), `a` and `b` (times).
  private func run(
    _ event: String, _ rows: String, clock: String = "clock: Europe/London\n",
    columns: String = "", from: String? = nil, to: String? = nil
  ) throws -> FeedResult {
    let columns = "t: t, d: {kind: day}, a: {kind: time}, b: {kind: time}\(columns)"
    let feed = try OwnFeed.read(
      clock + OwnFeed.document(columns, "key: [t]\nevent: {summary: '{t}', \(event)}"))
    return FeedRun(
      feed: feed, from: from.flatMap { Day(iso: $0) }, to: to.flatMap { Day(iso: $0) },
      calendar: CalendarOptions(language: .en))("{\"d\":[\(rows)]}")
  }

  private func lines(_ result: FeedResult, _ names: String...) -> [String] {
    let events = result.lines.drop { $0 != "BEGIN:VEVENT" }
    return events.filter { line in names.contains { line.hasPrefix($0) } }
  }

  @Test func `a day and a time make an instant by the feed's clock`() throws {
    let result = try run(
      "start: {day: d, time: a}, for: 2h, description: '{days}'",
      #"{"t":"x","d":"2026-07-01","a":"20:00"},{"t":"y","d":"2026-12-01","a":"23:30"},"#
        + #"{"t":"z","d":"2026-12-02"}"#)
    #expect(
      lines(result, "DTSTART", "DTEND", "DESC") == [
        "DTSTART:20260701T190000Z", "DTEND:20260701T210000Z",
        "DESCRIPTION:1 July 2026\\, 20:00 - 22:00",
        "DTSTART:20261201T233000Z", "DTEND:20261202T013000Z",
        "DESCRIPTION:1 December 2026\\, 23:30 - 2 December 2026\\, 01:30",
        "DTSTART;VALUE=DATE:20261202", "DTEND;VALUE=DATE:20261203", "DESCRIPTION:2 December 2026",
      ])
    #expect(Set(lines(result, "UID")).count == 3)
  }

  @Test func `an end that is not after the start is over midnight`() throws {
    let result = try run(
      "start: {day: d, time: a}, end: {time: b}",
      #"{"t":"x","d":"2026-07-01","a":"20:00","b":"21:00"},"#
        + #"{"t":"x","d":"2026-07-01","a":"22:00","b":"01:00"},"#
        + #"{"t":"x","d":"2026-07-02","a":"22:00","b":"24:00"},"#
        + #"{"t":"x","d":"2026-07-03","a":"22:00"}"#)
    #expect(
      lines(result, "DTSTART", "DTEND") == [
        "DTSTART:20260701T190000Z", "DTEND:20260701T200000Z",
        "DTSTART:20260701T210000Z", "DTEND:20260702T000000Z",
        "DTSTART:20260702T210000Z", "DTEND:20260702T230000Z",
        "DTSTART:20260703T210000Z",
      ])
    #expect(Set(lines(result, "UID")).count == 4)
  }

  @Test(arguments: [
    ("end: {time: b}", 1), ("for: 3h", 1), ("for: {hours: n}", 2), ("for: {days: n}", 2),
  ])
  func `no event is beyond the year 9999`(_ end: String, rejected: Int) throws {
    let result = try run(
      "start: {day: d, time: a}, \(end)",
      #"{"t":"x","d":"9999-12-31","a":"22:00","b":"01:00","n":3},"#
        + #"{"t":"y","d":"2026-07-01","a":"24:00","b":"01:00","n":106751991167300},"#
        + #"{"t":"z","d":"2026-07-01","a":"20:00","b":"01:00","n":1}"#,
      columns: ", n: {kind: integer}")
    #expect(result.rejects.map(\.reason) == Array(repeating: .noSuchTime, count: rejected))
    #expect(lines(result, "DTSTART").last == "DTSTART:20260701T190000Z")
    #expect(lines(result, "DTSTART").count == 3 - rejected)
  }

  @Test func `an event may last for years`() throws {
    let result = try run(
      "start: {day: d, time: a}, for: {days: n}",
      #"{"t":"x","d":"2026-07-01","a":"20:00","n":36525}"#, columns: ", n: {kind: integer}")
    #expect(lines(result, "DTEND") == ["DTEND:21260702T190000Z"])
  }

  @Test func `an end without a time is the end of its day, one without a day is on the first`()
    throws
  {
    let result = try run(
      "start: {day: d, time: a}, end: {day: e, time: b}",
      #"{"t":"x","d":"2026-07-01","a":"20:00","e":"2026-07-03"},"#
        + #"{"t":"y","d":"2026-07-01","a":"20:00","b":"21:00"},"#
        + #"{"t":"z","d":"2026-07-01","a":"20:00"}"#,
      columns: ", e: {kind: day}")
    #expect(
      lines(result, "DTSTART", "DTEND") == [
        "DTSTART:20260701T190000Z", "DTEND:20260703T230000Z",
        "DTSTART:20260701T190000Z", "DTEND:20260701T200000Z",
        "DTSTART:20260701T190000Z",
      ])
  }

  @Test func `an end has a day of its own`() throws {
    let result = try run(
      "start: {day: d, time: a}, end: {day: e, time: b}",
      #"{"t":"x","d":"2026-07-01","a":"20:00","e":"2026-07-03","b":"08:00"},"#
        + #"{"t":"y","d":"2026-07-01","e":"2026-07-03"},"#
        + #"{"t":"z","d":"2026-07-01","a":"20:00","e":"2026-07-01","b":"19:00"}"#,
      columns: ", e: {kind: day}")
    #expect(
      lines(result, "DTSTART", "DTEND") == [
        "DTSTART:20260701T190000Z", "DTEND:20260703T070000Z",
        "DTSTART;VALUE=DATE:20260701", "DTEND;VALUE=DATE:20260704",
      ])
    #expect(result.rejects.map(\.reason) == [.endBeforeStart])
  }

  @Test func `a length in days is one of the calendar`() throws {
    // Clocks are put forward on 29 March 2026.
    let rows = #"{"t":"x","d":"2026-03-28","a":"20:00","n":1.5}"#
    for (length, end) in [
      ("1d", "20260329T190000Z"), ("24h", "20260329T200000Z"), ("PT1H30M", "20260328T213000Z"),
      ("P1DT1H", "20260329T200000Z"), ("{hours: n}", "20260328T213000Z"),
      ("{minutes: n}", "20260328T200130Z"),
    ] {
      let result = try run(
        "start: {day: d, time: a}, for: \(length)", rows, columns: ", n: {kind: decimal}")
      #expect(lines(result, "DTEND") == ["DTEND:\(end)"], "\(length)")
    }
  }

  @Test func `a length makes the end of an instant and of a day`() throws {
    let rows = #"{"t":"x","i":"2026-03-28T20:00:00Z","d":"2026-03-28"}"#
    let instant = try run("start: i, for: 90m", rows, columns: ", i: {kind: instant}")
    #expect(
      lines(instant, "DT").dropFirst() == ["DTSTART:20260328T200000Z", "DTEND:20260328T213000Z"])
    let days = try run("start: d, for: 3d", rows)
    #expect(
      lines(days, "DT").dropFirst()
        == ["DTSTART;VALUE=DATE:20260328", "DTEND;VALUE=DATE:20260331"])
  }

  @Test func `times that are on no clock, or come twice`() throws {
    let gap = #"{"t":"x","d":"2026-03-29","a":"01:30"}"#
    let twice = #"{"t":"x","d":"2026-10-25","a":"01:30"}"#
    #expect(
      try run("start: {day: d, time: a}", gap).rejects.map { "\($0.reason) \($0.field ?? "")" }
        == ["noSuchTime a"])
    #expect(
      lines(try run("start: {day: d, time: a, gap: later}", gap), "DTSTART")
        == ["DTSTART:20260329T013000Z"])
    #expect(
      lines(try run("start: {day: d, time: a}", twice), "DTSTART") == ["DTSTART:20261025T003000Z"])
    #expect(
      lines(try run("start: {day: d, time: a, overlap: later}", twice), "DTSTART")
        == ["DTSTART:20261025T013000Z"])
    #expect(
      try run("start: {day: d, time: a, overlap: reject}", twice).rejects.map(\.reason)
        == [.ambiguousTime])
  }

  @Test func `a zone of its own, or out of the data`() throws {
    let rows =
      #"{"t":"x","d":"2026-07-01","a":"20:00","z":"Asia/Tokyo"},"#
      + #"{"t":"y","d":"2026-07-01","a":"20:00"},{"t":"z","d":"2026-07-01","a":"1:00","z":"No/Where"}"#
    #expect(
      lines(try run("start: {day: d, time: a, zone: Asia/Tokyo}", rows, clock: ""), "DTSTART")
        .first == "DTSTART:20260701T110000Z")
    let result = try run("times: local, start: {day: d, time: a, zone: {from: z}}", rows)
    #expect(
      lines(result, "DTSTART;") == [
        "DTSTART;TZID=Asia/Tokyo:20260701T200000", "DTSTART;TZID=Europe/London:20260701T200000",
      ])
    #expect(result.rejects.map(\.reason) == [.noSuchZone])
    let zones = result.lines.filter { $0.hasPrefix("TZID:") || $0 == "BEGIN:VEVENT" }
    #expect(zones == ["TZID:Asia/Tokyo", "BEGIN:VEVENT", "TZID:Europe/London", "BEGIN:VEVENT"])
  }

  @Test func `days asked for are those of the clock`() throws {
    let rows =
      #"{"t":"x","d":"2026-07-01","a":"00:30","b":"01:00"},"#
      + #"{"t":"y","d":"2026-07-01","a":"22:00","b":"00:00"}"#
    let event = "start: {day: d, time: a}, end: {time: b}"
    #expect(try run(event, rows, from: "2026-07-01", to: "2026-07-01").rows.count == 2)
    #expect(try run(event, rows, to: "2026-06-30").rows == [])
    // An event up to midnight is not one of the next day.
    #expect(try run(event, rows, from: "2026-07-02").rows == [])
  }

  @Test func `local times have the zone that the calendar tells`() throws {
    let columns = ", i: {kind: instant}, j: {kind: instant, zone: America/New_York}"
    let rows =
      #"{"t":"x","i":"2026-07-01T19:00:00Z","j":"2026-07-01T21:00:00Z"},"#
      // The second 01:30 of that day, and a time before 1970.
      + #"{"t":"y","i":"2026-10-25T01:30:00Z"},{"t":"z","i":"1960-07-01T12:00:00Z"}"#
    let result = try run("times: local, start: i, end: j", rows, columns: columns)
    #expect(
      lines(result, "DTSTART", "DTEND") == [
        "DTSTART;TZID=Europe/London:20260701T200000",
        "DTEND;TZID=America/New_York:20260701T170000",
        "DTSTART:20261025T013000Z", "DTSTART:19600701T120000Z",
      ])
    #expect(
      result.lines.filter { $0.hasPrefix("TZID:") } == [
        "TZID:Europe/London", "TZID:America/New_York",
      ])
    #expect(
      try run("times: utc, start: i, end: j", rows, columns: columns).ics
        == run("start: i, end: j", rows, columns: columns).ics)
  }

  @Test func `such events have no ledger`() throws {
    for event in ["start: {day: d, time: a}", "start: d, for: 2d", "repeat: {every: week, on: mo}"]
    {
      let feed = try OwnFeed.read(
        "clock: Europe/London\n"
          + OwnFeed.document(
            "t: t, d: {kind: day}, a: {kind: time}",
            "key: [t]\nevent: {summary: '{t}', \(event)}"))
      #expect(!feed.tables[0].keepsLedger)
    }
  }

  @Test(arguments: ["minutes", "days"])
  func `a length below zero is an end before the start`(unit: String) throws {
    let result = try run(
      "start: {day: d, time: a}, for: {\(unit): n}",
      #"{"t":"x","d":"2026-07-01","a":"20:00","n":-1},{"t":"y","d":"2026-07-01","a":"20:00","n":0},"#
        + #"{"t":"z","d":"2026-07-01","n":-2},{"t":"q","d":"2026-07-01","a":"20:00"}"#,
      columns: ", n: {kind: integer}")
    #expect(result.rejects.map(\.reason) == [.endBeforeStart, .endBeforeStart])
    #expect(result.rejects.map(\.field) == ["n", "n"])
    #expect(lines(result, "SUMMARY") == ["SUMMARY:y", "SUMMARY:q"])
    #expect(lines(result, "DTEND") == [])
  }
}
