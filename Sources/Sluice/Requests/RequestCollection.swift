import Glibc

/// Brings together what a feed asks for: answers that are kept, and those that are asked for now.
///
///     init ─▶ collect ─▶ push … ─▶ forget
///     lock    requests   document  once the outputs are published
///
/// Until then every answer lies in the state folder. A run that fails leaves them; the next one that
/// resumes asks only for the rest.
final class RequestCollection {
  private let conversion: Conversion
  private let requests: FeedRequests
  private let input: RequestInput
  private let store: AnswerStore
  private let folder: FeedFolder
  private let identity: InputIdentity
  private let history: SearchHistory
  private let lock: RunLock?
  private let clock: SyncClock
  private let rule: RetryRule
  private let limits: HTTPLimits
  /// For how many seconds an answer is good.
  private let maxAge: Int
  /// No run goes on with an older answer: pages of two days are no list of either.
  private static let longestResume = 86_400
  /// Whether an answer without records may take the place of one that has some.
  private let acceptsEmpty: Bool
  private var document: JoinedDocument?
  /// What could not be had of a document that may be published without it.
  private(set) var shortfall: PipelineError?
  /// What is doubtful about a list.
  private(set) var doubt: ListDoubt?
  /// How many answers of a run before were too old to go on with.
  private(set) var outdated = 0

  /// Prepares the requests of a conversion whose input asks for them; takes the lock of the feed's
  /// folder, where `isLocked` does not say that the caller has it.
  init?(
    _ conversion: Conversion, isLocked: Bool = false, maxAge: Int? = nil,
    acceptsEmpty: Bool = false, rule: RetryRule = RetryRule(),
    limits: HTTPLimits = HTTPLimits(), clock: SyncClock = .system
  ) throws(PipelineError) {
    guard case .requests(let input) = conversion.input, let requests = conversion.feed.requests
    else { return nil }
    let folder = FeedFolder(of: conversion.feed.name, in: input.state)
    try folder.make()
    lock = isLocked ? nil : try RunLock(folder)
    history = SearchHistory(folder)
    self.folder = folder
    identity = InputIdentity(conversion.input, of: conversion.feed)
    store = try folder.makeAnswers(of: identity)
    self.conversion = conversion
    self.requests = requests
    self.input = input
    self.rule = rule
    self.limits = limits
    self.maxAge = maxAge ?? conversion.feed.maxAge
    self.acceptsEmpty = acceptsEmpty
    self.clock = clock
  }

  /// Asks for what is missing; blocks. Throws what the outputs cannot do without.
  func collect() throws(PipelineError) {
    folder.sweep(beside: identity, now: clock.now())
    // Nobody else is at work here: what has the name of a temporary file was left by a dead run.
    try store.removeTemporaries()
    if let term = input.search { try history.note(PastSearch(term: term, at: clock.now())) }
    let maker = RequestURLMaker(
      parameters: requests.parameters, mirror: input.mirror, secrets: input.secrets)
    let feed = conversion.feed
    let collector = Collector(
      store: store, reading: { [requests] in requests.reading(feed, of: $0) }, requests: requests,
      certificateFile: conversion.certificateFile, headers: conversion.headers,
      secrets: input.secrets, pace: Pace(perSecond: requests.perSecond, clock: clock), rule: rule,
      limits: limits, clock: clock, tally: conversion.tally, limit: answerLimit)
    let outcome = try collector.run(try queue(maker))
    if let pages = outcome.queue as? PageQueue { try keepOnly(pages) }
    let document = outcome.queue.document
    if let error = error(outcome) {
      guard requests.publication == .stale, !document.parts.isEmpty, !error.isLocal,
        case .requests(var fault) = error.fault
      else { throw error }
      fault.isPublished = true
      shortfall = PipelineError(fault)
    }
    self.document = document
    doubt = outcome.queue.doubt
  }

  /// Pushes the document into a stage, which it does not finish.
  func push<S: ByteStage & ~Copyable>(into stage: inout S, tally: Tally) throws(PipelineError) {
    try document?.push(into: &stage, members: conversion.feed.requestMembers, tally: tally)
  }

  /// How many of an answer's records may be refused: those that take the place of a good one are
  /// judged as they come. All others are judged as one document, which tells what was refused; the
  /// last page may have one record.
  private var answerLimit: RejectLimit {
    requests.hasOwnAges ? conversion.rejectLimit : .count(.max)
  }

  /// Forgets what only a run that goes on would need, where this one has ended so that none will:
  /// the outputs are published, or nobody wants the rest of them.
  func forget(after error: PipelineError?) {
    guard !requests.hasOwnAges else { return }
    switch error?.fault {
    case nil, .sink(.noReaderLeft):
      try? store.removeAll()
      store.removeFolder()
    default: break
    }
  }

  // MARK: The plans

