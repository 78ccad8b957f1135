import Glibc

/// Tells what the system knows about a file.
///
/// Paths and names are C strings, NUL included: a name on disk need not be UTF-8.
struct FileStatus {
  /// Where a file lives: equal for two names of one file.
  struct Place: Hashable, Sendable {
    let device: UInt
    let inode: UInt
  }

  private let status: stat

  /// Looks at what a path names. Nil with `errno` set where that fails.
  init?(path: [CChar], followingLinks: Bool = true) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.status = status
  }

  /// Looks at a name in an open folder; a link is not followed. Nil with `errno` set otherwise.
  init?(folder: Int32, name: [CChar]) {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    self.status = status
  }

  /// Looks at an open file. Nil with `errno` set where that fails.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.status = status
  }

  private var type: mode_t { status.st_mode & S_IFMT }

  var place: Place { Place(device: UInt(status.st_dev), inode: UInt(status.st_ino)) }
  var isRegular: Bool { type == S_IFREG }
  var isFolder: Bool { type == S_IFDIR }
  var isLink: Bool { type == S_IFLNK }
  /// A device that may be used by many at once (a terminal, `/dev/null`), or a socket.
  var isShared: Bool { type == S_IFCHR || type == S_IFSOCK }
  /// The permission bits, with set-id and sticky.
  var permissions: mode_t { status.st_mode & 0o7777 }
  var owner: uid_t { status.st_uid }
  var group: gid_t { status.st_gid }
  var links: UInt { UInt(status.st_nlink) }
  var size: Int { Int(status.st_size) }
  /// When its content was changed last, in seconds since 1970.
  var modified: Int { Int(status.st_mtim.tv_sec) }
}
