import Testing

@testable import Sluice

/// What is kept of the texts that came last.
@Suite struct KeptByTextTests {
  @Test func `what is kept is that of the same text`() {
    var generator = SeededGenerator(seed: 1)
    var kept = KeptByText<Bool>()
    var verdicts: [String: Bool] = [:]
    var found = 0
    for _ in 0..<20_000 {
      let length = generator.pick([0, 1, 2, 7, 8, 9, 30, 63, 64, 65, 90])
      // Many begin and end alike.
      let middle = String(
        (0..<3).map { _ in generator.pick(["a", "b", "é"]) }.joined().prefix(length))
      let text = String("01234567\(middle)".padding(to: length).suffix(length))
      Array(text.utf8).withUnsafeBytes { bytes in
        if let verdict = kept.find(bytes) {
          #expect(verdict == verdicts[text], "\(text)")
          found += 1
        }
        let verdict = Bool.random(using: &generator)
        verdicts[text] = verdict
        kept.keep(verdict, of: bytes)
      }
    }
    #expect(found > 1000)
  }
}

extension String {
  /// The text with bytes after it, up to this length.
  fileprivate func padding(to length: Int) -> String {
    self + String(repeating: "x", count: max(0, length - utf8.count))
  }
}
