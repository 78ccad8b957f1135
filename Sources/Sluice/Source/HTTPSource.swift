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
struct HTTPSource {
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
  init(
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
  func run<S: ByteStage & ~Copyable>(
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
  func ask<S: ByteStage & ~Copyable>(
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
    if !from.hasSameOrigin(as: to) { next.headers = [] }
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
