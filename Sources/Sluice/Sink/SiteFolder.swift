import CSluice
import Glibc

/// A folder that is published as one: made anew beside the old one, then exchanged with it.
///
///     site/              the old folder, in use until the exchange
///     .site.sluice-tmp   an empty file: who holds its lock has the output, as with other outputs
///     .site.sluice-new/  the new folder; after the exchange it is the old one, and is removed
///
/// A file that has the bytes of its predecessor is a link to it. If nothing else is left, the old
/// folder stays. A run that is killed leaves one whole folder under the site's name. The next run
/// removes what is left beside it.
///
/// The folder has at most two levels. What is not named in its marker was not made by a run, and is
/// never removed: the folder is refused.
///
/// The owner calls from one thread at a time.
package final class SiteFolder: @unchecked Sendable {
  /// The name of the file that makes a folder a site. It has a fingerprint of all other files, and
  /// the names at the top: ``SiteMarker``.
  static let marker = ".sluice-site"
  /// The files that are replaced on their own, after the exchange.
  static let statusNames = ["status.js", "status.json"]

  /// A streamed file, with its name.
  private struct Streamed {
    let part: Part
    let name: String
    let output: Output
  }

  /// One of the folders: the site itself, or one in it.
  private final class Part {
    /// Its name in the site with a slash; empty for the site itself.
    let name: String
    /// The new folder.
    let folder: Folder
    /// The old one; nil if there is none.
    let old: Folder?
    /// The files whose bytes are those of the old ones.
    var same: [String] = []

    init(_ name: String, _ folder: Folder, old: Folder?) {
      self.name = name
      self.folder = folder
      self.old = old
    }
  }

  /// The path as the user gave it.
  let path: String
  private let parent: Folder
  /// The name of the site, and that of the new folder, in the parent.
  private let target: [CChar]
  private let work: [CChar]
  private let lock: TemporaryFile
  private let old: Folder?
  /// The number of files and folders that the old folder has, without those that are replaced on
  /// their own and the marker.
  private let oldCount: Int
  /// Whether the old folder is a site, and not only empty.
  let isReplaced: Bool
  private let top: Part
  private var parts: [Part] = []
  private var streamed: [Streamed] = []
  /// Whether any file has other bytes than before, or is new.
  private var isChanged = false
  /// The number of files that stay as they are, and of those written.
  private(set) var linked = 0
  private var written = 0
  /// The number of files, without the marker.
  private(set) var fileCount = 0
  private var content = SetFingerprint()
  private var names: Set<String> = []
  /// The number of bytes in all files.
  private(set) var bytesWritten = 0
  private var piece = ByteBuffer(capacity: 64 << 10)
  private let newMode: mode_t
  private var registration: OpaquePointer?
  /// The folder that the new folder's name means now; nil if there is none.
  private var named: FileStatus.Place?

  /// Opens the site at a path, with every check that is possible before the first byte.
  ///
  /// `umask` is the process's. Throws ``PipelineError`` if the path cannot be a site or another run
  /// is writing it.
  init(path: String, umask: mode_t) throws(PipelineError) {
    let place = try SitePlace(path)
    let lock = try Signals.deferring { () throws(PipelineError) in
      try TemporaryFile.open(for: place.name, in: place.parent, path: path)
    }
    let work = SitePlace.workName(of: place.name)
    var standing: StandingSite?
    let new: Folder
    do throws(PipelineError) {
      standing = try StandingSite(place, path: path)
      try SitePlace.removeLeftover(work, in: place.parent)
      new = try Self.make(work, in: place.parent, path: path)
    } catch {
      Signals.deferring { lock.remove() }
      throw error
    }
    self.path = path
    self.lock = lock
    self.work = work
    parent = place.parent
    target = place.name
    newMode = 0o777 & ~umask
    old = standing?.folder
    oldCount = standing?.count ?? 0
    isReplaced = standing?.isSite ?? false
    top = Part("", new, old: standing?.folder)
    named = new.place
    registration = Signals.deferring {
      cposix_register(parent.descriptor, work, dev_t(new.place.device), new.place.inode)
    }
    do throws(PipelineError) {
      // First of all: it is what says that a leftover may be removed.
      try create(Self.marker, in: top, Array(SiteMarker.firstLine.utf8).span.bytes, rights: nil)
      if old != nil { try SitePlace.checkExchange(in: new, path: path) }
    } catch {
      Signals.deferring { remove() }
      throw error
    }
  }

  private static func make(
    _ name: [CChar], in parent: Folder, path: String
  ) throws(PipelineError) -> Folder {
    guard mkdirat(parent.descriptor, name, 0o700) == 0, let folder = Folder(name, in: parent) else {
      throw PipelineError(sink: .create(path: path, errno: errno))
    }
    return folder
  }

  // MARK: Writing

  /// The files that are written as streams.
  var outputs: [Output] { streamed.map(\.output) }

  /// Opens a file that is written as a stream. Throws if it cannot be made.
  func open(_ name: String) throws(PipelineError) -> Output {
    let part = try part(of: name)
    let descriptor = openat(
      part.folder.descriptor, Self.last(name), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw PipelineError(sink: .create(path: shown(name), errno: errno))
    }
    let output = Output(.temporary, path: shown(name), descriptor: descriptor)
    streamed.append(Streamed(part: part, name: name, output: output))
    fileCount += 1
    return output
  }

  /// Writes a small file, or notes that the old one has the same bytes. The name may have one
  /// folder in it. Throws if the file cannot be written.
  func write(_ name: String, _ bytes: RawSpan) throws(PipelineError) {
    var fingerprint = Fingerprint()
    fingerprint.add(bytes)
    note(name, fingerprint)
    fileCount += 1
    let part = try part(of: name)
    guard let folder = part.old else { return try create(name, in: part, bytes, rights: nil) }
    let descriptor = Self.openOld(name, in: folder)
    defer { if descriptor >= 0 { close(descriptor) } }
    if descriptor >= 0, isSame(descriptor, bytes) {
      part.same.append(name)
      return
    }
    try create(name, in: part, bytes, rights: Self.rights(of: descriptor))
  }

  private func note(_ name: String, _ content: Fingerprint) {
    bytesWritten += content.length
    names.insert(Self.folderName(name) ?? name)
    var entry = ByteBuffer(capacity: 128)
    entry.append(string: "\(name) \(content)")
    self.content.insert(entry)
  }

  private func create(
    _ name: String, in part: Part, _ bytes: RawSpan, rights: FileRights?
  ) throws(PipelineError) {
    let descriptor = openat(
      part.folder.descriptor, Self.last(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw PipelineError(sink: .create(path: shown(name), errno: errno))
    }
    defer { close(descriptor) }
    var count = 0
    let code = bytes.withUnsafeBytes { FileDescriptor.write($0, to: descriptor, &count) }
    guard code == 0 else { throw PipelineError(sink: .write(path: shown(name), errno: code)) }
    if let rights {
      try FileRights.set(rights, newMode: 0, on: descriptor, path: shown(name))
    }
    if name != Self.marker { isChanged = true }
    written += 1
  }

  /// The folder of a name, which is made when it is first used.
  private func part(of name: String) throws(PipelineError) -> Part {
    guard let folder = Self.folderName(name) else { return top }
    if let part = parts.last, part.name == folder { return part }
    if let part = parts.first(where: { $0.name == folder }) { return part }
    let plain = Array(String(folder.dropLast()).utf8CString)
    let part = Part(
      folder, try Self.make(plain, in: top.folder, path: shown(folder)),
      old: old.flatMap { Folder(plain, in: $0) })
    parts.append(part)
    return part
  }

  // MARK: Comparing

  private static func openOld(_ name: String, in folder: Folder) -> Int32 {
    openat(
      folder.descriptor, last(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
  }

  private static func rights(of descriptor: Int32) -> FileRights? {
    guard descriptor >= 0, let status = FileStatus(descriptor: descriptor) else { return nil }
    return FileRights(status: status, descriptor: descriptor)
  }

  /// Whether an open file has these bytes. One that cannot be read has not.
  private func isSame(_ descriptor: Int32, _ bytes: RawSpan) -> Bool {
    piece.removeAll()
    // One byte more shows whether it is longer. So most files need one call.
    piece.reserve(bytes.byteCount + 1)
    while piece.count <= bytes.byteCount {
      switch FileDescriptor.read(descriptor, at: piece.count, into: &piece) {
      case .bytes: continue
      case .end:
        return piece.count == bytes.byteCount
          && bytes.withUnsafeBytes { wanted in
            wanted.baseAddress.map { memcmp(UnsafeRawPointer(piece.start), $0, wanted.count) == 0 }
              ?? true
          }
      case .failed: return false
      }
    }
    return false
  }

  /// Returns the paths of the files in a folder of the old site; none if there is no such folder.
  func standingFiles(in folder: String) -> [String] {
    let inner = old.flatMap { Folder(Array(folder.utf8CString), in: $0) }
    return (inner?.names() ?? []).map { shown("\(folder)/\($0.text)") }.sorted()
  }

  // MARK: Publishing

  /// Completes the new folder and brings it to the disk. Returns false if the old one is the same,
  /// and stays. Called once, after all files are written. Throws if something cannot be written.
  func prepare() throws(PipelineError) -> Bool {
    for file in streamed { try complete(file) }
    let all = [top] + parts
    let same = all.reduce(0) { $0 + $1.same.count }
    linked = same
    guard isChanged || !isReplaced || same + parts.count != oldCount else { return false }
    for part in all { try link(part) }
    try writeMarker()
    try carryStatus()
    for part in all.reversed() { try setRights(part) }
    guard cposix_sync_file_system(parent.descriptor) == 0 else {
      throw PipelineError(sink: .sync(path: path, errno: errno))
    }
    return true
  }

  private func complete(_ file: Streamed) throws(PipelineError) {
    let (output, name, part) = (file.output, file.name, file.part)
    let descriptor = openat(
      part.folder.descriptor, Self.last(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw PipelineError(sink: .changed(path: output.path)) }
    defer { close(descriptor) }
    let found = FileStatus(descriptor: descriptor)?.size ?? -1
    guard found == output.bytesWritten else {
      throw PipelineError(
        sink: .wrongSize(path: output.path, written: output.bytesWritten, found: found))
    }
    let code = output.close()
    guard code == 0 else { throw PipelineError(sink: .close(path: output.path, errno: code)) }
    note(name, try fingerprint(of: descriptor, as: output.path))
    let previous = try part.old.flatMap { (folder) throws(PipelineError) in
      try PreviousFile(at: Self.last(name), in: folder, path: output.path)
    }
    if try previous?.holdsSameBytes(as: descriptor, size: found, path: output.path) == true {
      guard unlinkat(part.folder.descriptor, Self.last(name), 0) == 0 else {
        throw PipelineError(sink: .create(path: output.path, errno: errno))
      }
      part.same.append(name)
      return
    }
    isChanged = true
    written += 1
    if let previous {
      let rights = FileRights(status: previous.status, descriptor: previous.descriptor)
      try FileRights.set(rights, newMode: 0, on: descriptor, path: output.path)
    }
  }

  private func fingerprint(of descriptor: Int32, as path: String) throws(PipelineError)
    -> Fingerprint
  {
    var fingerprint = Fingerprint()
    while true {
      piece.removeAll()
      switch FileDescriptor.read(descriptor, at: fingerprint.length, into: &piece) {
      case .bytes: fingerprint.add(RawSpan(_unsafeBytes: piece.contents))
      case .end: return fingerprint
      case .failed(let code): throw PipelineError(sink: .readBack(path: path, errno: code))
      }
    }
  }

  /// Puts the files of the old folder that have not changed into the new one.
  private func link(_ part: Part) throws(PipelineError) {
    guard let old = part.old else { return }
    for name in part.same { try carry(name, from: old, to: part.folder) }
  }

  private func carry(_ name: String, from old: Folder, to new: Folder) throws(PipelineError) {
    let last = Self.last(name)
    if linkat(old.descriptor, last, new.descriptor, last, 0) == 0 { return }
    // Too many links, a file system without links, or a file that is not ours to link.
    guard [EPERM, EACCES, EMLINK, EOPNOTSUPP, ENOSYS].contains(errno) else {
      throw PipelineError(sink: .create(path: shown(name), errno: errno))
    }
    let descriptor = Self.openOld(name, in: old)
    guard descriptor >= 0 else {
      throw PipelineError(sink: .create(path: shown(name), errno: errno))
    }
    defer { close(descriptor) }
    piece.removeAll()
    reading: while true {
      piece.reserve(64 << 10)
      switch FileDescriptor.read(descriptor, at: piece.count, into: &piece) {
      case .bytes: continue
      case .end: break reading
      case .failed(let code):
        throw PipelineError(sink: .readBack(path: shown(name), errno: code))
      }
    }
    let copy = openat(new.descriptor, last, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard copy >= 0 else { throw PipelineError(sink: .create(path: shown(name), errno: errno)) }
    defer { close(copy) }
    var count = 0
    let code = FileDescriptor.write(piece.contents, to: copy, &count)
    guard code == 0 else { throw PipelineError(sink: .write(path: shown(name), errno: code)) }
    try FileRights.set(Self.rights(of: descriptor), newMode: 0o600, on: copy, path: shown(name))
  }

  private func writeMarker() throws(PipelineError) {
    let descriptor = openat(
      top.folder.descriptor, Self.last(Self.marker), O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC)
    let shown = shown(Self.marker)
    guard descriptor >= 0 else { throw PipelineError(sink: .create(path: shown, errno: errno)) }
    defer { close(descriptor) }
    var count = 0
    let code = markerText.utf8Span.span.bytes.withUnsafeBytes {
      FileDescriptor.write($0, to: descriptor, &count)
    }
    guard code == 0 else { throw PipelineError(sink: .write(path: shown, errno: code)) }
    guard let old else { return }
    let previous = Self.openOld(Self.marker, in: old)
    guard previous >= 0 else { return }
    defer { close(previous) }
    if let rights = Self.rights(of: previous) {
      try FileRights.set(rights, newMode: 0, on: descriptor, path: shown)
    }
  }

  private var markerText: String { SiteMarker.text(content: "\(content)", names: names.sorted()) }

  /// The path of the marker, and the fingerprint of its new content: it says whether the site
  /// stands.
  var evidence: (path: String, content: Fingerprint) {
    (evidencePath, Fingerprint(of: markerText))
  }

  /// The path of the marker.
  var evidencePath: String { shown(Self.marker) }

  /// Takes over the status files that stand, unless the run has written its own.
  private func carryStatus() throws(PipelineError) {
    guard let old else { return }
    for name in Self.statusNames where !names.contains(name) {
      let status = FileStatus(folder: old.descriptor, name: Self.last(name))
      if status?.isRegular == true { try carry(name, from: old, to: top.folder) }
    }
  }

  private func setRights(_ part: Part) throws(PipelineError) {
    let rights = part.old.flatMap { old in
      FileStatus(descriptor: old.descriptor).map {
        FileRights(status: $0, descriptor: old.descriptor)
      }
    }
    try FileRights.set(
      rights, newMode: newMode, on: part.folder.descriptor, path: shown(part.name))
  }

  /// Puts the new folder in the place of the old one. Must run in `Signals.deferring`, after
  /// ``prepare()``. Throws if that fails. The old folder stays then.
  func publish() throws(PipelineError) {
    let folder = parent.descriptor
    guard isInPlace,
      FileStatus(folder: folder, name: target)?.place == old?.place
    else { throw PipelineError(sink: .changed(path: path)) }
    guard let old else {
      guard cposix_rename_new(folder, work, target) == 0 else {
        throw PipelineError(
          sink: errno == EEXIST ? .changed(path: path) : .rename(path: path, errno: errno))
      }
      named = nil
      return
    }
    guard cposix_rename_exchange(folder, work, target) == 0 else {
      throw PipelineError(sink: .rename(path: path, errno: errno))
    }
    named = old.place
    guard !isInPlace else { return }
    // Another program put another folder there at that very moment. It goes back.
    guard cposix_rename_exchange(folder, work, target) == 0 else {
      throw PipelineError(sink: .notPutBack(path: path, errno: errno))
    }
    named = top.folder.place
    throw PipelineError(sink: .changed(path: path))
  }

  /// Puts the old folder back after ``publish()``. Returns an error number, or 0.
  func undo() -> Int32 {
    guard let old else {
      guard cposix_rename_new(parent.descriptor, target, work) == 0 else { return errno }
      named = top.folder.place
      return 0
    }
    guard named == old.place else { return 0 }
    guard cposix_rename_exchange(parent.descriptor, work, target) == 0 else { return errno }
    named = top.folder.place
    return 0
  }

  /// The folder with the site's name.
  var container: Folder { parent }

  private var isInPlace: Bool {
    named != nil && FileStatus(folder: parent.descriptor, name: work)?.place == named
  }

  /// Removes the folder that the run leaves, the new or the old one, and gives the output free.
  /// Must run in `Signals.deferring`. Calling it again does nothing.
  func remove() {
    for file in streamed { _ = file.output.close() }
    if isInPlace { _ = cposix_remove_tree(parent.descriptor, work) }
    named = nil
    if let registration { cposix_unregister(registration) }
    registration = nil
    lock.remove()
  }

  // MARK: Names

  private func shown(_ name: String) -> String { SitePlace.shown(name, in: path) }

  private static func last(_ name: String) -> [CChar] {
    let slash = name.utf8.lastIndex(of: UInt8(ascii: "/"))
    return Array(
      String(name[(slash.map(name.utf8.index(after:)) ?? name.startIndex)...]).utf8CString)
  }

  /// The folder of a name, with its slash; nil if it has none.
  private static func folderName(_ name: String) -> String? {
    name.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(name[...$0]) }
  }
}
