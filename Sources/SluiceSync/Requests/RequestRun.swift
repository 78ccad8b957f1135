import Glibc
import Sluice

/// Brings together what a feed asks for: answers that are kept, and those that are asked for now.
///
///     init ─▶ collect ─▶ push … ─▶ forget
///     lock    requests   document  once the outputs are published
///
/// Until then every answer lies in the state folder. A run that fails leaves them; the next one that
/// resumes asks only for the rest.
final class RequestCollection: ByteProvider {
  private let tally: Tally
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

  /// Prepares the requests of a conversion whose input asks for them; takes the lock of the feed's
  /// folder, where `isLocked` does not say that the caller has it.
  init?(
    _ conversion: Conversion, isLocked: Bool = false, maxAge: Int? = nil,
    acceptsEmpty: Bool = false, rule: RetryRule = RetryRule(),
    limits: HTTPLimits = HTTPLimits(), clock: SyncClock = .system, tally: Tally
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
    self.tally = tally
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
      limits: limits, clock: clock, tally: tally, limit: answerLimit)
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

  /// Asks for what is missing, then hands over the document.
  func read<S: ByteStage & ~Copyable>(into stage: inout S, tally: Tally) throws(PipelineError) {
    try collect()
    try push(into: &stage, tally: tally)
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
    store.forget(requests, after: error)
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
      tally.outdatedAnswers.set(kept.count)
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
    if error.class == .unauthorized {
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

/// Says what is to be asked next: the plan of one run.
///
/// It is made with what is kept from before. Workers take requests out of it and tell it what became
/// of them, in any order; never two at once.
protocol RequestQueue: Sendable {
  /// How many requests the document consists of; nil while nobody knows.
  var count: Int? { get }
  /// How many of them have been answered, those from before included.
  var done: Int { get }
  /// Takes the next request; nil where there is none now. Whoever is told so asks no more, and
  /// whoever tells an answer asks again.
  mutating func next() -> PlannedRequest?
  /// Hears of an answer, which has been checked and is kept. Throws where the plan cannot go on.
  mutating func take(_ answer: KeptAnswer, of request: PlannedRequest) throws(PipelineError)
  /// Hears that a request has failed for good.
  mutating func fail(_ request: PlannedRequest, _ error: PipelineError)
  /// Whether nothing more is to be asked in this run, also not for another try.
  var isOver: Bool { get }
  /// Whether the document is whole.
  var isComplete: Bool { get }
  /// What is known to be missing of it, in order.
  var missing: [RequestName] { get }
  /// What is doubtful about a list that was read to its end; nil where nothing is known to be.
  var doubt: ListDoubt? { get }
  /// How old the rows are that stand in for what is missing, in seconds; nothing where there are
  /// none.
  var ages: [RequestName: Int] { get }
  /// The document, once nothing is missing, or as far as it goes.
  var document: JoinedDocument { get }
}

extension RequestQueue {
  var isOver: Bool { false }
  var isComplete: Bool { missing.isEmpty }
  var doubt: ListDoubt? { nil }
  var ages: [RequestName: Int] { [:] }
}

/// One request of a plan.
struct PlannedRequest: Sendable, Equatable {
  /// What messages call it.
  var name: RequestName
  /// What its answer's file is called.
  var file: String
  var url: RequestURL
  /// How many records its kept answer has; one without any does not take its place.
  var recordsBefore = 0
}

/// Asks a fixed list of requests, each once: those of several URLs.
struct NamedQueue: RequestQueue {
  private let requests: [(request: PlannedRequest, place: JoinedDocument.Place)]
  private var answers: [String: KeptAnswer]
  private var following = 0
  private(set) var isOver = false

  /// Takes the requests in the order of the document, with the places of their answers, and the
  /// answers that are kept, by the names of their files.
  init(
    _ requests: [(request: PlannedRequest, place: JoinedDocument.Place)],
    kept answers: [String: KeptAnswer]
  ) {
    self.requests = requests
    self.answers = [:]
    for request in requests.map(\.request) {
      if let answer = answers[request.file], answer.facts.asked == request.url.shown {
        self.answers[request.file] = answer
      }
    }
  }

  var count: Int? { requests.count }
  var done: Int { answers.count }

  mutating func next() -> PlannedRequest? {
    while following < requests.count, !isOver {
      let request = requests[following].request
      following += 1
      if answers[request.file] == nil { return request }
    }
    return nil
  }

  mutating func take(_ answer: KeptAnswer, of request: PlannedRequest) {
    answers[request.file] = answer
  }

  mutating func fail(_ request: PlannedRequest, _ error: PipelineError) {
    if error.concernsServer { isOver = true }
  }

  var missing: [RequestName] {
    requests.filter { answers[$0.request.file] == nil }.map(\.request.name)
  }

  var document: JoinedDocument {
    JoinedDocument(
      parts: requests.compactMap { request, place in
        answers[request.file].map { JoinedDocument.Part(place: place, answer: $0) }
      })
  }
}

/// Asks for each item of a list whose answer is missing or too old, in the list's order.
struct ItemQueue: RequestQueue {
  /// An item and its request.
  struct Item: Sendable {
    var request: PlannedRequest
    var name: String
  }

  private let items: [Item]
  /// What an item is called in what is known of its request.
  private let member: String
  private let now: Int
  /// The answers that are good, and those that are too old, by the names of their files.
  private var answers: [String: KeptAnswer]
  private let old: [String: KeptAnswer]
  private var following = 0
  /// The server cannot be asked, or does not want to be: the next one would fare no better.
  private(set) var isOver = false
  /// How many requests in a row have met a server that listens and does not answer, or have been
  /// forbidden while no other was answered. All else that is bad is about what was asked.
  private var broken = 0
  /// So many are enough: each may take minutes, with all its tries.
  private static let mostBroken = 2
  private let acceptsEmpty: Bool

  /// Takes the items in order and the answers that are kept, which are good for so many seconds.
  ///
  /// An answer without records takes the place of one that has some only where that is accepted.
  init(
    _ items: [Item], as member: String, kept answers: [String: KeptAnswer], maxAge: Int, now: Int,
    acceptsEmpty: Bool = false
  ) {
    self.acceptsEmpty = acceptsEmpty
    self.items = items
    self.member = member
    self.now = now
    // A clock that went back counts as late.
    let isGood = { (answer: KeptAnswer) in
      (0..<max(0, maxAge)).contains(now - answer.facts.answered)
    }
    self.answers = answers.filter { isGood($0.value) }
    old = answers.filter { !isGood($0.value) }
  }

  var count: Int? { items.count }
  var done: Int { answers.count }

  mutating func next() -> PlannedRequest? {
    while following < items.count, !isOver {
      var request = items[following].request
      following += 1
      guard answers[request.file] == nil else { continue }
      if !acceptsEmpty { request.recordsBefore = old[request.file]?.facts.records ?? 0 }
      return request
    }
    return nil
  }

  mutating func take(_ answer: KeptAnswer, of request: PlannedRequest) {
    answers[request.file] = answer
    broken = 0
  }

  mutating func fail(_ request: PlannedRequest, _ error: PipelineError) {
    let isBroken = error.isBrokenServer || error.isForbidden && answers.isEmpty
    broken = isBroken ? broken + 1 : 0
    if error.concernsServer || broken >= Self.mostBroken { isOver = true }
  }

  var missing: [RequestName] {
    items.filter { answers[$0.request.file] == nil }.map(\.request.name)
  }

  /// How old the rows are that stand in for what is missing, in seconds.
  var ages: [RequestName: Int] {
    var ages: [RequestName: Int] = [:]
    for item in items where answers[item.request.file] == nil {
      if let age = age(item) { ages[item.request.name] = age }
    }
    return ages
  }

  private func age(_ item: Item) -> Int? {
    old[item.request.file].map { max(0, now - $0.facts.answered) }
  }

  /// What there is, old answers with their age.
  var document: JoinedDocument {
    JoinedDocument(
      parts: items.compactMap { item in
        var known: [String: JoinedDocument.Known] = [member: .text(item.name)]
        if let answer = answers[item.request.file] {
          return JoinedDocument.Part(place: .element(known), answer: answer)
        }
        guard let answer = old[item.request.file], let age = age(item) else { return nil }
        known[Joined.age] = .number(age)
        return JoinedDocument.Part(place: .element(known), answer: answer)
      })
  }
}
