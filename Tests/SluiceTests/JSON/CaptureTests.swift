import Testing

@testable import Sluice

@Suite struct CaptureTests {
  /// Asks for the raw text of the containers that begin at these offsets.
  private func capturing(_ offsets: Set<Int>) -> (Token) -> TokenReply {
    { token in
      let begins = token.kind == .beginObject || token.kind == .beginArray
      return begins && offsets.contains(token.offset) ? .capture : .proceed
    }
  }

  private func ends(_ outcome: Tokens) -> [String] {
    outcome.tokens.filter { $0.kind == .endObject || $0.kind == .endArray }
      .map { String(decoding: $0.text, as: UTF8.self) }
  }

  @Test func `a value's raw text comes with its end`() {
    let json = #"[ {"a" : "\u0041ж" , "b":[1, {}]} , {"c":2},[3 ] ]"#
    let first = #"{"a" : "\u0041ж" , "b":[1, {}]}"#
    #expect(
      ends(Tokenizing.everyCut(json, reply: capturing([2]))) == ["", "", first, "", "", ""])
    let places = Set([2, 37, 45])
    #expect(
      ends(Tokenizing.everyCut(json, reply: capturing(places)))
        == ["", "", first, #"{"c":2}"#, "[3 ]", ""])
    #expect(ends(Tokenizing.everyCut(json, reply: capturing([0]))).last == json)
    #expect(ends(Tokenizing.everyCut("\u{FEFF}[]\n", reply: capturing([3]))) == ["[]"])
  }

  @Test func `what is not asked for is not kept`() {
    #expect(ends(Tokenizing.everyCut("[{},[1],{\"a\":[]}]")) == ["", "", "", "", ""])
  }

  @Test(arguments: [-2, -1, 0, 1, 2, 100, 70_000])
  func `the first 64 KiB are kept`(over: Int) {
    let limit = 64 << 10
    for filler in ["a", "ж"] {
      let around = Array("{\"k\":\"\"}".utf8)
      let room = limit + over - around.count
      let content = [UInt8](String(repeating: filler, count: room / filler.utf8.count).utf8)
      let value = Array("{\"k\":\"".utf8) + content + Array("\"}".utf8)
      let text = Array("[1,".utf8) + value + Array(",{\"next\":1}]".utf8)
      var cuts = [1, 31, 1000, 4096, 65_535, 65_536, 65_537, 1 << 20].map {
        ChunkCutter.Cut.pieces(of: $0)
      }
      cuts += [0, 1, 3, 4, limit - 1, limit, limit + 2, limit + 3, limit + 4, text.count - 1]
        .filter { $0 <= text.count }.map { .split(at: $0) }
      for cut in cuts {
        let outcome = Tokenizing.tokens(text, cut) { $0.kind == .beginObject ? .capture : .proceed }
        let kept = outcome.tokens.filter { $0.kind == .endObject }.map(\.text)
        #expect(outcome.error == nil)
        #expect(kept == [Array(value.prefix(limit)), Array("{\"next\":1}".utf8)])
      }
    }
  }

  // MARK: Pieces

  private func pieced(_ json: String, _ key: String = "k") -> Tokens {
    let name = Array(key.utf8)
    return Tokenizing.everyCut(json) { $0.kind == .key && $0.text == name ? .pieces : .proceed }
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), ("UEsDBBQ=", "UEsDBBQ="), (#"a\/b\u002bc\/"#, "a/b+c/"),
    (#"\/"#, "/"), (#"\u002b"#, "+"), (#"\u002B\/\/\u002b"#, "+//+"),
    (#"ж\n€\ud83d\ude00😀"#, "ж\n€😀😀"),
    (
      #"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"#,
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    ),
    (#"\u0000\\\""#, "\0\\\""),
  ])
  func `a string in pieces has the same text`(written: String, text: String) {
    let outcome = pieced("[{\"j\":\"\(written)\",\"k\":\"\(written)\",\"l\":[\"\(written)\"]}]")
    #expect(outcome.error == nil)
    #expect(
      outcome.tokens.filter { $0.kind == .string }.map(\.text)
        == Array(repeating: Array(text.utf8), count: 3))
    #expect(outcome.tokens.first { $0.kind == .string }?.offset == 6)
  }

  @Test func `only the string behind the key comes in pieces`() {
    for (json, isPieced) in [
      (#"{"k":"a\nb"}"#, true), (#"{"k":["a\nb"]}"#, false), (#"{"k":{"j":"a\nb"}}"#, false),
      (#"{"k":1,"j":"a\nb"}"#, false), (#"{"k":null,"j":"a\nb"}"#, false),
      (#"{"k":"x","j":"a\nb"}"#, false), (#"{"k":[],"j":"a\nb"}"#, false),
    ] {
      let box = WantedPieces.Box()
      #expect(throws: Never.self) {
        try ChunkCutter.feed(
          Array(json.utf8), .whole,
          to: Tokenizer(into: WantedPieces(box: box), counters: Counters()))
      }
      #expect((box.pieces > 0) == isPieced, "\(json)")
    }
  }

  @Test(arguments: [
    ("ab\u{1}cd", JSONFault.control(1), 8, "ab"), (#"ab\/c\x"#, .escape(0x78), 12, "ab/c"),
    (#"ab\ud83dc"#, .loneSurrogate, 8, "ab"), (#"ab\udc00c"#, .loneSurrogate, 8, "ab"),
    (#"ab\u00g0"#, .escape(0x67), 12, "ab"), ("aж\u{1}", .control(1), 9, "aж"),
  ])
  func `what comes before an error is handed on first, however it is cut`(
    written: String, fault: JSONFault, offset: Int, before: String
  ) {
    checkHandedOn(Array("{\"k\":\"\(written)\"}".utf8), fault, offset, Array(before.utf8))
  }

  @Test func `what comes before bytes that are no UTF-8 is handed on first`() {
    for (bad, good) in [
      ([0xD0, 0x61], 1), ([0x80], 0), ([0xF0, 0x9F, 0x98, 0x22], 3), ([0xFF], 0),
    ] {
      let bytes = bad.map { UInt8($0) }
      let text = Array("{\"k\":\"ab".utf8) + bytes + Array("cd\"}".utf8)
      checkHandedOn(text, .notUTF8, 8, Array("ab".utf8) + bytes[..<good])
    }
  }

  private func checkHandedOn(
    _ text: [UInt8], _ fault: JSONFault, _ offset: Int, _ before: [UInt8],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let outcome = ChunkCutter.everyCut(of: text, sourceLocation: sourceLocation) { cut in
      let box = TokenCollector.Box()
      box.reply = { $0.kind == .key ? .pieces : .proceed }
      do throws(PipelineError) {
        let tokenizer = Tokenizer(into: TokenCollector(box: box), counters: Counters())
        try ChunkCutter.feed(text, cut, to: tokenizer)
        return Outcome(output: box.pending, error: nil)
      } catch {
        return Outcome(output: box.pending, error: error)
      }
    }
    #expect(
      outcome == Outcome(output: before, error: Tokenizing.fault(fault, at: offset)),
      sourceLocation: sourceLocation)
  }
}

/// Counts pieces of strings; wants the one behind `k` in pieces.
private struct WantedPieces: TokenStage, ~Copyable {
  final class Box {
    var pieces = 0
  }

  let box: Box

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    if kind == .stringPiece { box.pieces += 1 }
    return kind == .key && text.byteCount == 1 && text.unsafeLoad(as: UInt8.self) == 0x6B
      ? .pieces : .proceed
  }

  consuming func finish() throws(PipelineError) {}
}
