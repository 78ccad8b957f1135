import Testing

@testable import Sluice

/// The rows that a document wants, and those that it wants events of.
@Suite struct RowConditionTests {
  private static let columns =
    "t: t, n: {kind: integer}, p: {kind: decimal}, d: {kind: day}, w: {kind: instant}, f: {kind: flag}"

  /// The first cells of the rows, and the counts of the records: kept, skipped, rejected.
  private func read(
    _ conditions: String, _ json: String, _ columns: String = columns, _ more: String = "",
    edit: (inout FeedRun) -> Void = { _ in }
  ) throws -> (cells: String, counts: [Int]) {
    var run = FeedRun(
      feed: try OwnFeed.read(OwnFeed.document(columns, "where: \(conditions)\n\(more)")))
    edit(&run)
    let input = Array("{\"d\":[\(json)]}".utf8)
    let results = ChunkCutter.everyCut(of: input) { cut in
      let result = run(input, cut: FeedRun.Cut(cut))
      #expect(result.error == nil)
      let cells = result.rows.map { String($0.prefix { $0 != "," }) }.joined(separator: " ")
      let counts = result.statistics
      return [cells, "\(counts.kept)", "\(counts.skipped)", "\(counts.rejected)"]
    }
    return (results[0], results.dropFirst().map { Int($0) ?? -1 })
  }

