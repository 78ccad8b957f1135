@testable import Sluice

/// Runs JSON through the tokenizer, the normalizer and the encoders, for tests.
struct FeedRun {
  /// Where the JSON is cut.
  enum Cut {
    case whole
    case pieces(Int)
    case split(Int)
  }

  var feed = Feed.hotWater
  var conditions: [Condition] = []
  var from: Day?
  var to: Day?
  var limit = RejectLimit.share(millionths: 1_000_000)
  var dialect = CSVDialect.plain
  var calendar = CalendarOptions(language: .ru)
  /// The content's own time.
  var modified: Int?
  /// Whether all comes as tokens, and nothing as a whole: so do the rows of several tables.
  var asksForTokensAlone = false

  /// What becomes of `json`.
  func callAsFunction(_ json: String, cut: Cut = .whole) -> FeedResult {
    callAsFunction(Array(json.utf8), cut: cut)
  }

  /// What becomes of `json`.
  func callAsFunction(_ json: [UInt8], cut: Cut = .whole) -> FeedResult {
    let counters = Counters()
    let date = ContentDate()
    if let modified { date.set(modified) }
    var calendar = calendar
    calendar.date = date
    (calendar.from, calendar.to) = (from, to)
    let list = RejectList()
    let findings = RowFindings()
    let csv = Collector.Box()
    let ndjson = Collector.Box()
    let ics = Collector.Box()
    var error: PipelineError?
    do throws(PipelineError) {
      var branches: [Branch] = [
        Branch(
          CSVEncoder(feed, dialect: dialect, into: Collector(box: csv), counters: counters)),
        Branch(NDJSONEncoder(feed, into: Collector(box: ndjson))),
      ]
      if let event = feed.event {
        branches.append(
          try .calendar(
            feed, event, options: calendar, into: Collector(box: ics), counters: counters))
      }
      var options = NormalizerOptions(
        conditions: conditions, from: from, to: to, limit: limit, rejects: list,
        findings: findings)
      options.zones = try Zones(of: feed)
      let rows = Normalizer(feed, options: options, into: FanOut(branches), counters: counters)
      if asksForTokensAlone {
        let tokens = TokenFanOut([Box(rows)])
        try Self.push(json, cut, to: Tokenizer(into: tokens, counters: counters))
      } else {
        try Self.push(json, cut, to: Tokenizer(into: rows, counters: counters))
      }
    } catch let thrown {
      error = thrown
    }
    var statistics = Statistics(counters)
    statistics.unmatched = findings.unmatched
    return FeedResult(
      csv: csv.bytes, ndjson: ndjson.bytes, ics: ics.bytes, rejects: list.rejects, error: error,
      counts: Counts(statistics), statistics: statistics, unread: findings.unread)
  }

  private static func push<Stage: ByteStage & ~Copyable>(
    _ json: [UInt8], _ cut: Cut, to stage: consuming Stage
  ) throws(PipelineError) {
    switch cut {
    case .whole: try ChunkCutter.feed(json, splitAt: json.count, to: stage)
    case .pieces(let length): try ChunkCutter.feed(json, inPiecesOf: length, to: stage)
    case .split(let at): try ChunkCutter.feed(json, splitAt: at, to: stage)
    }
  }
}
