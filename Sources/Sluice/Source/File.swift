import CSluice
import Glibc

/// Reads a file or standard input and writes its bytes to a stage.
package struct DescriptorSource: ~Copyable {
  /// The number of bytes that are read at once.
  package static let pieceSize = 128 << 10

  /// The file's path, or nil for standard input.
  let path: String?
  private let descriptor: InputDescriptor
  private let status: stat

  /// Opens a file. Waits for the writer of a FIFO. Throws if the file does not exist, is a folder,
  /// or cannot be read.
  package init(file path: String) throws(PipelineError) {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else {
      let error = errno
      // ENOTDIR: a part of the path is a file, so nothing can be inside it.
      throw PipelineError(
        .source(
          error == ENOENT || error == ENOTDIR
            ? .noFile(path: path) : .unreadable(path: path, errno: error)))
    }
    try self.init(InputDescriptor(owning: number), path: path)
  }

  /// Opens standard input. Throws if it is closed or a folder.
  package static func standardInput() throws(PipelineError) -> DescriptorSource {
    try DescriptorSource(InputDescriptor(owning: STDIN_FILENO), path: nil)
  }

  /// Takes ownership of an open descriptor. `path` is for errors.
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

  /// Reads to the end and writes each piece to `stage`. Does not finish the stage.
  ///
  /// Counts the bytes read and passed on in `counters`. For a regular file, sets the expected
  /// number of bytes and the `date` of the last change first. Throws the errors of the stage, or
  /// `SourceFault.read` with the offset.
  package func run<S: ByteStage & ~Copyable>(
    into stage: inout S, counters: Counters, date: ContentDate = ContentDate()
  ) throws(PipelineError) {
    publishStatus(to: counters, date)
    var buffer = ByteBuffer(capacity: Self.pieceSize)
    var total = 0
    while true {
      switch descriptor.read(into: &buffer) {
      case .bytes(let count):
        total += count
        counters.source.bytesIn.set(total)
        try stage.write(buffer)
        counters.source.bytesOut.set(total)
        buffer.removeAll()
      case .end:
        return
      case .failed(let error):
        throw PipelineError(.source(.read(path: path, errno: error)), at: total)
      }
    }
  }

  /// The current offset in a regular file. Nil for anything else.
  var start: Int? {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    let place = lseek(descriptor.number, 0, SEEK_CUR)
    return place < 0 ? nil : Int(place)
  }

  /// Moves back to an offset in a regular file.
  func rewind(to start: Int) throws(PipelineError) {
    guard lseek(descriptor.number, start, SEEK_SET) == start else {
      throw PipelineError(.source(.read(path: path, errno: errno)))
    }
  }

  /// The open regular file, if it is read from its start, and its size. Standard input is none:
  /// whoever has passed it on may read it too.
  var plainFile: (descriptor: Int32, size: Int)? {
    guard descriptor.number != STDIN_FILENO, start == 0 else { return nil }
    return (descriptor.number, Int(status.st_size))
  }

  /// Sets the number of bytes to expect and the `date` of the last change, if it is a regular file.
  func publishStatus(to counters: Counters, _ date: ContentDate) {
    guard status.st_mode & S_IFMT == S_IFREG else { return }
    date.set(status.st_mtim.tv_sec)
    // Files of /proc have size 0 but more content. A shell may pass on standard input that is
    // partly read.
    let read = max(0, lseek(descriptor.number, 0, SEEK_CUR))
    if status.st_size > 0 { counters.expectedBytes.set(max(0, Int(status.st_size) - Int(read))) }
  }
}

/// Owns a file descriptor for reading. Closes it, unless it is standard input.
package struct InputDescriptor: ~Copyable {
  /// The number of the open file.
  package let number: Int32

  /// Takes ownership of an open descriptor.
  package init(owning number: Int32) { self.number = number }

  deinit {
    if number != STDIN_FILENO { close(number) }
  }

  /// Reads the bytes that are available, at most the room of `buffer`. Waits if there are none yet,
  /// even if the descriptor is non-blocking.
  package func read(into buffer: inout ByteBuffer) -> FileDescriptor.Reading {
    FileDescriptor.read(number, into: &buffer)
  }
}

/// Keeps bytes in a temporary file without a name, to read them later.
///
/// The file is in `TMPDIR`, or `/tmp`, unless a folder is named. It disappears with its owner,
/// however the process ends.
struct Spool: ~Copyable {
  private let descriptor: Int32
  /// Converts an error number to a fault of the stage that uses the file.
  private let fault: (Int32) -> Fault
  /// The number of bytes in the file.
  private(set) var count = 0

  /// The folder for temporary files.
  static var standardFolder: String { Environment.value("TMPDIR") ?? "/tmp" }

  /// Makes an empty file. Like the other functions, throws the fault that `fault` makes of the
  /// error number.
  init(
    in folder: String = Self.standardFolder,
    _ fault: @escaping (Int32) -> Fault
  ) throws(PipelineError) {
    self.fault = fault
    descriptor = cposix_open_unnamed(folder)
    guard descriptor >= 0 else { throw PipelineError(fault(errno)) }
  }

  deinit { close(descriptor) }

  /// Appends bytes.
  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    let code = bytes.withUnsafeBytes { FileDescriptor.write($0, to: descriptor, &count) }
    guard code == 0 else { throw PipelineError(fault(code)) }
  }

  /// Appends bytes.
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(PipelineError) {
    try write(RawSpan(_unsafeBytes: bytes))
  }

  /// Reads `wanted` bytes from `place` on and appends them to `buffer`, which has room for them.
  func read(at place: Int, _ wanted: Int, into buffer: inout ByteBuffer) throws(PipelineError) {
    var done = 0
    while done < wanted {
      let count = pread(descriptor, buffer.start + buffer.count, wanted - done, place + done)
      if count > 0 {
        buffer.commit(count)
        done += count
      } else if count == 0 || errno != EINTR {
        throw PipelineError(fault(count == 0 ? EIO : errno))
      }
    }
  }

  /// Writes all bytes to `next`. Does not finish it.
  mutating func replay<Next: ByteStage & ~Copyable>(into next: inout Next) throws(PipelineError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw PipelineError(fault(errno)) }
    var buffer = ByteBuffer(capacity: 64 << 10)
    while true {
      switch FileDescriptor.read(descriptor, into: &buffer) {
      case .bytes:
        try next.write(buffer)
        buffer.removeAll()
      case .end: return
      case .failed(let error): throw PipelineError(fault(error))
      }
    }
  }
}
