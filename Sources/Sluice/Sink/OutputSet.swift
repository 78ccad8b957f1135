import CSluice
import Glibc
import Synchronization

/// Holds the outputs of one run that are published together: all of them, or none.
///
/// Open them all, let every writer finish, then call ``commit()``. Anything else, including the
/// destruction of the set, leaves the old files unchanged and no temporary file. A run may have
/// several sets: one for data, and one for diagnostics, which are kept even if the data fails.
/// Open, commit and abandon must not be called in the middle of a write.
package final class OutputSet: Sendable {
  private struct Entry: Sendable {
    let output: Output
    /// Nil if the bytes go directly to their destination.
    let temporary: TemporaryFile?
  }

  /// The files, and the folders that are published as one.
  private struct Contents: Sendable {
    var entries: [Entry] = []
    var sites: [SiteFolder] = []
  }

  /// What is to be renamed.
  private struct Changes: Sendable {
    var files: [Publication.Change] = []
    var sites: [SiteFolder] = []
  }

  private enum State: Sendable {
    case open(Contents)
    /// Every file is complete and on the disk. Some of them are to be renamed.
    case prepared(Contents, Changes)
    case ended
  }

  private let state = Mutex(State.open(Contents()))
  /// The number of outputs that may still have a reader.
  private let live = Atomic<Int>(0)
  private let endsWithItsReaders: Bool
  /// The mode 0666 without the umask. Read early: see `cposix_umask`.
  private let modeOfNewFiles = 0o666 & ~cposix_umask()

  /// Makes an empty set.
  ///
  /// A set that does not end with its readers never throws `noReaderLeft`: diagnostics without a
  /// reader are no reason to stop a run.
  package init(endsWithItsReaders: Bool = true) {
    self.endsWithItsReaders = endsWithItsReaders
  }

  deinit { abandon() }

  /// Opens an output, with every check that is possible before the first byte. Throws
  /// ``PipelineError`` if the path cannot be an output or another run is writing it.
  ///
  /// A regular file, existing or new, is written to a locked temporary file beside it. Anything
  /// else (`/dev/null`, a FIFO) is written directly.
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

  /// Opens an output that other code writes, at the path of the result. ``ForeignOutput/finish()``
  /// marks it as complete. Throws `notAFile` if it is not a regular file.
  func openForeign(path: String) throws(PipelineError) -> ForeignOutput {
    let writer = try open(path: path)
    guard let temporary = temporary(of: writer.output) else {
      throw PipelineError(sink: .notAFile(path: path))
    }
    let slash = CChar(bitPattern: UInt8(ascii: "/"))
    let name = temporary.folder.path.utf8CString.dropLast() + [slash] + temporary.name
    guard let file = PlacedFile(path: Array(name), place: temporary.place) else {
      throw PipelineError(sink: .create(path: path, errno: errno))
    }
    return ForeignOutput(file: file, output: writer.output)
  }

  /// Opens a folder that is published as one, with every check that is possible before the first
  /// byte. Throws ``PipelineError`` if the path cannot be a site or another run is writing it.
  package func openSite(path: String) throws(PipelineError) -> SiteFolder {
    let site = try SiteFolder(path: path, umask: cposix_umask())
    change { $0.sites.append(site) }
    return site
  }

  /// Whether the folder at a path is a site.
  package static func isSite(_ path: String) -> Bool {
    FileStatus(path: Array("\(path)\(SiteFolder.marker)".utf8CString))?.isRegular == true
  }

  /// Opens a file of a site that is written as a stream. Throws if it cannot be made.
  func open(_ name: String, in site: SiteFolder) throws(PipelineError) -> OutputWriter {
    let output = try site.open(name)
    live.add(1, ordering: .relaxed)
    return OutputWriter(output, of: self)
  }

  private func temporary(of output: Output) -> TemporaryFile? {
    state.withLock { state in
      guard case .open(let contents) = state else { return nil }
      return contents.entries.first { $0.output === output }?.temporary
    }
  }

  /// Makes standard output an output. Bytes that are written there cannot be taken back.
  func openStandardOutput() -> OutputWriter {
    add(Output(.standardOutput, path: "-", descriptor: STDOUT_FILENO), nil)
  }

  private func add(_ output: Output, _ temporary: TemporaryFile?) -> OutputWriter {
    live.add(1, ordering: .relaxed)
    change { $0.entries.append(Entry(output: output, temporary: temporary)) }
    return OutputWriter(output, of: self)
  }

  private func change(_ body: (inout Contents) -> Void) {
    state.withLock { state in
      guard case .open(var contents) = state else { preconditionFailure("the set has ended") }
      body(&contents)
      state = .open(contents)
    }
  }

  /// Notes that the reader of an output has gone away. Throws `noReaderLeft` if it was the last
  /// one.
  func readerLeft() throws(PipelineError) {
    let rest = live.subtract(1, ordering: .relaxed).newValue
    if rest == 0, endsWithItsReaders { throw PipelineError(sink: .noReaderLeft) }
  }

  /// Removes the temporary file that a killed run left beside an output. One that another run holds
  /// stays.
  static func sweep(_ path: String) {
    if path.hasSuffix("/") { return SitePlace.sweep(path) }
    // A device or a FIFO has none, and opening it could block.
    guard FileStatus(path: Array(path.utf8CString))?.isRegular != false else { return }
    let set = OutputSet(endsWithItsReaders: false)
    do throws(PipelineError) {
      _ = try set.open(path: path)
    } catch {
      // It cannot be an output: nobody has left anything there.
    }
    set.abandon()
  }

  /// Publishes all outputs, or throws ``PipelineError`` and publishes none. The set ends here in
  /// either case.
  package func commit() throws(PipelineError) {
    try prepare()
    try publish()
  }

  /// Does everything but the renames. After a throw the set has ended.
  ///
  /// Every writer must have finished. The size of each file is checked against the bytes written.
  /// If it equals the old file, that one stays, with its mtime. Otherwise it takes
  /// over the old file's rights, and is synced and closed. A file whose sync failed is dropped and
  /// never tried again, because its pages may be lost.
  package func prepare() throws(PipelineError) {
    guard let (contents, _) = end() else { preconditionFailure("the set has ended") }
    var changes = Changes()
    do throws(PipelineError) {
      // Before any work: incomplete content must never pass for the whole.
      for output in contents.entries.map(\.output) + contents.sites.flatMap(\.outputs)
      where !output.isFinished {
        throw PipelineError(sink: .unfinished(path: output.path))
      }
      for entry in contents.entries {
        if let change = try prepare(entry) { changes.files.append(change) }
      }
      for site in contents.sites where try site.prepare() { changes.sites.append(site) }
    } catch {
      Self.drop(contents)
      throw error
    }
    state.withLock { $0 = .prepared(contents, changes) }
  }

  /// Keeps the files and sites that exist as they are, so that only new ones are published: if
  /// `always` is true, or if one of the outputs in `emptied` or of the sites in `emptiedSites`
  /// would change. Returns the paths of those that would have changed. Called between ``prepare()``
  /// and ``publish()``.
  func keepFiles(
    always: Bool, ifChanged emptied: [Output], _ emptiedSites: [SiteFolder]
  ) -> [String] {
    state.withLock { state in
      guard case .prepared(let contents, var changes) = state else { return [] }
      let files = changes.files.filter { $0.previous != nil }
      let sites = changes.sites.filter(\.isReplaced)
      guard
        always
          || files.contains(where: { change in
            contents.entries.contains { entry in
              entry.temporary === change.temporary && emptied.contains { $0 === entry.output }
            }
          }) || sites.contains(where: { site in emptiedSites.contains { $0 === site } })
      else { return [] }
      changes.files.removeAll { $0.previous != nil }
      changes.sites.removeAll(where: \.isReplaced)
      state = .prepared(contents, changes)
      return files.map(\.path) + sites.map(\.path)
    }
  }

  /// Leaves these files and sites as they are if they exist. Returns the paths of those that would
  /// have changed. Called after ``prepare()``.
  func keepFiles(of emptied: [Output], _ emptiedSites: [SiteFolder]) -> [String] {
    state.withLock { state in
      guard case .prepared(let contents, var changes) = state else { return [] }
      let files = changes.files.filter { change in
        change.previous != nil
          && contents.entries.contains { entry in
            entry.temporary === change.temporary && emptied.contains { $0 === entry.output }
          }
      }
      let sites = changes.sites.filter { site in
        site.isReplaced && emptiedSites.contains { $0 === site }
      }
      changes.files.removeAll { change in files.contains { $0.temporary === change.temporary } }
      changes.sites.removeAll { site in sites.contains { $0 === site } }
      state = .prepared(contents, changes)
      return files.map(\.path) + sites.map(\.path)
    }
  }

  /// Renames all files and sites into place and syncs their folders, or throws and leaves the old
  /// ones. Called once after ``prepare()``. The set ends here in either case.
  package func publish() throws(PipelineError) {
    guard let (contents, changes) = end() else { preconditionFailure("the set has ended") }
    try Signals.deferring { () throws(PipelineError) in
      defer {
        // Holds the old files' locks until the temporary names, which they had meanwhile, are gone.
        withExtendedLifetime(changes) {
          for entry in contents.entries { entry.temporary?.remove() }
          for site in contents.sites { site.remove() }
        }
      }
      try Publication.publish(changes.files, changes.sites)
    }
  }

  /// Closes all outputs and removes their temporary files. Calling it again, or after
  /// ``commit()``, does nothing.
  package func abandon() {
    if let (contents, _) = end() { Self.drop(contents) }
  }

  private func end() -> (contents: Contents, changes: Changes)? {
    state.withLock { state in
      defer { state = .ended }
      return switch state {
      case .open(let contents): (contents, Changes())
      case .prepared(let contents, let changes): (contents, changes)
      case .ended: nil
      }
    }
  }

  private static func drop(_ contents: Contents) {
    for entry in contents.entries { _ = entry.output.close() }
    Signals.deferring {
      for entry in contents.entries { entry.temporary?.remove() }
      for site in contents.sites { site.remove() }
    }
  }

  /// Returns the fingerprint of each output's new content. An output without a temporary file has
  /// none; that of a site is the one of its marker. Called between ``prepare()`` and ``publish()``.
  /// Throws if a file cannot be read.
  package func fingerprints() throws(PipelineError) -> [(path: String, content: Fingerprint)] {
    let contents = state.withLock { state in
      if case .prepared(let contents, _) = state { contents } else { Contents() }
    }
    var found: [(path: String, content: Fingerprint)] = []
    for entry in contents.entries {
      guard let temporary = entry.temporary else { continue }
      found.append((entry.output.path, try temporary.fingerprint(as: entry.output.path)))
    }
    return found + contents.sites.map(\.evidence)
  }

  /// Prepares one output. Returns nil if there is nothing to publish.
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

    try temporary.takeRights(of: previous, newMode: modeOfNewFiles, path: path)
    guard retrying({ fsync(temporary.descriptor) }) == 0 else {
      throw PipelineError(sink: .sync(path: path, errno: errno))
    }
    let code = output.close()
    guard code == 0 else { throw PipelineError(sink: .close(path: path, errno: code)) }
    return Publication.Change(path: path, temporary: temporary, previous: previous)
  }
}

