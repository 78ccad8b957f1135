import CSluice
import Glibc

/// The parts of a URL as they are written (RFC 3986, section 3). Nothing is decoded or checked.
///
///     https://  u:p       @  h:8     /a?b=c#d
///     prefix    userinfo     server  rest
///
/// The parts end at the same bytes as in libcurl. So a part that is hidden or replaced here is the
/// part that libcurl uses.
package struct URLParts {
  /// Everything before `://`.
  package let scheme: Substring
  /// The scheme with `://`, and with a third slash, which libcurl ignores.
  package let prefix: Substring
  /// Everything before the last `@`, or nil if there is none.
  package let userinfo: Substring?
  /// Host and port.
  package let server: Substring
  /// Path, query and fragment.
  package let rest: Substring

  /// Divides a text at its first `://`. Returns nil if it has none.
  package init?(_ text: String) {
    guard let mark = text.firstPlace(of: "://") else { return nil }
    let bytes = text.utf8
    var start = mark.upperBound
    if bytes[start...].first == UInt8(ascii: "/") { bytes.formIndex(after: &start) }
    let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
    scheme = text[..<mark.lowerBound]
    prefix = text[..<start]
    userinfo = at.map { text[start..<$0] }
    server = text[(at.map(bytes.index(after:)) ?? start)..<end]
    rest = text[end...]
  }
}

/// The server of a URL. Two URLs lead to the same server if their origins are equal. This decides
/// where secrets are sent.
///
/// A feed document is checked without libcurl, which is not loaded until a request is sent. So a
/// URL that libcurl might read differently has no origin, and ``HTTPAddress`` does not connect if
/// the two disagree.
package struct HTTPOrigin: Hashable, Sendable {
  /// `http`, `https`, or another scheme that libcurl has read, in lower case.
  let scheme: String
  /// The host in lower case, percent-encoded unless it is ASCII. An IPv6 address is in its shortest
  /// form, with brackets and zone.
  package let host: String
  /// The port, or the scheme's own port if the URL names none, or 0 if the scheme has none.
  package let port: Int

  /// Makes an origin of the parts of a URL.
  init(scheme: String, host: String, zone: String? = nil, port: Int) {
    self.scheme = scheme.lowercased()
    self.port = port
    guard host.utf8.first == UInt8(ascii: "["), let address = NetworkAddress(host) else {
      // Names that look the same in Unicode may be different servers, so bytes are compared.
      let lower = host.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
      self.host = PercentEncoding.encode(lower) { $0 < 0x80 }
      return
    }
    self.host = "[\(address)\(zone.map { "%" + $0 } ?? "")]"
  }

  /// Reads the origin of an http or https URL. Returns nil for any other URL, or if libcurl may
  /// reject it or read it differently.
  package init?(_ url: String) {
    guard let parts = URLParts(url), parts.server.utf8.allSatisfy(Self.isPlain),
      parts.userinfo?.utf8.allSatisfy(Self.isPlain) ?? true
    else { return nil }
    let scheme = parts.scheme.lowercased()
    guard let usualPort = ["http": 80, "https": 443][scheme] else { return nil }
    let server = parts.server.utf8
    let end =
      server.firstIndex(of: UInt8(ascii: "]")).map(server.index(after:))
      ?? server.firstIndex(of: UInt8(ascii: ":")) ?? server.endIndex
    let host = parts.server[..<end].lowercased()
    guard Self.isHost(host), let port = Self.port(parts.server[end...], usual: usualPort) else {
      return nil
    }
    self.init(scheme: scheme, host: host, port: port)
  }

  /// Reads the port in `:443`. A colon alone means the scheme's own port, as in libcurl and
  /// browsers.
  private static func port(_ text: Substring, usual: Int) -> Int? {
    guard text.utf8.count > 1 else { return text.isEmpty || text == ":" ? usual : nil }
    let digits = text.dropFirst()
    guard text.hasPrefix(":"), digits.utf8.count <= 5, digits.utf8.allSatisfy(isDigit),
      let port = Int(digits), (1...65_535).contains(port)
    else { return nil }
    return port
  }

  /// Whether a host is a name or an address that needs no decoding.
  private static func isHost(_ host: String) -> Bool {
    if host.hasPrefix("[") {
      let address = host.utf8.dropFirst().dropLast()
      return address.allSatisfy { isHexDigit($0) || ":.".utf8.contains($0) }
        && address.contains(UInt8(ascii: ":")) && NetworkAddress(host) != nil
    }
    let isName = host.utf8.allSatisfy { byte in
      isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || "-._~".utf8.contains(byte)
    }
    // libcurl reads `0x7f.1` and `2130706433` as 127.0.0.1.
    let isNumber = host.split(separator: ".").allSatisfy { label in
      label.hasPrefix("0x") || label.utf8.allSatisfy(isDigit)
    }
    return isName && (!isNumber || NetworkAddress(host) != nil)
  }

  /// Whether a byte is printable ASCII other than `@`.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21..<0x7F).contains(byte) && byte != UInt8(ascii: "@")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
  }
}

