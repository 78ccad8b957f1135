import Testing

@testable import Sluice

/// The tree of paths and the cursor that follows a document along it.
@Suite struct PathCursorTests {
  /// Notes the paths' numbers as their values come.
  private struct Notes: TokenStage, ~Copyable {
    final class Log { var lines: [String] = [] }
    let tree: PathTree
    var cursor: PathCursor
    let log: Log

    init(_ paths: [Path], _ log: Log) {
      tree = PathTree(paths)
      cursor = PathCursor(tree)
      self.log = log
    }

    mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
      throws(PipelineError) -> TokenReply
    {
      let node = cursor.step(kind, text)
      guard kind != .key, let path = tree.ends.firstIndex(of: node) else { return .proceed }
      let shown = text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      log.lines.append("\(path) \(kind)\(shown.isEmpty ? "" : " \(shown)")")
      return .proceed
    }

    consuming func finish() throws(PipelineError) { log.lines.append("end") }
  }

  private func notes(_ paths: [Path], _ json: String) throws -> [String] {
    let log = Notes.Log()
    try ChunkCutter.feed(
      Array(json.utf8), inPiecesOf: 3, to: Tokenizer(into: Notes(paths, log), tally: Tally()))
    return log.lines
  }

  @Test func `values are told by their paths`() throws {
    #expect(
      try notes(
        [["a", "b"], ["a", .each, "c"], ["d"]],
        #"{"d":1,"a":{"b":2,"c":3},"c":4,"b":5,"d":{"b":6}}"#)
        == ["2 number 1", "0 number 2", "2 beginObject", "2 endObject", "end"])
    #expect(
      try notes(
        [["a", "b"], ["a", .each, "c"]], #"{"a":[{"c":"x"},{"b":1},{"c":null},7,[{"c":1}]]}"#)
        == ["1 string x", "1 null", "end"])
  }

  @Test func `the document itself`() throws {
    #expect(try notes([[]], "7") == ["0 number 7", "end"])
    #expect(
      try notes([[], [.each]], "[1,[2]]") == [
        "0 beginArray", "1 number 1", "1 beginArray", "1 endArray", "0 endArray", "end",
      ])
  }

  @Test func `what lies beside the paths is passed over, however deep`() throws {
    let deep = String(repeating: #"{"a":["#, count: 200) + String(repeating: "]}", count: 200)
    #expect(
      try notes(
        [[.each, "a"]], #"[{"x":\#(deep),"a":1},\#("[{\"a\":2}]"),{"y":[\#(deep)],"a":3}]"#)
        == ["0 number 1", "0 number 3", "end"])
  }

  @Test func `the order of keys may change from object to object, and there may be many`() throws {
    let keys = (0..<100).map { "k\($0)" }
    let paths = keys.map { Path([.each, .key($0)]) }
    var generator = SystemRandomNumberGenerator()
    var objects: [String] = []
    var expected: [String] = []
    for _ in 0..<50 {
      let order = (keys + ["x", "k", "k100", ""]).shuffled(using: &generator)
      objects.append("{" + order.map { #""\#($0)":"\#($0)""# }.joined(separator: ",") + "}")
      for key in order {
        if let index = keys.firstIndex(of: key) { expected.append("\(index) string \(key)") }
      }
    }
    #expect(try notes(paths, "[\(objects.joined(separator: ","))]") == expected + ["end"])
  }

  @Test func `an empty key is a key`() throws {
    #expect(try notes([[""]], #"{"a":1,"":2}"#) == ["0 number 2", "end"])
  }
}
