/// Takes the buffers of one output.
protocol QueuedSink: AnyObject, Sendable {
  /// Writes what a buffer holds; called by one thread at a time.
  func write(_ bytes: borrowing ByteBuffer) throws(PipelineError)
}
