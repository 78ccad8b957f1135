/// Collects encoded bytes and passes them to a sink in large pieces.
///
/// All pieces but the last consist of whole pages. A file system that gets part of a page processes
/// that page twice, and cannot process the following bytes in larger units.
struct OutputBuffer<Output: ByteStage & ~Copyable>: ~Copyable {
  /// The number of bytes to collect before passing them on.
  static var size: Int { 128 << 10 }
  /// The length of a piece is a multiple of this number of bytes: a power of 2, at least one page.
  private static var alignment: Int { 64 << 10 }
  /// The maximum length in bytes of a text copied in one piece. A longer text is passed on in
  /// parts, so that memory does not grow with it.
  static var piece: Int { 16 << 10 }
  /// The capacity of the buffers that are passed on.
  static var capacity: Int { size + 4 * piece }

  /// The bytes not yet passed on. Encoders write into it directly.
  var bytes: ByteBuffer
  private var output: Output
  /// The bytes after the last whole page while the pages are passed on: usually the end of a row.
  private var rest = ByteBuffer(capacity: 1 << 10)
  /// The number of bytes passed on so far.
  private(set) var flushed = 0

  init(into output: consuming Output) {
    self.output = output
    bytes = ByteBuffer(capacity: Self.capacity)
  }

  /// The total number of bytes so far.
  var count: Int { flushed + bytes.count }

  /// Passes on the collected bytes if there are at least ``size``. Throws the sink's error.
  @inline(__always)
  mutating func flushIfFull() throws(PipelineError) {
    if bytes.count >= Self.size { try flush() }
  }

  @inline(never)
  private mutating func flush() throws(PipelineError) {
    let whole = bytes.count & ~(Self.alignment - 1)
    rest.append(UnsafeRawBufferPointer(rebasing: bytes.contents[whole...]))
    bytes.truncate(to: whole)
    try output.take(&bytes)
    flushed += whole
    bytes.append(rest.contents)
    rest.removeAll()
  }

  /// Passes on the bytes of a buffer after those so far, and leaves it empty. Throws the sink's
  /// error.
  mutating func write(_ buffer: inout ByteBuffer) throws(PipelineError) {
    guard buffer.count >= Self.alignment else {
      bytes.append(buffer.contents)
      buffer.removeAll()
      return try flushIfFull()
    }
    if bytes.count > 0 { try handOn() }
    flushed += buffer.count
    try output.take(&buffer)
  }

  /// Passes on all bytes so far. Throws the sink's error.
  mutating func handOn() throws(PipelineError) {
    flushed += bytes.count
    try output.take(&bytes)
  }

  /// Passes on the remaining bytes and finishes the sink. Throws the sink's error.
  consuming func finish() throws(PipelineError) {
    try output.write(bytes)
    try output.finish()
  }
}
