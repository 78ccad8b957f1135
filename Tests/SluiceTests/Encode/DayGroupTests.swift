import Testing

@testable import Sluice

/// Events that are made of all rows of one key and day.
@Suite struct DayGroupTests {
  private static let values =
    "{low: {least: v}, high: {greatest: v}, span: {range: v, round: 0, unit: {ru: г, en: °C}}, "
    + "total: {sum: r, unit: mm}, falls: {texts: d}}"
  private static let summary = "'{c}, {span}, {from low} {to high}, {rain total}, {falls}'"

  private func feed(_ more: String = "") throws -> Feed {
    try OwnFeed.read(
      OwnFeed.document(
        "c: c, t: {kind: instant}, v: {kind: decimal}, r: {kind: decimal}, d: d",
        "key: [c]\nevent: {each: day, summary: \(Self.summary), values: \(Self.values)\(more)}"))
  }

  private func run(_ rows: [String], _ change: (inout FeedRun) -> Void = { _ in }) throws
    -> FeedResult
  {
    var run = FeedRun(feed: try feed(), calendar: CalendarOptions(language: .en))
    change(&run)
    return run("{\"d\":[\(rows.joined(separator: ","))]}")
  }

  private func row(_ city: String, _ time: String, _ rest: String = "") -> String {
    "{\"c\":\"\(city)\",\"t\":\"\(time)\"\(rest)}"
  }

  private func lines(_ result: FeedResult, _ names: String...) -> [String] {
    result.lines.filter { line in names.contains { line.hasPrefix($0) } }
  }

