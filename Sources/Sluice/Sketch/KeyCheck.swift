/// Looks for rows that share a key that the feed says is unique. A stream of constant memory cannot,
/// and a database would refuse them; a sample is small, or only its beginning is looked at.
struct KeyCheck: RecordStage, ~Copyable {
  /// What was found, which outlives the check.
  final class Finding {
    fileprivate(set) var report: KeyReport
    init(_ columns: [String]) { report = KeyReport(columns: columns) }
  }

  /// The most keys that are kept of all tables, and the bytes of their texts.
  static let mostKeys = 100_000
  static let mostBytes = 8 << 20
  private static let mostPairs = 5
  private let finding: Finding
  private let columns: [Int]
  /// Among how many tables keys and bytes are shared.
  private let tables: Int
  private var rows: [[UInt8]: Int] = [:]
  private var bytes = 0

  /// Makes a check of rows in a feed's columns.
  init(_ columns: [String], finding: Finding, among tables: Int = 1) {
    self.tables = tables
    self.finding = finding
    self.columns = finding.report.columns.compactMap { columns.firstIndex(of: $0) }
  }

  mutating func write(_ record: borrowing Record) {
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
