import Sluice
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

/// Keeps requests apart: so many begin in a second, and none before the time that a server has
/// asked to be left alone for.
final class Pace: Sendable {
  private struct State {
    /// When the next request may begin, and before when none may.
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
      // While this one waited, another may have been told to leave the server alone.
      if state.withLock({ $0.held }) <= start { return }
    }
  }

  /// Lets no request begin for so many seconds, whoever's it is.
  func hold(for seconds: Double) {
    let end = clock.elapsed() + seconds
    state.withLock { $0.held = max($0.held, end) }
  }
}

/// How far a failed request speaks against asking its server for more.
private enum ServerBlame {
  /// Not at all: another request may well be answered.
  case none
  /// Several in a row do: the server listens and gives no whole answer. A single one may be about
  /// the request.
  case ifRepeated
  /// Several in a row do, unless any request was answered: the server denies this one, or all.
  case ifNeverAnswered
  /// Fully: another request would fare no better.
  case full
}

extension FaultClass {
  /// The table of blame.
  fileprivate var blame: ServerBlame {
    switch self {
    case .unreachable, .blocked, .serverBusy, .unauthorized, .notInstalled: .full
    case .connectionLost, .stalled, .timedOut: .ifRepeated
    case .forbidden: .ifNeverAnswered
    case .badData, .badFeed, .usage, .noInput, .cannotRead, .cannotCreate, .cannotWrite,
      .badState, .busy, .guarded, .readerGone, .cancelled, .gatewayFailed, .badAnswer:
      .none
    }
  }
}

extension PipelineError {
  /// Whether another request would fare no better: the error is about the server, the way to it, or
  /// the place where answers are kept.
  var concernsServer: Bool { isLocal || self.class.blame == .full }

  /// Whether an answer could not be kept.
  var isLocal: Bool { stage == .sink }

  /// Whether the server listened and gave no whole answer.
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
  /// What is known of a request, by its key.
  enum Known: Sendable, Equatable {
    case text(String)
    case number(Int)
  }

  /// An answer in its place.
  enum Place: Sendable, Equatable {
    case whole
    case member(String)
    /// With what is known of its request; when it was answered need not be said.
    case element([String: Known])
  }

  /// A part of the document.
  struct Part: Sendable {
    var place: Place
    var answer: KeptAnswer
  }

  var parts: [Part]

  /// Pushes the document into a stage, which it does not finish. Of what is known of requests only
  /// `members` are written, so that the same answers give the same document.
  ///
  /// Throws what the stage throws, or ``SourceFault/read(path:errno:)``.
  func push<S: ByteStage & ~Copyable>(
    into stage: inout S, members: Set<String>, tally: Tally
  ) throws(PipelineError) {
    tally.expectedBytes.set(parts.reduce(0) { $0 + $1.answer.length })
    if let modified = parts.compactMap(\.answer.facts.modified).max() {
      tally.modified.set(modified)
    }
    var glue = ByteBuffer(capacity: 256)
    var isOpen = false
    for part in parts {
      switch part.place {
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
      try push(part.answer, into: &stage, tally)
      if case .element = part.place { glue.append("}") }
    }
    switch parts.first?.place {
    case .whole: return
    case .member: glue.append("}")
    case .element: glue.append("]")
    // A list without a page in it.
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
    _ answer: KeptAnswer, into stage: inout S, _ tally: Tally
  ) throws(PipelineError) {
    var reader = try AnswerReader(answer)
    var isFirst = true
    while try reader.read() {
      // A byte order mark may only stand before a whole document.
      let mark = isFirst && reader.buffer.contents.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      isFirst = false
      tally.source.bytesIn.increase(by: reader.buffer.count)
      let bytes = UnsafeRawBufferPointer(rebasing: reader.buffer.contents.dropFirst(mark))
      try stage.write(RawSpan(_unsafeBytes: bytes))
      tally.source.bytesOut.increase(by: reader.buffer.count)
    }
  }
}
