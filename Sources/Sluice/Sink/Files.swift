import CSluice
import Glibc

/// Tells what the system knows about a file.
///
/// Paths and names are C strings, NUL included: a name on disk need not be UTF-8.
package struct FileStatus {
  /// Where a file lives: equal for two names of one file.
  package struct Place: Hashable, Sendable {
    let device: UInt
    let inode: UInt
  }

  private let status: stat

  /// Looks at what a path names. Nil with `errno` set where that fails.
  package init?(path: [CChar], followingLinks: Bool = true) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.status = status
  }

  /// Looks at a name in an open folder; a link is not followed. Nil with `errno` set otherwise.
  package init?(folder: Int32, name: [CChar]) {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    self.status = status
  }

  /// Looks at an open file. Nil with `errno` set where that fails.
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
  /// A device that may be used by many at once (a terminal, `/dev/null`), or a socket.
  var isShared: Bool { type == S_IFCHR || type == S_IFSOCK }
  /// The permission bits, with set-id and sticky.
  var permissions: mode_t { status.st_mode & 0o7777 }
  var owner: uid_t { status.st_uid }
  var group: gid_t { status.st_gid }
  var links: UInt { UInt(status.st_nlink) }
  package var size: Int { Int(status.st_size) }
  /// When its content was changed last, in seconds since 1970.
  package var modified: Int { Int(status.st_mtim.tv_sec) }
}

/// Says whether two names or descriptors mean the same file, so that no run writes one file twice
/// or over its own input.
///
/// A file that exists is known by its device and inode, one that is still to be made by its
/// folder's and its name. Terminals, `/dev/null` and sockets have no identity: they may be used
/// several times in one run.
public struct FileIdentity: Hashable, Sendable {
  private let place: FileStatus.Place
  /// The name in the folder at `place`, for a file that is still to be made.
  private let name: [CChar]?

  /// Identifies what a path names, or would name once it is made.
  ///
  /// Nil where there is no identity, and where the path cannot be an output at all (no such
  /// folder, a dangling link): what opens it says why.
  public init?(path: String) {
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

  /// Identifies an open file, such as standard input.
  public init?(descriptor: Int32) {
    guard let status = FileStatus(descriptor: descriptor), !status.isShared else { return nil }
    self.init(place: status.place, name: nil)
  }

  private init(place: FileStatus.Place, name: [CChar]?) {
    self.place = place
    self.name = name
  }
}

/// Owns an open folder, in which names are made, renamed and removed.
///
/// Working through a descriptor keeps every step in the folder that was checked, even if it is
/// itself renamed meanwhile.
final class Folder: Sendable {
  let descriptor: Int32
  /// Where the folder lives, so that each is synced once.
  let place: FileStatus.Place
  /// The path it was opened by, for messages.
  let path: String
  /// False for a folder that may be written and searched but not read: it cannot be synced.
  private let canSync: Bool

  /// Opens a folder, or returns nil with `errno` set.
  package init?(path: [CChar]) {
    var canSync = true
    var descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0, errno == EACCES {
      canSync = false
      descriptor = cposix_open_unread_folder(path)
    }
    guard descriptor >= 0 else { return nil }
    guard let status = FileStatus(descriptor: descriptor) else {
      let code = errno
      close(descriptor)
      errno = code
      return nil
    }
    self.descriptor = descriptor
    self.place = status.place
    self.path = path.text
    self.canSync = canSync
  }

  deinit { close(descriptor) }

  /// Brings the folder's names to the disk; returns an error number, or 0.
  func sync() -> Int32 {
    guard canSync, retrying({ fsync(descriptor) }) != 0 else { return 0 }
    // Some file systems know no such thing for folders: there is nothing to be done then.
    return errno == EINVAL || errno == EOPNOTSUPP || errno == ENOSYS ? 0 : errno
  }
}

extension [CChar] {
  /// The C string as text, for messages only.
  var text: String {
    String(decoding: prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// Calls the system until it is not interrupted by a signal.
package func retrying(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// Settles what signals do to a process that writes outputs.
public enum Signals {
  /// Lets TERM, INT and HUP remove the temporary files and then end the process by that signal,
  /// and ignores SIGPIPE and SIGXFSZ, so that a write fails with an error number instead.
  ///
  /// A signal that was ignored when the program started (`nohup`) stays ignored. Called once, by
  /// the program, before any output is opened; a library has no business with it.
  public static func install() {
    cposix_install_signals()
  }

  /// Runs `body` with SIGPIPE blocked in this thread and in those that it starts, so that a write to
  /// a reader that has gone fails with an error number. A SIGPIPE that came meanwhile is dropped.
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

  /// Runs `body` with TERM, INT and HUP kept back until it is done, on whatever thread they come.
  ///
  /// The list of temporary files and their names change only in here. Sections do not nest.
  static func deferring<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    cposix_guard_enter()
    defer { cposix_guard_leave() }
    return try body()
  }
}

/// Looks after the descriptors 0, 1 and 2.
public enum StandardDescriptors {
  /// Fills those that were closed at the start (`>&-`), so that no file opened later becomes
  /// standard output by accident; using them still fails with EBADF. Called once, first of all.
  public static func reserve() {
    cposix_reserve_standard_descriptors()
  }
}
