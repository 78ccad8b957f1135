import Testing

@testable import Sluice

/// Documents of several tables.
@Suite struct DocumentTablesTests {
  private func fault(_ tables: String, _ more: String = "") -> String {
    OwnFeed.fault("feed: a\ntables:\n  \(tables)\n\(more)")
  }

  @Test func `tables refer to each other, whatever comes first`() throws {
    let text = """
      feed: a
      tables:
        notes:
          rows: notes[]
          columns: {id: {kind: integer, required: true}, page_id: {from: page, required: true}}
          key: [id]
          references: {page_id: pages}
          marks: [read]
        pages: {rows: "pages[]", columns: {id: {required: true}, text: {kind: verbatim}}, key: [id]}
      views:
        unread: {table: notes, order: [read, id desc]}
      """
    let feed = try FeedDocument.read(Array(text.utf8))
    #expect(feed.tables.map(\.name) == ["notes", "pages"])
    #expect(feed.tables[0].references == [Table.Reference("page_id", to: "pages", "id")])
    #expect(feed.tables[0].marks == ["read"] && feed.tables[0].key == ["id"])
    #expect(feed.tables[1].columns.map(\.name) == ["id", "text"])
    #expect(
      feed.views == [
        View("unread", of: "notes", by: [.init("read"), .init("id", isDescending: true)])
      ])
  }

  @Test func `what is wrong is told with its place`() {
    let columns = "columns: {id: {required: true}, x: x}"
    #expect(fault("p: {rows: p, \(columns)}").hasPrefix("3:13 badPath"))
    #expect(fault("p: {\(columns)}").hasPrefix("3:6 missingKey(\"rows\""))
    #expect(fault("p q: {rows: \"p[]\", \(columns)}").hasPrefix("3:3 badValue(\"p q\""))
    #expect(fault("p: {rows: \"p[]\", \(columns), keys: [id]}").hasPrefix("3:59 unknownKey"))
    #expect(fault("p: {rows: \"p[]\", \(columns), key: [x]}") == "3:65 keyNotRequired(\"x\")")
    #expect(fault("p: {rows: \"p[]\", \(columns), key: [y]}").hasPrefix("3:65 unknownColumn"))
    #expect(fault("p: {rows: \"p[]\", \(columns), marks: [x]}") == "3:67 duplicateColumn(\"x\")")
    #expect(
      fault("p: {rows: \"p[]\", \(columns), references: {x: p}}")
        == "3:75 noSingleKey(table: \"p\")")
    #expect(
      fault("p: {rows: \"p[]\", \(columns), references: {x: q}}").hasPrefix("3:75 notAChoice"))
    let table = "p: {rows: \"p[]\", \(columns), key: [id]}"
    #expect(fault(table, "rows: \"p[]\"") == "4:7 besideTables(\"rows\")")
    #expect(fault(table, "views: {v: {table: p, order: [y]}}").hasPrefix("4:31 unknownColumn"))
    #expect(fault(table, "views: {p: {table: p, order: [x]}}") == "4:9 duplicateColumn(\"p\")")
    #expect(fault("p: {rows: \"p[]\", \(columns), marks: [X]}") == "3:67 duplicateColumn(\"X\")")
    #expect(fault("\(table)\n  P: {rows: \"q[]\", \(columns)}") == "4:3 duplicateColumn(\"P\")")
    #expect(fault(table, "views: {P: {table: p, order: [x]}}") == "4:9 duplicateColumn(\"P\")")
    #expect(
      OwnFeed.fault("feed: a\nrows: \"p[]\"\ncolumns: {x: x}\nviews: {v: {}}")
        == "4:8 viewsWithoutTables")
  }

  @Test func `a view has conditions, and marks hide rows`() throws {
    let text = """
      feed: a
      tables:
        p:
          rows: "p[]"
          columns: {id: {kind: integer, required: true}, x: x, d: {kind: day}, f: {kind: flag}}
          marks: [seen, gone]
          hides: [gone]
      views:
        v: {table: p, where: {seen: false, x: [a, "", null], d: {not: 2020-01-02}, f: {not: [true]}}, order: [x]}
      """
    // A list with two missing values says one thing twice.
    #expect(OwnFeed.fault(text).hasSuffix("duplicateItem(\"\")"))
    let feed = try FeedDocument.read(Array(text.putting("", for: ", null").utf8))
    #expect(feed.tables[0].hides == ["gone"])
    #expect(
      feed.views[0].conditions == [
        .init(column: "seen", kind: .flag, isMark: true, values: ["false"], isNot: false),
        .init(column: "x", kind: .text, isMark: false, values: ["a", ""], isNot: false),
        .init(column: "d", kind: .day, isMark: false, values: ["2020-01-02"], isNot: true),
        .init(column: "f", kind: .flag, isMark: false, values: ["true"], isNot: true),
      ])
  }

  @Test(arguments: [
    (
      "where: {seem: true}",
      "unknownColumn(\"seem\", key: \"where\", columns: [\"id\", \"n\", \"d\", \"seen\"])"
    ),
    ("where: {}", "noValue(\"where\")"), ("where: [seen]", "wrongKind"),
    ("where: {seen: 1}", "badValue(\"1\", key: \"seen\", Wanted.trueOrFalse)"),
    ("where: {seen: null}", "noValue(\"seen\")"), ("where: {seen: []}", "noValue(\"seen\")"),
    ("where: {id: 1.5}", "badValue(\"1.5\", key: \"id\", Wanted.integer)"),
    ("where: {n: 0x1}", "badValue(\"0x1\", key: \"n\", Wanted.decimal)"),
    ("where: {n: 1e999}", "badValue(\"1e999\", key: \"n\", Wanted.decimal)"),
    ("where: {d: 1.2.2020}", "badValue(\"1.2.2020\", key: \"d\", Wanted.day)"),
    ("where: {id: {is: 1}}", "unknownKey(\"is\", of: Optional(\"id\"), allowed: [\"not\"])"),
    ("where: {id: {not: [1, 1]}}", "duplicateItem(\"1\")"),
  ])
  func `a condition that cannot be is told with its place`(part: String, told: String) {
    let fault = OwnFeed.fault(
      """
      feed: a
      tables:
        p:
          rows: "p[]"
          columns: {id: {kind: integer, required: true}, n: {kind: decimal}, d: {kind: day}}
          marks: [seen]
      views:
        v: {table: p, \(part), order: [id]}
      """)
    #expect(fault.hasPrefix("8:") && fault.firstPlace(of: told) != nil, "\(fault)")
  }

  @Test func `only marks hide`() {
    let table = "p: {rows: \"p[]\", columns: {x: x}, marks: [m], hides:"
    #expect(
      fault("\(table) [x]}").hasSuffix("unknownColumn(\"x\", key: \"hides\", columns: [\"m\"])"))
    #expect(fault("\(table) [m, m]}").hasSuffix("duplicateItem(\"m\")"))
  }
}
