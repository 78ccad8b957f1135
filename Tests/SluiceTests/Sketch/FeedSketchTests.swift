import Foundation
import Testing

@testable import Sluice

/// What a sample suggests as a feed.
@Suite struct FeedSketchTests {
  private func sketch(_ json: String) throws -> FeedSketch {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("sluice-sketch-\(UUID().uuidString).json")
    try Data(json.utf8).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    return try sketchFeed(.file(path.path))
  }

  private func columns(_ json: String) throws -> [String] {
    try sketch(json).columns.map { "\($0.name) \($0.rule.rawValue) \($0.path)" }
  }

  @Test func `kinds are guessed from all values`() throws {
    let values: [(String, String, Rule?)] = [
      ("1", "2", .integer), ("1", "2.5", .decimal), ("\"1\"", "\"2\"", .text),
      ("\"2026-01-05\"", "\"6.1.2026\"", .day), ("\"2026-01-05\"", "\"x\"", .text),
      ("\"2026-01-05T10:00:00Z\"", "null", .instant),
      ("\"1.1.2026-2.1.2026\"", "\"3.1.2026\"", .period), ("true", "\"no\"", .flag),
      ("\"yes\"", "\"no\"", .text), ("true", "\"x\"", nil), ("null", "\"\"", nil), ("1", "[]", nil),
      ("\"a\"", "1", .text),
    ]
    for (a, b, rule) in values {
      let sketch = try sketch("[{\"k\":\(a),\"z\":1},{\"k\":\(b),\"z\":2}]")
      #expect(sketch.columns.first { $0.name == "k" }?.rule == rule, "\(a) \(b)")
      #expect(sketch.omitted.count == (rule == nil ? 1 : 0))
    }
  }

  @Test(arguments: [
    ("dt", "1592809200", "662688000", UnixTime.seconds),
    ("startTime", "1592809200", "\"\"", .seconds),
    ("created_at", "1592809200000", "null", .milliseconds),
    ("time", "4102444799", "631152000", .seconds), ("time", "4102444800", "631152000", nil),
    ("time", "631151999", "631152000", nil), ("time", "1592809200", "1592809200000", nil),
    ("timestamp", "1592809200.5", "1592809200", nil), ("dt", "\"1592809200\"", "1592809200", nil),
    ("size", "1592809200", "1592809200", nil), ("update", "1592809200", "1592809200", nil),
  ])
  func `numbers are times where their key and they say so`(
    key: String, a: String, b: String, unix: UnixTime?
  ) throws {
    let sketch = try sketch("[{\"\(key)\":\(a),\"z\":\"x\"},{\"\(key)\":\(b),\"z\":\"y\"}]")
    #expect(sketch.columns[0].unix == unix)
    #expect((sketch.columns[0].rule == .instant) == (unix != nil))
    #expect((sketch.event == nil) == (unix == nil))
  }

  @Test func `rows are the largest list that has days`() throws {
    let tags = #""tags":[{"x":1},{"x":2},{"x":3}]"#
    #expect(
      try sketch(#"{"a":[{"d":"2026-01-05",\#(tags)},{"d":"2026-01-06",\#(tags)}]}"#).rows
        == ["a", .each])
    #expect(
      try columns(
        #"{"a":[{"isin":"x","items":[{"date":"2026-01-05","p":1.5},{"date":"2026-01-06"}]}]}"#)
        == ["isin text a[].isin", "date day a[].items[].date", "p decimal a[].items[].p"])
    #expect(try sketch(#"[{"a":1},{"a":2}]"#).rows == [.each])
    #expect(try sketch(#"{"l":[{"a":1,"b":2,"w":[{"c":1}]}]}"#).rows == ["l", .each])
  }

  @Test func `what stands around the rows is a column where it comes before them`() throws {
    let sketch = try sketch(
      #"{"city":"B","meta":{"v":1},"d":[{"t":"x"}],"late":{"z":1},"last":2}"#)
    #expect(sketch.columns.map(\.name) == ["city", "meta_v", "t"])
    #expect(
      sketch.omitted == [
        FeedSketch.Omitted(path: ["late", "z"], why: .late),
        FeedSketch.Omitted(path: ["last"], why: .late),
      ])
  }

  @Test func `names are ASCII, and each stands once`() throws {
    #expect(
      try sketch(
        #"[{"№ дома":"1","Дома":"2","startDate":"x","a-b":"3","1x":"4","ё":"5","й":"6","?":"7","o":{"a b":"8"}}]"#
      ).columns.map(\.name)
        == ["doma", "doma_2", "start_date", "a_b", "c_1x", "e", "i", "column", "o_a_b"])
  }

  @Test func `an event begins and ends with days`() throws {
    #expect(
      try sketch(#"[{"bin":"x","end_date":"2026-01-06","start_date":"2026-01-05"}]"#).event
        == FeedSketch.Event(start: "start_date", end: "end_date", title: ["bin"]))
    #expect(
      try sketch(#"[{"bin":"x","when":"1.1.2026 - 3.1.2026"}]"#).event
        == FeedSketch.Event(start: "when_start", end: nil, title: ["bin"]))
    #expect(try sketch(#"[{"bin":"x"}]"#).event == nil)
    #expect(try sketch(#"[{"day":"2026-01-05"}]"#).event == nil)
    let own = try sketch(#"[{"id":1,"t":"x","d":"2026-01-05"},{"id":2,"t":"x","d":"2026-01-05"}]"#)
    #expect(own.key == ["id"])
    #expect(own.event?.title == ["t"])
  }

  @Test func `a text that stands in for periods is skipped`() throws {
    let periods = (1...20).map { "{\"p\":\"\($0).1.2026-25.1.2026\",\"t\":\"x\"}" }
    let sketch = try sketch(
      "[" + (periods + [#"{"p":"None"}"#, #"{"p":" none"}"#]).joined(separator: ",") + "]")
    #expect(sketch.columns[0].rule == .period)
    #expect(sketch.columns[0].skip == "None")
    #expect(sketch.columns[0].misfits == 0)
  }

  @Test func `no list of objects is an error that lists the keys`() {
    #expect(throws: SketchFault.noRows(keys: ["a", "b"])) { try sketch(#"{"a":[1],"b":{}}"#) }
    #expect(throws: SketchFault.self) { try sketch("[{]") }
  }
}
