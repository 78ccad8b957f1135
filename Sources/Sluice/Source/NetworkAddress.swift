import Glibc

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
