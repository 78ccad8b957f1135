/// Writes one output by way of an ``OutputQueue``.
///
/// Buffers that are given away are written soon, borrowed bytes at once, behind all that the queue
/// was given before. An error may be that of an earlier buffer, of another output too.
struct QueuedOutput<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  /// Holds the stage behind, which two threads use, never at once.
  private final class Sink: QueuedSink, @unchecked Sendable {
    var next: Next?
    init(_ next: consuming Next) { self.next = consume next }
    func write(_ bytes: borrowing ByteBuffer) throws(PipelineError) { try next?.write(bytes) }
  }

  private let sink: Sink
  private let queue: OutputQueue

  init(into next: consuming Next, _ queue: OutputQueue) {
    sink = Sink(next)
    self.queue = queue
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try queue.drain()
    try sink.next?.write(bytes)
  }

  mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError) {
    try queue.take(&buffer, for: sink)
  }

  consuming func finish() throws(PipelineError) {
    try queue.drain()
    try sink.next.take()?.finish()
  }
}
