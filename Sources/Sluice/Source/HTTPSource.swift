import Glibc

/// Sends a request to an `http` or `https` URL and writes the body of the answer to a stage.
///
/// Makes one try unless a rule is given. Only status 200 is an answer. 204, 206 and the other 2xx
/// have no whole body, so they are errors with their status, like every other status. Redirects are
/// followed here and not by libcurl, so that every step can be checked (``RedirectRule``).
/// Certificates are always verified. The caller's header lines are sent only to the first origin.
///
/// The process has to ignore SIGPIPE: libcurl is told to leave signals alone, and TLS may write to
/// a socket that the other end has closed.
package struct HTTPSource {
  /// The `User-Agent` of requests.
  static let userAgent = "sluice/\(Release.version)"

  private let url: String
  private let certificateFile: String?
  private let headers: [String]
  private let validators: HTTPValidators
  private let body: String?
  private let limits: HTTPLimits

  /// Makes a source. `certificateFile` has certificates to trust in addition to the system's.
  /// `validators` are those of the content that the caller has. `body` is a text to POST, or nil
  /// for a GET.
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

  /// Sends the request, and writes the body to `stage` as it arrives. Does not finish the stage.
  /// Blocks until the end.
  ///
  /// While the stage works, nothing is read, so the server has to wait. Counts the bytes received
  /// and passed on in `counters`. If the server sends them, sets the expected number of bytes and
  /// the `date` of the content first. Throws the errors of the stage, unchanged, or a
  /// `SourceFault`. If the validators still match, nothing is written.
  @discardableResult
  package func run<S: ByteStage & ~Copyable>(
    into stage: inout S, counters: Counters, date: ContentDate = ContentDate()
  ) throws(PipelineError) -> HTTPAnswer {
    let end = try run(counters, date, nil, TransferClock()) { (bytes) throws(PipelineError) in
      try stage.write(bytes)
    }
    switch end {
    case .done(let head): return .content(head.validators)
    case .notModified(let validators): return .notModified(validators)
    }
  }

  /// Sends the request like ``run(into:counters:date:)``, with as many tries as a rule allows.
  ///
  /// The stage keeps the bytes that it has received. Another try continues after them if the server
  /// sends the same bytes up to there. If it does not, the earlier failure is thrown. The time of
  /// the content is that of the first answer, because events may have been stamped with it. The
  /// time limit is for all tries together.
  func run<S: ByteStage & ~Copyable>(
    into stage: inout S, counters: Counters, date: ContentDate, tries rule: RetryRule,
    clock: SyncClock = .system
  ) throws(PipelineError) {
    var repeated = RepeatedBody()
    let transfer = TransferClock()
    do throws(PipelineError) {
      try rule.attempt(clock, counters: counters, until: limits.deadline) { (error, _) in
        repeated.begin(after: error)
      } _: { (_) throws(PipelineError) in
        let isFirst = repeated.count == 0
        _ = try run(
          isFirst ? counters : Counters(), isFirst ? date : ContentDate(), nil, transfer
        ) { (bytes) throws(PipelineError) in
          let skipped = try repeated.skip(bytes)
          guard skipped < bytes.byteCount else { return }
          counters.source.bytesIn.set(repeated.count)
          try stage.write(bytes.extracting(skipped..<bytes.byteCount))
          counters.source.bytesOut.set(repeated.count)
        }
        try repeated.end()
      }
    } catch {
      throw repeated.further(error)
    }
  }

  /// Sends the request like ``run(into:counters:date:)``, over a connection that may be open
  /// already. Returns the head of the answer. Must not be used with validators.
  package func ask<S: ByteStage & ~Copyable>(
    into stage: inout S, over connection: KeptConnection, counters: Counters, date: ContentDate
  ) throws(PipelineError) -> ResponseHead {
    let end = try run(counters, date, connection, TransferClock()) {
      (bytes) throws(PipelineError) in
      try stage.write(bytes)
    }
    guard case .done(let head) = end else { return ResponseHead() }
    return head
  }

  /// The result of the last exchange.
  private enum End {
    case done(ResponseHead)
    case notModified(HTTPValidators)
  }

  private func run(
    _ counters: Counters, _ date: ContentDate, _ connection: KeptConnection?,
    _ clock: TransferClock, _ receiver: HTTPExchange.Receiver
  ) throws(PipelineError) -> End {
    // The exchanges keep the closure, and are destroyed before this returns.
    try withoutActuallyEscaping(receiver) { (receiver) throws(PipelineError) in
      try follow(counters, date, connection, clock, receiver)
    }
  }

  private func follow(
    _ counters: Counters, _ date: ContentDate, _ connection: KeptConnection?,
    _ clock: TransferClock, _ receiver: @escaping HTTPExchange.Receiver
  ) throws(PipelineError) -> End {
    let address = try HTTPAddress(url)
    // The first address is the caller's choice and may be internal.
    var request = HTTPExchange.Request(
      address: address, credentials: address.credentials, headers: headers,
      validators: validators, body: body, certificateFile: certificateFile,
      mayReachInternal: true, before: nil, proxy: Self.environmentNamesProxy)
    var followed = 0
    while true {
      let exchange = try HTTPExchange(
        request, limits: limits, clock: clock, counters: counters, date: date,
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

  /// Checks a redirect and makes the next request. Throws ``SourceFault/redirect(to:_:)`` if it
  /// must not be followed.
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
    if let refusal { throw PipelineError(.source(.redirect(to: Redaction.url(to.url), refusal))) }
    var next = request
    next.address = to
    // Any of the caller's header lines may be a secret.
    if from.origin != to.origin { next.headers = [] }
    next.credentials = RedirectRule.credentials(request.credentials, from: from, to: to)
    next.mayReachInternal = mayReachInternal
    next.isRedirected = true
    next.before = endpoint
    return next
  }

  /// The variables that libcurl reads a proxy from. It ignores HTTP_PROXY, which a CGI program gets
  /// from its client.
  static let proxyVariables = [
    "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
  ]

  /// Whether the environment names a proxy.
  private static var environmentNamesProxy: Bool {
    proxyVariables.contains { Environment.value($0) != nil }
  }
}

/// The answer of a server.
package enum HTTPAnswer: Equatable, Sendable {
  /// The content. It was written to the stage.
  case content(HTTPValidators)
  /// The content of the given validators is still current. Nothing was written.
  case notModified(HTTPValidators)
}

/// Limits on a server's answers.
package struct HTTPLimits: Equatable, Sendable {
  /// The largest body, in bytes.
  var bodyBytes = 256 << 20
  /// The largest size of one response's header lines in bytes, including interim responses and
  /// trailers.
  var headerBytes = 64 << 10
  /// The largest number of redirects.
  var redirects = 5
  /// The longest time until the connection is open, including name look-up and TLS.
  var connectSeconds = 30
  /// The lowest average speed over `slowSeconds`.
  var slowBytesPerSecond = 1 << 10
  /// The time over which the speed is measured.
  var slowSeconds = 30
  /// The longest total time, including all redirects.
  var totalSeconds = 300
  /// The end of the whole run, or nil if it has none.
  package var deadline: RunDeadline?

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

  /// Returns these limits with at most `seconds` in total, but at least one second.
  package func within(_ seconds: Double) -> HTTPLimits {
    var limits = self
    limits.totalSeconds = min(totalSeconds, max(1, Int(seconds)))
    return limits
  }
}

/// Values from a server that a later request sends back, to learn whether the content is still the
/// same (RFC 9110, section 8.8).
package struct HTTPValidators: Equatable, Sendable {
  /// The value of `ETag`, quotes included.
  package var entityTag: String?
  /// The value of `Last-Modified`, unchanged.
  package var lastModified: String?

  /// The largest entity-tag that is kept, in bytes. Servers refuse requests with long headers.
  private static let longestTag = 4096

  /// Makes validators. By default there are none. A value of `ETag` that is not an entity-tag is
  /// dropped: `*` would match any content.
  package init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag.flatMap { Self.isTag($0) ? $0 : nil }
    self.lastModified = lastModified
  }

  /// Whether a text is an entity-tag (RFC 9110, section 8.8.3): `"…"` or `W/"…"`.
  private static func isTag(_ text: String) -> Bool {
    let tag = (text.hasPrefix("W/") ? text.dropFirst(2) : text[...]).utf8
    guard text.utf8.count <= longestTag, tag.count >= 2, tag.first == UInt8(ascii: "\""),
      tag.last == UInt8(ascii: "\"")
    else { return false }
    return tag.dropFirst().dropLast().allSatisfy { byte in
      byte > 0x20 && byte != UInt8(ascii: "\"") && byte != 0x7F
    }
  }

  /// The header lines of a conditional request (RFC 9110, section 13.1), or none if there are no
  /// validators. Both are sent, and the server uses the better one.
  var headers: [String] {
    [entityTag.map { "If-None-Match: \($0)" }, lastModified.map { "If-Modified-Since: \($0)" }]
      .compactMap(\.self)
  }

  /// Returns these validators, with those of `before` for any that a 304 left out.
  package func keeping(_ before: HTTPValidators) -> HTTPValidators {
    HTTPValidators(
      entityTag: entityTag ?? before.entityTag, lastModified: lastModified ?? before.lastModified)
  }
}

/// The name and password in a URL, decoded.
struct HTTPCredentials: Equatable, Sendable {
  var user: String
  var password: String
}

/// Decides whether to retry a failed download, and after which wait.
///
/// The class of the fault decides: see the table of retries. The wait is exponential with full
/// jitter, so that clients that failed together do not come back together.
package struct RetryRule: Equatable, Sendable {
  /// The largest number of tries.
  var tries = 3
  /// The longest wait before the second try, in seconds. It doubles from try to try.
  var base = 1.0
  /// The limit of that doubling, in seconds.
  var cap = 30.0
  /// The longest wait that a server may ask for, in seconds.
  private var longestRetryAfter = 120
  /// The time limit of all tries and waits together, in seconds.
  var total = 300.0
  /// Whether the first try is also repeated if a server cannot be reached or stalls.
  private var isUnattended = true

  /// The rule of a job that runs unattended.
  package init() {}

  /// The rule if somebody may be waiting: a wrong name or a server that is off is reported at once.
  static let attended: RetryRule = {
    var rule = RetryRule()
    rule.isUnattended = false
    return rule
  }()

  /// Returns the wait in seconds after a failed try, counted from 1, or nil if there is no other
  /// try.
  ///
  /// If a server asks for a longer wait than ``longestRetryAfter``, no other request is sent: an
  /// earlier one would ignore the server's wish. Without a `Retry-After` in the future, the wait is
  /// this rule's (RFC 9110, section 10.2.3). `random` returns a number between 0 and its argument.
  func pause(
    after error: PipelineError, try number: Int, random: (Double) -> Double
  ) -> Double? {
    // The failure of several requests is not retried here: each has had its own tries.
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

/// Whether another try can succeed after a failure.
private enum Retry {
  /// No: it would fail in the same way.
  case never
  /// The server did answer. It may send the rest.
  case afterCut
  /// The server may answer later. The first failure is reported at once if somebody waits.
  case afterSilence
  /// The server says that it will answer later, and may say when.
  case asTold
}

extension FaultClass {
  /// The class's row in the table of retries.
  fileprivate var retry: Retry {
    switch self {
    case .connectionLost: .afterCut
    case .unreachable, .stalled: .afterSilence
    case .serverBusy, .gatewayFailed: .asTold
    case .badData, .badFeed, .usage, .nothingFound, .noInput, .cannotRead, .cannotCreate,
      .cannotWrite,
      .badState, .busy, .guarded, .readerGone, .cancelled, .notInstalled, .blocked, .timedOut,
      .unauthorized,
      .forbidden, .badAnswer:
      .never
    }
  }
}

extension RetryRule {
  /// Runs `body` with as many tries as the rule allows, and waits before each retry.
  ///
  /// `body` gets the number of seconds that are left for all tries. `failed` is called with each
  /// failure before a retry, and with the wait in seconds. The wait is set in `counters`. Throws
  /// the error of the last try. No wait goes beyond the deadline.
  package func attempt<Result>(
    _ clock: SyncClock, counters: Counters? = nil, until deadline: RunDeadline? = nil,
    failed: (PipelineError, Double) -> Void = { _, _ in },
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
          pause < total - (clock.elapsed() - start), deadline.map({ pause < $0.left }) ?? true
        else { throw error }
        failed(error, pause)
        counters?.secondsToWait.set(Int(pause.rounded(.up)))
        clock.wait(pause)
        counters?.secondsToWait.set(0)
        number += 1
      }
    }
  }
}

/// Compares a body that is sent again with the part that was already passed on.
///
///     first answer   ▓▓▓▓▓▓▓✂
///     second answer  ▓▓▓▓▓▓▓░░░░░░░   the same up to the cut? then only the rest is new
struct RepeatedBody {
  /// The bytes that were passed on.
  private var known = Fingerprint()
  /// Those of them that have arrived again.
  private var again: Fingerprint?
  /// The failure of the try that received the most.
  private var furthest: PipelineError?

  /// The number of bytes that were passed on.
  var count: Int { known.length }

  /// Prepares for the body from its start, after a failure.
  mutating func begin(after error: PipelineError) {
    furthest = further(error)
    again = known.length == 0 ? nil : Fingerprint()
  }

  /// Returns how many of these bytes, the next ones of the body, were already passed on.
  ///
  /// Throws the earlier failure if they differ from those that were passed on.
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

  /// Ends the body. Throws the earlier failure if not all of the bytes that were passed on have
  /// arrived again.
  mutating func end() throws(PipelineError) {
    guard let seen = again else { return }
    if seen != known, let furthest { throw furthest }
    again = nil
  }

  /// Returns the error to report after the last try. A connection that broke off says more than a
  /// later failure to connect.
  func further(_ error: PipelineError) -> PipelineError {
    guard let furthest else { return error }
    switch error.class.retry {
    case .afterCut, .afterSilence:
      return (error.offset ?? -1) < (furthest.offset ?? -1) ? furthest : error
    case .never, .asTold: return error
    }
  }
}