/// Writes one output of an ``OutputSet``.
///
/// Each chunk goes to the system as it comes, so callers collect whole pages, 64 KiB and more. Only
/// what a terminal gets is changed: see ``TerminalText``. If
/// the reader goes away, the rest is accepted and dropped, because the other outputs continue. If
/// no output of the set has a reader any more, the write throws `noReaderLeft`. ``finish()`` marks
/// the content as complete. It publishes nothing: ``OutputSet/commit()`` does.
package struct OutputWriter: ByteStage, ~Copyable {
  private let set: OutputSet
  /// The output. Its counts can be read after the writer is used up.
  let output: Output
  /// Set if the output is a terminal.
  private var terminal: TerminalText?

  init(_ output: Output, of set: OutputSet) {
    self.output = output
    self.set = set
    terminal = output.isTerminal ? TerminalText() : nil
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    if let shown = terminal?.shown(bytes) {
      try put(shown.span.bytes)
    } else {
      try put(bytes)
    }
  }

  private func put(_ bytes: RawSpan) throws(PipelineError) {
    if output.readerHasLeft { return }
    if try !output.write(bytes) { try set.readerLeft() }
  }

  package consuming func finish() throws(PipelineError) {
    if let end = terminal?.end() { try put(end.span.bytes) }
    output.markFinished()
  }
}

