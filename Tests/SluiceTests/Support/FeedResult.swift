@testable import Sluice

/// What became of some JSON.
struct FeedResult {
  var csv: [UInt8]
  var ndjson: [UInt8]
  var ics: [UInt8]
  var rejects: [Reject]
  var error: PipelineError?
  var counts: Counts
  var statistics: Statistics
  /// What single elements of lists left out.
  var unread: [UnreadElements] = []

  /// The fault of the normalizer that ended the run; nil where there was none.
  var fault: FeedFault? {
    guard case .normalize(let fault) = error?.fault else { return nil }
    return fault
  }

  /// The lines of the CSV without its header.
  var rows: [String] {
    String(decoding: csv, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
  }

  /// The lines of the calendar, unfolded.
  var lines: [String] { Unfolding.lines(ics) }

  /// The outcome is the same, byte for byte.
  func isSame(as other: FeedResult) -> Bool {
    csv == other.csv && ndjson == other.ndjson && ics == other.ics && rejects == other.rejects
      && error == other.error && counts == other.counts && unread == other.unread
      && statistics.unmatched?.nearest == other.statistics.unmatched?.nearest
  }
}
