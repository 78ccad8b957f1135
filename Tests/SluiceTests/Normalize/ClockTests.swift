import Testing

@testable import Sluice

/// The clock of a feed, and the zones of its columns: they decide an instant's text and its day.
@Suite struct ClockTests {
  /// The cells of a column `t`, and the reasons of the rejects.
  private func read(
    _ times: [String], _ more: String, column: String = "{kind: instant}", zone: String? = nil,
    from: Day? = nil
  ) throws -> (cells: [String], rejects: [String]) {
    let feed = try OwnFeed.read(OwnFeed.document("t: \(column)", more))
    var run = FeedRun(feed: feed)
    run.from = from
    let zone = zone.map { #","tz":\#($0)"# } ?? ""
    let result = run("{\"d\":[\(times.map { "{\"t\":\($0)\(zone)}" }.joined(separator: ","))]}")
    #expect(result.error == nil)
    return (result.rows, result.rejects.map(\.reason.rawValue))
  }

  @Test func `without a clock an instant keeps the offset it was written with`() throws {
    let (cells, rejects) = try read(
      [#""2026-07-01T23:30:00Z""#, #""2026-07-01T23:30:00+05:00""#, #""2026-07-01T23:30:00""#], "")
    #expect(cells == ["2026-07-01T23:30:00Z", "2026-07-01T23:30:00+05:00"])
    #expect(rejects == ["not-an-instant"])
  }

  @Test func `a clock decides the text, and reads local times`() throws {
    let (cells, rejects) = try read(
      [
        #""2026-07-01T23:30:00Z""#, #""2026-07-01T23:30:00.250+05:00""#, #""2026-07-01 23:30""#,
        #""2016-12-31T23:59:60Z""#,
      ], "clock: \"+01:00\"")
    #expect(
      cells == [
        "2026-07-02T00:30:00+01:00", "2026-07-01T19:30:00.250+01:00", "2026-07-01T23:30:00+01:00",
        "2017-01-01T00:59:60+01:00",
      ])
    #expect(rejects == [])
  }

  @Test func `a zone has the offset of each day`() throws {
    let (cells, rejects) = try read(
      [
        #""2026-01-05T09:00:00Z""#, #""2026-07-05T09:00:00Z""#, #""2026-01-05 09:00""#,
        #""2026-07-05 09:00""#,
      ], "clock: Europe/Berlin")
    #expect(
      cells == [
        "2026-01-05T10:00:00+01:00", "2026-07-05T11:00:00+02:00", "2026-01-05T09:00:00+01:00",
        "2026-07-05T09:00:00+02:00",
      ])
    #expect(rejects == [])
  }

  @Test func `Unix times are shown by the zone too`() throws {
    let (cells, _) = try read(
      ["1767603600", "1783242000"], "clock: Europe/Berlin",
      column: "{kind: instant, unix: seconds}")
    #expect(cells == ["2026-01-05T10:00:00+01:00", "2026-07-05T11:00:00+02:00"])
  }

  @Test func `days are those of the clock`() throws {
    let times = [#""2026-07-01T23:30:00Z""#, #""2026-07-01T12:00:00Z""#]
    let from = Day(year: 2026, month: 7, day: 2)
    #expect(try read(times, "", from: from).cells == [])
    #expect(
      try read(times, "clock: Europe/London", from: from).cells == ["2026-07-02T00:30:00+01:00"])
  }

  @Test(arguments: [
    ("", [], ["no-such-time"]), ("gap: later", ["2026-03-29T02:30:00+01:00"], []),
  ])
  func `a time that clocks pass over`(
    _ more: String, _ cells: [String], _ rejects: [String]
  ) throws {
    let result = try read([#""2026-03-29 01:30""#], "clock: Europe/London\n\(more)")
    #expect(result.cells == cells && result.rejects == rejects)
  }

  @Test(arguments: [
    ("", ["2026-10-25T01:30:00+01:00"], []),
    ("overlap: earlier", ["2026-10-25T01:30:00+01:00"], []),
    ("overlap: later", ["2026-10-25T01:30:00Z"], []),
    ("overlap: reject", [], ["ambiguous-time"]),
  ])
  func `a time that comes twice`(_ more: String, _ cells: [String], _ rejects: [String]) throws {
    let result = try read([#""2026-10-25 01:30""#], "clock: Europe/London\n\(more)")
    #expect(result.cells == cells && result.rejects == rejects)
    let own = try read(
      [#""2026-10-25 01:30""#], "clock: Europe/London",
      column: "{kind: instant\(more.isEmpty ? "" : ", \(more)")}")
    #expect(own.cells == cells && own.rejects == rejects)
  }

  @Test func `a column may have a zone of its own`() throws {
    let (cells, _) = try read(
      [#""2026-07-05 09:00""#], "clock: Europe/Berlin",
      column: "{kind: instant, zone: America/New_York}")
    #expect(cells == ["2026-07-05T09:00:00-04:00"])
  }

  @Test func `the zone of a time around the rows may stand in each of them`() throws {
    let columns = "{at: {from: \"d[].at\", kind: instant, zone: {from: tz}}, tz: tz}"
    let zones = ["Europe/London": "+01:00", "Europe/Paris": "+02:00", "Asia/Tokyo": "+09:00"]
    let names = zones.keys.sorted()
    let rows = (names + names).map { #"{"tz":"\#($0)"}"# }.joined(separator: ",")
    let element = #"{"at":"2026-07-05 09:00","v":[\#(rows)]}"#
    let json =
      #"{"d":[\#(element),\#(element),\#(element)]}"#
      + String(repeating: " ", count: RecordShape.slack)
    let run = FeedRun(
      feed: try OwnFeed.read("feed: own\nrows: \"d[].v[]\"\ncolumns: \(columns)"))
    let result = run.everyCut(json)
    let wanted = names.map { "2026-07-05T09:00:00\(zones[$0] ?? ""),\($0)" }
    #expect(result.rows == (0..<6).flatMap { _ in wanted })
  }

  @Test func `the zone's name may stand in the row`() throws {
    let column = "{kind: instant, zone: {from: tz}}"
    let time = [#""2026-07-05 09:00""#]
    #expect(
      try read(time, "", column: column, zone: #""Asia/Tokyo""#).cells
        == ["2026-07-05T09:00:00+09:00"])
    #expect(
      try read(time, "", column: column + ", tz: tz", zone: #""Asia/Tokyo""#).cells
        == ["2026-07-05T09:00:00+09:00,Asia/Tokyo"])
    #expect(
      try read(time, "", column: column, zone: #""Asia/Nowhere""#).rejects == ["no-such-zone"])
    #expect(
      try read(time, "", column: column, zone: #""../../etc/passwd""#).rejects == ["no-such-zone"])
    #expect(try read(time, "", column: column, zone: "null").rejects == ["no-such-zone"])
    // Without a name it is the feed's clock.
    #expect(
      try read(time, "clock: Europe/Berlin", column: column, zone: "null").cells
        == ["2026-07-05T09:00:00+02:00"])
  }

  @Test func `the zone's name may stand around the rows`() throws {
    let feed = try OwnFeed.read(
      OwnFeed.document("t: {kind: instant, zone: {from: $.meta.timezone}}"))
    let result = FeedRun(feed: feed)(
      #"{"meta":{"timezone":"Europe/Madrid"},"d":[{"t":"2026-07-05 09:00"},{"t":"2026-01-05 09:00"}]}"#
    )
    #expect(result.rows == ["2026-07-05T09:00:00+02:00", "2026-01-05T09:00:00+01:00"])
  }

  @Test(arguments: [
    ("clock: Europe/Berlin\n", ""), ("clock: UTC\n", ""), ("clock: Europe\n", ""),
    ("clock: \"3\"\n", #"4:8 badValue("3", key: "clock", .clock)"#),
    ("clock: ../x\n", #"4:8 badValue("../x", key: "clock", .clock)"#),
    ("gap: never\n", #"4:6 notAChoice("never", key: "gap", choices: ["reject", "later"])"#),
  ])
  func `the wrong forms of a clock have a place`(_ more: String, _ fault: String) {
    let found = OwnFeed.fault(OwnFeed.document("t: {kind: instant}", more))
    #expect(found == fault || !fault.isEmpty && found.hasPrefix("4:"), "\(found)")
  }

  @Test func `the wrong forms of a zone have a place`() {
    #expect(
      OwnFeed.fault(OwnFeed.document("t: {kind: day, zone: Europe/Berlin}")).hasPrefix("3:"))
    #expect(OwnFeed.fault(OwnFeed.document("t: {kind: instant, zone: 5}")).hasPrefix("3:"))
    #expect(OwnFeed.fault(OwnFeed.document("t: {kind: instant, zone: {of: x}}")).hasPrefix("3:"))
    #expect(
      OwnFeed.fault(OwnFeed.document("t: {kind: instant, zone: {from: t.x}}")).hasPrefix("3:"))
  }

  @Test(arguments: [
    (
      "t: {kind: instant}", "clock: Europe/Nowhere",
      #"4:8 unknownZone("Europe/Nowhere", key: "clock")"#
    ),
    ("t: {kind: instant}", "clock: GMT+33", #"4:8 unknownZone("GMT+33", key: "clock")"#),
    (
      "t: {kind: instant, zone: Europe/Londn}", "",
      #"3:36 unknownZone("Europe/Londn", key: "zone")"#
    ),
    (
      "d: {kind: day}, t: {kind: time}",
      "key: [t]\nevent: {summary: x, start: {day: d, time: t, zone: Bonn}}",
      #"5:52 unknownZone("Bonn", key: "zone")"#
    ),
    ("t: {kind: instant, zone: US/Pacific}", "clock: Europe/London", ""),
  ])
  func `a zone that does not exist has a place in the document`(
    _ columns: String, _ more: String, _ wanted: String
  ) {
    #expect(OwnFeed.fault(OwnFeed.document(columns, more)) == wanted)
  }
}
