import CCurl

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
