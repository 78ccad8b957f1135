import CSluice
import Glibc

/// A hidden folder beside the files of a pattern, in which they are made: too many to hold a lock
/// of each.
///
///     ics/.5b0f1c2a.sluice-tmp/
///       lock            held by the run that makes files here
///       0, 1, 2, …      the new files
///       list            the files of a small set, which are made beside their places
///       journal.part    which file goes where, until all is complete
///       journal         the same: from now on the files are published, whatever happens
///
/// What a killed run has left is dealt with by the next one: with a journal its renames are
/// completed, without one all of it is removed.
final class StagingFolder {
  // `cposix.c` has these names too: a signal removes them.
  private static let lockName = "lock"
  private static let listName = "list"
  private static let draftName = "journal.part"
  private static let journalName = "journal"

  /// The folder that it is in.
  let parent: Folder
  /// Its descriptor.
  let descriptor: Int32
  /// Its device: a file can be renamed only to a folder of the same one.
  let device: UInt
  private let name: String
  private let lock: Int32
  private var registration: OpaquePointer?

  private init(
    _ parent: Folder, _ name: String, _ descriptor: Int32, _ lock: Int32, _ place: FileStatus.Place
  ) {
    self.parent = parent
    self.name = name
    self.descriptor = descriptor
    self.lock = lock
    device = place.device
  }

  deinit {
    if registration != nil { Signals.deferring { unregister() } }
    close(lock)
    close(descriptor)
  }

  /// The path of the journal, for the record of a run.
  var journalPath: String { "\(parent.path)/\(name)/\(Self.journalName)" }

  // MARK: Opening

  /// Returns the name of the staging folder of a pattern.
  private static func name(of pattern: NamePattern) -> String {
    let below = pattern.path.utf8.dropFirst(pattern.folder == "." ? 0 : pattern.folder.utf8.count)
    return ".\(Fingerprint(of: String(decoding: below, as: UTF8.self)).name.prefix(8)).sluice-tmp"
  }

  /// Makes and locks the staging folder in a folder that exists, and deals with what a killed run
  /// has left in it.
  ///
  /// Throws `locked` if another run makes these files, and other ``PipelineError``s if nothing can
  /// be made there.
  static func open(
    for pattern: NamePattern, in parent: Folder
  ) throws(PipelineError) -> StagingFolder {
    let name = name(of: pattern)
    // Every round but the last means that another run has removed the folder just now.
    for _ in 0..<32 {
      if mkdirat(parent.descriptor, name, 0o700) != 0, errno != EEXIST {
        throw PipelineError(
          sink: errno == EACCES || errno == EPERM || errno == EROFS
            ? .folderNotWritable(path: parent.path, errno: errno)
            : .create(path: pattern.path, errno: errno))
      }
      if let folder = try openExisting(name, for: pattern, in: parent) {
        try folder.recover()
        try folder.register(pattern)
        return folder
      }
    }
    throw PipelineError(sink: .locked(path: pattern.path))
  }

  /// Deals with what a killed run has left of a pattern's files, if it has. Files that another run
  /// makes stay.
  static func sweep(_ pattern: NamePattern) throws(PipelineError) {
    guard let parent = Folder(path: Array(pattern.folder.utf8CString)),
      let folder = try openExisting(name(of: pattern), for: pattern, in: parent)
    else { return }
    try folder.recover()
    folder.remove()
  }

