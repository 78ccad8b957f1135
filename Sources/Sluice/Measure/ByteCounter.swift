/// Counts bytes and drops them.
struct ByteCounter: ByteStage, ~Copyable {
  private var count = 0

  mutating func write(_ bytes: RawSpan) throws(PipelineError) { count += bytes.byteCount }

  consuming func finish() throws(PipelineError) {}
}
