/// The content of an input.
package struct Inspection: Sendable {
  /// A file inside an archive.
  package struct Entry: Sendable, Equatable {
    /// Its name, made safe to show.
    package var name: String
    /// Its uncompressed size in bytes.
    package var size: Int
    /// Its size in the archive, in bytes.
    package var compressedSize: Int
    /// When it was last changed, in seconds since 1970; nil if the archive has no such time.
    package var modified: Int?
  }

  /// The forms of the input, from the outside in.
  package var layers: [LayersSeen.Layer]
  /// The entries of its archive; empty if it has none.
  package var entries: [Entry]
  /// The keys of its JSON.
  package var keys: [KeyCounts.Count]
  /// The first rejected records.
  package var rejects: [Reject]
  /// The counters of the reading.
  package var statistics: Statistics
  /// The error that ended reading early; nil if there was none.
  package var error: PipelineError?
}

/// Reads the input of a conversion to its end and returns its content. Writes nothing.
///
/// `open` returns the source and is called once. An error of it or of reading is returned in
/// ``Inspection/error``.
package func inspect(
  _ conversion: Conversion, counters: Counters, from open: () throws(PipelineError) -> Source
) -> Inspection {
  let forms = LayersSeen()
  let listing = ZIPListing()
  let keys = KeyCounts()
  let rejects = FirstRejects()
  let date = ContentDate()
  var failure: PipelineError?
  do throws(PipelineError) {
    let source = try open()
    let feed = conversion.feed
    var options = NormalizerOptions(limit: .unlimited, rejects: rejects)
    options.zones = try Zones(of: feed)
    let unzip = UnzipOptions(
      entry: conversion.entry, maxSize: conversion.maxSize, zone: options.zones.local,
      date: date, listing: listing)
    let table = feed.tables[0]
    let normalizer = Normalizer(
      table, of: feed, options: options, into: FanOut([]), counters: counters)
    let decoding = DecodingOptions(
      envelope: feed.envelope, unzip: unzip, columns: table.keys,
      verbatim: table.verbatimKeys, readsLines: table.isListOfRows, offload: conversion.offload,
      forms: forms)
    try source.push(
      into: KeyCensus(into: normalizer, counts: keys), options: decoding, counters: counters,
      date: date)
  } catch {
    failure = error
  }
  return Inspection(
    // JSON in an archive is known only once it has been read as JSON.
    layers: forms.layers + (forms.layers.last == .zip && !keys.counts.isEmpty ? [.json] : []),
    entries: listing.items.map {
      Inspection.Entry(
        name: $0.name.shown, size: $0.size, compressedSize: $0.compressedSize,
        modified: $0.modified)
    },
    keys: keys.counts, rejects: rejects.kept,
    statistics: Statistics(counters, date: date), error: failure)
}

/// Keeps the first rejected records.
private final class FirstRejects: RejectReceiver {
  private let limit = 5
  private(set) var kept: [Reject] = []

  func receive(_ reject: Reject) {
    if kept.count < limit { kept.append(reject) }
  }
}

/// The result of a feed for a sample of its data.
package struct SampleCheck: Sendable {
  /// The result for one table.
  package struct Part: Sendable {
    /// The table.
    package var table: Table
    /// The first row, as NDJSON; nil if there is none.
    package var firstRow: String?
    /// The first rejected records.
    package var rejects: [Reject]
    /// The columns that are empty in every row.
    package var emptyColumns: [String]
    /// The findings about the rows' keys; nil if the feed does not declare them unique.
    package var keys: KeyReport?
    /// The counters of this table.
    package var statistics: Statistics
  }

  /// The tables. A feed has at least one.
  package var parts: [Part]
  /// The lines of the first event, unfolded; empty if there is none.
  package var firstEvent: [String]
  /// The counters of all tables.
  package var statistics: Statistics
  /// The error that ended reading early; nil if there was none.
  package var error: PipelineError?
}

