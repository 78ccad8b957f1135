import Foundation
import Testing

@testable import Sluice

/// The files of a site's page are in the program as they are in the tree.
@Suite struct PageResourceTests {
  private static let folder = (0..<4).reduce(URL(filePath: #filePath)) { path, _ in
    path.deletingLastPathComponent()
  }.appending(path: "Sources/Sluice/Encode/Page")

  /// What makes markup or code of a text, or asks a server.
  private static let forbidden = [
    "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
    "fetch(", "XMLHttpRequest", "import(",
  ]

  @Test func `each file of the page is embedded byte by byte`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    let resources = PageResource.all()
    #expect(resources.map(\.name) == (names + ["words.js"]).sorted())
    for resource in resources where resource.name != "words.js" {
      let data = try Data(contentsOf: Self.folder.appending(path: resource.name))
      #expect(resource.bytes == [UInt8](data), "\(resource.name)")
    }
  }

  @Test func `no file of the page is longer than a file of the house`() throws {
    for resource in PageResource.all() {
      let lines = resource.bytes.count { $0 == UInt8(ascii: "\n") }
      #expect(lines <= 500, "\(resource.name)")
    }
  }

  @Test func `the page runs no script and no style that stands in it`() throws {
    let page = String(decoding: try bytes("index.html"), as: UTF8.self)
    let policy = try #require(page.firstMatch(of: /Content-Security-Policy"\s+content="([^"]*)"/))
    #expect(policy.1.hasPrefix("default-src 'none'"))
    #expect(!policy.1.contains("unsafe"))
    #expect(page.matches(of: /<script(?! src="[a-z]+\.js" defer><\/script>)/).isEmpty)
    #expect(page.matches(of: /<style|\sstyle=|\son[a-z]+=/).isEmpty)
  }

  @Test func `the page names each of its scripts, and those of the data`() throws {
    let page = String(decoding: try bytes("index.html"), as: UTF8.self)
    let named = page.matches(of: /<script src="([^"]+)"/).map { String($0.1) }
    let own = PageResource.all().map(\.name).filter { $0.hasSuffix(".js") }
    #expect(named.sorted() == (own + ["data.js", "status.js"]).sorted())
  }

  @Test func `no script makes markup or code of texts`() throws {
    for resource in PageResource.all() where resource.name.hasSuffix(".js") {
      let text = String(decoding: resource.bytes, as: UTF8.self)
      for call in Self.forbidden {
        #expect(!text.contains(call), "\(resource.name): \(call)")
      }
    }
  }

  @Test func `the words of the search are one object, and nothing in it ends a script`() throws {
    let bytes = try bytes("words.js")
    let text = String(decoding: bytes, as: UTF8.self)
    let start = PageResource.scriptStart("words")
    #expect(text.hasPrefix(start) && text.hasSuffix("};\n"))
    #expect(!text.contains("<"))
    let json = Data(text.dropFirst(start.count).dropLast(2).utf8)
    let words = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    let languages = try #require(words["languages"] as? [[String: Any]])
    #expect(languages.count == 2)
    let costs = try #require(words["costs"] as? [String: Int])
    #expect(costs["typo"] == NameMatcher.Penalty.typo)
    #expect(words["keys"] as? [String] == [Spelling.latinKeys, Spelling.cyrillicKeys])
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try #require(PageResource.all().first { $0.name == name }).bytes
  }
}
