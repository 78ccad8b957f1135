/// What becomes of an event. The numbers stand in the ledger's temporary table.
enum ChangeKind: Int {
  /// Published for the first time.
  case new = 0
  /// The same outage on other days.
  case moved
  /// Left the feed before it was over.
  case cancelled
  /// Came back while it was shown as cancelled.
  case restored
  /// No longer shown. Not a change that people are told of.
  case gone
  /// The same days with texts that are written otherwise. Not a change either.
  case reworded
}

extension ChangeKind {
  /// What a list of changes calls it; nil where people are not told of it.
  var word: StaticString? {
    switch self {
    case .new: "new"
    case .moved: "moved"
    case .cancelled: "cancelled"
    case .restored: "restored"
    case .gone, .reworded: nil
    }
  }
}
