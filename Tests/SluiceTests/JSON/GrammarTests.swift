import Testing

@testable import Sluice

@Suite struct GrammarTests {
  private func token(_ kind: TokenKind, _ text: String = "", at offset: Int) -> Token {
    Token(kind: kind, text: Array(text.utf8), offset: offset)
  }

  @Test func `a document's tokens come in order, with their offsets`() {
    let outcome = Tokenizing.everyCut(
      " {\"№\" : [1,\"a\" , {}],\"b\":null,\n\"\":[true,false]}\r\n")
    #expect(
      outcome.tokens == [
        token(.beginObject, at: 1), token(.key, "№", at: 2), token(.beginArray, at: 10),
        token(.number, "1", at: 11), token(.string, "a", at: 13), token(.beginObject, at: 19),
        token(.endObject, at: 20), token(.endArray, at: 21), token(.key, "b", at: 23),
        token(.null, at: 27), token(.key, at: 33), token(.beginArray, at: 36),
        token(.true, at: 37), token(.false, at: 42), token(.endArray, at: 47),
        token(.endObject, at: 48),
      ])
    #expect(outcome.error == nil)
  }

  @Test(arguments: [
    "null", "true", "false", "0", "\"\"", "\"x\"", "[]", "{}", "[[]]", "[{}]", "{\"\":{}}",
    " \t\r\n[ \t\r\n] \t\r\n", "[1 , 2]", "{\"a\" :1 ,\"b\": 2 }", "[\"a\",\"\",\"b\"]",
    "{\"a\":1,\"a\":2}", "[[],[],[[],[]]]", "[null,true,false]",
  ])
  func `valid texts pass`(text: String) {
    #expect(Tokenizing.everyCut(text).error == nil)
  }

  @Test(arguments: [
    "0", "-0", "1", "-1", "10", "1234567890", "0.1", "-0.0", "1.50", "1e5", "1E5", "1e+5", "1E-05",
    "0e0", "0.0e-0", "1e400", "123456789012345678901234567890",
    "0.123456789012345678901234567890123456789", "-9223372036854775809",
  ])
  func `numbers are kept as written`(text: String) {
    for (before, after) in [("", ""), ("[", "]"), ("{\"a\":", "}"), ("[ ", " , 1]"), ("", " \n")] {
      let outcome = Tokenizing.everyCut(before + text + after)
      let expected = token(.number, text, at: before.utf8.count)
      #expect(outcome.tokens.first { $0.kind == .number } == expected)
      #expect(outcome.error == nil)
    }
  }

  @Test(arguments: [
    ("[-]", JSONFault.number, 2), ("[-a]", .number, 2), ("[1.]", .number, 3),
    ("[1.e5]", .number, 3), ("[1e]", .number, 3), ("[1e+]", .number, 4), ("[1e+-1]", .number, 4),
    ("[--1]", .number, 2), ("[-.5]", .number, 2), ("[.5]", .unexpected(0x2E), 1),
    ("[+1]", .unexpected(0x2B), 1), ("[01]", .unexpected(0x31), 2),
    ("[-01]", .unexpected(0x31), 3), ("[1.5.5]", .unexpected(0x2E), 4),
    ("[1e5e5]", .unexpected(0x65), 4), ("[0x10]", .unexpected(0x78), 2),
    ("[1_000]", .unexpected(0x5F), 2), ("[1 000]", .unexpected(0x30), 3),
    ("[1,5 ,]", .unexpected(0x5D), 6), ("[NaN]", .unexpected(0x4E), 1),
    ("[Infinity]", .unexpected(0x49), 1), ("[-Infinity]", .number, 2), ("00", .trailing(0x30), 1),
  ])
  func `wrong numbers are refused at their first wrong byte`(
    text: String, fault: JSONFault, offset: Int
  ) {
    #expect(Tokenizing.everyCut(text).error == Tokenizing.fault(fault, at: offset))
  }

  @Test(arguments: [
    ("[1,]", JSONFault.unexpected(0x5D), 3), ("[,1]", .unexpected(0x2C), 1),
    ("[1,,2]", .unexpected(0x2C), 3), ("[1 2]", .unexpected(0x32), 3),
    ("[\"a\" \"b\"]", .unexpected(0x22), 5), ("[1:2]", .unexpected(0x3A), 2),
    ("[1}", .unexpected(0x7D), 2), ("[}", .unexpected(0x7D), 1), ("{]", .unexpected(0x5D), 1),
    ("{\"a\":1,}", .unexpected(0x7D), 7), ("{,}", .unexpected(0x2C), 1),
    ("{\"a\"}", .unexpected(0x7D), 4), ("{\"a\" 1}", .unexpected(0x31), 5),
    ("{\"a\"::1}", .unexpected(0x3A), 5), ("{\"a\":}", .unexpected(0x7D), 5),
    ("{\"a\":1 \"b\":2}", .unexpected(0x22), 7), ("{\"a\":1]", .unexpected(0x5D), 6),
    ("{\"a\",1}", .unexpected(0x2C), 4), ("{1:1}", .unexpected(0x31), 1),
    ("{a:1}", .unexpected(0x61), 1), ("{'a':1}", .unexpected(0x27), 1),
    ("{null:1}", .unexpected(0x6E), 1), ("{\"a\":1,,\"b\":2}", .unexpected(0x2C), 7),
    ("]", .unexpected(0x5D), 0), ("}", .unexpected(0x7D), 0), (",", .unexpected(0x2C), 0),
    (":", .unexpected(0x3A), 0), ("<html>", .unexpected(0x3C), 0), ("'a'", .unexpected(0x27), 0),
    ("/**/1", .unexpected(0x2F), 0), ("[1 // one\n]", .unexpected(0x2F), 3),
    ("[\u{A0}1]", .unexpected(0xC2), 1), ("[\u{0B}1]", .unexpected(0x0B), 1),
    ("[\u{0C}1]", .unexpected(0x0C), 1), ("[\u{0}]", .unexpected(0), 1),
    ("\u{0}", .unexpected(0), 0), ("[1\u{0}]", .unexpected(0), 2), ("[\\n]", .unexpected(0x5C), 1),
    ("[ture]", .literal, 1), ("[tru]", .literal, 1), ("[True]", .unexpected(0x54), 1),
    ("[nul]", .literal, 1), ("[nil]", .literal, 1), ("[truefalse]", .unexpected(0x66), 5),
    ("[fals\u{0}]", .literal, 1), ("{\"a\":nulL}", .literal, 5), ("[1true]", .unexpected(0x74), 2),
    ("[null0]", .unexpected(0x30), 5), ("[\"a\"1]", .unexpected(0x31), 4),
    ("[1\"a\"]", .unexpected(0x22), 2),
  ])
  func `what the grammar does not allow is refused at its byte`(
    text: String, fault: JSONFault, offset: Int
  ) {
    #expect(Tokenizing.everyCut(text).error == Tokenizing.fault(fault, at: offset))
  }

  @Test(arguments: [
    ("123true", 3), ("[] []", 3), ("{}{}", 2), ("null,", 4), ("\"a\"\"b\"", 3), ("[]]", 2),
    ("{} }", 3), ("1 2", 2), ("true\u{0}", 4), ("[]\u{FEFF}", 2), ("truex", 4), ("[]x", 2),
    ("[]\u{1A}", 2), ("{}\n\n\n<!-- 0.1 s -->", 5),
  ])
  func `nothing may follow the document`(text: String, offset: Int) {
    let byte = Array(text.utf8)[offset]
    #expect(Tokenizing.everyCut(text).error == Tokenizing.fault(.trailing(byte), at: offset))
  }

  @Test(arguments: ["", " ", "\r\n\t ", "\u{FEFF}", "\u{FEFF} \n"])
  func `nothing but white space is no document`(text: String) {
    #expect(
      Tokenizing.everyCut(text).error == Tokenizing.fault(.empty, at: text.utf8.count))
  }

  @Test func `a text cut at any byte is truncated there`() {
    let text = Array(
      #"""
      {"a":[1.5e+3,-0,{"ключ €😀":"зна\u0447ение\n\ud83d\ude00"}],"b":[true,false,null],"":""}
      """#.utf8)
    #expect(Tokenizing.everyCut(text).error == nil)
    for count in 1..<text.count {
      let outcome = Tokenizing.everyCut(Array(text[..<count]))
      #expect(outcome.error == Tokenizing.fault(.truncated, at: count))
    }
  }

  @Test(arguments: [
    "\"", "\"a", "\"ж", "t", "tru", "n", "-", "1.", "1e", "1e+", "\"\\", "\"\\u", "\"\\u123",
    "\"\\ud83d", "\"\\ud83d\\", "\"\\ud83d\\u", "\"\\ud83d\\ude0",
  ])
  func `a bare value cut short is truncated`(text: String) {
    #expect(
      Tokenizing.everyCut(text).error == Tokenizing.fault(.truncated, at: text.utf8.count))
  }

  // MARK: The start

  @Test func `a byte order mark is passed over`() {
    let outcome = Tokenizing.everyCut("\u{FEFF} [1]")
    #expect(outcome.tokens.map(\.offset) == [4, 5, 6])
    #expect(outcome.error == nil)
    #expect(Tokenizing.everyCut("\u{FEFF}\u{FEFF}1").error == fault(.unexpected(0xEF), at: 3))
    #expect(Tokenizing.everyCut(" \u{FEFF}1").error == fault(.unexpected(0xEF), at: 1))
  }

  @Test func `a byte order mark that is not whole is none`() {
    #expect(Tokenizing.everyCut([0xEF]).error == fault(.truncated, at: 1))
    #expect(Tokenizing.everyCut([0xEF, 0xBB]).error == fault(.truncated, at: 2))
    for bytes: [UInt8] in [
      [0xEF, 0x5B, 0x5D], [0xEF, 0xBB, 0x5B, 0x5D], [0xEF, 0xBB, 0xBE, 0x5B],
      [0xEF, 0xEF, 0xBB, 0xBF],
    ] {
      #expect(Tokenizing.everyCut(bytes).error == fault(.unexpected(0xEF), at: 0))
    }
    #expect(Tokenizing.everyCut([0xBB, 0xBF, 0x5B]).error == fault(.unexpected(0xBB), at: 0))
  }

  @Test func `UTF-16 and UTF-32 are refused`() {
    func bytes(_ text: String, _ isLittle: Bool) -> [UInt8] {
      text.utf16.flatMap {
        isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)]
      }
    }
    for (text, error) in [
      (bytes("\u{FEFF}[1]", true), fault(.unexpected(0xFF), at: 0)),
      (bytes("\u{FEFF}[1]", false), fault(.unexpected(0xFE), at: 0)),
      (bytes("[1]", true), fault(.unexpected(0), at: 1)),
      (bytes("[1]", false), fault(.unexpected(0), at: 0)),
      ([0xFF, 0xFE, 0, 0, 0x5B, 0, 0, 0], fault(.unexpected(0xFF), at: 0)),
      ([0, 0, 0, 0x5B], fault(.unexpected(0), at: 0)),
    ] {
      #expect(Tokenizing.everyCut(text).error == error)
    }
  }

  @Test func `an empty chunk changes nothing, wherever it comes`() throws {
    // Behind the empty chunks' place lie bytes that must not be looked at.
    let memory: [UInt8] = [0xEF, 0xBB, 0xBF]
    for text in ["[\"aж\\u0041\",12,true]", "12", "\u{FEFF}{}"] {
      let bytes = Array(text.utf8)
      for place in 0...bytes.count {
        let box = TokenCollector.Box()
        var tokenizer = Tokenizer(into: TokenCollector(box: box), counters: Counters())
        try tokenizer.write(memory.span.bytes.extracting(0..<0))
        try tokenizer.write(bytes.span.bytes.extracting(0..<place))
        try tokenizer.write(memory.span.bytes.extracting(0..<0))
        try tokenizer.write(RawSpan())
        try tokenizer.write(bytes.span.bytes.extracting(place..<bytes.count))
        try tokenizer.finish()
        #expect(box.tokens == Tokenizing.tokens(bytes).tokens)
        #expect(box.isFinished)
      }
    }
  }

  @Test func `long white space is passed over`() {
    for count in [15, 16, 17, 40, 5000] {
      let space = String(repeating: " \n\t\r", count: count).prefix(count)
      let outcome = Tokenizing.everyCut("\(space)[\(space)1\(space),\(space)2\(space)]\(space)")
      #expect(outcome.texts == [[0x31], [0x32]])
      #expect(outcome.error == nil)
      #expect(
        Tokenizing.everyCut("[\(space)\u{0B}").error
          == fault(.unexpected(0x0B), at: 1 + count))
    }
  }

  @Test func `the envelope's errors are the envelope's`() {
    #expect(throws: PipelineError(.envelope(.json(.trailing(0x5D))), at: 2)) {
      try ChunkCutter.feed(
        Array("[]]".utf8), .whole,
        to: Tokenizer(into: NoTokens(), as: .envelope, counters: Counters()))
    }
  }

  private func fault(_ fault: JSONFault, at offset: Int) -> PipelineError {
    Tokenizing.fault(fault, at: offset)
  }
}
