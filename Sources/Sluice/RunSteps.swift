/// What surrounds the pass of a conversion.
///
///     begin ─▶ outputs are opened ─▶ source ─▶ the pass ─▶ judge ─▶ outputs are published
///
/// Each is called once, in this order; where one throws, nothing is published and the rest is not
/// called.
protocol RunSteps: ~Copyable {
  /// Hears what can be known of an envelope's payload; nil where nobody wants to know.
  var payload: PayloadFacts? { get }
  /// Refuses what can be refused before an output is opened.
  mutating func begin() throws(PipelineError)
  /// Gives the input. To fetch it takes time: what can be refused has been by then.
  mutating func source() throws(PipelineError) -> Source
  /// The ledger that keeps book of the feed; nil where calendars number their events themselves.
  var ledger: LedgerSession? { get }
  /// The day that a ledger's rules ask for.
  var today: Day { get }
  /// Judges what the pass has counted, before anything is published.
  mutating func judge(_ statistics: Statistics) throws(PipelineError)
}

/// A conversion of its own input, with nothing else to it.
struct PlainSteps: RunSteps, ~Copyable {
  private let conversion: Conversion
  private var opened: Source?
  /// What is asked, where the input is a feed's own requests.
  private var requests: RequestCollection?

  init(_ conversion: Conversion) { self.conversion = conversion }

  /// Hears how the run has ended, and says what was missing of it.
  consuming func end(_ outcome: Outcome) -> Outcome {
    var outcome = outcome
    requests?.forget(after: outcome.error)
    outcome.shortfall = requests?.shortfall
    outcome.doubt = requests?.doubt
    outcome.outdated = requests?.outdated ?? 0
    return outcome
  }

  var payload: PayloadFacts? { nil }
  var ledger: LedgerSession? { nil }
  var today: Day { Day(number: 0) }

  mutating func begin() throws(PipelineError) {
    let source = try Source(conversion)
    requests = source.requests
    opened = consume source
  }

  mutating func source() throws(PipelineError) -> Source {
    if let source = opened.take() { return source }
    return try Source(conversion)
  }

  mutating func judge(_ statistics: Statistics) {}
}
