import Glibc
import Sluice

/// Runs a job that is run again and again: fetches the source when that is due, judges it, publishes
/// the outputs, and remembers.
///
///     lock ─▶ record ─▶ outputs opened ─▶ fetch ─▶ the pass ─▶ guards ─▶ outputs ─▶ record
///             read                        into the           note      renamed    renamed
///                                         free file
///
/// The record is the one file that names the last good source. A new source waits in a file that the
/// record does not name; the leftovers of a killed run are overwritten. Before outputs of a new
/// payload are put in place, the record notes that payload. A run that is killed between that note
/// and the last record may have published or not. The next run finds the note. It gives that payload
/// to the ledger first, asks the source again whatever its age, lets that payload pass without
/// another judgement, makes the outputs of it unless they are there, and writes the record. Until
/// then the last good copy stands in for nothing, so that no output goes back to older data.
///
/// Prints nothing; blocks until the end. A failed run changes nothing but the record's account of
/// the last run. If the last good copy may stand in for a source that cannot be used, the outputs are
/// made of that copy: equal ones stay as they are.
///
/// `tally` counts the run; another thread may read it meanwhile.
public func sync(_ job: SyncJob, tally: Tally = Tally()) -> SyncOutcome {
  sync(job, rule: RetryRule(), limits: HTTPLimits(), clock: .system, tally: tally)
}

/// Runs a job with another clock, for tests.
func sync(
  _ job: SyncJob, rule: RetryRule, limits: HTTPLimits, clock: SyncClock, tally: Tally = Tally()
) -> SyncOutcome {
  do throws(PipelineError) {
    let folder = FeedFolder(of: job.conversion.feed.name, in: job.state)
    try folder.make()
    let lock = try RunLock(folder)
    defer { withExtendedLifetime(lock) {} }
    job.begun?()
    var night = try Night(job, in: folder, rule: rule, limits: limits, clock: clock, tally: tally)
    let outcome = night.run()
    return outcome.standsSince == nil ? outcome : standIn(for: outcome, job)
  } catch {
    return SyncOutcome(error: error)
  }
}

/// Makes the outputs of the last good copy if the source could not be used.
private func standIn(for failed: SyncOutcome, _ job: SyncJob) -> SyncOutcome {
  var conversion = job.conversion
  // Events are the ledger's, and have not changed: their calendars stay as they are.
  conversion.outputs.removeAll { $0.format == .ics }
  let outcome = convertLastGood(conversion, state: job.state)
  var stood = failed
  stood.statistics = outcome.statistics
  if let error = outcome.error {
    stood.standsSince = nil
    // That there is no copy to stand in matters less than why one was needed.
    if case .sink = error.fault { stood.error = error }
  }
  return stood
}

/// What a run of `sync` is asked to do.
public struct SyncJob: Sendable {
  /// What is read and what is made of it. At least one output; none is standard output.
  public var conversion: Conversion
  /// The state folder; made where it is missing.
  public var state: String
  /// For how many seconds an answer is good.
  public var maxAge: Int
  /// For how many seconds the last good copy does for a source that cannot be used; nil for none.
  public var staleOK: Int?
  /// How much of the feed may be gone.
  public var maxShrink = ShrinkLimit.standard
  /// Whether the guards let everything pass this once.
  public var accepts = false
  /// The day before which a period is past; nil for today's, by the feed's clock.
  public var today: Day?
  /// Called once the lock is held; never where another run has it.
  public var begun: (@Sendable () -> Void)?

  /// Makes a job with the feed's own rules.
  public init(_ conversion: Conversion, state: String) {
    self.conversion = conversion
    self.state = state
    maxAge = conversion.feed.maxAge
  }
}

/// How a run of `sync` ended.
public struct SyncOutcome: Sendable {
  /// Why nothing was published, or the last good copy stands in for the source; nil where all went
  /// well.
  public var error: PipelineError?
  /// What was counted, in either case.
  public var statistics = Statistics(Tally())
  /// What of the feed's requests is missing in outputs that were published without it.
  public var shortfall: PipelineError?
  /// What is doubtful about a list that was read in pages.
  public var doubt: ListDoubt?
  /// What changed among the events; nil where nobody keeps book of them, or nothing was published.
  public var changes: LedgerChanges?
  /// Where the source could not be used, and the last good copy is recent enough to stand for it:
  /// when that was last known to be what the source has, in seconds since 1970.
  public var standsSince: Int?
}

/// Converts the last good copy of an input that `sync` keeps, without asking for the input.
///
/// It takes no lock: a copy that is read stays whole, whatever a run of `sync` does meanwhile.
/// Throws nothing; the outcome's error is ``SyncFault/noCopy(input:folder:)`` if there is none.
public func convertLastGood(
  _ conversion: Conversion, state: String, tally: Tally = Tally()
) -> Outcome {
  convert(conversion, tally: tally) { () throws(PipelineError) in
    .descriptor(try lastGoodCopy(of: conversion, state: state))
  }
}

private func lastGoodCopy(
  of conversion: Conversion, state: String
) throws(PipelineError) -> DescriptorSource {
  let folder = FeedFolder(of: conversion.feed.name, in: state)
  let input = InputIdentity(conversion.input, of: conversion.feed)
  // Between two looks a run may have put a newer copy beside this one and removed it.
  for _ in 0..<8 {
    guard let copy = try folder.read(input)?.copy else { break }
    do throws(PipelineError) {
      return try DescriptorSource(file: folder.copy(of: input, copy.slot))
    } catch {
      guard case .source(.noFile) = error.fault else { throw error }
    }
  }
  throw PipelineError(sync: .noCopy(input: input.shown, folder: folder.path))
}

/// Gives the ledger the payload that a killed run had begun to publish, for it may have been
/// published.
///
///     note of the payload ─▶ outputs renamed ─▶ ledger committed ─▶ record
///                         ╰── killed here: the ledger does not know it ──╯
///
/// The payload still lies in its file. The ledger takes it as that run would have: by the same day,
/// so that the same events get the same numbers. If they were not published after all, nothing is
/// lost: the next calendar follows from them. Their changes wait for the next list. Doing it twice
/// changes nothing more.
///
/// Throws faults of the ledger only: a file that is not the noted one is ignored.
func recoverLedger(
  in folder: String, from path: String, _ pending: SyncRecord.Pending, _ conversion: Conversion
) throws(PipelineError) {
  guard FingerprintTap.fingerprint(ofFile: path)?.description == pending.source else { return }
  var pass = conversion
  pass.outputs = []
  pass.changes = nil
  pass.rejects = nil
  pass.statistics = nil
  pass.conditions = []
  pass.rejectLimit = .count(.max)
  let ledger = try LedgerSession(
    folder: folder, feed: pass.feed, today: pending.today, keepsChanges: true)
  let outcome = convert(pass, ledger, tally: Tally()) { () throws(PipelineError) in
    .descriptor(try DescriptorSource(file: path))
  }
  switch outcome.error?.fault {
  case .ledger?, .sink?: if let error = outcome.error { throw error }
  case .source?, .envelope?, .base64?, .unzip?, .json?, .csv?, .normalize?, .sync?, .requests?, nil:
    return
  }
}