/// A URL to connect to, parsed by libcurl.
package struct HTTPAddress: Equatable, Sendable {
  /// The URL without userinfo and fragment. Everything except ASCII is percent-encoded.
  package let url: String
  /// The server.
  package let origin: HTTPOrigin
  /// The host's name or address as it is written in the URL.
  package let host: String
  /// The URL's userinfo.
  let credentials: HTTPCredentials?

  /// `http`, `https` or another scheme, in lower case.
  package var scheme: String { origin.scheme }
  /// The port, or the scheme's own port if the URL names none, or 0 if the scheme has none.
  package var port: Int { origin.port }

  /// Parses a URL of the caller. Throws ``SourceFault/invalidURL(_:)`` if it is not a valid http or
  /// https URL.
  package init(_ text: String) throws(PipelineError) {
    let parser = try CurlURL()
    guard parser.set(CURLUPART_URL, text), let address = HTTPAddress(parser), address.isHTTP,
      address.agrees(with: text)
    else { throw PipelineError(.source(.invalidURL(Redaction.malformed(text)))) }
    self = address
  }

  /// Resolves a `Location` in an answer of this address, relative or absolute. Returns nil if it is
  /// not a URL. The new address has no credentials, because a server must not set them. Throws if
  /// libcurl is missing.
  package func following(_ location: [UInt8]) throws(PipelineError) -> HTTPAddress? {
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
    // A request must not be sent without a part that cannot be decoded.
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
    host = parser.get(CURLUPART_HOST) ?? ""
    origin = HTTPOrigin(
      scheme: scheme, host: host, zone: parser.get(CURLUPART_ZONEID),
      port: parser.get(CURLUPART_PORT).flatMap { Int($0) } ?? 0)
    // libcurl parses this text again when it connects.
    guard agrees(with: url) else { return nil }
  }

  /// Whether the origin that was read from this text without libcurl is that of this address, or
  /// was not read.
  private func agrees(with text: String) -> Bool {
    HTTPOrigin(text).map { $0 == origin } ?? true
  }

  /// Whether the scheme is supported.
  var isHTTP: Bool { scheme == "http" || scheme == "https" }

  /// Whether the host's name alone shows that it is internal: an internal address, a name without a
  /// dot, or a name in a domain that is not on the internet.
  var namesInternalHost: Bool {
    if let address = namedAddress { return address.isInternal }
    let labels = bareName.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = labels.last, labels.count > 1 else { return true }
    return Self.innerDomains.contains(String(last)) || bareName.hasSuffix(".home.arpa")
  }

  /// Whether the host is a link-local address.
  var namesLinkLocalHost: Bool { namedAddress?.isLinkLocal == true }

  /// The last labels of names that are not on the internet: those of `/etc/hosts`, `localhost`
  /// (RFC 6761, section 6.3), `local` (RFC 6762, with the usual ones of its appendix G), and
  /// `internal` (ICANN, 2024). `home.arpa` is of RFC 8375.
  private static let innerDomains = [
    "localhost", "localdomain", "localdomain4", "localdomain6", "local", "internal", "intranet",
    "private", "corp", "home", "lan",
  ]

  /// The host's name in lower case, without the dot that ends an absolute name. A resolver does not
  /// need the dot, and ignores it after an address too.
  private var bareName: String {
    var name = host.lowercased()
    while name.utf8.last == UInt8(ascii: ".") { name.removeLast() }
    return name
  }

  /// The address that the host is, in any form that a resolver reads: `127.1`, `0x7f000001`.
  private var namedAddress: NetworkAddress? {
    if let address = NetworkAddress(bareName) { return address }
    var v4 = in_addr()
    // It would read a number with a blank after it too.
    guard !bareName.isEmpty, bareName.utf8.allSatisfy({ $0 > 0x20 }), inet_aton(bareName, &v4) == 1
    else { return nil }
    return NetworkAddress(v4: UInt32(bigEndian: v4.s_addr))
  }
}

