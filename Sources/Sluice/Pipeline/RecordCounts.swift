import Synchronization

/// What has been counted of the records and of what is made of them.
struct RecordCounts: Sendable {
  fileprivate var counters: [Int] = []
  fileprivate var reasons: [RejectReason: Int]
  fileprivate var blame: (column: String, nearest: [String])?
}

extension Tally {
  /// What has been counted of the records so far; for the thread that they are on.
  var records: RecordCounts {
    var counts = RecordCounts(
      reasons: reasons.withLock { $0 }, blame: blame.withLock { $0 })
    counts.counters.reserveCapacity(18)
    visitCounters { counts.counters.append($0.value) }
    return counts
  }

  /// Takes back what has been counted of the records since.
  func rewind(to counts: RecordCounts) {
    var rest = counts.counters[...]
    visitCounters { $0.set(rest.removeFirst()) }
    reasons.withLock { $0 = counts.reasons }
    blame.withLock { $0 = counts.blame }
  }

  /// Visits the counters that the thread of the records writes, always in one order.
  private func visitCounters(_ visit: (borrowing Atomic<Int>) -> Void) {
    visit(json.bytesIn)
    visit(json.bytesOut)
    visit(read)
    visit(kept)
    visit(filtered)
    visit(skipped)
    visit(rejected)
    visit(skippedMatches)
    visit(rows)
    visit(outsideOfDays)
    visit(firstDay)
    visit(lastDay)
    visit(firstDayRead)
    visit(lastDayRead)
    visit(lastDayFiltered)
    visit(events)
    visit(calendarBytes)
    visit(guardedCells)
  }
}
