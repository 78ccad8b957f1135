import Sluice

/// How a conversion ended whose input may be a feed's own requests.
public struct RequestOutcome: Sendable {
  /// How the run ended.
  public var run: Outcome
  /// The requests that failed, if the outputs were published without their answers.
  public var shortfall: PipelineError?
  /// Why a list that was read in pages may be incomplete; nil if nothing is doubtful.
  public var doubt: ListDoubt?

  /// Makes the outcome of a run; nothing is missing.
  public init(run: Outcome, shortfall: PipelineError? = nil, doubt: ListDoubt? = nil) {
    self.run = run
    self.shortfall = shortfall
    self.doubt = doubt
  }
}

/// Runs a conversion. A feed's own requests are made, with the answers kept from a run before if
/// the input resumes. Throws nothing: the outcome has the error. Blocks until the end.
public func convert(_ conversion: Conversion, tally: Tally = Tally()) -> RequestOutcome {
  var requests: RequestCollection?
  let run = convert(conversion, tally: tally) { () throws(PipelineError) in
    requests = try RequestCollection(conversion, tally: tally)
    return if let requests { .provided(requests) } else { try conversion.source() }
  }
  requests?.forget(after: run.error)
  return RequestOutcome(run: run, shortfall: requests?.shortfall, doubt: requests?.doubt)
}

/// Inspects the input of a conversion. Answers that an earlier run has kept are read, and stay, as
/// do those that are asked for now. Returns also the requests that failed.
public func inspect(
  _ conversion: Conversion, tally: Tally = Tally()
) -> (inspection: Inspection, shortfall: PipelineError?) {
  var conversion = conversion
  if case .requests(var asked) = conversion.input {
    asked.resumes = true
    conversion.input = .requests(asked)
  }
  var requests: RequestCollection?
  let inspection = inspect(conversion, tally: tally) { () throws(PipelineError) in
    requests = try RequestCollection(conversion, tally: tally)
    return if let requests { .provided(requests) } else { try conversion.source() }
  }
  return (inspection, requests?.shortfall)
}
