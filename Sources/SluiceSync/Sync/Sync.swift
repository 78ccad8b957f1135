import Glibc
import Sluice

/// Runs a job once. Meant to be called again and again, every night for example. Fetches the source
/// when that is due, judges it, publishes the outputs, and keeps a record.
///
///     lock ─▶ record ─▶ ledger    ─▶ outputs ─▶ fetch ─▶ the pass ─▶ guards ─▶ outputs ─▶ record
///             read      recovered    opened     into the             outputs   renamed    renamed
///                                               free file            prepared
///                                                                    note
///
/// The record is the one file that names the last good source. A new source is kept in a file that
/// the record does not name. The leftovers of a killed run are overwritten.
///
/// Before the outputs of a new payload are renamed, the record notes that payload, and the
/// fingerprints of the new calendars and the new list of changes. A run that is killed between this
/// note and the last record may have published or not. The next run finds the note and does this:
///
/// - It reads that payload into the ledger first if one of these outputs stands. If none does, nobody
///   has seen the payload, and the ledger stays as it is.
/// - It fetches the source again, whatever the age of the copy.
/// - It does not apply the guards to that payload again.
/// - It makes the outputs again. Those with the same bytes stay. Then it writes the record.
///
/// Until then the last good copy does not stand in for the source.
///
/// Prints nothing, and blocks until the end. A failed run changes no output. In the record it
/// changes the facts about the last run. If the source cannot be used and the last good copy is
/// recent enough, the outputs are made of that copy. Outputs with the same bytes stay as they are.
public func sync(_ job: SyncJob) -> SyncOutcome { sync(job, counters: Counters()) }

/// Runs a job like ``sync(_:)``, and counts in `counters`. Another thread may read them meanwhile.
package func sync(_ job: SyncJob, counters: Counters) -> SyncOutcome {
  sync(job, rule: RetryRule(), limits: HTTPLimits(), clock: .system, counters: counters)
}

/// Runs a job with another clock, for tests.
func sync(
  _ job: SyncJob, rule: RetryRule, limits: HTTPLimits, clock: SyncClock,
  counters: Counters = Counters()
) -> SyncOutcome {
  do throws(PipelineError) {
    let folder = FeedFolder(of: job.conversion.feed.name, in: job.state)
    try folder.make()
    let lock = try RunLock(folder)
    defer { withExtendedLifetime(lock) {} }
    job.begun?()
    var job = job
    // It is written after each night, also after one that publishes nothing.
    job.conversion.leavesStatus = true
    var outcome = night(job, in: folder, rule: rule, limits: limits, clock: clock, counters)
    // Leftovers of a killed run would stay until the first night that opens the outputs.
    if outcome.error != nil { job.conversion.sweepOutputs() }
    do throws(PipelineError) {
      try folder.writeStatus(of: outcome, job)
    } catch {
      // The first error is the one to report.
      outcome.error = outcome.error ?? error
    }
    return outcome
  } catch {
    return SyncOutcome(error: error)
  }
}

/// Runs one night. The lock is held.
private func night(
  _ job: SyncJob, in folder: FeedFolder, rule: RetryRule, limits: HTTPLimits, clock: SyncClock,
  _ counters: Counters
) -> SyncOutcome {
  do throws(PipelineError) {
    var night = try Night(
      job, in: folder, rule: rule, limits: limits, clock: clock, counters: counters)
    let outcome = night.run()
    return outcome.standsSince == nil ? outcome : night.standIn(for: outcome)
  } catch {
    return SyncOutcome(error: error)
  }
}

/// The parameters of a run of `sync`.
public struct SyncJob: Sendable {
  /// The input and the outputs. There is at least one output, and none is standard output.
  public var conversion: Conversion
  /// The state folder. It is made if it is missing.
  public var state: String
  /// The number of seconds for which an answer is good.
  public var maxAge: Int
  /// The number of seconds for which the last good copy may replace a source that cannot be used,
  /// or nil for never.
  public var staleOK: Int?
  /// The largest accepted loss of records.
  public var maxShrink = ShrinkLimit.standard
  /// Whether the guards let everything pass this once.
  public var accepts = false
  /// The day before which a period is past, or nil for today by the feed's clock.
  public var today: Day?
  /// Returns what a site may say about the error of a night, in every language. Anybody may read
  /// it. Nil for the error's code alone.
  public var publicText: (@Sendable (PipelineError) -> Localized<String>)?
  /// Called when the lock is held. Not called if another run has it.
  public var begun: (@Sendable () -> Void)?

