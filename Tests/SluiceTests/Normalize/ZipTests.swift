import Testing

@testable import Sluice

/// Rows that are made of the elements of parallel lists.
@Suite struct ZipTests {
  private func run(
    _ document: String, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> FeedResult {
    try FeedRun(feed: OwnFeed.read(document)).everyCut(json, sourceLocation: sourceLocation)
  }

  private static let weather = """
    feed: own
    zip: [daily.time, daily.rain]
    columns:
      lat: latitude
      up: $.elevation
      day: {from: daily.time, kind: day}
      rain: {kind: decimal}
    """

  @Test func `lists of the document`() throws {
    let result = try run(
      Self.weather,
      #"""
      {"latitude":52.52,"units":{"time":"day"},"daily":{"time":["2026-01-01","2026-01-02","2026-01-03"],
      "code":[1,2,3],"rain":[0.4,null,1.25]},"elevation":38}
      """#)
    #expect(result.error == nil)
    #expect(
      result.rows == [
        "52.52,38,2026-01-01,0.4", "52.52,38,2026-01-02,", "52.52,38,2026-01-03,1.25",
      ])
    #expect(result.counts == Counts(read: 3, kept: 3, rows: 3))
  }

  @Test func `the order of the lists does not matter`() throws {
    let documents = [
      #"{"daily":{"time":["2026-01-01"],"rain":[1]},"latitude":5}"#,
      #"{"daily":{"rain":[1],"time":["2026-01-01"]},"latitude":5}"#,
      #"{"latitude":5,"daily":{"rain":[1],"x":[{"time":[3]}],"time":["2026-01-01"]}}"#,
    ]
    for document in documents {
      #expect(try run(Self.weather, document).rows == ["5,,2026-01-01,1"], "\(document)")
    }
  }

  private static let stations = """
    feed: own
    rows: stations[]
    zip: [daily.time, daily.rain]
    columns:
      name: name
      day: {from: daily.time, kind: day}
      rain: {from: "stations[].daily.rain", kind: decimal}
    """

  @Test func `lists in each element`() throws {
    let result = try run(
      Self.stations,
      #"""
      {"stations":[{"daily":{"time":["2026-01-01","2026-01-02"],"rain":[1,2]},"name":"A"},
      {"name":"B","daily":{"time":["2026-01-01"]}},{"name":"C","daily":{"time":null,"rain":[7]}},
      {"name":"D","daily":null},{"name":"E"},{"name":"F","daily":{"rain":[],"time":[]}}]}
      """#)
    #expect(result.error == nil)
    #expect(result.rejects.isEmpty)
    #expect(result.rows == ["A,2026-01-01,1", "A,2026-01-02,2", "B,2026-01-01,", "C,,7"])
  }

  @Test func `lists of different lengths`() throws {
    let result = try run(
      Self.stations,
      #"""
      {"stations":[{"daily":{"rain":[5,6,7],"time":["2026-01-01","2026-01-02"]},"name":"A"},
      {"name":"B","daily":{"time":["2026-01-03","2026-01-04"],"rain":[]}}]}
      """#)
    #expect(result.rows == ["A,2026-01-01,5", "A,2026-01-02,6"])
    #expect(result.rejects.map(\.reason) == [.wrongFieldCount, .wrongFieldCount, .wrongFieldCount])
    #expect(result.rejects.map(\.field) == ["time", "rain", "rain"])
    #expect(result.rejects.map(\.record) == [3, 4, 5])
    #expect(
      result.rejects.map { String(decoding: $0.raw, as: UTF8.self) } == [
        #"{"rain":7}"#, #"{"time":"2026-01-03"}"#, #"{"time":"2026-01-04"}"#,
      ])
  }

  @Test func `another value in the place of a list`() throws {
    let result = try run(
      Self.stations,
      #"""
      {"stations":[{"name":"A","daily":{"time":"x","rain":[3]}},{"name":"B","daily":{"time":[1],"rain":{"a":[1]}}},
      {"name":"C","daily":[1]},7,{"name":"D","daily":{"time":["2026-01-01"],"rain":[3]}}]}
      """#)
    #expect(result.rows == ["D,2026-01-01,3"])
    #expect(
      result.rejects.map(\.reason) == [.wrongKind, .wrongKind, .wrongKind, .notAnObject])
    #expect(result.rejects.map(\.field) == ["time", "rain", "daily", nil])
    #expect(
      result.rejects.map { String(decoding: $0.value ?? [], as: UTF8.self) }
        == ["x", #"{"a":[1]}"#, "[1]", ""])
    let whole = try run(Self.weather, #"{"daily":{"time":["2026-01-01"],"rain":5}}"#)
    #expect(
      whole.error
        == PipelineError(
          .normalize(
            .wrongKind(path: "daily.rain", found: .number, wanted: .beginArray, keys: [])), at: 39))
  }

  @Test func `a list that is never there`() throws {
    func fault(_ json: String) throws -> FeedFault? { try run(Self.weather, json).fault }
    #expect(
      try fault(#"{"latitude":1,"daily":{"time":["2026-01-01"],"snow":[1]}}"#)
        == .missing(path: "daily.rain", keys: ["time", "snow"]))
    #expect(try fault(#"{"dayly":{"time":[1]}}"#) == .missing(path: "daily", keys: ["dayly"]))
    #expect(try fault(#"{"daily":null}"#) == nil)
    #expect(try fault(#"{"daily":{"time":[],"rain":null}}"#) == nil)
    #expect(try run(Self.stations, #"{"stations":[]}"#).fault == nil)
  }

  @Test func `a list that comes twice`() throws {
    let result = try run(
      Self.weather, #"{"daily":{"time":["2026-01-01"],"rain":[5],"time":[1]}}"#)
    #expect(
      result.error
        == PipelineError(.normalize(.afterItsRows(field: "time")), at: 50, field: "time"))
  }

  @Test func `elements that are objects and lists`() throws {
    let result = try run(
      """
      feed: own
      rows: "*"
      zip: [days, "more[0].slots"]
      columns:
        k: $key
        day: {from: "days[]", kind: day}
        name: {from: "more[0].slots.name", required: true}
        tag: "more[0].slots[].tags[lang=en].t"
        all: {from: "more[0].slots[].tags[*].t", separator: "/"}
        second: "more[0].slots[].list[1]"
      """,
      #"""
      {"x":{"days":["2026-01-01","2026-01-02","2026-01-03"],"more":[{"slots":[{"z":[[1]],"name":"A\u0041",
      "tags":[{"t":"de","lang":"de"},{"t":"en","lang":"en"}],"list":[1,2,3]},{"name":{"d":["é"]}},null]}]},
      "y":{"more":[{"slots":[{"name":"B"}]},{"slots":[{"name":"no"}]}],"days":["2026-01-05"]}}
      """#)
    #expect(result.rows == ["x,2026-01-01,AA,en,de/en,2", "y,2026-01-05,B,,,"])
    #expect(result.rejects.map(\.reason) == [.wrongKind, .missingValue])
    #expect(result.rejects.map(\.field) == ["name", "name"])
    #expect(
      result.rejects.map { String(decoding: $0.value ?? [], as: UTF8.self) } == [
        #"{"d":["é"]}"#, "",
      ])
    #expect(
      String(decoding: result.rejects[0].raw, as: UTF8.self)
        == #"{"days":"2026-01-02","slots":{"name":{"d":["é"]}}}"#)
  }

  @Test func `rows of lists are judged like others`() throws {
    let feed = try OwnFeed.read(
      """
      feed: own
      zip: [time, rain]
      where: {rain: {greater: 0}}
      columns:
        time: {kind: day}
        rain: {kind: decimal}
      key: [time]
      event: {summary: "{rain} mm"}
      """)
    var run = FeedRun(feed: feed)
    run.from = Day(iso: "2026-01-02")
    let result = run.everyCut(
      #"{"time":["2026-01-01","2026-01-02","2026-01-03"],"rain":[1,0,2.5]}"#)
    #expect(result.rows == ["2026-01-03,2.5"])
    #expect(result.counts == Counts(read: 3, kept: 1, filtered: 1, skipped: 1, rows: 1))
    #expect(String(decoding: result.ics, as: UTF8.self).contains("SUMMARY:2.5 mm"))
  }

  @Test func `no more is held than allowed`() throws {
    let numbers = (1000..<1100).map { "\($0)" }.joined(separator: ",")
    func run(_ hold: String, _ json: String) throws -> FeedResult {
      try FeedRun(
        feed: OwnFeed.read("feed: own\nhold: \(hold)\nzip: [a, b, c]\ncolumns: {a: a, b: b, c: c}")
      ).everyCut(json)
    }
    let json = #"{"a":[1],"b":[\#(numbers)],"c":[2]}"#
    #expect(try run("2KiB", json).rejects.count == 99)
    let less = try run("1KiB", json)
    #expect(less.fault == .tooManyHeld(field: "c", limit: 1024))
    // The last list makes rows at once.
    let last = try run("1KiB", #"{"a":[1],"b":[3],"c":[\#(numbers)]}"#)
    #expect(last.error == nil)
    #expect(last.rejects.count == 99)
    // No element of it is larger.
    let feed = try OwnFeed.read(
      "feed: own\nhold: 1KiB\nzip: [a, b]\ncolumns: {a: a, b: 'b[].x[*]'}")
    let large = FeedRun(feed: feed).everyCut(#"{"a":[1],"b":[{"x":[\#(numbers)]}]}"#)
    #expect(large.fault == .tooManyHeld(field: "b", limit: 1024))
    let many = Array(repeating: #"{"x":[1,2,3,4]}"#, count: 100).joined(separator: ",")
    let each = FeedRun(feed: feed).everyCut(#"{"a":[1],"b":[\#(many)]}"#)
    #expect(each.rows == ["1,\"1, 2, 3, 4\""])
  }

  /// Each takes 18 bytes of the first list.
  @Test func `flags are held without a text`() throws {
    let feed = try OwnFeed.read(
      "feed: own\nhold: 1KiB\nzip: [a, b]\ncolumns: {a: {kind: flag}, b: b}")
    for (count, isTooMuch) in [(56, false), (57, true)] {
      let flags = (0..<count).map { $0 % 3 == 0 ? "false" : "true" }
      let numbers = (0..<count).map { "\($0)" }
      let result = FeedRun(feed: feed).everyCut(
        #"{"a":[\#(flags.joined(separator: ","))],"b":[\#(numbers.joined(separator: ","))]}"#)
      #expect((result.fault == .tooManyHeld(field: "b", limit: 1024)) == isTooMuch)
      if !isTooMuch { #expect(result.rows == zip(flags, numbers).map { "\($0),\($1)" }) }
    }
  }

  @Test(arguments: ["xx", "x" + String(repeating: " ", count: 100), "—"])
  func `a text that is too long, also where white space makes it short`(begin: String) throws {
    // What is cut must not become short, and no character may be cut.
    for rest in ["x", "—", "x—"] {
      let long = begin + String(repeating: rest, count: (1 << 20) / rest.utf8.count + 1)
      let result = try FeedRun(
        feed: OwnFeed.read("feed: own\nzip: [a, b]\ncolumns: {a: a, b: b}"))(
          #"{"b":[1,2],"a":["\#(long)","y"]}"#)
      #expect(result.rows == ["y,2"])
      #expect(result.rejects.map(\.reason) == [.tooLong])
    }
  }

  @Test func `two tables of one document`() throws {
    let feed = try OwnFeed.read(
      """
      feed: own
      tables:
        days: {zip: [daily.time, daily.rain], columns: {time: {kind: day}, rain: rain}}
        hours: {zip: [hourly.time], columns: {time: time, lat: lat}}
      """)
    #expect(feed.tables.map(\.rowsText) == ["zip daily.time, daily.rain", "zip hourly.time"])
    #expect(
      feed.tables[0].fields.map(\.path.description) == ["daily.time[]", "daily.rain[]"])
    #expect(feed.tables[1].fields.map(\.path.description) == ["hourly.time[]", "lat"])
  }

  @Test func `documents`() {
    func fault(_ zip: String, _ columns: String = "a: a", rows: String = "d[]") -> String {
      OwnFeed.fault("feed: own\nrows: \(rows)\nzip: \(zip)\ncolumns: {\(columns)}")
    }
    #expect(fault("[a, b.c]") == "")
    #expect(fault("['a[]', 'd[].b.c', 'e[0].f']") == "")
    #expect(fault("[]") == #"3:6 noValue("zip")"#)
    #expect(
      fault("a") == #"3:6 wrongKind(key: Optional("zip"), found: Kind.text, wanted: [Kind.list])"#)
    #expect(fault("[a, 'a[]']") == #"3:10 duplicateItem("a[]")"#)
    for path in ["[0].a", "b.*", "b[].c", "b[*]", "b[k=v].c", "$.b", "a.b"] {
      #expect(fault("[a, '\(path)']") == #"3:10 badPath("\#(path)", PathFlaw.notZippable)"#)
    }
    let lists = #"PathFlaw.notOneOfLists(["a", "b.a"]))"#
    #expect(fault("[a, b.a]", "x: a, y: b.a") == "")
    #expect(fault("[a, b.a]", "a: {kind: day}") == #"4:14 badPath("a", "# + lists)
    #expect(fault("[a, b.a]", "x: $value") == #"4:14 badPath("$value", "# + lists)
    #expect(fault("[a, b.a]", "x: 'a[0]'") == #"4:14 badPath("a[0]", "# + lists)
    #expect(fault("[a, b.a]", "x: b") == #"4:14 badPath("d[].b", PathFlaw.onTheWay)"#)
    #expect(
      OwnFeed.fault("feed: own\nzip: [a]\ntables: {t: {rows: 'd[]', columns: {a: a}}}")
        == #"2:6 besideTables("zip")"#)
    #expect(
      OwnFeed.fault("feed: own\ncolumns: {a: a}") == #"1:1 missingKey("rows", of: nil)"#)
  }
}
