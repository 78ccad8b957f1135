import CPosix
import Glibc

/// Puts finished temporary files in their targets' place: all of them, or none.
///
///     a.csv (old) ⇄ .a.csv.sluice-tmp     exchanged: the old file waits under the temporary's name
///     b.ics (none) ← .b.ics.sluice-tmp    linked: the new file has two names for a moment
///     each folder synced
///     the temporaries' names removed      by the caller, in every case
///
/// Until that last step every temporary's name is taken by a file that we hold the lock of, so no
/// other run can come in between, and whatever fails before it is undone. Where the file system
/// knows no exchange or no links a plain rename is made, and an old file then cannot come back.
struct Publication {
  /// A finished temporary file, synced and with its final mode, and what it replaces.
  struct Change {
    let path: String
    let temporary: TemporaryFile
    let previous: PreviousFile?
  }

  private enum Step {
    case exchanged, linked
    /// Renamed to a name that was free.
    case moved
    /// Renamed over an old file, which is gone.
    case replaced
  }

  private var done: [(change: Change, step: Step)] = []

  /// Publishes all. Runs in `Signals.deferring`. After a throw the old files are back, unless the
  /// error says `notPutBack`.
  static func publish(_ changes: [Change]) throws(PipelineError) {
    var publication = Publication()
    do throws(PipelineError) {
      for change in changes {
        publication.done.append((change, try publish(change)))
      }
      try syncFolders(of: changes)
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

    // Asked again at the last moment: an exchange would take a folder as well as a file.
    guard FileStatus(folder: folder, name: temporary.target)?.place == previous.place else {
      throw changed
    }
    if previous.isLocked {
      if cposix_rename_exchange(folder, temporary.name, temporary.target) == 0 {
        temporary.named = previous.place
        if temporary.isInPlace { return .exchanged }
        // Somebody put another file there in that very moment. It goes back.
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
    // A file system without links says EPERM.
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

  private static func syncFolders(of changes: [Change]) throws(PipelineError) {
    var synced: Set<FileStatus.Place> = []
    for change in changes {
      let folder = change.temporary.folder
      guard synced.insert(folder.place).inserted else { continue }
      let code = folder.sync()
      guard code == 0 else { throw PipelineError(sink: .sync(path: folder.path, errno: code)) }
    }
  }

  /// Takes back what was done, the last first. Throws only where something stays new.
  private func undo(because error: PipelineError) throws(PipelineError) {
    var failure: PipelineError?
    for (change, step) in done.reversed() {
      let (temporary, folder) = (change.temporary, change.temporary.folder.descriptor)
      var code: Int32 = 0
      switch step {
      case .exchanged:
        if renameat(folder, temporary.name, folder, temporary.target) != 0 { code = errno }
        // Gone; or else the old file's last name, which must stay.
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
