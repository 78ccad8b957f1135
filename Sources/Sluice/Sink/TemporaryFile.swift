import CSluice
import Glibc

/// Owns the locked temporary file beside a target, from before its first byte until its name is
/// gone.
///
/// Two runs with the same output exclude each other by a lock (`flock`). The run that holds the
/// lock of the file named `.NAME.sluice-tmp` has the output. Opening and locking are two steps, so
/// the name is checked after the lock, and nothing is changed before that check:
///
///     run A                        run B
///     open  .out.sluice-tmp (1)    open  .out.sluice-tmp (1)
///     lock (1), is it still named? yes
///                                  lock (1): held ─▶ "another run", or, a little later:
///     write, rename to out, close
///                                  lock (1): free. Named? No, (1) is `out` by now: open again
///
/// - The lock is held until the name is gone. If A released it earlier, B would empty the very file
///   that A is about to publish.
/// - Only the holder of a file's lock removes or renames its name, and only after a check that the
///   name still means this file.
/// - A leftover of a killed run has no lock. The run that locks it first takes it over. It is not
///   replaced by a new file, because then two runs could keep removing each other's fresh file.
/// - After a kill in the middle of publishing, the leftover can be the old or the new file itself,
///   perhaps with further names. Such a file (more than one link, another owner) is never emptied.
///   Only this name of it is removed.
///
/// The owner calls from one thread at a time. Calls that change the name run in
/// `Signals.deferring`.
final class TemporaryFile: @unchecked Sendable {
  let folder: Folder
  /// The temporary's name in the folder.
  let name: [CChar]
  /// The target's name in the folder.
  let target: [CChar]
  /// Open for reading and writing. Holds the lock.
  let descriptor: Int32
  /// The location of the temporary file itself.
  let place: FileStatus.Place
  /// The file that the temporary's name means now: the temporary file itself, the old file after
  /// the exchange, or nil if it is not ours.
  var named: FileStatus.Place?
  private var registration: OpaquePointer?

  private init(
    _ folder: Folder, _ name: [CChar], _ target: [CChar], _ descriptor: Int32,
    _ place: FileStatus.Place
  ) {
    self.folder = folder
    self.name = name
    self.target = target
    self.descriptor = descriptor
    self.place = place
    self.named = place
    registration = cposix_register(folder.descriptor, name, dev_t(place.device), place.inode)
  }

  deinit { close(descriptor) }

  /// Whether the temporary's name still means the file that we put there.
  var isInPlace: Bool {
    named != nil && FileStatus(folder: folder.descriptor, name: name)?.place == named
  }

  /// Returns the fingerprint of the content. Throws `readBack` with the output's path if it cannot
  /// be read.
  func fingerprint(as path: String) throws(PipelineError) -> Fingerprint {
    var fingerprint = Fingerprint()
    var piece = ByteBuffer(capacity: 64 << 10)
    while true {
      piece.removeAll()
      switch FileDescriptor.read(descriptor, at: fingerprint.length, into: &piece) {
      case .bytes: fingerprint.add(RawSpan(_unsafeBytes: piece.contents))
      case .end: return fingerprint
      case .failed(let error): throw PipelineError(sink: .readBack(path: path, errno: error))
      }
    }
  }

  /// Removes the temporary's name, if it is still ours. Calling it again does nothing.
  func remove() {
    if isInPlace { unlinkat(folder.descriptor, name, 0) }
    named = nil
    if let registration { cposix_unregister(registration) }
    registration = nil
  }

  /// Opens and locks the empty temporary file for `target`.
  ///
  /// `path` is the output's path, for messages. Throws `locked` if another run has the output, and
  /// other ``PipelineError``s if the file cannot be made.
  static func open(
    for target: [CChar], in folder: Folder, path: String
  ) throws(PipelineError) -> TemporaryFile {
    let name =
      Array(".".utf8CString.dropLast()) + target.dropLast() + Array(".sluice-tmp".utf8CString)
    // Every round but the last means that another run came or went just now.
    for _ in 0..<32 {
      let claim = try claim(name, in: folder, path)
      guard let claim else { continue }
      let file = TemporaryFile(folder, name, target, claim.descriptor, claim.place)
      guard file.registration != nil else {
        file.remove()
        throw PipelineError(sink: .create(path: path, errno: ENOMEM))
      }
      // Only if it has bytes. ext4 brings all of an emptied file to the disk when it is closed,
      // even if the file turned out to be yesterday's and is dropped.
      guard claim.size == 0 || ftruncate(file.descriptor, 0) == 0,
        fchmod(file.descriptor, 0o600) == 0
      else {
        let code = errno
        file.remove()
        throw PipelineError(sink: .create(path: path, errno: code))
      }
      return file
    }
    throw PipelineError(sink: .locked(path: path))
  }

