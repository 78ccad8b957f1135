/// Collects encoded bytes and hands them to a sink in large pieces.
///
/// All pieces but the last are as long as whole pages: a file system that is given part of a page
/// takes that page in hand twice, and cannot take what follows in larger units.
struct OutputBuffer<Output: ByteStage & ~Copyable>: ~Copyable {
  /// Bytes that are collected before they are handed on.
  static var size: Int { 128 << 10 }
  /// What the length of a piece is a multiple of: a power of 2, and no less than a page.
  private static var alignment: Int { 64 << 10 }
  /// The longest text that is copied in one piece; a longer one is handed on as it comes, so that
  /// memory does not grow with it.
  static var piece: Int { 16 << 10 }

  /// The bytes to come. Encoders write into it directly.
  var bytes: ByteBuffer
  private var output: Output
  /// What stands behind the last whole page while the rest is handed on: a row's end, mostly.
  private var rest = ByteBuffer(capacity: 1 << 10)
  /// Bytes handed on so far.
  private(set) var flushed = 0

  init(into output: consuming Output) {
    self.output = output
    bytes = ByteBuffer(capacity: Self.size + 4 * Self.piece)
  }

  /// All bytes so far.
  var count: Int { flushed + bytes.count }

  /// Hands on what was collected where it is enough.
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

  /// Hands on the rest and finishes the sink.
  consuming func finish() throws(PipelineError) {
    try output.write(bytes)
    try output.finish()
  }
}
