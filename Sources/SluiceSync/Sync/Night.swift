import Glibc
import Sluice

/// One night of a job. The lock of its folder is held.
///
/// ``run()`` is the night from top to bottom. The next night reads the record.
struct Night: ~Copyable {
  /// The time in seconds after which the content is requested whole, whatever its validators: a
  /// week.
  private static let longestConfirmation = 7 * 86_400
  /// How far in seconds the clock may be before the last run: a day. Less is a clock that was set.
  private static let clockTolerance = 86_400
  private var job: SyncJob
  private let folder: FeedFolder
  private let input: InputIdentity
  private let rule: RetryRule
  private let limits: HTTPLimits
  private let clock: SyncClock
  private let counters: Counters
  /// When the night began, in seconds since 1970.
  private let now: Int
  /// The day before which a period is past: today, by the feed's clock.
  private let today: Day
  /// The record of the night before, or nil on the first night.
  private let before: SyncRecord?
  /// The current record.
  private var record: SyncRecord

  /// Reads the record of the night before. Throws if the file cannot be read.
  init(
    _ job: SyncJob, in folder: FeedFolder, rule: RetryRule, limits: HTTPLimits, clock: SyncClock,
    counters: Counters
  ) throws(PipelineError) {
    let input = try folder.settled(InputIdentity(job.conversion.input, of: job.conversion.feed))
    let before = try folder.read(input)
    let now = clock.now()
    // Past days would count as days to come. The record stays as it is: the next run compares
    // again.
    if let before, now < before.ran - Self.clockTolerance, !job.accepts {
      throw PipelineError(sync: .clockBack(now: now, before: before.ran))
    }
    let zones = try Zones(of: job.conversion.feed)
    let today = job.today ?? zones.local.day(at: now)
    var places: [String: KnownPlace] = [:]
    if let table = try job.conversion.chosenTables().first {
      for address in job.conversion.addresses {
        places[address] = before?.places.conditions(of: address, in: table).map {
          KnownPlace($0, mayChange: job.accepts)
        }
      }
    }
    self.job = job
    self.folder = folder
    self.rule = rule
    self.limits = job.conversion.limited(limits)
    self.clock = clock
    self.counters = counters
    self.input = input
    self.before = before
    self.now = now
    self.today = today
    record = before ?? SyncRecord(feed: job.conversion.feed.name, input: input.shown, ran: now)
    record.input = input.shown
    self.job.conversion.knownPlaces = places
  }

  /// Runs the night.
  mutating func run() -> SyncOutcome {
    let run = Run(job.conversion, counters: counters)
    do throws(PipelineError) {
      try run.openDiagnostics()
      let ledger = try openLedger()
      try run.openOutputs(ledger, manifest: FileNamesRecord(of: input, in: folder))
      let copy = try fetch()
      let facts = PayloadFacts()
      let counts = try run.read(.descriptor(try copy.open()), payload: facts)
      note(run.places)
      try judge(copy, counts, facts)
      try run.prepare()
      if let ledger, guardsApply(copy, facts) {
        try guards.judge(cancelled: ledger.cancelled.count, of: ledger.cancelled.of)
      }
      try note(copy, facts, run, ledger)
      try run.publish(keepsOwn: !job.accepts)
      try remember(copy, counts, facts)
      return outcome(run, copy, ledger)
    } catch {
      run.abandon()
      return fail(Self.guarded(error), run.statistics)
    }
  }

  /// Makes the outputs of the last good copy if the source could not be used. All of them follow
  /// the options of this night.
  func standIn(for failed: SyncOutcome) -> SyncOutcome {
    var conversion = job.conversion
    // The list stays. What changes with the day waits for the next one.
    conversion.changes = nil
    var stood = failed
    do throws(PipelineError) {
      var ledger: LedgerSession?
      if conversion.feed.keepsLedger {
        let path = try folder.makeLedger(of: input)
        let session = try LedgerSession(
          folder: path, feed: conversion.feed, today: today, keepsChanges: true)
        try refuseNewLedger(session, in: path)
        ledger = session
      }
      let outcome = convert(
        conversion, ledger, manifest: FileNamesRecord(of: input, in: folder), counters: Counters()
      ) { () throws(PipelineError) in
        .descriptor(try lastGoodCopy(of: conversion, state: job.state))
      }
      stood.statistics = outcome.statistics
      (stood.places, stood.nearPlaces) = (outcome.places, outcome.nearPlaces)
      if let error = outcome.error { throw error }
    } catch {
      stood.standsSince = nil
      switch error.fault {
      // The error of the source matters more than a missing copy.
      case .sync(.noCopy): break
      case .sink, .ledger, .sync: stood.error = error
      default: break
      }
    }
    return stood
  }

