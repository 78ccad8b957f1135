import Testing

@testable import Sluice

@Suite(.slow) struct UTF8Tests {
  /// Fillers of one to four bytes a character, and mixtures.
  static let fillers = ["a", "ж", "€", "😀", "aж", "жa", "aж€😀", "жж€", "😀aa"]

  /// Ill-formed sequences (RFC 3629, section 4; Unicode, table 3-7).
  static let illFormed: [[UInt8]] = [
    // Continuation bytes alone.
    [0x80], [0x8F], [0x90], [0xBF], [0x80, 0x80],
    // Overlong forms.
    [0xC0, 0x80], [0xC1, 0xBF], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
    [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
    // Surrogates.
    [0xED, 0xA0, 0x80], [0xED, 0xAF, 0xBF], [0xED, 0xB0, 0x80], [0xED, 0xBF, 0xBF],
    [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
    // Above U+10FFFF, and what never leads.
    [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE],
    [0xFF],
    // Cut short: an ASCII letter, a quote or a leading byte follows.
    [0xC2, 0x61], [0xD0, 0x61], [0xDF, 0x22], [0xD0, 0xD0, 0xB6], [0xD0, 0xC2], [0xE2, 0x61],
    [0xE2, 0x82, 0x61], [0xE2, 0x82, 0x22], [0xE2, 0x82, 0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x61],
    [0xF0, 0x9F, 0x98, 0x61], [0xF0, 0x9F, 0x98, 0xD0, 0xB6], [0xD0, 0x5C, 0x6E], [0xD0, 0x00],
    // One byte too many.
    [0xD0, 0xB6, 0xB6],
  ]

  /// The text of `count` characters, going round in `filler`.
  static func fill(_ filler: String, _ count: Int) -> [UInt8] {
    let scalars = Array(filler.unicodeScalars)
    return (0..<count).flatMap { Array(String(scalars[$0 % scalars.count]).utf8) }
  }

  @Test(arguments: fillers)
  func `ill-formed bytes are refused where they begin, at every place`(filler: String) {
    let after = Self.fill(filler, 20)
    for bad in Self.illFormed {
      // Of one byte too many, the third is the one that is wrong.
      let start = bad == [0xD0, 0xB6, 0xB6] ? 2 : 0
      for place in 0...40 {
        let before = [0x22] + Self.fill(filler, place)
        let text = before + bad + after + [0x22]
        let expected = Tokenizing.fault(.notUTF8, at: before.count + start)
        for cut in SomeCuts.around(before.count, of: text.count) {
          let error = Tokenizing.verdict(text, cut)
          if error != expected {
            Issue.record("\(bad) at \(place), \(cut): \(String(describing: error))")
          }
        }
      }
    }
  }

  @Test func `ill-formed bytes are refused at every cut`() {
    for bad in Self.illFormed {
      let start = bad == [0xD0, 0xB6, 0xB6] ? 2 : 0
      for place in [0, 13, 14, 15, 16, 30] {
        for json in ["\"", "{\"", "[\"", "[1,\""] {
          let before = Array(json.utf8) + Self.fill("aж", place)
          let text = before + bad + Self.fill("a", 17) + [0x22]
          #expect(
            Tokenizing.everyCut(text).error
              == Tokenizing.fault(.notUTF8, at: before.count + start))
        }
      }
    }
  }

  @Test(arguments: fillers)
  func `a quote ends the string at every place`(filler: String) {
    for place in 0...40 {
      let content = Self.fill(filler, place)
      for after in [0, 3, 14, 15, 16, 40] {
        let text =
          [0x5B, 0x22] + content + Array("\",\"".utf8) + Self.fill(filler, after)
          + Array("\"]".utf8)
        let expected = [content, Self.fill(filler, after)]
        for cut in SomeCuts.around(2 + content.count, of: text.count) {
          let outcome = Tokenizing.tokens(text, cut)
          let texts = outcome.tokens.filter { $0.kind == .string }.map(\.text)
          if texts != expected || outcome.error != nil {
            Issue.record("\(filler) \(place) \(after) \(cut): \(outcome)")
          }
        }
      }
    }
  }

  @Test(arguments: fillers)
  func `a raw control or NUL is refused at every place`(filler: String) {
    for byte: UInt8 in [0x00, 0x01, 0x09, 0x0A, 0x0D, 0x1F] {
      for place in 0...40 {
        let before = [0x22] + Self.fill(filler, place)
        let text = before + [byte] + Self.fill(filler, 20) + [0x22]
        let expected = Tokenizing.fault(.control(byte), at: before.count)
        for cut in SomeCuts.around(before.count, of: text.count) {
          if Tokenizing.verdict(text, cut) != expected {
            Issue.record("\(filler) \(byte) \(place) \(cut)")
          }
        }
      }
    }
  }

  @Test func `the first and the last character of each length pass`() {
    let text =
      "\u{20}\u{7F}\u{80}\u{7FF}\u{800}\u{FFF}\u{1000}\u{CFFF}\u{D000}\u{D7FF}\u{E000}"
      + "\u{FFFD}\u{FFFE}\u{FFFF}\u{10000}\u{3FFFF}\u{40000}\u{FFFFF}\u{100000}\u{10FFFF}"
    for place in 0...40 {
      let content = Self.fill("a", place) + Array(text.utf8) + Self.fill("ж", 20)
      let outcome = Tokenizing.everyCut([0x22] + content + [0x22])
      #expect(outcome.texts == [content])
    }
  }

  @Test func `every two bytes in a string are judged as the Unicode standard does`() {
    for first in UInt8(0x80)...0xFF {
      for second in UInt8(0x80)...0xFF {
        let isGood = 0xC2...0xDF ~= first && 0x80...0xBF ~= second
        for place in [0, 15, 16] {
          let text = [0x22] + Self.fill("a", place) + [first, second, 0x22] + Self.fill(" ", 20)
          if (Tokenizing.verdict(text) == nil) != isGood {
            Issue.record("\(first) \(second) at \(place)")
          }
        }
      }
    }
  }
}
