import Testing

@testable import Sluice

/// Rows in short containers, of which a series may go on from one to the next: nothing else comes
/// of them than of their tokens, which come where the text is cut into pieces.
@Suite(.slow) struct PlainContainerTests {
  /// What the containers of a document are like.
  private enum Form {
    /// Members of an object, or elements of a list, which are objects or lists of plain values.
    case objectsByKey, listsByKey, objects, lists
    /// Lists of plain values or of records, with fields around them.
    case valuesAround, recordsAround
  }

  private static let documents: [(Form, String)] = [
    (
      .objectsByKey,
      """
      rows: "d.*.*"
      columns:
        day: {from: "$key[1]", kind: day}
        key: $key
        value: {from: $value, kind: decimal}
      """
    ),
    (
      .objectsByKey,
      """
      rows: "d.*.*"
      columns: {key: {from: $key, required: true}, value: $value, day: {from: "$key[1]", required: true}}
      """
    ),
    (.listsByKey, "rows: \"d.*[]\"\ncolumns: {day: $key, value: {from: $value, kind: integer}}"),
    (.objects, "rows: \"d[].*\"\ncolumns: {key: $key, value: {from: $value, kind: decimal}}"),
    (.lists, "rows: \"d[][]\"\ncolumns: {value: {from: $value, required: true}}"),
    (
      .valuesAround,
      """
      clock: Europe/London
      rows: "d[].v[]"
      columns:
        since: {from: "d[].since", kind: instant}
        value: {from: $value, kind: decimal}
        name: {from: "d[].name", required: true}
      """
    ),
    (
      .recordsAround,
      """
      clock: Europe/London
      rows: "d[].v[]"
      columns:
        a: {from: a, kind: integer}
        name: "d[].name"
        since: {from: "d[].since", kind: instant}
        place: {from: "d[].place", kind: decimal}
        b: {from: b, kind: day}
      """
    ),
    (
      .recordsAround,
      """
      rows: "d[].v[]"
      columns: {name: "d[].name", a: {from: a, required: true}, b: b, day: {from: "d[].day", kind: day}}
      """
    ),
  ]

