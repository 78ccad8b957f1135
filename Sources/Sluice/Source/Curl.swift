import CSluice

/// Owns an easy handle of libcurl: one transfer, its options and its error text.
struct CurlHandle: ~Copyable {
  private let handle: UnsafeMutableRawPointer
  private let message: UnsafeMutablePointer<CChar>
  private let headers: UnsafeMutablePointer<curl_slist>?
  /// Whose connection it uses; nil where the handle is its own.
  private let kept: KeptConnection?

  /// Makes a handle that sends these header lines besides libcurl's own, at least one, over a
  /// connection that is kept where there is one; throws where libcurl is not there.
  init(headers lines: [String], over kept: KeptConnection? = nil) throws(PipelineError) {
    try CurlLibrary.load()
    guard let handle = kept?.handle ?? ccurl_easy_init() else { fatalError("out of memory") }
    self.handle = handle
    self.kept = kept
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    headers = lines.reduce(nil) { ccurl_slist_append($0, $1) }
    // These two options every libcurl has; and an initializer that owns cannot throw half way.
    _ = ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
    _ = ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
  }

  deinit {
    // A handle that is kept must not remember what ends here.
    if kept == nil { ccurl_easy_cleanup(handle) } else { ccurl_easy_reset(handle) }
    ccurl_slist_free_all(headers)
    message.deallocate()
  }

  /// Sets an option that is a number.
  func set(_ option: CURLoption, _ value: Int) throws(PipelineError) {
    try check(ccurl_set_long(handle, option, value))
  }

  /// Sets an option that is a number, where the library is new enough to do so; else it does without.
  func setIfKnown(_ option: CURLoption, _ value: Int) {
    _ = ccurl_set_long(handle, option, value)
  }

  /// Sets an option that is a text.
  func set(_ option: CURLoption, _ value: String) throws(PipelineError) {
    try check(ccurl_set_string(handle, option, value))
  }

  /// Sets an option that is the context of a callback, which has to outlive the transfer.
  func set(_ option: CURLoption, context: UnsafeMutableRawPointer) throws(PipelineError) {
    try check(ccurl_set_pointer(handle, option, context))
  }

  /// Sets who takes the body or the header lines.
  func set(_ option: CURLoption, _ callback: curl_write_callback) throws(PipelineError) {
    try check(ccurl_set_write_callback(handle, option, callback))
  }

  /// Sets who is asked, about once a second and with every arrival, whether to go on.
  func setProgress(_ callback: curl_xferinfo_callback) throws(PipelineError) {
    try check(ccurl_set_progress_callback(handle, callback))
  }

  /// Sets who opens the sockets.
  func setOpenSocket(_ callback: curl_opensocket_callback) throws(PipelineError) {
    try check(ccurl_set_open_callback(handle, callback))
  }

  /// Sets who is told that the connection stands and the request is about to be sent.
  func setRequestReady(_ callback: curl_prereq_callback) throws(PipelineError) {
    try check(ccurl_set_request_callback(handle, callback))
  }

  /// Runs the transfer to its end; blocks.
  func perform() -> CURLcode { ccurl_easy_perform(handle) }

  /// A number that libcurl knows of the transfer.
  func number(_ info: CURLINFO) -> Int? {
    var value = 0
    return ccurl_get_long(handle, info, &value) == CURLE_OK ? value : nil
  }

  /// A wide number that libcurl knows of the transfer.
  func offset(_ info: CURLINFO) -> Int? {
    var value: curl_off_t = 0
    return ccurl_get_offset(handle, info, &value) == CURLE_OK ? Int(value) : nil
  }

  /// A text that libcurl knows of the transfer.
  func text(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard ccurl_get_string(handle, info, &value) == CURLE_OK, let value else { return nil }
    return String(cString: value)
  }

  /// What libcurl says of an error, the more special text where there is one.
  func detail(_ code: CURLcode) -> String {
    let special = String(cString: message)
    if !special.isEmpty { return Redaction.message(special) }
    return ccurl_easy_strerror(code).map { String(cString: $0) } ?? ""
  }

  /// An option that is refused is one that the library is too old for.
  private func check(_ code: CURLcode) throws(PipelineError) {
    guard code != CURLE_OK else { return }
    throw PipelineError(
      .source(.libraryMissing(package: CurlLibrary.package, detail: detail(code))))
  }
}

