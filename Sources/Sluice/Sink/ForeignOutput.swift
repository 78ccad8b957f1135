/// An output of an ``OutputSet`` that is written by its path, not through a writer.
struct ForeignOutput {
  /// Where to write: a temporary file, empty and locked by us.
  let path: String
  /// The output, to read its size once it is complete.
  let output: Output

  /// Says that all is written, and that the file is no longer open elsewhere.
  func finish() throws(PipelineError) { try output.takeSize() }
}
