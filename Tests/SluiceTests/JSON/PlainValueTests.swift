import Testing

@testable import Sluice

/// Plain values that come as wholes: nothing else comes of them than of their tokens, which come
/// where the text is cut into pieces.
@Suite(.slow) struct PlainValueTests {
  private static let list = """
    feed: own
    rows: "d[].values[]"
    columns: {name: "d[].name", value: {from: $value, kind: decimal}}
    """
  private static let texts = """
    feed: own
    rows: "d[].values[]"
    columns: {name: "d[].name", value: {from: $value, required: true}}
    """
  private static let members = """
    feed: own
    clock: Europe/London
    rows: "d[].values.*"
    columns: {key: $key, at: {from: $value, kind: instant}, name: "d[].name", base: "d[].values.base"}
    """
  private static let rates = """
    feed: own
    rows: "d[].values.*"
    columns: {key: {from: $key, required: true}, rate: {from: $value, kind: decimal}, name: "d[].name"}
    """
  private static let counts = """
    feed: own
    rows: "d[].values.*"
    columns:
      day: {from: $key, kind: day}
      name: {from: "d[].name", required: true}
      since: {from: "d[].since", kind: instant}
      count: {from: $value, kind: integer, required: true}
    """
  private static let zipped = """
    feed: own
    rows: "d[]"
    zip: [values, others.at]
    columns: {name: name, value: {from: values, kind: integer}, at: {from: others.at, kind: flag}}
    """
  private static let hours = """
    feed: own
    clock: Europe/London
    rows: "d[]"
    zip: [others.at, values]
    columns: {at: {from: others.at, kind: instant}, name: name, value: {from: values, kind: decimal}}
    """
  private static let days = """
    feed: own
    rows: "d[]"
    zip: [values, others.at]
    columns: {value: {from: values, required: true}, at: {from: others.at, kind: day}}
    """

  private static let times = """
    feed: own
    clock: Europe/London
    rows: "d[].values[]"
    columns: {since: {from: "d[].since", kind: instant}, at: {from: $value, kind: instant}}
    """

  private static let all = [times, list, texts, members, rates, counts, zipped, hours, days]
  /// Those whose rows are the elements of parallel lists.
  private static let parallel = [zipped, hours, days]

  private static func isObject(_ document: String) -> Bool {
    [members, rates, counts].contains(document)
  }

  /// Returns the key of a value.
  private static func key(_ number: Int, _ document: String) -> String {
    document == counts && number % 7 > 0
      ? Day(number: Int32(20_000 + number)).description : "k\(number)"
  }

  private func run(_ document: String) throws -> FeedRun {
    FeedRun(feed: try OwnFeed.read(document))
  }

