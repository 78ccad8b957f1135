/// Errors of an output. The rules are POSIX's; `errno` is the system's error number.
///
/// A path is the one that the user gave, unless a case says otherwise; `-` is standard output.
package enum SinkFault: Equatable, Sendable {
  /// The folder of an output is missing. `path` is the folder's.
  case folderMissing(path: String)
  /// New files cannot be created in the folder of an output. `path` is the folder's.
  case folderNotWritable(path: String, errno: Int32)
  /// The output is a folder.
  case isFolder(path: String)
  /// The output is a site, and something other than a folder has its path.
  case notAFolder(path: String)
  /// The folder of a site has a file that no run made. `name` is the file's name in the folder.
  case foreignFile(path: String, name: String)
  /// The folder of a site is a mount point, which cannot be exchanged with another folder.
  case mountPoint(path: String)
  /// The file system of a site cannot exchange two folders in one step.
  case cannotExchange(path: String)
  /// The output is a symbolic link whose target does not exist.
  case danglingLink(path: String)
  /// The output is a link, or leads to one, that another user has made. `path` is that link, and
  /// `target` is where it leads.
  case foreignLink(path: String, target: String)
  /// Something that no run made has the temporary file's name. `path` is that name.
  case temporaryInTheWay(path: String)
  /// The output cannot be created for another reason.
  case create(path: String, errno: Int32)

  /// The output is a database, and its path is not a regular file.
  case notAFile(path: String)
  /// The extension of the path names no format.
  case unknownFormat(path: String)
  /// A database cannot be written. `isMerge` tells whether the tables go into one that existed
  /// before.
  case database(DatabaseFault, isMerge: Bool)

  /// Another run is writing this output.
  case locked(path: String)

  /// Writing failed. The error's offset is the number of bytes written before.
  case write(path: String, errno: Int32)
  /// The writer was not finished, so the file is incomplete.
  case unfinished(path: String)
  /// The temporary file does not have as many bytes as were written to it. `found` is -1 if its
  /// size cannot be read.
  case wrongSize(path: String, written: Int, found: Int)
  /// The temporary file could not be read again to compare it with the old file.
  case readBack(path: String, errno: Int32)
  /// The access mode could not be set.
  case setMode(path: String, errno: Int32)
  /// The file, or its name in the folder, could not be flushed to the disk.
  case sync(path: String, errno: Int32)
  /// Closing failed. This may report an earlier write.
  case close(path: String, errno: Int32)
  /// The finished file could not be renamed into place.
  case rename(path: String, errno: Int32)
  /// Another program changed the output, or removed its temporary file, during the run.
  case changed(path: String)
  /// The set of outputs was published only in part, and the old version of this one could not be
  /// restored. The new version is in place.
  case notPutBack(path: String, errno: Int32)

  /// A site would have more rows than the limit.
  case siteTooLarge(limit: Int)
  /// The outputs together are larger than the limit, in bytes.
  case tooMuchOutput(limit: Int)
  /// A text has more UTF-16 units than a cell of a workbook can have. `row` is counted from 1,
  /// without the header.
  case cellTooLong(row: Int, column: String, limit: Int)
  /// A workbook, or a sheet in it before it is compressed, would have 4 GiB or more.
  case workbookTooLarge
  /// The output is a workbook, and the path is a terminal.
  case workbookOnTerminal(path: String)
  /// The name of a workbook has columns in braces.
  case workbookOfColumns(path: String)

  /// The output at `path` and others have columns in their names, and together they would have more
  /// files than the limit.
  case tooManyFiles(limit: Int, path: String)
  /// Two outputs have a file of this name, or of names that differ in case alone.
  case writtenTwice(path: String)

  /// The readers of all outputs are gone. This ends the run and is not a problem.
  case noReaderLeft

  /// The kind of problem.
  package var `class`: FaultClass {
    switch self {
    case .folderMissing, .folderNotWritable, .isFolder, .danglingLink, .foreignLink,
      .temporaryInTheWay, .create, .notAFile, .unknownFormat, .notAFolder, .foreignFile,
      .mountPoint, .workbookOnTerminal, .workbookOfColumns:
      .cannotCreate
    case .database(let fault, _): fault.class
    case .locked: .busy
    case .cannotExchange, .write, .unfinished, .wrongSize, .readBack, .setMode, .sync, .close,
      .rename, .changed,
      .notPutBack:
      .cannotWrite
    case .tooMuchOutput, .tooManyFiles, .siteTooLarge, .cellTooLong, .workbookTooLarge: .badData
    case .writtenTwice: .cannotCreate
    case .noReaderLeft: .readerGone
    }
  }
}

extension PipelineError {
  /// Makes an error of the sink.
  package init(sink fault: SinkFault, at offset: Int? = nil) {
    self.init(.sink(fault), at: offset)
  }
}

