import Testing

@testable import SluiceText
@testable import sluice_cli

@Suite struct ConfigReportTests {
  private func line(_ key: String, _ value: Setting.Value) -> String {
    String(ConfigReport.text(of: [Setting(key: key, value: value, origin: nil)]).dropLast())
  }

  @Test func `values are written so that a file could say them`() throws {
    for text in [
      "plain", "3h", "25%", "/a/b.csv", "https://h/p&b", "Наличная", "a b", "'", "\"", "a: b",
      "#x", "a #b", "[x]", "- a", "-", "null", "~", "*x", "&x", "!x", "{", "x:", "%", "@", "a\\b",
      "\u{202E}x", "\\u0041\u{200B}", "é",
    ] {
      for value in [Setting.Value.text(text), .list([text, text]), .list([])] {
        let written = line("state", value)
        let entries = try ConfigDocument(Array(written.utf8), named: "f").entries
        switch (value, entries.first?.value) {
        case (.text(let text), .text(let read)): #expect(read.text == text && !read.isMissing)
        case (.list(let items), .list(let read)): #expect(read.map(\.text) == items)
        default: Issue.record("\(written)")
        }
        let isSafe = written.unicodeScalars.allSatisfy { $0.properties.generalCategory != .format }
        #expect(isSafe)
      }
    }
    #expect(line("entry", .none) == "# entry:  # default")
  }

  @Test(arguments: [
    "Authorization: Bearer abc", "authorization:abc", "Proxy-Authorization: Basic abc",
    "Cookie: a=abc", "X-Api-Key: abc", "X-Auth: abc", "Private-Token: abc", "X-Any: bearer abc",
    "abc", "X-Plain: abcd",
  ])
  func `secrets in headers are hidden`(header: String) {
    let shown = line("header", .list([header, "Accept: text/x"]))
    #expect(!shown.contains("abc") && shown.contains("***") && shown.contains("Accept: text/x"))
  }

  @Test func `secrets in URLs are hidden`() {
    let shown = line("input", .text("https://me:abc@h:1/p@q?id=4&token=abc&b#f"))
    #expect(shown == "input: 'https://***@h:1/p@q?id=***&token=***&***#***'  # default")
  }
}
