import CSluice
import Glibc

/// Sends one request and reads its response. It is the context of libcurl's callbacks.
///
/// ```
/// perform ─▶ openSocket ─▶ connected ─▶ header … header ─▶ body … body ─▶ end
///            may connect?  speed counts  status, Location   into the stage
///            mayGoOn is called all the time
/// ```
///
/// A callback that cannot continue sets `failure` and makes libcurl stop. Each exchange has its own
/// handle, so that no connection and no secret is left from the exchange before. If the caller
/// keeps the connection, all options of its handle have been reset.
final class HTTPExchange {
  /// A request.
  struct Request {
    var address: HTTPAddress
    var credentials: HTTPCredentials?
    /// The caller's header lines, which are as secret as credentials.
    var headers: [String] = []
    /// Validators of the content that the caller has. If there are any, a 304 is an answer.
    var validators = HTTPValidators()
    /// A text to POST, after redirects too, or nil for a GET.
    var body: String?
    var certificateFile: String?
    /// Whether the connection may lead to an internal address.
    var mayReachInternal: Bool
    /// Whether a server has sent us to this address.
    var isRedirected = false
    /// The endpoint of the request before.
    var before: NetworkEndpoint?
    /// Whether the environment names a proxy.
    var proxy: Bool
  }

  /// The result of a request.
  enum Outcome {
    /// The whole body was written to the stage. The value is the head of the response.
    case done(ResponseHead)
    /// The content of the request's validators is still current.
    case notModified(HTTPValidators)
    /// The server redirects to another URL.
    case redirect(location: [UInt8], connectedTo: NetworkEndpoint?)
  }

  /// Receives a piece of the body.
  typealias Receiver = (RawSpan) throws(PipelineError) -> Void

  let request: Request
  let limits: HTTPLimits
  let clock: TransferClock
  let counters: Counters
  private let date: ContentDate
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
  /// The start of the period over which the speed is measured.
  private var stretch = (elapsed: 0, bytes: 0)

  /// Prepares a request. Throws if libcurl is missing or too old.
  init(
    _ request: Request, limits: HTTPLimits, clock: TransferClock, counters: Counters,
    date: ContentDate, over connection: KeptConnection? = nil, receiver: @escaping Receiver
  ) throws(PipelineError) {
    self.request = request
    self.limits = limits
    self.clock = clock
    self.counters = counters
    self.date = date
    self.receiver = receiver
    // With an encoding, a cut would go unnoticed, and our limits would not apply to the inflated
    // bytes.
    handle = try CurlHandle(
      headers: ["Accept-Encoding: identity"] + request.bodyHeaders + request.validators.headers
        + request.headers, over: connection)
    try configure(handle)
  }

  /// Sends the request and writes the body of a 200 to the stage. Blocks until the end.
  func perform() throws(PipelineError) -> Outcome {
    let code = handle.perform()
    if let failure { throw failure }
    if code != CURLE_OK, let refusedAddress, !isConnected {
      throw PipelineError(
        .source(
          .redirect(
            to: Redaction.url(request.address.url),
            .internalAddress(refusedAddress.description))))
    }
    // The body of any other response is not read, so its end does not matter.
    if head.isComplete, head.status != 200 { return try otherStatus() }
    if let framing = head.framingFault { throw PipelineError(.source(framing)) }
    if code != CURLE_OK { throw error(code) }
    // For libcurl, headers that end without an empty line are a complete response without a body.
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
      .source(.status(head.status, url: Redaction.url(request.address.url), retryAfter: wait)))
  }

  private func error(_ code: CURLcode) -> PipelineError {
    let fault = SourceFault(
      code, detail: handle.detail(code), received: received, expected: expected,
      headIsComplete: head.isComplete, certificateFile: request.certificateFile, limits: limits)
    return PipelineError(.source(fault), at: bodyHasBegun ? received : nil)
  }

  // MARK: Called by the callbacks. False makes libcurl stop.

  /// Reads a header line.
  func header(_ line: RawSpan) -> Bool {
    headerBytes += line.byteCount
    guard headerBytes <= limits.headerBytes else {
      return fail(.headersTooLarge(limit: limits.headerBytes))
    }
    // Header lines after the body are trailers. They are ignored.
    if !bodyHasBegun { head.take(line) }
    return true
  }

  /// Passes on a piece of the body.
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
    counters.source.bytesIn.set(received)
    do throws(PipelineError) {
      try clock.aside { () throws(PipelineError) in try receiver(bytes) }
    } catch {
      failure = error
      return false
    }
    counters.source.bytesOut.set(received)
    return true
  }

  /// Notes that the connection is open. The speed is measured from now on.
  func connected() {
    isConnected = true
    stretch = (clock.elapsed, 0)
  }

  /// Checks the time and the speed. Returns whether to continue.
  private func mayGoOn() -> Bool {
    guard failure == nil else { return false }
    let second = 1_000_000_000
    let elapsed = clock.elapsed
    let offset = bodyHasBegun ? received : nil
    if let deadline = limits.deadline, deadline.hasPassed {
      return fail(.outOfTime(seconds: deadline.seconds), at: offset)
    }
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

  /// Returns whether a socket to this endpoint may be opened. Nil is an endpoint of an unknown
  /// kind.
  private func mayConnect(to endpoint: NetworkEndpoint?) -> Bool {
    guard request.isRedirected else { return true }
    guard let endpoint else { return request.mayReachInternal }
    let allowed = RedirectRule.allows(
      endpoint, before: request.before, mayReachInternal: request.mayReachInternal,
      proxy: request.proxy)
    if !allowed { refusedAddress = endpoint.address }
    return allowed
  }

  private func beginBody() {
    bodyHasBegun = true
    if let coding = head.contentEncoding {
      _ = fail(.contentEncoding(coding))
      return
    }
    if let fault = head.framingFault {
      _ = fail(fault)
      return
    }
    counters.endsWithConnection.set(head.hasLength ? 0 : 1)
    if let length = handle.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T), length >= 0 {
      expected = length
      counters.expectedBytes.set(length)
      if length > limits.bodyBytes {
        _ = fail(.bodyTooLarge(limit: limits.bodyBytes, expected: length))
      }
    }
    if let time = handle.offset(CURLINFO_FILETIME_T), time >= 0 { date.set(time) }
  }

  private func fail(_ fault: SourceFault, at offset: Int? = nil) -> Bool {
    failure = PipelineError(.source(fault), at: offset)
    return false
  }
}

