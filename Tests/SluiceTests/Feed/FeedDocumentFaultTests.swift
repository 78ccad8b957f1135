import Testing

@testable import Sluice

/// Each thing that can be wrong with a document is told with its line and column.
@Suite struct FeedDocumentFaultTests {
  private func fault(_ text: String) -> String { OwnFeed.fault(text) }

  private func columns(_ text: String) -> String {
    fault("feed: a\nrows: d[]\ncolumns:\n  \(text)")
  }

  private func event(_ text: String, _ columns: String = "t: t, d: {kind: day}") -> String {
    fault(OwnFeed.document(columns, "key: [t]\nevent:\n  \(text)"))
  }

  @Test func `the document itself`() {
    #expect(fault("") == "1:1 empty")
    #expect(fault("- a") == "1:1 wrongKind(key: nil, found: Kind.list, wanted: [Kind.mapping])")
    #expect(
      fault("feed: a\nfeed: b") == "2:1 yaml(YAMLFault.Problem.duplicateKey(\"feed\", line: 1))")
    #expect(fault("{feed: a").hasPrefix("2:1 yaml(YAMLFault.Problem.syntax("))
    #expect(fault("rows: d[]\ncolumns: {a: a}") == "1:1 missingKey(\"feed\", of: nil)")
    #expect(fault("feed: a\ncolumns: {a: a}") == "1:1 missingKey(\"rows\", of: nil)")
    #expect(fault("feed: a\nrows: d[]") == "1:1 missingKey(\"columns\", of: nil)")
    #expect(fault("feed: a\nrows:") == "2:6 noValue(\"rows\")")
    #expect(
      fault("feed: a\n  \nheader: x").hasPrefix(
        "3:1 unknownKey(\"header\", of: nil, allowed: [\"sluice\""))
  }

  @Test func `values of the document`() {
    func bad(_ line: String) -> String { fault("feed: a\n\(line)\nrows: d[]\ncolumns: {a: a}") }
    #expect(fault("feed: A b") == "1:7 badValue(\"A b\", key: \"feed\", Wanted.feedName)")
    #expect(bad("url: ftp://x") == "2:6 badValue(\"ftp://x\", key: \"url\", Wanted.url)")
    #expect(bad("url: \"https://x/\\\" y\"").hasPrefix("2:6 badValue("))
    #expect(bad("max-age: 3 h") == "2:10 badValue(\"3 h\", key: \"max-age\", Wanted.time)")
    #expect(bad("clock: 3") == "2:8 badValue(\"3\", key: \"clock\", Wanted.clock)")
    #expect(bad("clock: +25:00").hasPrefix("2:8 badValue("))
    #expect(
      bad("language: de") == "2:11 notAChoice(\"de\", key: \"language\", choices: [\"ru\", \"en\"])"
    )
    #expect(bad("summary: {en: x}") == "2:10 missingKey(\"ru\", of: Optional(\"summary\"))")
    #expect(
      bad("summary: [x]")
        == "2:10 wrongKind(key: Optional(\"summary\"), found: Kind.list, wanted: [Kind.text, Kind.mapping], keys: [\"ru\", \"en\"])"
    )
    #expect(
      bad("guards: {max-shrink: 25}")
        == "2:22 badValue(\"25\", key: \"max-shrink\", Wanted.percentage)")
    #expect(
      bad("guards: {shrink: 25%}")
        == "2:10 unknownKey(\"shrink\", of: Optional(\"guards\"), allowed: [\"max-shrink\"])")
    #expect(
      bad("headers: {A b: x}") == "2:11 badValue(\"A b\", key: \"headers\", Wanted.headerName)")
    #expect(bad("headers: {Range: x}").hasPrefix("2:11 badValue(\"Range\""))
    #expect(bad("headers: {A: [x]}").hasPrefix("2:14 wrongKind(key: Optional(\"A\")"))
  }

  @Test func `rows`() {
    func rows(_ text: String) -> String { fault("feed: a\nrows: \(text)\ncolumns: {a: a}") }
    #expect(rows("d") == "2:7 badPath(\"d\", PathFlaw.noList)")
    #expect(rows("$") == "2:7 badPath(\"$\", PathFlaw.noList)")
    for text in ["d[", "d..x[]", ".d[]", "d[]x", "d.[]", "d]", "d[01][]"] {
      #expect(rows("'\(text)'").hasSuffix("PathFlaw.syntax)"), "\(text)")
    }
    #expect(rows("d[0]").hasSuffix("PathFlaw.noList)"))
    #expect(rows("'[1][]'") == "2:7 badPath(\"[1][]\", PathFlaw.oneElement)")
    #expect(rows("{a: b}").hasPrefix("2:7 wrongKind(key: Optional(\"rows\"), found: Kind.mapping"))
  }

  @Test func `columns`() {
    #expect(columns("- a").hasPrefix("4:3 wrongKind(key: Optional(\"columns\")"))
    #expect(fault("feed: a\nrows: d[]\ncolumns: {}") == "3:10 noValue(\"columns\")")
    #expect(columns("a b: x") == "4:3 badValue(\"a b\", key: \"columns\", Wanted.columnName)")
    #expect(columns("1a: x").hasPrefix("4:3 badValue("))
    #expect(columns("a: ").hasSuffix("noValue(\"a\")"))
    #expect(
      columns("a: {kind: date}")
        == "4:13 notAChoice(\"date\", key: \"kind\", choices: [\"text\", \"verbatim\", \"integer\", \"decimal\", "
        + "\"day\", \"instant\", \"time\", \"period\", \"flag\", \"share\"])")
    #expect(columns("a: {type: day}").hasPrefix("4:7 unknownKey(\"type\", of: Optional(\"a\")"))
    #expect(
      columns("a: {required: yes}")
        == "4:17 badValue(\"yes\", key: \"required\", Wanted.trueOrFalse)")
    #expect(
      columns("a: {unix: seconds}") == "4:13 onlyFor(FieldKind.instant, key: \"unix\")")
    #expect(columns("a: {kind: instant, unix: hours}").hasPrefix("4:28 notAChoice(\"hours\""))
    #expect(columns("a: {kind: share}") == "4:6 missingKey(\"of\", of: Optional(\"a\"))")
    #expect(
      columns("a: {kind: share, of: b}") == "4:24 unknownColumn(\"b\", key: \"of\", columns: [])")
    #expect(
      columns("a: {kind: share, of: b}\n  b: x")
        == "4:24 columnOfOtherKind(\"b\", FieldKind.text, key: \"of\", columns: [])")
    #expect(
      columns("a: {kind: share, of: b, from: c}\n  b: {kind: decimal}")
        == "4:33 notForShares(\"from\")")
    #expect(columns("a: {of: b}") == "4:11 onlyFor(FieldKind.share, key: \"of\")")
    #expect(columns("a: {skip: x}") == "4:13 onlyFor(FieldKind.period, key: \"skip\")")
    #expect(
      columns("a: {kind: day, columns: [x, y]}")
        == "4:27 onlyFor(FieldKind.period, key: \"columns\")")
    #expect(columns("a: {kind: period, columns: [x]}") == "4:30 notTwoColumns(1)")
    #expect(columns("a: {kind: period, label: [x]}") == "4:28 notTwoLabels(1)")
    #expect(
      columns("a: {kind: period, label: x}").hasPrefix("4:28 wrongKind(key: Optional(\"label\")"))
    #expect(
      columns("a: {kind: period, label: {ru: [x, y], en: [x, y, z]}}") == "4:45 notTwoLabels(3)")
    #expect(columns("a: {label: [x, y]}").hasPrefix("4:14 wrongKind(key: Optional(\"label\")"))
    #expect(columns("a: {kind: period, columns: [x, x]}") == "4:34 duplicateColumn(\"x\")")
    // A database takes these for one.
    #expect(columns("A: x\n  a: y") == "5:3 duplicateColumn(\"a\")")
    #expect(columns("a: x\n  p: {kind: period}\n  q: {kind: period}") == "6:13 secondPeriod")
    #expect(columns("p_end: x\n  p: {kind: period}") == "5:3 duplicateColumn(\"p_end\")")
  }

  @Test func `many columns are told apart by their paths, and some share one`() {
    let many = (0..<200).map { "c\($0): x.k\($0)" }.joined(separator: "\n  ")
    #expect(columns(many) == "")
    #expect(columns(many + "\n  again: x.k150") == "")
    #expect(columns(many + "\n  inside: x.k150.y").hasSuffix("PathFlaw.taken(column: \"c150\"))"))
    #expect(columns(many + "\n  around: x").hasSuffix("PathFlaw.taken(column: \"c0\"))"))
    #expect(
      columns(many + "\n  e: x.l[0]\n  f: 'x.l[*]'").hasSuffix("PathFlaw.taken(column: \"e\"))"))
  }

  @Test func `paths of columns`() {
    #expect(columns("a: 'e[].x'") == "4:6 badPath(\"e[].x\", PathFlaw.otherList(rows: \"d[]\"))")
    #expect(columns("a: 'd[].x[].y'").hasSuffix("PathFlaw.otherList(rows: \"d[]\"))"))
    // One element of a list is a column's to read, where it is no row.
    #expect(columns("a: '$.d[0].x'").hasSuffix("PathFlaw.otherList(rows: \"d[]\"))"))
    #expect(columns("a: 'x[0].y'\n  b: 'x[0]'").hasSuffix("PathFlaw.taken(column: \"a\"))"))
    #expect(columns("a: 'x[0].y'\n  b: 'x[1]'\n  c: 'x[01]'").hasSuffix("PathFlaw.syntax)"))
    #expect(columns("a: 'd[]'") == "4:6 badPath(\"d[]\", PathFlaw.onTheWay)")
    #expect(columns("a: $.d") == "4:6 badPath(\"d\", PathFlaw.onTheWay)")
    #expect(columns("a: $") == "4:6 badPath(\"$\", PathFlaw.onTheWay)")
    // Elements of the row itself are read by their places only.
    #expect(columns("a: '[k=v].x'") == "4:6 badPath(\"d[][k=v].x\", PathFlaw.picksOfRow)")
    #expect(columns("a: '[*].x'").hasSuffix("PathFlaw.picksOfRow)"))
    #expect(columns("a: {first: ['x', '[*].x']}").hasSuffix("PathFlaw.picksOfRow)"))
    #expect(columns("a: '$[k=v].x'").hasSuffix("PathFlaw.picksOfRow)"))
    #expect(columns("a: '[0].x'\n  b: '[1]'") == "")
    // Two columns may be made of one value.
    #expect(columns("a: x\n  b: x\n  x: {}") == "")
    #expect(columns("a: x.y\n  b: x") == "5:6 badPath(\"d[].x\", PathFlaw.taken(column: \"a\"))")
    #expect(columns("a: x\n  b: x.y").hasPrefix("5:6 badPath(\"d[].x.y\""))
  }

  @Test func `keys`() {
    func key(_ text: String) -> String {
      fault(OwnFeed.document("t: t, d: {kind: period, columns: [d, e]}", "key: \(text)"))
    }
    #expect(key("t").hasPrefix("4:6 wrongKind(key: Optional(\"key\"), found: Kind.text"))
    #expect(key("[]") == "4:6 noValue(\"key\")")
    #expect(key("[x]") == "4:7 unknownColumn(\"x\", key: \"key\", columns: [\"t\"])")
    #expect(
      key("[t, d]")
        == "4:10 columnOfOtherKind(\"d\", FieldKind.period, key: \"key\", columns: [\"t\"])")
    #expect(key("{as: k}") == "4:6 missingKey(\"columns\", of: Optional(\"key\"))")
    #expect(key("{columns: [t], unique: true}") == "4:17 keyNotRequired(\"t\")")
    #expect(
      key("{columns: [t], unique: 1}")
        == "4:29 badValue(\"1\", key: \"unique\", Wanted.trueOrFalse)")
    #expect(key("{columns: [t], as: D}") == "4:25 duplicateColumn(\"D\")")
    #expect(key("{columns: [t], as: d}") == "4:25 duplicateColumn(\"d\")")
  }

  @Test func `events`() {
    #expect(
      fault(OwnFeed.document("d: {kind: day}", "event: {summary: x}")) == "4:8 eventWithoutKey")
    #expect(event("start: d") == "6:3 missingKey(\"summary\", of: Optional(\"event\"))")
    #expect(
      event("summary: x", "t: t, a: {kind: day}, b: {kind: day}")
        == "6:3 missingKey(\"start\", of: Optional(\"event\"))")
    #expect(event("summary: x", "t: t") == "6:3 missingKey(\"start\", of: Optional(\"event\"))")
    #expect(
      event("{summary: x, start: t}")
        == "6:23 columnOfOtherKind(\"t\", FieldKind.text, key: \"start\", columns: [\"d\"])")
    #expect(
      event("{summary: x, start: e}")
        == "6:23 unknownColumn(\"e\", key: \"start\", columns: [\"d\"])")
    #expect(event("{summary: x, start: d, end: d}").hasPrefix("6:31 columnOfOtherKind(\"d\""))
    #expect(
      event("{summary: x, start: d, end: i}", "t: t, d: {kind: day}, i: {kind: instant}")
        == "6:31 columnOfOtherKind(\"i\", FieldKind.instant, key: \"end\", columns: [\"d\"])")
    #expect(
      event("{summary: x, color: bleu}") == "6:23 badValue(\"bleu\", key: \"color\", Wanted.color)")
    for refresh in ["daily", "P", "PT", "P1H", "PT1D", "P1DT", "1y"] {
      #expect(event("{summary: x, refresh: \(refresh)}").hasSuffix("Wanted.refresh)"))
    }
    #expect(event("{summary: x, alarm: 1}").hasSuffix("Wanted.time)"))
  }

  @Test func `templates`() {
    func template(_ text: String) -> String { event("summary: \"\(text)\"") }
    #expect(template("{t}, {no. t} {d} {on days}") == "")
    #expect(template("words alone") == "")
    #expect(template("{t") == "6:12 badTemplate(key: \"summary\", TemplateFlaw.brace)")
    #expect(template("t}").hasSuffix("TemplateFlaw.brace)"))
    #expect(template("{t}}").hasSuffix("TemplateFlaw.brace)"))
    #expect(template("{a {t}}").hasSuffix("TemplateFlaw.brace)"))
    #expect(template("{t} {}").hasSuffix("TemplateFlaw.empty)"))
    #expect(template("{ }").hasSuffix("TemplateFlaw.empty)"))
    #expect(template("{t} at {d}{t} ") == "")
    #expect(
      template("{T}")
        == "6:12 unknownColumn(\"T\", key: \"summary\", columns: [\"t\", \"d\", \"days\"])")
  }

  @Test func `envelopes`() {
    func envelope(_ text: String) -> String {
      fault("feed: a\nenvelope: {\(text)}\nrows: d[]\ncolumns: {a: a}")
    }
    let match = "match: {path: 'l[].id', is: 4}"
    #expect(envelope("payload: x.y, status: {path: s, is: ok}, version: x.v") == "")
    #expect(envelope("payload: 'l[].f', \(match), version: 'l[].v'") == "")
    #expect(
      envelope("status: {path: s, is: ok}").hasSuffix(
        "missingKey(\"payload\", of: Optional(\"envelope\"))"))
    #expect(envelope("payload: 'l[]'").hasSuffix("PathFlaw.syntax)"))
    #expect(envelope("payload: 'l[0].f'").hasSuffix("PathFlaw.oneElement)"))
    #expect(envelope("payload: 'l[].f'") == "2:21 badPath(\"l[].f\", PathFlaw.listWithoutMatch)")
    #expect(envelope("payload: f, match: {path: i, is: 4}").hasSuffix("PathFlaw.matchWithoutList)"))
    #expect(
      envelope("payload: 'l[].m[].f', match: {path: 'l[].m[].i', is: 4}").hasSuffix(
        "PathFlaw.matchWithoutList)"))
    #expect(
      envelope("payload: 'l[].f', match: {path: 'm[].id', is: 4}").hasSuffix(
        "PathFlaw.notBeside(payload: \"l[]\"))"))
    #expect(envelope("payload: x.f, version: v").hasSuffix("PathFlaw.notBeside(payload: \"x\"))"))
    #expect(
      envelope("payload: f, status: {path: 's[].a', is: 1}").hasSuffix("PathFlaw.matchWithoutList)")
    )
    #expect(
      envelope("payload: f, status: {path: s}").hasSuffix(
        "missingKey(\"is\", of: Optional(\"status\"))"))
  }

  @Test func `a document cut anywhere, or with any byte changed, is read or refused`() throws {
    let bytes = try #require(Feed.document(named: "hot-water"))
    for end in stride(from: 0, to: bytes.count, by: 7) {
      _ = try? FeedDocument.read(Array(bytes[..<end]))
    }
    for index in stride(from: 0, to: bytes.count, by: 3) {
      for byte in [0x00, 0x0A, 0x22, 0x26, 0x2D, 0x3A, 0x5B, 0x7B, 0x7D, 0x80] as [UInt8] {
        var changed = bytes
        changed[index] = byte
        _ = try? FeedDocument.read(changed)
      }
    }
  }
}