/// Reads the input of a conversion to its end and returns the beginning of its results. Writes
/// nothing. An error is returned in ``SampleCheck/error``.
package func checkSample(_ conversion: Conversion) -> SampleCheck {
  let (feed, counters, date) = (conversion.feed, Counters(), ContentDate())
  let calendar = ByteKeeper.Box()
  let tables = feed.tables
  var tests = tables.map {
    TableCheck(feed, $0, counters: tables.count == 1 ? counters : Counters())
  }
  var shares: [Statistics.Share] = []
  var failure: PipelineError?
  do throws(PipelineError) {
    let source = try conversion.source()
    if let index = tables.firstIndex(where: { $0.event != nil }), let event = tables[index].event {
      let options = CalendarOptions(language: conversion.language, date: date)
      tests[index].part.branches.append(
        try .calendar(
          tables[index], of: feed, event, options: options,
          into: ByteKeeper(calendar, limit: beginning), counters: counters))
    }
    var options = NormalizerOptions(limit: conversion.rejectLimit)
    options.zones = try Zones(of: feed)
    let pass = ConversionPass(
      conversion: conversion, parts: tests.map(\.part), options: options, counters: counters,
      date: date)
    shares = try pass.run(source, payload: nil).shares
  } catch {
    failure = error
  }
  for test in tests where test.part.counters !== counters { counters.add(test.part.counters) }
  var statistics = Statistics(counters, date: date)
  statistics.shares = shares
  return SampleCheck(
    parts: tests.map(\.outcome), firstEvent: calendar.firstEvent, statistics: statistics,
    error: failure)
}

/// Checks the rows of one table of a sample.
private struct TableCheck {
  var part: ConversionPart
  private let row = ByteKeeper.Box()
  private let rejects = FirstRejects()
  private let columns: ColumnCheck.Finding
  private let keys: KeyCheck.Finding?

  init(_ feed: Feed, _ table: Table, counters: Counters) {
    part = ConversionPart(table, counters: counters, rejects: rejects)
    let names = table.columns.map(\.name)
    columns = ColumnCheck.Finding(names)
    keys = table.key.isEmpty ? nil : KeyCheck.Finding(table.key)
    part.branches = [
      Branch(NDJSONEncoder(table.columns, into: ByteKeeper(row, limit: beginning))),
      Branch(ColumnCheck(finding: columns)),
    ]
    if let keys {
      part.branches.append(Branch(KeyCheck(names, finding: keys, among: feed.tables.count)))
    }
  }

  /// The findings.
  var outcome: SampleCheck.Part {
    var statistics = Statistics(part.counters)
    statistics.unread = part.findings.unread
    return SampleCheck.Part(
      table: part.table,
      firstRow: row.text.split(separator: "\n").first.map(String.init), rejects: rejects.kept,
      emptyColumns: columns.empty, keys: keys?.report, statistics: statistics)
  }
}

/// Number of bytes of an output that are kept.
private let beginning = 64 << 10

extension ByteKeeper.Box {
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The lines of the first event, unfolded; empty if there is no complete event.
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

/// Finds columns without a value in any row. A misspelt path makes such a column.
private struct ColumnCheck: RecordStage, ~Copyable {
  /// The findings, which outlive the check.
  final class Finding {
    fileprivate var isFilled: [Bool]
    fileprivate var rows = 0
    private let columns: [String]

    /// Makes a finding about the columns of rows.
    init(_ columns: [String]) {
      self.columns = columns
      isFilled = columns.map { _ in false }
    }

    /// The columns that are empty in all rows; no columns if there are no rows.
    var empty: [String] {
      rows == 0 ? [] : zip(columns, isFilled).filter { !$0.1 }.map(\.0)
    }
  }

  private let finding: Finding

  init(finding: Finding) { self.finding = finding }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) {
    guard case .wanted = fate else { return }
    finding.rows += 1
    for column in finding.isFilled.indices where record.text(column).count > 0 {
      finding.isFilled[column] = true
    }
  }

  consuming func finish() {}
}

/// Finds rows with the same key if the feed declares keys unique. A stream with constant memory
/// could not find them, and a database would reject them. Of a large sample only the beginning is
/// checked.
private struct KeyCheck: RecordStage, ~Copyable {
  /// The findings, which outlive the check.
  final class Finding {
    fileprivate(set) var report: KeyReport
    init(_ columns: [String]) { report = KeyReport(columns: columns) }
  }

  /// The most keys that are kept for all tables, and the most bytes of their texts.
  private static let mostKeys = 100_000
  static let mostBytes = 8 << 20
  private static let mostPairs = 5
  private let finding: Finding
  private let columns: [Int]
  /// The number of tables that share these limits.
  private let tables: Int
  private var rows: [[UInt8]: Int] = [:]
  private var bytes = 0

