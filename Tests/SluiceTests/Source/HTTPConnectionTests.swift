import Foundation
import Testing

@testable import Sluice

@Suite(.enabled(if: FaultServer.isPossible, "the fault server needs python3 and openssl"))
struct HTTPConnectionTests {
  private let server = FaultServer.shared

  @Test func `a certificate signed by the authority that was named is accepted`() {
    let fetch = Fetch(server.url("no-length", "https"), certificateFile: server.authority)
    #expect(fetch.error == nil)
    #expect(fetch.body == FaultServer.body)
  }

  @Test(arguments: ["https-self-signed", "https-expired", "https-wrong-host"])
  func `a bad certificate is refused, and nothing is asked`(listener: String) {
    let fetch = Fetch(server.url("ok", listener), certificateFile: server.authority)
    guard case .certificate(let detail)? = fetch.fault else {
      Issue.record("\(String(describing: fetch.error))")
      return
    }
    #expect(detail.isEmpty == false)
    #expect(fetch.body == [])
  }

  @Test func `an authority that nobody named is not trusted`() {
    guard case .certificate? = Fetch(server.url("ok", "https")).fault else {
      Issue.record("trusted")
      return
    }
  }

  @Test func `a file of certificates that is not there says so`() {
    let fetch = Fetch(server.url("ok", "https"), certificateFile: "/no/such/file")
    guard case .certificateFile("/no/such/file", _)? = fetch.fault else {
      Issue.record("\(String(describing: fetch.error))")
      return
    }
  }

  @Test func `a server that does not speak TLS fails as TLS`() {
    let url = "https://127.0.0.1:\(server.port("http"))/ok"
    guard case .tls? = Fetch(url).fault else {
      Issue.record("no TLS error")
      return
    }
  }

  @Test func `a body cut inside of TLS is cut`() {
    let fetch = Fetch(server.url("short-body", "https"), certificateFile: server.authority)
    guard case .cut(1000, 65_536, _)? = fetch.fault else {
      Issue.record("\(String(describing: fetch.error))")
      return
    }
  }

  @Test func `nobody listening is no connection`() throws {
    // A socket that is bound and does not listen keeps its port from everyone else.
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #expect(bind(number, $0, length) == 0)
        #expect(getsockname(number, $0, &length) == 0)
      }
    }
    let fetch = Fetch("http://user:secret@127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")
    guard case .unconnected(let detail)? = fetch.fault else {
      Issue.record("\(String(describing: fetch.error))")
      return
    }
    #expect(detail.contains("127.0.0.1"))
    #expect(detail.contains("secret") == false)
  }

  @Test func `a name without an address is not resolved`() {
    // No resolver is asked for a name that cannot be one.
    guard case .unresolved? = Fetch("http://a..b.invalid/").fault else {
      Issue.record("resolved")
      return
    }
  }

  @Test func `a server that accepts and is mute is no connection in time`() {
    let url = "https://127.0.0.1:\(server.port("mute"))/"
    let fetch = Fetch(url, limits: { $0.connectSeconds = 1 })
    guard case .connectTimeout(1, _)? = fetch.fault else {
      Issue.record("\(String(describing: fetch.error))")
      return
    }
  }
}
