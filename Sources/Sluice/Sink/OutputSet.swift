import CSluice
import Glibc
import Synchronization

/// Holds the outputs of one run that are published together: all of them, or none.
///
/// Open them all, let every writer finish, then call ``commit()``; anything else, the destruction
/// of the set included, leaves the old files as they were and no temporary file. A run may have
/// several sets (data; diagnostics, which are kept even if the data fails). Open, commit and
/// abandon come when no writer is in the middle of a write.
package final class OutputSet: Sendable {
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
  package init(endsWithItsReaders: Bool = true) {
    self.endsWithItsReaders = endsWithItsReaders
  }

  deinit { abandon() }

  /// Opens an output, with every check that can be made before there is anything to write.
  ///
  /// A regular file, or a new one, is written to a locked temporary file beside it; what is no
  /// regular file (`/dev/null`, a FIFO) is written directly.
  package func open(path: String) throws(PipelineError) -> OutputWriter {
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
  package func commit() throws(PipelineError) {
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
  package func abandon() {
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

/// Writes one output of an ``OutputSet``.
///
/// Each chunk goes to the system as it comes: callers gather whole pages, 64 KiB and more. Where the
/// reader goes away the rest is taken and dropped, for the other outputs' sake; once no output of
/// the set is left that anybody wants, the write throws `noReaderLeft`. ``finish()`` says that the
/// content is complete and publishes nothing: that is ``OutputSet/commit()``.
package struct OutputWriter: ByteStage, ~Copyable {
  private let set: OutputSet
  /// The output, to read its counts once the writer is used up.
  let output: Output

  init(_ output: Output, of set: OutputSet) {
    self.output = output
    self.set = set
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    if output.readerHasLeft { return }
    if try !output.write(bytes) { try set.readerLeft() }
  }

  package consuming func finish() throws(PipelineError) {
    output.markFinished()
  }
}

/// Owns the descriptor that one output is written to, and counts what went through it.
///
/// One thread writes; any thread may read the counts, at any time, after a failure too.
final class Output: Sendable {
  /// Where the bytes go.
  enum Kind: Sendable {
    /// To a temporary file that is renamed later.
    case temporary
    /// To a device or FIFO, at once.
    case direct
    /// To standard output, whose descriptor is not ours to close.
    case standardOutput
  }

  /// How many bytes of a file come together before the disk is asked to begin with the first, and
  /// with more. A city's outputs are smaller: those that turn out to be yesterday's never reach it.
  private static let firstWriteback = 16 << 20
  private static let nextWriteback = 4 << 20

  /// The path as the user gave it, or `-`.
  let path: String
  let kind: Kind
  /// Negative once closed.
  private let descriptor: Atomic<Int32>
  private let written = Atomic<Int>(0)
  /// Bytes that the disk was asked to begin with.
  private let begun = Atomic<Int>(0)
  private let finished = Atomic<Bool>(false)
  private let left = Atomic<Bool>(false)

  init(_ kind: Kind, path: String, descriptor: Int32) {
    self.kind = kind
    self.path = path
    self.descriptor = Atomic(descriptor)
  }

  deinit { _ = close() }

  /// Bytes written so far, those of a write that failed half-way included.
  var bytesWritten: Int { written.value }
  /// Whether the writer has said that all is written.
  var isFinished: Bool { finished.load(ordering: .acquiring) }
  /// Whether the reader of this output went away before the end.
  var readerHasLeft: Bool { left.load(ordering: .relaxed) }

  /// Counts what somebody else has written into the file, and says that it is all.
  func takeSize() throws(PipelineError) {
    guard let status = FileStatus(descriptor: descriptor.load(ordering: .relaxed)) else {
      throw PipelineError(sink: .write(path: path, errno: errno))
    }
    written.set(status.size)
    markFinished()
  }

  /// Says that all is written.
  func markFinished() { finished.store(true, ordering: .releasing) }

  /// Writes all bytes; returns false where the reader has gone away, just now or before.
  func write(_ bytes: RawSpan) throws(PipelineError) -> Bool {
    if readerHasLeft { return false }
    let descriptor = descriptor.load(ordering: .relaxed)
    var count = written.value
    let code = bytes.withUnsafeBytes { Self.write($0, to: descriptor, &count) }
    written.set(count)
    if code == 0 {
      if kind == .temporary { beginWriteback(count) }
      return true
    }
    guard code == EPIPE, kind != .temporary else {
      throw PipelineError(sink: .write(path: path, errno: code), at: count)
    }
    left.store(true, ordering: .relaxed)
    return false
  }

  /// Lets the disk work while the rest is made, so that little is left to wait for at the end.
  private func beginWriteback(_ count: Int) {
    let begun = begun.value
    guard count - begun >= (begun == 0 ? Self.firstWriteback : Self.nextWriteback) else { return }
    // The last page is not full yet; pages have up to 64 KiB.
    let end = count & ~0xFFFF
    cposix_begin_writeback(descriptor.load(ordering: .relaxed), begun, end - begun)
    self.begun.set(end)
  }

  /// Returns an error number, or 0.
  private static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ count: inout Int
  ) -> Int32 {
    guard let start = bytes.baseAddress else { return 0 }
    var done = 0
    while done < bytes.count {
      let taken = Glibc.write(descriptor, start + done, bytes.count - done)
      if taken >= 0 {
        done += taken
        count += taken
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Whoever started us made a pipe non-blocking that we share.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
      case let code: return code
      }
    }
    return 0
  }

  /// Closes the descriptor, which may bring the news of a late failure; returns an error number,
  /// or 0. Calling it again does nothing.
  func close() -> Int32 {
    let number = descriptor.exchange(-1, ordering: .relaxed)
    guard number >= 0 else { return 0 }
    // Standard output stays open; closing a copy of it asks for the same news.
    let closing = kind == .standardOutput ? fcntl(number, F_DUPFD_CLOEXEC, 3) : number
    guard closing >= 0, Glibc.close(closing) != 0 else { return 0 }
    // On Linux an interrupted close has closed, and must not be tried again.
    return errno == EINTR ? 0 : errno
  }
}

/// An output of an ``OutputSet`` that is written by its path, not through a writer.
struct ForeignOutput {
  /// Where to write: a temporary file, empty and locked by us.
  let path: String
  /// The output, to read its size once it is complete.
  let output: Output

  /// Says that all is written, and that the file is no longer open elsewhere.
  func finish() throws(PipelineError) { try output.takeSize() }
}
