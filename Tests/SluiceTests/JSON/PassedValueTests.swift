import Testing

@testable import Sluice

/// Stages that stand between a tokenizer and a reader that passes values.
@Suite struct PassedValueTests {
  private static let json =
    #"[{"a":{"x":[1,{"y":"z"}]},"b":{"x":2,"y":[3]},"c":"a text of one block, or of more than that"}]"#

  /// A collector that passes the values of these keys.
  private func passing(_ keys: String...) -> TokenCollector.Box {
    let box = TokenCollector.Box()
    box.reply = { token in
      token.kind == .key && keys.contains(String(decoding: token.text, as: UTF8.self))
        ? .pass : .proceed
    }
    return box
  }

  /// The keys that were seen.
  private func keys(_ box: TokenCollector.Box) -> String {
    box.tokens.filter { $0.kind == .key }.map { String(decoding: $0.text, as: UTF8.self) }
      .joined(separator: " ")
  }

  private func run<Stage: TokenStage & ~Copyable>(
    _ json: String, _ cut: ChunkCutter.Cut, _ stage: consuming Stage
  ) throws(PipelineError) {
    try ChunkCutter.feed(
      Array(json.utf8), cut, to: Tokenizer(into: stage, counters: Counters()))
  }

  @Test(arguments: [ChunkCutter.Cut.whole, .pieces(of: 3)])
  func `a value is passed if no table wants it`(cut: ChunkCutter.Cut) throws {
    let (first, second) = (passing("a", "b"), passing("b", "x"))
    try run(
      Self.json, cut, TokenFanOut([first, second].map { Box(TokenCollector(box: $0)) }))
    // The first one gets the tokens of a value that it does not want, but the second does.
    #expect(keys(first) == "a x y b c")
    #expect(keys(second) == "a x y b c")
    #expect(first.tokens == second.tokens)
  }

  @Test(arguments: [ChunkCutter.Cut.whole, .pieces(of: 3)])
  func `the first table that reaches its limit sees the token`(cut: ChunkCutter.Cut) throws {
    let boxes = [passing("a", "b"), passing("a", "b")]
    boxes[1].passLimit = 33
    try run(Self.json, cut, TokenFanOut(boxes.map { Box(TokenCollector(box: $0)) }))
    #expect(boxes[0].tokens == boxes[1].tokens)
    #expect(boxes[0].tokens.contains { $0.kind == .key && $0.offset > 33 && $0.text.isEmpty })
  }

  @Test(arguments: [ChunkCutter.Cut.whole, .pieces(of: 3)])
  func `keys of values that nobody reads are counted`(cut: ChunkCutter.Cut) throws {
    let counts = KeyCounts()
    try run(Self.json, cut, KeyCensus(into: TokenCollector(box: passing("a", "b")), counts: counts))
    #expect(
      counts.counts.map(\.path.description) == [
        "[].a", "[].a.x", "[].a.x[].y", "[].b", "[].b.x", "[].b.y", "[].c",
      ])
  }

  @Test(arguments: [ChunkCutter.Cut.whole, .pieces(of: 3)])
  func `the field that tells of success is found in a value that nobody reads`(
    cut: ChunkCutter.Cut
  ) throws {
    let answer = #"{"meta":{"more":[1,2],"status":"ok"},"list":\#(Self.json)}"#
    let box = passing("meta", "more", "status")
    let test = Envelope.Test(path: ["meta", "status"], value: "ok")
    try run(answer, cut, StatusCheck(test, into: TokenCollector(box: box)))
    #expect(keys(box) == "meta more status list a x y b x y c")
    let refused = #"{"meta":{"status":"no"},"list":[]}"#
    #expect(throws: PipelineError(.source(.refused(status: "no")), at: 18)) {
      try run(refused, cut, StatusCheck(test, into: TokenCollector(box: passing("meta"))))
    }
  }
}
