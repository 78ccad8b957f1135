import Glibc

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
  /// How many answers of a run before, which was to be gone on with, were too old for that: all was
  /// asked anew.
  public var outdated = 0
  /// What changed among the events; nil where nobody keeps book of them, or nothing was published.
  public var changes: LedgerChanges?
  /// Where the source could not be used, and the last good copy is recent enough to stand for it:
  /// when that was last known to be what the source has, in seconds since 1970.
  public var standsSince: Int?
}

/// Converts the last good copy of an input that `sync` keeps, without asking for the input.
///
/// It takes no lock: a copy that is read stays whole, whatever a run of `sync` does meanwhile.
/// Throws nothing; the outcome's error is ``SyncFault/noCopy(input:folder:)`` where there is none.
public func convertLastGood(_ conversion: Conversion, state: String) -> Outcome {
  var steps = LastGoodSteps(conversion, state: state)
  return convert(conversion, &steps)
}

/// The steps around a conversion of a last good copy.
private struct LastGoodSteps: RunSteps, ~Copyable {
  private let folder: FeedFolder
  private let input: InputIdentity
  private var opened: DescriptorSource?

  init(_ conversion: Conversion, state: String) {
    folder = FeedFolder(of: conversion.feed.name, in: state)
    input = InputIdentity(conversion.input, of: conversion.feed)
  }

  var payload: PayloadFacts? { nil }
  var ledger: LedgerSession? { nil }
  var today: Day { Day(number: 0) }

  mutating func begin() throws(PipelineError) { opened = try open() }

  mutating func source() throws(PipelineError) -> Source {
    if let opened = opened.take() { return .descriptor(opened) }
    return .descriptor(try open())
  }

  mutating func judge(_ statistics: Statistics) {}

  private func open() throws(PipelineError) -> DescriptorSource {
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
}

/// Tells the ledger what a run that was cut off had begun to publish, for it may have been published.
///
///     note of the payload ─▶ outputs renamed ─▶ ledger committed ─▶ record
///                         ╰── cut off here: the ledger never heard ──╯
///
/// The payload still lies in its file. The ledger takes it as that run would have: by the same day,
/// so that the same events get the same numbers. Should they not have been published after all,
/// nothing is lost by that: the next calendar follows from them. Their changes wait for the next
/// list. Doing it twice changes nothing more.
///
/// Throws what is wrong with the ledger only: a file that is not what was noted is passed over.
func heal(
  ledgerIn folder: String, from path: String, _ pending: SyncRecord.Pending,
  _ conversion: Conversion
) throws(PipelineError) {
  guard FingerprintTap.fingerprint(ofFile: path)?.description == pending.source else { return }
  var pass = conversion.again
  pass.outputs = []
  pass.changes = nil
  pass.rejects = nil
  pass.statistics = nil
  pass.conditions = []
  pass.rejectLimit = .count(.max)
  var steps = HealingSteps(folder: folder, feed: pass.feed, path: path, today: pending.today)
  guard let error = convert(pass, &steps).error else { return }
  switch error.fault {
  case .ledger, .sink: throw error
  case .source, .envelope, .base64, .unzip, .json, .csv, .normalize, .sync, .requests: return
  }
}

/// The steps around a pass that has no outputs but the ledger.
private struct HealingSteps: RunSteps, ~Copyable {
  private let folder: String
  private let feed: Feed
  private let path: String
  let today: Day
  private(set) var ledger: LedgerSession?

  init(folder: String, feed: Feed, path: String, today: Day) {
    self.folder = folder
    self.feed = feed
    self.path = path
    self.today = today
  }

  var payload: PayloadFacts? { nil }

  mutating func begin() throws(PipelineError) {
    ledger = try LedgerSession(folder: folder, feed: feed, keepsChanges: true)
  }

  mutating func source() throws(PipelineError) -> Source {
    .descriptor(try DescriptorSource(file: path))
  }