  /// Makes a job with the feed's own `maxAge`.
  public init(_ conversion: Conversion, state: String) {
    self.conversion = conversion
    self.state = state
    maxAge = conversion.feed.maxAge
  }
}

/// How a run of `sync` ended.
public struct SyncOutcome: Sendable {
  /// The reason why nothing was published, or why the outputs are those of the last good copy. Nil
  /// if all went well.
  public var error: PipelineError?
  /// The counts of the run, whether it succeeded or failed.
  public var statistics = Statistics(Counters())
  /// The requests that failed, if the outputs were published without their answers.
  public var shortfall: PipelineError?
  /// Why a list that was read in pages may be incomplete, or nil if nothing is doubtful.
  package var doubt: ListDoubt?
  /// The places that were chosen, by their addresses.
  package var places: [String: ChosenPlace] = [:]
  /// The places that come nearest to conditions that no record matches.
  package var nearPlaces: [NamedPlace] = []
  /// The changes of events, or nil if the feed keeps no ledger or nothing was published.
  public var changes: LedgerChanges?
  /// If the source could not be used and the outputs are those of the last good copy: when the
  /// source was last known to have that content, in seconds since 1970. Nil otherwise.
  public var standsSince: Int?
}

/// Converts the last good copy that `sync` keeps of an input. Sends no request for the input.
///
/// Takes no lock: an open copy stays whole, whatever a run of `sync` does meanwhile. Throws
/// nothing. The outcome's error is ``SyncFault/noCopy(input:folder:)`` if there is no copy.
package func convertLastGood(
  _ conversion: Conversion, state: String, counters: Counters = Counters()
) -> Outcome {
  var conversion = conversion
  conversion.readsOneEntry = true
  return convert(conversion, counters: counters) { () throws(PipelineError) in
    .descriptor(try lastGoodCopy(of: conversion, state: state))
  }
}

/// Opens the last good copy of an input.
func lastGoodCopy(
  of conversion: Conversion, state: String
) throws(PipelineError) -> DescriptorSource {
  let folder = FeedFolder(of: conversion.feed.name, in: state)
  let input = try folder.found(InputIdentity(conversion.input, of: conversion.feed))
  guard let copy = try folder.openCopy(of: input) else {
    throw PipelineError(sync: .noCopy(input: input.shown, folder: folder.path))
  }
  return copy
}

/// Returns the path of the last good copy that `sync` keeps of an input. A run of `sync` may
/// replace and remove it at any time. Throws ``SyncFault/noCopy(input:folder:)`` if there is none.
package func lastGoodPath(
  of conversion: Conversion, state: String
) throws(PipelineError) -> String {
  let folder = FeedFolder(of: conversion.feed.name, in: state)
  let input = try folder.found(InputIdentity(conversion.input, of: conversion.feed))
  guard let copy = try folder.read(input)?.copy else {
    throw PipelineError(sync: .noCopy(input: input.shown, folder: folder.path))
  }
  return folder.copy(of: input, copy.slot)
}

/// Finds places in the last good copy that `sync` keeps of a feed. Sends no request, takes no lock.
///
/// It is the copy of the conversion's input, or, if there is none, the newest copy of any other
/// input of the feed. Throws ``SyncFault/noCopy(input:folder:)`` if there is no copy at all. Other
/// inputs whose record cannot be read are passed over; `passedOver` is called with the error of
/// each.
package func findInLastGood(
  _ text: String, in conversion: Conversion, state: String,
  passedOver: (PipelineError) -> Void = { _ in }
) throws(PipelineError) -> SearchResult {
  try Sluice.find(text, in: conversion) { () throws(PipelineError) in
    do throws(PipelineError) {
      return .descriptor(try lastGoodCopy(of: conversion, state: state))
    } catch {
      guard case .sync(.noCopy) = error.fault,
        let copy = try FeedFolder(of: conversion.feed.name, in: state)
          .openNewestCopy(passedOver)
      else { throw error }
      return .descriptor(copy)
    }
  }
}

