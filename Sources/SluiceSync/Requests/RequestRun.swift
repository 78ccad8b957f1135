import Sluice

/// Makes one document of the answers to all requests of a feed.
///
///     init ─▶ collect ─▶ push … ─▶ forget
///     lock    requests   document  after the outputs are published
///
/// Until `forget` every answer is a file in the state folder. A run that fails leaves them there.
/// The next run, if it resumes, asks only for the rest.
final class RequestCollection: ByteProvider {
  private let conversion: Conversion
  private let requests: FeedRequests
  private let input: RequestInput
  private let options: Options
  private let folder: FeedFolder
  private let identity: InputIdentity
  private let store: AnswerStore
  private let lock: RunLock?
  private let counters: Counters
  private var document: JoinedDocument?
  /// The requests that are missing in a document that may be published without them.
  private(set) var shortfall: PipelineError?
  /// A reason to doubt the list.
  private(set) var doubt: ListDoubt?

  /// The options of a run's requests.
  fileprivate struct Options {
    /// The number of seconds for which an answer is good.
    let maxAge: Int
    /// Whether an answer without records may replace one that has some.
    let acceptsEmpty: Bool
    let rule: RetryRule
    let limits: HTTPLimits
    let clock: SyncClock
  }

  /// Prepares the requests of a conversion. Returns nil if its input has none. Acquires the lock of
  /// the feed's folder, unless `isLocked` says that the caller has it.
  ///
  /// Throws if the folder cannot be made or another run has the lock.
  init?(
    _ conversion: Conversion, isLocked: Bool = false, maxAge: Int? = nil,
    acceptsEmpty: Bool = false, rule: RetryRule = RetryRule(),
    limits: HTTPLimits = HTTPLimits(), clock: SyncClock = .system, counters: Counters
  ) throws(PipelineError) {
    guard case .requests(let input) = conversion.input, let requests = conversion.feed.requests
    else { return nil }
    folder = FeedFolder(of: conversion.feed.name, in: input.state)
    try folder.make()
    lock = isLocked ? nil : try RunLock(folder)
    identity = try folder.settled(InputIdentity(conversion.input, of: conversion.feed))
    store = try folder.makeAnswers(of: identity)
    self.counters = counters
    self.conversion = conversion
    self.requests = requests
    self.input = input
    options = Options(
      maxAge: maxAge ?? conversion.feed.maxAge, acceptsEmpty: acceptsEmpty, rule: rule,
      // A night has begun earlier, and its limits have an end already.
      limits: limits.deadline == nil ? conversion.limited(limits) : limits, clock: clock)
  }

  /// Sends the requests for all missing answers. Blocks until the end. Throws if the document
  /// cannot be made.
  func collect() throws(PipelineError) {
    try prepareFolder()
    var planner = QueuePlanner(conversion, requests, input, store, options)
    let queue = try planner.queue()
    counters.outdatedAnswers.set(planner.outdated)
    let kept = queue.document.parts.reduce(0) { $0 + $1.answer.length }
    let outcome = try collector(kept: kept).run(queue)
    // Pages of a list that has changed must not be used by the next run.
    if let pages = outcome.queue as? PageQueue { try store.remove { !pages.uses($0) } }
    let made = outcome.queue.document
    if let failure = OutcomeJudge(conversion, requests, input).failure(of: outcome) {
      shortfall = try published(made, despite: failure)
    }
    document = made
    doubt = outcome.queue.doubt
  }

  /// Sends the requests for all missing answers, then writes the document to a stage. Throws if the
  /// document cannot be made, and the stage's errors.
  func read<S: ByteStage & ~Copyable>(
    into stage: inout S, counters: Counters, date: ContentDate
  ) throws(PipelineError) {
    try collect()
    try push(into: &stage, counters: counters, date: date)
  }

