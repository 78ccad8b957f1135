import CPosix
import Glibc

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
  init?(path: [CChar]) {
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
func retrying(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}
