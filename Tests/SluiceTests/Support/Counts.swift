@testable import Sluice

/// How many records became what.
struct Counts: Equatable {
  var read = 0
  var kept = 0
  var filtered = 0
  var skipped = 0
  var rejected = 0
  var rows = 0

  /// The records add up.
  var areComplete: Bool { read == kept + filtered + skipped + rejected }
}

extension Counts {
  init(_ statistics: Statistics) {
    read = statistics.read
    kept = statistics.kept
    filtered = statistics.filtered
    skipped = statistics.skipped
    rejected = statistics.rejected
    rows = statistics.rows
  }
}
