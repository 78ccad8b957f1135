/// The reports about a run: rejected records and counts. They are published after success and
/// failure.
final class Diagnostics {
  private enum State { case closed, open, finished, published }

  private let set = OutputSet(endsWithItsReaders: false)
  private var state = State.closed
  private(set) var rejects: RejectEncoder<QueuedOutput<OutputWriter>>?
  private var report: Box<OutputWriter>?

  func open(_ conversion: Conversion, _ queue: OutputQueue) throws(PipelineError) {
    rejects = try conversion.rejects.map { (destination) throws(PipelineError) in
      RejectEncoder(into: QueuedOutput(into: try destination.open(in: set), queue))
    }
    report = try conversion.statistics.map { (destination) throws(PipelineError) in
      Box(try destination.open(in: set))
    }
    state = .open
  }

  /// Writes the counts and ends both files. A second call does nothing.
  func finish(_ statistics: Statistics) throws(PipelineError) {
    guard state == .open else { return }
    state = .finished
    try rejects?.finish()
    if var writer = report?.takeIfPresent() {
      try writer.write(StatisticsEncoder.encode(statistics))
      try writer.finish()
    }
  }

  /// Moves both files into place, once.
  func publish() throws(PipelineError) {
    guard state == .finished else { return }
    state = .published
    try set.commit()
  }
}
