/// Collects encoded bytes and hands them to a sink in large pieces.
struct OutputBuffer<Output: ByteStage & ~Copyable>: ~Copyable {
  /// Bytes that are collected before they are handed on.
  static var size: Int { 96 << 10 }
  /// The longest text that is copied in one piece; a longer one is handed on as it comes, so that
  /// memory does not grow with it.
  static var piece: Int { 16 << 10 }

  /// The bytes to come. Encoders write into it directly.
  var bytes: ByteBuffer
  private var output: Output
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

  private mutating func flush() throws(PipelineError) {
    try output.write(bytes)
    flushed += bytes.count
    bytes.removeAll()
  }

  /// Hands on the rest and finishes the sink.
  consuming func finish() throws(PipelineError) {
    try flush()
    try output.finish()
  }
}
