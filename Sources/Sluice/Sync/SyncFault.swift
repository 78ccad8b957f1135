/// What can keep a `sync` from publishing that is no stage's fault.
public enum SyncFault: Equatable, Sendable {
  /// Another run holds the lock; `pid` is its process, nil where it has not said so yet.
  case busy(pid: Int?, folder: String)
  /// The feed has no records at all, where it had `before`.
  case emptied(before: Int)
  /// The feed has fewer records than before by more than the limit.
  case shrunk(records: Int, before: Int, limit: ShrinkLimit)
  /// The payload's version is lower than before.
  case olderVersion(version: String, before: String)
  /// All periods lie before today; those of before did not.
  case allPast(last: Day, before: Day, today: Day)

  /// The ledger of a feed that was published before has gone from `folder`.
  case ledgerGone(folder: String)

  /// There is no last good copy of an input in the state folder.
  case noCopy(input: String, folder: String)

  /// A folder of the state cannot be made or opened, with the system's error number.
  case folder(path: String, errno: Int32)
  /// The lock cannot be made, with the system's error number.
  case lock(path: String, errno: Int32)

  /// A file of the state is not what was written there.
  case badRecord(path: String)
  /// A file of names has a line that is none.
  case badNames(path: String)

  /// Whether a guard refused: a person can bless the change.
  var isRefusal: Bool {
    switch self {
    case .emptied, .shrunk, .olderVersion, .allPast, .ledgerGone: true
    case .busy, .noCopy, .folder, .lock, .badRecord, .badNames: false
    }
  }
}

extension PipelineError {
  /// Makes an error of the synchronisation.
  init(sync fault: SyncFault) { self.init(.sync(fault)) }
}
