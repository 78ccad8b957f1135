import CSluice
import Glibc

/// Moves finished temporary files to their targets: all of them, or none.
///
///     a.csv (old) ⇄ .a.csv.sluice-tmp     exchanged: the old file waits under the temporary's name
///     b.ics (none) ← .b.ics.sluice-tmp    linked: the new file has two names for a moment
///     each folder synced
///     the temporaries' names removed      by the caller, in every case
///
/// Sites come last, each in one exchange of folders: ``SiteFolder``.
///
/// Until that last step, every temporary's name belongs to a file whose lock we hold. So no other
/// run can interfere, and any earlier failure is undone. If the file system has no exchange or no
/// links, a plain rename is made. An old file cannot come back after it.
struct Publication {
  /// A finished temporary file, synced and with its final mode, and the file that it replaces.
  struct Change: Sendable {
    let path: String
    let temporary: TemporaryFile
    let previous: PreviousFile?
  }

  private enum Step {
    case exchanged, linked
    /// Renamed to a free name.
    case moved
    /// Renamed over an old file, which is lost.
    case replaced
  }

  private var done: [(change: Change, step: Step)] = []
  private var doneSites: [SiteFolder] = []

  /// Publishes all changes. Must run in `Signals.deferring`. After a throw the old files are back,
  /// unless the error is `notPutBack`.
  static func publish(
    _ changes: [Change], _ sites: [SiteFolder] = []
  ) throws(PipelineError) {
    var publication = Publication()
    do throws(PipelineError) {
      for change in changes {
        publication.done.append((change, try publish(change)))
      }
      for site in sites {
        try site.publish()
        publication.doneSites.append(site)
      }
      try sync(changes.map(\.temporary.folder) + sites.map(\.container))
    } catch {
      try publication.undo(because: error)
      throw error
    }
  }

  private static func publish(_ change: Change) throws(PipelineError) -> Step {
    let (temporary, folder) = (change.temporary, change.temporary.folder.descriptor)
    let changed = PipelineError(sink: .changed(path: change.path))
    guard temporary.isInPlace else { throw changed }
    guard let previous = change.previous else { return try publishNew(change) }

    // Checked again at the last moment, because an exchange would accept a folder as well.
    guard FileStatus(folder: folder, name: temporary.target)?.place == previous.place else {
      throw changed
    }
    if previous.isLocked {
      if cposix_rename_exchange(folder, temporary.name, temporary.target) == 0 {
        temporary.named = previous.place
        if temporary.isInPlace { return .exchanged }
        // Another process put another file there at that very moment. It goes back.
        guard cposix_rename_exchange(folder, temporary.name, temporary.target) == 0 else {
          throw PipelineError(sink: .notPutBack(path: change.path, errno: errno))
        }
        temporary.named = temporary.place
        throw changed
      }
      guard isUnsupported(errno) else {
        throw PipelineError(sink: .rename(path: change.path, errno: errno))
      }
    }
    guard renameat(folder, temporary.name, folder, temporary.target) == 0 else {
      throw PipelineError(sink: .rename(path: change.path, errno: errno))
    }
    temporary.named = nil
    return .replaced
  }

  /// Publishes under a name that must still be free.
  private static func publishNew(_ change: Change) throws(PipelineError) -> Step {
    let (temporary, folder) = (change.temporary, change.temporary.folder.descriptor)
    if linkat(folder, temporary.name, folder, temporary.target, 0) == 0 { return .linked }
    // A file system without links reports EPERM.
    if errno == EPERM || errno == EMLINK || isUnsupported(errno) {
      if cposix_rename_new(folder, temporary.name, temporary.target) == 0
        || isUnsupported(errno)
          && renameat(folder, temporary.name, folder, temporary.target) == 0
      {
        temporary.named = nil
        return .moved
      }
    }
    throw PipelineError(
      sink: errno == EEXIST
        ? .changed(path: change.path) : .rename(path: change.path, errno: errno))
  }

  private static func isUnsupported(_ code: Int32) -> Bool {
    code == EINVAL || code == ENOSYS || code == EOPNOTSUPP
  }

  private static func sync(_ folders: [Folder]) throws(PipelineError) {
    var synced: Set<FileStatus.Place> = []
    for folder in folders {
      guard synced.insert(folder.place).inserted else { continue }
      let code = folder.sync()
      guard code == 0 else { throw PipelineError(sink: .sync(path: folder.path, errno: code)) }
    }
  }

