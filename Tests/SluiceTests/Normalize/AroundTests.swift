import Testing

@testable import Sluice

/// Fields around the records are judged once for all of them, and nobody sees it.
@Suite struct AroundTests {
  private static let document = """
    feed: own
    rows: trips[].stops[]
    columns:
      number: {from: "trips[].number", kind: integer}
      price: {from: "trips[].price", kind: decimal}
      begins: {from: "trips[].begins", kind: instant}
      line: "trips[].line"
      stop: {from: stop, required: true}
      delay: {from: delay, kind: integer}
      share: {from: share, kind: decimal}
    """

  private static let values: [String: [String]] = [
    "number": ["7", "8", "\"9\"", "null", "1.5", "\"x\"", "true", "[1]"],
    "price": ["1.25", "\"2.5\"", "\" 3 \"", "null", "\"x\"", "{}"],
    "begins": [
      #""2026-03-01T10:00:00Z""#, #""2026-03-02T10:00:00+03:00""#, #""2026-03-03 10:00Z""#, "null",
      #""2026-02-30T10:00:00Z""#, "5",
    ],
    "line": [#""M4""#, #"" M  5 ""#, #""é""#, "null", "12"],
    "stop": [#""a""#, #"" b ""#, "null", "3"],
    "delay": ["1", "-2", "\"3\"", "null", "0.5", "true"],
    "share": ["0.5", "1e3", "\"7.25\"", "\"x\"", "null", "false"],
  ]

  /// An object with these members. Most have their first value, and one may be twice or missing.
  private func object(_ keys: [String], _ generator: inout SeededGenerator) -> [String] {
    var members: [String] = []
    for key in keys {
      let all = Self.values[key] ?? []
      let usual = Int.random(in: 0...5, using: &generator) > 0
      let value = usual ? all[0] : generator.pick(all)
      let times = Int.random(in: 0...30, using: &generator)
      for _ in 0..<(times == 0 ? 0 : times == 1 ? 2 : 1) { members.append("\"\(key)\":\(value)") }
    }
    if Int.random(in: 0...9, using: &generator) == 0 { members.shuffle(using: &generator) }
    return members
  }

  @Test(.slow, arguments: 0..<40 as Range<UInt64>)
  func `whole records give what tokens give`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let trips = (0..<12).map { _ in
      let stops = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        let stop = object(["stop", "delay", "share"], &generator)
        return "{\(stop.joined(separator: ","))}"
      }
      var members = object(["number", "price", "begins", "line"], &generator)
      let isLate = seed % 4 == 3 && Bool.random(using: &generator)
      members.insert(
        #""stops":[\#(stops.joined(separator: ","))]"#, at: isLate ? 0 : members.count)
      return "{\(members.joined(separator: ","))}"
    }
    let json = #"{"trips":[\#(trips.joined(separator: ","))]}"# + String(repeating: " ", count: 64)
    var run = FeedRun(feed: try OwnFeed.read(Self.document))
    if seed % 3 == 0 { run.from = Day(year: 2026, month: 3, day: 2) }
    let pieces = run(json, cut: .pieces(9))
    #expect(run(json).isSame(as: pieces))
    for length in [150, 400, 900] {
      #expect(run(json, cut: .pieces(length)).isSame(as: pieces), "\(length)")
    }
  }

  @Test func `the day of an element is that of all its rows`() throws {
    let trips = (1...6).map { day in
      let stops = (0..<4).map { #"{"stop":"s\#($0)","delay":\#($0),"share":0.5}"# }
      let begins = day == 4 ? "null" : #""2026-03-0\#(day)T10:00:00Z""#
      return #"{"number":\#(day),"price":1.5,"begins":\#(begins),"line":"M4","stops":["#
        + stops.joined(separator: ",") + "]}"
    }
    let json = #"{"trips":[\#(trips.joined(separator: ","))]}"# + String(repeating: " ", count: 64)
    var run = FeedRun(feed: try OwnFeed.read(Self.document))
    run.from = Day(year: 2026, month: 3, day: 3)
    let result = run(json)
    #expect(result.isSame(as: run(json, cut: .pieces(3))))
    // The fourth has no day, so that it is on none of those asked for.
    let kept = ["3", "5", "6"].flatMap { Array(repeating: $0, count: 4) }
    #expect(result.rows.map { String($0.prefix(1)) } == kept)
  }

  /// Rows that are nothing but their values need few steps: their conditions are not forgotten. The
  /// first elements are wanted, so that a series has begun when one comes that is not.
  @Test(arguments: [3, 40, 100], [false, true])
  func `a condition on a field around the rows holds in each element`(
    stops count: Int, isLate: Bool
  ) throws {
    let lines = ["M4", "M4", "M5", "M4", "M5", "M4"]
    let trips = lines.map { line in
      let stops = (0..<count).map { #"{"stop":"s\#($0)","delay":\#($0)}"# }
      let (list, field) = (#""stops":[\#(stops.joined(separator: ","))]"#, #""line":"\#(line)""#)
      return isLate ? "{\(list),\(field)}" : "{\(field),\(list)}"
    }
    let json = #"{"trips":[\#(trips.joined(separator: ","))]}"# + String(repeating: " ", count: 64)
    let document = """
      feed: own
      rows: trips[].stops[]
      WHERE
      columns: {line: "trips[].line", stop: stop, delay: {from: delay, kind: integer}}
      """
    let ofDocument = FeedRun(
      feed: try OwnFeed.read(document.replacing("WHERE", with: "where: {line: M4}")))
    var ofUser = FeedRun(feed: try OwnFeed.read(document.replacing("WHERE\n", with: "")))
    ofUser.conditions = [Condition(column: "line", value: "M4")]
    let wanted = (0..<4).flatMap { _ in (0..<count).map { "M4,s\($0),\($0)" } }
    for run in [ofDocument, ofUser] {
      let result = run(json)
      #expect(result.isSame(as: run(json, cut: .pieces(9))))
      #expect(result.rows == wanted)
    }
  }
}
