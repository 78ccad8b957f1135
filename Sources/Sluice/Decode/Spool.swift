import CPosix
import Glibc

/// Keeps bytes in a temporary file without a name until they are wanted.
///
/// The file is in `TMPDIR`, or `/tmp`; it is gone when the owner is, however the process ends.
struct Spool: ~Copyable {
  private let descriptor: Int32
  /// What an error number is to the stage that it works for.
  private let fault: (Int32) -> Fault
  /// How many bytes are kept.
  private(set) var count = 0

  /// Makes an empty one; throws, as all of it, the fault that `fault` makes of an error number.
  init(_ fault: @escaping (Int32) -> Fault) throws(PipelineError) {
    self.fault = fault
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    descriptor = cposix_open_unnamed(folder.isEmpty ? "/tmp" : folder)
    guard descriptor >= 0 else { throw PipelineError(fault(errno)) }
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
          throw failure()
        }
        done += written
      }
    }
    count += bytes.byteCount
  }

  /// Hands on all that was kept.
  mutating func replay<Next: ByteStage & ~Copyable>(into next: inout Next) throws(PipelineError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw failure() }
    var buffer = ByteBuffer(capacity: 64 << 10)
    while true {
      let got = read(descriptor, buffer.start, buffer.capacity)
      if got < 0 {
        if errno == EINTR { continue }
        throw failure()
      }
      if got == 0 { return }
      buffer.removeAll()
      buffer.commit(got)
      try next.write(buffer)
    }
  }

  private func failure() -> PipelineError { PipelineError(fault(errno)) }
}