extension FeedFolder {
  /// Opens the last good copy of an input. Returns nil if there is none.
  fileprivate func openCopy(of input: InputIdentity) throws(PipelineError) -> DescriptorSource? {
    // Between reading the record and opening the copy, a run may replace this copy and remove it.
    for _ in 0..<8 {
      guard let copy = try read(input)?.copy else { break }
      do throws(PipelineError) {
        return try DescriptorSource(file: self.copy(of: input, copy.slot))
      } catch {
        guard case .source(.noFile) = error.fault else { throw error }
      }
    }
    return nil
  }

  /// Opens the copy that was confirmed last, of any input. Returns nil if there is none.
  fileprivate func openNewestCopy(
    _ passedOver: (PipelineError) -> Void
  ) throws(PipelineError) -> DescriptorSource? {
    var newest: (input: InputIdentity, confirmed: Int)?
    for name in try Self.names(in: path) where name.hasSuffix(".json") && !name.hasPrefix(".") {
      let input = InputIdentity(.standardInput).keyed(String(name.dropLast(5)))
      do throws(PipelineError) {
        if let copy = try read(input)?.copy, copy.confirmed > newest?.confirmed ?? .min {
          newest = (input, copy.confirmed)
        }
      } catch {
        passedOver(error)
      }
    }
    return try newest.flatMap { (newest) throws(PipelineError) in try openCopy(of: newest.input) }
  }
}

/// Reads the payload that a killed run had published into the ledger.
///
///     note of the payload ─▶ outputs renamed ─▶ ledger committed ─▶ record
///                                ╰── killed here: the ledger does not know it ──╯
///
/// The payload is still in its file. The ledger reads it as that run would have: with the same day,
/// so that the same events get the same numbers. Their changes wait for the next list. A second
/// recovery changes nothing more.
///
/// Throws only errors of the ledger and of its files. A file that is not the noted one is ignored.
func recoverLedger(
  in folder: String, from path: String, _ pending: SyncRecord.Pending, _ conversion: Conversion
) throws(PipelineError) {
  guard FingerprintTap.fingerprint(ofFile: path)?.description == pending.source else { return }
  var pass = conversion
  pass.outputs = []
  pass.changes = nil
  pass.fileIndex = nil
  pass.rejects = nil
  pass.statistics = nil
  pass.conditions = []
  pass.address = nil
  pass.rejectLimit = .unlimited
  let ledger = try LedgerSession(
    folder: folder, feed: pass.feed, today: pending.today, keepsChanges: true)
  let outcome = convert(pass, ledger, counters: Counters()) { () throws(PipelineError) in
    .descriptor(try DescriptorSource(file: path))
  }
  switch outcome.error?.fault {
  case .ledger?, .sink?: if let error = outcome.error { throw error }
  case .source?, .envelope?, .base64?, .unzip?, .json?, .csv?, .normalize?, .place?, .sync?,
    .history?, .requests?, nil:
    return
  }
}

extension FeedFolder {
  /// Writes the status of each site of a job after a night, from the record.
  ///
  /// It tells when the data was last right, and what has been wrong since. A site that was never
  /// published gets none. Throws if a file cannot be written.
  func writeStatus(of outcome: SyncOutcome, _ job: SyncJob) throws(PipelineError) {
    let sites = job.conversion.sites.filter { OutputSet.isSite($0) }
    guard !sites.isEmpty else { return }
    let input = try settled(InputIdentity(job.conversion.input, of: job.conversion.feed))
    let record = try read(input)
    var status = SiteStatus()
    if let copy = record?.copy {
      status.records = copy.counts.read
      status.rows = copy.counts.rows
      status.rejected = copy.counts.rejected
      status.confirmed = copy.confirmed
    }
    status.ran = record?.ran
    status.next = record?.quietUntil
    if let error = outcome.error {
      let code = "\(error.stage.rawValue): \(error.code)"
      let text = job.publicText?(error) ?? Localized(ru: code, en: code)
      status.error = (code, text)
    }
    for site in sites {
      let set = OutputSet(endsWithItsReaders: false)
      for (name, content) in status.files {
        var writer = try set.open(path: "\(site)\(name)")
        try writer.write(content.span.bytes)
        try writer.finish()
      }
      try set.commit()
    }
  }
}
