import Synchronization

/// Asks what a queue has to ask: some requests at once, each worker over one connection.
struct Collector: Sendable {
  /// What came of a run.
  struct Outcome {
    var queue: any RequestQueue
    /// What went wrong, in the order of time.
    var failures: [(name: RequestName, error: PipelineError)] = []
    /// No more requests may begin.
    fileprivate var isOver = false
  }

  let store: AnswerStore
  /// What an answer is checked as, by what its request is called; nil is JSON alone.
  let reading: @Sendable (RequestName) -> Feed?
  let requests: FeedRequests
  let certificateFile: String?
  let headers: [String]
  let secrets: RequestSecrets
  let pace: Pace
  let rule: RetryRule
  let limits: HTTPLimits
  let clock: SyncClock
  let tally: Tally
  /// How many of an answer's records may be refused.
  var limit = RejectLimit.standard

  /// What the workers share.
  private final class Shared: Sendable {
    let outcome: Mutex<Outcome>
    init(_ queue: any RequestQueue) { outcome = Mutex(Outcome(queue: queue)) }
    var isOver: Bool { outcome.withLock { $0.isOver } }
  }

  /// Asks until there is nothing more to ask; blocks. Throws where nothing can be asked at all.
  func run(_ queue: any RequestQueue) throws(PipelineError) -> Outcome {
    try CurlLibrary.load()
    let shared = Shared(queue)
    publish(queue)
    // This thread works too: one request at a time needs no other.
    work(shared, beside: requests.atOnce - 1)
    return shared.outcome.withLock { $0 }
  }

  /// Asks one request after the other, over one connection, beside so many other workers: the next
  /// begins when the first answer is there, for that may tell that nothing else is to be asked.
  private func work(_ shared: Shared, beside others: Int) {
    var connection: KeptConnection?
    var other: WorkerThread?
    var isFirst = true
    while let request = shared.outcome.withLock({ $0.isOver ? nil : $0.queue.next() }) {
      do throws(PipelineError) {
        if connection == nil { connection = try KeptConnection() }
        guard let connection else { break }
        guard let answer = try ask(request, over: connection, of: shared) else { break }
        try shared.outcome.withLock { (outcome) throws(PipelineError) in
          try outcome.queue.take(answer, of: request)
          publish(outcome.queue)
        }
      } catch {
        let shown = secrets.hide(in: error, of: request.url)
        shared.outcome.withLock { outcome in
          outcome.failures.append((request.name, shown))
          outcome.queue.fail(request, shown)
          if error.concernsServer || outcome.queue.isOver { outcome.isOver = true }
        }
      }
      if isFirst, others > 0 { other = WorkerThread { work(shared, beside: others - 1) } }
      isFirst = false
    }
    other?.join()
  }

  private func publish(_ queue: any RequestQueue) {
    tally.requestsDone.set(queue.done)
    tally.requestsInAll.set(queue.count ?? -1)
  }

  /// Asks one request, with as many tries as the rule allows; nil where nothing more may be asked.
  private func ask(
    _ request: PlannedRequest, over connection: KeptConnection, of shared: Shared
  ) throws(PipelineError) -> KeptAnswer? {
    try rule.attempt(clock, tally: tally) { (error, pause) in
      // Who is asked to come back later is asked for all.
      if case .source(.status(_, _, _?)) = error.fault { pace.hold(for: pause) }
    } _: { (left) throws(PipelineError) -> KeptAnswer? in
      pace.admit()
      // While this one waited, the server may have turned another away for good.
      if shared.isOver { return nil }
      return try askOnce(request, over: connection, within: left)
    }
  }

  private func askOnce(
    _ request: PlannedRequest, over connection: KeptConnection, within seconds: Double
  ) throws(PipelineError) -> KeptAnswer {
    let source = HTTPSource(
      url: request.url.real, certificateFile: certificateFile, headers: headers,
      limits: limits.within(seconds))
    let tally = Tally()
    var writer = try AnswerWriter(
      store.file(request.file), reading(request.name), limit: limit, before: request.recordsBefore,
      status: requests.status)
    let head = try source.ask(into: &writer, over: connection, tally: tally)
    var facts = KeptAnswer.Facts(
      asked: request.url.shown, answered: clock.now(), total: head.total)
    if tally.modified.value != .min { facts.modified = tally.modified.value }
    facts.next = try next(after: head, of: request)
    return try writer.end(facts)
  }

  /// Where the server says that the list goes on, without secrets. Where that is to be followed, one
  /// that cannot be is a fault: without it the list would seem to end.
  private func next(after head: ResponseHead, of request: PlannedRequest) throws(PipelineError)
    -> String?
  {
    let isFollowed = requests.followsLinks
    guard let link = head.next else {
      guard let text = head.unreadableLink else { return nil }
      if isFollowed { throw PipelineError(.source(.paging(.unreadable(text)))) }
      // The list may well go on.
      return secrets.hide(in: text)
    }
    let target = try HTTPAddress(request.url.real).following(Array(link.utf8))
    let kept = withoutSecretParameters(target?.url ?? link)
    let shown = secrets.hide(in: kept)
    if isFollowed, shown != kept { throw PipelineError(.source(.paging(.secret(kept)))) }
    return shown
  }

  /// A link of the server's without the parameters that hold secrets, which it may have repeated.
  private func withoutSecretParameters(_ link: String) -> String {
    let secret = requests.parameters.filter { !$0.value.variables.isEmpty }
      .map { PercentEncoding.encode($0.name) }
    guard !secret.isEmpty, let mark = link.firstIndex(of: "?") else { return link }
    let query = link[link.index(after: mark)...].split(separator: "&").filter { part in
      !secret.contains(String(part.prefix { $0 != "=" }))
    }
    return link[..<mark] + (query.isEmpty ? "" : "?") + query.joined(separator: "&")
  }
}
