import CCurl

/// A parsed URL: what is asked for, and where.
///
/// libcurl's own parser takes it apart, so that what is judged is what is connected to.
struct HTTPAddress: Equatable, Sendable {
  /// The URL without userinfo and fragment, other than ASCII percent-encoded.
  let url: String
  /// `http`, `https`, or what else was there, in lower case.
  let scheme: String
  /// The host's name or address as it stands in the URL.
  let host: String
  /// The port, the scheme's own where none was there; 0 where the scheme has none.
  let port: Int
  /// The URL's userinfo.
  let credentials: HTTPCredentials?

  /// Parses a URL that the caller names; throws `SourceFault.invalidURL`.
  init(_ text: String) throws(PipelineError) {
    let parser = try CurlURL()
    guard parser.set(CURLUPART_URL, text), let address = HTTPAddress(parser), address.isHTTP
    else { throw PipelineError(.source(.invalidURL(Redaction.malformed(text)))) }
    self = address
  }

  /// Follows a `Location` that this address answered, relative or absolute; nil where it is none.
  /// The new address has no credentials of its own: a server has none to give.
  func following(_ location: [UInt8]) throws(PipelineError) -> HTTPAddress? {
    let parser = try CurlURL()
    guard parser.set(CURLUPART_URL, url), parser.set(CURLUPART_URL, bytes: location) else {
      return nil
    }
    parser.remove(CURLUPART_USER)
    parser.remove(CURLUPART_PASSWORD)
    return HTTPAddress(parser)
  }

  private init?(_ parser: borrowing CurlURL) {
    let user = parser.get(CURLUPART_USER, decoded: true)
    let password = parser.get(CURLUPART_PASSWORD, decoded: true)
    // What cannot be decoded must not be sent without it.
    if user == nil, parser.get(CURLUPART_USER) != nil { return nil }
    if password == nil, parser.get(CURLUPART_PASSWORD) != nil { return nil }
    credentials =
      user == nil && password == nil
      ? nil : HTTPCredentials(user: user ?? "", password: password ?? "")
    parser.remove(CURLUPART_USER)
    parser.remove(CURLUPART_PASSWORD)
    parser.remove(CURLUPART_OPTIONS)
    parser.remove(CURLUPART_FRAGMENT)
    guard let url = parser.get(CURLUPART_URL), let scheme = parser.get(CURLUPART_SCHEME) else {
      return nil
    }
    self.url = url
    self.scheme = scheme.lowercased()
    host = parser.get(CURLUPART_HOST) ?? ""
    port = parser.get(CURLUPART_PORT).flatMap { Int($0) } ?? 0
  }

  /// Whether the scheme is one that is spoken.
  var isHTTP: Bool { scheme == "http" || scheme == "https" }

  /// Whether both lead to the same host, port and scheme.
  func hasSameOrigin(as other: HTTPAddress) -> Bool {
    scheme == other.scheme && port == other.port && host.lowercased() == other.host.lowercased()
  }

  /// Whether the host's name alone says that it is of an inner network: an internal address, or
  /// `localhost` (RFC 6761, section 6.3).
  var namesInternalHost: Bool {
    if let address = NetworkAddress(host) { return address.isInternal }
    var name = host.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    return name == "localhost" || name.hasSuffix(".localhost")
  }
}