  /// Makes a check of rows with these columns.
  init(_ columns: [String], finding: Finding, among tables: Int = 1) {
    self.tables = tables
    self.finding = finding
    self.columns = finding.report.columns.compactMap { columns.firstIndex(of: $0) }
  }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) {
    guard case .wanted = fate else { return }
    guard rows.count < Self.mostKeys / tables, bytes < Self.mostBytes / tables else {
      finding.report.isWhole = false
      return
    }
    finding.report.rows += 1
    var key: [UInt8] = []
    for column in columns {
      // The length before a text keeps "a", "bc" and "ab", "c" apart.
      withUnsafeBytes(of: record.texts[column].count) { key += $0 }
      key += record.text(column)
    }
    guard let first = rows[key] else {
      rows[key] = finding.report.rows
      bytes += key.count
      return
    }
    finding.report.repeated += 1
    guard finding.report.pairs.count < Self.mostPairs else { return }
    var texts: [String] = []
    for column in columns {
      texts.append(String(decoding: record.text(column).prefix(200), as: UTF8.self))
    }
    finding.report.pairs.append(
      KeyReport.Pair(first: first, second: finding.report.rows, key: texts))
  }

  consuming func finish() {}
}

/// The findings about the keys of a sample's rows: whether a key occurs twice.
package struct KeyReport: Sendable, Equatable {
  /// Two rows with the same key.
  package struct Pair: Sendable, Equatable {
    /// The number of the earlier row, counted from 1 as rows are written.
    package var first: Int
    /// The number of the later row.
    package var second: Int
    /// The texts of the key, the first 200 bytes of each.
    package var key: [String]
  }

  /// The columns of the key.
  package var columns: [String]
  /// The number of rows that were checked.
  package var rows = 0
  /// Whether these were all rows.
  package var isWhole = true
  /// The number of rows that have the key of an earlier row.
  package var repeated = 0
  /// The first of these rows, each with the earlier one.
  package var pairs: [Pair] = []
}

/// Reads a sample of a feed's data, in any of the forms that are read, and returns a suggested
/// feed.
///
/// Throws ``DraftFault`` if the sample suggests none.
package func draftFeed(_ input: Input) throws(DraftFault) -> FeedDraft {
  let input = try kept(input)
  var tree = try look(at: input)
  var envelope: Envelope?
  if let place = tree.payload {
    envelope = DraftEnvelope.around(place, in: tree)
    if envelope != nil { tree = try look(at: input, envelope: envelope) }
  }
  // With what is learned of outer keys, more may be learned of those inside.
  var keys: Set<Path> = []
  var rows = DraftRows(tree)
  while case let more = rows.dataKeys, !more.isEmpty, keys.count < draftKeys {
    keys.formUnion(more)
    rows = DraftRows(try look(at: input, envelope: envelope, dataKeys: keys))
  }
  var draft = try rows.draft()
  draft.envelope = envelope
  return draft
}

/// The most objects with keys that are data for which a sample is read again.
private let draftKeys = 16

/// Returns a sample that can be read again, and is the same then.
private func kept(_ input: Input) throws(DraftFault) -> Input {
  switch input {
  case .standardInput, .url: break
  case .file, .bytes, .requests: return input
  }
  let sample = KeptSample.Box()
  do throws(PipelineError) {
    try source(of: input).push(
      into: KeptSample(box: sample), counters: Counters(), date: ContentDate())
  } catch {
    throw .unreadable(error)
  }
  guard sample.bytes.count <= KeptSample.limit else { throw .wantsFile }
  return .bytes(sample.bytes)
}

/// Keeps the bytes of a sample, or more than are allowed.
private struct KeptSample: ByteStage, ~Copyable {
  static let limit = 256 << 20
  final class Box { var bytes: [UInt8] = [] }
  let box: Box

  mutating func write(_ bytes: RawSpan) {
    guard box.bytes.count <= Self.limit else { return }
    bytes.withUnsafeBytes { box.bytes.append(contentsOf: $0) }
  }

  consuming func finish() {}
}

private func source(of input: Input) throws(PipelineError) -> Source {
  try Source(input, of: "sample", certificateFile: nil, headers: [], limits: HTTPLimits())
}

/// Reads a whole sample. Throws ``DraftFault/unreadable(_:)`` if that fails.
private func look(
  at input: Input, envelope: Envelope? = nil, dataKeys: Set<Path> = []
) throws(DraftFault) -> SampleTree {
  let tree = SampleTree(dataKeys: dataKeys)
  let counters = Counters()
  do throws(PipelineError) {
    try source(of: input).push(
      into: Decoding(
        into: SampleReader(tree), options: DecodingOptions(envelope: envelope), counters: counters
      ).stages,
      counters: counters, date: ContentDate())
  } catch {
    throw .unreadable(error)
  }
  return tree
}