/// Errors of a database: a ledger, or an output. The rules are SQLite's. The database is unchanged.
///
/// `path` is the database's file, `errno` is the system's error number.
package enum DatabaseFault: Error, Equatable, Sendable {
  /// The file cannot be opened or created. `errno` is 0 if the system reported none.
  case open(path: String, errno: Int32)
  /// Reading or writing failed.
  case access(path: String, errno: Int32)
  /// Another program has locked the file.
  case locked(path: String)
  /// The file is damaged. `detail` is SQLite's message. A backup can replace the file. Without one
  /// the file must be moved away, and the next run numbers all events from the start, like a first
  /// run.
  case corrupt(path: String, detail: String)
  /// The file is a database, but not a ledger.
  case notALedger(path: String)
  /// A later version of the program wrote the file. Its schema has the number `version`, and
  /// `known` is the highest that this version reads.
  case newer(path: String, version: Int, known: Int)
  /// The ledger belongs to the feed `found`.
  case otherFeed(path: String, found: String, wanted: String)
  /// The feed has no events for a ledger.
  case noEvents(feed: String)
  /// The rows ended early. The missing ones would count as cancelled.
  case incomplete(path: String)
  /// A trigger or a view of a database that existed before uses what SQLite takes for unsafe
  /// there, such as a virtual table. `detail` is SQLite's message.
  case distrusted(path: String, detail: String)
  /// SQLite failed in an unexpected way. `code` and `detail` are its own.
  case refused(path: String, code: Int32, detail: String)
  /// An output failed while the ledger was written to it.
  indirect case output(PipelineError)

  /// The kind of problem.
  package var `class`: FaultClass {
    switch self {
    case .open: .cannotCreate
    case .locked: .busy
    case .noEvents: .usage
    case .corrupt, .notALedger, .newer, .otherFeed: .badState
    case .access, .incomplete, .distrusted, .refused, .output: .cannotWrite
    }
  }

  /// Whether the file is not a ledger, or not any more.
  package var isDamage: Bool {
    switch self {
    case .corrupt, .notALedger: true
    case .open, .access, .distrusted, .locked, .newer, .otherFeed, .noEvents, .incomplete, .refused,
      .output:
      false
    }
  }

  /// Whether a row has the same primary key as another. The table's owner may have added other
  /// constraints.
  var isRepeatedKey: Bool {
    // SQLITE_CONSTRAINT_PRIMARYKEY
    if case .refused(_, 19 | 6 << 8, _) = self { true } else { false }
  }
}

/// Reasons that a `sync` does not publish, except the errors of the stages. The guards follow the
/// settings of the job. `errno` is the system's error number.
package enum SyncFault: Equatable, Sendable {
  /// Another run holds the lock. `pid` is its process, nil if that is not known yet.
  case busy(pid: Int?, folder: String)
  /// The feed has no records. It had `before` of them.
  case emptied(before: Int)
  /// The number of records fell by more than the limit.
  case shrunk(records: Int, before: Int, limit: ShrinkLimit)
  /// No row would be published. There were `before` of them.
  case noRows(before: Int)
  /// The version of the payload is lower than before.
  case olderVersion(version: String, before: String)
  /// All periods end before `today`. `last` is their last day, and `before` was the last day of the
  /// earlier ones.
  case allPast(last: Day, before: Day, today: Day)

  /// The clock shows a time more than a day before the last run. Both are in seconds since 1970.
  case clockBack(now: Int, before: Int)

  /// More events than the limit would be cancelled at once. `before` is the number of those that
  /// are not past.
  case tooManyCancelled(events: Int, before: Int, limit: ShrinkLimit)
  /// The ledger has the events of another document with the same name. `differences` say what makes
  /// other addresses or events, each in the form `key: [street, house] → [street]`.
  case otherDocument(feed: String, differences: [String])

  /// The feed was published before, but its ledger is missing from `folder`.
  case ledgerGone(folder: String)
  /// The ledger does not know `count` events that stand in a calendar, or knows earlier revisions
  /// of them. `first` is the UID of the first one.
  case unknownEvents(calendar: String, count: Int, first: String)
  /// The file that a calendar would replace is not a calendar of the feed.
  case otherCalendar(path: String, feed: String)

  /// The feed does not have the place that the outputs are about, and no earlier run found it.
  case noPlace(String, near: [NamedPlace])

  /// The state folder has no last good copy of the input.
  case noCopy(input: String, folder: String)

  /// A folder of the state cannot be made or opened.
  case folder(path: String, errno: Int32)
  /// The lock file cannot be made.
  case lock(path: String, errno: Int32)

  /// A folder of the state belongs to another user.
  case foreignFolder(path: String)
  /// Other users may write to a folder of the state.
  case sharedFolder(path: String)
  /// A record cannot be opened or read.
  case unreadableRecord(path: String, errno: Int32)
  /// A file of the state does not have the form that a run writes.
  case badRecord(path: String)
  /// A file of names has a line that is not a name.
  case badNames(path: String)

  /// The kind of problem.
  package var `class`: FaultClass {
    switch self {
    case .busy: .busy
    case .emptied, .shrunk, .noRows, .olderVersion, .allPast, .tooManyCancelled, .otherDocument,
      .ledgerGone, .unknownEvents, .otherCalendar, .clockBack, .noPlace:
      .guarded
    case .noCopy: .noInput
    case .folder, .lock, .foreignFolder, .sharedFolder: .cannotCreate
    case .badRecord, .badNames, .unreadableRecord: .badState
    }
  }
}

extension PipelineError {
  /// Makes an error of the synchronisation.
  package init(sync fault: SyncFault) { self.init(.sync(fault)) }
}

/// The share of a feed's records that may be missing compared with the last run.
public struct ShrinkLimit: Equatable, Sendable {
  /// The share in millionths, at most 1,000,000.
  public var millionths: Int

  /// Makes a limit.
  public init(millionths: Int) { self.millionths = millionths }

  /// A quarter.
  public static let standard = ShrinkLimit(millionths: 250_000)

  /// Returns whether a fall from `before` records to `now` is within the limit.
  package func allows(_ now: Int, after before: Int) -> Bool {
    // Floating point cannot overflow, and counts of records are small enough to be exact.
    Double(before - now) * 1_000_000 <= Double(before) * Double(millionths)
  }
}

extension ShrinkLimit {
  /// Reads `N%`, up to 100 and with at most four decimals. Returns nil for any other text.
  package init?(_ text: String) {
    guard case .share(let millionths)? = RejectLimit(text) else { return nil }
    self.init(millionths: millionths)
  }
}
