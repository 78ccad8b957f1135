import CCurl

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
