import Glibc

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
