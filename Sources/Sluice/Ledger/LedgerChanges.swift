/// How many events of a ledger changed in a run.
public struct LedgerChanges: Equatable, Sendable {
  /// Published for the first time.
  public var new = 0
  /// The same outage on other days.
  public var moved = 0
  /// Left the feed before they were over.
  public var cancelled = 0
  /// Came back while they were shown as cancelled.
  public var restored = 0
  /// No longer shown: over and gone from the feed, or cancelled long enough ago.
  public var gone = 0
  /// Written otherwise on the same days.
  public var reworded = 0

  /// Anything is different from the last run.
  public var isAny: Bool { new + moved + cancelled + restored + gone + reworded > 0 }

  static func + (a: LedgerChanges, b: LedgerChanges) -> LedgerChanges {
    LedgerChanges(
      new: a.new + b.new, moved: a.moved + b.moved, cancelled: a.cancelled + b.cancelled,
      restored: a.restored + b.restored, gone: a.gone + b.gone, reworded: a.reworded + b.reworded)
  }

  mutating func count(_ kind: ChangeKind, _ number: Int = 1) {
    switch kind {
    case .new: new += number
    case .moved: moved += number
    case .cancelled: cancelled += number
    case .restored: restored += number
    case .gone: gone += number
    case .reworded: reworded += number
    }
  }
}
