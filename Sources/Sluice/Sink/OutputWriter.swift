/// Writes one output of an ``OutputSet``.
///
/// Each chunk goes to the system as it comes: callers gather whole pages, 64 KiB and more. Where the
/// reader goes away the rest is taken and dropped, for the other outputs' sake; once no output of
/// the set is left that anybody wants, the write throws `noReaderLeft`. ``finish()`` says that the
/// content is complete and publishes nothing: that is ``OutputSet/commit()``.
struct OutputWriter: ByteStage, ~Copyable {
  private let set: OutputSet
  /// The output, to read its counts once the writer is used up.
  let output: Output

  init(_ output: Output, of set: OutputSet) {
    self.output = output
    self.set = set
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    if output.readerHasLeft { return }
    if try !output.write(bytes) { try set.readerLeft() }
  }

  consuming func finish() throws(PipelineError) {
    output.markFinished()
  }
}
