import Glibc
import Sluice

/// The folder of one feed inside the state folder.
///
///     /var/lib/sluice/                       the state folder, 0700
///       hot-water/                           one feed, 0700
///         lock                               held by the current run, with its process's number
///         searches                           the terms searched for: ``SearchHistory``
///         9a52bf95f4e4a500.json              the record of one input: ``SyncRecord``
///         9a52bf95f4e4a500.a, ….b            its last good copy, and room for the next
///         9a52bf95f4e4a500.events/           its ledger: ``Ledger``
///         9a52bf95f4e4a500.….files           the files of an output: ``FileNamesRecord``
///         9a52bf95f4e4a500.answers/          answers to its requests: ``AnswerStore``
///
/// The names of an input's files are made of its name: ``InputIdentity``.
struct FeedFolder: Sendable {
  let path: String
  /// The path of the state folder.
  private let state: String

  /// Sets the path of the folder, which need not exist.
  init(of feed: String, in state: String) {
    self.state = state
    path = "\(state)/\(feed)"
  }

  /// Makes the folder and any missing folders above it, for their owner alone.
  ///
  /// Throws if the state folder or the feed's belongs to another user, or if other users may write
  /// to it: whoever can change the state decides what is published.
  func make() throws(PipelineError) {
    try Self.make(path)
    for folder in [state, path] {
      guard let status = FileStatus(path: Array(folder.utf8CString)) else { continue }
      guard status.owner == geteuid() || status.owner == 0 else {
        throw PipelineError(sync: .foreignFolder(path: folder))
      }
      guard status.permissions & 0o022 == 0 else {
        throw PipelineError(sync: .sharedFolder(path: folder))
      }
    }
  }

  /// Makes the folder of an input's ledger, and returns its path.
  func makeLedger(of input: InputIdentity) throws(PipelineError) -> String {
    let folder = "\(path)/\(input.key).events"
    try Self.make(folder)
    return folder
  }

  /// Makes the folder of the answers to an input's requests.
  func makeAnswers(of input: InputIdentity) throws(PipelineError) -> AnswerStore {
    let store = answers(of: input)
    try Self.make(store.path)
    return store
  }

  /// The folder of the answers to an input's requests. It need not exist.
  func answers(of input: InputIdentity) -> AnswerStore {
    AnswerStore(path: "\(path)/\(input.key).answers")
  }

  /// Returns the names in a folder, hidden ones included, or none if the folder does not exist.
  static func names(in folder: String) throws(PipelineError) -> [String] {
    if let names = Folder.names(in: folder) { return names }
    if errno == ENOENT { return [] }
    throw PipelineError(sync: .folder(path: folder, errno: errno))
  }

  private static func make(_ path: String) throws(PipelineError) {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<end])
      if FileStatus(path: Array(part.utf8CString))?.isFolder == true { continue }
      guard mkdir(part, 0o700) == 0 || errno == EEXIST else {
        throw PipelineError(sync: .folder(path: part, errno: errno))
      }
    }
    guard FileStatus(path: Array(path.utf8CString))?.isFolder == true else {
      throw PipelineError(sync: .folder(path: path, errno: ENOTDIR))
    }
  }

  /// The path of the lock's file.
  var lock: String { "\(path)/lock" }

  /// The path of an input's record.
  func record(of input: InputIdentity) -> String { "\(path)/\(input.key).json" }

  /// The path of an input's copy.
  func copy(of input: InputIdentity, _ slot: SyncRecord.Slot) -> String {
    "\(path)/\(input.key).\(slot.rawValue)"
  }

  /// Reads the record of an input. Returns nil if there is none.
  func read(_ input: InputIdentity) throws(PipelineError) -> SyncRecord? {
    try Self.read(record(of: input))
  }

  /// Reads a record. Returns nil if there is no such file.
  static func read(_ path: String) throws(PipelineError) -> SyncRecord? {
    guard let fields = try fields(path) else { return nil }
    guard let record = SyncRecord(fields) else { throw PipelineError(sync: .badRecord(path: path)) }
    return record
  }

  /// Reads the fields of a record. Returns nil if there is no such file.
  static func fields(_ path: String) throws(PipelineError) -> FlatFields? {
    let source: DescriptorSource
    do throws(PipelineError) {
      source = try DescriptorSource(file: path)
    } catch {
      if case .source(.noFile) = error.fault { return nil }
      throw unreadable(path, error)
    }
    let fields = FlatFields()
    do throws(PipelineError) {
      var stage = FlatFieldsStage(into: fields)
      try source.run(into: &stage, counters: Counters())
      try stage.finish()
    } catch {
      if case .source = error.fault { throw unreadable(path, error) }
      throw PipelineError(sync: .badRecord(path: path))
    }
    guard fields.isFlat else { throw PipelineError(sync: .badRecord(path: path)) }
    return fields
  }

  /// The error of a record that cannot be read: it is the state's, not the source's.
  private static func unreadable(_ path: String, _ error: PipelineError) -> PipelineError {
    switch error.fault {
    case .source(.unreadable(_, let errno)), .source(.read(_, let errno)):
      PipelineError(sync: .unreadableRecord(path: path, errno: errno))
    case .source(.folder): PipelineError(sync: .unreadableRecord(path: path, errno: EISDIR))
    default: PipelineError(sync: .badRecord(path: path))
    }
  }

  /// Writes the record of an input, whole or not at all.
  func write(_ record: SyncRecord, of input: InputIdentity) throws(PipelineError) {
    let set = OutputSet(endsWithItsReaders: false)
    var writer = try set.open(path: self.record(of: input))
    try writer.write(record.encoded)
    try writer.finish()
    try set.commit()
  }
}

