import CPosix
import Glibc
import Synchronization

/// Holds the outputs of one run that are published together: all of them, or none.
///
/// Open them all, let every writer finish, then call ``commit()``; anything else, the destruction
/// of the set included, leaves the old files as they were and no temporary file. A run may have
/// several sets (data; diagnostics, which are kept even if the data fails). Open, commit and
/// abandon come when no writer is in the middle of a write.
final class OutputSet: Sendable {
  private struct Entry: Sendable {
    let output: Output
    /// Nil where bytes go directly to their end.
    let temporary: TemporaryFile?
  }

  private enum State: Sendable {
    case open([Entry])
    case ended
  }

  private let state = Mutex(State.open([]))
  /// How many outputs there are that somebody may still want.
  private let live = Atomic<Int>(0)
  private let endsWithItsReaders: Bool
  /// What the umask leaves of 0666, asked for early: see `cposix_umask`.
  private let modeOfNewFiles = 0o666 & ~cposix_umask()

  /// Makes an empty set.
  ///
  /// A set that does not end with its readers never throws `noReaderLeft`: diagnostics that nobody
  /// reads any more are no reason to stop a run.
  init(endsWithItsReaders: Bool = true) {
    self.endsWithItsReaders = endsWithItsReaders
  }

  deinit { abandon() }

  /// Opens an output, with every check that can be made before there is anything to write.
  ///
  /// A regular file, or a new one, is written to a locked temporary file beside it; what is no
  /// regular file (`/dev/null`, a FIFO) is written directly.
  func open(path: String) throws(PipelineError) -> OutputWriter {
    switch try OutputTarget.resolve(path) {
    case .direct(let descriptor):
      return add(Output(.direct, path: path, descriptor: descriptor), nil)
    case .file(let folder, let name):
      let temporary = try Signals.deferring { () throws(PipelineError) in
        try TemporaryFile.open(for: name, in: folder, path: path)
      }
      // A second descriptor, so that closing can be checked while the first still holds the lock.
      let descriptor = fcntl(temporary.descriptor, F_DUPFD_CLOEXEC, 3)
      guard descriptor >= 0 else {
        let code = errno
        Signals.deferring { temporary.remove() }
        throw PipelineError(sink: .create(path: path, errno: code))
      }
      return add(Output(.temporary, path: path, descriptor: descriptor), temporary)
    }
  }

  /// Opens an output that somebody else writes, at the path that is given back; `finish` says that
  /// it is complete. Throws `notAFile` for what is no regular file.
  func openForeign(path: String) throws(PipelineError) -> ForeignOutput {
    let writer = try open(path: path)
    guard writer.output.kind == .temporary, let path = temporaryPath(of: writer.output) else {
      throw PipelineError(sink: .notAFile(path: path))
    }
    return ForeignOutput(path: path, output: writer.output)
  }

  private func temporaryPath(of output: Output) -> String? {
    state.withLock { state in
      guard case .open(let entries) = state else { return nil }
      return entries.first { $0.output === output }?.temporary.map { temporary in
        "\(temporary.folder.path)/\(temporary.name.text)"
      }
    }
  }

  /// Makes an output of standard output. What is written there cannot be taken back.
  func openStandardOutput() -> OutputWriter {
    add(Output(.standardOutput, path: "-", descriptor: STDOUT_FILENO), nil)
  }

  private func add(_ output: Output, _ temporary: TemporaryFile?) -> OutputWriter {
    live.add(1, ordering: .relaxed)
    state.withLock { state in
      guard case .open(let entries) = state else { preconditionFailure("the set has ended") }
      state = .open(entries + [Entry(output: output, temporary: temporary)])
    }
    return OutputWriter(output, of: self)
  }

  /// Hears from a writer that its reader has gone; throws where that was the last one.
  func readerLeft() throws(PipelineError) {
    let rest = live.subtract(1, ordering: .relaxed).newValue
    if rest == 0, endsWithItsReaders { throw PipelineError(sink: .noReaderLeft) }
  }

