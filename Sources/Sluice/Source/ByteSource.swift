/// Something that bytes come from.
protocol ByteSource: ~Copyable {
  /// Reads to the end, pushes all of it into `stage` and finishes it.
  consuming func push<S: ByteStage & ~Copyable>(into stage: consuming S, tally: Tally)
    throws(PipelineError)
}
