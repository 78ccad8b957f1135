import Testing

@testable import Sluice

/// Two URLs lead to the same server, or not: this decides where secrets go.
@Suite struct HTTPOriginTests {
  @Test(arguments: [
    ("https://host/", "https", "host", 443),
    ("https://host", "https", "host", 443),
    ("https://host:443/a", "https", "host", 443),
    ("HTTPS://HoSt?a", "https", "host", 443),
    ("http://host:/", "http", "host", 80),
    ("http://host:0080#a", "http", "host", 80),
    ("http://host:8080/a:1@b", "http", "host", 8080),
    ("http://u:p@host/", "http", "host", 80),
    ("http://u:p%40@host", "http", "host", 80),
    ("http://u:p\\@host", "http", "host", 80),
    ("http://host./", "http", "host.", 80),
    ("http://a_b-c.example/", "http", "a_b-c.example", 80),
    ("http:///host/", "http", "host", 80),
    ("http://127.0.0.1:8/", "http", "127.0.0.1", 8),
    ("http://1a/", "http", "1a", 80),
    ("http://[::1]/", "http", "[::1]", 80),
    ("http://[0:0::1]:81/", "http", "[::1]", 81),
    ("http://[FE80::A]", "http", "[fe80::a]", 80),
    ("http://xn--bcher-kva.example/", "http", "xn--bcher-kva.example", 80),
  ])
  func `scheme, host and port are those of libcurl`(
    url: String, scheme: String, host: String, port: Int
  ) throws {
    let origin = HTTPOrigin(scheme: scheme, host: host, port: port)
    #expect(HTTPOrigin(url) == origin)
    #expect(try HTTPAddress(url).origin == origin)
  }

  @Test(arguments: [
    "", "host", "//host/", "http:/host", "http:host", "ftp://host/", "http://", "http:////host",
    "http://:80/", "http://@/", " http://host/", "http ://host/", "x?http://host/",
    // A backslash is a slash to some.
    "http://other\\/@host\\", "http://host\\.other/",
    // The first and the last `@`.
    "http://a@b@host/", "http://u\u{301}@host/", "http://u@\u{301}host/",
    "http://u p@host/", "http://host @other/", "http://ho st/", "http://host\t/", "http://ho\nst/",
    "http://host:80x/", "http://host:x/", "http://host:-1/", "http://host:+80/", "http://host:0/",
    "http://host:65536/", "http://host:000080/", "http://host:80:81/", "http://host:8\u{661}/",
    "http://ex%61mple/", "http://host%2Fother/", "http://host%00/", "http://b\u{FC}cher.example/",
    "http://\u{FF48}ost/", "http://h\u{3002}example/", "http://host;a/", "http://host,a/",
    // All of these are addresses to libcurl.
    "http://127.1/", "http://0x7f.0.0.1/", "http://0x7f000001/", "http://2130706433/",
    "http://127.0.0.01/", "http://127.0.0.1./", "http://256.0.0.1/", "http://./",
    "http://[::1/", "http://::1/", "http://[::1]x/", "http://[::1]80/", "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/", "http://[]/", "http://[host]/", "http://[127.0.0.1]/",
    "http://a[::1]/", "http://[[::1]]/",
    // Unicode has other letters whose lower case is ASCII.
    "http://\u{212A}ost/", "http://host\u{37E}a/",
  ])
  func `a URL that others may read differently has no origin`(url: String) {
    #expect(HTTPOrigin(url) == nil)
  }

  @Test(arguments: [
    ("https://host/", "http://host/"), ("https://host/", "https://host:444/"),
    ("http://host/", "http://host./"), ("http://host/", "http://host.example/"),
    ("http://host/", "http://host@other/"), ("http://[::1]/", "http://[::2]/"),
    ("http://1.2.3.4/", "http://[::ffff:1.2.3.4]/"),
  ])
  func `other servers have other origins`(one: String, other: String) throws {
    let origin = try #require(HTTPOrigin(other))
    #expect(HTTPOrigin(one) != origin)
    #expect(try HTTPAddress(one).origin != HTTPAddress(other).origin)
  }

  /// What ``HTTPAddress`` refuses if the two disagree does not occur: whatever has an origin,
  /// libcurl accepts and reads the same.
  @Test func `libcurl agrees about every URL that has an origin`() throws {
    let pieces = [
      "host", "Other.example", "127.0.0.1", "127.1", "0x7f", "[::1]", "[::ffff:1.2.3.4]", "1", "a",
      "@", ":", ":443", "/", "//", "?", "#", "\\", "%", "%40", "%2f", ".", "..", "-", "_", "~", " ",
      "\t", "\"", "'", "<", "|", ";", ",", "&", "=", "+", "$", "!", "*", "(", "й", "\u{301}", "[",
      "]", "{", "^", "`", "80", "65536", "https://", "x",
    ]
    var (accepted, sum) = (0, 0)
    for _ in 0..<3_000 {
      var url = ["http://", "https://", "HTTP://", "https:///"].randomElement() ?? ""
      for _ in 0..<Int.random(in: 1...6) {
        url += pieces.randomElement() ?? ""
      }
      sum += 1
      guard let origin = HTTPOrigin(url) else { continue }
      accepted += 1
      let address = try? HTTPAddress(url)
      if url.utf8.contains(0x09) || url.utf8.contains(0x0A) {
        #expect(address.map { $0.origin == origin } ?? true, "\(url.debugDescription)")
      } else {
        #expect(address?.origin == origin, "\(url.debugDescription)")
      }
    }
    #expect(accepted > sum / 50)
  }