/// An IP address. An IPv4 address is stored and compared as its IPv4-mapped IPv6 address.
struct NetworkAddress: Equatable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// Makes an IPv6 address from its two halves.
  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes an IPv4 address.
  init(v4: UInt32) { self.init(high: 0, low: 0xffff_0000_0000 | UInt64(v4)) }

  /// Reads an address from a URL or from libcurl: dotted IPv4, or IPv6 with or without brackets and
  /// zone. Returns nil for any other text.
  init?(_ text: String) {
    var text = text[...]
    if text.first == "[", text.last == "]" { text = text.dropFirst().dropLast() }
    if let zone = text.firstIndex(of: "%") { text = text[..<zone] }
    var v4 = in_addr()
    if inet_pton(AF_INET, String(text), &v4) == 1 {
      self.init(v4: UInt32(bigEndian: v4.s_addr))
      return
    }
    var halves: (UInt64, UInt64) = (0, 0)
    guard inet_pton(AF_INET6, String(text), &halves) == 1 else { return nil }
    self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
  }

  /// Whether the address is not on the public internet: loopback, private, shared (CGNAT),
  /// link-local, unique-local, unspecified, or reserved (RFC 6890 and the registries that follow
  /// it). An address that contains an IPv4 address is judged by the IPv4 address.
  var isInternal: Bool {
    if let carried { return Self.isInternal(v4: carried) }
    return switch (high, low) {
    case (0, 0), (0, 1): true  // unspecified, loopback
    case _ where high >> 57 == 0xfc >> 1: true  // fc00::/7, unique-local
    case _ where high >> 54 == 0xfe80 >> 6: true  // fe80::/10, link-local
    case _ where high >> 54 == 0xfec0 >> 6: true  // fec0::/10, site-local (obsolete)
    case _ where high >> 56 == 0xff: true  // ff00::/8, multicast
    case _ where high >> 16 == 0x0064_ff9b_0001: true  // 64:ff9b:1::/48, local NAT64
    default: false
    }
  }

  /// Whether the address is link-local: 169.254/16 or fe80::/10. Cloud machines read their own
  /// credentials there.
  var isLinkLocal: Bool {
    if let carried { return carried >> 16 == 0xa9fe }
    return high >> 54 == 0xfe80 >> 6
  }

  /// The IPv4 address in this one, or nil if there is none.
  private var carried: UInt32? {
    let last = UInt32(truncatingIfNeeded: low)
    return switch (high, low >> 32) {
    case (0, 0xffff): last  // ::ffff:0:0/96, IPv4-mapped
    case (0, 0xffff_0000): last  // ::ffff:0:0:0/96, IPv4-translated
    case (0, 0) where last > 1: last  // ::/96, IPv4-compatible
    case (0x0064_ff9b_0000_0000, 0): last  // 64:ff9b::/96, NAT64
    case _ where high >> 48 == 0x2002: UInt32(truncatingIfNeeded: high >> 16)  // 6to4
    case _ where high >> 32 == 0x2001_0000: ~last  // Teredo: the client's, inverted
    default: nil
    }
  }

  private static func isInternal(v4 address: UInt32) -> Bool {
    switch address >> 24 {
    case 0, 10, 127, 224...255: true  // "this network", private, loopback, multicast and reserved
    case 100: address >> 22 == 0x6440_0000 >> 22  // 100.64/10, shared (RFC 6598)
    case 169: address >> 16 == 0xa9fe  // 169.254/16, link-local
    case 172: address >> 20 == 0xac1  // 172.16/12, private
    case 192: address >> 16 == 0xc0a8 || address >> 8 == 0xc0_0000  // 192.168/16, 192.0.0/24
    case 198: address >> 17 == 0xc612 >> 1  // 198.18/15, benchmarks
    default: false
    }
  }
}

