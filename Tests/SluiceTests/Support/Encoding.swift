@testable import Sluice

/// Runs encoders over rows that no normalizer has tidied, for tests.
enum Encoding {
  /// A feed of columns with these kinds.
  static func feed(_ columns: [String], rules: [FieldKind]? = nil) -> Feed {
    var feed = Feed.bonds
    let rules = rules ?? Array(repeating: .text, count: columns.count)
    feed.fields = zip(columns, rules).map {
      Field(path: [.each, .key($0)], kind: $1, columns: [$0])
    }
    return feed
  }

  /// Writes rows of texts; an empty text is a missing value.
  static func write<Encoder: RecordStage & ~Copyable>(
    _ rows: [[[UInt8]]], to encoder: consuming Encoder
  ) throws(PipelineError) {
    var encoder = encoder
    for row in rows {
      var record = Record(columns: row.count)
      for (column, text) in row.enumerated() {
        let start = record.bytes.count
        record.bytes.append(text.span.bytes)
        record.setText(column, from: start)
      }
      try encoder.take(record, .wanted)
    }
    try encoder.finish()
  }

  /// Rows as CSV, and how many cells were guarded.
  static func csv(
    _ rows: [[[UInt8]]], _ feed: Feed, _ dialect: CSVDialect = .plain
  ) throws -> (bytes: [UInt8], guarded: Int) {
    let box = Collector.Box()
    let counters = Counters()
    try write(
      rows, to: CSVEncoder(feed, dialect: dialect, into: Collector(box: box), counters: counters))
    return (box.bytes, counters.guardedCells.value)
  }

  /// Rows as NDJSON.
  static func ndjson(_ rows: [[[UInt8]]], _ feed: Feed) throws -> [UInt8] {
    let box = Collector.Box()
    try write(rows, to: NDJSONEncoder(feed, into: Collector(box: box)))
    return box.bytes
  }
}
