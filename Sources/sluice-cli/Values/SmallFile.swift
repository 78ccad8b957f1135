import Glibc
import Sluice

/// Reads a file of a person's own whole: a configuration, a feed's document.
enum SmallFile {
  /// The bytes of the file at `path`, at most one more than the limit.
  static func read(_ path: String, limit: Int) throws(SourceFault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .noFile(path: path) : .unreadable(path: path, errno: errno)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      var failure: Int32 = 0
      let part = [UInt8](unsafeUninitializedCapacity: limit + 1 - bytes.count) { room, count in
        let got = Glibc.read(descriptor, room.baseAddress, room.count)
        if got < 0 { failure = errno }
        count = max(0, got)
      }
      switch failure {
      case 0: break
      case EINTR: continue
      case EISDIR: throw .folder(path: path)
      default: throw .read(path: path, errno: failure)
      }
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }
}
