import Testing

@testable import Sluice
@testable import SluiceSync

/// URLs are made of a feed's document, what a request is about and what the environment says.
@Suite struct RequestURLTests {
  private func maker(
    _ parameters: [(String, String)], mirror: String? = nil, _ secrets: [String: String] = [:]
  ) throws -> RequestURLMaker {
    RequestURLMaker(
      parameters: try parameters.map { name, value in
        FeedRequests.Parameter(name: name, value: try #require(PlacedText(value)))
      }, mirror: mirror, secrets: RequestSecrets(secrets))
  }

  @Test func `everything that is not unreserved is percent-encoded`() {
    #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
    #expect(PercentEncoding.encode("a b&c=d/e?f#g+h%i") == "a%20b%26c%3Dd%2Fe%3Ff%23g%2Bh%25i")
    #expect(PercentEncoding.encode("Минск") == "%D0%9C%D0%B8%D0%BD%D1%81%D0%BA")
    #expect(PercentEncoding.encode("") == "")
  }

  @Test func `parameters follow the query that is there`() throws {
    let maker = try maker([("q", "{city}"), ("k e", "a&b")])
    #expect(maker.url("https://h/p", values: ["city": "Гр d"]).real.hasPrefix("https://h/p?q=%D0"))
    #expect(
      maker.url("https://h/p?x=1#top", values: ["city": "a"]).real
        == "https://h/p?x=1&q=a&k%20e=a%26b")
    #expect(
      maker.url("https://h", more: [("_page", "2")]).real == "https://h?q=&k%20e=a%26b&_page=2")
  }

  @Test func `what the environment says is sent, and never shown`() throws {
    let maker = try maker([("key", "a$KEY"), ("n", "$5 {x}")], ["KEY": "s/e cret"])
    let url = maker.url("https://u:p@h/", values: ["x": "y"])
    #expect(url.real == "https://u:p@h/?key=as%2Fe%20cret&n=%245%20y")
    #expect(url.shown == "https://***@h/?key=a***&n=%245%20y")
    #expect("\(url)" == url.shown && String(reflecting: url) == url.shown)
    #expect(!"\(maker)".contains("e cret"))
    // Nor where the user has written it into an address.
    let placed = RequestURL("https://h/t0ken/a?b=t0ken", hiding: RequestSecrets(["KEY": "t0ken"]))
    #expect(placed.real == "https://h/t0ken/a?b=t0ken" && placed.shown == "https://h/***/a?b=***")
  }

  @Test func `a mirror takes the place of scheme, host and port`() throws {
    func placed(_ base: String, _ mirror: String) throws -> String {
      try maker([], mirror: mirror).url(base).real
    }
    #expect(try placed("https://h:8/a/b?c=d", "http://m:1") == "http://m:1/a/b?c=d")
    #expect(try placed("https://h/a", "http://m:1/v1/") == "http://m:1/v1/a")
    #expect(try placed("https://h?a=1", "http://m/x?y#z") == "http://m/x?a=1")
    #expect(try placed("https://h", "http://m/x") == "http://m/x")
  }

  @Test func `places are variables in capitals and names in braces`() {
    #expect(PlacedText("a$KEY_1b{c d}$x$")?.written == "a$KEY_1b{c d}$x$")
    #expect(PlacedText("$KEY{c}")?.pieces == [.variable("KEY"), .value("c")])
    #expect(PlacedText("$9A")?.pieces == [.text("$9A")])
    for text in ["{", "}", "{}", "a{b", "{a{b}", "a}b"] { #expect(PlacedText(text) == nil) }
  }

  @Test func `secrets are cut out of texts, as they are and as URLs have them`() {
    let secrets = RequestSecrets(["KEY": "p&ssw", "SHORT": "abc", "NONE": ""])
    #expect(secrets.hide(in: "a p&ssw b p%26ssw abc") == "a *** b *** abc")
    let odd = RequestSecrets(["A": "ab+cd/ef==", "B": "ab+c", "C": "x y z"])
    for text in ["ab+cd/ef==", "ab%2bcd/ef==", "ab%2Bcd%2Fef%3d%3D", "%61b+cd/ef=="] {
      #expect(odd.hide(in: "key=\(text)&z") == "key=***&z")
    }
    #expect(odd.hide(in: "x+y%20z ab%2bc ab%2 ab+") == "*** *** ab%2 ab+")
    let cut = RequestSecrets(["A": "s3cr3t-of-mine"])
    #expect(
      cut.hide(in: "it says \"no s3cr…\", s3c…, s3cr, s3cr3t\\-of-mine")
        == "it says \"no ***…\", s3c…, s3cr, ***")
    #expect(secrets["NONE"] == nil)
    #expect("\(secrets)" == "$KEY, $NONE, $SHORT")
  }
}