  @Test func `a zone tells addresses apart, and libcurl alone reads it`() throws {
    let one = try HTTPAddress("http://[fe80::1%25eth0]/")
    #expect(one.origin == HTTPOrigin(scheme: "http", host: "[fe80::1]", zone: "eth0", port: 80))
    #expect(try one.origin != HTTPAddress("http://[fe80::1%25eth1]/").origin)
    #expect(try one.following(Array("/a".utf8))?.origin == one.origin)
  }

  @Test func `hosts that only look the same are different`() throws {
    let names = ["kost", "\u{212A}ost", "b\u{FC}cher", "bu\u{308}cher", "B\u{DC}CHER"]
    let origins = try names.map { try HTTPAddress("http://\($0)/").origin }
    #expect(Set(origins).count == names.count)
  }

  @Test func `a URL is divided where libcurl divides it`() throws {
    let parts = try #require(URLParts("https://u:p@q@h:8/a?b=c@d#e"))
    #expect(parts.scheme == "https" && parts.prefix == "https://" && parts.userinfo == "u:p@q")
    #expect(parts.server == "h:8" && parts.rest == "/a?b=c@d#e")
    let odd = try #require(URLParts("http:///u@\u{301}h#/"))
    #expect(odd.prefix == "http:///" && odd.userinfo == "u")
    #expect(odd.server.unicodeScalars.elementsEqual("\u{301}h".unicodeScalars) && odd.rest == "#/")
    #expect(URLParts("http:/h") == nil && URLParts("")?.server == nil)
    #expect(URLParts("://")?.server == "")
  }

  @Test(arguments: [
    ("http://h/a?b=c&d=e#f", "http://h/a?b=***&d=***#***"), ("http://h?s", "http://h?***"),
    ("http://h/?a=1;b=2&&c", "http://h/?a=***&&***"), ("http://h/a", "http://h/a"),
    ("http://h/a?b==c=d", "http://h/a?b=***"), ("http://h/a?", "http://h/a?"),
    ("http://h/a#t=s?u=v", "http://h/a#***"),
    ("http://h/http://u:p@i/?c=d", "http://h/http://***@i/?c=***"),
    ("http://h/a?b=c d'e\"f&g", "http://h/a?b=***&***"),
    ("http://h/?http://u:p@i=x", "http://h/?***=***"),
    ("http://h/a?b=***", "http://h/a?b=***"), ("/a/b?c=d", "/a/b?c=d"),
  ])
  func `the names of parameters are shown, and no values`(url: String, shown: String) {
    #expect(Redaction.url(url) == shown)
    #expect(Redaction.url(shown) == shown)
  }

  @Test func `an invalid URL is shown without whatever may be a secret`() {
    #expect(Redaction.malformed("http://u:p@[::1/?a=b") == "***@[::1/?a=***")
    #expect(Redaction.malformed("http://h h/?a=b@c&d=e") == "***")
    #expect(Redaction.malformed("h h/?a=b") == "h h/?a=***")
    #expect(Redaction.malformed("u:p/w@proxy:x") == "***@proxy:x")
  }

  @Test func `URLs in texts of other programs lose their secrets`() {
    #expect(
      Redaction.message("no 'http://u:p@h/?a=b&c', http://i/#x and <https://j?k=l> m=n")
        == "no 'http://***@h/?a=***&***', http://i/#*** and <https://j?k=***> m=n")
  }

  @Test func `secrets of a URL are known, so that an echo of them is hidden`() {
    let url = "http://me:pa%24s@h/?id=4&api_key=a%26b"
    #expect(Redaction.secrets(in: url) == [url, "pa$s", "a&b"])
    #expect(Redaction.secrets(in: "http://h/x") == [] && Redaction.secrets(in: "a?b=c") == [])
  }

  @Test func `no password is shown, whatever is in it`() {
    for password in ["p'w", "p\"w", "p w", "p@w", "p\\w", "p:w", "p\u{301}"] {
      let url = "http://u:\(password)@h/a?b=http://c:d@e"
      #expect(Redaction.url(url) == "http://***@h/a?b=***")
    }
    #expect(Redaction.url("http:///u:p@h/") == "http:///***@h/")
    #expect(Redaction.url("http://u:p@\u{301}h/").hasPrefix("http://***"))
    #expect(Redaction.url("http://h/a@b") == "http://h/a@b")
    #expect(Redaction.url("no URL u:p@h") == "no URL u:p@h")
    #expect(
      Redaction.message("in 'http:///u:p@h/': file:///home/a@b")
        == "in 'http:///***@h/': file:///home/a@b")
  }
}