extension FeedFolder {
  /// The age in seconds at which leftovers are removed: 30 days. A younger one may still be used.
  private static let leftAlone = 30 * 86_400

  /// Removes leftovers of other searches and mirrors that no run has used for 30 days: kept
  /// answers, records of runs that published nothing, temporary files.
  ///
  /// Last good copies and ledgers stay. A file that cannot be removed stays, too. The owner holds
  /// the lock of the folder.
  func sweep(beside input: InputIdentity, now: Int) {
    for name in (try? Self.names(in: path)) ?? [] where !name.hasPrefix(input.key) {
      let file = "\(path)/\(name)"
      if name.hasSuffix(".answers") {
        let store = AnswerStore(path: file)
        let files = (try? store.files()) ?? []
        guard !wasUsed([file] + files, since: now - Self.leftAlone) else { continue }
        try? store.removeAll()
        store.removeFolder()
      } else if name.hasSuffix(".json") {
        guard !wasUsed([file], since: now - Self.leftAlone), isOfNothing(file) else { continue }
        unlink(file)
      } else if name.hasPrefix("."), name.hasSuffix(".sluice-tmp") {
        guard !wasUsed([file], since: now - Self.leftAlone) else { continue }
        unlink(file)
      }
    }
  }

  private func wasUsed(_ files: [String], since time: Int) -> Bool {
    files.contains { file in
      guard let status = FileStatus(path: Array(file.utf8CString), followingLinks: false) else {
        return false
      }
      return status.modified >= time
    }
  }

  /// Whether a record is of runs that published nothing.
  private func isOfNothing(_ file: String) -> Bool {
    // A record that cannot be read is reported by the run that needs it.
    guard let record = try? Self.read(file) else { return false }
    return record.copy == nil && record.publishing == nil
  }
}

/// Holds the lock of a feed's folder: one run at a time.
///
/// The kernel releases the lock when the process ends, however it ends. The file stays, with the
/// number of the process that held the lock last.
final class RunLock {
  private let descriptor: Int32

  /// Acquires the lock without waiting. Throws ``SyncFault/busy(pid:folder:)`` with the holder's
  /// process if another run has it, and ``SyncFault/lock(path:errno:)`` if the file cannot be
  /// opened or locked.
  init(_ folder: FeedFolder) throws(PipelineError) {
    let path = folder.lock
    let descriptor = retrying {
      open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0o600)
    }
    guard descriptor >= 0 else { throw PipelineError(sync: .lock(path: path, errno: errno)) }
    guard retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
      let code = errno
      let holder = code == EWOULDBLOCK ? Self.holder(descriptor) : nil
      close(descriptor)
      throw PipelineError(
        sync: code == EWOULDBLOCK
          ? .busy(pid: holder, folder: folder.path) : .lock(path: path, errno: code))
    }
    self.descriptor = descriptor
    let text = Array("\(getpid())\n".utf8)
    // Writing the number is best effort.
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
  }

  deinit { close(descriptor) }

  /// Returns the process that holds the lock.
  ///
  /// If that process has only just acquired it, its number may not be written yet. Then the file is
  /// empty, or has the number of a process that ended long ago.
  private static func holder(_ descriptor: Int32) -> Int? {
    for _ in 0..<10 {
      var bytes = [UInt8](repeating: 0, count: 24)
      let count = pread(descriptor, &bytes, bytes.count, 0)
      let digits = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
      if let pid = Int32(String(decoding: digits, as: UTF8.self)), pid > 0,
        kill(pid, 0) == 0 || errno == EPERM
      {
        return Int(pid)
      }
      usleep(2000)
    }
    return nil
  }
}
