/// What can be wrong with a database: a ledger, or an output. Nothing has been changed in it when
/// one of these is thrown.
///
/// `path` is the database's file.
public enum DatabaseFault: Error, Equatable, Sendable {
  /// The file cannot be opened or created, with the system's error number (0 where it gave none).
  case open(path: String, errno: Int32)
  /// Reading or writing failed, with the system's error number.
  case access(path: String, errno: Int32)
  /// Another program holds the file.
  case locked(path: String)
  /// The file is damaged; `detail` is SQLite's word on it. A copy kept elsewhere can take its place;
  /// where there is none it must be moved away: the next run then numbers all events anew, as a
  /// first run does.
  case corrupt(path: String, detail: String)
  /// The file is a database, but no ledger.
  case notALedger(path: String)
  /// A later version of the program wrote the file: its schema is `version`, and `known` is the
  /// latest that this one reads.
  case newer(path: String, version: Int, known: Int)
  /// The ledger is another feed's.
  case otherFeed(path: String, found: String, wanted: String)
  /// The feed has no events that a ledger could keep.
  case noEvents(feed: String)
  /// The rows were not taken to their end: what is missing would be taken for cancelled.
  case incomplete(path: String)
  /// SQLite refused for a reason that should not arise, with its code and word.
  case refused(path: String, code: Int32, detail: String)
  /// An output threw while the ledger was written into it; the ledger is not to blame.
  indirect case output(PipelineError)
}

extension DatabaseFault {
  /// A row has the primary key of another. What else a table demands is its owner's own demand.
  var isRepeatedKey: Bool {
    // SQLITE_CONSTRAINT_PRIMARYKEY
    if case .refused(_, 19 | 6 << 8, _) = self { true } else { false }
  }
}