  // MARK: Before the pass

  /// Opens the feed's ledger, or returns nil if the feed keeps none.
  ///
  /// The ledger is opened even if no calendar is requested, so that it has the feed from the first
  /// night on.
  private func openLedger() throws(PipelineError) -> LedgerSession? {
    let feed = job.conversion.feed
    guard feed.keepsLedger else { return nil }
    let path = try folder.makeLedger(of: input)
    if let pending = before?.publishing, pending.stands {
      // A folder without a ledger is refused before anything is written to it.
      try refuseNewLedger(
        LedgerSession(
          folder: path, feed: feed, today: today, accepts: job.accepts), in: path)
      try recoverLedger(
        in: path, from: folder.copy(of: input, pending.slot), pending, job.conversion)
      return try LedgerSession(
        folder: path, feed: feed, today: today, accepts: job.accepts)
    }
    let ledger = try LedgerSession(
      folder: path, feed: feed, today: today, accepts: job.accepts)
    try refuseNewLedger(ledger, in: path)
    return ledger
  }

  /// Throws if the ledger is new although a copy was published. Events must never be renumbered
  /// silently.
  private func refuseNewLedger(_ ledger: LedgerSession, in path: String) throws(PipelineError) {
    if ledger.isNew, before?.copy != nil, !job.accepts {
      throw PipelineError(sync: .ledgerGone(folder: path))
    }
    if !ledger.differences.isEmpty, !job.accepts {
      throw PipelineError(
        sync: .otherDocument(
          feed: job.conversion.feed.name, differences: ledger.differences))
    }
  }

  /// Returns the copy to read: the last good one, or a new one.
  private func fetch() throws(PipelineError) -> NightCopy {
    guard let copy = before?.copy else { return try fetch(into: .a) }
    // A copy that was lost or damaged is fetched again, even if the server has no newer content.
    let path = folder.copy(of: input, copy.slot)
    guard FingerprintTap.fingerprint(ofFile: path)?.description == copy.source else {
      return try fetch(into: copy.slot.other, isReplacement: true)
    }
    if isRecent(copy) { return NightCopy(.kept, in: copy.slot, path: path) }
    // A server whose validators never change would confirm old content for ever.
    let isTrusted = (0..<Self.longestConfirmation).contains(now - copy.fetched)
    return try fetch(
      into: copy.slot.other, unlessAs: isTrusted ? copy.validators : HTTPValidators())
  }

  /// Whether it is too early for another request. If the clock was set back, it is not.
  private func isRecent(_ copy: SyncRecord.Copy) -> Bool {
    guard before?.publishing == nil, !copy.isDoubtful, hasMaxAge else { return false }
    return (0..<max(0, job.maxAge)).contains(now - copy.confirmed)
  }

  /// Whether this input has one maximum age for all of its answers.
  private var hasMaxAge: Bool {
    switch job.conversion.input {
    case .url: true
    case .requests: job.conversion.feed.requests?.hasOwnAges == false
    case .file, .standardInput, .bytes: false
    }
  }

  /// Fetches the source into a slot. A server that knows the validators may answer that nothing
  /// changed.
  private func fetch(
    into slot: SyncRecord.Slot, unlessAs validators: HTTPValidators = HTTPValidators(),
    isReplacement: Bool = false
  ) throws(PipelineError) -> NightCopy {
    let path = folder.copy(of: input, slot)
    unlink(path)
    let requests = try RequestCollection(
      job.conversion, isLocked: true, maxAge: job.maxAge, acceptsEmpty: job.accepts,
      rule: rule, limits: limits, clock: clock, counters: counters)
    try requests?.collect()
    let fetcher = Fetcher(
      conversion: job.conversion, validators: validators, rule: rule, limits: limits,
      clock: clock, requests: requests, counters: counters)
    switch try fetcher.fetch(into: path) {
    case .content(let content, let validators):
      let file = FetchedFile(path)
      let origin = NightCopy.Origin.fetched(
        content, validators, file, isReplacement: isReplacement)
      return NightCopy(origin, in: slot, path: path, requests: requests)
    case .notModified(let validators):
      return NightCopy(
        .confirmed(validators), in: slot.other, path: folder.copy(of: input, slot.other),
        requests: requests)
    }
  }

