import CSluice

/// Owns an easy handle of libcurl: one transfer, its options and its error text.
struct CurlHandle: ~Copyable {
  private let handle: UnsafeMutableRawPointer
  private let message: UnsafeMutablePointer<CChar>
  private let headers: UnsafeMutablePointer<curl_slist>?
  /// The connection that it uses, or nil if the handle has one of its own.
  private let kept: KeptConnection?

  /// Makes a handle that sends these header lines, at least one, in addition to libcurl's own, over
  /// a kept connection if there is one. Throws ``SourceFault/libraryMissing(package:detail:)`` if
  /// libcurl cannot be loaded.
  init(headers lines: [String], over kept: KeptConnection? = nil) throws(PipelineError) {
    try CurlLibrary.load()
    guard let handle = kept?.handle ?? ccurl_easy_init() else { fatalError("out of memory") }
    self.handle = handle
    self.kept = kept
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    headers = lines.reduce(nil) { ccurl_slist_append($0, $1) }
    // Every libcurl has these two options. An initializer that owns memory cannot throw half way.
    _ = ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
    _ = ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
  }

  deinit {
    // A kept handle must not point at memory that is freed here.
    if kept == nil { ccurl_easy_cleanup(handle) } else { ccurl_easy_reset(handle) }
    ccurl_slist_free_all(headers)
    message.deallocate()
  }

  /// Sets an option that is a number.
  func set(_ option: CURLoption, _ value: Int) throws(PipelineError) {
    try check(ccurl_set_long(handle, option, value))
  }

  /// Sets an option that is a number, if the library is new enough to have it.
  func setIfKnown(_ option: CURLoption, _ value: Int) {
    _ = ccurl_set_long(handle, option, value)
  }

  /// Sets an option that is a text.
  func set(_ option: CURLoption, _ value: String) throws(PipelineError) {
    try check(ccurl_set_string(handle, option, value))
  }

  /// Sets the context of a callback, which has to outlive the transfer.
  func set(_ option: CURLoption, context: UnsafeMutableRawPointer) throws(PipelineError) {
    try check(ccurl_set_pointer(handle, option, context))
  }

  /// Sets the callback for the body or the header lines.
  func set(_ option: CURLoption, _ callback: curl_write_callback) throws(PipelineError) {
    try check(ccurl_set_write_callback(handle, option, callback))
  }

  /// Sets the callback that decides whether to continue. It is called about once a second, and
  /// whenever bytes arrive.
  func setProgress(_ callback: curl_xferinfo_callback) throws(PipelineError) {
    try check(ccurl_set_progress_callback(handle, callback))
  }

  /// Sets the callback that opens the sockets.
  func setOpenSocket(_ callback: curl_opensocket_callback) throws(PipelineError) {
    try check(ccurl_set_open_callback(handle, callback))
  }

  /// Sets the callback that is called when the connection is open and the request is about to be
  /// sent.
  func setRequestReady(_ callback: curl_prereq_callback) throws(PipelineError) {
    try check(ccurl_set_request_callback(handle, callback))
  }

  /// Runs the transfer. Blocks until its end.
  func perform() -> CURLcode { ccurl_easy_perform(handle) }

  /// Returns a number about the transfer, or nil if there is none.
  func number(_ info: CURLINFO) -> Int? {
    var value = 0
    return ccurl_get_long(handle, info, &value) == CURLE_OK ? value : nil
  }

  /// Returns a 64-bit number about the transfer, or nil if there is none.
  func offset(_ info: CURLINFO) -> Int? {
    var value: curl_off_t = 0
    return ccurl_get_offset(handle, info, &value) == CURLE_OK ? Int(value) : nil
  }

  /// Returns a text about the transfer, or nil if there is none.
  func text(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard ccurl_get_string(handle, info, &value) == CURLE_OK, let value else { return nil }
    return String(cString: value)
  }