  @Test func `rows by the hour become an event by the day, and stay rows by the hour`() throws {
    let result = try run([
      row("Minsk", "2026-11-21T21:00:00+03:00", #","v":-3.170,"d":"overcast""#),
      row("Minsk", "2026-11-21T23:59:59+03:00", #","v":2.4,"r":1.02,"d":"light snow""#),
      row("Minsk", "2026-11-22T00:00:00+03:00", #","v":-0.4,"r":0,"d":"overcast""#),
      row("Moscow", "2026-11-22T00:00:00+03:00", #","v":-0.4,"r":0.1,"d":"snow""#),
      row("Moscow", "2026-11-22T03:00:00+03:00", #","v":-10,"r":0.2,"d":"snow""#),
    ])
    #expect(result.error == nil)
    #expect(
      lines(result, "SUMMARY", "DTSTART", "DTEND") == [
        "DTSTART;VALUE=DATE:20261121", "DTEND;VALUE=DATE:20261122",
        #"SUMMARY:Minsk\, -3…2 °C\, from -3.170 to 2.4\, rain 1.02 mm\, overcast\, light snow"#,
        "DTSTART;VALUE=DATE:20261122", "DTEND;VALUE=DATE:20261123",
        #"SUMMARY:Minsk\, 0 °C\, from -0.4 to -0.4\, rain 0 mm\, overcast"#,
        "DTSTART;VALUE=DATE:20261122", "DTEND;VALUE=DATE:20261123",
        #"SUMMARY:Moscow\, -10…0 °C\, from -10 to -0.4\, rain 0.3 mm\, snow"#,
      ])
    #expect(result.rows.count == 5)
    #expect(result.statistics.events == 3)
    #expect(Set(lines(result, "UID")).count == 3)
    #expect(lines(result, "UID").allSatisfy { $0.hasSuffix("-2026-1@own.sluice") })
  }

  @Test func `an event is the same whatever days and cities stand before it`() throws {
    let rows = [
      row("Minsk", "2026-11-21T12:00:00Z"), row("Minsk", "2026-11-22T12:00:00Z"),
      row("Moscow", "2026-11-22T12:00:00Z"),
    ]
    let all = lines(try run(rows), "UID")
    #expect(all.count == 3)
    for index in rows.indices {
      #expect(lines(try run([rows[index]]), "UID") == [all[index]])
    }
    // As everywhere, case and `ё` make no other city.
    #expect(
      lines(try run([row("Королёв", "2026-11-21T12:00:00Z")]), "UID")
        == lines(try run([row("КОРОЛЕВ", "2026-11-21T12:00:00Z")]), "UID"))
  }

  @Test func `of what no row has nothing is said`() throws {
    let result = try run([
      row("Minsk", "2026-11-21T12:00:00Z", #","v":null,"d":"""#),
      row("Minsk", "2026-11-21T15:00:00Z", #","d":"fog""#), "{\"c\":\"Minsk\",\"v\":5}",
      "{\"t\":\"2026-11-21T15:00:00Z\",\"v\":1}",
    ])
    #expect(
      lines(result, "SUMMARY") == [
        #"SUMMARY:Minsk\, fog"#, #"SUMMARY:1 °C\, from 1 to 1"#,
      ])
  }

  @Test func `rows are chosen first, then put together`() throws {
    let rows = [
      row("Minsk", "2026-11-20T12:00:00Z", #","v":1"#),
      row("Minsk", "2026-11-21T12:00:00Z", #","v":2,"d":"fog""#),
      row("Minsk", "2026-11-21T15:00:00Z", #","v":3,"d":"rain""#),
      row("Moscow", "2026-11-21T12:00:00Z", #","v":4"#),
    ]
    let days = try run(rows) { ($0.from, $0.to) = (Day(iso: "2026-11-21"), Day(iso: "2026-11-21")) }
    #expect(
      lines(days, "SUMMARY") == [
        #"SUMMARY:Minsk\, 2…3 °C\, from 2 to 3\, fog\, rain"#,
        #"SUMMARY:Moscow\, 4 °C\, from 4 to 4"#,
      ])
    let foggy = try run(rows) { $0.conditions = [Condition(column: "d", value: "fog")] }
    #expect(lines(foggy, "SUMMARY") == [#"SUMMARY:Minsk\, 2 °C\, from 2 to 2\, fog"#])
  }

  @Test func `rows of a day that stand apart are an error that names them`() throws {
    let result = try run([
      row("Minsk", "2026-11-21T12:00:00Z"), row("Moscow", "2026-11-21T12:00:00Z"),
      row("Minsk", "2026-11-21T15:00:00Z"),
    ])
    let day = try #require(Day(iso: "2026-11-21"))
    #expect(result.fault == .groupApart(key: ["Minsk"], day: day))
    #expect(result.error?.record == 3)
  }

  @Test func `a number that cannot be reckoned with is an error that names it`() throws {
    let result = try run([
      row("Minsk", "2026-11-21T12:00:00Z", #","v":1"#),
      row("Minsk", "2026-11-21T15:00:00Z", #","v":1e400"#),
    ])
    #expect(result.fault == .notReckonable(column: "v", value: "1e400"))
    #expect(result.error?.record == 2)
  }

  @Test func `many texts end in a hint that there are more`() throws {
    let rows = (0..<100).map { row("Minsk", "2026-11-21T12:00:00Z", #","d":"t\#($0)""#) }
    let summary = try #require(lines(try run(rows), "SUMMARY").first)
    #expect(summary.hasSuffix(#"t30\, t31\, …"#))
  }

  @Test func `cut anywhere, the calendar is the same`() throws {
    let json =
      "{\"d\":[" + row("Минск", "2026-11-21T12:00:00Z", #","v":-1,"d":"снег, дождь""#) + ","
      + row("Минск", "2026-11-21T15:00:00Z", #","v":1.5,"r":0.5"#) + "]}"
    let run = FeedRun(feed: try feed(), calendar: CalendarOptions(language: .ru))
    let whole = run(json)
    #expect(whole.lines.contains { $0.hasPrefix(#"SUMMARY:Минск\, -1…2 г\, "#) })
    for length in 1...31 { #expect(run(json, cut: .pieces(length)).isSame(as: whole)) }
  }

  @Test func `such a feed keeps no ledger`() throws {
    let feed = try OwnFeed.read(
      OwnFeed.document("c: c, t: {kind: day}", "key: [c]\nevent: {each: day, summary: '{c} {t}'}"))
    #expect(!feed.table.keepsLedger)
    let result = FeedRun(feed: feed, calendar: CalendarOptions(language: .en))(
      #"{"d":[{"c":"a","t":"1.2.2026"},{"c":"a","t":"2026-02-01"}]}"#)
    #expect(lines(result, "SUMMARY") == ["SUMMARY:a 2026-02-01"])
  }

  @Test(arguments: [
    ("each: week, summary: s", #"notAChoice("week", key: "each", choices: ["day"])"#),
    ("values: {a: {sum: n}}, summary: s", #"keyWants("values", other: "each")"#),
    ("each: day, end: t, summary: s", #"keyBeside("end", other: "each")"#),
    (
      "each: day, summary: '{n}'",
      #"unknownColumn("n", key: "summary", columns: ["c", "t", "days"])"#
    ),
    (
      "each: day, summary: s, values: {a: {sum: n, least: n}}",
      #"notOneOf(["least", "greatest", "range", "sum", "texts"], of: "a")"#
    ),
    (
      "each: day, summary: s, values: {a: {sum: c}}",
      #"columnOfOtherKind("c", FieldKind.text, key: "sum", columns: ["n"])"#
    ),
    (
      "each: day, summary: s, values: {a: {texts: c, round: 1}}",
      #"onlyForNumbers("round")"#
    ),
    (
      "each: day, summary: s, values: {a: {sum: n, round: 10}}",
      #"badValue("10", key: "round", Wanted.count(most: 9))"#
    ),
    ("each: day, summary: s, values: {c: {sum: n}}", #"duplicateColumn("c")"#),
    (
      "each: day, summary: s, values: {days: {sum: n}}",
      #"badValue("days", key: "values", Wanted.columnName)"#
    ),
  ])
  func `a document that is wrong is told so`(_ event: String, _ problem: String) {
    let fault = OwnFeed.fault(
      OwnFeed.document(
        "c: c, t: {kind: instant}, n: {kind: decimal}", "key: [c]\nevent: {\(event)}"))
    #expect(fault.drop { $0 != " " }.dropFirst() == problem)
  }

  @Test func `a period is no day to put rows together by`() {
    #expect(
      OwnFeed.fault(
        OwnFeed.document("c: c, p: {kind: period}", "key: [c]\nevent: {each: day, summary: s}")
      )
      .contains("missingKey(\"start\""))
    #expect(
      OwnFeed.fault(
        OwnFeed.document(
          "c: c, p: {kind: period}", "key: [c]\nevent: {each: day, start: p_start, summary: s}")
      ).contains("columnOfOtherKind"))
  }
}
