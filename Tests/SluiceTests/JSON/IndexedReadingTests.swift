import Testing

@testable import Sluice

/// Reading by an index against reading byte by byte.
@Suite(.slow) struct IndexedReadingTests {
  private static let ways = StructuralIndex.Way.allCases.filter { $0 != .none && $0.isKnown }

  /// Makes values of all kinds, some of them long and deep.
  private func append(_ depth: Int, to text: inout [UInt8], _ generator: inout SeededGenerator) {
    let scalars = [
      "0", "-1.5", "12345678901234567890", "1e5", "-0.25E-7", "true", "false", "null", "\"\"",
      "\"a\"", "\"ж€😀\"", #""\n\u0416\ud83d\ude00\"""#, #""\\""#,
      "3.14159265358979323846264338327950288",
      "\"\(String(repeating: "long ", count: 30))\"", "[]", "{}",
    ]
    let spaces = ["", "", "", " ", "\n  ", "\r\n\t"]
    func space() { text += Array(generator.pick(spaces).utf8) }
    let isContainer = depth < 2 || depth < 9 && Int.random(in: 0...2, using: &generator) == 0
    guard isContainer else {
      text += Array(generator.pick(scalars).utf8)
      return
    }
    let isObject = Bool.random(using: &generator)
    text.append(UInt8(ascii: isObject ? "{" : "["))
    for place in 0..<Int.random(in: 0...6, using: &generator) {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      space()
      if isObject {
        text += Array(
          generator.pick(["\"p\"", "\"pass\"", "\"k\"", #""k\u0041""#, "\"ключ\""]).utf8)
        space()
        text.append(UInt8(ascii: ":"))
        space()
      }
      append(depth + 1, to: &text, &generator)
      space()
    }
    text.append(UInt8(ascii: isObject ? "}" : "]"))
  }

  /// A text of some size, with a fault now and then.
  private func text(_ round: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    var text: [UInt8] = [UInt8(ascii: "[")]
    for place in 0..<Int.random(in: 1...8, using: &generator) {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      append(0, to: &text, &generator)
    }
    text.append(UInt8(ascii: "]"))
    guard round % 2 == 1 else { return text }
    let at = Int.random(in: 0..<text.count, using: &generator)
    switch round % 5 {
    case 0: text[at] = UInt8.random(in: 0...255, using: &generator)
    case 1: text.remove(at: at)
    case 2: text.insert(generator.pick(Array("{}[]:,\"\\ 0-.etn\u{1}".utf8)), at: at)
    case 3: text[at] ^= 1 << UInt8.random(in: 0...7, using: &generator)
    default: text.removeSubrange(at...)
    }
    return text
  }

  @Test(arguments: ways)
  func `tokens and errors are those of reading byte by byte`(way: StructuralIndex.Way) {
    var generator = SeededGenerator(seed: 21)
    for round in 0..<3000 {
      let text = text(round, &generator)
      let reply = { (token: Token) -> TokenReply in
        switch token.kind {
        case .key: [.proceed, .pieces, .pass][token.offset % 3]
        case .beginObject, .beginArray: token.offset % 4 == 0 ? .capture : .proceed
        default: .proceed
        }
      }
      let expected = Tokenizing.tokens(text, indexed: .none, reply: reply)
      let cut = ChunkCutter.Cut.split(at: Int.random(in: 0...text.count, using: &generator))
      for cut in [.whole, cut, .pieces(of: 64 + round % 200)] {
        let found = Tokenizing.tokens(text, cut, indexed: way, reply: reply)
        guard found == expected else {
          Issue.record("\(cut): \(String(decoding: text, as: UTF8.self))")
          return
        }
      }
    }
  }

  /// The tokens that are left if the values of these keys are passed.
  private func without(_ tokens: [Token], _ isPassed: (Token) -> Bool) -> [Token] {
    var left: [Token] = []
    var depth = 0
    // The depth of the object whose value is passed; nil if none is.
    var passedAt: Int?
    for token in tokens {
      let ends = token.kind == .endObject || token.kind == .endArray
      let begins = token.kind == .beginObject || token.kind == .beginArray
      if ends { depth -= 1 }
      if passedAt == nil { left.append(token) }
      if begins { depth += 1 }
      if let outside = passedAt, token.kind != .key, depth == outside {
        passedAt = nil
      } else if passedAt == nil, token.kind == .key, isPassed(token) {
        passedAt = depth
      }
    }
    return left
  }

  @Test(arguments: StructuralIndex.Way.allCases.filter(\.isKnown))
  func `a value that nobody asked for gives no tokens, and the same error`(way: StructuralIndex.Way)
  {
    var generator = SeededGenerator(seed: 22)
    let isPassed = { (token: Token) in token.kind == .key && token.text.first == UInt8(ascii: "p") }
    for round in 0..<3000 {
      let text = text(round, &generator)
      let all = Tokenizing.tokens(text, indexed: .none)
      let cuts = [ChunkCutter.Cut.whole, .pieces(of: 1 + round % 90)]
      for cut in cuts {
        let found = Tokenizing.tokens(text, cut, indexed: way) { isPassed($0) ? .pass : .proceed }
        guard found == Tokens(tokens: without(all.tokens, isPassed), error: all.error) else {
          Issue.record("\(cut): \(String(decoding: text, as: UTF8.self))")
          return
        }
      }
    }
  }

  @Test func `a passed value is checked like any other, at every cut`() {
    let filler =
      #""a":[{"b":[1,2,{"c":"x"}]},"a text that fills more than one block of the index"],"#
    for (value, offset) in [
      ("[1,,2]", 3), ("{\"a\" 1}", 5), ("{\"a\":}", 5), ("[tru]", 1), ("[01]", 2), ("[1.]", 3),
      ("\"\\x\"", 2), ("\"\u{1}\"", 1), ("\"\\ud800\"", 1), ("[1}", 2), ("{1:2}", 1), ("[-]", 2),
      ("{\"a\":[1,{\"b\":nul}]}", 13),
    ] {
      let before = "[{\(filler)\"passed\":"
      let json = "\(before)\(value),\(filler)\"k\":1}]"
      let reply = { (token: Token) -> TokenReply in
        token.kind == .key && token.text == Array("passed".utf8) ? .pass : .proceed
      }
      let outcome = Tokenizing.everyCut(json, reply: reply)
      #expect(outcome.error?.offset == before.utf8.count + offset, "\(value)")
      #expect(outcome.error == Tokenizing.tokens(Array(json.utf8)).error, "\(value)")
    }
    let cut = Array("{\(filler)\"passed\":[[".utf8)
    let outcome = Tokenizing.everyCut(cut) { $0.text.first == UInt8(ascii: "p") ? .pass : .proceed }
    #expect(outcome.error == Tokenizing.fault(.truncated, at: cut.count))
  }

  @Test func `what follows a number or a name without a separator is not overlooked`() {
    for wrong in [
      "01", "-01", "0a", "1a", "truex", "nullnull", "1.5.3", "1e5e", "\"a\"b", "0\"a\"",
    ] {
      let before = #"[{"a":"a text that fills the first block of the index, and more","b":"#
      let json = Array("\(before)\(wrong),\"c\":[1,2,3,4,5,6,7,8,9,10,11,12,13]}]".utf8)
      let expected = Tokenizing.tokens(json, indexed: .none)
      #expect(expected.error != nil)
      for way in Self.ways {
        #expect(Tokenizing.tokens(json, indexed: way) == expected, "\(wrong)")
      }
    }
  }

  @Test func `beyond the limit tokens of a passed value come all the same, without their texts`() {
    let json =
      Array(#"{"k":1,"p":[11,{"a":"text"},[true]],"l":"#.utf8) + Array(repeating: 0x20, count: 70)
      + Array("2}".utf8)
    let outcome = ChunkCutter.everyCut(of: json) { cut in
      Tokenizing.tokens(json, cut, passLimit: 15) { $0.text == [0x70] ? .pass : .proceed }
    }
    #expect(outcome.error == nil)
    #expect(
      outcome.tokens.map(\.offset) == [0, 1, 5, 7, 16, 20, 26, 28, 29, 33, 34, 36, 110, 111])
    #expect(outcome.tokens[5].text.isEmpty)
  }
}
