import Testing

@testable import Sluice

@Suite struct EscapeTests {
  private func text(_ json: String, sourceLocation: SourceLocation = #_sourceLocation) -> [UInt8]? {
    let outcome = Tokenizing.everyCut(json, sourceLocation: sourceLocation)
    guard outcome.error == nil, outcome.tokens.count == 1 else { return nil }
    return outcome.tokens[0].text
  }

  private func fault(_ fault: JSONFault, at offset: Int) -> PipelineError {
    Tokenizing.fault(fault, at: offset)
  }

  @Test(arguments: [
    (#""\"""#, "\""), (#""\\""#, "\\"), (#""\/""#, "/"), (#""\b""#, "\u{8}"), (#""\f""#, "\u{C}"),
    (#""\n""#, "\n"), (#""\r""#, "\r"), (#""\t""#, "\t"), (#""\u0041""#, "A"),
    (#""\u0000""#, "\0"), (#""\u001f""#, "\u{1F}"), (#""\u007F""#, "\u{7F}"),
    (#""\u0080""#, "\u{80}"), (#""\u07ff""#, "\u{7FF}"), (#""\u0800""#, "\u{800}"),
    (#""\ud7ff""#, "\u{D7FF}"), (#""\ue000""#, "\u{E000}"), (#""\uFFFF""#, "\u{FFFF}"),
    (#""\uaBcD""#, "\u{ABCD}"), (#""\ud800\udc00""#, "\u{10000}"),
    (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""\ud83d\ude00""#, "😀"),
    (#""a\nb\\c\/d\u0416e\"""#, "a\nb\\c/dЖe\""), (#""\\u0041""#, "\\u0041"),
    (#""\ud83d\ude00\ud83d\ude01""#, "😀😁"), (#""№ \u0434ома""#, "№ дома"), (#""\\\\\\""#, "\\\\\\"),
    ("\"\u{7F}\"", "\u{7F}"), ("\"\u{2028}\u{FEFF}\"", "\u{2028}\u{FEFF}"),
  ])
  func `escapes are decoded`(json: String, expected: String) {
    #expect(text(json) == Array(expected.utf8))
    let key = Tokenizing.everyCut("{\(json):\(json)}")
    #expect(key.texts == [Array(expected.utf8), Array(expected.utf8)])
  }

  @Test func `every four digits are decoded`() {
    for value in 0...0xFFFF where !(0xD800...0xDFFF ~= value) {
      let digits = String(value, radix: 16)
      let json = "\"\\u" + String(repeating: "0", count: 4 - digits.count) + digits + "\""
      let expected = Array(String(UnicodeScalar(UInt16(value))!).utf8)
      if Tokenizing.tokens(Array(json.utf8)).tokens.first?.text != expected {
        Issue.record("\(json)")
      }
    }
  }

  @Test func `every surrogate pair's corners are decoded`() {
    for high in [0xD800, 0xD801, 0xD83D, 0xDBFE, 0xDBFF] {
      for low in [0xDC00, 0xDC01, 0xDE00, 0xDFFE, 0xDFFF] {
        let json = "\"\\u\(String(high, radix: 16))\\u\(String(low, radix: 16))\""
        let value = 0x10000 + ((high - 0xD800) << 10 | (low - 0xDC00))
        #expect(text(json) == Array(String(UnicodeScalar(UInt32(value))!).utf8))
      }
    }
  }

  @Test(arguments: [
    (#""ab\ud800""#, 3), (#""\ud800x""#, 1), (#""\ud800\n""#, 1), (#""\ud800\u0041""#, 1),
    (#""\ud800\ud800""#, 1), (#""\ud800\ud800\udc00""#, 1), (#""\udc00""#, 1),
    (#""\udc00\ud800""#, 1), (#""\udfff\udfff""#, 1), (#""\udbff\\""#, 1), (#""\ud83dж""#, 1),
    (#""x\ud83d\ude00\ude00""#, 14), (#""\ud83d\ude00\ud83d""#, 13), (#""\u0041\udead""#, 7),
    (#"["\uD83D","\uDE00"]"#, 2), (#"{"\udc00":1}"#, 2), (#""\ud83d \ude00""#, 1),
    (#""\ud83d\\ude00""#, 1),
  ])
  func `half a surrogate pair is refused where it begins`(json: String, offset: Int) {
    #expect(Tokenizing.everyCut(json).error == fault(.loneSurrogate, at: offset))
  }

  @Test func `no other escape is known`() {
    let known = Set("\"\\/bfnrtu".utf8)
    for byte in UInt8.min...UInt8.max where !known.contains(byte) {
      let json: [UInt8] = [0x22, 0x61, 0x5C, byte, 0x22]
      #expect(Tokenizing.everyCut(json).error == fault(.escape(byte), at: 3))
    }
  }

  @Test func `four digits are hexadecimal`() {
    let digits = Set("0123456789abcdefABCDEF".utf8)
    for byte in UInt8.min...UInt8.max where !digits.contains(byte) {
      for place in 0..<4 {
        var json = Array(#""\u0041""#.utf8)
        json[3 + place] = byte
        let error = Tokenizing.tokens(json, .pieces(of: 1 + place)).error
        if error != fault(.escape(byte), at: 3 + place) || error != Tokenizing.verdict(json) {
          Issue.record("\(byte) at \(place): \(String(describing: error))")
        }
      }
    }
    #expect(Tokenizing.everyCut(#""\u+041""#).error == fault(.escape(0x2B), at: 3))
    #expect(Tokenizing.everyCut(#""\ud83d\ude0g""#).error == fault(.escape(0x67), at: 12))
    #expect(Tokenizing.everyCut(#""\U0041""#).error == fault(.escape(0x55), at: 2))
  }

  @Test func `raw controls are refused`() {
    for byte in UInt8(0)..<0x20 {
      for (before, after) in [("", ""), ("a", "b"), ("жжжжжжжжж", "жжжжжжжжж"), ("\\n", "")] {
        let json = [0x22] + Array(before.utf8) + [byte] + Array(after.utf8) + [0x22]
        let error = fault(.control(byte), at: 1 + before.utf8.count)
        #expect(Tokenizing.everyCut(json).error == error)
      }
      let key = Array("{\"a".utf8) + [byte] + Array("\":1}".utf8)
      #expect(Tokenizing.verdict(key) == fault(.control(byte), at: 3))
    }
  }

  @Test func `an escape stands at every place of a long string`() {
    for filler in ["a", "ж", "€", "😀", "aж", "ж€a", "😀a€ж"] {
      for escape in [#"\n"#, #"\""#, #"\u0416"#, #"\ud83d\ude00"#] {
        for place in 0...40 {
          let around = Array(String(repeating: filler, count: 40).unicodeScalars)
          let before = String(String.UnicodeScalarView(around[..<place]))
          let after = String(String.UnicodeScalarView(around[place..<40]))
          let json = "\"\(before)\(escape)\(after)\""
          let decoded = [
            #"\n"#: "\n", #"\""#: "\"", #"\u0416"#: "Ж", #"\ud83d\ude00"#: "😀",
          ][escape, default: ""]
          let expected = Array((before + decoded + after).utf8)
          for cut in SomeCuts.around(1 + before.utf8.count, of: json.utf8.count) {
            let outcome = Tokenizing.tokens(Array(json.utf8), cut)
            if outcome.error != nil || outcome.tokens.first?.text != expected {
              Issue.record("\(json) \(cut): \(outcome)")
            }
          }
        }
      }
    }
  }
}
