import Testing

@testable import Sluice

@Suite struct HTTPAddressTests {
  @Test func `a URL is taken apart`() throws {
    let address = try HTTPAddress("HTTP://us%40er:p%3Aw@Example.ORG:8080/a b?q=й#part")
    #expect(address.url == "http://Example.ORG:8080/a%20b?q=%d0%b9")
    #expect(address.scheme == "http")
    #expect(address.host == "Example.ORG")
    #expect(address.port == 8080)
    #expect(address.credentials == HTTPCredentials(user: "us@er", password: "p:w"))
    #expect(try HTTPAddress("https://example.org").port == 443)
    #expect(try HTTPAddress("http://example.org").credentials == nil)
    #expect(
      try HTTPAddress("http://u@example.org").credentials
        == HTTPCredentials(user: "u", password: ""))
  }

  @Test(arguments: [
    "", "http://", "ftp://example.org/", "file:///etc/passwd", "example.org",
    "http://[::1", "http://example.org:port/", "http://u%00:p@example.org/",
  ])
  func `what is no URL of http or https is refused`(text: String) {
    #expect(throws: PipelineError(.source(.invalidURL(Redaction.malformed(text))))) {
      try HTTPAddress(text)
    }
  }

  @Test func `a malformed URL does not show what could be a password`() {
    #expect(throws: PipelineError(.source(.invalidURL("***@host:x/")))) {
      try HTTPAddress("http://user:pa/ss@host:x/")
    }
  }

  @Test func `userinfo is cut out of a message`() {
    #expect(
      Redaction.message("syntax in 'http://u:p@ss@proxy:80/x@y': http://a/b@c, x: y")
        == "syntax in 'http://***@proxy:80/x@y': http://a/b@c, x: y")
    #expect(Redaction.message("://://u@h") == "://://***@h")
    #expect(Redaction.message("") == "")
  }

  @Test func `a Location is resolved and has no credentials`() throws {
    let base = try HTTPAddress("https://u:p@a.example/b/c?d")
    func follow(_ text: String) throws -> HTTPAddress? { try base.following(Array(text.utf8)) }
    #expect(try follow("e")?.url == "https://a.example/b/e")
    #expect(try follow("/e?f")?.url == "https://a.example/e?f")
    #expect(try follow("?f")?.url == "https://a.example/b/c?f")
    #expect(try follow("//x.example/")?.url == "https://x.example/")
    #expect(try follow("http://s:t@x.example/")?.url == "http://x.example/")
    #expect(try follow("http://s:t@x.example/")?.credentials == nil)
    #expect(try follow("http://[::1") == nil)
    #expect(try base.following([0x2f, 0, 0x41]) == nil)
    #expect(try base.following([0x2f, 0xe9])?.url == "https://a.example/%e9")
  }
}
