import CSluice
import Glibc

/// Reads a file or standard input and pushes its bytes into a stage.
package struct DescriptorSource: ~Copyable {
  /// How many bytes are read at once.
  package static let pieceSize = 128 << 10

  /// The file's path; nil of standard input.
  let path: String?
  private let descriptor: InputDescriptor
  private let status: stat

  /// Opens a file; throws where there is none, it is a folder, or it may not be read. A FIFO is
  /// waited for.
  package init(file path: String) throws(PipelineError) {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else {
      let error = errno
      // ENOTDIR: a part of the path is a file, so there is nothing behind it.
      throw PipelineError(
        .source(
          error == ENOENT || error == ENOTDIR
            ? .noFile(path: path) : .unreadable(path: path, errno: error)))
    }
    try self.init(InputDescriptor(owning: number), path: path)
  }

  /// Takes standard input; throws where it is closed or a folder.
  package static func standardInput() throws(PipelineError) -> DescriptorSource {
    try DescriptorSource(InputDescriptor(owning: STDIN_FILENO), path: nil)
  }

  /// Takes an open descriptor; `path` is for errors.
  init(_ descriptor: consuming InputDescriptor, path: String?) throws(PipelineError) {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else {
      throw PipelineError(.source(.unreadable(path: path, errno: errno)))
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw PipelineError(.source(.folder(path: path)))
    }
    self.descriptor = descriptor
    self.path = path
    self.status = status
  }

  /// Reads to the end and pushes each piece into `stage`, which it does not finish.
  ///
  /// Publishes the bytes read and handed on, and before the first of them, for a regular file, how
  /// many are to be expected and when it was changed. Throws what the stage throws, or
  /// `SourceFault.read` with the offset.
  package func run<S: ByteStage & ~Copyable>(
    into stage: inout S, tally: Tally
  ) throws(PipelineError) {
    publishStatus(to: tally)
    var buffer = ByteBuffer(capacity: Self.pieceSize)
    var total = 0
    while true {
      switch descriptor.read(into: &buffer) {
      case .bytes(let count):
        total += count
        tally.source.bytesIn.set(total)
        try stage.write(buffer)
        tally.source.bytesOut.set(total)
        buffer.removeAll()
      case .end:
        return
      case .failed(let error):
        throw PipelineError(.source(.read(path: path, errno: error)), at: total)
      }
    }
  }

  /// Where the descriptor stands in a regular file; nil of anything else.
  var start: Int? {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    let place = lseek(descriptor.number, 0, SEEK_CUR)
    return place < 0 ? nil : Int(place)
  }

  /// Goes back to a place in a regular file.
  func rewind(to start: Int) throws(PipelineError) {
    guard lseek(descriptor.number, start, SEEK_SET) == start else {
      throw PipelineError(.source(.read(path: path, errno: errno)))
    }
  }

  private func publishStatus(to tally: Tally) {
    guard status.st_mode & S_IFMT == S_IFREG else { return }
    tally.modified.set(status.st_mtim.tv_sec)
    // Files of /proc say 0 and hold more; a shell may hand over standard input part read.
    let read = max(0, lseek(descriptor.number, 0, SEEK_CUR))
    if status.st_size > 0 { tally.expectedBytes.set(max(0, Int(status.st_size) - Int(read))) }
  }
}

/// Owns a file descriptor that is read from; closes it, unless it is standard input.
package struct InputDescriptor: ~Copyable {
  /// What a read gave.
  package enum Reading: Equatable {
    case bytes(Int)
    case end
    case failed(errno: Int32)
  }

  /// The system's number of the open file.
  package let number: Int32

  /// Takes over an open descriptor.
  package init(owning number: Int32) { self.number = number }

  deinit {
    if number != STDIN_FILENO { close(number) }
  }

  /// Reads what there is, at most what fits into the room of `buffer`, and waits where there is
  /// nothing yet, also where somebody has made the descriptor non-blocking.
  package func read(into buffer: inout ByteBuffer) -> Reading {
    while true {
      let count = Glibc.read(number, buffer.start + buffer.count, buffer.room)
      if count > 0 {
        buffer.commit(count)
        return .bytes(count)
      }
      if count == 0 { return .end }
      switch errno {
      case EINTR:
        continue
      case EAGAIN:
        var wait = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        _ = poll(&wait, 1, -1)
      case let error:
        return .failed(errno: error)
      }
    }
  }
}

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
