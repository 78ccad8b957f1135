import CCurl
import Glibc

extension HTTPExchange {
  /// Tells libcurl what to ask for, how, and whom to call.
  func configure(_ handle: borrowing CurlHandle) throws(PipelineError) {
    try handle.set(CURLOPT_URL, request.address.url)
    try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
    // One request at a time over a connection: HTTP/2 has nothing to offer.
    try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try handle.set(CURLOPT_USERAGENT, HTTPSource.userAgent)
    try handle.set(CURLOPT_FOLLOWLOCATION, 0)
    try handle.set(CURLOPT_FILETIME, 1)
    // A handle that is kept may still have its buffer, which older libraries do not change then.
    handle.setIfKnown(CURLOPT_BUFFERSIZE, 128 << 10)
    try handle.set(CURLOPT_NOSIGNAL, 1)
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectSeconds * 1000)
    // What a proxy says of its tunnel is no part of the response.
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Without it the end waits for a name look-up that was given up.
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

  /// What a write callback returns that takes nothing: more than any count.
  private static let giveUp = 0xFFFF_FFFF

  private static func of(_ context: UnsafeMutableRawPointer) -> HTTPExchange {
    Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
  }
}

extension HTTPExchange.Request {
  /// The header lines that go with a body: what it is, and that nobody is asked first whether it is
  /// wanted.
  var bodyHeaders: [String] {
    body == nil ? [] : ["Content-Type: text/plain; charset=utf-8", "Expect:"]
  }
}
