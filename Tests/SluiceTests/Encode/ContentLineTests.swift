import Testing

@testable import Sluice

/// Content lines: escaping, folding, and that unfolding gives the line back.
@Suite(.slow) struct ContentLineTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The bytes of one property with this TEXT value.
  private func write(_ text: [UInt8]) throws(PipelineError) -> [UInt8] {
    let box = Collector.Box()
    try write(text, into: Collector(box: box))
    return box.bytes
  }

  /// Writes one property and tells how large the buffer has become.
  @discardableResult
  private func write<Output: ByteStage & ~Copyable>(
    _ text: [UInt8], into output: consuming Output
  ) throws(PipelineError) -> Int {
    var line = ContentLine(into: output)
    line.append("SUMMARY:")
    try text.span.bytes.withUnsafeBytes { (bytes) throws(PipelineError) in
      try line.appendText(bytes)
    }
    let capacity = line.out.bytes.capacity
    try line.end()
    try line.finish()
    return capacity
  }

  /// What a TEXT value must be, worked out scalar by scalar.
  private func escaped(_ text: String) -> [UInt8] {
    var out = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": out.append(contentsOf: ["\\", scalar])
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": out.append(contentsOf: ["\\", "n"])
      case "\t": out.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
      default: out.append(scalar)
      }
      previous = scalar
    }
    return Array(String(out).utf8)
  }

  /// Checks a folded property by every rule at once.
  private func check(_ text: String) throws {
    let written = try write(bytes(text))
    let lines = Unfolding.physicalLines(written)
    var whole: [UInt8] = []
    for (index, line) in lines.enumerated() {
      if line.count > 75 || String(validating: line, as: UTF8.self) == nil {
        Issue.record("line \(index) of \(text.debugDescription): \(line.count) octets")
      }
      if index > 0, line.first != 0x20 { Issue.record("line \(index) is no continuation") }
      // An escape that a fold cuts leaves an odd run of backslashes at the end.
      if line.reversed().prefix(while: { $0 == UInt8(ascii: "\\") }).count % 2 == 1 {
        Issue.record("an escape is cut in \(text.debugDescription)")
      }
      if line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
        Issue.record("a control is left in \(text.debugDescription)")
      }
      whole += index > 0 ? line.dropFirst() : line[...]
    }
    #expect(written.suffix(2) == [0x0D, 0x0A])
    #expect(whole == bytes("SUMMARY:") + escaped(text))
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), (#"a\b"#, #"a\\b"#), ("a;b,c", #"a\;b\,c"#), ("a\nb", #"a\nb"#),
    ("a\r\nb", #"a\nb"#),
    ("a\rb", #"a\nb"#), ("\n\r", #"\n\n"#), ("\r\r\n\n", #"\n\n\n"#), ("a\tb", "a\tb"),
    ("\u{0}a\u{1B}[1m\u{7F}", "a[1m"),
    ("\u{B}\u{C}", ""), ("a:b\"c", "a:b\"c"), ("\u{85}", #"\n"#),
    ("a\u{2028}b\u{2029}", #"a\nb\n"#), ("«\u{A0}—\u{2027}\u{202A}»", "«\u{A0}—\u{2027}\u{202A}»"),
    ("\r\nEND:VEVENT\r\n", #"\nEND:VEVENT\n"#),
    (#"\n"#, #"\\n"#), ("\n", #"\n"#), ("\u{0}\n", #"\n"#), ("\r\u{0}\n", #"\n\n"#),
  ])
  func `texts are escaped`(_ text: String, _ expected: String) throws {
    #expect(try write(bytes(text)) == bytes("SUMMARY:\(expected)\r\n"))
    try check(text)
  }

  @Test func `lines are folded at 75 octets, filled as far as they can be`() throws {
    #expect(
      Unfolding.physicalLines(try write(bytes(String(repeating: "a", count: 67)))).map(\.count) == [
        75
      ])
    #expect(
      Unfolding.physicalLines(try write(bytes(String(repeating: "a", count: 68)))).map(\.count) == [
        75, 2,
      ])
    #expect(
      Unfolding.physicalLines(try write(bytes(String(repeating: "a", count: 67 + 74)))).map(\.count)
        == [75, 75])
    #expect(
      Unfolding.physicalLines(try write(bytes(String(repeating: "a", count: 67 + 75)))).map(\.count)
        == [75, 75, 2])
    #expect(
      Unfolding.physicalLines(try write(bytes(String(repeating: "я", count: 40)))).map(\.count) == [
        74, 15,
      ])
    #expect(
      Unfolding.physicalLines(try write(bytes(String(repeating: "a", count: 66) + ",b"))).map(
        \.count) == [74, 4])
  }

  @Test(arguments: ["a", "я", "‱", "🏠", ",", "\\", "\n", "\t", "\r\n", "\u{1}"])
  func `folds fall between characters and escapes, wherever they come`(_ unit: String) throws {
    for lead in 0...80 {
      try check(String(repeating: "x", count: lead) + String(repeating: unit, count: 120))
      try check(String(repeating: "x", count: lead) + unit + "y")
    }
  }

  @Test(arguments: ["a", "я", "‱", "🏠", #"\,"#, #"\\"#, #"\;"#, #"\n"#])
  func `a line put into the buffer whole is folded where one written unit by unit is`(
    _ unit: String
  ) throws {
    for lead in 0...160 {
      for count in [0, 1, 2, 80] {
        let units =
          Array(repeating: bytes("x"), count: lead) + Array(repeating: bytes(unit), count: count)
        let box = Collector.Box()
        var line = ContentLine(into: Collector(box: box))
        line.appendLines("BEGIN:VEVENT\r\n")
        let start = line.out.bytes.count
        line.out.bytes.append(Array(units.joined()).span.bytes)
        try line.end(from: start)
        try line.finish()
        #expect(box.bytes == bytes("BEGIN:VEVENT\r\n") + Folding.line(units))
      }
    }
  }

  @Test func `any text comes back when it is unfolded`() throws {
    var generator = SystemRandomNumberGenerator()
    let units: [String] = [
      "a", "b ", "я", "‱", "🏠", ",", ";", "\\", "\n", "\r", "\t", "\u{0}", "e\u{301}",
    ]
    for _ in 0..<2000 {
      let length = Int.random(in: 0...150, using: &generator)
      let text = (0..<length).map { _ in units.randomElement(using: &generator)! }.joined()
      try check(text)
    }
  }

  @Test(arguments: [16_384, 16_385, 40_000, 200_000])
  func `long texts`(_ length: Int) throws {
    for unit in ["a", "я", "🏠", "aя‱🏠,\\\n"] {
      try check(String(repeating: unit, count: length / unit.utf8.count))
      try check("x" + String(repeating: unit, count: length / unit.utf8.count))
    }
  }

  @Test(arguments: ["a", "я", ",", "\n"])
  func `a text of many MiB does not make the buffer grow`(_ unit: String) throws {
    let text = bytes(String(repeating: unit, count: (3 << 20) / unit.utf8.count))
    let box = PieceCounter.Box()
    let capacity = try write(text, into: PieceCounter(box: box))
    #expect(box.count >= text.count)
    #expect(box.longest <= 128 << 10)
    #expect(capacity <= 256 << 10)
  }
}
