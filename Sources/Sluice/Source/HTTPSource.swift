import Glibc

/// Asks an `http` or `https` URL and pushes the body of its answer into a stage.
///
/// One try, where no others are asked for. Only 200 is an answer: 204, 206 and the other 2xx bring
/// no whole body, and so are errors with their status like all else. Redirects are followed here
/// and not by libcurl, so that every step can be judged (``RedirectRule``). Certificates are always
/// verified. Header lines of the caller's go to the first origin only.
///
/// The process has to ignore SIGPIPE: libcurl cannot where it must leave signals alone, and TLS
/// writes to a socket whose other end may be gone.
package struct HTTPSource {
  /// How requests name the program.
  static let userAgent = "sluice/\(Release.version)"

  private let url: String
  private let certificateFile: String?
  private let headers: [String]
  private let validators: HTTPValidators
  private let body: String?
  private let limits: HTTPLimits

  /// Names a URL, a file of certificates to trust besides the system's, header lines to send, what
  /// is known of the content, and a text to POST where there is one.
  package init(
    url: String, certificateFile: String?, headers: [String] = [],
    validators: HTTPValidators = HTTPValidators(), body: String? = nil,
    limits: HTTPLimits = HTTPLimits()
  ) {
    self.url = url
    self.certificateFile = certificateFile
    self.headers = headers
    self.validators = validators
    self.body = body
    self.limits = limits
  }

  /// Asks, and pushes the body into `stage` as it comes, which it does not finish; blocks.
  ///
  /// While the stage works, nothing is read: the server is held back. Publishes the bytes received
  /// and handed on, and before the first of them, where the server said so, how many are to be
  /// expected and when the content was changed. Throws what the stage throws, unchanged, or a
  /// `SourceFault`. Where the validators still hold, nothing is pushed.
  @discardableResult
  package func run<S: ByteStage & ~Copyable>(
    into stage: inout S, tally: Tally
  ) throws(PipelineError) -> HTTPAnswer {
    let end = try run(tally, nil, TransferClock()) { (bytes) throws(PipelineError) in
      try stage.write(bytes)
    }
    switch end {
    case .done(let head): return .content(head.validators)
    case .notModified(let validators): return .notModified(validators)
    }
  }

  /// Asks as ``run(into:tally:)`` does, with as many tries as a rule allows.
  ///
  /// What has been handed on stays: another try goes on where the last one broke off, if the server
  /// sends the same up to there, and the time of the content is that of the first answer, by which
  /// events may have been stamped. If it does not, the failure before is thrown. The time of all
  /// tries counts together.
  func run<S: ByteStage & ~Copyable>(
    into stage: inout S, tally: Tally, tries rule: RetryRule, clock: SyncClock = .system
  ) throws(PipelineError) {
    var repeated = RepeatedBody()
    let transfer = TransferClock()
    do throws(PipelineError) {
      try rule.attempt(clock, tally: tally) { (error, _) in
        repeated.begin(after: error)
      } _: { (_) throws(PipelineError) in
        let counted = repeated.count == 0 ? tally : Tally()
        _ = try run(counted, nil, transfer) { (bytes) throws(PipelineError) in
          let skipped = try repeated.skip(bytes)
          guard skipped < bytes.byteCount else { return }
          tally.source.bytesIn.set(repeated.count)
          try stage.write(bytes.extracting(skipped..<bytes.byteCount))
          tally.source.bytesOut.set(repeated.count)
        }
        try repeated.end()
      }
    } catch {
      throw repeated.further(error)
    }
  }

  /// Asks as ``run(into:tally:)`` does, over a connection that may be there from a request before,
  /// and tells the header of the answer. Validators are of no use here.
  package func ask<S: ByteStage & ~Copyable>(
    into stage: inout S, over connection: KeptConnection, tally: Tally
  ) throws(PipelineError) -> ResponseHead {
    let end = try run(tally, connection, TransferClock()) { (bytes) throws(PipelineError) in
      try stage.write(bytes)
    }
    guard case .done(let head) = end else { return ResponseHead() }
    return head
  }

  /// How an exchange ended that was the last one.
  private enum End {
    case done(ResponseHead)
    case notModified(HTTPValidators)
  }

  private func run(
    _ tally: Tally, _ connection: KeptConnection?, _ clock: TransferClock,
    _ receiver: HTTPExchange.Receiver
  ) throws(PipelineError) -> End {
    // The exchanges hold the closure, and are gone when this returns.
    try withoutActuallyEscaping(receiver) { (receiver) throws(PipelineError) in
      try follow(tally, connection, clock, receiver)
    }
  }

  private func follow(
    _ tally: Tally, _ connection: KeptConnection?, _ clock: TransferClock,
    _ receiver: @escaping HTTPExchange.Receiver
  ) throws(PipelineError) -> End {
    let address = try HTTPAddress(url)
    // The first address is the caller's own choice and may be anywhere.
    var request = HTTPExchange.Request(
      address: address, credentials: address.credentials, headers: headers,
      validators: validators, body: body, certificateFile: certificateFile,
      mayReachInternal: true, before: nil, proxy: Self.environmentNamesProxy)
    var followed = 0
    while true {
      let exchange = try HTTPExchange(
        request, limits: limits, clock: clock, tally: tally,
        over: followed == 0 ? connection : nil, receiver: receiver)
      switch try exchange.perform() {
      case .done(let head):
        return .done(head)
      case .notModified(let validators):
        return .notModified(validators)
      case .redirect(let location, let endpoint):
        request = try next(request, location, endpoint, followed)
        followed += 1
      }
    }
  }

  /// Judges a redirect and makes the request that follows it.
  private func next(
    _ request: HTTPExchange.Request, _ location: [UInt8], _ endpoint: NetworkEndpoint?,
    _ followed: Int
  ) throws(PipelineError) -> HTTPExchange.Request {
    let from = request.address
    guard let to = try from.following(location) else {
      let text = Redaction.malformed(String(decoding: location, as: UTF8.self))
      throw PipelineError(.source(.redirect(to: text, .malformed)))
    }
    let mayReachInternal = RedirectRule.mayReachInternal(
      from: from, connectedTo: endpoint, proxy: request.proxy)
    let refusal =
      followed < limits.redirects
      ? RedirectRule.refusal(from: from, to: to, mayReachInternal: mayReachInternal)
      : .tooMany(limit: limits.redirects)
    if let refusal { throw PipelineError(.source(.redirect(to: to.url, refusal))) }
    var next = request
    next.address = to
    // Nobody knows which of the caller's lines are secrets.
    if from.origin != to.origin { next.headers = [] }
    next.credentials = RedirectRule.credentials(request.credentials, from: from, to: to)
    next.mayReachInternal = mayReachInternal
    next.before = endpoint
    return next
  }

  /// Whether one of the variables is set that libcurl takes a proxy from. It leaves HTTP_PROXY
  /// alone, which a CGI program gets from its client.
  private static var environmentNamesProxy: Bool {
    ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains { name in
      guard let value = getenv(name) else { return false }
      return value.pointee != 0
    }
  }
}

