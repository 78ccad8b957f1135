import Sluice
import Synchronization

/// Sends the requests of a queue, several at once. Each worker has its own connection.
struct Collector: Sendable {
  /// How a run ended.
  struct Outcome {
    var queue: any RequestQueue
    /// The failures, in the order in which they happened.
    var failures: [(name: RequestName, error: PipelineError)] = []
  }

  let store: AnswerStore
  /// Returns the feed that the answer to a request is checked as, or nil to check only that it is
  /// JSON.
  let reading: @Sendable (RequestName) -> Feed?
  let requests: FeedRequests
  let certificateFile: String?
  let headers: [String]
  let secrets: RequestSecrets
  let pace: Pace
  let rule: RetryRule
  let limits: HTTPLimits
  let clock: SyncClock
  let counters: Counters
  /// The number of an answer's records that may be rejected.
  var limit = RejectLimit.standard
  /// The bytes that all answers may have together.
  let budget: AnswerBudget

  /// Sends requests until the queue has no more. Blocks until the end. Throws if no request can be
  /// sent at all.
  func run(_ queue: any RequestQueue) throws(PipelineError) -> Outcome {
    try CurlLibrary.load()
    let progress = Progress(queue, counters)
    // This thread is a worker too: one request at a time needs no other.
    work(progress, besides: requests.atOnce - 1)
    return progress.outcome
  }

  /// Sends one request after another over one connection, beside `others` further workers. The next
  /// worker begins after the first answer, because that answer may end the run.
  private func work(_ progress: Progress, besides others: Int) {
    var connection: KeptConnection?
    var other: WorkerThread?
    var isFirst = true
    while let request = progress.next() {
      do throws(PipelineError) {
        if let answer = try ask(request, over: &connection, progress) {
          try progress.take(answer, of: request)
        }
      } catch {
        progress.fail(request, error, shown: secrets.hide(in: error, of: request.url))
      }
      if isFirst, others > 0 { other = WorkerThread { work(progress, besides: others - 1) } }
      isFirst = false
    }
    other?.join()
  }

  /// Sends one request, with as many tries as the rule allows. Returns nil if no more requests may
  /// be sent.
  private func ask(
    _ request: PlannedRequest, over connection: inout KeptConnection?, _ progress: Progress
  ) throws(PipelineError) -> KeptAnswer? {
    let kept: KeptConnection
    if let connection { kept = connection } else { kept = try KeptConnection() }
    connection = kept
    return try rule.attempt(clock, counters: counters, until: limits.deadline) { (error, pause) in
      // A server that asks for a pause asks all workers for it.
      if case .source(.status(_, _, _?)) = error.fault { pace.hold(for: pause) }
    } _: { (secondsLeft) throws(PipelineError) -> KeptAnswer? in
      pace.admit()
      // While this request waited, another may have failed in a way that ends the run.
      if progress.isOver { return nil }
      if let deadline = limits.deadline, deadline.hasPassed {
        throw PipelineError(.source(.outOfTime(seconds: deadline.seconds)))
      }
      return try askOnce(request, over: kept, within: secondsLeft)
    }
  }

  /// Sends a request once. Checks the answer as it arrives, and keeps it.
  private func askOnce(
    _ request: PlannedRequest, over connection: KeptConnection, within seconds: Double
  ) throws(PipelineError) -> KeptAnswer {
    let source = HTTPSource(
      url: request.url.real, certificateFile: certificateFile, headers: headers,
      limits: limits.within(seconds))
    let (counters, date) = (Counters(), ContentDate())
    var writer = try AnswerWriter(
      store.file(request.file), reading(request.name), limit: limit, before: request.recordsBefore,
      status: requests.status, budget: budget)
    let head = try source.ask(
      into: &writer, over: connection, counters: counters, date: date)
    var facts = KeptAnswer.Facts(
      asked: request.url.shown, answered: clock.now(), total: head.total)
    facts.modified = date.seconds
    facts.next = try next(after: head, of: request)
    return try writer.end(facts)
  }