extension NetworkAddress: CustomStringConvertible {
  /// The address in its usual text form.
  var description: String {
    if high == 0, low >> 32 == 0xffff {
      let v4 = UInt32(truncatingIfNeeded: low)
      return "\(v4 >> 24).\(v4 >> 16 & 255).\(v4 >> 8 & 255).\(v4 & 255)"
    }
    var halves = (high.bigEndian, low.bigEndian)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      guard inet_ntop(AF_INET6, &halves, text.baseAddress, socklen_t(INET6_ADDRSTRLEN)) != nil,
        let start = text.baseAddress
      else { return "" }
      return String(cString: start)
    }
  }
}

/// One end of a TCP connection.
struct NetworkEndpoint: Equatable, Sendable {
  var address: NetworkAddress
  var port: Int

  /// Makes an endpoint.
  init(address: NetworkAddress, port: Int) {
    self.address = address
    self.port = port
  }

  /// Reads a `sockaddr_in` or `sockaddr_in6` of `length` bytes. Returns nil for other families.
  init?(socketAddress: UnsafeRawPointer, family: Int32, length: Int) {
    // Both begin with the family and the port. In IPv6, four bytes of flow label precede the
    // address.
    func word<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> T {
      T(bigEndian: socketAddress.loadUnaligned(fromByteOffset: offset, as: T.self))
    }
    let address: NetworkAddress
    switch family {
    case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
      address = NetworkAddress(v4: word(4))
    case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
      address = NetworkAddress(high: word(8), low: word(16))
    default:
      return nil
    }
    let port: UInt16 = word(2)
    self.init(address: address, port: Int(port))
  }
}

/// Decides which targets a redirect may have.
///
/// A public host must not be able to send us to hosts of an internal network. The address of the
/// connection decides, not the name, because DNS can point a name anywhere.
///
/// If the environment names a proxy, connections lead to the proxy, whose address says nothing
/// about the host. Then a host is internal only if its name says so. The only internal endpoint
/// that stays allowed is that of the request before.
enum RedirectRule {
  /// Returns why the URLs alone forbid the step, or nil if they do not.
  static func refusal(
    from: HTTPAddress, to: HTTPAddress, mayReachInternal: Bool
  ) -> RedirectRefusal? {
    if !to.isHTTP { return .scheme(to.scheme) }
    if from.scheme == "https", to.scheme == "http" { return .downgrade }
    // No server redirects to a link-local address with good reason, not even an internal one.
    if to.namesLinkLocalHost || !mayReachInternal && to.namesInternalHost {
      return .internalAddress(to.host)
    }
    return nil
  }

  /// Whether a redirect from `from` may lead to an internal address.
  static func mayReachInternal(
    from: HTTPAddress, connectedTo endpoint: NetworkEndpoint?, proxy: Bool
  ) -> Bool {
    if proxy { return from.namesInternalHost }
    return endpoint?.address.isInternal ?? false
  }

  /// Whether a request that follows a redirect may be sent to this endpoint.
  static func allows(
    _ endpoint: NetworkEndpoint, before: NetworkEndpoint?, mayReachInternal: Bool, proxy: Bool
  ) -> Bool {
    let address = endpoint.address
    if mayReachInternal ? !address.isLinkLocal : !address.isInternal { return true }
    return proxy && endpoint == before
  }

  /// Returns the credentials for the next request. They are sent only to the origin that they were
  /// given for. After a redirect to another origin they are not sent again.
  static func credentials(
    _ credentials: HTTPCredentials?, from: HTTPAddress, to: HTTPAddress
  ) -> HTTPCredentials? {
    from.origin == to.origin ? credentials : nil
  }
}

/// A header line of a request.
package struct HeaderLine: Equatable, Sendable {
  /// The line, `NAME: VALUE`.
  package let text: String

  /// Parses `NAME: VALUE`. Returns nil if it is not a header line (RFC 9110, section 5), has no
  /// value, or has a name that this program sets itself. Those names decide how an answer is read.
  package init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text[..<colon]
    let value = text[text.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    guard !name.isEmpty, name.utf8.allSatisfy(HeaderLine.isToken), !value.isEmpty,
      value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }),
      !HeaderLine.ours.contains(name.lowercased())
    else { return nil }
    self.text = "\(name): \(value)"
  }

  private static let ours = [
    "accept-encoding", "connection", "content-length", "expect", "if-match", "if-modified-since",
    "if-none-match", "if-range", "if-unmodified-since", "range", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
