import CSluice
import Glibc

/// The status of a file, as the system reports it.
///
/// Paths and names are C strings, including the NUL: a name on disk need not be UTF-8.
package struct FileStatus: Sendable {
  /// The location of a file: device and inode. It is equal for two names of one file.
  package struct Place: Hashable, Sendable {
    let device: UInt
    let inode: UInt
  }

  private let status: stat

  /// Reads the status of the file at a path. Nil with `errno` set if that fails.
  package init?(path: [CChar], followingLinks: Bool = true) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.status = status
  }

  /// Reads the status of a name in an open folder. Does not follow a link. Nil with `errno` set if
  /// that fails.
  package init?(folder: Int32, name: [CChar]) {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    self.status = status
  }

  /// Reads the status of an open file. Nil with `errno` set if that fails.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.status = status
  }

  private var type: mode_t { status.st_mode & S_IFMT }

  package var place: Place { Place(device: UInt(status.st_dev), inode: UInt(status.st_ino)) }
  package var isRegular: Bool { type == S_IFREG }
  package var isFolder: Bool { type == S_IFDIR }
  var isLink: Bool { type == S_IFLNK }
  /// Whether it is a device for many users at once (a terminal, `/dev/null`), or a socket.
  var isShared: Bool { type == S_IFCHR || type == S_IFSOCK }
  /// The permission bits, with set-id and sticky.
  package var permissions: mode_t { status.st_mode & 0o7777 }
  package var owner: uid_t { status.st_uid }
  var group: gid_t { status.st_gid }
  var links: UInt { UInt(status.st_nlink) }
  package var size: Int { Int(status.st_size) }
  /// The time of the last change of its content, in seconds since 1970.
  package var modified: Int { Int(status.st_mtim.tv_sec) }
}

/// A symbolic link, read in one piece: its owner is that of this target.
struct Link {
  let owner: uid_t
  /// The path that it leads to, as it is written in the link.
  let target: [CChar]

  /// Reads the link at a path. Nil if there is none, or if it cannot be read.
  init?(_ path: [CChar]) {
    let descriptor = cposix_open_link(path)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let status = FileStatus(descriptor: descriptor), status.isLink else { return nil }
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(descriptor, "", &target, target.count - 1)
    guard count > 0 else { return nil }
    self.target = target.prefix(count) + [0]
    owner = status.owner
  }
}

/// A regular file that other code is to open by its path, as SQLite does.
struct PlacedFile {
  /// The absolute path, without links, that led to the file a moment ago.
  let path: [CChar]
  /// The location of the file. After the path was opened, ``FileStatus/Place/openDescriptors`` of
  /// it must have grown. Otherwise somebody put another file there meanwhile.
  let place: FileStatus.Place

  /// Makes it for the file at a path that ends in no link. Nil with `errno` set if the path cannot
  /// be resolved.
  init?(path: [CChar], place: FileStatus.Place) {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    self.path = Array(UnsafeBufferPointer(start: real, count: strlen(real) + 1))
    self.place = place
  }
}

extension FileStatus.Place {
  /// The number of this process's open descriptors that mean this file.
  var openDescriptors: Int {
    // The system gives the lowest free number, so the one that was opened last is not far up.
    (0..<Int32(clamping: min(sysconf(Int32(_SC_OPEN_MAX)), 4096))).count {
      FileStatus(descriptor: $0)?.place == self
    }
  }
}

/// The identity of a file. It shows whether two names or descriptors mean the same file, so that no
/// run writes one file twice or overwrites its own input.
///
/// An existing file is identified by its device and inode. A file that does not exist yet is
/// identified by its folder and its name. Terminals, `/dev/null` and sockets have no identity: they
/// may be used several times in one run.
package struct FileIdentity: Hashable, Sendable {
  private let place: FileStatus.Place
  /// The name in the folder at `place` if the file does not exist yet, otherwise nil.
  private let name: [CChar]?

  /// Identifies the file at a path, or the file that would be made there.
  ///
  /// Nil if the file has no identity, or if the path cannot be an output at all (no such folder, a
  /// dangling link). The code that opens it reports the reason.
  package init?(path: String) {
    let bytes = Array(path.utf8CString)
    if let status = FileStatus(path: bytes) {
      guard !status.isShared else { return nil }
      self.init(place: status.place, name: nil)
      return
    }
    let (folder, name) = OutputTarget.split(bytes)
    guard FileStatus(path: bytes, followingLinks: false) == nil, name.count > 1,
      let status = FileStatus(path: folder)
    else { return nil }
    self.init(place: status.place, name: name)
  }

  /// Identifies an open file, such as standard input. Nil if it has no identity.
  package init?(descriptor: Int32) {
    guard let status = FileStatus(descriptor: descriptor), !status.isShared else { return nil }
    self.init(place: status.place, name: nil)
  }

  private init(place: FileStatus.Place, name: [CChar]?) {
    self.place = place
    self.name = name
  }
}