/// What a server answered that could be asked.
package enum HTTPAnswer: Equatable, Sendable {
  /// The content, which has been pushed into the stage.
  case content(HTTPValidators)
  /// The content is what the validators sent stand for; nothing has been pushed.
  case notModified(HTTPValidators)
}

/// How much of a server is put up with.
package struct HTTPLimits: Equatable, Sendable {
  /// The most bytes of a body.
  var bodyBytes = 256 << 20
  /// The most bytes of one response's header lines, interim responses and trailers included.
  var headerBytes = 64 << 10
  /// The most redirects that are followed.
  var redirects = 5
  /// The longest time to a connection, name look-up and TLS included.
  var connectSeconds = 30
  /// The least speed, kept up over `slowSeconds`.
  var slowBytesPerSecond = 1 << 10
  /// The time over which the speed is measured.
  var slowSeconds = 30
  /// The longest time in all, over all redirects.
  var totalSeconds = 300

  /// The limits of a feed's input.
  package init() {}

  /// Smaller limits, for short answers.
  package init(
    bodyBytes: Int = 256 << 20, connectSeconds: Int, slowSeconds: Int, totalSeconds: Int
  ) {
    self.bodyBytes = bodyBytes
    self.connectSeconds = connectSeconds
    self.slowSeconds = slowSeconds
    self.totalSeconds = totalSeconds
  }

  /// These limits where so many seconds are left in all.
  package func within(_ seconds: Double) -> HTTPLimits {
    var limits = self
    limits.totalSeconds = min(totalSeconds, max(1, Int(seconds)))
    return limits
  }
}