  private static let values = ["1", "22.5", "-7", "null", #""a""#, #""x, y""#]
  private static let strangeValues = [
    "true", #""\u0041\n""#, "[]", #"{"a":[1]}"#, " 5", "6 ", "1e3", #""№ 🏠""#, #"" a  b ""#, #""""#,
    #""2026-12-01""#,
  ]
  private static let times = [
    #""2026-07-01T10:00""#, #""2026-07-01T11:00:00Z""#, "null",
  ]

  private static func run(_ document: String) throws -> FeedRun {
    FeedRun(feed: try OwnFeed.read("feed: own\n" + document))
  }

  /// Returns a container of up to so many rows.
  private static func container(
    _ form: Form, _ most: Int, _ strange: Int, _ generator: inout SeededGenerator
  ) -> String {
    let count = Int.random(in: 0...most, using: &generator)
    var rows: [String] = []
    for number in 0..<count {
      let isStrange = Int.random(in: 0..<strange, using: &generator) == 0
      let value = generator.pick(isStrange ? strangeValues : values)
      switch form {
      case .objectsByKey, .objects: rows.append(#""k\#(number)":\#(value)"#)
      case .listsByKey, .lists, .valuesAround: rows.append(value)
      case .recordsAround:
        let number = Int.random(in: 0...99, using: &generator)
        rows.append(
          #"{"a":\#(isStrange ? value : "\(number)"),"b":"2026-01-\#(10 + number % 20)"}"#)
      }
    }
    let inside = rows.joined(separator: ",")
    return form == .objectsByKey || form == .objects ? "{\(inside)}" : "[\(inside)]"
  }

  /// Returns an element with a container.
  private static func element(
    _ form: Form, _ number: Int, _ container: String, _ strange: Int,
    _ generator: inout SeededGenerator
  ) -> String {
    let isStrange = Int.random(in: 0..<strange, using: &generator) == 0
    switch form {
    case .objectsByKey, .listsByKey:
      let key = isStrange ? generator.pick(["x", #"a\nb"#, " a  b ", "", "2026-02-31"]) : nil
      return #""\#(key ?? Day(number: Int32(20_000 + number)).description)":\#(container)"#
    case .objects, .lists: return container
    case .valuesAround, .recordsAround:
      let since = generator.pick(isStrange ? strangeValues : times)
      let name = isStrange ? "null" : "\"n\(number % 7)\""
      var members = [
        #""name":\#(name)"#, #""since":\#(since)"#, #""place":\#(number).5"#,
        #""day":"2026-02-\#(10 + number % 15)""#, #""other":[\#(number)]"#, #""v":\#(container)"#,
      ]
      if isStrange { members.shuffle(using: &generator) }
      return "{\(members.joined(separator: ","))}"
    }
  }

  @Test(arguments: 0..<60)
  func `containers of a generator`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let strange = generator.pick([8, 40, 400])
    for (form, document) in Self.documents {
      let most = generator.pick([3, 6, 25])
      let elements = (0..<60).map { number in
        let isLong = Int.random(in: 0...20, using: &generator) == 0
        let container = Self.container(form, isLong ? 90 : most, strange, &generator)
        return Self.element(form, number, container, strange, &generator)
      }
      let inside = elements.joined(separator: seed % 4 == 0 ? ", " : ",")
      let isObject = form == .objectsByKey || form == .listsByKey
      var json = Array((isObject ? #"{"d":{\#(inside)}}"# : #"{"d":[\#(inside)]}"#).utf8)
      if seed % 3 == 1 {
        let place = Int.random(in: 6..<json.count, using: &generator)
        json[place] = generator.pick(Array(#"{}[],:"\0-.e tn"#.utf8) + [0, 0x1F, 0x80, 0xC3])
      }
      json += Array(repeating: UInt8(ascii: " "), count: RecordShape.slack)
      let run = try Self.run(document)
      let pieces = run(json, cut: .pieces(9))
      #expect(run(json).isSame(as: pieces), "\(document)")
      for length in [200, 700, 1500, 4000] {
        #expect(run(json, cut: .pieces(length)).isSame(as: pieces), "\(document), \(length)")
      }
    }
  }

  @Test(arguments: documents.indices)
  func `a series goes on from container to container`(_ number: Int) throws {
    let (form, document) = Self.documents[number]
    let elements = (0..<100).map { number in
      let row = "\(number)"
      let container =
        switch form {
        case .objectsByKey, .objects: #"{"a":\#(row),"b":\#(row)}"#
        case .listsByKey, .lists, .valuesAround: "[\(row),\(row)]"
        case .recordsAround: #"[{"a":\#(row),"b":"2026-01-05"},{"a":\#(row),"b":"2026-01-06"}]"#
        }
      var generator = SeededGenerator(seed: 1)
      return Self.element(form, number, container, .max, &generator)
    }
    let inside = elements.joined(separator: ",")
    let isObject = form == .objectsByKey || form == .listsByKey
    let json =
      (isObject ? #"{"d":{\#(inside)}}"# : #"{"d":[\#(inside)]}"#)
      + String(repeating: " ", count: RecordShape.slack)
    let feed = try OwnFeed.read("feed: own\n" + document)
    let (counters, lengths) = (Counters(), SeriesLengths())
    let spy = Branch(LengthSpy(lengths: lengths))
    try OwnFeed.push(json, of: feed, into: [spy], counters: counters)
    #expect(counters.rows.value == 200)
    #expect(lengths.all.max() == RowSeries.most)
    #expect(lengths.all.reduce(0, +) > 180)
  }

  /// A guard looks at the days of all rows, so those of each container count.
  @Test(arguments: [1, 2, 6, 20, 100])
  func `the days around the rows are counted`(rows: Int) throws {
    let documents = [
      "rows: \"d[].v[]\"\ncolumns: {a: {from: $value, kind: integer}, day: {from: \"d[].day\", kind: day}}",
      "rows: \"d[].w[]\"\ncolumns: {a: {from: a, kind: integer}, day: {from: \"d[].day\", kind: day}}",
    ]
    // The first and the last day are in a container among others.
    let days = (0..<40).map { $0 == 21 ? "2030-01-01" : $0 == 2 ? "2000-01-01" : "2026-01-05" }
    let values = (0..<rows).map(String.init).joined(separator: ",")
    let records = (0..<rows).map { #"{"a":\#($0)}"# }.joined(separator: ",")
    let elements = days.map { #"{"day":"\#($0)","v":[\#(values)],"w":[\#(records)]}"# }
    let json =
      #"{"d":[\#(elements.joined(separator: ","))]}"#
      + String(repeating: " ", count: RecordShape.slack)
    for document in documents {
      let counters = Counters()
      let feed = try OwnFeed.read("feed: own\n" + document)
      try OwnFeed.push(json, of: feed, into: [], counters: counters)
      let first = try #require(Day(year: 2000, month: 1, day: 1))
      let last = try #require(Day(year: 2030, month: 1, day: 1))
      #expect(counters.firstDayRead.value == Int(first.number), "\(document)")
      #expect(counters.lastDayRead.value == Int(last.number), "\(document)")
      #expect(counters.firstDay.value == Int(first.number), "\(document)")
      #expect(counters.lastDay.value == Int(last.number), "\(document)")
    }
  }
}

/// Keeps the lengths of series.
private struct LengthSpy: RecordStage, ~Copyable {
  let lengths: SeriesLengths

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {}

  mutating func take(_ series: borrowing RowSeries, of record: inout Record) throws(PipelineError) {
    lengths.all.append(series.count)
  }

  consuming func finish() throws(PipelineError) {}
}

private final class SeriesLengths {
  var all: [Int] = []
}
