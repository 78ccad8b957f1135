import CPosix
import Glibc

/// Keeps bytes in a temporary file without a name until they are wanted.
///
/// The file is in `TMPDIR`, or `/tmp`; it is gone when the owner is, however the process ends.
struct Spool: ~Copyable {
  private let descriptor: Int32
  /// How many bytes are kept.
  private(set) var count = 0

  /// Makes an empty one; throws ``EnvelopeFault/spool(errno:)``.
  init() throws(PipelineError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    descriptor = cposix_open_unnamed(folder.isEmpty ? "/tmp" : folder)
    guard descriptor >= 0 else { throw Self.failure() }
  }

  deinit { close(descriptor) }

  /// Keeps more bytes.
  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try bytes.withUnsafeBytes { (buffer) throws(PipelineError) in
      var done = 0
      while done < buffer.count {
        let written = Glibc.write(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        if written < 0 {
          if errno == EINTR { continue }
          throw Self.failure()
        }
        done += written
      }
    }
    count += bytes.byteCount
  }

  /// Hands on all that was kept.
  mutating func replay<Next: ByteStage & ~Copyable>(into next: inout Next) throws(PipelineError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure() }
    var buffer = ByteBuffer(capacity: 64 << 10)
    while true {
      let got = read(descriptor, buffer.start, buffer.capacity)
      if got < 0 {
        if errno == EINTR { continue }
        throw Self.failure()
      }
      if got == 0 { return }
      buffer.removeAll()
      buffer.commit(got)
      try next.write(buffer)
    }
  }

  private static func failure() -> PipelineError {
    PipelineError(.envelope(.spool(errno: errno)))
  }
}
