import Foundation
import Testing

@testable import Sluice

@Suite struct NDJSONEncoderTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func value(_ text: String, _ kind: FieldKind = .text) throws -> String {
    let line = try Encoding.ndjson([[bytes(text)]], Encoding.feed(["a"], rules: [kind]))
    return String(
      String.UnicodeScalarView(
        String(decoding: line, as: UTF8.self).unicodeScalars.dropFirst(5).dropLast(2)))
  }

  @Test(arguments: [
    ("", "null"), ("a", "\"a\""), ("\"", #""\"""#), ("\\", #""\\""#), ("/", "\"/\""),
    ("\u{8}", #""\b""#),
    ("\u{C}", #""\f""#), ("\n", #""\n""#), ("\r", #""\r""#), ("\t", #""\t""#),
    ("\u{0}", #""\u0000""#),
    ("\u{1F}", #""\u001f""#), ("\u{B}", #""\u000b""#), ("\u{1B}", #""\u001b""#),
    ("\u{7F}", "\"\u{7F}\""),
    ("ё🏠", "\"ё🏠\""),
    ("0123456789abcdef\n", #""0123456789abcdef\n""#),
    ("01234567890123456789\"яя\"", #""01234567890123456789\"яя\"""#), ("null", "\"null\""),
    ("1", "\"1\""),
  ])
  func `texts are strings, escaped only where they must be`(_ text: String, _ expected: String)
    throws
  {
    #expect(bytes(try value(text)) == bytes(expected))
  }

  @Test(arguments: [
    ("\u{85}", #""\u0085""#), ("a\u{2028}b", #""a\u2028b""#), ("\u{2029}", #""\u2029""#),
    ("«\u{A0}—…\u{2027}\u{202A}», №", "\"«\u{A0}—…\u{2027}\u{202A}», №\""),
    ("0123456789abcde\u{2028}\n", #""0123456789abcde\u2028\n""#), ("Ââ", "\"Ââ\""),
  ])
  func `what ends a line to some programs is escaped in a text that keeps its lines`(
    _ text: String, _ expected: String
  ) throws {
    #expect(bytes(try value(text, .verbatim)) == bytes(expected))
    let long = String(repeating: "я", count: 20_000)
    #expect(
      bytes(try value(long + text, .verbatim)) == bytes("\"" + long + expected.dropFirst(1)))
  }

  @Test(arguments: [16_383, 16_384, 16_385, 40_000], [FieldKind.text, .verbatim])
  func `a long text has its escapes`(_ length: Int, _ kind: FieldKind) throws {
    let plain = String(repeating: "x", count: length)
    let line = try value("\(plain)\"\(plain)\\\\\(plain)—", kind)
    #expect(bytes(line) == bytes(#""\#(plain)\"\#(plain)\\\\\#(plain)—""#))
  }

  @Test(arguments: ["0", "-0.10", "1e400", "1E+05", "123456789012345678901234567890", "0.1000"])
  func `a decimal is a bare number, digit for digit`(_ text: String) throws {
    #expect(try value(text, .decimal) == text)
  }

  @Test func `a missing decimal is null`() throws {
    #expect(try value("", .decimal) == "null")
  }

  @Test func `every control and every length is valid JSON`() throws {
    let feed = Encoding.feed(["a\"\n", "б"])
    for length in 0...40 {
      for control in UInt8(0)..<0x20 {
        let text = Array(repeating: UInt8(ascii: "x"), count: length) + [control] + bytes("я")
        let line = try Encoding.ndjson([[text, [control]]], feed)
        #expect(line.last == 0x0A)
        #expect(line.count { $0 < 0x20 } == 1)
        let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: String]
        let expected = [
          "a\"\n": String(decoding: text, as: UTF8.self),
          "б": String(decoding: [control], as: UTF8.self),
        ]
        // Compared by scalars: CR LF is one character to a String.
        #expect(object?.mapValues { Array($0.utf8) } == expected.mapValues { Array($0.utf8) })
      }
    }
  }

  @Test(arguments: [16_383, 16_384, 16_385, 70_000, 3 << 20])
  func `long texts stay whole, and the buffer small`(_ length: Int) throws {
    let text = Array(repeatElement(bytes("ab\"я\u{1}"), count: length / 6 + 1).joined()).prefix(
      length)
    let feed = Encoding.feed(["a"])
    let line = try Encoding.ndjson([[Array(text)]], feed)
    var expected = ByteBuffer(capacity: 16)
    text.withUnsafeBytes { JSONText.appendString($0, to: &expected) }
    #expect(line.dropFirst(5).dropLast(2).elementsEqual(expected.contents))
    let box = PieceCounter.Box()
    try Encoding.write([[Array(text)]], to: NDJSONEncoder(feed, into: PieceCounter(box: box)))
    #expect(box.count == line.count)
    #expect(box.longest <= 128 << 10)
  }
}
