import Testing

@testable import Sluice

/// Columns whose texts are made of values: the first of several, constants, and two columns of one
/// value.
@Suite struct MadeTextTests {
  /// The cells of the rows, and the reasons of the rejects. Every cut of the input gives the same.
  private func read(
    _ columns: String, _ json: String, _ more: String = "", where conditions: [Condition] = []
  ) throws -> (rows: [String], rejects: [String]) {
    var run = FeedRun(feed: try OwnFeed.read(OwnFeed.document(columns, more)))
    run.conditions = conditions
    let input = Array("{\"d\":[\(json)]}".utf8)
    let results = ChunkCutter.everyCut(of: input) { cut in
      let result = run(input, cut: FeedRun.Cut(cut))
      #expect(result.error == nil)
      return [result.rows, result.rejects.map { "\($0.field ?? "-") \($0.reason.rawValue)" }]
    }
    return (results[0], results[1])
  }

  @Test func `the first value that is not empty is taken`() throws {
    let result = try read(
      "i: i, n: {first: [a, b.c, $.all]}",
      #"{"a":"x","b":{"c":"y"}},{"a":" ","b":{"c":" y  z "}},{"b":{"c":null}},{"a":null},{"a":7}"#)
    #expect(result.rows == [",x", ",y z", ",", ",", ",7"])
    #expect(result.rejects == [])
  }

  @Test func `a value around the rows is one of several`() throws {
    let feed = try OwnFeed.read(OwnFeed.document("n: {first: [a, $.all]}"))
    let result = FeedRun(feed: feed)(#"{"all":"ALL","d":[{"a":"x"},{"a":""},{"a":null},{}]}"#)
    #expect(result.rows == ["x", "ALL", "ALL", "ALL"])
  }

  @Test(arguments: [
    ("integer", #"{"a":"","b":" 12 "}"#, "12"), ("flag", #"{"a":null,"b":true}"#, "true"),
    ("flag", #"{"a":"нет"}"#, "false"), ("decimal", #"{"b":1.50}"#, "1.50"),
    ("day", #"{"a":" ","b":"1.8.2026"}"#, "2026-08-01"),
    ("instant", #"{"a":"2026-08-01T10:00Z"}"#, "2026-08-01T10:00:00Z"),
    ("verbatim", #"{"a":"","b":" x\n y"}"#, "\" x\n y\""),
    ("period", #"{"a":"","b":"1.8.2026"}"#, "2026-08-01,2026-08-01"),
  ])
  func `each kind can be the first of several values`(
    _ kind: String, _ json: String, _ row: String
  ) throws {
    let result = try read("n: {first: [a, b], kind: \(kind), required: true}", json)
    #expect(result.rows.joined(separator: "\n") == row)
    #expect(result.rejects == [])
  }

  @Test func `a required value may be any of them`() throws {
    let result = try read(
      "n: {first: [a, b], required: true}", #"{"a":"x"},{"b":"y"},{"c":1},{"a":"","b":" "}"#)
    #expect(result.rows == ["x", "y"])
    #expect(result.rejects == ["a missing-value", "a missing-value"])
  }

  @Test func `a list is no text`() throws {
    let result = try read("n: {first: [a, b]}", #"{"a":[1]},{"a":"x","b":{}},{"a":true}"#)
    #expect(result.rejects == ["a wrong-kind", "b wrong-kind", "a wrong-kind"])
  }

  @Test func `a constant is in every row`() throws {
    let result = try read(
      "s: {value: Leningrad}, n: {value: 5, kind: integer}, a: a", #"{"a":1},{"a":2},{"a":3}"#,
      "key: [s, a]")
    #expect(result.rows == ["Leningrad,5,1", "Leningrad,5,2", "Leningrad,5,3"])
  }

  @Test func `two columns may be made of one value`() throws {
    let result = try read(
      "a: t, b: {from: t, kind: verbatim}, c: {from: t, kind: day}",
      #"{"t":" 2026-08-01"},{"t":"2026-08-02"},{"t":"x"}"#)
    #expect(
      result.rows == ["2026-08-01, 2026-08-01,2026-08-01", "2026-08-02,2026-08-02,2026-08-02"])
    #expect(result.rejects == ["t not-a-day"])
  }

  @Test func `conditions see the texts that were made`() throws {
    let result = try read(
      "n: {first: [a, b]}, c: {value: X}", #"{"a":"x"},{"b":"y"},{"a":"z"}"#,
      where: [Condition(column: "n", value: "y"), Condition(column: "c", value: "x")])
    #expect(result.rows == ["y,X"])
  }

  /// Records that are alike are read as a whole, others as tokens.
  @Test func `whole objects and tokens give the same`() throws {
    let columns =
      "id: {kind: integer, required: true}, n: {first: [a, b]}, d: {first: [b], kind: day}"
    func json(_ odd: String) -> String {
      (0..<50).map {
        #"{"id":\#($0),"a":"\#($0 % 3 == 0 ? "" : "v \($0)")","b":"2026-01-0\#($0 % 9)"\#(odd)}"#
      }
      .joined(separator: ",")
    }
    let (whole, tokens) = (try read(columns, json("")), try read(columns, json(#","z":[{}]"#)))
    #expect(whole.rows == tokens.rows && whole.rejects == tokens.rejects)
    #expect(whole.rows.count == 44 && whole.rejects.count == 6)
  }

  @Test func `the zone of a time may be a column's value too`() throws {
    let result = try read(
      "z: tz, w: {from: tz, kind: verbatim}, t: {kind: instant, zone: {from: tz}}",
      #"{"tz":"Europe/Berlin","t":"2026-07-01 10:00"}"#)
    #expect(result.rows == ["Europe/Berlin,Europe/Berlin,2026-07-01T10:00:00+02:00"])
  }
}
