/// What a feed makes of a sample of its data.
public struct Trial: Sendable {
  /// The first row, as NDJSON; nil where there is none.
  public var firstRow: String?
  /// The lines of the first event, not folded.
  public var firstEvent: [String]
  /// The first records that were refused.
  public var rejects: [Reject]
  /// The columns that are empty in every row.
  public var emptyColumns: [String]
  /// What is known of the rows' keys; nil where the feed does not say that they are unique.
  public var keys: KeyReport?
  /// What was counted.
  public var statistics: Statistics
  /// Why reading ended early; nil where it did not.
  public var error: PipelineError?
}

/// Reads the input of a conversion to its end and keeps the beginning of what would be made of it;
/// writes nothing.
public func tryOut(_ conversion: Conversion) -> Trial {
  let rejects = FirstRejects()
  let (row, calendar) = (ByteKeeper.Box(), ByteKeeper.Box())
  let (feed, tally) = (conversion.feed, conversion.tally)
  let key = feed.allTables.first?.key ?? []
  let keys = key.isEmpty ? nil : KeyCheck.Finding(key)
  let columns = ColumnCheck.Finding(feed.columns)
  var failure: PipelineError?
  do throws(PipelineError) {
    let source = try Source(conversion)
    var branches = [Branch(NDJSONEncoder(feed, into: ByteKeeper(row, limit: beginning)))]
    if let event = feed.event {
      let options = CalendarOptions(language: conversion.language)
      branches.append(
        try .calendar(
          feed, event, options: options, into: ByteKeeper(calendar, limit: beginning), tally: tally)
      )
    }
    branches.append(Branch(ColumnCheck(finding: columns)))
    if let keys { branches.append(Branch(KeyCheck(feed.columns, finding: keys))) }
    var options = NormalizerOptions(limit: conversion.rejectLimit, rejects: rejects)
    options.shares = ShareTotals(feed)
    let unzip = UnzipOptions(
      entry: conversion.entry, maxSize: conversion.maxSize, clockOffset: feed.clockOffset)
    let decoding = DecodingOptions(
      envelope: feed.envelope, unzip: unzip, columns: feed.keys)
    func pass<Input: ByteSource & ~Copyable>(
      _ input: consuming Input, _ options: NormalizerOptions, into branches: [Branch],
      _ tally: Tally
    ) throws(PipelineError) {
      let rows = Normalizer(feed, options: options, into: FanOut(branches), tally: tally)
      try input.push(
        into: InputStage(InputRoutes(into: rows, options: decoding, tally: tally)), tally: tally)
    }
    if let shares = options.shares {
      let input = RepeatedInput(source)
      try pass(input, options, into: [], tally)
      try pass(input, options.again, into: branches, Tally())
      tally.shares.withLock { $0 = shares.statistics(of: nil) }
    } else {
      try pass(source, options, into: branches, tally)
    }
  } catch {
    failure = error
  }
  return Trial(
    firstRow: row.text.split(separator: "\n").first.map(String.init),
    firstEvent: calendar.firstEvent, rejects: rejects.kept,
    emptyColumns: columns.empty, keys: keys?.report, statistics: Statistics(tally), error: failure)
}

/// How many bytes of an output are kept.
private let beginning = 64 << 10

extension ByteKeeper.Box {
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The lines of the first event, unfolded.
  fileprivate var firstEvent: [String] {
    var lines: [String] = []
    for line in text.split(separator: "\r\n") {
      if line.hasPrefix(" "), !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst()
      } else {
        lines.append(String(line))
      }
    }
    guard let start = lines.firstIndex(of: "BEGIN:VEVENT"),
      let end = lines.firstIndex(of: "END:VEVENT")
    else { return [] }
    return Array(lines[start...end])
  }
}
