/// The outcome of a run.
public struct Outcome: Sendable {
  /// The error that prevented publication; nil after success.
  public var error: PipelineError?
  /// The counts of the run, complete or partial.
  public var statistics: Statistics
  /// The places that were chosen, by their addresses.
  package var places: [String: ChosenPlace] = [:]
  /// The places that come nearest to conditions that no record matches.
  package var nearPlaces: [NamedPlace] = []
}

/// Runs a conversion of the source returned by `open`, and returns its outcome. `open` is called
/// after the diagnostics are open, if there is one input. Blocks until the end.
package func convert(
  _ conversion: Conversion, _ ledger: (any EventLedger)? = nil,
  manifest: (any FileManifest)? = nil, telling observer: (any InputObserver)? = nil,
  counters: Counters,
  from open: () throws(PipelineError) -> Source
) -> Outcome {
  let run = Run(conversion, counters: counters)
  do throws(PipelineError) {
    try run.openDiagnostics()
    if !conversion.isSeries, observer == nil {
      let source = try open()
      try run.openOutputs(ledger, manifest: manifest)
      _ = try run.read(source)
    } else {
      try run.openOutputs(ledger, manifest: manifest)
      _ = try run.readAll(telling: observer)
    }
    try run.prepare()
    try run.publish(keepsFiles: !conversion.allowsEmpty)
    var outcome = Outcome(error: nil, statistics: run.statistics)
    (outcome.places, outcome.nearPlaces) = (run.places, run.nearPlaces)
    return outcome
  } catch {
    run.abandon()
    return Outcome(error: error, statistics: run.statistics)
  }
}

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
