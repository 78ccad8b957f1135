import Testing

@testable import Sluice

@Suite struct SignedDecimalTests {
  private func read(_ text: String) throws -> SignedDecimal {
    try Array(text.utf8).withUnsafeBytes { bytes throws(ExactDecimal.Fault) in
      try SignedDecimal(bytes)
    }
  }

  private func show(_ number: SignedDecimal) -> String {
    var text: [UInt8] = []
    number.append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("-0.00", "0"), ("-3.17", "-3.17"), ("1.50", "1.5"), ("3e2", "300"),
    ("-25e-1", "-2.5"), ("-0.05", "-0.05"), ("12345678901234567890.5", "12345678901234567890.5"),
  ])
  func `a number reads as it is, zeros that do not count left out`(
    _ text: String, _ shown: String
  ) throws {
    #expect(try show(read(text)) == shown)
  }

  @Test func `numbers are in order`() throws {
    let wide = "1" + String(repeating: "0", count: 36)
    let texts = ["-\(wide)", "-10", "-9.5", "-0.01", "0", "1e-37", "0.5", "2.40", "10", wide]
    let numbers = try texts.map(read)
    for a in numbers.indices {
      for b in numbers.indices {
        #expect(numbers[a].isLess(than: numbers[b]) == (a < b), "\(texts[a]) \(texts[b])")
      }
    }
    #expect(try !read("-1.0").isLess(than: read("-1")))
  }

  @Test(arguments: [
    (["1.02", "0.38"], "1.4"), (["-1.5", "0.25", "1.25"], "0"), (["0.1", "0.2"], "0.3"),
    (["-3", "-0.001"], "-3.001"), (["5e-38"], "0." + String(repeating: "0", count: 37) + "5"),
  ])
  func `a sum is exact`(_ texts: [String], _ shown: String) throws {
    var sum = SignedDecimal()
    for text in texts { try sum.add(read(text)) }
    #expect(show(sum) == shown)
  }

  @Test func `what has too many digits is refused`() throws {
    #expect(throws: ExactDecimal.Fault.tooLong) { try read("1e400") }
    var sum = try read("1e37")
    #expect(throws: ExactDecimal.Fault.tooLong) { try sum.add(read("0.01")) }
    var most = try read(String(repeating: "9", count: 38))
    #expect(throws: ExactDecimal.Fault.tooLong) { try most.add(read("1")) }
  }

  @Test(arguments: [
    ("2.5", 0, "2"), ("3.5", 0, "4"), ("-2.5", 0, "-2"), ("-3.5", 0, "-4"), ("-0.4", 0, "0"),
    ("-0.5", 0, "0"), ("-0.51", 0, "-1"), ("2.45", 1, "2.4"), ("2.4501", 1, "2.5"), ("7", 2, "7"),
    ("9.96", 1, "10"), ("0.04", 1, "0"),
  ])
  func `halves are rounded to even, and nothing is added`(
    _ text: String, _ places: Int, _ shown: String
  ) throws {
    #expect(try show(read(text).rounded(to: places)) == shown)
  }
}
