import Foundation
import Testing

@testable import Sluice

@Suite(.enabled(if: FaultServer.isPossible, "the fault server needs python3 and openssl"))
struct HTTPRedirectTests {
  private let server = FaultServer.shared
  // "user:secret", as a request would carry it.
  private let authorization = "Authorization: Basic dXNlcjpzZWNyZXQ="

  @Test func `five redirects are followed and a sixth is not`() {
    for count in 1...5 {
      #expect(Fetch(server.url("redirects?\(count)")).body == FaultServer.body)
    }
    #expect(
      Fetch(server.url("redirects?6")).error
        == PipelineError(.source(.redirect(to: server.url("ok"), .tooMany(limit: 5)))))
    #expect(
      Fetch(server.url("redirect-loop")).fault
        == .redirect(to: server.url("redirect-loop"), .tooMany(limit: 5)))
  }

  @Test(arguments: ["redirect-relative", "redirect-endless-body", "redirect-short-body"])
  func `only the last body counts`(fault: String) {
    let fetch = Fetch(server.url(fault))
    #expect(fetch.error == nil)
    #expect(fetch.body == FaultServer.body)
    #expect(fetch.expected == 65_536)
  }

  @Test func `a Location that is no ASCII is encoded`() {
    let text = Fetch(server.url("redirect-raw")).text
    #expect(text.hasPrefix("GET /echo?%d0%a1%d0%b0%d0%bd%d0%ba%d1%82"))
  }

  @Test(arguments: [
    ("redirect-file", "file:///etc/passwd", "file"),
    ("redirect-ftp", "ftp://127.0.0.1/x", "ftp"),
    ("redirect-unknown-scheme", "gemini://127.0.0.1/x", "gemini"),
  ])
  func `a redirect to another scheme is refused`(fault: String, to: String, scheme: String) {
    #expect(Fetch(server.url(fault)).fault == .redirect(to: to, .scheme(scheme)))
  }

  @Test func `a redirect to nowhere is refused, without its secrets`() {
    #expect(
      Fetch(server.url("redirect-malformed")).fault
        == .redirect(to: "***@[::1", .malformed))
  }

  @Test func `https does not lead to http, and http to https`() {
    let down = Fetch(server.url("redirect-to-http", "https"), certificateFile: server.authority)
    #expect(down.fault == .redirect(to: server.url("ok"), .downgrade))
    let up = Fetch(
      server.url("redirect-to-https", userinfo: "user:secret@"),
      certificateFile: server.authority)
    #expect(up.text.hasPrefix("GET /echo"))
    #expect(up.text.contains("Authorization") == false)
  }

  @Test func `credentials are sent to the host that they are for`() {
    #expect(Fetch(server.url("echo", userinfo: "user:secret@")).text.contains(authorization))
    let again = server.url("redirect-to?/echo", userinfo: "user:secret@")
    #expect(Fetch(again).text.contains(authorization))
  }

  @Test(arguments: ["redirect-other-host", "redirect-there-and-back"])
  func `credentials cross to no other host, and do not come back from one`(fault: String) {
    let fetch = Fetch(server.url(fault, userinfo: "user:secret@"))
    #expect(fetch.text.hasPrefix("GET /echo"))
    #expect(fetch.text.contains("Authorization") == false)
  }

  @Test func `credentials that a server hands out are not used`() {
    let text = Fetch(server.url("redirect-with-credentials")).text
    #expect(text.hasPrefix("GET /echo"))
    #expect(text.contains("Authorization") == false)
  }

  @Test(arguments: ["404", "redirect-to?/404", "redirect-loop", "redirect-file", "short-body"])
  func `credentials are in no error`(fault: String) throws {
    let error = try #require(Fetch(server.url(fault, userinfo: "user:secret@")).error)
    #expect("\(error.fault)".contains("secret") == false)
    #expect("\(error.fault)".contains("user") == false)
  }

  @Test func `the total time is over all redirects`() {
    let fetch = Fetch(server.url("redirect-to?/silent"), limits: { $0.totalSeconds = 1 })
    #expect(fetch.fault == .tooLong(seconds: 1, received: 0, expected: nil))
  }

  @Test(
    .enabled(
      if: PrivateNetwork.isPossible,
      "a network of its own needs root, the right to make one, and the program ip"))
  func `a public host cannot lead to an inner one`() throws {
    let fetches = try #require(
      PrivateNetwork.run { () -> [String: Fetch] in
        let open = FaultServer(address: PrivateNetwork.publicAddress)
        let inner = FaultServer()
        let named = inner.url("ok", host: PrivateNetwork.innerName)
        return [
          "public to public": Fetch(open.url("redirect-to?" + open.url("ok"))),
          "public to inner address": Fetch(open.url("redirect-to?" + inner.url("ok"))),
          "public to inner name": Fetch(open.url("redirect-to?" + named)),
          "inner to inner": Fetch(inner.url("redirect-to?" + named)),
          "inner to public": Fetch(inner.url("redirect-to?" + open.url("ok"))),
          "inner to public to inner": Fetch(
            inner.url("redirect-to?" + open.url("redirect-to?" + named))),
        ]
      })
    for (way, fetch) in fetches {
      if ["public to inner address", "public to inner name", "inner to public to inner"]
        .contains(way)
      {
        guard case .redirect(_, .internalAddress("127.0.0.1"))? = fetch.fault else {
          Issue.record("\(way): \(String(describing: fetch.error))")
          continue
        }
        #expect(fetch.body == [])
      } else {
        #expect(fetch.error == nil, "\(way)")
        #expect(fetch.body == FaultServer.body)
      }
    }
  }
}