extension HTTPExchange {
  /// Sets the options of the request and its callbacks.
  private func configure(_ handle: borrowing CurlHandle) throws(PipelineError) {
    try handle.set(CURLOPT_URL, request.address.url)
    try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
    // One request at a time over a connection: HTTP/2 has no advantage.
    try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try handle.set(CURLOPT_USERAGENT, HTTPSource.userAgent)
    try handle.set(CURLOPT_FOLLOWLOCATION, 0)
    try handle.set(CURLOPT_FILETIME, 1)
    // A kept handle may still have its buffer, which older libraries do not resize.
    handle.setIfKnown(CURLOPT_BUFFERSIZE, 128 << 10)
    try handle.set(CURLOPT_NOSIGNAL, 1)
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectSeconds * 1000)
    // A proxy's answer about its tunnel is not part of the response.
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Without it, the end of the transfer waits for an abandoned name look-up.
    handle.setIfKnown(CURLOPT_QUICK_EXIT, 1)
    try handle.set(CURLOPT_SSL_VERIFYPEER, 1)
    try handle.set(CURLOPT_SSL_VERIFYHOST, 2)
    if let file = request.certificateFile { try handle.set(CURLOPT_CAINFO, file) }
    if let credentials = request.credentials {
      try handle.set(CURLOPT_USERNAME, credentials.user)
      try handle.set(CURLOPT_PASSWORD, credentials.password)
    }
    if let body = request.body {
      try handle.set(CURLOPT_POST, 1)
      try handle.set(CURLOPT_POSTFIELDSIZE, body.utf8.count)
      try handle.set(CURLOPT_COPYPOSTFIELDS, body)
    }
    try setCallbacks(handle)
  }

  private func setCallbacks(_ handle: borrowing CurlHandle) throws(PipelineError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    try handle.set(CURLOPT_HEADERDATA, context: context)
    try handle.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let line = RawSpan(_unsafeStart: UnsafeRawPointer(bytes), byteCount: size * count)
      return HTTPExchange.of(context).header(line) ? size * count : HTTPExchange.giveUp
    }
    try handle.set(CURLOPT_WRITEDATA, context: context)
    try handle.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let piece = RawSpan(_unsafeStart: UnsafeRawPointer(bytes), byteCount: size * count)
      return HTTPExchange.of(context).body(piece) ? size * count : HTTPExchange.giveUp
    }
    try handle.set(CURLOPT_NOPROGRESS, 0)
    try handle.set(CURLOPT_XFERINFODATA, context: context)
    try handle.setProgress { context, _, _, _, _ in
      guard let context else { return 1 }
      return HTTPExchange.of(context).mayGoOn() ? 0 : 1
    }
    try handle.set(CURLOPT_PREREQDATA, context: context)
    try handle.setRequestReady { context, _, _, _, _ in
      guard let context else { return CURL_PREREQFUNC_ABORT }
      HTTPExchange.of(context).connected()
      return CURL_PREREQFUNC_OK
    }
    try handle.set(CURLOPT_OPENSOCKETDATA, context: context)
    try handle.setOpenSocket { context, _, address in
      guard let context, let address else { return -1 }
      let kind = address.pointee
      let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
      let endpoint = NetworkEndpoint(
        socketAddress: UnsafeRawPointer(address) + offset, family: kind.family,
        length: Int(kind.addrlen))
      guard HTTPExchange.of(context).mayConnect(to: endpoint) else { return -1 }
      return socket(kind.family, kind.socktype | Int32(SOCK_CLOEXEC.rawValue), kind.protocol)
    }
  }

  /// The result of a write callback that refuses its bytes: more than any count.
  private static let giveUp = 0xFFFF_FFFF

  private static func of(_ context: UnsafeMutableRawPointer) -> HTTPExchange {
    Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
  }
}

extension HTTPExchange.Request {
  /// The header lines of a body: its type, and an empty `Expect`, so that libcurl does not ask
  /// first whether the server wants the body.
  var bodyHeaders: [String] {
    body == nil ? [] : ["Content-Type: text/plain; charset=utf-8", "Expect:"]
  }
}

/// Measures the time of a transfer on the network.
///
/// The time inside the stages does not count, because a slow reader of our output does not make the
/// server slow.
final class TransferClock {
  private let start = MonotonicTime.now
  private var away = 0

  /// The nanoseconds since the start, without those spent in `aside`.
  var elapsed: Int { MonotonicTime.now - start - away }

  /// Runs `body` without counting its time.
  func aside<T>(_ body: () throws(PipelineError) -> T) throws(PipelineError) -> T {
    let left = MonotonicTime.now
    defer { away += MonotonicTime.now - left }
    return try body()
  }
}