  // MARK: After the pass

  /// Notes the places that were chosen for the addresses.
  private mutating func note(_ places: [String: ChosenPlace]) {
    // In the order of the job: the oldest are forgotten first.
    for address in job.conversion.addresses {
      if let place = places[address] { record.places.note(address, place.conditions) }
    }
  }

  /// An error that a person can allow. A place that is not in the feed may be there tomorrow.
  private static func guarded(_ error: PipelineError) -> PipelineError {
    guard case .place(.absent(let text, let near)) = error.fault else { return error }
    return PipelineError(sync: .noPlace(text, near: near))
  }

  /// Applies the guards.
  private func judge(
    _ copy: NightCopy, _ counts: Statistics, _ facts: PayloadFacts
  ) throws(PipelineError) {
    if let last = before?.copy, guardsApply(copy, facts) {
      try guards.judge(
        records: counts.read, rows: mayHaveNoRows ? nil : counts.rows,
        lastDay: counts.lastDayOfFeed,
        version: facts.version, after: last)
    }
  }

  /// Whether it is right that there are no rows. One place may have nothing at the moment, and the
  /// days from today on may have none one day. Rows that each output chooses are counted before it
  /// does.
  private var mayHaveNoRows: Bool {
    let asked = job.conversion
    guard !asked.hasOwnSelections else { return false }
    return asked.address != nil || asked.from != nil || asked.to != nil
      || asked.conditions.contains { $0.comparison != .equal }
  }

  private var guards: Guards { Guards(maxShrink: job.maxShrink, today: today) }

  /// Whether the guards judge this payload. One that was noted by an earlier run was judged, or
  /// accepted, by that run.
  private func guardsApply(_ copy: NightCopy, _ facts: PayloadFacts) -> Bool {
    let payload = copy.payload(facts)
    let isNoted = payload != nil && payload == before?.publishing?.payload
    return !job.accepts && !isNoted
  }

  /// Notes in the record the payload that is about to be published, and the fingerprints of the
  /// outputs that will show whether it was.
  private mutating func note(
    _ copy: NightCopy, _ facts: PayloadFacts, _ run: borrowing Run, _ ledger: LedgerSession?
  ) throws(PipelineError) {
    guard var pending = pending(copy, copy.payload(facts)) else { return }
    if ledger != nil {
      pending.evidence = try run.evidence().map { output in
        SyncRecord.Evidence(
          path: InputName.absolute(output.path), content: "\(output.content)")
      }
    }
    copy.keep()
    record.publishing = pending
    try folder.write(record, of: input)
  }

  /// The note for the record, or nil if the ledger and the outputs have this payload already.
  private func pending(_ copy: NightCopy, _ payload: String?) -> SyncRecord.Pending? {
    if case .fetched(let content, _, _, _) = copy.origin, let payload,
      payload != before?.copy?.payload || before?.publishing != nil
    {
      return SyncRecord.Pending(
        slot: copy.slot, source: "\(content)", payload: payload, today: today)
    }
    // The source is back at the last good copy, after a run had begun to publish another payload.
    guard let last = before?.copy, before?.publishing != nil else { return nil }
    return SyncRecord.Pending(
      slot: last.slot, source: last.source, payload: last.payload, today: today)
  }

  /// Writes the record of a night that ended well.
  private func remember(
    _ copy: NightCopy, _ counts: Statistics, _ facts: PayloadFacts
  ) throws(PipelineError) {
    let last = lastGood(copy, counts, facts)
    if last.slot == copy.slot { copy.keep() }
    var record = ended(record)
    record.result = last.payload == before?.copy?.payload ? .unchanged : .published
    record.copy = last
    record.publishing = nil
    try folder.write(record, of: input)
    unlink(folder.copy(of: input, last.slot.other))
    copy.requests?.forget(after: nil)
  }