  /// Writes the document to a stage. Does not finish the stage.
  func push<S: ByteStage & ~Copyable>(
    into stage: inout S, counters: Counters, date: ContentDate
  ) throws(PipelineError) {
    try document?.push(
      into: &stage, members: conversion.feed.requestMembers, counters: counters, date: date)
  }

  /// Removes the answers if no later run will need them: the outputs are published, or their last
  /// reader has gone.
  func forget(after error: PipelineError?) {
    store.forget(requests, after: error)
  }

  /// Removes the leftovers of earlier runs, and adds the term to the history of searches.
  private func prepareFolder() throws(PipelineError) {
    let now = options.clock.now()
    folder.sweep(beside: identity, now: now)
    // The lock is held, so a temporary file is from a run that was killed.
    try store.removeTemporaries()
    if let term = input.search {
      try SearchHistory(folder).note(PastSearch(term: term, at: now))
    }
  }

  private func collector(kept: Int) -> Collector {
    let (feed, requests) = (conversion.feed, requests)
    return Collector(
      store: store, reading: { requests.reading(feed, of: $0) }, requests: requests,
      certificateFile: conversion.certificateFile, headers: conversion.headers,
      secrets: input.secrets, pace: Pace(perSecond: requests.perSecond, clock: options.clock),
      rule: options.rule, limits: options.limits, clock: options.clock, counters: counters,
      limit: answerLimit, budget: AnswerBudget(kept, of: conversion.maxSize))
  }

  /// The number of an answer's records that may be rejected. An answer that replaces a good one is
  /// judged alone. All others are judged as one document, because their last page may have only one
  /// record.
  private var answerLimit: RejectLimit {
    requests.hasOwnAges ? conversion.rejectLimit : .unlimited
  }

  /// Returns the failure as the shortfall of a document that may be published in spite of it.
  /// Throws it otherwise.
  private func published(
    _ document: JoinedDocument, despite failure: PipelineError
  ) throws(PipelineError) -> PipelineError {
    guard requests.publication == .stale, !document.parts.isEmpty, !failure.isLocal,
      case .requests(var fault) = failure.fault
    else { throw failure }
    fault.isPublished = true
    return PipelineError(fault)
  }
}

/// Makes the queue of a feed's requests, with the answers that an earlier run kept.
private struct QueuePlanner {
  /// The maximum age in seconds of an answer to resume from. Pages of two days do not make one
  /// list.
  private static let longestResume = 86_400

  private let feed: Feed
  private let requests: FeedRequests
  private let input: RequestInput
  private let store: AnswerStore
  private let options: RequestCollection.Options
  private let maker: RequestURLMaker
  /// The number of kept answers that were too old to resume from.
  private(set) var outdated = 0

  init(
    _ conversion: Conversion, _ requests: FeedRequests, _ input: RequestInput,
    _ store: AnswerStore, _ options: RequestCollection.Options
  ) {
    feed = conversion.feed
    self.requests = requests
    self.input = input
    self.store = store
    self.options = options
    maker = RequestURLMaker(
      parameters: requests.parameters, mirror: input.mirror, secrets: input.secrets)
  }

  /// Makes the queue. Removes the answers that it cannot use.
  mutating func queue() throws(PipelineError) -> any RequestQueue {
    switch requests.plan {
    case .one(let url):
      let request = PlannedRequest(
        name: .document, file: "answer", url: maker.url(url, more: searchParameters))
      return NamedQueue([(request, .whole)], kept: try resumable())
    case .named(let named):
      return NamedQueue(named.map(request), kept: try resumable())
    case .pages(let url, let paging):
      let plan = PagePlan(
        base: url, paging: paging, maker: maker, more: searchParameters,
        countsElements: requests.reading(feed, of: .page(1))?.hasOneList ?? false)
      let queue = PageQueue(plan, kept: try resumable())
      try store.remove { !queue.uses($0) }
      return queue
    case .items(let url, let list):
      return try itemQueue(list, url)
    }
  }

