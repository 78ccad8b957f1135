import CSluice
import Glibc

/// A parsed URL: what is asked for, and where.
///
/// libcurl's own parser takes it apart, so that what is judged is what is connected to.
package struct HTTPAddress: Equatable, Sendable {
  /// The URL without userinfo and fragment, other than ASCII percent-encoded.
  package let url: String
  /// `http`, `https`, or what else was there, in lower case.
  package let scheme: String
  /// The host's name or address as it stands in the URL.
  package let host: String
  /// The port, the scheme's own where none was there; 0 where the scheme has none.
  package let port: Int
  /// The URL's userinfo.
  let credentials: HTTPCredentials?

  /// Parses a URL that the caller names; throws `SourceFault.invalidURL`.
  package init(_ text: String) throws(PipelineError) {
    let parser = try CurlURL()
    guard parser.set(CURLUPART_URL, text), let address = HTTPAddress(parser), address.isHTTP
    else { throw PipelineError(.source(.invalidURL(Redaction.malformed(text)))) }
    self = address
  }

  /// Follows a `Location` that this address answered, relative or absolute; nil where it is none.
  /// The new address has no credentials of its own: a server has none to give.
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
  package func hasSameOrigin(as other: HTTPAddress) -> Bool {
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

/// An IP address; an IPv4 address is kept, and so compared, as its IPv4-mapped IPv6 address.
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

  /// Reads an address as it stands in a URL or comes from libcurl: dotted IPv4, or IPv6 with or
  /// without brackets and zone; nil where the text is anything else.
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

  /// Whether the address is not one of the public internet: loopback, private, shared (CGNAT),
  /// link-local, unique-local, unspecified, or reserved (RFC 6890 and the registries that follow
  /// it). An address that carries an IPv4 address is judged by that one.
  var isInternal: Bool {
    if let carried { return Self.isInternal(v4: carried) }
    return switch (high, low) {
    case (0, 0), (0, 1): true  // unspecified, loopback
    case _ where high >> 57 == 0xfc >> 1: true  // fc00::/7, unique-local
    case _ where high >> 54 == 0xfe80 >> 6: true  // fe80::/10, link-local
    case _ where high >> 54 == 0xfec0 >> 6: true  // fec0::/10, site-local of old
    case _ where high >> 56 == 0xff: true  // ff00::/8, multicast
    case _ where high >> 16 == 0x0064_ff9b_0001: true  // 64:ff9b:1::/48, NAT64 of one network
    default: false
    }
  }

  /// The IPv4 address to which this one leads, if any.
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
  /// The address as people write it.
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

  /// Reads a `sockaddr_in` or `sockaddr_in6` of `length` bytes; nil for other families.
  init?(socketAddress: UnsafeRawPointer, family: Int32, length: Int) {
    // Both begin with the family and the port; IPv6 has four bytes of flow label before the
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

/// Says where a redirect may lead.
///
/// A public host must not be able to make us ask an inner network's hosts on its behalf. What
/// counts is the address that was connected to, not the name, which a server of names can point
/// anywhere. Where the environment names a proxy, connections may lead to that instead, whose
/// address says nothing about the host: then only a host that is internal by its very name counts
/// as internal, and the one internal endpoint that stays allowed is that of the request before.
enum RedirectRule {
  /// Says why the step is refused as the URLs stand, nil where it is not.
  static func refusal(
    from: HTTPAddress, to: HTTPAddress, mayReachInternal: Bool
  ) -> RedirectRefusal? {
    if !to.isHTTP { return .scheme(to.scheme) }
    if from.scheme == "https", to.scheme == "http" { return .downgrade }
    if !mayReachInternal, to.namesInternalHost { return .internalAddress(to.host) }
    return nil
  }

  /// Whether a redirect that `from` answered may lead to an internal address.
  static func mayReachInternal(
    from: HTTPAddress, connectedTo endpoint: NetworkEndpoint?, proxy: Bool
  ) -> Bool {
    if proxy { return from.namesInternalHost }
    return endpoint?.address.isInternal ?? false
  }

  /// Whether a request that may not reach internal addresses may be sent to this endpoint.
  static func allows(
    _ endpoint: NetworkEndpoint, before: NetworkEndpoint?, proxy: Bool
  ) -> Bool {
    if !endpoint.address.isInternal { return true }
    return proxy && endpoint == before
  }

  /// The credentials for the next request: they stay with the origin that they were given for, and
  /// do not come back once it was left.
  static func credentials(
    _ credentials: HTTPCredentials?, from: HTTPAddress, to: HTTPAddress
  ) -> HTTPCredentials? {
    from.hasSameOrigin(as: to) ? credentials : nil
  }
}

/// A header line of a request.
package struct HeaderLine: Equatable, Sendable {
  /// The line, `NAME: VALUE`.
  package let text: String

  /// Takes `NAME: VALUE`; nil where it is none (RFC 9110, section 5), has no value, or has a name
  /// that belongs to us: what these say decides how an answer is read.
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
