/// What a feed makes of a sample of its data.
public struct Trial: Sendable {
  /// What it makes of one table.
  public struct Part: Sendable {
    /// The table.
    public var table: Table
    /// The feed, of this table alone.
    public var feed: Feed
    /// The first row, as NDJSON; nil where there is none.
    public var firstRow: String?
    /// The first records that were refused.
    public var rejects: [Reject]
    /// The columns that are empty in every row.
    public var emptyColumns: [String]
    /// What is known of the rows' keys; nil where the feed does not say that they are unique.
    public var keys: KeyReport?
    /// What was counted.
    public var statistics: Statistics
  }

  /// The tables, of which a feed has one at least.
  public var parts: [Part]
  /// The lines of the first event, not folded.
  public var firstEvent: [String]
  /// What was counted, in all tables.
  public var statistics: Statistics
  /// Why reading ended early; nil where it did not.
  public var error: PipelineError?
}

/// Reads the input of a conversion to its end and keeps the beginning of what would be made of it;
/// writes nothing.
public func tryOut(_ conversion: Conversion) -> Trial {
  let (feed, tally) = (conversion.feed, conversion.tally)
  let calendar = ByteKeeper.Box()
  let tables = feed.allTables
  var tests = tables.map { TableTrial(feed, $0, tally: tables.count == 1 ? tally : Tally()) }
  var failure: PipelineError?
  do throws(PipelineError) {
    let source = try Source(conversion)
    if let event = feed.event {
      let options = CalendarOptions(language: conversion.language)
      tests[0].part.branches.append(
        try .calendar(
          feed, event, options: options, into: ByteKeeper(calendar, limit: beginning), tally: tally)
      )
    }
    let options = NormalizerOptions(limit: conversion.rejectLimit)
    let pass = ConversionPass(conversion: conversion, parts: tests.map(\.part), options: options)
    try pass.run(source, payload: nil)
  } catch {
    failure = error
  }
  for test in tests where test.part.tally !== tally { tally.add(test.part.tally) }
  return Trial(
    parts: tests.map(\.outcome), firstEvent: calendar.firstEvent, statistics: Statistics(tally),
    error: failure)
}

/// Looks at the rows of one table of a sample.
private struct TableTrial {
  var part: ConversionPart
  private let row = ByteKeeper.Box()
  private let rejects = FirstRejects()
  private let columns: ColumnCheck.Finding
  private let keys: KeyCheck.Finding?

  init(_ feed: Feed, _ table: Table, tally: Tally) {
    part = ConversionPart(feed, table, tally: tally, rejects: rejects)
    let names = part.feed.columns
    columns = ColumnCheck.Finding(names)
    keys = table.key.isEmpty ? nil : KeyCheck.Finding(table.key)
    part.branches = [
      Branch(NDJSONEncoder(part.feed, into: ByteKeeper(row, limit: beginning))),
      Branch(ColumnCheck(finding: columns)),
    ]
    if let keys {
      part.branches.append(Branch(KeyCheck(names, finding: keys, among: feed.allTables.count)))
    }
  }

  /// What was found.
  var outcome: Trial.Part {
    Trial.Part(
      table: part.table, feed: part.feed,
      firstRow: row.text.split(separator: "\n").first.map(String.init), rejects: rejects.kept,
      emptyColumns: columns.empty, keys: keys?.report, statistics: Statistics(part.tally))
  }
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
