import Testing

@testable import Sluice

@Suite struct RedirectRuleTests {
  private func endpoint(_ address: String, _ port: Int = 80) throws -> NetworkEndpoint {
    NetworkEndpoint(address: try #require(NetworkAddress(address)), port: port)
  }

  private func refusal(
    _ from: String, _ to: String, mayReachInternal: Bool = false
  ) throws -> RedirectRefusal? {
    let from = try HTTPAddress(from)
    let to = try #require(try from.following(Array(to.utf8)))
    return RedirectRule.refusal(from: from, to: to, mayReachInternal: mayReachInternal)
  }

  @Test func `other schemes are refused`() throws {
    #expect(try refusal("http://a.example/", "file:///etc/passwd") == .scheme("file"))
    #expect(try refusal("http://a.example/", "FTP://a.example/x") == .scheme("ftp"))
    #expect(try refusal("http://a.example/", "gopher://a.example/x") == .scheme("gopher"))
  }

  @Test func `https never leads to http`() throws {
    #expect(try refusal("https://a.example/", "http://a.example/") == .downgrade)
    #expect(try refusal("http://a.example/", "https://a.example/") == nil)
    #expect(try refusal("https://a.example/", "//b.example/") == nil)
    #expect(try refusal("https://a.example/", "/b") == nil)
  }

  @Test(arguments: [
    "http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f.0.0.1/",
    "http://0177.0.0.1/", "http://localhost/", "http://LOCALHOST./", "http://x.localhost/",
    "http://[::1]/", "http://[::ffff:10.0.0.1]/", "http://127.0.0.1./", "http://2130706433./",
    "http://0x7f.1./", "http://10.0.0.1./", "http://localhost.localdomain/",
    "http://ip6-localhost/", "http://ip6-loopback/", "http://localhost6.localdomain6/",
    "http://intranet/", "http://printer.local/", "http://db.internal./", "http://nas.home.arpa/",
  ])
  func `a host that is internal by its very name is refused`(to: String) throws {
    guard case .internalAddress = try refusal("http://a.example/", to) else {
      Issue.record("not refused")
      return
    }
    #expect(try refusal("http://a.example/", to, mayReachInternal: true) == nil)
  }

  @Test(arguments: [
    "http://169.254.169.254/latest", "http://169.254.169.254./", "http://2852039166/",
    "http://2852039166./", "http://[fe80::1%25eth0]/", "http://[::ffff:169.254.169.254]/",
    "http://[64:ff9b::a9fe:a9fe]/",
  ])
  func `a link-local address is refused, from an internal host too`(to: String) throws {
    for mayReachInternal in [true, false] {
      let refusal = try refusal("http://10.0.0.1/", to, mayReachInternal: mayReachInternal)
      guard case .internalAddress = refusal else {
        Issue.record("not refused")
        return
      }
    }
    let metadata = try endpoint("169.254.169.254")
    #expect(
      RedirectRule.allows(metadata, before: nil, mayReachInternal: true, proxy: false) == false)
    #expect(
      RedirectRule.allows(
        try endpoint("fe80::1"), before: nil, mayReachInternal: true, proxy: false) == false)
    #expect(
      RedirectRule.allows(
        try endpoint("10.0.0.1"), before: nil, mayReachInternal: true, proxy: false))
  }

  @Test(arguments: [
    "http://a.example./", "http://1.2.3.4./", "http://local.example/", "http://9.9.9.9/",
  ])
  func `a public name or address is not internal`(to: String) throws {
    #expect(try refusal("http://b.example/", to) == nil)
  }

  @Test func `where a redirect may lead depends on the address that gave it`() throws {
    let name = try HTTPAddress("http://a.example/")
    func may(_ address: String) throws -> Bool {
      RedirectRule.mayReachInternal(from: name, connectedTo: try endpoint(address), proxy: false)
    }
    #expect(try may("8.8.8.8") == false)
    #expect(try may("2a00:1450::1") == false)
    #expect(try may("192.168.1.1"))
    #expect(try may("::1"))
    #expect(RedirectRule.mayReachInternal(from: name, connectedTo: nil, proxy: false) == false)
    // A public name that leads here is judged by where it leads.
    let local = try HTTPAddress("http://127.0.0.1/")
    let publicEndpoint = try endpoint("8.8.8.8")
    #expect(
      RedirectRule.mayReachInternal(from: local, connectedTo: publicEndpoint, proxy: false)
        == false)
  }

  @Test func `the address of a proxy says nothing about a host`() throws {
    let proxy = try endpoint("10.0.0.1", 3128)
    let name = try HTTPAddress("http://a.example/")
    let local = try HTTPAddress("http://192.168.0.5/")
    #expect(RedirectRule.mayReachInternal(from: name, connectedTo: proxy, proxy: true) == false)
    #expect(RedirectRule.mayReachInternal(from: local, connectedTo: proxy, proxy: true))
    #expect(RedirectRule.allows(proxy, before: proxy, mayReachInternal: false, proxy: true))
    #expect(
      RedirectRule.allows(proxy, before: proxy, mayReachInternal: false, proxy: false) == false)
    #expect(
      RedirectRule.allows(
        try endpoint("10.0.0.1", 80), before: proxy, mayReachInternal: false, proxy: true) == false)
    #expect(
      RedirectRule.allows(
        try endpoint("10.0.0.2", 3128), before: proxy, mayReachInternal: false, proxy: true)
        == false)
    #expect(
      RedirectRule.allows(
        try endpoint("8.8.8.8"), before: proxy, mayReachInternal: false, proxy: true))
    #expect(
      RedirectRule.allows(
        try endpoint("8.8.8.8"), before: nil, mayReachInternal: false, proxy: false))
    #expect(
      RedirectRule.allows(
        try endpoint("::ffff:10.0.0.1"), before: nil, mayReachInternal: false, proxy: false)
        == false)
  }

  @Test(arguments: [
    ("http://a.example/x", "/y", true),
    ("http://a.example/x", "http://A.example:80/y", true),
    ("http://a.example/x", "http://a.example:8080/y", false),
    ("http://a.example/x", "https://a.example/y", false),
    ("http://a.example/x", "http://b.example/y", false),
    ("http://a.example/x", "http://sub.a.example/y", false),
    ("https://a.example/x", "https://a.example:443/y", true),
  ])
  func `credentials stay with their origin`(from: String, to: String, kept: Bool) throws {
    let from = try HTTPAddress(from)
    let to = try #require(try from.following(Array(to.utf8)))
    let credentials = HTTPCredentials(user: "u", password: "p")
    let next = RedirectRule.credentials(credentials, from: from, to: to)
    #expect(next == (kept ? credentials : nil))
  }
}
