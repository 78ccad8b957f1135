import Testing

@testable import Sluice

/// Instants that are numbers: what they count since 1970.
@Suite struct UnixInstantTests {
  private func read(_ text: String, _ unit: UnixTime = .seconds, clock: Int = 0) -> String {
    var buffer = ByteBuffer(capacity: 64)
    // A text of a row: bytes after it are readable.
    var held = ByteBuffer(capacity: 64)
    held.append(string: text)
    var reader = ClockReader(Zone(offset: clock), ClockChanges())
    let result = reader.read(held.contents, unit, into: &buffer)
    switch result {
    case .failure(let reason): return reason.rawValue
    case .success(let day): return "\(String(decoding: buffer.contents, as: UTF8.self)) \(day)"
    }
  }

  @Test(arguments: [
    ("0", 0, "1970-01-01T00:00:00Z 1970-01-01"), ("-0", 0, "1970-01-01T00:00:00Z 1970-01-01"),
    ("-1", 0, "1969-12-31T23:59:59Z 1969-12-31"),
    ("1592809200", 0, "2020-06-22T07:00:00Z 2020-06-22"),
    ("1592809200", 10_800, "2020-06-22T10:00:00+03:00 2020-06-22"),
    ("1592784000", -12_600, "2020-06-21T20:30:00-03:30 2020-06-21"),
    ("1592863199", 10_800, "2020-06-23T00:59:59+03:00 2020-06-23"),
    ("-62135596800", 0, "0001-01-01T00:00:00Z 0001-01-01"),
    ("253402300799", 0, "9999-12-31T23:59:59Z 9999-12-31"),
    ("253402300799", -3600, "9999-12-31T22:59:59-01:00 9999-12-31"),
  ])
  func `seconds are written by the clock`(text: String, clock: Int, expected: String) {
    #expect(read(text, clock: clock) == expected)
  }

  @Test(arguments: [
    ("1592809200000", "2020-06-22T07:00:00Z 2020-06-22"),
    ("1592809200007", "2020-06-22T07:00:00.007Z 2020-06-22"),
    ("-1", "1969-12-31T23:59:59.999Z 1969-12-31"),
    ("253402300799999", "9999-12-31T23:59:59.999Z 9999-12-31"),
  ])
  func `milliseconds keep what is less than a second`(text: String, expected: String) {
    #expect(read(text, .milliseconds) == expected)
  }

  @Test(arguments: [
    "", "1.0", "1e9", "+1", "007", "x", "2020-06-22T07:00:00Z", "253402300800", "-62135596801",
    "1592809200000", "123456789012345678901234567890",
  ])
  func `what is no time in seconds`(text: String) {
    #expect(read(text) == "not-a-unix-time")
  }

  @Test func `a clock does not lead out of the years that there are`() {
    #expect(read("253402300799", clock: 3600) == "not-a-unix-time")
    #expect(read("-62135596800", clock: -3600) == "not-a-unix-time")
  }

  @Test(
    arguments: ["", "clock: Europe/Berlin", "clock: \"-12:30\"", "clock: Africa/Monrovia"],
    [
      "seconds", "milliseconds",
    ])
  func `counts one after the other are read like each of them alone`(clock: String, unit: String)
    throws
  {
    let document = """
      feed: own
      \(clock)
      rows: "[]"
      columns: {t: {kind: instant, unix: \(unit)}, u: {kind: instant, unix: \(unit)}}
      """
    let run = FeedRun(feed: try OwnFeed.read(document))
    var generator = SeededGenerator(seed: UInt64(clock.utf8.count))
    // Neighbours, the ends of days, changes of clocks, years that there are no more.
    let starts = [
      0, 1, 86_399, 86_400, 62_000_000, 63_593_069, 1_774_745_999, 1_774_746_000, 1_792_890_000,
      253_402_214_399, 253_402_300_799, 253_402_300_800, 9_999_999_999_999, -1, -62_135_596_800,
    ]
    let factor = unit == "seconds" ? 1 : 1000
    var rows: [String] = []
    for _ in 0..<300 {
      func count() -> String {
        let start = generator.pick(starts)
        let number = start * factor + Int.random(in: -2...90_000, using: &generator)
        return Int.random(in: 0...9, using: &generator) == 0 ? "\"\(number)\"" : "\(number)"
      }
      rows.append(#"{"t":\#(count()),"u":\#(count())}"#)
    }
    let json = "[" + rows.joined(separator: ",") + "]" + String(repeating: " ", count: 64)
    let all = run(json)
    var alone: [String] = []
    for row in rows { alone += run("[\(row)]").rows }
    // As lists they would be printed whole.
    let isSame = all.rows == alone
    #expect(isSame)
    #expect(alone.count > 100)
    #expect(all.isSame(as: run(json, cut: .pieces(7))))
  }

  @Test func `a column of them gives rows their days, and refuses what is none`() throws {
    let document = """
      feed: own
      clock: "+03:00"
      rows: d[]
      columns: {t: {kind: instant, unix: seconds}}
      """
    var run = FeedRun(feed: try OwnFeed.read(document))
    run.from = Day(year: 2020, month: 6, day: 23)
    let result = run(
      #"{"d":[{"t":1592859599},{"t":1592859600},{"t":" 1592859601 "},{"t":true},{"t":1e9},{}]}"#)
    #expect(
      String(decoding: result.ndjson, as: UTF8.self) == """
        {"t":"2020-06-23T00:00:00+03:00"}
        {"t":"2020-06-23T00:00:01+03:00"}

        """)
    #expect(result.rejects.map(\.reason) == [.wrongKind, .notAUnixTime])
  }
}
