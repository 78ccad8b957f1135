/// Runs a job that is run again and again: fetches the source where that is due, judges what has
/// become of it, publishes the outputs, and remembers.
///
///     lock ─▶ record ─▶ outputs opened ─▶ fetch ─▶ the pass ─▶ guards ─▶ outputs ─▶ record
///             read                        into the           note      renamed    renamed
///                                         free file
///
/// The record is the one file that says which source is the last good one: a new source waits in a
/// file that it does not name, and what a killed run has left of it is written over. Before outputs
/// of a new payload are put in place, the record takes note of it. A run that is killed between
/// that note and the last record may have published or not; the next one finds the note, tells the
/// ledger of that payload before anything else, asks the source again whatever its age, lets that
/// payload pass without another judgement, finds the outputs as they should be or makes them so,
/// and writes the record. Until then the last good copy stands in for nothing, so that no output
/// goes back to older data.
///
/// Prints nothing; blocks until the end. A failed run changes nothing but what the record says of
/// the last run. Where the last good copy may stand in for a source that cannot be used, the outputs
/// are made of it: equal ones stay as they are.
public func sync(_ job: SyncJob) -> SyncOutcome {
  sync(job, rule: RetryRule(), limits: HTTPLimits(), clock: .system)
}

/// Runs a job with another clock, for tests.
func sync(_ job: SyncJob, rule: RetryRule, limits: HTTPLimits, clock: SyncClock) -> SyncOutcome {
  do throws(PipelineError) {
    let folder = FeedFolder(of: job.conversion.feed.name, in: job.state)
    try folder.make()
    let lock = try RunLock(folder)
    defer { withExtendedLifetime(lock) {} }
    job.begun?()
    let input = InputIdentity(job.conversion.input, of: job.conversion.feed)
    let record = try folder.read(input)
    var steps = SyncSteps(
      job, folder, input, record, rule: rule, limits: limits, clock: clock)
    let outcome = steps.end(convert(job.conversion, &steps))
    return outcome.standsSince == nil ? outcome : standIn(for: outcome, job)
  } catch {
    return SyncOutcome(error: error)
  }
}

/// Makes the outputs of the last good copy where the source could not be used.
private func standIn(for failed: SyncOutcome, _ job: SyncJob) -> SyncOutcome {
  var conversion = job.conversion.again
  // Events are the ledger's, and have not changed: their calendars stay as they are.
  conversion.outputs.removeAll { $0.format == .ics }
  let outcome = convertLastGood(conversion, state: job.state)
  var stood = failed
  stood.statistics = outcome.statistics
  if let error = outcome.error {
    stood.standsSince = nil
    // That there is no copy to stand in says less than why one was wanted.
    if case .sink = error.fault { stood.error = error }
  }
  return stood
}
