/// What can be wrong with an output.
///
/// A path is the one the user gave, except where a case says otherwise; `-` is standard output.
public enum SinkFault: Equatable, Sendable {
  /// The folder of an output is missing; `path` is the folder's.
  case folderMissing(path: String)
  /// The folder of an output takes no new files; `path` is the folder's.
  case folderNotWritable(path: String, errno: Int32)
  /// The output is a folder.
  case isFolder(path: String)
  /// The output is a symbolic link to nothing.
  case danglingLink(path: String)
  /// Something that no run made stands where the temporary file goes; `path` is the temporary's.
  case temporaryInTheWay(path: String)
  /// The output cannot be created for another reason, with the system's error number.
  case create(path: String, errno: Int32)

  /// A database of tables can be no other thing than a file of its own.
  case notAFile(path: String)
  /// A database cannot be written: one that is there, or a new one.
  case database(DatabaseFault, isMerge: Bool)

  /// Another run is writing this output.
  case locked(path: String)

  /// Writing failed, with the system's error number. The error's offset is how much was written.
  case write(path: String, errno: Int32)
  /// A writer was not finished: what it wrote is only a part.
  case unfinished(path: String)
  /// The temporary file has another size than what was written to it.
  case wrongSize(path: String, written: Int, found: Int)
  /// Reading the temporary file back failed, to compare it with the old file.
  case readBack(path: String, errno: Int32)
  /// The mode could not be set.
  case setMode(path: String, errno: Int32)
  /// The bytes of the file, or the names of its folder, could not be brought to the disk.
  case sync(path: String, errno: Int32)
  /// Closing failed, which may be the news of a write that failed late.
  case close(path: String, errno: Int32)
  /// The finished file could not be renamed into place.
  case rename(path: String, errno: Int32)
  /// Somebody else changed the output, or removed its temporary file, at the last moment.
  case changed(path: String)
  /// A set failed half-way, and this output of it could not be put back: it is wholly new.
  case notPutBack(path: String, errno: Int32)

  /// The readers of all outputs went away: nobody wants the rest. The end of the run, not a fault.
  case noReaderLeft
}

extension PipelineError {
  /// Makes an error of the sink.
  init(sink fault: SinkFault, at offset: Int? = nil) {
    self.init(.sink(fault), at: offset)
  }
}

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

/// How much of a feed may be gone since last time: a share, in millionths.
public struct ShrinkLimit: Equatable, Sendable {
  /// The share in millionths, at most 1,000,000.
  public var millionths: Int

  /// Makes a limit.
  public init(millionths: Int) { self.millionths = millionths }

  /// A quarter.
  public static let standard = ShrinkLimit(millionths: 250_000)

  /// The limit allows `before` records to become `now`.
  func allows(_ now: Int, after before: Int) -> Bool {
    // In floating point no count of records can overflow, and none is so large that it rounds.
    Double(before - now) * 1_000_000 <= Double(before) * Double(millionths)
  }
}

extension ShrinkLimit {
  /// Takes `N%`, up to 100 and with at most four decimals.
  package init?(_ text: String) {
    guard case .share(let millionths)? = RejectLimit(text) else { return nil }
    self.init(millionths: millionths)
  }
}
