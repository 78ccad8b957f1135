import Testing

@testable import Sluice

@Suite struct WhiteSpaceTests {
  private func collapsed(_ text: String) -> [UInt8] {
    var buffer = ByteBuffer(capacity: 16)
    buffer.append("<")
    var text = text
    text.withUTF8 { WhiteSpace.appendCollapsed(UnsafeRawBufferPointer($0), to: &buffer) }
    buffer.append(">")
    return Array(buffer.contents)
  }

  @Test func `the property White_Space is known for every scalar`() throws {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let bytes = Array(String(scalar).utf8)
      let length = bytes.withUnsafeBytes { WhiteSpace.length(in: $0, at: 0) }
      let expected = scalar.properties.isWhitespace ? bytes.count : 0
      if length != expected { Issue.record("U+\(String(value, radix: 16)): \(length)") }
    }
  }

  @Test func `every white space character is trimmed and made one space`() {
    for value in UInt32(0)...0x3000 {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isWhitespace else { continue }
      #expect(
        collapsed("\(scalar)а\(scalar)\(scalar)б \(scalar)в\(scalar)") == Array("<а б в>".utf8))
      #expect(collapsed("\(scalar)") == Array("<>".utf8))
    }
  }

  @Test func `a text of any length comes out as its words`() {
    var generator = SeededGenerator(seed: 11)
    let pieces = [
      "a", "улица", "«", "é", "ஃ", "漢", "🏠", "\u{200B}", "\u{1}", " ", " ", " ", "  ", "\n", "\t ",
      "\u{A0}", "\u{2003}", "\u{3000} ",
    ]
    for _ in 0..<3000 {
      let count = Int.random(in: 0..<40, using: &generator)
      let text = (0..<count).map { _ in generator.pick(pieces) }.joined()
      let words = text.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }
      #expect(collapsed(text) == Array("<\(words.joined(separator: " "))>".utf8))
    }
  }

  @Test(arguments: [
    ("", ""), (" ", ""), ("   ", ""), ("а", "а"), ("а б", "а б"), (" а", "а"), ("а ", "а"),
    ("а  б", "а б"), ("\u{A0}12\u{A0}/\u{A0}3\u{A0}", "12 / 3"), ("«а»\u{2003}б", "«а» б"),
    ("\u{200B}а\u{FEFF}", "\u{200B}а\u{FEFF}"), ("\u{180E}", "\u{180E}"), ("а\u{0}б", "а\u{0}б"),
    ("\u{1}", "\u{1}"), ("\u{1C} \u{1F}", "\u{1C} \u{1F}"), ("№ 7\n", "№ 7"),
    ("слово🏠 \u{2028} дом", "слово🏠 дом"), ("ஃ", "ஃ"),
  ])
  func `other characters stay as they are`(_ text: String, _ expected: String) {
    #expect(collapsed(text) == Array("<\(expected)>".utf8))
  }
}
