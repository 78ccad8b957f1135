/// Judges whether what a pass has found can follow what was published last.
struct Guards {
  /// The most that may be gone.
  var maxShrink: ShrinkLimit
  /// The day before which a period is past.
  var today: Day

  /// Throws the ``SyncFault`` of the first guard that refuses.
  ///
  /// The days of both are judged by the same day: that time has passed is no change of the feed.
  func judge(
    records: Int, lastDay: Day?, version: String?, after before: SyncRecord.Copy
  ) throws(PipelineError) {
    if records == 0, before.counts.read > 0 {
      throw PipelineError(sync: .emptied(before: before.counts.read))
    }
    if !maxShrink.allows(records, after: before.counts.read) {
      throw PipelineError(
        sync: .shrunk(records: records, before: before.counts.read, limit: maxShrink))
    }
    if let version, let old = before.version, VersionOrder.isLower(version, than: old) {
      throw PipelineError(sync: .olderVersion(version: version, before: old))
    }
    if let lastDay, let old = before.lastDay, lastDay < today, old >= today {
      throw PipelineError(sync: .allPast(last: lastDay, before: old, today: today))
    }
  }
}