  /// The queue of the feed's plan, with the answers that are good enough to be kept.
  private func queue(_ maker: RequestURLMaker) throws(PipelineError) -> any RequestQueue {
    switch requests.plan {
    case .one(let url):
      let file = "answer"
      let request = PlannedRequest(
        name: .document, file: file, url: maker.url(url, more: searchParameters))
      return NamedQueue([(request, .whole)], kept: try keptFromBefore())
    case .named(let named):
      let list = named.map { one in
        (
          request: PlannedRequest(
            name: .named(one.name), file: "named-\(one.name)", url: maker.url(one.url)),
          place: JoinedDocument.Place.member(one.name)
        )
      }
      return NamedQueue(list, kept: try keptFromBefore())
    case .pages(let url, let paging):
      let plan = PagePlan(
        base: url, paging: paging, maker: maker, more: searchParameters,
        countsElements: requests.reading(conversion.feed, of: .page(1))?.hasOneList ?? false)
      let queue = PageQueue(plan, kept: try keptFromBefore())
      try keepOnly(queue)
      return queue
    case .items(let url, let list): return try queue(list, url, maker)
    }
  }

  /// The queue of a list's items. The answers of what is on it no more are removed.
  private func queue(_ list: ItemList, _ url: String, _ maker: RequestURLMaker)
    throws(PipelineError) -> ItemQueue
  {
    let names = ItemNames(list, of: conversion.feed, in: input.state)
    let items = try names.read().map { name in
      ItemQueue.Item(
        request: PlannedRequest(
          name: .item(name), file: ItemNames.file(of: name),
          url: maker.url(url, values: [list.item: name])),
        name: name)
    }
    guard !items.isEmpty else { throw PipelineError(.source(.nothingToAsk(list: list.name))) }
    var kept: [String: KeptAnswer] = [:]
    let files = Set(items.map(\.request.file))
    for file in try store.names() {
      if files.contains(file), let answer = store.answer(file) {
        kept[file] = answer
      } else {
        store.remove(file)
      }
    }
    return ItemQueue(
      items, as: list.item, kept: kept, maxAge: maxAge, now: clock.now(),
      acceptsEmpty: acceptsEmpty)
  }

  /// What the term that is searched for adds to a URL.
  private var searchParameters: [(name: String, value: String)] {
    guard let search = requests.search, let term = input.search else { return [] }
    return [(search.parameter, term)]
  }

  /// The answers of a run that broke off, by the names of their files, where this one is to go on
  /// with them and they are good still: all of them, so that nothing is made of two times. Others
  /// are removed.
  private func keptFromBefore() throws(PipelineError) -> [String: KeptAnswer] {
    var kept: [String: KeptAnswer] = [:]
    if input.resumes {
      for name in try store.names() { kept[name] = store.answer(name) }
    }
    // Who wants no answer to be too young (0) does not say when one is too old.
    let limit = min(maxAge > 0 ? maxAge : conversion.feed.maxAge, Self.longestResume)
    let now = clock.now()
    // A clock that went back counts as late.
    if kept.values.contains(where: { !(0...limit).contains(now - $0.facts.answered) }) {
      outdated = kept.count
      kept = [:]
    }
    for name in try store.names() where kept[name] == nil { store.remove(name) }
    return kept
  }

  /// Removes the answers that a list of pages has no use for: those of a list that has changed must
  /// not be taken for pages of this one by the next run.
  private func keepOnly(_ queue: PageQueue) throws(PipelineError) {
    for name in try store.names() where !queue.uses(name) { store.remove(name) }
  }

  /// What the run has to end with; nil where the document can be made.
  private func error(_ outcome: Collector.Outcome) -> PipelineError? {
    guard let earliest = outcome.failures.first else {
      return outcome.queue.isComplete ? nil : PipelineError(.source(.paging(.unfinished)))
    }
    // Which of two comes first is chance: the document's order is not.
    let missing = outcome.queue.missing
    let first =
      outcome.failures.first { $0.error.isLocal }
      ?? missing.lazy.compactMap { name in outcome.failures.first { $0.name == name } }.first
    let (name, error) = first ?? earliest
    var fault = RequestsFault(
      first: error, name: name, missing: missing, kept: outcome.queue.done,
      remedy: requests.hasOwnAges ? .again : .resume)
    fault.ages = outcome.queue.ages
    if case .item(let item) = fault.name, let search = requests.items?.search,
      item.count >= search.least
    {
      fault.search = RequestsFault.Search(
        mirror: input.mirror.map { input.secrets.hide(in: Redaction.message($0)) },
        needsDocument: Feed.document(named: conversion.feed.name) == nil)
    }
    if case .source(.status(401, _, _)) = error.fault {
      fault.variables = requests.variables + conversion.feed.headers.flatMap(\.variables)
    }
    if case .one = requests.plan, fault.variables.isEmpty { return error }
    return PipelineError(fault)
  }
}

extension Feed {
  /// The rows of all tables are in the elements of one array.
  fileprivate var hasOneList: Bool {
    let lists = allTables.map { table in table.rows.steps.prefix { $0 != .each } }
    return lists.allSatisfy { $0 == lists.first }
  }
}

extension FeedRequests {
  /// What the answer of a request is checked as: the feed as that answer has it; nil where it has no
  /// rows of its own.
  func reading(_ feed: Feed, of name: RequestName) -> Feed? {
    switch plan {
    case .one: feed.inside([])
    case .named:
      if case .named(let key) = name { feed.inside([.key(key)]) } else { nil }
    case .pages, .items: feed.joined.inside(Joined.answerSteps)
    }
  }
}
