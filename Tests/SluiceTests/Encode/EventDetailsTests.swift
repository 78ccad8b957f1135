import Testing

@testable import Sluice

/// What a calendar says about an event beside its time and its texts.
@Suite struct EventDetailsTests {
  private func lines(
    _ event: String, _ rows: String, _ names: String..., revision: String = ""
  ) throws -> [String] {
    let columns =
      "t: t, d: {kind: day}, s: s, u: u, la: {kind: decimal}, lo: {kind: decimal}"
    let feed = try OwnFeed.read(
      OwnFeed.document(columns, "key: [t]\nevent: {summary: '{t}', \(event)}"))
    let result = FeedRun(
      feed: feed, calendar: CalendarOptions(language: .en, alarms: ["PT1H"]))("{\"d\":[\(rows)]}")
    return result.lines.filter { line in names.contains { line.hasPrefix($0) } }
  }

  @Test func `the status is that of a column`() throws {
    let rows = ["canceled", "Tentative", "", "late"].enumerated()
      .map { #"{"t":"\#($0)","d":"2026-01-05","s":"\#($1)"}"# }.joined(separator: ",")
    #expect(
      try lines("status: {from: s, map: {canceled: CANCELLED}}", rows, "STATUS", "TRIGGER") == [
        "STATUS:CANCELLED", "STATUS:TENTATIVE", "TRIGGER:-PT1H", "STATUS:CONFIRMED",
        "TRIGGER:-PT1H", "STATUS:CONFIRMED", "TRIGGER:-PT1H",
      ])
    #expect(
      try lines("status: {from: s, map: {late: confirmed}, else: tentative}", rows, "STATUS")
        == ["STATUS:TENTATIVE", "STATUS:TENTATIVE", "STATUS:TENTATIVE", "STATUS:CONFIRMED"])
    #expect(
      try lines("status: s", rows, "STATUS").prefix(2) == ["STATUS:CONFIRMED", "STATUS:TENTATIVE"])
  }

  @Test(arguments: [
    ("https://example.org/a?b=c;d,e#f", "https://example.org/a?b=c;d,e#f"),
    ("http://example.org/A b\\\\c\\r\\nEND:VEVENT", "http://example.org/A%20b%5Cc%20END:VEVENT"),
    ("https://example.org/ж%d0%b6%zz%", "https://example.org/%D0%B6%d0%b6%25zz%25"),
    ("HTTPS://example.org", "HTTPS://example.org"),
    ("example.org", nil), ("javascript:alert(1)", nil), ("https://", nil), ("https:///x", nil),
    ("", nil), ("mailto:a@example.org", nil),
  ])
  func `an address is one, or is left out`(_ text: String, _ url: String?) throws {
    #expect(
      try lines("url: '{u}'", #"{"t":"x","d":"2026-01-05","u":"\#(text)"}"#, "URL", "END:VEVENT")
        == (url.map { ["URL:\($0)"] } ?? []) + ["END:VEVENT"])
  }

  @Test func `categories are columns and templates`() throws {
    let rows = #"{"t":"a,b","d":"2026-01-05","s":"x;y"},{"t":"c","d":"2026-01-06"}"#
    #expect(
      try lines("category: All, categories: [s, '{t} games', 'Some']", rows, "CATEG")
        == [#"CATEGORIES:All,x\;y,a\,b games,Some"#, "CATEGORIES:All,c games,Some"])
    #expect(try lines("categories: s", rows, "CATEG") == [#"CATEGORIES:x\;y"#])
  }

  @Test func `a place is on the earth, or is left out`() throws {
    let rows = [
      ("59.9386", "30.3141"), ("-90", "180"), ("5.5e1", "-0.12345678"), ("90.1", "0"),
      ("0", "180.0000001"), ("1", "null"),
    ].enumerated().map { #"{"t":"\#($0)","d":"2026-01-05","la":\#($1.0),"lo":\#($1.1)}"# }
      .joined(separator: ",")
    let wanted = ["GEO:59.9386;30.3141", "GEO:-90;180", "GEO:55;-0.123457"]
    #expect(try lines("geo: [la, lo]", rows, "GEO") == wanted)
    #expect(try lines("geo: {lon: lo, lat: la}", rows, "GEO") == wanted)
  }
}
