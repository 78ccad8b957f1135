import Testing

@testable import SluiceText
@testable import sluice_cli

@Suite struct EscapingTests {
  @Test func `plain text stays as it is`() {
    #expect(escaped("Непокорённых, 15 'А' \\") == "Непокорённых, 15 'А' \\")
  }

  @Test func `control characters are shown escaped`() {
    #expect(escaped("a\nb\tc\rd") == "a\\nb\\tc\\rd")
    #expect(escaped("\u{0}\u{1B}[31m\u{7F}\u{9B}") == "\\u0000\\u001b[31m\\u007f\\u009b")
  }

  @Test func `characters that reorder or break lines are shown escaped`() {
    let scalars =
      Array(0x202A...0x202E) + Array(0x2066...0x2069) + [0x200E, 0x200F, 0x2028, 0x2029]
    for value in scalars {
      let text = Unicode.Scalar(value).map { String(Character($0)) } ?? ""
      #expect(escaped(text) == "\\u" + String(value, radix: 16))
    }
  }

  @Test func `characters that cannot be seen are shown escaped`() {
    #expect(escaped("\u{FEFF}status") == "\\ufeffstatus")
    #expect(escaped("a\u{200B}b\u{AD}c\u{E0041}") == "a\\u200bb\\u00adc\\ue0041")
  }

  @Test func `long text is cut`() {
    #expect(escaped("abcd", limit: 4) == "abcd")
    #expect(escaped("abcde", limit: 4) == "abcd…")
    // One character for the eye, a thousand scalars.
    let pile = "e" + String(repeating: "\u{301}", count: 1000)
    #expect(escaped(pile, limit: 10).unicodeScalars.count == 11)
  }
}
