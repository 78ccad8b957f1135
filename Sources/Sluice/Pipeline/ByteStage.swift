/// Accepts a stream of bytes, one borrowed chunk at a time.
///
/// The stage before drives: it calls ``write(_:)`` any number of times, then ``finish()`` once.
/// A chunk lives only for the call and may be cut anywhere, inside a character or a number too;
/// an empty chunk is allowed. Whatever the cuts, the stage gives the same output and the same
/// error offset. After a throw nobody calls the stage again. Not calling ``finish()`` is
/// abandonment: the stage is destroyed, and what it has buffered is dropped.
protocol ByteStage: ~Copyable, SendableMetatype {
  /// Takes the next bytes of the stream.
  mutating func write(_ bytes: RawSpan) throws(PipelineError)
  /// Takes what a buffer holds, as the next bytes of the stream, and leaves it empty.
  ///
  /// A stage that works on it later may keep the memory and leave other, of the same capacity.
  mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError)
  /// Says that the stream has ended: checks that it may end here and finishes the next stage.
  consuming func finish() throws(PipelineError)
}

extension ByteStage where Self: ~Copyable {
  /// Takes what a buffer holds. A span of a stage's own buffer would borrow the whole stage.
  mutating func write(_ buffer: borrowing ByteBuffer) throws(PipelineError) {
    try write(RawSpan(_unsafeStart: buffer.start, byteCount: buffer.count))
  }

  mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError) {
    try write(buffer)
    buffer.removeAll()
  }
}