  /// Puts values among others and demands the same of every way to read them.
  private func check(
    _ strange: String, isError: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let plain = [#""2026-07-01T10:00Z""#, "12.5", "null", #""b""#]
    let values = plain + [strange] + plain + [strange, strange] + plain
    let rest = String(repeating: " ", count: RecordShape.slack)
    for document in Self.all {
      let isObject = Self.isObject(document)
      let inside = values.enumerated()
        .map { isObject ? #""\#(Self.key($0, document))":\#($1)"# : $1 }.joined(separator: ",")
      let held = isObject ? "{\(inside)}" : "[\(inside)]"
      let json =
        #"{"d":[{"name":"A","since":"2026-07-01T10:00:00Z","values":\#(held),"others":{"at":[true,1,"x"]}},"#
        + #"{"values":\#(held),"x":[1,2],"name":"B","others":{"at":\#(held)}}]}"# + rest
      let run = try run(document)
      let pieces = run(json, cut: .pieces(7))
      #expect((pieces.error != nil) == isError, "\(strange)", sourceLocation: sourceLocation)
      for split in stride(from: 0, through: json.utf8.count, by: 29)
      where !run(json, cut: .split(split)).isSame(as: pieces) {
        Issue.record("\(strange), \(document), split at \(split)", sourceLocation: sourceLocation)
        return
      }
    }
  }

  @Test(arguments: [
    "0", "-0", "1e5", "-1.25E-3", "0.1", "123456789012345678901234567890", #""""#, #"" ""#,
    #""a\nb  c""#, #"" № 5 ""#, #""Krak\u00f3w, \"Old\"""#, #""\ud83d\ude00 \/ \\""#, #""\u0000""#,
    "true", "false", "null", "{}", "[]", "[1,2]", #"{"a":[1,{"b":2}]}"#, " 7 ", "\n7\t",
    #""2026-03-29T01:30""#, #""2026-07-01 10:00:30,5+0300""#, #""1.5.2026""#,
    #""a long text that does not fit into the bytes that are compared at once: ждать до утра""#,
  ])
  func `values of all kinds`(_ value: String) throws { try check(value) }

  @Test(arguments: [
    "01", "1.", "-", "+1", ".5", "1e", "0x1", "nul", "nulll", "truee", #""\x""#, #""\ud800""#,
    "\"\u{1}\"", "\"a\nb\"", #""a" "b""#, "", "}", "]", "1 2", "1}", "1]", "-01", "1.5.2", "1;",
    String(repeating: "1", count: Limits.number + 1),
  ])
  func `errors have their place`(_ value: String) throws { try check(value, isError: true) }

  @Test(arguments: [
    #""base":"EUR""#, #""base":{}"#, #""k\n1":1"#, #"" ":1"#, #""":1"#, #"" a  b ":1"#,
    #""base":1,"base":2"#, #""№ 1" : 1"#,
    #""a-rather-long-key-of-many-words-that-does-not-fit-into-the-slack-after-a-value":1"#,
  ])
  func `keys of all kinds`(_ member: String) throws {
    let values = [
      #""a":1,"b":"2026-07-01T10:00Z""#, member, #""c":null,"d":[]"#, member, #""e":4"#,
    ]
    let json =
      #"{"d":[{"values":{\#(values.joined(separator: ","))}}]}"#
      + String(repeating: " ", count: RecordShape.slack)
    for document in [Self.members, Self.rates, Self.counts] {
      let result = try run(document).everyCut(json)
      #expect(result.counts.read > 3 || result.error != nil)
    }
  }

  @Test(arguments: all)
  func `values come as wholes`(_ document: String) throws {
    let values = (0..<200).map { number in
      let isTime = document == Self.members || document == Self.times
      let value = isTime ? "\"2026-07-01T10:\(10 + number / 9)Z\"" : "\(number)"
      let key = Self.key(7 * number + 1, document)
      return Self.isObject(document) ? #""\#(key)":\#(value)"# : value
    }
    let inside = values.joined(separator: ",")
    let held = Self.isObject(document) ? "{\(inside)}" : "[\(inside)]"
    let others = (0..<200).map { number in
      switch document {
      case Self.hours: "\"2026-07-01T10:\(10 + number / 7)\""
      case Self.days: "\"\(Day(number: Int32(20_000 + number / 3)))\""
      default: "true"
      }
    }
    let element =
      #"{"name":"A","since":null,"values":\#(held),"others":{"at":[\#(others.joined(separator: ","))]}}"#
    let json =
      #"{"d":[\#(element),\#(element)]}"# + String(repeating: " ", count: RecordShape.slack)
    let (counters, counts) = (Counters(), ValueCounts())
    let spy = Branch(SeriesSpy(counts: counts))
    try OwnFeed.push(json, of: OwnFeed.read(document), into: [spy], counters: counters) {
      ValueSpy(next: $0, counts: counts)
    }
    #expect(counters.rows.value == 400)
    // Every member but the first of its object is taken with its key.
    let isTaken = document == Self.rates || document == Self.counts
    #expect(counts.members == (isTaken ? 398 : 0))
    let isParallel = Self.parallel.contains(document)
    #expect(counts.values + counts.members == (isParallel ? 800 : 400))
    // Every row but the first goes on in a series, if all members of an object are rows; but the
    // first of each list too if it is a member or of parallel lists.
    let isAfterFirst = isTaken || isParallel
    #expect(counts.rows == (document == Self.members ? 0 : isAfterFirst ? 398 : 399))
  }

  @Test(arguments: 0..<60)
  func `rows of parallel lists`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let times = [
      #""2026-07-01T10:00""#, #""2026-07-01T11:00Z""#, #""2026-12-01""#, "null", #""""#, #"" ""#,
      #""2026-07-01T10:00:00+01:00""#, #"" 2026-07-02T10:00 ""#, #""2026-07-01T10:00:00Z""#,
    ]
    let strange = ["true", "[]", #"{"a":1}"#, #""x""#, #""\u0032026-07-01""#, "20260701"]
    func list(_ usual: [String], _ count: Int) -> String {
      var values: [String] = []
      while values.count < count {
        let isUsual = Int.random(in: 0...30, using: &generator) > 0
        let value = generator.pick(isUsual ? usual : strange)
        let times = Int.random(in: 1...6, using: &generator)
        values += [String](repeating: value, count: times)
      }
      return "[\(values.prefix(count).joined(separator: ","))]"
    }
    for document in Self.parallel {
      var elements: [String] = []
      for _ in 0..<5 {
        let count = Int.random(in: 0...150, using: &generator)
        let isShort = Int.random(in: 0...4, using: &generator) == 0
        let values = list(["1.5", "-2", "30", #""7""#, "null"], count)
        let others = list(times, isShort ? count / 2 : count)
        var members = [
          #""values":\#(isShort && seed % 3 == 0 ? "null" : values)"#,
          #""others":{"at":\#(others)}"#, #""name":"A""#,
        ]
        members.shuffle(using: &generator)
        elements.append("{\(members.joined(separator: ","))}")
      }
      let json =
        #"{"d":[\#(elements.joined(separator: ","))]}"#
        + String(repeating: " ", count: RecordShape.slack)
      let run = try run(document)
      let pieces = run(json, cut: .pieces(9))
      #expect(run(json).isSame(as: pieces), "\(document)")
      for length in [250, 900, 4000] {
        #expect(run(json, cut: .pieces(length)).isSame(as: pieces), "\(document), \(length)")
      }
    }
  }

  /// A list around the rows comes a second time, as a number: the rows after it are wrong.
  @Test func `a flaw around the rows ends what is known of them`() throws {
    let numbers = (1...20).map(String.init).joined(separator: ",")
    let lines = (1...20).map { #"{"a":\#($0),"b":"x"}"# }.joined(separator: ",")
    let fields = [
      "a: {from: $value, kind: integer}": numbers, "a: {from: a, kind: integer}": lines,
    ]
    for (field, rows) in fields {
      let run = try run(
        "feed: own\nrows: \"d[].v[]\"\n"
          + "columns: {m: {from: \"d[].meta[0]\", kind: integer}, \(field)}")
      for meta in ["5", #"{"x":1}"#] {
        let element = #"{"meta":[1,2],"v":[\#(rows)],"meta":\#(meta),"v":[\#(rows)]}"#
        let json =
          #"{"d":[\#(element),\#(element)]}"# + String(repeating: " ", count: RecordShape.slack)
        let result = run.everyCut(json)
        #expect(result.counts.rows == 40)
        #expect(result.rejects.count == 40)
      }
    }
  }

  @Test func `values that nobody asked for come as tokens`() throws {
    let result = try run(Self.texts).everyCut(
      #"{"d":[{"x":["a","b","c"],"values":["v",["w"],"x"],"y":["d",["e"],"f"]},{"z":[[1]]}]}"#
        + String(repeating: " ", count: 64))
    #expect(result.rows == [",v", ",x"])
    #expect(result.rejects.map(\.reason) == [.wrongKind])
  }

  @Test(arguments: 0..<40)
  func `values of a generator`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let usual = ["1", "22.5", "null", #""a""#, "-7", #""2026-07-01T10:00""#, "true"]
    let strange = usual + [#""\u0041\n""#, "[]", #"{"a":[1]}"#, " 5", "6 ", "1e3", #""№ 🏠""#]
    for document in Self.all {
      var elements: [String] = []
      func values(isObject: Bool) -> String {
        let values = (0..<Int.random(in: 0...40, using: &generator)).map { number in
          let isUsual = Int.random(in: 0...9, using: &generator) > 0
          let value = generator.pick(isUsual ? usual : strange)
          return isObject ? #""\#(Self.key(number, document))":\#(value)"# : value
        }
        let separator = seed % 4 == 0 ? ", " : ","
        let inside = values.joined(separator: separator)
        return isObject ? "{\(inside)}" : "[\(inside)]"
      }
      for number in 0..<6 {
        var members = [
          #""name":"n\#(number)""#, #""values":\#(values(isObject: Self.isObject(document)))"#,
          #""others":{"at":\#(values(isObject: false))}"#, #""x":\#(values(isObject: true))"#,
        ]
        if Int.random(in: 0...3, using: &generator) == 0 { members.shuffle(using: &generator) }
        elements.append("{\(members.joined(separator: ","))}")
      }
      var json = Array(#"{"d":[\#(elements.joined(separator: ","))]}"#.utf8)
      if seed % 2 == 1 {
        let place = Int.random(in: 6..<json.count, using: &generator)
        json[place] = generator.pick(Array(#"{}[],:"\0-.e tn"#.utf8) + [0, 0x1F, 0x80, 0xC3])
      }
      let run = try run(document)
      let pieces = run(json, cut: .pieces(9))
      #expect(run(json).isSame(as: pieces), "\(document)")
      for length in [200, 700, 1500] {
        #expect(run(json, cut: .pieces(length)).isSame(as: pieces), "\(document), \(length)")
      }
    }
  }
}

/// Hands on everything, and counts the values that come as wholes.
private struct ValueSpy<Next: TokenStage & ~Copyable>: TokenStage, ~Copyable {
  var next: Next
  let counts: ValueCounts

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  { try next.token(kind, text, at: offset) }

  mutating func values(_ run: borrowing ValueRun) throws(PipelineError) {
    counts.values += run.count
    try next.values(run)
  }

  var takesMembers: Bool { next.takesMembers }

  mutating func members(_ run: borrowing ValueRun) throws(PipelineError) -> Int {
    let taken = try next.members(run)
    counts.members += taken
    return taken
  }

  mutating func endWholes() throws(PipelineError) { try next.endWholes() }

  consuming func finish() throws(PipelineError) { try next.finish() }
}

/// Counts the rows that come in a series.
struct SeriesSpy: RecordStage, ~Copyable {
  let counts: ValueCounts

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {}

  mutating func take(_ series: borrowing RowSeries, of record: inout Record) throws(PipelineError) {
    counts.rows += series.count
  }

  consuming func finish() throws(PipelineError) {}
}

/// What came as a whole.
final class ValueCounts {
  var values = 0
  var members = 0
  /// Records with their keys.
  var keyed = 0
  var rows = 0
}