  /// Returns libcurl's text about an error, the more specific one if there is one.
  func detail(_ code: CURLcode) -> String {
    let special = String(cString: message)
    if !special.isEmpty { return Redaction.message(Self.withoutProxies(special)) }
    return ccurl_easy_strerror(code).map { String(cString: $0) } ?? ""
  }

  /// Returns an error text without the passwords of proxies, which libcurl quotes as they are set:
  /// often without a scheme, or with characters that no URL has.
  private static func withoutProxies(_ text: String) -> String {
    var text = text
    for name in HTTPSource.proxyVariables {
      guard let proxy = Environment.value(name), proxy.utf8.contains(UInt8(ascii: "@")) else {
        continue
      }
      text = text.putting(Redaction.malformed(proxy), for: proxy)
    }
    return text
  }

  /// Throws if the library rejects an option: then it is too old.
  private func check(_ code: CURLcode) throws(PipelineError) {
    guard code != CURLE_OK else { return }
    throw PipelineError(
      .source(.libraryMissing(package: CurlLibrary.package, detail: detail(code))))
  }
}

/// Loads libcurl, once, when it is first needed.
package enum CurlLibrary {
  /// Debian's package of the library.
  static let package = "libcurl4"

  private static let failure: PipelineError? = {
    do throws(PipelineError) {
      try load(named: "libcurl.so.4")
      return nil
    } catch {
      return error
    }
  }()

  /// Loads libcurl if it is not loaded. Throws ``SourceFault/libraryMissing(package:detail:)`` if
  /// it cannot be loaded.
  package static func load() throws(PipelineError) {
    if let failure { throw failure }
  }

  /// Loads the shared library of this name, even if one is loaded.
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

  /// Makes an empty URL. Throws if libcurl is missing.
  init() throws(PipelineError) {
    try CurlLibrary.load()
    guard let handle = ccurl_url() else { fatalError("out of memory") }
    self.handle = handle
  }

  deinit { ccurl_url_cleanup(handle) }

  /// Sets a part. Returns false if libcurl cannot parse the text. A whole URL that is set over
  /// another one may be relative to it.
  func set(_ part: CURLUPart, _ text: String) -> Bool {
    set(part, bytes: Array(text.utf8))
  }

  /// Sets a part to bytes that need not be UTF-8.
  func set(_ part: CURLUPart, bytes: [UInt8]) -> Bool {
    // A zero byte would end the text early.
    guard !bytes.contains(0) else { return false }
    let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_ALLOW_SPACE)
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    return ccurl_url_set(handle, part, text, flags) == CURLUE_OK
  }

  /// Removes a part.
  func remove(_ part: CURLUPart) { _ = ccurl_url_set(handle, part, nil, 0) }

  /// Returns a part, or nil if there is none. The port is the scheme's own if none was set.
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
  /// Translates an error of libcurl.
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
      // The only timeout that libcurl measures. The others are ours.
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
      // libcurl's error for a header line above 100 KB. It was the first up to 8.5, and has been
      // the second since.
      self = .headersTooLarge(limit: limits.headerBytes)
    default:
      self = .transfer(code: Int(code.rawValue), detail: detail)
    }
  }

  /// CURLE_TOO_LARGE, which older header files lack.
  private static let tooLarge = CURLcode(rawValue: 100)
}

/// Keeps a connection from one request to the next: an easy handle of libcurl that is reused.
///
/// Used by one thread at a time, and only for requests to an address that the caller chose, which
/// may be internal. The address of an open connection is not checked again, so redirects are
/// followed over other connections (``RedirectRule``).
package final class KeptConnection {
  let handle: UnsafeMutableRawPointer

  /// Makes a connection that is not open yet. Throws if libcurl is missing.
  package init() throws(PipelineError) {
    try CurlLibrary.load()
    guard let handle = ccurl_easy_init() else { fatalError("out of memory") }
    self.handle = handle
  }

  deinit { ccurl_easy_cleanup(handle) }
}