  /// Undoes the steps, the last one first. Throws `notPutBack` only if something stays new.
  private func undo(because error: PipelineError) throws(PipelineError) {
    var failure: PipelineError?
    for site in doneSites.reversed() {
      let code = site.undo()
      if code != 0 { failure = PipelineError(sink: .notPutBack(path: site.path, errno: code)) }
    }
    for (change, step) in done.reversed() {
      let (temporary, folder) = (change.temporary, change.temporary.folder.descriptor)
      var code: Int32 = 0
      switch step {
      case .exchanged:
        if renameat(folder, temporary.name, folder, temporary.target) != 0 { code = errno }
        // The name is gone. If not, it is the old file's last name and must stay.
        temporary.named = nil
      case .linked, .moved:
        let isOurs =
          FileStatus(folder: folder, name: temporary.target)?.place == temporary.place
        if isOurs, unlinkat(folder, temporary.target, 0) != 0 { code = errno }
      case .replaced:
        code = EOPNOTSUPP
      }
      if code != 0 {
        failure = PipelineError(sink: .notPutBack(path: change.path, errno: code))
      }
    }
    if let failure { throw failure }
  }
}

/// Owns the file that an output is about to replace.
///
/// The file is locked too, if possible. After the exchange with the temporary file it has the
/// temporary's name, and another run must not take it for a leftover there.
final class PreviousFile: Sendable {
  let status: FileStatus
  /// Open for reading, or negative if the file cannot be read.
  let descriptor: Int32
  /// Whether we hold its lock. Only then may it be exchanged.
  let isLocked: Bool

  var place: FileStatus.Place { status.place }

  /// Opens the file at the target. Nil if there is none. Throws ``PipelineError`` if the target has
  /// become something that is not replaced.
  init?(at name: [CChar], in folder: Folder, path: String) throws(PipelineError) {
    guard let named = FileStatus(folder: folder.descriptor, name: name) else {
      if errno == ENOENT { return nil }
      throw PipelineError(sink: .rename(path: path, errno: errno))
    }
    if named.isFolder { throw PipelineError(sink: .isFolder(path: path)) }
    guard named.isRegular else { throw PipelineError(sink: .changed(path: path)) }
    let descriptor = openat(
      folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0, let status = FileStatus(descriptor: descriptor),
      status.place == named.place
    else {
      if descriptor >= 0 { close(descriptor) }
      self.status = named
      self.descriptor = -1
      isLocked = false
      return
    }
    self.status = status
    self.descriptor = descriptor
    isLocked = retrying { flock(descriptor, LOCK_EX | LOCK_NB) } == 0
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Compares the bytes with those of an open file: sizes first, then contents, a piece at a time.
  ///
  /// An old file that cannot be read counts as different. If the new one cannot be read, throws
  /// `readBack`.
  func holdsSameBytes(
    as other: Int32, size: Int, path: String
  ) throws(PipelineError) -> Bool {
    guard descriptor >= 0, status.size == size else { return false }
    // Small enough that both pieces stay in the processor's cache until they are compared.
    let pieceSize = min(64 << 10, max(size, 1))
    var old = ByteBuffer(capacity: pieceSize)
    var new = ByteBuffer(capacity: pieceSize)
    var offset = 0
    while offset < size {
      let wanted = min(pieceSize, size - offset)
      guard Self.read(descriptor, at: offset, wanted, into: &old) == 0 else { return false }
      let code = Self.read(other, at: offset, wanted, into: &new)
      guard code == 0 else { throw PipelineError(sink: .readBack(path: path, errno: code)) }
      guard memcmp(old.start, new.start, wanted) == 0 else { return false }
      offset += wanted
    }
    return true
  }

  /// Compares the bytes with others, as ``holdsSameBytes(as:size:path:)`` does. `piece` is memory
  /// to read into.
  func holds(_ bytes: UnsafeRawBufferPointer, _ piece: inout ByteBuffer) -> Bool {
    guard descriptor >= 0, status.size == bytes.count else { return false }
    guard let start = bytes.baseAddress, bytes.count > 0 else { return true }
    piece.removeAll()
    piece.reserve(bytes.count)
    guard Self.read(descriptor, at: 0, bytes.count, into: &piece) == 0 else { return false }
    return memcmp(piece.start, start, bytes.count) == 0
  }

  /// Reads at least `count` bytes. Returns an error number, or 0.
  private static func read(
    _ descriptor: Int32, at offset: Int, _ count: Int, into buffer: inout ByteBuffer
  ) -> Int32 {
    buffer.removeAll()
    while buffer.count < count {
      switch FileDescriptor.read(descriptor, at: offset + buffer.count, into: &buffer) {
      case .bytes: break
      // Somebody cut the file just now.
      case .end: return EIO
      case .failed(let error): return error
      }
    }
    return 0
  }
}
