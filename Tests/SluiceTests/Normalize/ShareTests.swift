import Testing

@testable import Sluice

/// Columns of shares, from one reading to the other.
@Suite struct ShareTests {
  private static let columns = "n: {kind: text}, v: {kind: decimal}, p: {kind: share, of: v}"

  /// The rows of two readings, the error that ended them, and what was added up.
  private func run(
    _ json: String, _ columns: String = Self.columns,
    _ change: (inout NormalizerOptions) -> Void = { _ in }
  ) throws -> (rows: [String], error: PipelineError?, shares: [Statistics.Share]) {
    let feed = try OwnFeed.read(OwnFeed.document(columns))
    let totals = try #require(ShareTotals(feed.table))
    var options = NormalizerOptions(limit: .count(.max))
    options.shares = totals
    change(&options)
    let box = Collector.Box()
    var error: PipelineError?
    do throws(PipelineError) {
      for reading in [1, 2] {
        let counters = Counters()
        let branches = reading == 1 ? [] : [Branch(NDJSONEncoder(feed, into: Collector(box: box)))]
        let rows = Normalizer(feed, options: options, into: FanOut(branches), counters: counters)
        try ChunkCutter.feed(
          Array(json.utf8), inPiecesOf: 7, to: Tokenizer(into: rows, counters: counters))
      }
    } catch let thrown {
      error = thrown
    }
    return (
      String(decoding: box.bytes, as: UTF8.self).split(separator: "\n").map(String.init), error,
      totals.statistics(of: nil)
    )
  }

  private func shares(_ values: String) throws -> [String] {
    let records = values.split(separator: " ").map { "{\"v\":\($0)}" }.joined(separator: ",")
    return try run("{\"d\":[\(records)]}").rows.map {
      String($0.split(separator: ":").last?.dropLast() ?? "")
    }
  }

  @Test func `shares are percents of the total with three places`() throws {
    #expect(try shares("1.5 3 6 1.5") == ["12.500", "25.000", "50.000", "12.500"])
    #expect(try shares("1 1 1") == ["33.333", "33.333", "33.333"])
    #expect(try shares("7e2") == ["100.000"])
    #expect(try shares("1 199999") == ["0.000", "100.000"])
    #expect(try shares("3 199997")[0] == "0.002")
    #expect(try shares(#"null 0 "\u00201" """#) == ["null", "0.000", "100.000", "null"])
  }

  @Test func `total and sum are told exactly`() throws {
    let result = try run(#"{"d":[{"v":1.50},{"v":3},{"v":6},{"v":1.5}]}"#)
    #expect(
      result.shares == [Statistics.Share(column: "p", of: "v", total: "12.0", sum: "100.000")])
    #expect(
      try run(#"{"d":[{"v":1},{"v":1},{"v":1},{"v":1},{"v":1},{"v":1.0}]}"#).shares
        == [Statistics.Share(column: "p", of: "v", total: "6", sum: "100.002")])
    #expect(try run(#"{"d":[]}"#).shares.map(\.total) == ["0"])
  }

  @Test func `the total is over the rows that are kept`() throws {
    let json = #"{"d":[{"n":"a","v":1},{"n":"b","v":-5},{"n":"a","v":3},{"n":"b","v":"x"}]}"#
    let result = try run(json) { $0.conditions = [Condition(column: "n", value: "a")] }
    #expect(result.error == nil)
    #expect(
      result.rows == [
        #"{"n":"a","v":1,"p":25.000}"#, #"{"n":"a","v":3,"p":75.000}"#,
      ])
    let days = "day: {kind: day}, v: {kind: integer}, p: {kind: share, of: v}"
    let late = try run(
      #"{"d":[{"day":"2026-01-01","v":1},{"day":"2026-01-02","v":7},{"day":"2026-01-03","v":-1}]}"#,
      days
    ) { $0.to = Day(year: 2026, month: 1, day: 2) }
    #expect(late.rows.last == #"{"day":"2026-01-02","v":7,"p":87.500}"#)
    let periods = try run(
      #"{"d":[{"w":"1.1.2026, 3.1.2026","v":1},{"w":"5.1.2026","v":2}]}"#,
      "w: {kind: period}, v: {kind: decimal}, p: {kind: share, of: v}")
    // A record of two rows counts twice.
    #expect(
      periods.rows.map { $0.suffix(10) }
        == ["\"p\":25.000}", "\"p\":25.000}", "\"p\":50.000}"].map { $0.suffix(10) })
  }

  @Test(arguments: [
    (#"{"v":1},{"v":-0.5}"#, ShareFault.negative("-0.5"), 14, 2),
    (#"{"v":1},{"v":"1,5"}"#, .notANumber("1,5"), 14, 2),
    (#"{"v":true}"#, .notANumber("true"), 6, 1), (#"{"v":[1]}"#, .notANumber("[1]"), 6, 1),
    (#"{"v":1,"v":2}"#, .notANumber("2"), 6, 1), (#"{"v":1e39}"#, .tooLong(limit: 38), 6, 1),
  ])
  func `a value that there is no share of ends the run`(
    records: String, fault: ShareFault, offset: Int, record: Int
  ) throws {
    let result = try run("{\"d\":[\(records)]}")
    #expect(
      result.error
        == PipelineError(
          .normalize(.share(fault, of: "v", choices: ["n"])), at: offset, record: record, field: "v"
        ))
    #expect(result.rows.isEmpty)
  }

  @Test func `zeros have no shares, and nothing but missing values needs none`() throws {
    #expect(
      try run(#"{"d":[{"v":0},{"v":-0}]}"#).error
        == PipelineError(.normalize(.share(.zeroTotal, of: "v", choices: ["n"]))))
    #expect(try shares("null null") == ["null", "null"])
  }
}
