import Sluice

/// Decides whether the content of a pass may replace the content that was last published.
struct Guards {
  /// The largest accepted loss of records.
  var maxShrink: ShrinkLimit
  /// The day before which a period is past.
  var today: Day

  /// Throws the ``SyncFault`` of the first guard that refuses.
  ///
  /// `rows` is nil if it is right that there may be none. The last days of both are compared with
  /// the same `today`, because the passing of time is not a change of the feed.
  func judge(
    records: Int, rows: Int?, lastDay: Day?, version: String?, after before: SyncRecord.Copy
  ) throws(PipelineError) {
    if records == 0, before.counts.read > 0 {
      throw PipelineError(sync: .emptied(before: before.counts.read))
    }
    if !maxShrink.allows(records, after: before.counts.read) {
      throw PipelineError(
        sync: .shrunk(records: records, before: before.counts.read, limit: maxShrink))
    }
    if let rows, rows == 0, before.counts.rows > 0 {
      throw PipelineError(sync: .noRows(before: before.counts.rows))
    }
    if let version, let old = before.version, VersionOrder.isLower(version, than: old) {
      throw PipelineError(sync: .olderVersion(version: version, before: old))
    }
    if let lastDay, let old = before.lastDay, lastDay < today, old >= today {
      throw PipelineError(sync: .allPast(last: lastDay, before: old, today: today))
    }
  }
}

extension Guards {
  /// The number of events that may always be cancelled in one night.
  private static let fewEvents = 20

  /// Throws ``SyncFault/tooManyCancelled(events:before:limit:)`` if too many of the events that are
  /// not past are cancelled at once.
  func judge(cancelled: Int, of events: Int) throws(PipelineError) {
    guard cancelled >= Self.fewEvents, !maxShrink.allows(events - cancelled, after: events) else {
      return
    }
    throw PipelineError(
      sync: .tooManyCancelled(events: cancelled, before: events, limit: maxShrink))
  }
}

/// Compares two versions of a payload by their numbers.
///
///     "9"  < "26"        runs of digits are numbers
///     "1.9" < "1.10"     the text between them must be the same
///     "v2" ? "beta"      otherwise neither is lower
enum VersionOrder {
  /// Whether `version` is certainly lower than `other`.
  static func isLower(_ version: String, than other: String) -> Bool {
    var (a, b) = (Array(version.utf8)[...], Array(other.utf8)[...])
    while !a.isEmpty || !b.isEmpty {
      let (one, two) = (number(&a), number(&b))
      guard one.isEmpty == two.isEmpty else { return false }
      if one.count != two.count { return one.count < two.count && hasSameShape(a, b) }
      if one != two { return one.lexicographicallyPrecedes(two) && hasSameShape(a, b) }
      guard a.first == b.first else { return false }
      (a, b) = (a.dropFirst(), b.dropFirst())
    }
    return false
  }

  /// Removes a run of digits from the start of `text`, and returns it without leading zeros. One
  /// zero stays.
  private static func number(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    return significant.isEmpty ? digits.suffix(1) : significant
  }

  /// Whether both have the same text between their numbers.
  private static func hasSameShape(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
    shape(a) == shape(b)
  }

  private static func shape(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.reduce(into: []) { shape, byte in
      let byte = isDigit(byte) ? UInt8(ascii: "0") : byte
      if byte != UInt8(ascii: "0") || shape.last != byte { shape.append(byte) }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