  /// Opens and locks the staging folder. Nil if there is none, or if it was removed just now.
  private static func openExisting(
    _ name: String, for pattern: NamePattern, in parent: Folder
  ) throws(PipelineError) -> StagingFolder? {
    let shown = pattern.path(of: name)
    let descriptor = openat(
      parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw PipelineError(sink: .temporaryInTheWay(path: shown))
    }
    var isTaken = false
    defer { if !isTaken { close(descriptor) } }
    // What others may write would be published with our rights.
    guard let status = FileStatus(descriptor: descriptor), status.owner == geteuid(),
      status.permissions & 0o022 == 0
    else { throw PipelineError(sink: .temporaryInTheWay(path: shown)) }
    let lock = openat(
      descriptor, lockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard lock >= 0 else {
      if errno == ENOENT { return nil }
      throw PipelineError(sink: .create(path: pattern.path, errno: errno))
    }
    defer { if !isTaken { close(lock) } }
    guard retrying({ flock(lock, LOCK_EX | LOCK_NB) }) == 0 else {
      throw PipelineError(
        sink: errno == EWOULDBLOCK
          ? .locked(path: pattern.path) : .create(path: pattern.path, errno: errno))
    }
    func isStill(_ file: Int32, _ name: String, in folder: Int32) -> Bool {
      FileStatus(folder: folder, name: Array(name.utf8CString))?.place
        == FileStatus(descriptor: file)?.place
    }
    guard isStill(lock, lockName, in: descriptor), isStill(descriptor, name, in: parent.descriptor)
    else { return nil }
    isTaken = true
    return StagingFolder(parent, name, descriptor, lock, status.place)
  }

  private func register(_ pattern: NamePattern) throws(PipelineError) {
    Signals.deferring {
      registration = cposix_register_staging(parent.descriptor, name, descriptor)
    }
    guard registration == nil else { return }
    remove()
    throw PipelineError(sink: .create(path: pattern.path, errno: ENOMEM))
  }

  private func unregister() {
    if let registration { cposix_unregister_staging(registration) }
    registration = nil
  }

  // MARK: Files

  /// Makes the new file of a number, from 0 on, for reading and writing. It has the rights that the
  /// umask leaves. Returns a descriptor, or -1 with `errno`.
  func makeFile(_ number: Int) -> Int32 {
    if let registration { cposix_staging_holds(registration, UInt32(clamping: number + 1)) }
    return retrying {
      openat(descriptor, String(number), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    }
  }

  /// Removes the file of a number.
  func removeFile(_ number: Int) { unlinkat(descriptor, String(number), 0) }

  /// Renames the file of a number to a name in an open folder. Returns an error number, or 0.
  func publish(_ number: Int, as name: String, in folder: Folder) -> Int32 {
    renameat(descriptor, String(number), folder.descriptor, name) == 0 ? 0 : errno
  }

  /// Notes the paths of files that are made beside their places, so that the next run can remove
  /// what a kill leaves of them. It is no error if that fails.
  func noteFiles(_ paths: [String]) {
    let file = openat(
      descriptor, Self.listName, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    var text = ByteBuffer(capacity: 4096)
    for path in paths {
      text.append(string: path)
      text.append(UInt8(0))
    }
    var written = 0
    _ = FileDescriptor.write(text.contents, to: file, &written)
    close(file)
  }

  /// Removes the folder and everything in it. Must not be in a deferring section.
  func remove() { Signals.deferring { removeNow() } }

  /// The same in a deferring section.
  func removeNow() {
    unregister()
    // First, so that a kill in between publishes nothing.
    unlinkat(descriptor, Self.journalName, 0)
    for name in Folder.names(in: descriptor) where name != Self.lockName {
      unlinkat(descriptor, name, 0)
    }
    unlinkat(descriptor, Self.lockName, 0)
    unlinkat(parent.descriptor, name, AT_REMOVEDIR)
  }

  // MARK: The journal

  /// Writes the draft of a journal and brings everything in this file system to the disk. Returns
  /// an error number, or 0.
  func draft(_ journal: borrowing ByteBuffer) -> Int32 {
    let file = openat(
      descriptor, Self.draftName, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return errno }
    var written = 0
    let code = FileDescriptor.write(journal.contents, to: file, &written)
    guard code == 0, cposix_sync_file_system(file) == 0 else {
      let code = code == 0 ? errno : code
      close(file)
      return code
    }
    return close(file) == 0 || errno == EINTR ? 0 : errno
  }

  /// Makes the draft the journal: from now on the files are published. Returns an error number, or
  /// 0.
  func commit() -> Int32 {
    guard renameat(descriptor, Self.draftName, descriptor, Self.journalName) == 0,
      retrying({ fsync(descriptor) }) == 0
    else { return errno }
    return 0
  }

  /// Takes the journal back before any of its files is published.
  func revoke() { unlinkat(descriptor, Self.journalName, 0) }

  /// Completes the renames of a journal, or removes the files without one.
  private func recover() throws(PipelineError) {
    let names = Folder.names(in: descriptor)
    if names == [Self.lockName] { return }
    if let journal = read(Self.journalName).flatMap({ FileJournal($0) }) {
      try Signals.deferring { () throws(PipelineError) in try complete(journal) }
    }
    for path in (read(Self.listName) ?? []).split(separator: 0).map(Array.init)
    where FileJournal.isInside(path) {
      OutputSet.sweep("\(parent.path)/\(String(decoding: path, as: UTF8.self))")
    }
    unlinkat(descriptor, Self.journalName, 0)
    for name in Folder.names(in: descriptor) where name != Self.lockName {
      unlinkat(descriptor, name, 0)
    }
  }

  /// Makes the renames of a journal that are still to be made.
  private func complete(_ journal: FileJournal) throws(PipelineError) {
    var folders = FolderWalk(in: parent)
    for change in journal.changes {
      guard FileStatus(folder: descriptor, name: Array(String(change.number).utf8CString)) != nil
      else { continue }
      let folder = try folders.open(change.folder, makingIn: nil)
      let code = publish(change.number, as: change.file, in: folder)
      guard code == 0 else {
        throw PipelineError(sink: .rename(path: "\(parent.path)/\(change.name)", errno: code))
      }
    }
    guard cposix_sync_file_system(descriptor) == 0 else {
      throw PipelineError(sink: .sync(path: parent.path, errno: errno))
    }
  }

  /// Returns the content of a file of ours in the folder, or nil.
  private func read(_ name: String) -> [UInt8]? {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let status = FileStatus(descriptor: file), status.isRegular,
      status.owner == geteuid()
    else { return nil }
    var bytes = ByteBuffer(capacity: max(1, status.size))
    while true {
      bytes.reserve(4096)
      switch FileDescriptor.read(file, into: &bytes) {
      case .bytes: continue
      case .end: return Array(bytes.contents)
      case .failed: return nil
      }
    }
  }
}

/// Which file of a staging folder goes where.
///
///     sluice files 1␀0␀abc.ics␀1␀Ломоносов/def.ics␀
struct FileJournal {
  /// A file that is to be published.
  struct Change {
    /// Its number in the staging folder.
    var number: Int
    /// Its path below the folder of the pattern.
    var name: String
    /// Whether there is a file of this name, which it replaces.
    var hasPrevious = false

    /// The folder of the path, empty for that of the pattern.
    var folder: String { name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "" }
    /// The name in that folder.
    var file: String {
      name.lastIndex(of: "/").map { String(name[name.index(after: $0)...]) } ?? name
    }
  }

  private static let title = Array("sluice files 1".utf8)
  var changes: [Change] = []

  init() {}

  /// Reads a journal. Nil if it does not have the form that a run writes.
  init?(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
    guard parts.first.map(Array.init) == Self.title, parts.last?.isEmpty == true,
      parts.count % 2 == 0
    else { return nil }
    for index in stride(from: 1, to: parts.count - 1, by: 2) {
      guard let number = Int(String(decoding: parts[index], as: UTF8.self)), number >= 0,
        Self.isInside(Array(parts[index + 1]))
      else { return nil }
      changes.append(
        Change(number: number, name: String(decoding: parts[index + 1], as: UTF8.self)))
    }
  }

  /// The journal as it is written.
  var encoded: ByteBuffer {
    var bytes = ByteBuffer(capacity: 64 * (changes.count + 1))
    Self.title.withUnsafeBytes { bytes.append($0) }
    bytes.append(UInt8(0))
    for change in changes {
      bytes.append(decimal: change.number)
      bytes.append(UInt8(0))
      bytes.append(string: change.name)
      bytes.append(UInt8(0))
    }
    return bytes
  }

  /// Whether a path stays in the folder that it begins in.
  static func isInside(_ path: [UInt8]) -> Bool {
    let names = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return names.allSatisfy { !$0.isEmpty && Array($0) != [0x2E] && Array($0) != [0x2E, 0x2E] }
  }
}

/// Opens the folders below another one, of which only the last stays open. For paths in their order
/// each is opened once.
struct FolderWalk: ~Copyable {
  private let base: Folder
  private var last: (path: String, folder: Folder)?

  init(in base: Folder) { self.base = base }

  /// Returns the folder of a path below the base; the path is empty for the base itself.
  ///
  /// Missing folders are made if `made` is given, and their paths are added to it. Throws
  /// ``SinkFault/folderNotWritable(path:errno:)`` if the folder cannot be opened or made.
  mutating func open(
    _ path: String, makingIn made: MadeFolders?
  ) throws(PipelineError) -> Folder {
    if path.isEmpty { return base }
    if let last, last.path == path { return last.folder }
    let whole = base.path == "/" ? "/\(path)" : "\(base.path)/\(path)"
    if let made { try made.make(whole) }
    guard let folder = Folder(path: Array(whole.utf8CString)) else {
      throw PipelineError(sink: .folderNotWritable(path: whole, errno: errno))
    }
    last = (path, folder)
    return folder
  }
}

/// The folders that a run has made.
final class MadeFolders {
  private var paths: [String] = []

  /// Makes a folder and the missing ones above it. Throws ``SinkFault/create(path:errno:)`` if that
  /// fails.
  func make(_ path: String) throws(PipelineError) {
    if FileStatus(path: Array(path.utf8CString))?.isFolder == true { return }
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<end])
      if mkdir(part, 0o777) == 0 {
        paths.append(part)
      } else if errno != EEXIST {
        let code = errno
        if FileStatus(path: Array(part.utf8CString))?.isFolder == true { continue }
        throw PipelineError(sink: .create(path: part, errno: code))
      }
    }
  }

  /// Removes those that are empty.
  func removeEmpty() {
    for path in paths.reversed() { rmdir(path) }
    paths = []
  }

  /// Keeps all of them.
  func keep() { paths = [] }
}
