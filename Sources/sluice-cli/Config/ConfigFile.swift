import Glibc
import Sluice

/// Reads a configuration file whole.
enum ConfigFile {
  /// More than any configuration needs, in bytes.
  static let limit = 256 << 10

  /// The entries of the file at `path`.
  static func read(_ path: String) throws(UsageError) -> ConfigDocument {
    let bytes = try bytes(of: path)
    do throws(ConfigFault) {
      guard bytes.count <= limit else {
        throw ConfigFault(
          file: path, place: Place(line: 1, column: 1), problem: .tooLarge(limit: limit))
      }
      return try ConfigDocument(bytes, named: path)
    } catch {
      throw .config(error)
    }
  }

  /// The bytes of a file, at most one more than the limit.
  private static func bytes(of path: String) throws(UsageError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .configFile(
        errno == ENOENT ? .noFile(path: path) : .unreadable(path: path, errno: errno))
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
      case EISDIR: throw .configFile(.folder(path: path))
      default: throw .configFile(.read(path: path, errno: failure))
      }
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }
}