  private func request(
    _ named: FeedRequests.Named
  ) -> (request: PlannedRequest, role: JoinedDocument.Role) {
    let request = PlannedRequest(
      name: .named(named.name), file: "named-\(named.name)", url: maker.url(named.url))
    return (request, .member(named.name))
  }

  private func itemQueue(_ list: ItemList, _ url: String) throws(PipelineError) -> ItemQueue {
    let names = ItemNames(list, of: feed, in: input.state)
    let items = try names.read().map { name in
      ItemQueue.Item(
        request: PlannedRequest(
          name: .item(name), file: ItemNames.file(of: name),
          url: maker.url(url, values: [list.item: name])),
        name: name)
    }
    guard !items.isEmpty else { throw PipelineError(.source(.nothingToAsk(list: list.name))) }
    // Items that were removed from the list still have answers.
    let files = Set(items.map(\.request.file))
    try store.remove { !files.contains($0) }
    return ItemQueue(
      items, as: list.item, kept: try readAnswers(), maxAge: options.maxAge,
      now: options.clock.now(), acceptsEmpty: options.acceptsEmpty)
  }

  /// The parameters of the term that is searched for.
  private var searchParameters: [(name: String, value: String)] {
    guard let search = requests.search, let term = input.search else { return [] }
    return [(search.parameter, term)]
  }

  /// Returns the answers to resume from: all of them, or none if one is too old. So no document is
  /// made of answers from different times.
  private mutating func resumable() throws(PipelineError) -> [String: KeptAnswer] {
    guard input.resumes else {
      try store.remove { _ in true }
      return [:]
    }
    let kept = try readAnswers()
    // A `maxAge` of 0 means that finished answers are not reused. It does not limit a resumed run.
    let limit = min(options.maxAge > 0 ? options.maxAge : feed.maxAge, Self.longestResume)
    let now = options.clock.now()
    // An answer from the future counts as too old: the clock was set back.
    if kept.values.allSatisfy({ (0...limit).contains(now - $0.facts.answered) }) { return kept }
    outdated = kept.count
    try store.remove { _ in true }
    return [:]
  }

  /// Reads all answers. Removes those that were changed since they were written.
  private func readAnswers() throws(PipelineError) -> [String: KeptAnswer] {
    var kept: [String: KeptAnswer] = [:]
    for name in try store.names() { kept[name] = store.answer(name) }
    try store.remove { kept[$0] == nil }
    return kept
  }
}

/// Decides which error a run ends with.
private struct OutcomeJudge {
  private let conversion: Conversion
  private let requests: FeedRequests
  private let input: RequestInput

  init(_ conversion: Conversion, _ requests: FeedRequests, _ input: RequestInput) {
    self.conversion = conversion
    self.requests = requests
    self.input = input
  }

  /// The error that the run ends with, or nil if nothing is missing.
  func failure(of outcome: Collector.Outcome) -> PipelineError? {
    guard let (name, error) = decisive(of: outcome) else {
      return outcome.queue.isComplete ? nil : PipelineError(.source(.paging(.unfinished)))
    }
    var fault = RequestsFault(
      first: error, name: name, missing: outcome.queue.missing, kept: outcome.queue.done,
      remedy: requests.hasOwnAges ? .again : .resume)
    fault.ages = outcome.queue.ages
    fault.search = search(for: name)
    if error.class == .unauthorized {
      fault.variables = requests.variables + conversion.feed.headers.flatMap(\.variables)
    }
    if case .one = requests.plan, fault.variables.isEmpty { return error }
    return PipelineError(fault)
  }

  /// The failure to report: a local one, or the first in the order of the document. Their order in
  /// time is random.
  private func decisive(
    of outcome: Collector.Outcome
  ) -> (name: RequestName, error: PipelineError)? {
    let failures = outcome.failures
    return failures.first { $0.error.isLocal }
      ?? outcome.queue.missing.lazy.compactMap { name in failures.first { $0.name == name } }.first
      ?? failures.first
  }