  /// Returns the link to the next page, without secrets. If links are followed, a link that cannot
  /// be followed is an error: without it the list would seem to end.
  private func next(after head: ResponseHead, of request: PlannedRequest) throws(PipelineError)
    -> String?
  {
    let isFollowed = requests.followsLinks
    guard let link = head.next else {
      guard let text = head.unreadableLink else { return nil }
      if isFollowed { throw PipelineError(.source(.paging(.unreadable(text)))) }
      // There is probably a next page.
      return secrets.hide(in: text)
    }
    let target = try HTTPAddress(request.url.real).following(Array(link.utf8))
    let kept = withoutSecretParameters(target?.url ?? link)
    let shown = secrets.hide(in: kept)
    if isFollowed, shown != kept { throw PipelineError(.source(.paging(.secret(kept)))) }
    return shown
  }

  /// Removes the parameters that contain secrets. The server may have repeated them in its link.
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

/// The queue and the failures of a run, shared by its workers.
private final class Progress: Sendable {
  private struct State {
    var outcome: Collector.Outcome
    var isOver = false
  }

  private let state: Mutex<State>
  private let counters: Counters

  init(_ queue: any RequestQueue, _ counters: Counters) {
    state = Mutex(State(outcome: Collector.Outcome(queue: queue)))
    self.counters = counters
    publish(queue)
  }

  /// Whether no more requests may begin.
  var isOver: Bool { state.withLock { $0.isOver } }

  var outcome: Collector.Outcome { state.withLock { $0.outcome } }

  func next() -> PlannedRequest? {
    state.withLock { $0.isOver ? nil : $0.outcome.queue.next() }
  }

  func take(_ answer: KeptAnswer, of request: PlannedRequest) throws(PipelineError) {
    try state.withLock { (state) throws(PipelineError) in
      try state.outcome.queue.take(answer, of: request)
      publish(state.outcome.queue)
    }
  }

  /// Notes a failure, which is reported as `shown`, without secrets.
  func fail(_ request: PlannedRequest, _ error: PipelineError, shown: PipelineError) {
    state.withLock { state in
      state.outcome.failures.append((request.name, shown))
      state.outcome.queue.fail(request, shown)
      if error.concernsServer || error.isOfRun || state.outcome.queue.isOver {
        state.isOver = true
      }
    }
  }

  private func publish(_ queue: any RequestQueue) {
    counters.requestsDone.set(queue.done)
    counters.requestsInAll.set(queue.count ?? -1)
  }
}

/// Spaces requests: at most `perSecond` begin in a second, and none while a server has asked for a
/// pause.
final class Pace: Sendable {
  private struct State {
    /// When the next request may begin, and the end of the server's pause, in seconds of
    /// `clock.elapsed()`.
    var next = -Double.infinity
    var held = -Double.infinity
  }

  private let state = Mutex(State())
  private let interval: Double
  private let clock: SyncClock

  init(perSecond: Int, clock: SyncClock) {
    interval = 1 / Double(perSecond)
    self.clock = clock
  }

  /// Waits until the caller's request may begin.
  func admit() {
    while true {
      let now = clock.elapsed()
      let start = state.withLock { state in
        let start = max(now, state.next, state.held)
        state.next = start + interval
        return start
      }
      if start > now { clock.wait(start - now) }
      // While this request waited, the server may have asked another for a pause.
      if state.withLock({ $0.held }) <= start { return }
    }
  }

  /// Delays all requests of all workers by a number of seconds.
  func hold(for seconds: Double) {
    let end = clock.elapsed() + seconds
    state.withLock { $0.held = max($0.held, end) }
  }
}

/// Whether a failed request is a reason to stop asking the same server.
private enum ServerBlame {
  /// No: another request may succeed.
  case none
  /// If several in a row fail so: the server accepts connections but sends no whole answer. A
  /// single failure may be due to the request.
  case ifRepeated
  /// If several in a row fail so and no request was answered: the server denies this request, or
  /// all.
  case ifNeverAnswered
  /// Yes: another request would fail too.
  case full
}

extension FaultClass {
  /// The class's row in the table of blame.
  fileprivate var blame: ServerBlame {
    switch self {
    case .unreachable, .blocked, .serverBusy, .unauthorized, .notInstalled: .full
    case .connectionLost, .stalled, .timedOut: .ifRepeated
    case .forbidden: .ifNeverAnswered
    case .badData, .badFeed, .usage, .nothingFound, .noInput, .cannotRead, .cannotCreate,
      .cannotWrite,
      .badState, .busy, .guarded, .readerGone, .cancelled, .gatewayFailed, .badAnswer:
      .none
    }
  }
}

extension PipelineError {
  /// Whether another request would fail too: the error is in the server, in the network, or in the
  /// folder of the answers.
  var concernsServer: Bool { isLocal || self.class.blame == .full }

