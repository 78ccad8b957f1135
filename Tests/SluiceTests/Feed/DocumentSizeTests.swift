import Testing

@testable import Sluice

/// Documents as large as they may be, with long lists of every kind. Time that grows with the
/// square of a list would make these tests take minutes.
@Suite struct DocumentSizeTests {
  private func fault(_ text: String) -> String {
    #expect(text.utf8.count <= YAMLNode.limit)
    return OwnFeed.fault(text)
  }

  /// As many of these pieces as a document has room for. Each has its own number.
  private static func many(_ piece: (Int) -> String) -> String {
    var text = ""
    var number = 0
    while text.utf8.count < YAMLNode.limit - 4096 {
      text += piece(number)
      number += 1
    }
    return text
  }

  @Test(arguments: [
    (512, ""), (513, "2:7 badPath("), (20_000, "2:7 badPath("), (120_000, "2:7 badPath("),
  ])
  func `a path has as many steps as data has levels`(_ steps: Int, _ problem: String) {
    let path = String(repeating: "[]", count: steps)
    let fault = fault("feed: a\nrows: \"\(path)\"\ncolumns: {a: $.b.c}")
    #expect(fault.hasPrefix(problem))
    #expect(steps == 512 || fault.hasSuffix("PathFlaw.tooLong(limit: 512))"))
  }

  @Test func `the steps of rows and column count together`() {
    let rows = String(repeating: "[]", count: 511)
    #expect(fault("feed: a\nrows: \"\(rows)\"\ncolumns: {a: b}") == "")
    #expect(
      fault("feed: a\nrows: \"\(rows)\"\ncolumns: {a: b.c}")
        .hasSuffix("PathFlaw.tooLong(limit: 512))"))
    let keys = Self.many { _ in "a, " }
    #expect(fault("feed: a\nrows: d[]\ncolumns: {a: [\(keys)a]}").contains("tooLong"))
  }

  @Test func `a path of many lists takes memory in proportion to its length`() throws {
    let rows = String(repeating: "[]", count: 511)
    let feed = try OwnFeed.read("feed: a\nrows: \"\(rows)\"\ncolumns: {a: b}")
    let tree = PathTree([feed.tables[0].rows] + feed.tables[0].fields.map(\.path))
    #expect(tree.nodes.count == 513 && tree.way == Array(0...511))
    let json =
      String(repeating: "[", count: 511) + #"{"b":"x"}"# + String(repeating: "]", count: 511)
    #expect(FeedRun(feed: feed)(json).rows == ["x"])
  }

  private static func columns(_ count: Int) -> String {
    (0..<count).map { "c\($0): v\($0)" }.joined(separator: ", ")
  }

  @Test(arguments: [(1000, ""), (1001, "3:"), (14_000, "3:")])
  func `a document has at most a thousand columns`(_ count: Int, _ problem: String) {
    let fault = fault("feed: a\nrows: d[]\ncolumns: {\(Self.columns(count))}")
    #expect(fault.hasPrefix(problem))
    #expect(count == 1000 ? fault == "" : fault.hasSuffix("tooMany(\"columns\", limit: 1000)"))
  }

  @Test func `the columns of all tables count together`() {
    func tables(_ counts: Int...) -> String {
      let tables = counts.enumerated().map { index, count in
        "  t\(index): {rows: \"t\(index)[]\", columns: {\(Self.columns(count))}}\n"
      }
      return fault("feed: a\ntables:\n\(tables.joined())")
    }
    #expect(tables(500, 500) == "")
    #expect(tables(500, 500, 1) == "5:3 tooMany(\"columns\", limit: 1000)")
  }

  @Test func `a document has at most a thousand tables, views, values and URLs`() {
    let tables = Self.many { "  t\($0): {rows: \"t[]\", columns: {a: a}}\n" }
    #expect(fault("feed: a\ntables:\n\(tables)").hasSuffix("tooMany(\"tables\", limit: 1000)"))
    let views = Self.many { "  v\($0): {table: t, order: [a]}\n" }
    let table = "feed: a\ntables: {t: {rows: \"t[]\", columns: {a: a}}}\n"
    #expect(fault(table + "views:\n\(views)").hasSuffix("tooMany(\"views\", limit: 1000)"))
    let urls = Self.many { "  u\($0): http://h/\($0)\n" }
    #expect(
      fault("feed: a\nrows: d[]\ncolumns: {a: a}\nurl:\n\(urls)")
        .hasSuffix("tooMany(\"url\", limit: 1000)"))
    let values = Self.many { "    w\($0): {texts: a}\n" }
    #expect(
      fault(
        OwnFeed.document("a: a, d: {kind: day}", "key: [a]\n")
          + "event:\n  summary: x\n  each: day\n  values:\n\(values)"
      ).hasSuffix("tooMany(\"values\", limit: 1000)"))
  }

  @Test func `long lists of names are read in one go`() {
    let items = "url: http://h/\nparameters: {q: \"{i}\"}\nitems: {list: l, as: i, start: ["
    let names = Self.many { "Name\($0), " }
    #expect(fault(OwnFeed.document("a: a") + items + names + "last]}") == "")
    #expect(fault(OwnFeed.document("a: a") + items + names + "NAME0]}").hasSuffix("(\"NAME0\")"))
    let key = Self.many { _ in "a, " }
    #expect(fault(OwnFeed.document("a: a", "key: [\(key)a]")).hasSuffix("duplicateItem(\"a\")"))
    let columns = Self.columns(1000)
    let known = (0..<1000).map { "c\($0)" }.joined(separator: ", ")
    #expect(fault(OwnFeed.document(columns, "key: [\(known)]")) == "")
    let parameters = Self.many { "  p\($0): $V\($0)\n" }
    #expect(fault(OwnFeed.document("a: a") + "url: http://h/\nparameters:\n" + parameters) == "")
  }

  @Test func `long templates are read in one go`() throws {
    let columns = Self.columns(998) + ", d: {kind: day}"
    let template = Self.many { "{c\($0 % 998)} " }.prefix(YAMLNode.limit - 32_000)
    let end = template.lastIndex(of: "}") ?? template.endIndex
    let feed = try OwnFeed.read(
      OwnFeed.document(columns, "key: [c0]\nevent: {summary: \"\(template[...end])\"}"))
    #expect(feed.tables[0].event?.summary.en.clauses.first?.count ?? 0 > 30_000)
  }

  @Test func `columns deep in the document are compared in one walk`() {
    let rows = "a." + (0..<500).map { "b\($0)" }.joined(separator: ".") + "[]"
    let columns = Self.columns(1000)
    #expect(fault("feed: a\nrows: \(rows)\ncolumns: {\(columns)}") == "")
    #expect(
      fault("feed: a\nrows: \(rows)\ncolumns: {x: v0, y: v0.w}")
        .hasSuffix("taken(column: \"x\"))"))
    #expect(
      fault("feed: a\nrows: \(rows)\ncolumns: {x: v0.w, y: v0}")
        .hasSuffix("taken(column: \"x\"))"))
  }

  @Test func `equal names are found whatever the case of their letters`() {
    #expect(fault(OwnFeed.document("a: a, A: b")).hasSuffix("duplicateColumn(\"A\")"))
    #expect(
      fault("feed: a\ntables: {t: {rows: \"t[]\", columns: {a: a}, marks: [b, B]}}")
        .hasSuffix("duplicateColumn(\"B\")"))
    #expect(
      fault("feed: a\ntables: {t: {rows: \"t[]\", columns: {a: a}}}\nviews: {T: {table: t}}")
        .hasSuffix("duplicateColumn(\"T\")"))
  }
}
