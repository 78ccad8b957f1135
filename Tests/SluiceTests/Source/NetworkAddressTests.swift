import Foundation
import Testing

@testable import Sluice

@Suite struct NetworkAddressTests {
  @Test(arguments: [
    "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255",
    "127.0.0.0", "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254",
    "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.255", "192.168.0.0",
    "192.168.255.255", "198.18.0.0", "198.19.255.255", "224.0.0.1", "240.0.0.1",
    "255.255.255.255",
    "::", "::1", "fc00::", "fd00:ec2::254", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe80::1",
    "fe80::1%eth0", "febf:ffff::", "fec0::1", "feff::", "ff02::1", "64:ff9b:1::1",
    "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:0:192.168.1.1", "::10.0.0.1", "::127.0.0.1",
    "64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:c0a8:101::1",
    "2001:0:1234:5678:0:0:f5ff:fffe",  // Teredo for 10.0.0.1
    "[::1]", "[::ffff:7f00:1]",
  ])
  func `an address of an inner network is internal`(text: String) throws {
    #expect(try #require(NetworkAddress(text)).isInternal)
  }

  @Test(arguments: [
    "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
    "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0",
    "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.113.7", "8.8.8.8",
    "223.255.255.255",
    "2001:4860:4860::8888", "2a00:1450::1", "fbff::1", "fe00::1", "fe7f::1", "1::", "::1:0:0:0:1",
    "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "::8.8.8.8",
    "2001:0:1234:5678:0:0:f7f7:f7f7",  // Teredo for 8.8.8.8
  ])
  func `an address of the public internet is not`(text: String) throws {
    #expect(try #require(NetworkAddress(text)).isInternal == false)
  }

  @Test(arguments: [
    "", "localhost", "1.2.3", "1.2.3.4.5", "256.0.0.1", ":::", "[1.2.3.4", "1::2::3",
  ])
  func `what is no address is none`(text: String) {
    #expect(NetworkAddress(text) == nil)
  }

  @Test func `a mapped address is the address that it maps`() throws {
    let mapped = try #require(NetworkAddress("::ffff:192.168.1.2"))
    #expect(mapped == NetworkAddress("192.168.1.2"))
    #expect(mapped.description == "192.168.1.2")
    #expect(NetworkAddress("2001:DB8:0:0::1")?.description == "2001:db8::1")
  }

  @Test func `an endpoint is read from a socket address`() {
    var v4 = sockaddr_in()
    v4.sin_port = UInt16(8080).bigEndian
    v4.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let size4 = MemoryLayout<sockaddr_in>.size
    #expect(
      NetworkEndpoint(socketAddress: &v4, family: AF_INET, length: size4)
        == NetworkEndpoint(address: NetworkAddress(v4: 0x7f00_0001), port: 8080))
    #expect(NetworkEndpoint(socketAddress: &v4, family: AF_INET, length: 4) == nil)
    #expect(NetworkEndpoint(socketAddress: &v4, family: AF_UNIX, length: size4) == nil)
    var v6 = sockaddr_in6()
    v6.sin6_port = UInt16(443).bigEndian
    inet_pton(AF_INET6, "fe80::1:2", &v6.sin6_addr)
    let size6 = MemoryLayout<sockaddr_in6>.size
    let endpoint = NetworkEndpoint(socketAddress: &v6, family: AF_INET6, length: size6)
    #expect(endpoint?.address == NetworkAddress("fe80::1:2"))
    #expect(endpoint?.port == 443)
  }
}