  mutating func judge(_ statistics: Statistics) {}
}

/// The steps of one run around its pass, and what it has learned.
struct SyncSteps: RunSteps, ~Copyable {
  private let job: SyncJob
  private let folder: FeedFolder
  private let input: InputIdentity
  private let before: SyncRecord?
  private let clock: SyncClock
  private let now: Int
  private var fetcher: Fetcher
  private let facts = PayloadFacts()
  /// What was fetched; nil where nothing was.
  private var fetched: Fetcher.Result?
  /// The file of the last good copy has gone, or is not what it was.
  private var isLost = false
  /// Where what was fetched lies; nil where nothing was, or the copy is what the source has.
  private var slot: SyncRecord.Slot?
  /// What was collected, where the feed asks several requests.
  private var requests: RequestCollection?
  /// What this run has begun to publish.
  private var publishing: SyncRecord.Pending?

  init(
    _ job: SyncJob, _ folder: FeedFolder, _ input: InputIdentity, _ record: SyncRecord?,
    rule: RetryRule, limits: HTTPLimits, clock: SyncClock
  ) {
    self.job = job
    self.folder = folder
    self.input = input
    self.clock = clock
    before = record
    now = clock.now()
    fetcher = Fetcher(conversion: job.conversion, rule: rule, limits: limits, clock: clock)
  }

  var payload: PayloadFacts? { facts }
  private(set) var ledger: LedgerSession?

  mutating func begin() throws(PipelineError) {
    // Whether a calendar is asked for tonight or not: the ledger knows the feed from its first night.
    let feed = job.conversion.feed
    guard feed.keepsLedger else { return }
    let place = try folder.makeLedger(of: input)
    ledger = try LedgerSession(folder: place, feed: feed)
    // What was there before it was published. Nobody may number events anew without a word.
    if ledger?.isNew == true, before?.copy != nil, !job.accepts {
      throw PipelineError(sync: .ledgerGone(folder: place))
    }
    guard let pending = before?.publishing else { return }
    ledger = nil
    try heal(ledgerIn: place, from: folder.copy(of: input, pending.slot), pending, job.conversion)
    ledger = try LedgerSession(folder: place, feed: feed)
  }

  mutating func source() throws(PipelineError) -> Source {
    guard let copy = before?.copy else { return try fetchAnew(into: .a) }
    // A copy that was lost or damaged is fetched again, whatever the server says of it.
    let known = folder.copy(of: input, copy.slot)
    guard FingerprintTap.fingerprint(ofFile: known)?.description == copy.source else {
      isLost = true
      return try fetchAnew(into: copy.slot.other)
    }
    if isQuiet(copy) { return .descriptor(try DescriptorSource(file: known)) }
    fetcher.validators = copy.validators
    return try fetchAnew(into: copy.slot.other)
  }

  /// Whether it is too early for another request. A clock that went back counts as late.
  private func isQuiet(_ copy: SyncRecord.Copy) -> Bool {
    guard before?.publishing == nil, !copy.isDoubtful else { return false }
    switch job.conversion.input {
    case .url: break
    case .requests where job.conversion.feed.requests?.hasOwnAges == false: break
    case .requests, .file, .standardInput: return false
    }
    return (0..<max(0, job.maxAge)).contains(now - copy.confirmed)
  }

  private mutating func fetchAnew(into slot: SyncRecord.Slot) throws(PipelineError) -> Source {
    let path = folder.copy(of: input, slot)
    unlink(path)
    requests = try RequestCollection(
      job.conversion, isLocked: true, maxAge: job.maxAge, acceptsEmpty: job.accepts,
      rule: fetcher.rule, limits: fetcher.limits, clock: clock)
    try requests?.collect()
    fetcher.requests = requests
    let result = try fetcher.fetch(into: path)
    fetched = result
    switch result {
    case .content:
      self.slot = slot
      return .descriptor(try DescriptorSource(file: path))
    case .notModified:
      let known = folder.copy(of: input, slot.other)
      return .descriptor(try DescriptorSource(file: known))
    }
  }

  mutating func judge(_ statistics: Statistics) throws(PipelineError) {
    // What was about to be published has been judged, or blessed, before.
    let isKnown = newPayload != nil && newPayload == before?.publishing?.payload
    if let copy = before?.copy, !job.accepts, !isKnown {
      let guards = Guards(maxShrink: job.maxShrink, today: today)
      try guards.judge(
        records: statistics.read, lastDay: statistics.lastDayOfFeed, version: facts.version,
        after: copy)
    }
    guard let pending else { return }
    publishing = pending
    var record = record
    record.publishing = pending
    try folder.write(record, of: input)
  }

