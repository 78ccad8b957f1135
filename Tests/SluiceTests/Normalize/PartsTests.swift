import Testing

@testable import Sluice

/// Days, instants and times of day that are made of several values.
@Suite struct PartsTests {
  private func read(
    _ rows: [String], _ columns: String, _ more: String = ""
  ) throws -> FeedResult {
    let feed = try OwnFeed.read(OwnFeed.document(columns, more))
    let result = FeedRun(feed: feed)("{\"d\":[\(rows.joined(separator: ","))]}")
    #expect(result.error == nil)
    return result
  }

  private let day = "t: {kind: day, parts: {year: y, month: m, day: d}}, n: n"

  @Test func `a day of three numbers`() throws {
    let result = try read(
      [
        #"{"y":2020,"m":4,"d":1,"n":"a"}"#, #"{"d":"05","n":"b","m":"11","y":"2020"}"#,
        #"{"n":"c"}"#, #"{"y":null,"m":"","n":"d"}"#,
      ], day)
    #expect(result.rows == ["2020-04-01,a", "2020-11-05,b", ",c", ",d"])
    #expect(result.rejects.isEmpty)
  }

  @Test func `each record has its own parts`() throws {
    let result = try read(
      (1...9).map { #"{"y":2020,"m":4,"d":\#($0 % 3 == 0 ? "null" : "\($0)"),"n":"\#($0)"}"# }, day)
    #expect(result.rows.count == 6 && result.rows.last == "2020-04-08,8")
    #expect(result.rejects.map(\.reason) == [.notADay, .notADay, .notADay])
  }

  @Test(arguments: [
    (#"{"y":2020,"m":4}"#, RejectReason.notADay, "2020 4"),
    (#"{"y":2020,"m":13,"d":1}"#, .noSuchDay, "2020 13 1"),
    (#"{"y":2021,"m":2,"d":29}"#, .noSuchDay, "2021 2 29"),
    (#"{"y":20,"m":2,"d":2}"#, .notADay, "20 2 2"),
    (#"{"y":2020,"m":"x","d":2}"#, .notADay, "2020 x 2"),
    (#"{"y":2020.5,"m":2,"d":2}"#, .notADay, "2020.5 2 2"),
    (#"{"y":-1,"m":2,"d":2}"#, .notADay, "-1 2 2"),
    (#"{"y":0,"m":1,"d":1}"#, .noSuchDay, "0 1 1"),
  ])
  func `parts that make no day`(_ row: String, _ reason: RejectReason, _ value: String) throws {
    let rejects = try read([row], day).rejects
    #expect(rejects.map(\.reason) == [reason])
    #expect(rejects.first?.value.map { String(decoding: $0, as: UTF8.self) } == value)
    #expect(rejects.first?.field == "t")
  }

  @Test func `required parts`() throws {
    let result = try read(
      [#"{"n":"a"}"#, #"{"y":2020,"m":4,"d":1,"n":"b"}"#],
      "t: {kind: day, required: true, parts: {year: y, month: m, day: d}}, n: n")
    #expect(result.rows == ["2020-04-01,b"] && result.rejects.map(\.reason) == [.missingValue])
  }

  @Test func `a month's name, and a year of two digits`() throws {
    let result = try read(
      [#"{"y":26,"m":"März","d":5}"#, #"{"y":69,"m":"mai","d":5}"#],
      "t: {kind: day, names: de, years: 1970-2069, parts: {year: y, month: m, day: d}}")
    #expect(result.rows == ["2026-03-05", "2069-05-05"])
  }

  @Test func `parts may be columns too, inside of objects and around the rows`() throws {
    let feed = try OwnFeed.read(
      OwnFeed.document(
        "y: {from: $.year, kind: integer}, m: a.month, "
          + "t: {kind: day, parts: {year: $.year, month: a.month, day: a.day}}"))
    let result = FeedRun(feed: feed)(
      #"{"year":2026,"d":[{"a":{"month":3,"day":5}},{"a":{"day":7,"month":4}}]}"#)
    #expect(result.rows == ["2026,3,2026-03-05", "2026,4,2026-04-07"])
  }

  @Test func `an instant of parts is a local time`() throws {
    let column = "t: {kind: instant, parts: {year: y, month: mo, day: d, hour: h, minute: mi}}"
    let row = #"{"y":2026,"mo":7,"d":5,"h":9,"mi":30}"#
    #expect(try read([row], column, "clock: Europe/London").rows == ["2026-07-05T09:30:00+01:00"])
    #expect(try read([row], column).rejects.map(\.reason) == [.notAnInstant])
  }

  @Test func `a time of day of parts`() throws {
    let result = try read(
      [#"{"h":9,"m":5}"#, #"{"h":24,"m":0}"#, #"{"h":24,"m":1}"#, #"{"h":9}"#],
      "t: {kind: time, parts: {hour: h, minute: m}}")
    #expect(result.rows == ["09:05", "24:00"])
    #expect(result.rejects.map(\.reason) == [.notATime, .notATime])
  }

  @Test func `days of parts are an event's days`() throws {
    let result = try read(
      [#"{"a":2020,"b":4,"c":1,"d":2020,"e":11,"f":5,"n":"x"}"#],
      "s: {kind: day, parts: {year: a, month: b, day: c}}, e: {kind: day, parts: {year: d, month: e, day: f}}, n: n",
      "key: [n]\nevent: {summary: \"{n}\", start: s, end: e}")
    #expect(result.rows == ["2020-04-01,2020-11-05,x"])
  }
}