  /// Whether a limit of the whole run was reached.
  fileprivate var isOfRun: Bool {
    switch fault {
    case .source(.outOfTime), .source(.answersTooLarge): true
    default: false
    }
  }

  /// Whether an answer could not be kept.
  var isLocal: Bool { stage == .sink }

  /// Whether the server accepted the connection but sent no whole answer.
  var isBrokenServer: Bool { self.class.blame == .ifRepeated }

  /// Whether the server denied the request, and may deny all.
  var isForbidden: Bool { self.class.blame == .ifNeverAnswered }
}

/// One JSON document of several answers.
///
///     whole       ANSWER
///     members     {"posts":ANSWER,"users":ANSWER}
///     elements    [{"request":{"page":1},"answer":ANSWER},{"request":{"page":2},"answer":ANSWER}]
struct JoinedDocument: Sendable {
  /// A value in the data of a request.
  enum Known: Sendable, Equatable {
    case text(String)
    case number(Int)
  }

  /// The place of an answer in the document.
  enum Role: Sendable, Equatable {
    case whole
    case member(String)
    /// With the data of its request. The time of the answer is added.
    case element([String: Known])
  }

  /// A part of the document.
  struct Part: Sendable {
    var role: Role
    var answer: KeptAnswer
  }

  var parts: [Part]

  /// Writes the document to a stage. Does not finish the stage. Of the data of requests, only
  /// `members` are written, so that the same answers make the same document.
  ///
  /// Throws the stage's errors, or ``SourceFault/read(path:errno:)``.
  func push<S: ByteStage & ~Copyable>(
    into stage: inout S, members: Set<String>, counters: Counters, date: ContentDate
  ) throws(PipelineError) {
    counters.expectedBytes.set(parts.reduce(0) { $0 + $1.answer.length })
    if let modified = parts.compactMap(\.answer.facts.modified).max() { date.set(modified) }
    var glue = ByteBuffer(capacity: 256)
    var isOpen = false
    for part in parts {
      switch part.role {
      case .whole: break
      case .member(let name):
        glue.append(isOpen ? "," : "{")
        Self.append(name, to: &glue)
        glue.append(":")
      case .element(let known):
        glue.append(isOpen ? ",{" : "[{")
        Self.append(part, known, members, to: &glue)
      }
      isOpen = true
      try stage.take(&glue)
      try push(part.answer, into: &stage, counters)
      if case .element = part.role { glue.append("}") }
    }
    switch parts.first?.role {
    case .whole: return
    case .member: glue.append("}")
    case .element: glue.append("]")
    // A list without pages.
    case nil: glue.append("[]")
    }
    try stage.take(&glue)
  }

  private static func append(
    _ part: Part, _ known: [String: Known], _ members: Set<String>, to glue: inout ByteBuffer
  ) {
    append(Joined.request, to: &glue)
    glue.append(":")
    var known = known
    known[Joined.answered] = .text(InstantText.utc(part.answer.facts.answered))
    var isFirst = true
    glue.append("{")
    for (key, value) in known.sorted(by: { $0.key < $1.key }) where members.contains(key) {
      if !isFirst { glue.append(",") }
      isFirst = false
      append(key, to: &glue)
      glue.append(":")
      switch value {
      case .text(let text): append(text, to: &glue)
      case .number(let number): glue.append(string: String(number))
      }
    }
    glue.append("},")
    append(Joined.answer, to: &glue)
    glue.append(":")
  }

  private static func append(_ text: String, to glue: inout ByteBuffer) {
    var text = text
    text.withUTF8 { JSONText.appendString(UnsafeRawBufferPointer($0), to: &glue) }
  }

  private func push<S: ByteStage & ~Copyable>(
    _ answer: KeptAnswer, into stage: inout S, _ counters: Counters
  ) throws(PipelineError) {
    var reader = try AnswerReader(answer)
    var isFirst = true
    while try reader.read() {
      // A byte order mark is only allowed before a whole document.
      let contents = reader.buffer.contents
      let bytes = UnsafeRawBufferPointer(
        rebasing: isFirst ? ByteOrderMark.dropped(from: contents) : contents[...])
      isFirst = false
      counters.source.bytesIn.increase(by: reader.buffer.count)
      try stage.write(RawSpan(_unsafeBytes: bytes))
      counters.source.bytesOut.increase(by: reader.buffer.count)
    }
  }
}