  /// What outputs are about to be made of; nil where the ledger and the outputs have it already.
  private var pending: SyncRecord.Pending? {
    let copy = before?.copy
    if case .content(let content, _)? = fetched, let slot, let payload = newPayload,
      payload != copy?.payload || before?.publishing != nil
    {
      return SyncRecord.Pending(slot: slot, source: "\(content)", payload: payload, today: today)
    }
    // Back to the copy from what was begun in between.
    guard let copy, before?.publishing != nil else { return nil }
    return SyncRecord.Pending(
      slot: copy.slot, source: copy.source, payload: copy.payload, today: today)
  }

  /// The record to go on from.
  private var record: SyncRecord {
    if let before { return before }
    var record = SyncRecord(feed: job.conversion.feed.name, input: input.shown)
    record.ran = now
    return record
  }

  /// Tells the payload that was fetched from others; nil where nothing was.
  private var newPayload: String? {
    guard case .content(let content, _)? = fetched else { return nil }
    return "\(facts.fingerprint ?? content)"
  }

  var today: Day {
    let seconds = now + job.conversion.feed.clockOffset
    return job.today ?? Day(number: Int32(clamping: seconds / 86_400))
  }

  // MARK: The end

  /// Remembers how the run ended.
  consuming func end(_ outcome: Outcome) -> SyncOutcome {
    var record = record
    record.ran = clock.now()
    switch job.conversion.input {
    case .url: record.maxAge = job.maxAge
    case .requests where job.conversion.feed.requests?.hasOwnAges == false:
      record.maxAge = job.maxAge
    case .requests, .file, .standardInput: break
    }
    if let error = outcome.error { return fail(error, outcome.statistics, record) }
    let copy = self.copy(outcome.statistics)
    record.result = copy.payload == record.copy?.payload ? .unchanged : .published
    record.copy = copy
    record.publishing = nil
    do throws(PipelineError) {
      try folder.write(record, of: input)
    } catch {
      return SyncOutcome(error: error, statistics: outcome.statistics)
    }
    unlink(folder.copy(of: input, copy.slot.other))
    requests?.forget(after: nil)
    var result = SyncOutcome(statistics: outcome.statistics)
    result.changes = ledger?.changes
    result.shortfall = requests?.shortfall
    result.doubt = requests?.doubt
    result.outdated = requests?.outdated ?? 0
    return result
  }

  private func fail(
    _ error: PipelineError, _ statistics: Statistics, _ record: SyncRecord
  ) -> SyncOutcome {
    var record = record
    record.result = SyncRecord.Result(error)
    record.publishing = publishing ?? record.publishing
    // The first error is the one to hear of.
    try? folder.write(record, of: input)
    requests?.forget(after: error)
    if let slot, publishing == nil { unlink(folder.copy(of: input, slot)) }
    var outcome = SyncOutcome(error: error, statistics: statistics)
    outcome.outdated = requests?.outdated ?? 0
    if let copy = record.copy, let limit = job.staleOK, record.publishing == nil,
      record.result == .unreachable || record.result == .badData,
      now - copy.confirmed <= limit
    {
      outcome.standsSince = copy.confirmed
    }
    return outcome
  }

  /// The last good copy that this run leaves.
  private func copy(_ statistics: Statistics) -> SyncRecord.Copy {
    var copy = before?.copy ?? SyncRecord.Copy()
    copy.counts = SyncRecord.Counts(statistics)
    copy.lastDay = statistics.lastDayOfFeed
    switch fetched {
    case nil: break
    case .notModified(let validators)?:
      copy.validators = validators
      copy.confirmed = now
    case .content(let content, let validators)?:
      copy.validators = validators
      copy.confirmed = now
      // The same payload in another envelope is the same content.
      let isSame = before?.copy?.payload == newPayload
      copy.version = facts.version
      copy.isDoubtful = if case .changed? = requests?.doubt { true } else { false }
      guard !isSame || isLost else { break }
      copy.slot = before?.copy?.slot.other ?? .a
      copy.size = content.length
      copy.source = "\(content)"
      copy.payload = newPayload ?? ""
      if !isSame { copy.taken = now }
    }
    return copy
  }
}
