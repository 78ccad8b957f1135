import Testing

@testable import Sluice

/// Formats of numbers and signs, which are read without the reader of all formats.
@Suite struct DigitFormatTests {
  private static let formats = [
    "dd.MM.yyyy", "d.M.y", "dd/MM/yy", "yyyyMMdd", "yyyy-MM-dd HH:mm:ss", "d. M. yyyy, H:mm",
    "'am 'd.M.yyyy", "MM/dd/yyyy H:m:s",
  ]

  private func rule(_ format: String) throws -> TimeRule {
    var rule = TimeRule()
    rule.source = .formats([try TimeFormat(format, for: .dayOfInstant)])
    rule.firstYear = 1970
    return rule
  }

  /// What the reader of all formats finds in a text.
  private func read(_ text: String, _ rule: TimeRule) -> WrittenInstant? {
    guard case .formats(let formats) = rule.source else { return nil }
    return Array(text.utf8).withUnsafeBytes { text in
      try? FormatReader.read(text, formats, rule).get()
    }
  }

  private func describe(_ written: WrittenInstant) -> String {
    "\(written.day) \(written.time) \(written.isLeapSecond) \(written.hasTime) "
      + "\(String(describing: written.offset)) \(written.fraction)"
  }

  @Test(arguments: formats)
  func `what is read is what the reader of all formats reads`(format: String) throws {
    let rule = try rule(format)
    let digits = DigitFormat(rule)
    try #require(!digits.isNone)
    var generator = SeededGenerator(seed: 3)
    var found = 0
    for _ in 0..<4000 {
      var text = ""
      var letters = Substring(format.replacing("'am '", with: "@"))
      while let letter = letters.first {
        let count = letters.prefix { $0 == letter }.count
        letters = letters.dropFirst(count)
        let most = letter == "y" ? 2030 : letter == "M" ? 13 : letter == "d" ? 31 : 61
        let number = Int.random(in: 0...most, using: &generator)
        let usual = Int.random(in: 0...9, using: &generator) > 0
        switch letter {
        case "@": text += "am "
        case "y", "M", "d", "H", "m", "s":
          let width = usual ? count : count + Int.random(in: 0...2, using: &generator) - 1
          let all = String(number % (count == 2 ? 100 : 10_000))
          text += String(repeating: "0", count: max(0, width - all.count)) + all
        default: text += usual ? String(letter) : generator.pick(["", "  ", ".", " "])
        }
      }
      let quick = Array(text.utf8).withUnsafeBytes { digits.read($0) }
      guard let quick else { continue }
      found += 1
      let slow = try #require(read(text, rule), "\(text)")
      #expect(describe(quick) == describe(slow), "\(text)")
    }
    #expect(found > 100, "\(format)")
  }

  @Test(arguments: [
    ("dd.MM.yyyy", "05.01.2026", "2026-01-05 0"), ("d/M/y", "5/1/2026", "2026-01-05 0"),
    ("dd.MM.yy", "05.01.26", "2026-01-05 0"), ("yyyyMMdd", "20260105", "2026-01-05 0"),
    ("dd.MM.yyyy HH:mm", "05.01.2026 09:30", "2026-01-05 34200"),
  ])
  func `the usual texts`(format: String, text: String, expected: String) throws {
    let digits = DigitFormat(try rule(format))
    let written = Array(text.utf8).withUnsafeBytes { digits.read($0) }
    #expect(written.map { "\($0.day) \($0.time)" } == expected)
  }

  @Test(arguments: [
    "yMMdd", "dd MMM yyyy", "d.M.yyyy Hmm", "d.M.yyyy h:mm a", "EEE d.M.y",
    "yyyy-MM-dd'T'HH:mm:ssX",
  ])
  func `formats of words, offsets and numbers of open widths are none`(format: String) throws {
    #expect(DigitFormat(try rule(format)).isNone)
  }

  @Test func `a rule without formats is none`() {
    #expect(DigitFormat(nil).isNone)
    #expect(DigitFormat(TimeRule()).isNone)
  }
}
