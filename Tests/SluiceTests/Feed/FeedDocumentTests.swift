import Testing

@testable import Sluice

@Suite struct FeedDocumentTests {
  @Test func `the least that a feed can say`() throws {
    let feed = try OwnFeed.read("feed: a\nrows: '[]'\ncolumns: {b: b}")
    #expect(
      feed
        == Feed(
          name: "a", summary: Localized(ru: "a", en: "a"), maxAge: 3600, language: .en,
          clock: .written, rows: [.each],
          fields: [Field(path: [.each, "b"], kind: .text, columns: ["b"])]))
    #expect(!feed.table.keepsLedger)
    #expect(feed.table.keyNumberIndex == nil)
  }

  @Test func `JSON is a document too`() throws {
    let json = #"{"feed": "a", "rows": "x[]", "columns": {"b": {"kind": "day", "required": true}}}"#
    let feed = try OwnFeed.read(json)
    #expect(feed.fields[0].kind == .day)
    #expect(feed.fields[0].isRequired)
  }

  @Test func `everything that can be said`() throws {
    let feed = try OwnFeed.read(
      """
      feed: a-1
      summary: {ru: а, en: b}
      url: https://h/p?q=1
      headers: {X-Key: $KEY, Accept: text/plain}
      max-age: 90s
      language: ru
      clock: "-03:30"
      envelope: {payload: a.b}
      rows: x.y[]
      columns:
        n: {from: [k.1, '[x]'], kind: integer}
        c: {from: $.city, kind: flag}
        p: {kind: period, skip: none}
      key: [n, c]
      event:
        calendar: Cal
        refresh: PT6H
        summary: {ru: "Ц: {n}", en: "{no. n}, {c} {days}"}
        alarm: 2h
      guards: {max-shrink: 12.5%}
      """)
    #expect(feed.headers.map(\.name) == ["X-Key", "Accept"])
    #expect(feed.maxAge == 90 && feed.language == .ru && feed.clock == .offset(-12_600))
    #expect(feed.maxShrink == ShrinkLimit(millionths: 125_000))
    #expect(
      feed.envelope == Envelope(status: nil, match: nil, payload: ["a", "b"], version: nil))
    #expect(feed.fields[0].path == ["x", "y", .each, "k.1", "[x]"])
    #expect(feed.fields[1].path == ["city"])
    #expect(feed.columns == ["n", "c", "p_start", "p_end"])
    #expect(feed.table.filterColumns == ["n", "c"])
    #expect(feed.table.dayColumns == ["p_start", "p_end"])
    #expect(feed.table.keyNumberIndex == 4 && feed.table.width == 5)
    let event = try #require(feed.event)
    #expect((event.start, event.end ?? "", event.alarm ?? "") == ("p_start", "p_end", "PT2H"))
    #expect(event.refresh == "PT6H" && event.color == nil && event.location == nil)
    #expect(event.summary.ru.prefix == "Ц: ")
    #expect(event.summary.en.clauses.map(\.count) == [1, 2])
    #expect(feed.table.keepsLedger)
  }

  @Test func `a path counts from the row, or from the document`() throws {
    func path(_ text: String) throws -> Path {
      try OwnFeed.read("feed: a\nrows: a[].b[]\ncolumns:\n  c: {from: \(text)}").fields[0].path
    }
    let row: Path = ["a", .each, "b", .each]
    #expect(try path("x") == Path(row.steps + ["x"]))
    #expect(try path("№ дома") == Path(row.steps + ["№ дома"]))
    #expect(try path("x.y") == Path(row.steps + ["x", "y"]))
    #expect(try path("[x.y, z]") == Path(row.steps + ["x.y", "z"]))
    #expect(try path("'a[].isin'") == ["a", .each, "isin"])
    #expect(try path("'a[].b[].z.y'") == Path(row.steps + ["z", "y"]))
    #expect(try path("'x[0].y'") == Path(row.steps + ["x", .element(0), "y"]))
    #expect(try path("'x[12]'") == Path(row.steps + ["x", .element(12)]))
    #expect(try path("[x, '[3]', '[b]']") == Path(row.steps + ["x", .element(3), "[b]"]))
    #expect(try path("'$.c[1]'") == ["c", .element(1)])
    #expect(try path("$.city") == ["city"])
    #expect(try path("[$, a.b]") == ["a.b"])
    #expect(try path("[a, '[]', i.n]") == ["a", .each, "i.n"])
  }

  @Test func `a header's value may come from the environment`() {
    func line(_ value: String) -> String {
      var missing: String?
      let header = Feed.Header(name: "X", value: value)
      let line = header.line({ $0 == "A_1" ? "secret" : nil }, missing: &missing)
      return line ?? "no \(missing ?? "")"
    }
    #expect(line("$A_1") == "X: secret")
    #expect(line("Bearer $A_1, $A_1.") == "X: Bearer secret, secret.")
    #expect(line("$B") == "no B")
    #expect(line("5$ and $a $1 $") == "X: 5$ and $a $1 $")
  }

  @Test func `labels of columns`() throws {
    let feed = try OwnFeed.read(
      OwnFeed.document(
        "t: {label: {ru: Имя, en: Name}}, u: {label: U}, v: v, "
          + "p: {kind: period, label: {ru: [С, По], en: [From, To]}}",
        "key: {columns: [t], as: id, label: ID}"))
    let columns = feed.table.columns
    #expect(columns.map(\.name) == ["t", "u", "v", "p_start", "p_end", "id"])
    #expect(columns.map { $0.heading(in: .ru) } == ["Имя", "U", "v", "С", "По", "ID"])
    #expect(columns.map { $0.heading(in: .en) } == ["Name", "U", "v", "From", "To", "ID"])
    #expect(feed.table.filterColumn("имя") == "t")
    #expect(feed.table.filterColumn("ID") == "id")
    let period = try OwnFeed.read(
      OwnFeed.document("p: {kind: period, label: [Begin, End]}", ""))
    #expect(period.table.columns.map { $0.heading(in: .ru) } == ["Begin", "End"])
  }

  @Test func `the label of a key's column needs the column`() {
    #expect(throws: FeedDocumentFault.self) {
      try OwnFeed.read(OwnFeed.document("t: t", "key: {columns: [t], label: ID}"))
    }
  }

  @Test func `days of events`() throws {
    func days(_ columns: String, _ event: String) throws -> (Int, Int, EventTime) {
      let feed = try OwnFeed.read(
        OwnFeed.document(columns, "key: [t]\nevent: {summary: '{t}'\(event)}"))
      let fields = try #require(feed.table.dayFields)
      return (fields.first, fields.last, feed.table.eventTime)
    }
    let day = "t: t, a: {kind: day}, b: {kind: day}"
    #expect(try days("t: t, a: {kind: day}", "") == (1, 1, .days))
    #expect(try days(day, ", start: b") == (2, 2, .days))
    #expect(try days(day, ", start: b, end: a") == (2, 1, .days))
    let instant = "t: t, a: {kind: instant}, b: {kind: instant}"
    #expect(try days(instant, ", start: a") == (1, 1, .instants(start: 1, end: nil)))
    #expect(try days(instant, ", start: a, end: b") == (1, 2, .instants(start: 1, end: 2)))
    let both = "t: t, a: {kind: day}, p: {kind: period, columns: [x, y]}"
    #expect(try days(both, "") == (2, 2, .days))
    #expect(try days(both, ", start: x, end: y") == (2, 2, .days))
  }
}
