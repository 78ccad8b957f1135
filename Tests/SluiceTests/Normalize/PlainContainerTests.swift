import Testing

@testable import Sluice

/// Rows in short containers, of which a series may go on from one to the next: nothing else comes
/// of them than of their tokens, which come where the text is cut into pieces.
@Suite(.slow) struct PlainContainerTests {
  /// What the containers of a document are like.
  private enum Form: Equatable {
    /// Members of an object, or elements of a list, which are objects or lists of plain values.
    case objectsByKey, listsByKey, objects, lists
    /// Containers with fields around them, which come before the rows, or after these.
    case around(Rows, isLate: Bool)

    /// What is in a container with fields around it: plain values or records, perhaps with keys.
    enum Rows { case values, members, records, keyedRecords }

    /// Whether a container is an object.
    var isObject: Bool {
      switch self {
      case .objectsByKey, .objects, .around(.members, _), .around(.keyedRecords, _): true
      case .listsByKey, .lists, .around(.values, _), .around(.records, _): false
      }
    }
  }

  private static let documents = early + early.compactMap(late)

  /// The same with the fields around the rows after these.
  private static func late(_ form: Form, _ document: String) -> (Form, String)? {
    guard case .around(let rows, _) = form else { return nil }
    return (.around(rows, isLate: true), document)
  }

  private static let early: [(Form, String)] = [
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
      .around(.values, isLate: false),
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
      .around(.records, isLate: false),
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
      .around(.records, isLate: false),
      """
      rows: "d[].v[]"
      columns: {name: "d[].name", a: {from: a, required: true}, b: b, day: {from: "d[].day", kind: day}}
      """
    ),
    (
      .around(.records, isLate: false),
      """
      hold: 2K
      rows: "d[].v[]"
      where: {b: {not: ["2026-01-15", "2026-01-16"]}}
      columns: {a: a, texts: "t[*].x", b: {from: b, kind: day}, name: "d[].name", day: "d[].day"}
      """
    ),
    (
      .around(.records, isLate: false),
      """
      rows: "d[].v[]"
      columns:
        name: {from: "d[].name", case: upper, required: true}
        place: {from: "d[].place", kind: decimal, cut: {suffix: ".5"}}
        a: {from: a, kind: integer}
        even: {from: "d[].day", kind: flag, map: {"2026-02-10": true, else: false}}
        b: b
      """
    ),
    (
      .around(.members, isLate: false),
      """
      rows: "d[].v.*"
      columns:
        name: "d[].name"
        key: $key
        value: {from: $value, kind: decimal, required: true}
        day: {from: "d[].day", kind: day}
      """
    ),
    (
      .around(.members, isLate: false),
      "rows: \"d[].v.*\"\ncolumns: {value: $value, name: {from: \"d[].name\", required: true}}"
    ),
    (
      .around(.keyedRecords, isLate: false),
      """
      rows: "d[].v.*"
      columns: {key: $key, name: "d[].name", a: {from: a, kind: integer}, b: b, place: "d[].place"}
      """
    ),
    (
      .around(.keyedRecords, isLate: false),
      """
      rows: "d[].v.*"
      columns: {a: {from: a, kind: integer}, b: {from: b, kind: day}, day: "d[].day"}
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
      let row: String
      switch form {
      case .around(.records, _), .around(.keyedRecords, _):
        let a = Int.random(in: 0...99, using: &generator)
        let texts = a % 5 == 0 ? "" : #","t":[{"x":"a"},{"x":"\#(a)"}]"#
        row = #"{"a":\#(isStrange ? value : "\(a)"),"b":"2026-01-\#(10 + a % 20)"\#(texts)}"#
      default: row = value
      }
      rows.append(form.isObject ? #""k\#(number)":\#(row)"# : row)
    }
    let inside = rows.joined(separator: ",")
    return form.isObject ? "{\(inside)}" : "[\(inside)]"
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
    case .around(_, let isLate):
      let since = generator.pick(isStrange ? strangeValues : times)
      let name = isStrange ? "null" : "\"n\(number % 7)\""
      var members = [
        #""name":\#(name)"#, #""since":\#(since)"#, #""place":\#(number).5"#,
        #""day":"2026-02-\#(10 + number % 15)""#, #""other":[\#(number)]"#,
      ]
      members.insert(#""v":\#(container)"#, at: isLate ? 0 : members.count)
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
        case .around(.records, _):
          #"[{"a":\#(row),"b":"2026-01-05"},{"a":\#(row),"b":"2026-01-06"}]"#
        case .around(.keyedRecords, _):
          #"{"x":{"a":\#(row),"b":"2026-01-05"},"y":{"a":\#(row),"b":"2026-01-06"}}"#
        default: form.isObject ? #"{"a":\#(row),"b":\#(row)}"# : "[\(row),\(row)]"
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

  /// Rows that wait for a field after them come as series too, in containers that are long. The room
  /// for very long ones grows with the first of them.
  @Test(arguments: [20, 200, 1500])
  func `rows that wait leave as a series`(count: Int) throws {
    for (form, document) in Self.documents {
      guard case .around(let rows, isLate: true) = form, !document.contains("hold") else {
        continue
      }
      let elements = (0..<50).map { number in
        let inside = (0..<count).map { index in
          let key = form.isObject ? #""k\#(index)":"# : ""
          let isRecord = rows == .records || rows == .keyedRecords
          return key + (isRecord ? #"{"a":\#(index),"b":"2026-01-05"}"# : "\(index)")
        }
        let list = inside.joined(separator: ",")
        var generator = SeededGenerator(seed: 1)
        return Self.element(
          form, number, form.isObject ? "{\(list)}" : "[\(list)]", .max, &generator)
      }
      let json =
        #"{"d":[\#(elements.joined(separator: ","))]}"#
        + String(repeating: " ", count: RecordShape.slack)
      let feed = try OwnFeed.read("feed: own\n" + document)
      let (counters, lengths) = (Counters(), SeriesLengths())
      let spy = Branch(LengthSpy(lengths: lengths))
      try OwnFeed.push(json, of: feed, into: [spy], counters: counters)
      #expect(counters.rows.value == 50 * count)
      let least = count > 200 ? 40 : 46
      #expect(lengths.all.reduce(0, +) > least * count, "\(document)")
    }
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
    let lists = #""v":[\#(values)],"w":[\#(records)]"#
    for (document, isLate) in documents.flatMap({ [($0, false), ($0, true)] }) {
      let elements = days.map {
        isLate ? #"{\#(lists),"day":"\#($0)"}"# : #"{"day":"\#($0)",\#(lists)}"#
      }
      let json =
        #"{"d":[\#(elements.joined(separator: ","))]}"#
        + String(repeating: " ", count: RecordShape.slack)
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