/// What a server gave to ask later whether its content is still the same (RFC 9110, section 8.8).
package struct HTTPValidators: Equatable, Sendable {
  /// The value of `ETag`, quotes included.
  package var entityTag: String?
  /// The value of `Last-Modified`, as it came.
  package var lastModified: String?

  /// Makes validators; none by default.
  package init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  /// The header lines of a conditional request (RFC 9110, section 13.1); none where nothing is
  /// known. Both are sent: the server takes the better one.
  var headers: [String] {
    [entityTag.map { "If-None-Match: \($0)" }, lastModified.map { "If-Modified-Since: \($0)" }]
      .compactMap(\.self)
  }

  /// These validators, and where a 304 left one out, the ones from before.
  package func keeping(_ before: HTTPValidators) -> HTTPValidators {
    HTTPValidators(
      entityTag: entityTag ?? before.entityTag, lastModified: lastModified ?? before.lastModified)
  }
}

/// The name and password that a URL carries, decoded.
struct HTTPCredentials: Equatable, Sendable {
  var user: String
  var password: String
}

/// Decides whether to retry a failed download, and after which wait.
///
/// The class of the fault decides: see the table of retries. The wait is exponential with full
/// jitter, so that clients that failed together do not come back together.
package struct RetryRule: Equatable, Sendable {
  /// Tries in all.
  var tries = 3
  /// The longest wait before the second try, in seconds; it doubles from try to try.
  var base = 1.0
  /// What it doubles to at most.
  var cap = 30.0
  /// The longest wait that a server may ask for.
  var longestRetryAfter = 120
  /// All tries and waits together, in seconds.
  var total = 300.0
  /// Whether the first try is repeated too if a server cannot be reached or stalls.
  var isUnattended = true

  /// The rule of a job that nobody waits for.
  package init() {}

  /// The rule if somebody may be waiting: a wrong name or a server that is off is reported at once.
  static let attended: RetryRule = {
    var rule = RetryRule()
    rule.isUnattended = false
    return rule
  }()

  /// Returns the wait in seconds after a failed try, counted from 1; nil if there is no other try.
  ///
  /// A server that asks for a longer wait than ``longestRetryAfter`` is not asked again: an earlier
  /// request would ignore it. Without a `Retry-After` that lies ahead, the wait is this rule's (RFC
  /// 9110, section 10.2.3). `random` returns a number between 0 and its argument.
  func pause(
    after error: PipelineError, try number: Int, random: (Double) -> Double
  ) -> Double? {
    // Each of several requests has had its own tries.
    guard number < tries, case .source(let fault) = error.fault else { return nil }
    var least = 0.0
    switch fault.class.retry {
    case .never: return nil
    case .afterSilence where !isUnattended && number == 1: return nil
    case .afterCut, .afterSilence: break
    case .asTold:
      guard case .status(_, _, let retryAfter?) = fault else { break }
      guard retryAfter <= longestRetryAfter else { return nil }
      least = Double(retryAfter)
    }
    var longest = base
    for _ in 1..<number { longest *= 2 }
    return least + random(min(cap, longest))
  }
}