  /// Publishes all outputs, or throws and publishes none.
  ///
  /// Every writer has finished before. First each file is made ready: its size checked against
  /// what was written, compared with the old file (equal: that one stays, with its mtime), mode
  /// and owner set, synced, closed. Only then are all renamed and their folders synced. A file
  /// whose sync failed is dropped and never tried again: its pages may be lost. The set ends
  /// here, either way.
  func commit() throws(PipelineError) {
    guard let entries = end() else { preconditionFailure("the set has ended") }
    var changes: [Publication.Change] = []
    do throws(PipelineError) {
      // Before any work: a part of the content must never pass for the whole.
      for entry in entries where !entry.output.isFinished {
        throw PipelineError(sink: .unfinished(path: entry.output.path))
      }
      for entry in entries {
        if let change = try prepare(entry) { changes.append(change) }
      }
    } catch {
      Self.drop(entries)
      throw error
    }
    try Signals.deferring { () throws(PipelineError) in
      defer {
        // Holds the old files' locks until the names that were lent to them are gone.
        withExtendedLifetime(changes) { for entry in entries { entry.temporary?.remove() } }
      }
      try Publication.publish(changes)
    }
  }

  /// Closes all outputs and removes their temporary files. Calling it again, or after
  /// ``commit()``, does nothing.
  func abandon() {
    if let entries = end() { Self.drop(entries) }
  }

  private func end() -> [Entry]? {
    state.withLock { state in
      guard case .open(let entries) = state else { return nil }
      state = .ended
      return entries
    }
  }

  private static func drop(_ entries: [Entry]) {
    for entry in entries { _ = entry.output.close() }
    Signals.deferring { for entry in entries { entry.temporary?.remove() } }
  }

  /// Makes one output ready; nil where there is nothing to publish.
  private func prepare(_ entry: Entry) throws(PipelineError) -> Publication.Change? {
    let (output, path) = (entry.output, entry.output.path)
    guard let temporary = entry.temporary else {
      let code = output.close()
      if code == 0 || output.readerHasLeft { return nil }
      throw PipelineError(sink: .close(path: path, errno: code))
    }
    let found = FileStatus(descriptor: temporary.descriptor)?.size ?? -1
    guard found == output.bytesWritten else {
      throw PipelineError(
        sink: .wrongSize(path: path, written: output.bytesWritten, found: found))
    }
    let previous = try PreviousFile(at: temporary.target, in: temporary.folder, path: path)
    let isSame = try previous?.holdsSameBytes(
      as: temporary.descriptor, size: found, path: path)
    if isSame == true { return nil }

    try setMode(temporary, like: previous, path)
    guard retrying({ fsync(temporary.descriptor) }) == 0 else {
      throw PipelineError(sink: .sync(path: path, errno: errno))
    }
    let code = output.close()
    guard code == 0 else { throw PipelineError(sink: .close(path: path, errno: code)) }
    return Publication.Change(path: path, temporary: temporary, previous: previous)
  }

  /// Gives the temporary file the old file's mode and, where that is allowed, owner and group; a
  /// new file gets what the umask leaves.
  private func setMode(
    _ temporary: TemporaryFile, like previous: PreviousFile?, _ path: String
  ) throws(PipelineError) {
    var mode = modeOfNewFiles
    if let old = previous?.status {
      mode = old.permissions
      // The owner before the mode: changing it clears set-id bits.
      if fchown(temporary.descriptor, old.owner, old.group) != 0,
        fchown(temporary.descriptor, uid_t.max, old.group) != 0
      {
        // With another group, set-id bits would mean something else.
        mode &= 0o1777
      }
    }
    // EPERM on a file of our own: a file system that keeps no modes.
    guard fchmod(temporary.descriptor, mode) == 0 || errno == EPERM else {
      throw PipelineError(sink: .setMode(path: path, errno: errno))
    }
  }
}