/// Owns the descriptor of one output and counts the bytes written to it.
///
/// One thread writes. Any thread may read the counts at any time, also after a failure.
final class Output: Sendable {
  /// The destination of the bytes.
  enum Kind: Sendable {
    /// A temporary file that is renamed later.
    case temporary
    /// A device or FIFO, written at once.
    case direct
    /// Standard output. Its descriptor is not ours to close.
    case standardOutput
  }

  /// The bytes of a file that come together before the disk is asked to begin to write: the first
  /// time, and each time after. A city's outputs are smaller. If they turn out to be yesterday's,
  /// they never reach the disk.
  private static let firstWriteback = 16 << 20
  private static let nextWriteback = 4 << 20

  /// The path as the user gave it, or `-`.
  let path: String
  let kind: Kind
  /// Negative after it is closed.
  private let descriptor: Atomic<Int32>
  private let written = Atomic<Int>(0)
  /// The number of bytes that the disk was asked to begin with.
  private let begun = Atomic<Int>(0)
  private let finished = Atomic<Bool>(false)
  private let left = Atomic<Bool>(false)

  init(_ kind: Kind, path: String, descriptor: Int32) {
    self.kind = kind
    self.path = path
    self.descriptor = Atomic(descriptor)
  }

  deinit { _ = close() }

