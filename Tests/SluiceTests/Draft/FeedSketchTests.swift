import Foundation
import Testing

@testable import Sluice

/// What a sample suggests as a feed.
@Suite struct FeedSketchTests {
  private func sketch(_ json: String) throws -> FeedDraft {
    try draftFeed(.bytes(Array(json.utf8)))
  }

  private func columns(_ json: String) throws -> [String] {
    try sketch(json).columns.map { "\($0.name) \($0.kind.rawValue) \($0.path)" }
  }

  @Test func `kinds are guessed from all values`() throws {
    let values: [(String, String, FieldKind?)] = [
      ("1", "2", .integer), ("1", "2.5", .decimal), ("\"1\"", "\"2\"", .text),
      ("\"2026-01-05\"", "\"6.1.2026\"", .day), ("\"2026-01-05\"", "\"x\"", .text),
      ("\"2026-01-05T10:00:00Z\"", "null", .instant),
      ("\"1.1.2026-2.1.2026\"", "\"3.1.2026\"", .period), ("true", "\"no\"", .flag),
      ("\"yes\"", "\"no\"", .text), ("true", "\"x\"", nil), ("null", "\"\"", nil), ("1", "[]", nil),
      ("\"a\"", "1", .text),
    ]
    for (a, b, rule) in values {
      let sketch = try sketch("[{\"k\":\(a),\"z\":1},{\"k\":\(b),\"z\":2}]")
      #expect(sketch.columns.first { $0.name == "k" }?.kind == rule, "\(a) \(b)")
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
    #expect((sketch.columns[0].kind == .instant) == (unix != nil))
    #expect((sketch.event == nil) == (unix == nil))
  }

  @Test func `parallel lists make rows`() throws {
    let sample = #"""
      {"city":"Lund","flat":true,"hourly":{"time":["00:00","01:00","02:00"],
      "rain":[0,1,2]},"daily":{"units":{"rain":"mm"},"time":["2026-01-05","6.1.2026"],"rain":[0.4,null]},
      "at":[1592809200,1592809300],"one":[5]}
      """#
    let sketch = try sketch(sample)
    #expect(sketch.rows == [] && sketch.count == 2)
    #expect(sketch.zip.map(\.description) == ["daily.time", "daily.rain", "at"])
    #expect(
      try columns(sample) == [
        "city text city", "flat flag flat", "daily_units_rain text daily.units.rain",
        "time day daily.time", "rain decimal daily.rain", "at instant at",
      ])
    #expect(sketch.columns.map(\.isOwn) == [false, false, false, true, true, true])
    #expect(
      sketch.omitted.map { "\($0.path) \($0.why)" }
        == ["hourly.time otherLength", "hourly.rain otherLength", "one otherLength"])
    #expect(sketch.event?.start == "time")
    #expect(throws: DraftFault.noRows(keys: ["a", "b"])) {
      try self.sketch(#"{"a":[1,2],"b":[3]}"#)
    }
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

  @Test func `what stands around the rows is a column, after them only in a list`() throws {
    let sketch = try sketch(
      #"{"city":"B","meta":{"v":1},"d":[{"t":"x"}],"late":{"z":1},"last":2}"#)
    #expect(sketch.columns.map(\.name) == ["city", "meta_v", "t"])
    #expect(
      sketch.omitted == [
        FeedDraft.Omitted(path: ["late", "z"], why: .late),
        FeedDraft.Omitted(path: ["last"], why: .late),
      ])
    #expect(
      try columns(#"[{"d":[{"t":"2026-01-05"},{"t":"2026-01-06"}],"city":"B"}]"#)
        == ["city text [].city", "t day [].d[].t"])
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
        == FeedDraft.Event(start: "start_date", end: "end_date", title: ["bin"]))
    #expect(
      try sketch(#"[{"bin":"x","when":"1.1.2026 - 3.1.2026"}]"#).event
        == FeedDraft.Event(start: "when_start", end: nil, title: ["bin"]))
    for end in [#""end":"2026-01-04""#, #""last_updated":"2026-01-06""#] {
      #expect(try sketch(#"[{"bin":"x","start":"2026-01-05",\#(end)}]"#).event?.end == nil)
    }
    #expect(
      try sketch(#"[{"bin":"x","start":"2026-01-05","last_day":"2026-01-06"}]"#).event?.end
        == "last_day")
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
    #expect(sketch.columns[0].kind == .period)
    #expect(sketch.columns[0].skip == "None")
    #expect(sketch.columns[0].misfits == nil)
  }

  /// Forty records, the days of which are these, and then good ones.
  private func days(_ odd: [String], _ key: String = "d") -> [String] {
    (0..<40).map { i in
      "{\"t\":\"x\(i)\",\"\(key)\":\(i < odd.count ? odd[i] : "\"5.1.2026\"")}"
    }
  }

  @Test func `nine in ten values choose the kind, and the others are named`() throws {
    for (odd, misfits) in [
      ([#""soon""#], FeedDraft.Misfits(count: 1, values: 40, first: "soon", record: 1)),
      ([#""""#, "null", "7", #""30.2.2026""#], .init(count: 2, values: 38, first: "7", record: 3)),
      ([#""a""#, #""b""#, #""c""#, #""d""#], .init(count: 4, values: 40, first: "a", record: 1)),
    ] {
      let sketch = try sketch("[" + days(odd).joined(separator: ",") + "]")
      #expect(sketch.columns[1].kind == .day && sketch.columns[1].misfits == misfits)
      #expect(sketch.event?.start == "d")
    }
    let many = try sketch("[" + days((1...5).map { "\($0)" }).joined(separator: ",") + "]")
    #expect(many.columns[1].kind == .text && many.columns[1].misfits == nil)
    // The records of an outer list count on; elements that are none count too.
    let lists = days([#""x""#]).enumerated().map { $0 == 0 ? $1 : "\($1)]},{\"l\":[" + $1 }
    let nested = try sketch(#"[{"l":[7,"# + lists.joined(separator: ",") + "]}]")
    #expect(nested.columns.last?.misfits?.record == 2)
  }

  @Test func `no more records are refused for odd values than are allowed in all`() throws {
    let both = zip(days([#""x""#, #""x""#, #""x""#], "d"), days(["7", "8"], "e").reversed()).map {
      $0.dropLast() + "," + $1.dropFirst(1).replacingOccurrences(of: "\"t\"", with: "\"u\"")
    }
    let sketch = try sketch("[" + both.joined(separator: ",") + "]")
    let rules = Dictionary(uniqueKeysWithValues: sketch.columns.map { ($0.name, $0.kind) })
    #expect(rules["d"] == .day && rules["e"] == .text)
  }

  @Test func `an event begins with the row's own time, not with one that all rows share`() throws {
    let own = try sketch(#"{"made":"2026-01-01","l":[{"t":"x","at":"2026-01-05T10:00:00Z"}]}"#)
    #expect(own.event == FeedDraft.Event(start: "at", end: nil, title: ["t"]))
    #expect(own.columns.map(\.isRequired) == [false, false, true])
    let shared = try sketch(#"{"made":"2026-01-01T10:00:00Z","l":[{"t":"x"},{"t":"y"}]}"#)
    #expect(
      shared.event
        == FeedDraft.Event(start: "made", end: nil, title: ["t"], isDoubtful: true))
    #expect(shared.columns.map(\.isRequired) == [false, false])
  }

  @Test func `a list in a row tells how one of its values is read`() throws {
    let sketch = try sketch(
      #"[{"t":"x","a":["p"],"b":[{"c":{"d":1}}],"e":[],"f":[[1]],"g":[{"h":[]}]}]"#)
    #expect(
      sketch.omitted == [
        .init(
          path: [.each, "a"],
          why: .list(first: [.each, "a", .element(0)], hasObjects: false)),
        .init(
          path: [.each, "b"],
          why: .list(first: [.each, "b", .element(0), "c", "d"], hasObjects: true)),
        .init(path: [.each, "e"], why: .empty),
        .init(path: [.each, "f"], why: .list(first: nil, hasObjects: false)),
        .init(path: [.each, "g"], why: .list(first: nil, hasObjects: true)),
      ])
  }

  @Test func `no list of objects is an error that lists the keys`() {
    #expect(throws: DraftFault.noRows(keys: ["a", "b"])) { try sketch(#"{"a":[1],"b":{}}"#) }
    #expect(throws: DraftFault.self) { try sketch("[{]") }
  }
}
