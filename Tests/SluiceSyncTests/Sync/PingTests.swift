import Testing

@testable import Sluice
@testable import SluiceSync

@Suite struct PingTests {
  @Test(arguments: [
    ("https://hc.example/key", "https://hc.example/key/start", "https://hc.example/key/fail"),
    ("https://hc.example/key/", "https://hc.example/key/start", "https://hc.example/key/fail"),
    ("http://h", "http://h/start", "http://h/fail"),
    ("http://h/k?a=/b#c", "http://h/k/start?a=/b", "http://h/k/fail?a=/b"),
    ("http://u:p@h:8/k", "http://u:p@h:8/k/start", "http://u:p@h:8/k/fail"),
  ])
  func `the end of the path is the news`(url: String, start: String, fail: String) throws {
    let ping = try #require(Ping(url))
    #expect(ping.address(for: .begun) == start)
    #expect(ping.address(for: .succeeded) == String(url.prefix { $0 != "#" }))
    #expect(ping.address(for: .failed(lines: "")) == fail)
    #expect("\(ping) \(String(reflecting: ping))" == "*** ***")
  }

  @Test(arguments: ["", "x", "/x", "ftp://h/x", "https://", "http://h:99999/", "mailto:a@b"])
  func `what is no URL of the web is refused`(text: String) {
    #expect(Ping(text) == nil)
  }

  @Test(
    .enabled(if: FaultServer.isPossible, "python3 or openssl is missing"),
    arguments: ["ping-silent", "silent", "drip", "slow-headers", "steady"])
  func `a watcher that does not answer is given up`(path: String) throws {
    let url = FaultServer.shared.url(path)
    let ping = try #require(Ping(url))
    let limits = HTTPLimits(connectSeconds: 1, slowSeconds: 1, totalSeconds: 1)
    // Such a path has no /start but for the first.
    let error = ping.tell(.succeeded, limits: limits)
    #expect(error != nil)
    #expect(Ping.limits.totalSeconds == 10 && Ping.limits.connectSeconds == 10)
  }

  @Test(.enabled(if: FaultServer.isPossible, "python3 or openssl is missing"))
  func `errors keep the secret`() throws {
    for path in ["secret/404", "redirect-nowhere", "redirect-to?file:///secret", "ping-500"] {
      let url = FaultServer.shared.url(path).replacing("://", with: "://me:secret@")
      let error = try #require(Ping(url)?.tell(.succeeded))
      #expect(!"\(error.fault)".contains("secret"), "\(error.fault)")
    }
  }

  @Test(.enabled(if: FaultServer.isPossible, "python3 or openssl is missing"))
  func `long news is cut to its last whole lines`() throws {
    let lines = (1...3000).map { "line \($0)\n" }.joined()
    let ping = try #require(Ping(FaultServer.shared.url("ping?long")))
    #expect(ping.tell(.failed(lines: lines)) == nil)
    #expect(ping.tell(.failed(lines: String(repeating: "ы", count: 9000))) == nil)
    let told = Fetch(FaultServer.shared.url("pings")).text
    #expect(told.contains("line 3000\\n\"") && !told.contains("line 1\\n"))
    #expect(told.contains("\"line 2") && !told.contains("line 1500\\n"))
    #expect(told.contains("/ping/fail?long"))
  }
}