/// How another try can help after a failure.
private enum Retry {
  /// Not at all: it would fail in the same way.
  case never
  /// The server did answer, and may send the rest.
  case afterCut
  /// The server may answer later. The first failure is reported at once if somebody waits.
  case afterSilence
  /// The server says that it will answer later, and may say when.
  case asTold
}

extension FaultClass {
  /// The table of retries.
  fileprivate var retry: Retry {
    switch self {
    case .connectionLost: .afterCut
    case .unreachable, .stalled: .afterSilence
    case .serverBusy, .gatewayFailed: .asTold
    case .badData, .badFeed, .usage, .noInput, .cannotRead, .cannotCreate, .cannotWrite,
      .badState, .busy, .guarded, .readerGone, .cancelled, .notInstalled, .blocked, .timedOut,
      .unauthorized,
      .forbidden, .badAnswer:
      .never
    }
  }
}

extension RetryRule {
  /// Does something with as many tries as the rule allows, and waits before each but the first.
  ///
  /// `body` is told how many seconds are left for all; `failed` hears of a failure that another try
  /// follows, and of the wait before that. The wait is published in `tally`.
  package func attempt<Result>(
    _ clock: SyncClock, tally: Tally? = nil, failed: (PipelineError, Double) -> Void = { _, _ in },
    _ body: (Double) throws(PipelineError) -> Result
  ) throws(PipelineError) -> Result {
    let start = clock.elapsed()
    var number = 1
    while true {
      let left = total - (clock.elapsed() - start)
      do throws(PipelineError) {
        return try body(left)
      } catch {
        guard let pause = pause(after: error, try: number, random: clock.random),
          pause < total - (clock.elapsed() - start)
        else { throw error }
        failed(error, pause)
        tally?.secondsToWait.set(Int(pause.rounded(.up)))
        clock.wait(pause)
        tally?.secondsToWait.set(0)
        number += 1
      }
    }
  }
}

/// What of a body has been handed on already, where the body is sent once more.
///
///     first answer   ▓▓▓▓▓▓▓✂
///     second answer  ▓▓▓▓▓▓▓░░░░░░░   the same as far as the cut? then only what follows is new
struct RepeatedBody {
  /// What has been handed on.
  private var known = Fingerprint()
  /// What of it has come again.
  private var again: Fingerprint?
  /// The failure of the try that came furthest.
  private var furthest: PipelineError?

  /// How many bytes have been handed on.
  var count: Int { known.length }

  /// Expects the body from its start once more, after a failure.
  mutating func begin(after error: PipelineError) {
    furthest = further(error)
    again = known.length == 0 ? nil : Fingerprint()
  }

  /// How many of these bytes, the body's next, have been handed on before.
  ///
  /// Throws the failure before where they are not the same as far as that went.
  mutating func skip(_ bytes: RawSpan) throws(PipelineError) -> Int {
    var skipped = 0
    if var seen = again {
      skipped = min(bytes.byteCount, known.length - seen.length)
      seen.add(bytes.extracting(0..<skipped))
      again = seen
      if seen.length == known.length { try end() }
    }
    known.add(bytes.extracting(skipped..<bytes.byteCount))
    return skipped
  }

  /// Ends the body. Throws the failure before where not all came again that had been handed on.
  mutating func end() throws(PipelineError) {
    guard let seen = again else { return }
    if seen != known, let furthest { throw furthest }
    again = nil
  }

  /// Returns the error to report after the last try. A connection that broke off says more than no
  /// connection afterwards.
  func further(_ error: PipelineError) -> PipelineError {
    guard let furthest else { return error }
    switch error.class.retry {
    case .afterCut, .afterSilence:
      return (error.offset ?? -1) < (furthest.offset ?? -1) ? furthest : error
    case .never, .asTold: return error
    }
  }
}
