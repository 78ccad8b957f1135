import Testing

@testable import Sluice

/// Events of feeds whose rows have no periods.
@Suite struct OwnEventTests {
  private func run(_ columns: String, _ event: String, _ rows: String) throws -> FeedResult {
    let feed = try OwnFeed.read(
      OwnFeed.document("t: t, \(columns)", "key: [t]\nevent: {summary: 'E: {t}'\(event)}"))
    return FeedRun(feed: feed, calendar: CalendarOptions(language: .en))("{\"d\":[\(rows)]}")
  }

  private func lines(_ result: FeedResult, _ names: String...) -> [String] {
    result.lines.filter { line in names.contains { line.hasPrefix($0) } }
  }

  @Test func `one day`() throws {
    let result = try run(
      "a: {kind: day}", "", #"{"t":"x","a":"5.1.2026"},{"t":"y"},{"t":"x","a":"2026-01-05"}"#)
    #expect(
      lines(result, "DT") == [
        "DTSTAMP:19700101T000000Z", "DTSTART;VALUE=DATE:20260105", "DTEND;VALUE=DATE:20260106",
      ])
    #expect(lines(result, "UID") == ["UID:af63f54c86021707-2026-1@own.sluice"])
    #expect(
      lines(result, "SUMMARY", "COLOR", "LOCATION", "DESCRIPTION", "CATEGORIES") == ["SUMMARY:E: x"]
    )
    #expect(result.rows.count == 3)
    #expect(String(decoding: result.csv, as: UTF8.self).hasPrefix("t,a\n"))
    #expect(result.statistics.events == 1)
  }

  @Test func `from one day to another, whichever column comes first`() throws {
    let rows =
      #"{"t":"x","b":"2026-01-07","a":"2026-01-05"},{"t":"y","a":"2026-01-05"},"#
      + #"{"t":"z","a":"2026-01-05","b":"2026-01-04"},{"t":"w","b":"2026-01-04"}"#
    for columns in ["a: {kind: day}, b: {kind: day}", "b: {kind: day}, a: {kind: day}"] {
      let result = try run(columns, ", start: a, end: b, description: '{on days}'", rows)
      #expect(
        lines(result, "DTSTART", "DTEND", "DESC") == [
          "DTSTART;VALUE=DATE:20260105", "DTEND;VALUE=DATE:20260108",
          "DESCRIPTION:on 5 January 2026 - 7 January 2026",
          "DTSTART;VALUE=DATE:20260105", "DTEND;VALUE=DATE:20260106",
          "DESCRIPTION:on 5 January 2026",
        ])
      #expect(
        result.rejects.map { "\($0.reason.rawValue) \($0.field ?? "")" } == ["end-before-start b"])
      #expect(result.rows.count == 3)
    }
  }

  @Test(arguments: [
    ("day", "2026-01-05", "b", ""),
    ("instant", "2026-01-05T00:00:00Z", "n", ", each: day, values: {n: {texts: b}}"),
  ])
  func `a text that keeps its lines begins no line of the calendar`(
    kind: String, day: String, column: String, group: String
  ) throws {
    let result = try run(
      "a: {kind: \(kind)}, b: {kind: verbatim}",
      ", location: '{\(column)}', description: \"{in\\u2028 \(column)} {t}\"\(group)",
      #"{"t":"x","a":"\#(day)","b":"1\u0085BEGIN:VEVENT\u2028END:VEVENT\u2029\n-"}"#)
    #expect(
      lines(result, "LOCATION", "DESC", "BEGIN:VEVENT") == [
        "BEGIN:VEVENT", #"LOCATION:1\nBEGIN:VEVENT\nEND:VEVENT\n\n-"#,
        #"DESCRIPTION:in\n 1\nBEGIN:VEVENT\nEND:VEVENT\n\n- x"#,
      ])
  }

  @Test func `where there is nothing to say, nothing is said`() throws {
    let result = try run(
      "a: {kind: day}, b: b, c: c", ", location: '{b}', description: '{in c} {b}'",
      #"{"t":"x","a":"2026-01-05"},{"t":"y","a":"2026-01-05","b":"here"}"#)
    #expect(lines(result, "LOCATION", "DESC") == ["LOCATION:here", "DESCRIPTION:here"])
  }

  @Test func `a period beside the event's own day does not move it`() throws {
    let result = try run(
      "p: {kind: period}, a: {kind: day}", ", start: a",
      #"{"t":"x","p":"1.1.2026-3.1.2026","a":"2026-02-05"}"#)
    #expect(lines(result, "DTSTART") == ["DTSTART;VALUE=DATE:20260205"])
    #expect(result.rows == ["x,2026-01-01,2026-01-03,2026-02-05"])
  }

  @Test func `points in time, in UTC`() throws {
    let result = try run(
      "a: {kind: instant}, b: {kind: instant}", ", start: a, end: b, description: '{days}'",
      #"{"t":"x","a":"2020-06-22T13:00:00+03:00","b":"2020-06-22T11:30:00Z"},"#
        + #"{"t":"y","a":"2020-06-22 23:30+0300","b":"2020-06-23T01:00:00.5-01:30"},"#
        + #"{"t":"z","a":"2020-01-01T00:30:00-05:00","b":"2020-01-01T00:30:00-05:00"},"#
        + #"{"t":"v","a":"2020-06-22T13:00:00+03:00"},"#
        + #"{"t":"w","a":"2020-06-22T13:00:00+03:00","b":"2020-06-22T12:59:00+03:00"}"#)
    #expect(
      lines(result, "DTSTART", "DTEND", "DESC") == [
        "DTSTART:20200622T100000Z", "DTEND:20200622T113000Z",
        "DESCRIPTION:22 June 2020\\, 13:00 - 11:30",
        "DTSTART:20200622T203000Z", "DTEND:20200623T023000Z",
        "DESCRIPTION:22 June 2020\\, 23:30 - 23 June 2020\\, 01:00",
        "DTSTART:20200101T053000Z", "DESCRIPTION:1 January 2020\\, 00:30",
        "DTSTART:20200622T100000Z", "DESCRIPTION:22 June 2020\\, 13:00",
      ])
    #expect(result.rejects.map(\.reason) == [.endBeforeStart])
  }

  @Test func `two events of one key on one day are two`() throws {
    let result = try run(
      "a: {kind: instant}", "",
      #"{"t":"x","a":"2020-06-22T10:00:00Z"},{"t":"x","a":"2020-06-22T12:00:00Z"},"#
        + #"{"t":"x","a":"2020-06-22T13:00:00+03:00"}"#)
    #expect(
      lines(result, "UID") == [1, 2].map { "UID:af63f54c86021707-2020-\($0)@own.sluice" })
  }

  @Test func `an end on another day by another clock is no error`() throws {
    let result = try run(
      "a: {kind: instant}, b: {kind: instant}", ", start: a, end: b",
      #"{"t":"x","a":"2020-01-02T00:30:00+03:00","b":"2020-01-01T23:00:00Z"}"#)
    #expect(
      lines(result, "DTSTART", "DTEND") == ["DTSTART:20200101T213000Z", "DTEND:20200101T230000Z"])
    #expect(result.rejects.isEmpty)
  }

  @Test func `a key that has a column shows the number of the UID`() throws {
    let feed = try OwnFeed.read(
      OwnFeed.document(
        "t: t, n: {kind: integer}, a: {kind: day}",
        "key: {columns: [t, n], as: k}\nevent: {summary: '{t}'}"))
    let result = FeedRun(feed: feed)(#"{"d":[{"t":"X","n":7,"a":"2026-01-05"}]}"#)
    let number = try #require(result.rows.first?.split(separator: ",").last)
    #expect(lines(result, "UID") == ["UID:\(number)-2026-1@own.sluice"])
    #expect(number.count == 16)
  }
}