/// Owns an open folder. Names in it are made, renamed and removed.
///
/// Every step goes through the descriptor. So it takes place in the folder that was checked, even
/// if the folder is renamed meanwhile.
package final class Folder: Sendable {
  let descriptor: Int32
  /// The location of the folder, so that each is synced once.
  let place: FileStatus.Place
  /// The path that was used to open it, for messages.
  let path: String
  /// False for a folder that may be written and searched but not read: it cannot be synced.
  private let canSync: Bool

  /// Opens a folder. Nil with `errno` set if that fails.
  package convenience init?(path: [CChar]) {
    var canSync = true
    var descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0, errno == EACCES {
      canSync = false
      descriptor = cposix_open_unread_folder(path)
    }
    self.init(descriptor, path: path.text, canSync: canSync)
  }

  deinit { close(descriptor) }

  /// Opens a folder in this one, which must not be a link. Nil with `errno` set if that fails.
  convenience init?(_ name: [CChar], in folder: Folder) {
    let descriptor = retrying {
      openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    self.init(descriptor, path: "\(folder.path)/\(name.text)", canSync: true)
  }

  /// Owns a descriptor, which is negative if opening failed. Nil with `errno` set then.
  private init?(_ descriptor: Int32, path: String, canSync: Bool) {
    guard descriptor >= 0 else { return nil }
    guard let status = FileStatus(descriptor: descriptor) else {
      let code = errno
      close(descriptor)
      errno = code
      return nil
    }
    self.descriptor = descriptor
    place = status.place
    self.path = path
    self.canSync = canSync
  }

  /// Returns all names in the folder, as C strings in no order. Nil with `errno` set if it cannot
  /// be read.
  func names() -> [[CChar]]? {
    // A descriptor of its own: the position in the folder is that of the descriptor.
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else {
      let code = errno
      if copy >= 0 { close(copy) }
      errno = code
      return nil
    }
    return Self.names(of: stream)
  }

  /// Returns the names in the folder at a path, hidden ones included. Nil with `errno` set if it
  /// cannot be read.
  package static func names(in path: String) -> [String]? {
    opendir(path).flatMap(names(of:))?.map(\.text)
  }

  /// Returns the names in an open folder; none if it cannot be read.
  static func names(in folder: Int32) -> [String] {
    let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    return copy < 0 ? [] : fdopendir(copy).flatMap(names(of:))?.map(\.text) ?? []
  }

  /// Reads the names and closes the stream. Nil with `errno` set if one cannot be read.
  private static func names(of stream: OpaquePointer) -> [[CChar]]? {
    defer { closedir(stream) }
    var names: [[CChar]] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
      }
      if name.text != ".", name.text != ".." { names.append(name) }
    }
    return errno == 0 ? names : nil
  }

  /// Syncs the folder's names to the disk. Returns an error number, or 0.
  package func sync() -> Int32 {
    guard canSync, retrying({ fsync(descriptor) }) != 0 else { return 0 }
    // Some file systems cannot sync folders. Then there is nothing to do.
    return errno == EINVAL || errno == EOPNOTSUPP || errno == ENOSYS ? 0 : errno
  }
}

extension [CChar] {
  /// The C string as text, for messages only.
  var text: String {
    String(decoding: prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// Sets how a process that writes outputs reacts to signals.
package enum Signals {
  /// Makes TERM, INT and HUP remove the temporary files and then end the process by that signal.
  /// Ignores SIGPIPE and SIGXFSZ, so that a write fails with an error number instead.
  ///
  /// A signal that was ignored when the program started (`nohup`) stays ignored. The program calls
  /// this once, before any output is opened. A library must not call it.
  package static func install() {
    cposix_install_signals()
  }

  /// Runs `body` with SIGPIPE blocked in this thread and in the threads that it starts. A write to
  /// a reader that has gone away then fails with an error number. A SIGPIPE that came meanwhile is
  /// dropped.
  static func withoutPipe<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var pipe = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    var pending = sigset_t()
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    defer {
      var now = timespec()
      if !wasPending { while sigtimedwait(&pipe, nil, &now) == SIGPIPE {} }
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try body()
  }

  /// Runs `body` and delays TERM, INT and HUP until it is done, on whatever thread they arrive.
  ///
  /// The list of temporary files and their names change only in such a section. Sections do not
  /// nest.
  static func deferring<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    cposix_guard_enter()
    defer { cposix_guard_leave() }
    return try body()
  }
}

/// Protects the descriptors 0, 1 and 2.
package enum StandardDescriptors {
  /// Fills those that were closed at the start (`>&-`), so that no file opened later becomes
  /// standard output by accident. Using them still fails with EBADF. Called once, before anything
  /// else.
  package static func reserve() {
    cposix_reserve_standard_descriptors()
  }
}
