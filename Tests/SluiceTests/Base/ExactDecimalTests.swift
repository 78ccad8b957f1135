import Testing

@testable import Sluice

@Suite struct ExactDecimalTests {
  private func number(_ text: String) throws(ExactDecimal.Fault) -> ExactDecimal {
    var bytes = ByteBuffer(capacity: 64)
    bytes.append(string: text)
    return try ExactDecimal(bytes.contents)
  }

  private func shares(_ texts: [String]) throws -> [Int] {
    let numbers = try texts.map { try number($0) }
    var total = ExactDecimal()
    for number in numbers { try total.add(number) }
    return try numbers.map { try $0.thousandthsOfPercent(of: total) }
  }

  @Test func `shares are percents to three places`() throws {
    #expect(try shares(["1.5", "3", "6", "1.5"]) == [12_500, 25_000, 50_000, 12_500])
    #expect(try shares(["1", "1", "1"]) == [33_333, 33_333, 33_333])
    #expect(try shares(["0", "7"]) == [0, 100_000])
    #expect(try shares(["0.1", "0.2", "0.7"]) == [10_000, 20_000, 70_000])
  }

  @Test func `a half goes to the even neighbour`() throws {
    // 0.0005 %, 0.0015 %, 0.0025 %
    #expect(try shares(["1", "199999"])[0] == 0)
    #expect(try shares(["3", "199997"])[0] == 2)
    #expect(try shares(["5", "199995"])[0] == 2)
    #expect(try shares(["5.0000000000000000000000000001", "199995"])[0] == 3)
  }

  @Test(arguments: [
    ("1.50", "1.5"), ("3e2", "300"), ("25e-1", "2.5"), ("0.0e99", "0"), ("-0", "0"),
    ("1.000e-37", "1e-37"),
    ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999.0e0"),
  ])
  func `the same number may be written otherwise`(one: String, other: String) throws {
    if other.hasSuffix(".0e0") {
      #expect(throws: ExactDecimal.Fault.tooLong) { try number(other) }
      return
    }
    var sum = try number("1")
    try sum.add(try number(one))
    var same = try number("1")
    try same.add(try number(other))
    #expect(try sum.thousandthsOfPercent(of: same) == 100_000)
  }

  @Test(arguments: [
    ("0", "0"), ("12", "12"), ("1.50", "1.5"), ("0.001", "0.001"), ("3e2", "300"),
    ("1e-38", "0.00000000000000000000000000000000000001"),
  ])
  func `it is written with all its digits`(text: String, written: String) throws {
    #expect(try number(text).description == written)
  }

  @Test func `what is more than the total is no part of it`() throws {
    let (one, two) = (try number("1"), try number("2"))
    #expect(throws: ExactDecimal.Fault.notAPart) { try two.thousandthsOfPercent(of: one) }
    #expect(throws: ExactDecimal.Fault.notAPart) {
      try ExactDecimal().thousandthsOfPercent(of: ExactDecimal())
    }
  }

  @Test func `what is no such number is told`() throws {
    for text in ["", "x", "1,5", "NaN", " 1", "1.", "+1"] {
      #expect(throws: ExactDecimal.Fault.notANumber) { try number(text) }
    }
    #expect(throws: ExactDecimal.Fault.negative) { try number("-0.001") }
    for text in ["1e38", "1e-39", "1e99999999999", "123456789012345678901234567890123456789"] {
      #expect(throws: ExactDecimal.Fault.tooLong) { try number(text) }
    }
    var sum = try number("99999999999999999999999999999999999999")
    #expect(throws: ExactDecimal.Fault.tooLong) { try sum.add(try number("1")) }
  }
}
