import Testing

@testable import Sluice

@Suite struct YAMLNodeTests {
  /// A node in one line, with its places.
  private func outline(_ node: YAMLNode) -> String {
    let place = "@\(node.place.line):\(node.place.column)"
    switch node.content {
    case .scalar(let text, let isPlain): return (isPlain ? text : "'\(text)'") + place
    case .sequence(let items):
      return "[" + items.map(outline).joined(separator: " ") + "]" + place
    case .mapping(let entries):
      let texts = entries.map { entry in
        "\(entry.key)@\(entry.place.line):\(entry.place.column)=\(outline(entry.value))"
      }
      return "{" + texts.joined(separator: " ") + "}" + place
    }
  }

  private func read(_ text: String, depth: Int = 4) -> String {
    do throws(YAMLFault) {
      return try YAMLNode.read(Array(text.utf8), depth: depth).map(outline) ?? "nothing"
    } catch {
      return "\(error.place.line):\(error.place.column) \(error.problem)"
    }
  }

  @Test func `every node knows its place`() {
    #expect(read("a:\n  - б: 'в'\n  - []\n") == "{a@1:1=[{б@2:5='в'@2:8}@2:5 []@3:5]@2:3}@1:1")
    #expect(read(#"{"a": [1, "x"], "b": {}}"#) == "{a@1:2=[1@1:8 'x'@1:11]@1:7 b@1:17={}@1:22}@1:1")
    #expect(read("# nothing") == "nothing")
    #expect(read("text") == "text@1:1")
  }

  @Test func `what could hide something is refused where it stands`() {
    #expect(read("a: {b: &x c}") == "1:8 alias")
    #expect(read("a:\n  b: *x") == "2:6 alias")
    #expect(read("a: [!!int 1]") == "1:5 tag")
    #expect(read("a: {b: 1, b: 2}") == "1:11 duplicateKey(\"b\", line: 1)")
    #expect(read("a: {[b]: 1}") == "1:5 keyNotText")
    #expect(read("a: 1\n---\nb: 2") == "2:1 severalDocuments")
    #expect(read("a: [\"\\e\"]") == "1:5 controlCharacter")
    #expect(read("\"a\\x85\": 1") == "1:1 controlCharacter")
  }

  @Test func `depth and size are bounded`() {
    #expect(read("a: [[[]]]") == "{a@1:1=[[[]@1:6]@1:5]@1:4}@1:1")
    #expect(read("b: [[[[]]]]") == "1:7 tooDeep(limit: 4, under: Optional(\"b\"))")
    #expect(
      read("a: " + String(repeating: "[", count: 100_000))
        == "1:7 tooDeep(limit: 4, under: Optional(\"a\"))")
    #expect(
      read(String(repeating: "#", count: YAMLNode.limit + 1))
        == "1:1 tooLarge(limit: \(YAMLNode.limit))")
  }

  @Test func `nothing written is told from a text in quotes`() throws {
    for (text, isMissing) in [
      ("", true), ("~", true), ("null", true), ("''", true), ("'null'", false), ("no", false),
    ] {
      let node = try #require(try YAMLNode.read(Array("a: \(text)".utf8), depth: 2))
      guard case .mapping(let entries) = node.content else { throw SomeFailure() }
      #expect(entries[0].value.isMissing == isMissing, "\(text)")
    }
  }

  private struct SomeFailure: Error {}
}