  /// Opens, locks and checks the file. Returns nil if the name changed meanwhile, or if it was
  /// removed from a file that must not be emptied.
  private static func claim(
    _ name: [CChar], in folder: Folder, _ path: String
  ) throws(PipelineError) -> (descriptor: Int32, place: FileStatus.Place, size: Int)? {
    // O_NONBLOCK: a FIFO at this name must not block us. It has no effect on regular files.
    let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    let shown = folder.path == "." ? name.text : "\(folder.path)/\(name.text)"
    let inTheWay = PipelineError(sink: .temporaryInTheWay(path: shown))
    var mayEmpty = true
    var isNew = true
    var descriptor = retrying {
      openat(folder.descriptor, name, flags | O_RDWR | O_CREAT | O_EXCL, 0o600)
    }
    if descriptor < 0, errno == EEXIST {
      isNew = false
      descriptor = retrying { openat(folder.descriptor, name, flags | O_RDWR) }
      if descriptor < 0, errno == EACCES {
        // Left by a run that was killed after it had set the mode of a read-only target. It can be
        // locked.
        mayEmpty = false
        descriptor = retrying { openat(folder.descriptor, name, flags | O_RDONLY) }
      }
      if descriptor < 0 {
        switch errno {
        case ENOENT: return nil
        case ELOOP, EISDIR, ENXIO, EACCES, EPERM: throw inTheWay
        case let code: throw PipelineError(sink: .create(path: path, errno: code))
        }
      }
    }
    guard descriptor >= 0 else {
      switch errno {
      case EACCES, EPERM, EROFS:
        throw PipelineError(sink: .folderNotWritable(path: folder.path, errno: errno))
      case let code: throw PipelineError(sink: .create(path: path, errno: code))
      }
    }
    var isTaken = false
    defer { if !isTaken { close(descriptor) } }

    guard retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
      let code = errno
      if code == EWOULDBLOCK { throw PipelineError(sink: .locked(path: path)) }
      // A file system without locks: no other run can hold one.
      if isNew { unlinkat(folder.descriptor, name, 0) }
      throw PipelineError(sink: .create(path: path, errno: code))
    }
    guard let status = FileStatus(descriptor: descriptor),
      FileStatus(folder: folder.descriptor, name: name)?.place == status.place
    else { return nil }
    guard status.isRegular else { throw inTheWay }
    // A new file may be shown with another owner (a network file system), hence `isNew`.
    if mayEmpty, status.links == 1, isNew || status.owner == geteuid() {
      isTaken = true
      return (descriptor, status.place, status.size)
    }
    guard unlinkat(folder.descriptor, name, 0) == 0 else { throw inTheWay }
    return nil
  }
}

/// The destination of an output. Paths that can never become an output are rejected at once.
enum OutputTarget {
  /// A regular file, or one that does not exist yet: a name in a folder, links resolved.
  case file(Folder, name: [CChar])
  /// A device or FIFO, open for writing.
  case direct(Int32)

  /// Resolves the path of an output.
  ///
  /// Throws ``PipelineError`` for a missing folder, a folder as output, a dangling link, a link of
  /// somebody who is not trusted, and a file that the system would not let us replace. A FIFO
  /// blocks here until it has a reader, as everywhere.
  static func resolve(_ path: String) throws(PipelineError) -> OutputTarget {
    let bytes = Array(path.utf8CString)
    // Another run may replace the file between two checks. Then check again.
    for _ in 0..<32 {
      let real = try followLinks(bytes)
      guard let status = FileStatus(path: bytes) else { return try resolveNew(path, bytes, errno) }
      if status.isFolder { throw PipelineError(sink: .isFolder(path: path)) }
      guard status.isRegular else { return .direct(try openDirectly(path, bytes)) }
      if let target = try resolveExisting(path, real, status) { return target }
    }
    throw PipelineError(sink: .changed(path: path))
  }

  /// Finds the file at the path of an output that is changed in place. Nil if there is none.
  ///
  /// Links are followed as for other outputs. Throws ``PipelineError`` if the path leads to
  /// something that is not a regular file.
  static func existingFile(_ path: String) throws(PipelineError) -> PlacedFile? {
    let real = try followLinks(Array(path.utf8CString))
    guard let status = FileStatus(path: real, followingLinks: false) else { return nil }
    if status.isFolder { throw PipelineError(sink: .isFolder(path: path)) }
    guard status.isRegular else { throw PipelineError(sink: .notAFile(path: path)) }
    guard let file = PlacedFile(path: real, place: status.place) else {
      throw PipelineError(sink: .create(path: path, errno: errno))
    }
    return file
  }

