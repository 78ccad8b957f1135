import Glibc

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