  /// The search that may find the right name of an item that was not found.
  private func search(for name: RequestName) -> RequestsFault.Search? {
    guard case .item(let item) = name, let search = requests.items?.search,
      item.count >= search.least
    else { return nil }
    return RequestsFault.Search(
      mirror: input.mirror.map { input.secrets.hide(in: Redaction.url($0)) },
      needsDocument: Feed.document(named: conversion.feed.name) == nil)
  }
}

extension Feed {
  /// Whether the rows of all tables are elements of the same array.
  fileprivate var hasOneList: Bool {
    let lists = tables.map { table in table.rows.steps.prefix { !$0.isWild } }
    return lists.allSatisfy { $0 == lists.first }
  }
}

extension FeedRequests {
  /// The feed that the answer to one request is checked as, or nil if the answer has no rows of its
  /// own.
  func reading(_ feed: Feed, of name: RequestName) -> Feed? {
    switch plan {
    case .one: feed.inside([])
    case .named:
      if case .named(let key) = name { feed.inside([.key(key)]) } else { nil }
    case .pages, .items: feed.joined.inside(Joined.answerSteps)
    }
  }
}

/// The outcome of a conversion whose input may be a feed's own requests.
public struct RequestOutcome: Sendable {
  /// How the run ended.
  public var run: Outcome
  /// The requests that failed, if the outputs were published without their answers.
  public var shortfall: PipelineError?
  /// Why a list that was read in pages may be incomplete, or nil if nothing is doubtful.
  package var doubt: ListDoubt?

  /// Makes an outcome. By default nothing is missing.
  package init(run: Outcome, shortfall: PipelineError? = nil, doubt: ListDoubt? = nil) {
    self.run = run
    self.shortfall = shortfall
    self.doubt = doubt
  }
}

/// Runs a conversion. Sends a feed's own requests, and uses the answers kept from an earlier run if
/// the input resumes. Throws nothing: the outcome has the error. Blocks until the end.
public func convert(_ conversion: Conversion) -> RequestOutcome {
  convert(conversion, counters: Counters())
}

/// Runs a conversion like ``convert(_:)``, and counts in `counters`. Another thread may read them.
package func convert(_ conversion: Conversion, counters: Counters) -> RequestOutcome {
  var requests: RequestCollection?
  let run = convert(conversion, counters: counters) { () throws(PipelineError) in
    requests = try RequestCollection(conversion, counters: counters)
    return if let requests { .provided(requests) } else { try conversion.source() }
  }
  requests?.forget(after: run.error)
  return RequestOutcome(run: run, shortfall: requests?.shortfall, doubt: requests?.doubt)
}

/// Finds places in the input of a conversion. Uses the answers that an earlier run kept.
package func find(
  _ text: String, in conversion: Conversion
) throws(PipelineError) -> SearchResult {
  var conversion = conversion
  if case .requests(var asked) = conversion.input {
    asked.resumes = true
    conversion.input = .requests(asked)
  }
  return try Sluice.find(text, in: conversion) { () throws(PipelineError) in
    let requests = try RequestCollection(conversion, counters: Counters())
    return if let requests { .provided(requests) } else { try conversion.source() }
  }
}

/// Inspects the input of a conversion. Uses the answers that an earlier run kept. These and the new
/// answers stay in the state folder. Returns also the requests that failed.
package func inspect(
  _ conversion: Conversion, counters: Counters = Counters()
) -> (inspection: Inspection, shortfall: PipelineError?) {
  var conversion = conversion
  if case .requests(var asked) = conversion.input {
    asked.resumes = true
    conversion.input = .requests(asked)
  }
  var requests: RequestCollection?
  let inspection = inspect(conversion, counters: counters) { () throws(PipelineError) in
    requests = try RequestCollection(conversion, counters: counters)
    return if let requests { .provided(requests) } else { try conversion.source() }
  }
  return (inspection, requests?.shortfall)
}