  /// Whether people read the bytes directly.
  var isTerminal: Bool { kind != .temporary && isatty(descriptor.load(ordering: .relaxed)) == 1 }
  /// The number of bytes written so far, including those of a write that failed half-way.
  var bytesWritten: Int { written.value }
  /// Whether the writer has reported the end of the content.
  var isFinished: Bool { finished.load(ordering: .acquiring) }
  /// Whether the reader of this output went away before the end.
  var readerHasLeft: Bool { left.load(ordering: .relaxed) }

  /// Counts the bytes that other code has written into the file, and marks the content as complete.
  func takeSize() throws(PipelineError) {
    guard let status = FileStatus(descriptor: descriptor.load(ordering: .relaxed)) else {
      throw PipelineError(sink: .write(path: path, errno: errno))
    }
    written.set(status.size)
    markFinished()
  }

  /// Marks the content as complete.
  func markFinished() { finished.store(true, ordering: .releasing) }

  /// Writes all bytes. Returns false if the reader has gone away, just now or before. Throws
  /// ``PipelineError`` with the offset if the write fails.
  func write(_ bytes: RawSpan) throws(PipelineError) -> Bool {
    if readerHasLeft { return false }
    let descriptor = descriptor.load(ordering: .relaxed)
    var count = written.value
    let code = bytes.withUnsafeBytes { FileDescriptor.write($0, to: descriptor, &count) }
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

  /// Lets the disk work while the rest is made, so that the wait at the end is short.
  private func beginWriteback(_ count: Int) {
    let begun = begun.value
    guard count - begun >= (begun == 0 ? Self.firstWriteback : Self.nextWriteback) else { return }
    // The last page is not full yet. Pages have up to 64 KiB.
    let end = count & ~0xFFFF
    cposix_begin_writeback(descriptor.load(ordering: .relaxed), begun, end - begun)
    self.begun.set(end)
  }

  /// Closes the descriptor, which may report a late failure. Returns an error number, or 0. Calling
  /// it again does nothing.
  func close() -> Int32 {
    let number = descriptor.exchange(-1, ordering: .relaxed)
    guard number >= 0 else { return 0 }
    // Standard output stays open. Closing a copy of it reports the same failures.
    let closing = kind == .standardOutput ? fcntl(number, F_DUPFD_CLOEXEC, 3) : number
    guard closing >= 0, Glibc.close(closing) != 0 else { return 0 }
    // On Linux, an interrupted close has closed the descriptor. It must not be tried again.
    return errno == EINTR ? 0 : errno
  }
}

/// An output of an ``OutputSet`` that is written by its path, not through a writer.
struct ForeignOutput {
  /// The temporary file to write. It is empty and locked by us.
  let file: PlacedFile
  /// The output. Its size can be read once it is complete.
  let output: Output

  /// Marks the content as complete. The file must no longer be open elsewhere. Throws
  /// ``PipelineError`` if its size cannot be read.
  func finish() throws(PipelineError) { try output.takeSize() }
}
