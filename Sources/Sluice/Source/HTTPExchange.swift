import CCurl

/// Sends one request and takes its response: the context of libcurl's callbacks.
///
/// ```
/// perform ─▶ openSocket ─▶ connected ─▶ header … header ─▶ body … body ─▶ end
///            may connect?  speed counts  status, Location   into the stage
///            mayGoOn is asked all the while
/// ```
/// Whoever refuses to go on leaves the reason in `failure` and makes libcurl give up. Each
/// exchange has a handle of its own, so no connection and no secret is left over from the last; or one
/// whose options have all been forgotten, where the caller keeps the connection.
final class HTTPExchange {
  /// What the caller of a request decides.
  struct Request {
    var address: HTTPAddress
    var credentials: HTTPCredentials?
    /// Header lines of the caller's, as secret as credentials.
    var headers: [String] = []
    /// What the caller knows of the content: a 304 is an answer then.
    var validators = HTTPValidators()
    /// A text to POST, after redirects too; nil is a GET.
    var body: String?
    var certificateFile: String?
    /// Whether the connection may lead to an internal address.
    var mayReachInternal: Bool
    /// Where the request before was connected to.
    var before: NetworkEndpoint?
    /// Whether the environment names a proxy.
    var proxy: Bool
  }

  /// What became of a request.
  enum Outcome {
    /// The whole body has been pushed into the stage; the head of its response.
    case done(ResponseHead)
    /// The content is still what the request's validators stand for.
    case notModified(HTTPValidators)
    /// The server points elsewhere.
    case redirect(location: [UInt8], connectedTo: NetworkEndpoint?)
  }

  /// Takes a piece of the body.
  typealias Receiver = (RawSpan) throws(PipelineError) -> Void

  let request: Request
  let limits: HTTPLimits
  let clock: TransferClock
  let tally: Tally
  private let receiver: Receiver
  private let handle: CurlHandle

  private(set) var failure: PipelineError?
  private(set) var head = ResponseHead()
  private(set) var received = 0
  private var headerBytes = 0
  private var bodyHasBegun = false
  private(set) var expected: Int?
  private var isConnected = false
  private var refusedAddress: NetworkAddress?
  /// Where the stretch began over which the speed is measured.
  private var stretch = (elapsed: 0, bytes: 0)

  /// Prepares a request.
  init(
    _ request: Request, limits: HTTPLimits, clock: TransferClock, tally: Tally,
    over connection: KeptConnection? = nil, receiver: @escaping Receiver
  ) throws(PipelineError) {
    self.request = request
    self.limits = limits
    self.clock = clock
    self.tally = tally
    self.receiver = receiver
    // Encodings would hide a cut and inflate without our limits.
    handle = try CurlHandle(
      headers: ["Accept-Encoding: identity"] + request.bodyHeaders + request.validators.headers
        + request.headers, over: connection)
    try configure(handle)
  }

  /// Sends the request and pushes the body of a 200 into the stage; blocks.
  func perform() throws(PipelineError) -> Outcome {
    let code = handle.perform()
    if let failure { throw failure }
    if code != CURLE_OK, let refusedAddress, !isConnected {
      throw PipelineError(
        .source(
          .redirect(
            to: request.address.url, .internalAddress(refusedAddress.description))))
    }
    // The body of any other response is not read, so how it ended does not matter.
    if head.isComplete, head.status != 200 { return try otherStatus() }
    if code != CURLE_OK { throw error(code) }
    // libcurl takes headers that just end for a complete response without a body.
    guard head.isComplete else { throw error(CURLE_PARTIAL_FILE) }
    if !bodyHasBegun { beginBody() }
    if let failure { throw failure }
    return .done(head)
  }