  /// Follows the links at the last name of a path. They stay, and two runs with different links to
  /// one file meet at one temporary file.
  ///
  /// A link decides which file is replaced. So it must be of root, of ourselves, or of the owner of
  /// the folder that it is in (as with `fs.protected_symlinks`). Throws `foreignLink` for another.
  static func followLinks(_ path: [CChar]) throws(PipelineError) -> [CChar] {
    var path = path
    // The system's own limit. A path with more links is refused by the next call that uses it.
    for _ in 0..<40 {
      let folder = split(path).folder
      guard let link = Link(path) else { return path }
      let trusted = [0, geteuid(), FileStatus(path: folder)?.owner]
      guard trusted.contains(link.owner) else {
        throw PipelineError(sink: .foreignLink(path: path.text, target: link.target.text))
      }
      let isAbsolute = link.target.first == slash
      path = isAbsolute ? link.target : folder.dropLast() + [slash] + link.target
    }
    return path
  }

  /// Resolves the path of a regular file, whose last name is no link. Returns nil if it was
  /// replaced just now.
  private static func resolveExisting(
    _ path: String, _ real: [CChar], _ status: FileStatus
  ) throws(PipelineError) -> OutputTarget? {
    let (folderPath, name) = split(real)
    let folder = try open(folderPath)
    // `/dev/fd/3` may lead to a file that has lost its name.
    guard let found = FileStatus(folder: folder.descriptor, name: name) else {
      throw PipelineError(sink: .create(path: path, errno: errno))
    }
    guard found.place == status.place else { return nil }
    try checkSticky(path, found, in: folder)
    return .file(folder, name: name)
  }

  private static func resolveNew(
    _ path: String, _ bytes: [CChar], _ code: Int32
  ) throws(PipelineError) -> OutputTarget {
    guard code == ENOENT || code == ENOTDIR else {
      throw PipelineError(sink: .create(path: path, errno: code))
    }
    if let link = FileStatus(path: bytes, followingLinks: false), link.isLink {
      throw PipelineError(sink: .danglingLink(path: path))
    }
    let (folderPath, name) = split(bytes)
    // An empty path, or one that ends in a slash.
    guard bytes.count > 1 else { throw PipelineError(sink: .create(path: path, errno: code)) }
    guard name.count > 1 else { throw PipelineError(sink: .folderMissing(path: path)) }
    return .file(try open(folderPath), name: name)
  }

  static func open(_ path: [CChar]) throws(PipelineError) -> Folder {
    if let folder = Folder(path: path) { return folder }
    switch errno {
    case ENOENT, ENOTDIR: throw PipelineError(sink: .folderMissing(path: path.text))
    case let code: throw PipelineError(sink: .folderNotWritable(path: path.text, errno: code))
    }
  }

  /// Opens a file that is not regular. Rejects a regular file that has just taken its place,
  /// because it would be overwritten in place.
  private static func openDirectly(
    _ path: String, _ bytes: [CChar]
  ) throws(PipelineError) -> Int32 {
    let descriptor = retrying { Glibc.open(bytes, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
    guard descriptor >= 0 else {
      throw PipelineError(sink: .create(path: path, errno: errno))
    }
    guard let status = FileStatus(descriptor: descriptor), !status.isRegular else {
      close(descriptor)
      throw PipelineError(sink: .changed(path: path))
    }
    return descriptor
  }

  /// Rejects early a file that the final rename would reject: in a sticky folder (`/tmp`) a file is
  /// replaced only by its owner, the folder's owner, or root.
  static func checkSticky(
    _ path: String, _ file: FileStatus, in folder: Folder
  ) throws(PipelineError) {
    let user = geteuid()
    guard user != 0, file.owner != user,
      let status = FileStatus(descriptor: folder.descriptor),
      status.permissions & S_ISVTX != 0, status.owner != user
    else { return }
    throw PipelineError(sink: .create(path: path, errno: EPERM))
  }

  static let slash = CChar(bitPattern: UInt8(ascii: "/"))

  /// Splits a path at its last slash into a folder and a name.
  static func split(_ path: [CChar]) -> (folder: [CChar], name: [CChar]) {
    guard let last = path.lastIndex(of: slash) else {
      return ([CChar(bitPattern: UInt8(ascii: ".")), 0], path)
    }
    let folder = last == 0 ? [slash, 0] : path[..<last] + [0]
    return (Array(folder), Array(path[(last + 1)...]))
  }
}