  @Test(arguments: [
    ("a: {kind: time}", "{a: 9:30}", "a"), ("a: {kind: time}", "{a: {less: 930}}", "b"),
    ("a: {kind: time, format: 'H:mm'}", "{a: 9:30}", "a"),
    ("a: {kind: time, format: ['H:mm', 'h:mm a']}", "{a: 8:05 AM}", "b"),
    ("b: {kind: day}", "{b: 31.12.2026}", "a"), ("b: {kind: day}", "{b: {less: 31.12.2026}}", "b"),
    ("b: {kind: day, format: yyyy-MM-dd}", "{b: 2026-12-31}", "a"),
    ("b: {kind: day, format: [dd/MM/yyyy, yyyy-MM-dd]}", "{b: [31/12/2026, 30/12/2026]}", "a b"),
    ("w: {from: i, kind: instant}", "{w: {greater: 30.12.2026}}", "a"),
  ])
  func `a value may be written as its column reads it`(
    _ column: String, _ conditions: String, _ cells: String
  ) throws {
    let result = try read(
      conditions,
      #"""
      {"t":"a","a":"9:30","b":"2026-12-31","i":"2026-12-31T10:00:00Z"},
      {"t":"b","a":"8:05","b":"2026-12-30","i":"2026-12-30T10:00:00Z"}
      """#, "t: t, \(column)")
    #expect(result.cells == cells)
  }

  @Test(arguments: [
    ("a: {kind: time}", "{a: 25:00}", #"4:12 badValue("25:00", key: "a", Wanted.timeOfDay)"#),
    ("a: {kind: time}", "{a: 9:30 AM}", #"4:12 badValue("9:30 AM", key: "a", Wanted.timeOfDay)"#),
    ("a: {kind: day}", "{a: 31/12/2026}", #"4:12 badValue("31/12/2026", key: "a", Wanted.day)"#),
    ("a: {kind: day}", "{a: 31.4.2026}", #"4:12 badValue("31.4.2026", key: "a", Wanted.day)"#),
    (
      "a: {kind: day, format: dd/MM/yyyy}", "{a: {less: 31.12.2026}}",
      #"4:19 badValue("31.12.2026", key: "less", Wanted.day)"#
    ),
    (
      "a: {kind: instant}", "{a: 2026-01-05T10:00Zulu}",
      #"4:12 badValue("2026-01-05T10:00Zulu", key: "a", Wanted.instant)"#
    ),
  ])
  func `a value that the column cannot have is refused`(
    _ column: String, _ conditions: String, _ wanted: String
  ) {
    #expect(OwnFeed.fault(OwnFeed.document(column, "where: \(conditions)")) == wanted)
  }

  private static let rows = #"""
    {"t":"a","n":1,"p":1.50,"d":"2026-01-05","w":"2026-01-05T23:30:00+01:00","f":true},
    {"t":"b","n":"2","p":"1.5","d":"6.1.2026","w":"2026-01-06T00:00:00Z","f":"no"},
    {"t":"c","n":10,"p":-2,"d":"2026-02-01","w":"2026-01-07T00:00:00Z"},
    {"t":"","z":1}
    """#

  @Test(arguments: [
    ("{t: a}", "a"), ("{t: A}", "a"), ("{t: [a, c]}", "a c"), ("{t: {in: [a, c]}}", "a c"),
    ("{t: {not: a}}", "b c "), ("{t: {not: [a, '']}}", "b c"), ("{t: {empty: true}}", ""),
    ("{t: {empty: false}}", "a b c"), ("{t: ''}", ""), ("{t: null}", ""), ("{t: x}", ""),
    ("{t: {greater: a}}", "b c"), ("{n: 2}", "b"), ("{n: 2.0}", "b"), ("{n: {greater: 2}}", "c"),
    ("{n: {less: 10}}", "a b"), ("{p: 1.5}", "a b"), ("{p: {less: 0}}", "c"),
    ("{d: 2026-01-06}", "b"), ("{d: {greater: 2026-01-05, less: 2026-02-01}}", "b"),
    ("{d: {empty: false}}", "a b c"), ("{w: {greater: 2026-01-05}}", "b c"),
    ("{w: '2026-01-05T22:30:00Z'}", "a"), ("{w: {less: '2026-01-06T00:00Z'}}", "a"),
    ("{f: true}", "a"), ("{f: 'нет'}", "b"), ("{f: {not: true}}", "b c "),
    ("{t: a, n: 2}", ""), ("{any: [{t: a}, {n: 10}]}", "a c"),
    ("{all: [{t: {not: a}}, {any: [{d: 2026-02-01}, {n: 2}]}]}", "b c"),
    ("{any: [{t: a}, {d: {greater: 2026-01-10}}], f: {empty: false}}", "a"),
  ])
  func `rows are kept that have what the document wants`(
    _ conditions: String, _ cells: String
  ) throws {
    let result = try read(conditions, Self.rows)
    let kept = cells.split(separator: " ", omittingEmptySubsequences: false).count
    let isNone =
      cells.isEmpty && !conditions.contains("true") && !conditions.contains("t: ''")
      && !conditions.contains("null")
    #expect(result.cells == cells)
    #expect(result.counts == (isNone ? [0, 4, 0] : [kept, 4 - kept, 0]))
  }

  /// Conditions of a generator, as a document writes them, and whether they hold.
  private static func condition(
    _ generator: inout SeededGenerator, depth: Int
  ) -> (text: String, holds: ([Int]) -> Bool) {
    if depth > 0, Bool.random(using: &generator) {
      let parts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        condition(&generator, depth: depth - 1)
      }
      let list = parts.map(\.text).joined(separator: ", ")
      return Bool.random(using: &generator)
        ? ("{all: [\(list)]}", { row in parts.allSatisfy { $0.holds(row) } })
        : ("{any: [\(list)]}", { row in parts.contains { $0.holds(row) } })
    }
    let column = Int.random(in: 0...2, using: &generator)
    let name = ["t", "n", "p"][column]
    let values = Array((0...4).shuffled(using: &generator).prefix(generator.pick([1, 2, 3])))
    let list = "[" + values.map(String.init).joined(separator: ", ") + "]"
    switch Int.random(in: 0...2, using: &generator) {
    case 0: return ("{\(name): \(list)}", { values.contains($0[column]) })
    case 1: return ("{\(name): {not: \(list)}}", { !values.contains($0[column]) })
    default: return ("{\(name): {greater: \(values[0])}}", { $0[column] > values[0] })
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `conditions inside each other hold as they are written`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (text, holds) = Self.condition(&generator, depth: 3)
    let rows = (0..<200).map { _ in (0..<3).map { _ in Int.random(in: 0...4, using: &generator) } }
    let feed = try OwnFeed.read(
      OwnFeed.document("t: t, n: {kind: integer}, p: {kind: decimal}", "where: \(text)"))
    let json = rows.map { "{\"t\":\"\($0[0])\",\"n\":\($0[1]),\"p\":\($0[2])}" }
    let result = FeedRun(feed: feed)("{\"d\":[\(json.joined(separator: ","))]}")
    let wanted = rows.filter(holds).map { "\($0[0]),\($0[1]),\($0[2])" }
    #expect(result.rows == wanted, "\(text)")
  }

  @Test func `a row that is not wanted is skipped whatever is wrong with it`() throws {
    let json =
      #"{"t":"x","d":"soon"},{"t":"a","d":"soon"},{"t":["a"]},{"t":"a","n":"x"},{"t":"x","n":[]}"#
    #expect(try read("{t: a}", json).counts == [0, 2, 3])
    #expect(try read("{n: 5}", #"{"n":"x"},{"n":6},{"n":5}"#).counts == [1, 1, 1])
    #expect(try read("{d: 2026-01-05}", #"{"d":"x"},{"d":"2026-01-06"}"#).counts == [0, 1, 1])
  }

  @Test func `a period's rows are wanted one by one`() throws {
    let columns = "s: s, p: {kind: period}"
    let json = #"{"s":"a","p":"1.1.2026, 1.2.2026"},{"s":"b","p":"1.1.2026"}"#
    let result = try read("{p_start: {greater: 2026-01-15}}", json, columns)
    #expect(result.cells == "a" && result.counts == [1, 1, 0])
  }

  @Test func `conditions see texts that were made, and hold before the user's`() throws {
    let columns = "t: {from: t, map: {1: pickup}}, n: n"
    let json = #"{"t":1,"n":1},{"t":1,"n":2},{"t":2,"n":1}"#
    let result = try read("{t: pickup}", json, columns) { run in
      run.conditions = [Condition(column: "n", value: "1")]
    }
    #expect(result.cells == "pickup" && result.counts == [1, 1, 0])
  }

  @Test func `rows that are not wanted have no share`() throws {
    let feed = try OwnFeed.read(OwnFeed.document(Self.columns, "where: {t: a}\nkey: [t]"))
    #expect(feed.table.conditions?.description == "t = a")
  }

  @Test func `some rows are no events, and stay in tables`() throws {
    let columns = "t: {required: true}, d: {kind: day, required: true}"
    let feed = try OwnFeed.read(
      OwnFeed.document(columns, "key: [t]\nevent: {summary: '{t}', where: {t: {not: b}}}"))
    let result = FeedRun(feed: feed)(
      #"{"d":[{"t":"a","d":"2026-01-05"},{"t":"b","d":"2026-01-05"},{"t":"c","d":"2026-01-06"}]}"#)
    #expect(result.rows.count == 3)
    #expect(result.lines.filter { $0.hasPrefix("SUMMARY") } == ["SUMMARY:a", "SUMMARY:c"])
    #expect(result.statistics.events == 2)
  }

  @Test(arguments: [
    ("{}", #"3:8 noValue("where")"#),
    ("[a]", #"3:8 wrongKind(key: Optional("where"), found: .list, wanted: [.mapping])"#),
    (
      "{x: 1}",
      #"3:9 unknownColumn("x", key: "where", columns: ["t", "n", "p", "d", "w", "f", "all", "any"])"#
    ),
    ("{t: {}}", #"3:12 noValue("t")"#), ("{t: []}", #"3:12 noValue("t")"#),
    ("{t: [a, a]}", #"3:16 duplicateItem("a")"#),
    ("{t: [[a]]}", #"3:13 wrongKind(key: Optional("t"), found: .list, wanted: [.text])"#),
    (
      "{t: {is: a}}",
      #"3:13 unknownKey("is", of: Optional("t"), allowed: ["not", "in", "empty", "greater", "less"])"#
    ),
    ("{t: {in: a}}", #"3:17 wrongKind(key: Optional("in"), found: .text, wanted: [.list])"#),
    ("{t: {empty: 1}}", #"3:20 badValue("1", key: "empty", .trueOrFalse)"#),
    ("{t: {less: null}}", #"3:19 noValue("less")"#),
    ("{n: one}", #"3:12 badValue("one", key: "n", .decimal)"#),
    ("{d: {less: soon}}", #"3:19 badValue("soon", key: "less", .day)"#),
    (
      "{w: {less: '2026-01-05T10:00'}}",
      #"3:19 badValue("2026-01-05T10:00", key: "less", .instant)"#
    ),
    ("{f: maybe}", #"3:12 badValue("maybe", key: "f", .trueOrFalse)"#),
    ("{f: {less: true}}", #"3:19 badValue("true", key: "less", .trueOrFalse)"#),
    ("{all: {t: a}}", #"3:14 wrongKind(key: Optional("all"), found: .mapping, wanted: [.list])"#),
    ("{any: []}", #"3:14 noValue("any")"#), ("{any: [{}]}", #"3:15 noValue("where")"#),
  ])
  func `the wrong forms of conditions have a place`(_ conditions: String, _ wanted: String) {
    let fault = OwnFeed.fault(
      "feed: a\nrows: d[]\nwhere: \(conditions)\ncolumns: {\(Self.columns)}")
    #expect(fault.replacing("Kind.", with: ".").replacing("Wanted.", with: ".") == wanted)
  }

  @Test func `each of several tables has its own conditions`() throws {
    let table = "{rows: 'a[]', columns: {x: {required: true}}, key: [x], where: {x: {not: b}}}"
    let feed = try OwnFeed.read("feed: a\ntables: {a: \(table)}")
    #expect(feed.tables[0].conditions?.description == "x != b")
    #expect(
      OwnFeed.fault("feed: a\nwhere: {x: 1}\ntables: {a: \(table)}")
        == #"2:8 besideTables("where")"#)
  }

  @Test(arguments: [
    ("1", ""), ("2", ""), ("3", "1:9 laterVersion(3, known: 2)"),
    ("0", #"1:9 badValue("0", key: "sluice", .version)"#),
    ("two", #"1:9 badValue("two", key: "sluice", .version)"#),
    ("[2]", #"1:9 wrongKind(key: Optional("sluice"), found: .list, wanted: [.text])"#),
  ])
  func `a document may name its version`(_ version: String, _ wanted: String) {
    let fault = OwnFeed.fault("sluice: \(version)\n\(OwnFeed.document("t: t"))")
    #expect(fault.replacing("Kind.", with: ".").replacing("Wanted.", with: ".") == wanted)
    // A later version may have keys that nobody knows yet.
    if version == "3" {
      #expect(OwnFeed.fault("later: 1\nsluice: 3") == "2:9 laterVersion(3, known: 2)")
    }
  }
}
