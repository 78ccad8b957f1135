import Testing

@testable import Sluice

/// Rows that come before the fields around them.
@Suite struct HeldRowsTests {
  private static let document = """
    feed: own
    rows: "a[].b[].c[]"
    columns:
      top: {from: $.top, required: true}
      x: {from: "a[].x", kind: integer, required: true}
      y: "a[].b[].y"
      n: {kind: decimal}
      day: {kind: day}
      ok: {kind: flag}
    """

  /// The same with the fields around rows in objects of their own.
  private static let nested =
    document.replacing("$.top", with: "$.q.top").replacing("[].x", with: "[].q.x")
    .replacing("[].y", with: "[].q.y")

  /// A document with each field around rows before the list, after it, or missing.
  private struct Generated {
    var late = ""
    var early = ""
    /// Whether the fields are in objects of their own.
    private let isNested: Bool
    private var random: SeededGenerator

    init(seed: UInt64, isNested: Bool = false) {
      random = SeededGenerator(seed: seed)
      self.isNested = isNested
      make()
    }

    /// Appends the object of a list and a field around it, in both orders.
    private mutating func object(_ field: String?, _ list: (String, String)) -> (String, String) {
      let isMissing = field == nil || chance(6)
      guard var field, isNested || !isMissing else { return ("{\(list.0)}", "{\(list.1)}") }
      if isNested {
        field =
          isMissing
          ? ["\"q\":{\"k\":[1]}", "\"q\":{}", "\"q\":null", "\"q\":[{}]", "\"q\":\"a\\n\""][
            count(4)]
          : "\"q\":{\"k\":{\"y\":1},\(field)}"
      }
      let early = "{\(field),\(list.1)}"
      return (chance(3) ? "{\(field),\(list.0)}" : "{\(list.0),\"z\":[{}],\(field)}", early)
    }

    private mutating func chance(_ of: UInt64) -> Bool { random.next() % of == 0 }
    private mutating func count(_ most: UInt64) -> Int { Int(random.next() % (most + 1)) }

    private mutating func row() -> String {
      switch random.next() % 12 {
      case 0: return "7"
      case 1: return #"{"n":"x"}"#
      case 2: return #"{"n":1,"n":{"d":[2]}}"#
      case 3: return #"{"day":"5.1.2026","ok":"да"}"#
      case 4: return #"{"ok":true,"n":-0.5,"day":"2026-02-\#(10 + count(20))"}"#
      default: return #"{"n":\#(count(999)),"day":"2026-01-\#(10 + count(20))"}"#
      }
    }