/// Loads libcurl, once, when it is first needed.
package enum CurlLibrary {
  /// Debian's package that has the library.
  static let package = "libcurl4"

  private static let failure: PipelineError? = {
    do throws(PipelineError) {
      try load(named: "libcurl.so.4")
      return nil
    } catch {
      return error
    }
  }()

  /// Makes sure that libcurl is there; throws `SourceFault.libraryMissing`.
  package static func load() throws(PipelineError) {
    if let failure { throw failure }
  }

  /// Loads the shared library of this name in any case.
  static func load(named name: String) throws(PipelineError) {
    let reason: String? = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { why in
      guard let start = why.baseAddress, !ccurl_load(name, start, why.count) else { return nil }
      return String(cString: start)
    }
    guard let reason else { return }
    throw PipelineError(.source(.libraryMissing(package: package, detail: reason)))
  }
}

/// Owns a URL of libcurl's parser.
struct CurlURL: ~Copyable {
  private let handle: OpaquePointer

  /// Makes an empty URL; throws where libcurl is not there.
  init() throws(PipelineError) {
    try CurlLibrary.load()
    guard let handle = ccurl_url() else { fatalError("out of memory") }
    self.handle = handle
  }

  deinit { ccurl_url_cleanup(handle) }

  /// Sets a part. To set the whole URL where there is one follows a reference relative to it.
  /// False where libcurl cannot parse the text.
  func set(_ part: CURLUPart, _ text: String) -> Bool {
    set(part, bytes: Array(text.utf8))
  }

  /// Sets a part from bytes that need not be UTF-8.
  func set(_ part: CURLUPart, bytes: [UInt8]) -> Bool {
    // A byte 0 would end the text early.
    guard !bytes.contains(0) else { return false }
    let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_ALLOW_SPACE)
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    return ccurl_url_set(handle, part, text, flags) == CURLUE_OK
  }

  /// Removes a part.
  func remove(_ part: CURLUPart) { _ = ccurl_url_set(handle, part, nil, 0) }

  /// Gives a part, nil where there is none; the port is the scheme's own where none was set.
  func get(_ part: CURLUPart, decoded: Bool = false) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    let flags = part == CURLUPART_PORT ? CURLU_DEFAULT_PORT : decoded ? CURLU_URLDECODE : 0
    guard ccurl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else {
      return nil
    }
    defer { ccurl_free(text) }
    return String(cString: text)
  }
}

extension SourceFault {
  /// Says what an error of libcurl means.
  init(
    _ code: CURLcode, detail: String, received: Int, expected: Int?, headIsComplete: Bool,
    certificateFile: String?, limits: HTTPLimits
  ) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      self = .unresolved(detail: detail)
    case CURLE_COULDNT_CONNECT:
      self = .unconnected(detail: detail)
    case CURLE_OPERATION_TIMEDOUT:
      // The only time that libcurl watches itself; the others are ours.
      self = .connectTimeout(seconds: limits.connectSeconds, detail: detail)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      self = .certificate(detail: detail)
    case CURLE_SSL_CACERT_BADFILE:
      self =
        certificateFile.map { .certificateFile(path: $0, detail: detail) } ?? .tls(detail: detail)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED:
      self = .tls(detail: detail)
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      self = .cut(received: received, expected: expected, detail: detail)
    case CURLE_OUT_OF_MEMORY where !headIsComplete, Self.tooLarge where !headIsComplete:
      // How libcurl calls one header line above 100 KB: until 8.5, and since.
      self = .headersTooLarge(limit: limits.headerBytes)
    default:
      self = .transfer(code: Int(code.rawValue), detail: detail)
    }
  }

  /// CURLE_TOO_LARGE, which older headers do not have.
  private static let tooLarge = CURLcode(rawValue: 100)
}

/// Keeps a connection from one request to the next: an easy handle of libcurl that is used again.
///
/// Used by one thread at a time. Only requests that may go anywhere use it, those whose address the
/// caller chose: a connection that is there already is not judged again, so a redirect is followed
/// without one (``RedirectRule``).
package final class KeptConnection {
  let handle: UnsafeMutableRawPointer

  /// Makes one that is not connected yet; throws where libcurl is not there.
  package init() throws(PipelineError) {
    try CurlLibrary.load()
    guard let handle = ccurl_easy_init() else { fatalError("out of memory") }
    self.handle = handle
  }

  deinit { ccurl_easy_cleanup(handle) }
}