/// The columns in which people search, as a document names them.
@Suite struct SearchRuleTests {
  private func rule(_ search: String, _ more: String = "") throws(FeedDocumentFault) -> SearchRule?
  {
    try Feed(
      yaml: """
        feed: a
        rows: "[]"
        columns: {city: city, street: street, house: house, day: {kind: day}}
        \(search.isEmpty ? "" : "search: \(search)")
        \(more)
        """
    ).tables[0].search
  }

  private func fault(_ search: String, _ more: String = "") -> String {
    do throws(FeedDocumentFault) {
      _ = try rule(search, more)
      return ""
    } catch {
      return "\(error.line):\(error.column) \(error.problem)"
    }
  }

  @Test func `parts, lists, and nothing`() throws {
    #expect(
      try rule("{house: house, street: street, locality: city}")?.items == [
        .init(column: "city", part: .locality), .init(column: "street", part: .street),
        .init(column: "house", part: .house),
      ])
    #expect(try rule("[street, city]")?.items == [.init(column: "street"), .init(column: "city")])
    #expect(try rule("") == nil)
  }

  @Test func `a server's search may stand beside the columns`() throws {
    let url = "url: https://example.org/a"
    #expect(try rule("{parameter: q}", url) == nil)
    #expect(try rule("{parameter: q, columns: [street]}", url)?.items == [.init(column: "street")])
    #expect(try rule("{least: 3, parameter: q, street: street}", url)?.items.count == 1)
    #expect(fault("{parameter: q}").hasSuffix(#"keyWants("search", other: "url")"#))
  }

  @Test(arguments: [
    ("{street: steret}", #"unknownColumn("steret", key: "street", columns: ["city", "#),
    ("[day]", #"columnOfOtherKind("day", "#),
    ("{sreet: street}", #"unknownKey("sreet", of: Optional("search"), allowed: ["locality""#),
    ("{street: street, letter: house}", #"keyWants("letter", other: "house")"#),
    ("{house: house}", #"keyWants("house", other: "street")"#),
    ("{street: street, house: street}", #"duplicateColumn("street")"#),
    ("[street, street]", #"duplicateColumn("street")"#),
    ("{columns: [street], street: street}", #"keyBeside("street", other: "columns")"#),
    ("street", #"wrongKind(key: Optional("search")"#), ("[]", "noValue(\"search\")"),
  ])
  func `what is wrong is told at its place`(search: String, problem: String) {
    let told = fault(search)
    #expect(told.hasPrefix("4:") && told.contains(problem), "\(told)")
  }

  @Test func `the columns of several tables are not searched`() {
    let document = """
      feed: a
      tables: {t: {rows: "[]", columns: {a: a}}}
      search: [a]
      """
    #expect(throws: FeedDocumentFault.self) { try Feed(yaml: document) }
  }
}
