import Testing

@testable import Sluice

@Suite struct FoldTests {
  private func key(_ text: String) -> [UInt8] { Array(Fold.key(text)) }

  @Test(arguments: [
    ("НЕПОКОРЁННЫХ", "непокоренных"), ("непокорённых", "непокоренных"),
    ("Непокоре\u{308}нных", "непокоренных"), ("НЕПОКОРЕ\u{308}ННЫХ", "непокоренных"),
    ("Й", "\u{439}"), ("и\u{306}", "\u{439}"), ("И\u{306}", "\u{439}"), ("и\u{308}", "и\u{308}"),
    ("е\u{306}", "е\u{306}"), ("a\u{308}", "a\u{308}"), ("Ѐ", "\u{450}"), ("Ў", "\u{45E}"),
    ("І", "\u{456}"), ("ѢѲѴ", "ѣѳѵ"), ("ΑΒΓΣ", "αβγσ"), ("ΟΔΌΣ", "οδόσ"), ("ÄÖÜẞ", "äöüß"),
    ("ÇŞĞ", "çşğ"), ("\u{130}", "i"), ("I", "i"), ("ı", "ı"), ("Ǆǅ", "ǆǆ"), ("Ա", "ա"),
    ("Ꭰ", "\u{AB70}"), ("𐐀", "𐐨"), ("\u{2126}", "\u{3C9}"), ("\u{212A}", "k"),
    ("дом  7\u{A0}А ", "дом 7 а"), ("", ""), ("  ", ""), ("@[`{", "@[`{"), ("ИЙ", "ий"),
  ])
  func `texts that differ in case only fold to the same bytes`(_ text: String, _ folded: String) {
    #expect(key(text) == Array(folded.utf8))
  }

  @Test func `every scalar is lower-cased by the simple mapping`() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let mapped = Array(scalar.properties.lowercaseMapping.unicodeScalars)
      // U+0130 alone has a full mapping that is longer than its simple one, U+0069.
      let expected = value == 0x130 ? 0x69 : mapped[0].value
      if value != 0x130, mapped.count != 1 { Issue.record("U+\(String(value, radix: 16))") }
      if Fold.lowercased(value) != expected { Issue.record("U+\(String(value, radix: 16))") }
    }
  }
}
