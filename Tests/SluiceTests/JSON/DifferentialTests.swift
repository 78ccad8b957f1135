import Testing

@testable import Sluice

/// The tokenizer against a plain recursive reader, on texts with random faults.
@Suite struct DifferentialTests {
  private static let texts: [String] = [
    #"{"a":[1,-2.50e+10,0],"b":{"":null},"c":"x\ny"}"#,
    #"[true,false,null,"",[],{}]"#,
    #"["Непокорённых","€ 1.000","😀😀","\ud83d\ude00\u0416\/"]"#,
    #" [ { "№ дома" : "178-180/1" , "корпус" : null } , { "№ дома" : 65 } ] "#,
    "\u{FEFF}[0.1,1e400,123456789012345678901234567890]\n",
    #"{"status":"result","responseData":{"classifiers":[{"classifierId":4,"file":"UE\u002b\/"}]}}"#,
    #""a long string of letters, then буквы, then € and 😀, and some more letters""#,
    "-0.0E-1", "123",
  ]

  /// What mutations put in: what grammar, strings, numbers and UTF-8 are made of.
  private static let spice: [[UInt8]] = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\\"", "\\u", "\\ud83d", "\\ude00", "\\n", "/", " ",
    "\n", "\t", "0", "1", "9", "-", "+", ".", "e", "E", "t", "true", "null", "false", "a", "u",
    "D", "ж", "€", "😀", "\u{0}", "\u{1F}", "\u{7F}", "\u{B}", "\u{FEFF}", "[]", "{}", "\"\":",
    ",1", "00",
  ].map { Array($0.utf8) }

  private func mutated(_ generator: inout SeededGenerator) -> [UInt8] {
    var text = Array(generator.pick(Self.texts).utf8)
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let place = Int.random(in: 0...text.count, using: &generator)
      let end = Int.random(in: place...min(place + 6, text.count), using: &generator)
      switch Int.random(in: 0...6, using: &generator) {
      case 0 where place < text.count:
        text[place] = UInt8.random(in: 0...255, using: &generator)
      case 1 where place < text.count:
        text[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 2: text.removeSubrange(place..<end)
      case 3: text.insert(contentsOf: text[place..<end], at: place)
      case 4: text.removeSubrange(place...)
      default:
        let isReplacing = Bool.random(using: &generator)
        text.replaceSubrange(
          place..<(isReplacing ? end : place), with: generator.pick(Self.spice))
      }
    }
    return text
  }

  @Test(arguments: [1, 2, 3, 4])
  func `the tokenizer judges as a plain reader does`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var valid = 0
    for round in 0..<5000 {
      let text = mutated(&generator)
      let isValid = ReferenceJSON.isValid(text)
      if isValid { valid += 1 }
      let whole = Tokenizing.verdict(text)
      if (whole == nil) != isValid {
        Issue.record(
          "\(String(decoding: text, as: UTF8.self)) \(text): \(String(describing: whole))")
      }
      let length = 1 + round % 31
      let split = Int.random(in: 0...text.count, using: &generator)
      for cut in [ChunkCutter.Cut.pieces(of: length), .split(at: split)] {
        let error = Tokenizing.verdict(text, cut)
        if error != whole {
          Issue.record("\(text) \(cut): \(String(describing: error)) \(String(describing: whole))")
        }
      }
    }
    // Both verdicts are met often.
    #expect(500...4500 ~= valid)
  }

  @Test func `the plain reader is right about texts it was not made for`() {
    for text in Self.texts { #expect(ReferenceJSON.isValid(Array(text.utf8))) }
    for text in ["", "[1,]", "01", "1.", "\"\\x\"", "\"\\ud800\"", "nul", "[]]", "\"\u{1}\""] {
      #expect(!ReferenceJSON.isValid(Array(text.utf8)))
    }
    #expect(!ReferenceJSON.isValid([0x22, 0xED, 0xA0, 0x80, 0x22]))
    #expect(!ReferenceJSON.isValid([0x22, 0xC0, 0x80, 0x22]))
  }
}