  private func otherStatus() throws(PipelineError) -> Outcome {
    if [301, 302, 303, 307, 308].contains(head.status), let location = head.location {
      let address = handle.text(CURLINFO_PRIMARY_IP).flatMap { NetworkAddress($0) }
      let endpoint = address.map {
        NetworkEndpoint(address: $0, port: handle.number(CURLINFO_PRIMARY_PORT) ?? 0)
      }
      return .redirect(location: location, connectedTo: endpoint)
    }
    if head.status == 304, !request.validators.headers.isEmpty {
      return .notModified(head.validators)
    }
    let wait = handle.offset(CURLINFO_RETRY_AFTER).flatMap { $0 > 0 ? $0 : nil }
    throw PipelineError(
      .source(.status(head.status, url: request.address.url, retryAfter: wait)))
  }

  private func error(_ code: CURLcode) -> PipelineError {
    let fault = SourceFault(
      code, detail: handle.detail(code), received: received, expected: expected,
      headIsComplete: head.isComplete, certificateFile: request.certificateFile, limits: limits)
    return PipelineError(.source(fault), at: bodyHasBegun ? received : nil)
  }

  // MARK: What the callbacks call; false makes libcurl give up.

  /// Takes a header line.
  func header(_ line: RawSpan) -> Bool {
    headerBytes += line.byteCount
    guard headerBytes <= limits.headerBytes else {
      return fail(.headersTooLarge(limit: limits.headerBytes))
    }
    // What comes after a body are trailers, which change nothing.
    if !bodyHasBegun { head.take(line) }
    return true
  }

  /// Takes a piece of the body.
  func body(_ bytes: RawSpan) -> Bool {
    if !bodyHasBegun {
      guard head.status == 200 else { return false }
      beginBody()
    }
    guard failure == nil else { return false }
    received += bytes.byteCount
    guard received <= limits.bodyBytes else {
      return fail(.bodyTooLarge(limit: limits.bodyBytes, expected: expected), at: limits.bodyBytes)
    }
    tally.source.bytesIn.set(received)
    do throws(PipelineError) {
      try clock.aside { () throws(PipelineError) in try receiver(bytes) }
    } catch {
      failure = error
      return false
    }
    tally.source.bytesOut.set(received)
    return true
  }

  /// Hears that the connection stands: from now on the speed counts.
  func connected() {
    isConnected = true
    stretch = (clock.elapsed, 0)
  }

  /// Watches time and speed.
  func mayGoOn() -> Bool {
    guard failure == nil else { return false }
    let second = 1_000_000_000
    let elapsed = clock.elapsed
    let offset = bodyHasBegun ? received : nil
    guard elapsed < limits.totalSeconds * second else {
      return fail(
        .tooLong(seconds: limits.totalSeconds, received: received, expected: expected), at: offset)
    }
    guard isConnected else { return true }
    let bytes = headerBytes + received
    if bytes - stretch.bytes >= limits.slowBytesPerSecond * limits.slowSeconds {
      stretch = (elapsed, bytes)
    } else if elapsed - stretch.elapsed >= limits.slowSeconds * second {
      return fail(
        .tooSlow(
          bytesPerSecond: limits.slowBytesPerSecond, seconds: limits.slowSeconds,
          received: received, expected: expected), at: offset)
    }
    return true
  }

  /// Whether a socket to this endpoint may be opened; nil is one of an unknown kind.
  func mayConnect(to endpoint: NetworkEndpoint?) -> Bool {
    if request.mayReachInternal { return true }
    guard let endpoint else { return false }
    let allowed = RedirectRule.allows(endpoint, before: request.before, proxy: request.proxy)
    if !allowed { refusedAddress = endpoint.address }
    return allowed
  }

  private func beginBody() {
    bodyHasBegun = true
    if let coding = head.contentEncoding {
      _ = fail(.contentEncoding(coding))
      return
    }
    if let length = handle.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T), length >= 0 {
      expected = length
      tally.expectedBytes.set(length)
      if length > limits.bodyBytes {
        _ = fail(.bodyTooLarge(limit: limits.bodyBytes, expected: length))
      }
    }
    if let time = handle.offset(CURLINFO_FILETIME_T), time >= 0 { tally.modified.set(time) }
  }

  private func fail(_ fault: SourceFault, at offset: Int? = nil) -> Bool {
    failure = PipelineError(.source(fault), at: offset)
    return false
  }
}