  /// The record with the time of this run.
  private func ended(_ record: SyncRecord) -> SyncRecord {
    var record = record
    record.ran = clock.now()
    if hasMaxAge { record.maxAge = job.maxAge }
    return record
  }

  /// The last good copy after this night.
  private func lastGood(
    _ copy: NightCopy, _ counts: Statistics, _ facts: PayloadFacts
  ) -> SyncRecord.Copy {
    var last = before?.copy ?? SyncRecord.Copy()
    last.counts = SyncRecord.Counts(counts)
    last.lastDay = counts.lastDayOfFeed
    switch copy.origin {
    case .kept: break
    case .confirmed(let validators):
      last.validators = validators
      last.confirmed = now
    case .fetched(let content, let validators, _, let isReplacement):
      let payload = copy.payload(facts) ?? ""
      // The same payload in another envelope is the same content.
      let isSame = before?.copy?.payload == payload
      last.validators = validators
      last.confirmed = now
      last.fetched = now
      last.version = facts.version
      last.isDoubtful = if case .changed? = copy.requests?.doubt { true } else { false }
      guard !isSame || isReplacement else { break }
      last.slot = copy.slot
      last.size = content.length
      last.source = "\(content)"
      last.payload = payload
      if !isSame { last.taken = now }
    }
    return last
  }

  private func outcome(
    _ run: borrowing Run, _ copy: NightCopy, _ ledger: LedgerSession?
  ) -> SyncOutcome {
    var outcome = SyncOutcome(statistics: run.statistics)
    (outcome.places, outcome.nearPlaces) = (run.places, run.nearPlaces)
    outcome.changes = ledger?.changes
    outcome.shortfall = copy.requests?.shortfall
    outcome.doubt = copy.requests?.doubt
    return outcome
  }

  /// Writes the record of a night that failed. The outcome says whether the last good copy may be
  /// used instead.
  private func fail(_ error: PipelineError, _ counts: Statistics) -> SyncOutcome {
    var record = ended(record)
    record.result = SyncRecord.Result(error)
    // The first error is the one to report: a later one is dropped.
    try? folder.write(record, of: input)
    if let requests = job.conversion.feed.requests {
      folder.answers(of: input).forget(requests, after: error)
    }
    var outcome = SyncOutcome(error: error, statistics: counts)
    if let copy = record.copy, let limit = job.staleOK, record.publishing == nil,
      record.result == .unreachable || record.result == .badData,
      now - copy.confirmed <= limit
    {
      outcome.standsSince = copy.confirmed
    }
    return outcome
  }
}

/// The copy of the source that a night reads.
private struct NightCopy {
  /// The origin of the copy.
  enum Origin {
    /// The last good copy is recent enough: no request was made.
    case kept
    /// The server says that the last good copy is still current.
    case confirmed(HTTPValidators)
    /// It is new. It may replace a copy that was lost.
    case fetched(Fingerprint, HTTPValidators, FetchedFile, isReplacement: Bool)
  }

  let origin: Origin
  let slot: SyncRecord.Slot
  let path: String
  /// The requests that were made for it, or nil if the feed has no requests of its own.
  let requests: RequestCollection?

  init(
    _ origin: Origin, in slot: SyncRecord.Slot, path: String, requests: RequestCollection? = nil
  ) {
    self.origin = origin
    self.slot = slot
    self.path = path
    self.requests = requests
  }

  func open() throws(PipelineError) -> DescriptorSource { try DescriptorSource(file: path) }

  /// Returns the fingerprint of a new copy's payload, or nil if the copy is not new.
  func payload(_ facts: PayloadFacts) -> String? {
    guard case .fetched(let content, _, _, _) = origin else { return nil }
    return "\(facts.fingerprint ?? content)"
  }

  /// Keeps the file of a new copy when the night ends.
  func keep() {
    if case .fetched(_, _, let file, _) = origin { file.keep() }
  }
}

/// A file that was fetched. It is removed at the end of the night unless ``keep()`` is called.
private final class FetchedFile {
  private let path: String
  private var isKept = false

  init(_ path: String) { self.path = path }

  deinit { if !isKept { unlink(path) } }

  func keep() { isKept = true }
}