    private mutating func make() {
      var outer: [(String, String)] = []
      for _ in 0..<count(4) + 1 {
        var middle: [(String, String)] = []
        for _ in 0..<count(4) {
          let rows = (0..<count(5)).map { _ in row() }.joined(separator: ",")
          let list = chance(9) ? #""c":5"# : #""c":[\#(rows)]"#
          let name = #""y":" y\#(count(99)) ""#
          middle.append(object(name, (list, list)))
        }
        if chance(7) { middle.append(("8", "8")) }
        let lists = (
          #""b":[\#(middle.map(\.0).joined(separator: ","))]"#,
          #""b":[\#(middle.map(\.1).joined(separator: ","))]"#
        )
        let wrong = chance(8) ? #"{"w":1}"# : chance(8) ? "null" : "\(count(99))"
        outer.append(object(#""x":\#(wrong)"#, lists))
      }
      let lists = (
        #""a":[\#(outer.map(\.0).joined(separator: ","))]"#,
        #""a":[\#(outer.map(\.1).joined(separator: ","))]"#
      )
      (late, early) = object(#""top":"t""#, lists)
    }
  }

  /// What a reject says, without its place in the document.
  private func shape(_ reject: Reject) -> String {
    "\(reject.record) \(reject.reason) \(reject.field ?? "-") "
      + String(decoding: reject.raw, as: UTF8.self) + " "
      + String(decoding: reject.value ?? [], as: UTF8.self)
  }

  @Test(arguments: [false, true])
  func `fields after their rows give the rows of fields before them`(isNested: Bool) throws {
    let run = FeedRun(feed: try OwnFeed.read(isNested ? Self.nested : Self.document))
    var (rows, rejects) = (0, 0)
    for seed in 0..<400 as Range<UInt64> {
      let document = Generated(seed: seed, isNested: isNested)
      let (late, early) = (run(document.late), run(document.early))
      #expect(late.fault == early.fault, "\(document.late)")
      #expect(late.rows == early.rows, "\(document.late)")
      #expect(late.rejects.map(shape) == early.rejects.map(shape), "\(document.late)")
      #expect(late.counts == early.counts)
      // A record begins where its text does.
      let bytes = Array(document.late.utf8)
      for reject in late.rejects where !reject.raw.isEmpty {
        #expect(bytes[reject.offset...].starts(with: reject.raw), "\(document.late)")
      }
      (rows, rejects) = (rows + late.rows.count, rejects + late.rejects.count)
    }
    #expect(rows > 1000)
    #expect(rejects > 500)
  }

  @Test(arguments: [false, true]) func `at every cut`(isNested: Bool) throws {
    let run = FeedRun(feed: try OwnFeed.read(isNested ? Self.nested : Self.document))
    for seed in 0..<12 as Range<UInt64> {
      _ = run.everyCut(Generated(seed: seed, isNested: isNested).late)
    }
  }

  @Test func `several levels`() throws {
    let result = FeedRun(feed: try OwnFeed.read(Self.document)).everyCut(
      #"""
      {"a":[
        {"b":[{"y":"1","c":[{"n":1},{"n":2}]},{"c":[{"n":3}],"y":"2"}],"x":10},
        {"x":20,"b":[{"c":[{"n":4}]},{"y":"3","c":[{"n":5}]}]},
        {"b":[{"y":"4","c":[{"n":6}]}]}
      ],"top":"t"}
      """#)
    #expect(
      result.rows == ["t,10,1,1,,", "t,10,1,2,,", "t,10,2,3,,", "t,20,,4,,", "t,20,3,5,,"])
    #expect(result.rejects.map(\.record) == [6])
    #expect(result.rejects.map(\.reason) == [.missingValue])
    #expect(result.rejects.map { String(decoding: $0.raw, as: UTF8.self) } == [#"{"n":6}"#])
  }

  @Test func `a wrong value after its rows rejects them`() throws {
    let result = FeedRun(feed: try OwnFeed.read(Self.document)).everyCut(
      #"{"top":1,"a":[{"b":[{"c":[{"n":1}]}],"x":{"deep":[1]}},{"b":[{"c":[{"n":2}]}],"x":2}]}"#)
    #expect(result.rows == ["1,2,,2,,"])
    #expect(result.rejects.map(\.field) == ["x"])
    #expect(
      result.rejects.map { String(decoding: $0.value ?? [], as: UTF8.self) } == [#"{"deep":[1]}"#])
  }

  @Test func `a filter judges held rows`() throws {
    let run = FeedRun(
      feed: try OwnFeed.read(Self.document), conditions: [Condition(column: "y", value: "2")])
    let result = run.everyCut(
      #"{"top":1,"a":[{"x":1,"b":[{"c":[{"n":1}],"y":1},{"c":[{"n":2}],"y":2}]}]}"#)
    #expect(result.rows == ["1,1,2,2,,"])
    #expect(result.counts == Counts(read: 2, kept: 1, filtered: 1, rows: 1))
  }

  @Test func `a field that comes twice, after its rows`() throws {
    let run = FeedRun(
      feed: try OwnFeed.read("feed: own\nrows: \"a[].b[]\"\ncolumns: {x: \"a[].x\", n: n}"))
    let head = #"{"a":[{"x":1,"b":[{"n":1}],"#
    let result = run.everyCut(head + #""x":2}]}"#)
    #expect(
      result.error
        == PipelineError(
          .normalize(.afterItsRows(field: "x")), at: head.utf8.count + 4, field: "x"))
    // It makes no difference that its rows may still wait for a field of the document.
    let document = FeedRun(
      feed: try OwnFeed.read(
        "feed: own\nrows: \"a[].b[]\"\ncolumns: {t: $.t, x: \"a[].x\", n: n}"))
    for (before, after) in [("", #","t":5"#), (#""t":5,"#, "")] {
      let result = document.everyCut(
        "{\(before)" + head.dropFirst() + #""x":2}]\#(after)}"#)
      #expect(result.fault == .afterItsRows(field: "x"))
    }
    // While they wait for another field of their element, they are rejected.
    let waiting = FeedRun(
      feed: try OwnFeed.read(
        "feed: own\nrows: \"a[].b[]\"\ncolumns: {x: \"a[].x\", y: \"a[].y\", n: n}"))
    let rejected = waiting.everyCut(head + #""x":2,"y":3},{"x":4,"y":5,"b":[{"n":6}]}]}"#)
    #expect(rejected.rows == ["4,5,6"])
    #expect(rejected.rejects.map(\.reason) == [.duplicateKey])
    // Without rows there is nothing to reject.
    let empty = waiting.everyCut(#"{"a":[{"x":1,"b":[],"x":2,"y":3},{"x":4,"y":5,"b":[{"n":6}]}]}"#)
    #expect(empty.rows == ["4,5,6"])
    #expect(empty.error == nil && empty.rejects.isEmpty)
    // Both are known when the rows leave.
    let twice = run.everyCut(#"{"a":[{"b":[{"n":1}],"x":1,"b":[{"n":2}]}]}"#)
    #expect(twice.rows == ["1,1", "1,2"])
  }

  @Test func `more rows than may be held`() throws {
    let rows = (1...40).map { #"{"n":\#($0)}"# }.joined(separator: ",")
    func run(_ hold: String) throws -> FeedResult {
      try FeedRun(
        feed: OwnFeed.read(
          "feed: own\nhold: \(hold)\nrows: \"a[].b[]\"\ncolumns: {x: \"a[].x\", n: n}")
      ).everyCut(#"{"a":[{"x":0,"b":[{"n":0}]},{"b":[\#(rows)],"x":1}]}"#)
    }
    let most = try run("64KB")
    #expect(most.error == nil)
    #expect(most.rows.count == 41)
    let less = try run("1KiB")
    #expect(less.fault == .tooManyHeld(field: "x", limit: 1024))
    #expect(less.error?.field == "x")
    let record = try #require(less.error?.record)
    let offset = try #require(less.error?.offset)
    // The record at which there was no more room.
    let text = #"{"a":[{"x":0,"b":[{"n":0}]},{"b":["#
    let before = (1..<record - 1).map { #"{"n":\#($0)},"# }.joined()
    #expect(offset == (text + before).utf8.count)
  }

  @Test func `fields before their rows wait for nothing`() throws {
    let rows = (1...4000).map { #"{"n":\#($0)}"# }.joined(separator: ",")
    let run = FeedRun(
      feed: try OwnFeed.read(
        "feed: own\nhold: 1K\nrows: \"a[].b[]\"\ncolumns: {x: \"a[].x\", n: n}"))
    let result = run(#"{"a":[{"x":1,"b":[\#(rows)]}]}"#)
    #expect(result.error == nil)
    #expect(result.rows.count == 4000)
  }

  /// A table with two fields around the rows in an object of their own, which may hold next to
  /// nothing.
  private static let labelled = """
    feed: own
    hold: 1K
    rows: "a[].b[]"
    columns: {x: "a[].q.x", y: "a[].q.y", n: n}
    """

  @Test(arguments: ["{}", "null", "7", "[1]", #"{"x":1,"z":{"y":2}}"#, #"{"y":2,"x":null}"#])
  func `rows do not wait for a field whose object has ended`(labels: String) throws {
    let rows = (1...400).map { #"{"n":\#($0)}"# }.joined(separator: ",")
    let run = FeedRun(feed: try OwnFeed.read(Self.labelled))
    let element = #"{"q":\#(labels),"b":[\#(rows)]}"#
    let result = run(#"{"a":[\#(element),\#(element),\#(element)]}"#)
    #expect(result.error == nil)
    #expect(result.rows.count == 1200)
    #expect(
      result.isSame(as: run(#"{"a":[\#(element),\#(element),\#(element)]}"#, cut: .pieces(7))))
  }

  @Test func `rows do not wait for a field of the document whose object has ended`() throws {
    let rows = (1...400).map { #"{"n":\#($0)}"# }.joined(separator: ",")
    let run = FeedRun(
      feed: try OwnFeed.read("feed: own\nhold: 1K\nrows: b[]\ncolumns: {x: $.q.x, n: n}"))
    let result = run(#"{"q":{"y":1},"b":[\#(rows)]}"#)
    #expect(result.error == nil)
    #expect(result.rows.count == 400)
  }

  @Test(arguments: [
    ("people[*].name", #""people":[{"name":"A"},{"x":1},{"name":"B"}]"#, "A, B"),
    ("people[*].a.b", #""people":[{"a":{"b":"A"}},{"a":{}},{"a":{"b":"B"}}]"#, "A, B"),
    ("q.p[k=2].a.b", #""q":{"p":[{"k":1,"a":{"b":"A"}},{"k":2,"a":{"b":"B"}}]}"#, "B"),
    ("p[*].t[*].a", #""p":[{"t":[{"a":1},{"a":2}]},{"t":[{"a":3}]}]"#, "1, 2, 3"),
    ("q.p[1].a", #""q":{"p":[{"a":1},{"a":2}]}"#, "2"),
  ])
  func `elements of a list around the rows are picked after them`(
    path: String, list: String, text: String
  ) throws {
    for (rows, path) in [("o[].lines[]", "o[].\(path)"), ("lines[]", "$.\(path)")] {
      let run = FeedRun(
        feed: try OwnFeed.read("feed: own\nrows: \"\(rows)\"\ncolumns: {id: id, n: \"\(path)\"}"))
      let inner = #"{"lines":[{"id":1},{"id":2}],\#(list)}"#
      let result = run.everyCut(rows == "lines[]" ? inner : #"{"o":[\#(inner)]}"#)
      #expect(result.error == nil)
      let cell = text.contains(",") ? "\"\(text)\"" : text
      #expect(result.rows == ["1,\(cell)", "2,\(cell)"])
    }
  }

  @Test func `an object of fields that comes twice`() throws {
    let run = FeedRun(feed: try OwnFeed.read(Self.labelled))
    // The second comes before the rows.
    let early = run.everyCut(#"{"a":[{"q":{"x":1},"q":{"y":2},"b":[{"n":1}]}]}"#)
    #expect(early.rows == ["1,2,1"])
    // The rows have left without y.
    let head = #"{"a":[{"q":{"x":1},"b":[{"n":1}],"q":{"#
    let late = run.everyCut(head + #""y":2}}]}"#)
    #expect(
      late.error
        == PipelineError(
          .normalize(.afterItsRows(field: "y")), at: head.utf8.count + 4, field: "y"))
  }

  @Test func `sizes`() {
    func fault(_ hold: String) -> String {
      OwnFeed.fault("feed: a\nhold: \(hold)\nrows: d[]\ncolumns: {a: a}")
    }
    for good in ["64MB", "64MiB", "1k", "2G", "1000"] { #expect(fault(good) == "") }
    for bad in ["0", "x", "-1", "1.5M", "64 MB", "B"] {
      #expect(fault(bad).hasSuffix("badValue(\"\(bad)\", key: \"hold\", Wanted.size)"))
    }
  }
}
