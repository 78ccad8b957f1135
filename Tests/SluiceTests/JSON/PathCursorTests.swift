import Testing

@testable import Sluice

@Suite struct PathCursorTests {
  /// The paths that a document's values stand at, in order, with their kinds.
  private func follow(_ json: String, _ paths: [Path]) throws -> [String] {
    let box = CursorStage.Box()
    try ChunkCutter.feed(
      Array(json.utf8), .whole,
      to: Tokenizer(into: CursorStage(paths, box: box), counters: Counters()))
    return box.found
  }

  @Test func `values are found at their paths, in any order and number`() throws {
    let paths: [Path] = [["a", .each, "b"], ["c"], ["a", .each]]
    #expect(
      try follow(#"{"x":1,"c":2,"a":[{"b":3},{"y":[{"b":0}],"b":"4"},5],"c":null}"#, paths)
        == [
          "c number", "a[] beginObject", "a[].b number", "a[] endObject", "a[] beginObject",
          "a[].b string", "a[] endObject", "a[] number", "c null",
        ])
  }

  @Test func `what no path leads to is passed over, however deep`() throws {
    let deep = String(repeating: "[{\"a\":", count: 200) + "1" + String(repeating: "}]", count: 200)
    #expect(try follow("{\"x\":\(deep),\"a\":2,\"y\":\(deep)}", [["a"]]) == ["a number"])
    #expect(try follow("[\(deep),{\"a\":2}]", [["a"]]) == [])
    #expect(try follow("{\"a\":{\"a\":{\"a\":1}}}", [["a"]]) == ["a beginObject", "a endObject"])
  }

  @Test func `a container of the other kind leads nowhere`() throws {
    #expect(try follow(#"{"a":{"b":1}}"#, [["a", .each, "b"]]) == [])
    #expect(try follow(#"{"a":[[{"b":1}]]}"#, [["a", .each, "b"]]) == [])
    #expect(try follow(#"[{"b":1}]"#, [["b"]]) == [])
    #expect(try follow(#"{"b":1}"#, [[.each, "b"]]) == [])
    #expect(try follow("1", [[.each, "b"]]) == [])
  }

  @Test func `one element of a list is found by its number, whatever the others are`() throws {
    let paths: [Path] = [["w", .element(0), "d"], ["w", .element(2)], [.each, .element(1), "x"]]
    #expect(
      try follow(#"{"w":[{"e":[1,2],"d":3},{"d":4},5,{"d":6}],"v":[{"d":7}]}"#, paths)
        == ["w[0].d number", "w[2] number"])
    #expect(
      try follow(#"{"w":[[{"d":1}],{"d":2},{"d":3}]}"#, paths)
        == ["w[2] beginObject", "w[2] endObject"])
    // The count begins anew with every list.
    #expect(
      try follow(#"[[{"x":1},{"x":2},{"x":3}],[0],[{"x":[{"x":4}]},{"x":5}],[]]"#, paths).filter {
        $0.contains("x")
      } == ["[][1].x number", "[][1].x number"])
    for json in [#"{"w":{"d":1}}"#, #"{"w":[]}"#, #"{"w":3}"#, #"{"w":["d",1]}"#] {
      #expect(try follow(json, paths) == [])
    }
  }

  @Test func `the document itself is a path`() throws {
    #expect(try follow("1", [[]]) == [". number"])
    #expect(try follow("[1,[2]]", [[], [.each]]).count == 5)
  }

  @Test func `keys are compared by their bytes`() throws {
    // `й` in one scalar and in two, a longer key, a shorter one, an empty one, one with escapes.
    let paths: [Path] = [[.each, "й"], [.each, "ab"], [.each, ""]]
    let json =
      "[{\"й\":1,\"и\u{306}\":2,"
      + #""abc":3,"a":4,"":5,"AB":6},{"\u0439":7,"\u0061b":8,"ab\u0000":9}]"#
    #expect(
      try follow(json, paths) == ["[].й number", "[]. number", "[].й number", "[].ab number"])
  }

  @Test func `records may differ from their neighbours in every way`() throws {
    let names = (0..<100).map { "k\($0)" }
    let paths = names.map { Path([.each, .key($0)]) }
    var generator = SeededGenerator(seed: 1)
    var records: [String] = []
    var expected: [String] = []
    for _ in 0..<50 {
      let keys = names.shuffled(using: &generator).prefix(
        Int.random(in: 0...100, using: &generator))
      records.append("{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}")
      expected += keys.map { "[].\($0) number" }
    }
    #expect(try follow("[\(records.joined(separator: ","))]", paths) == expected)
  }
}

/// Notes what a cursor finds.
private struct CursorStage: TokenStage, ~Copyable {
  final class Box {
    var found: [String] = []
  }

  private let box: Box
  private let paths: [Path]
  private let ends: [Int]
  private var cursor: PathCursor

  init(_ paths: [Path], box: Box) {
    self.box = box
    self.paths = paths
    let tree = PathTree(paths)
    ends = tree.ends
    cursor = PathCursor(tree)
  }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    let node = cursor.step(kind, text)
    if kind != .key, let index = ends.firstIndex(of: node) {
      box.found.append("\(paths[index]) \(kind)")
    }
    return .proceed
  }

  consuming func finish() throws(PipelineError) {}
}
