import Testing

@testable import Sluice

@Suite struct TerminalTextTests {
  private func shown(_ text: String, pieces size: Int = .max) -> String {
    var terminal = TerminalText()
    var rest = Array(text.utf8)[...]
    var shown: [UInt8] = []
    while !rest.isEmpty {
      let piece = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      shown += terminal.shown(piece.span.bytes)
    }
    return String(decoding: shown + terminal.end(), as: UTF8.self)
  }

  @Test(arguments: [
    ("a,b\n\t1,ё🏠 «—»\n", "a,b\n\t1,ё🏠 «—»\n"), ("\u{FEFF}a;b\r\n", "\u{FEFF}a;b\r\n"),
    ("\u{1B}]0;t\u{7}\u{9B}31m\u{7F}\u{0}", #"\u001b]0;t\u0007\u009b31m\u007f\u0000"#),
    ("a\rb\u{FEFF}", #"a\rb\ufeff"#), ("\r\r\n", "\\r\r\n"), ("\r", #"\r"#),
    ("\u{202E}abc\u{2066}\u{200B}\u{2028}\u{85}", #"\u202eabc\u2066\u200b\u2028\u0085"#),
  ])
  func `what could act on a terminal or hide is shown, however it is cut`(
    _ text: String, _ expected: String
  ) {
    for size in 1...9 {
      #expect(Array(shown(text, pieces: size).utf8) == Array(expected.utf8))
    }
    #expect(Array(shown(text).utf8) == Array(expected.utf8))
  }
}
