extension Tally {
  /// Adds what was counted of one of several tables, once that is done with.
  func add(_ other: Tally) {
    read.increase(by: other.read.value)
    kept.increase(by: other.kept.value)
    filtered.increase(by: other.filtered.value)
    skipped.increase(by: other.skipped.value)
    rejected.increase(by: other.rejected.value)
    skippedMatches.increase(by: other.skippedMatches.value)
    rows.increase(by: other.rows.value)
    outsideOfDays.increase(by: other.outsideOfDays.value)
    guardedCells.increase(by: other.guardedCells.value)
    firstDay.set(min(firstDay.value, other.firstDay.value))
    lastDay.set(max(lastDay.value, other.lastDay.value))
    firstDayRead.set(min(firstDayRead.value, other.firstDayRead.value))
    lastDayRead.set(max(lastDayRead.value, other.lastDayRead.value))
    lastDayFiltered.set(max(lastDayFiltered.value, other.lastDayFiltered.value))
    let more = other.reasons.withLock { $0 }
    reasons.withLock { $0.merge(more, uniquingKeysWith: +) }
  }
}
