import Testing

@testable import Sluice

/// Numbers with a decimal comma, and with signs between thousands.
@Suite struct NumberFormTests {
  /// What a column with these keys reads; its reason and the value where a record is rejected.
  private func read(_ column: String, _ value: String) throws -> String {
    let feed = try OwnFeed.read(OwnFeed.document("x: {from: t, \(column)}"))
    let result = FeedRun(feed: feed).everyCut("{\"d\":[{\"t\":\(value)}]}")
    if let reject = result.rejects.first {
      return "\(reject.reason.rawValue) \(String(decoding: reject.value ?? [], as: UTF8.self))"
    }
    // A line without text is a value that is missing.
    return result.rows.first ?? ""
  }

  @Test(arguments: [
    ("decimal: ','", "1234,56", "1234.56"), ("decimal: ','", "-0,5", "-0.5"),
    ("decimal: ','", "1234", "1234"), ("decimal: ','", " 7,0 ", "7.0"),
    ("decimal: ',', thousands: .", "1.234,56", "1234.56"),
    ("decimal: ',', thousands: .", "-12.345.678", "-12345678"),
    ("decimal: ',', thousands: .", "1234,5", "1234.5"),
    ("decimal: ',', thousands: .", "0,5", "0.5"),
    ("decimal: ',', thousands: ' '", "1\u{A0}234,56", "1234.56"),
    ("decimal: ',', thousands: ' '", "1\u{202F}234\u{202F}567", "1234567"),
    ("decimal: ',', thousands: ' '", "1 234,5", "1234.5"),
    ("thousands: ','", "1,234.56", "1234.56"), (#"thousands: "'""#, "1'234.50", "1234.50"),
    (#"thousands: "'""#, "1’234", "1234"), ("decimal: .", "1.5", "1.5"),
    ("decimal: ','", "1,5e3", "1.5e3"),
  ])
  func `a number is read with the signs that the document tells`(
    _ keys: String, _ text: String, _ wanted: String
  ) throws {
    #expect(try read("kind: decimal, \(keys)", "\"\(text)\"") == wanted)
  }

  @Test(arguments: [
    ("decimal: ','", "1.5"), ("decimal: ','", "1.234,56"), ("decimal: ','", "1,2,3"),
    ("decimal: ','", ",5"), ("decimal: ','", "1,"), ("decimal: ','", "1 234,5"),
    ("decimal: ',', thousands: .", "1.5"), ("decimal: ',', thousands: .", "12.34,5"),
    ("decimal: ',', thousands: .", "1234.567"), ("decimal: ',', thousands: .", ".234"),
    ("decimal: ',', thousands: .", "1..234"), ("decimal: ',', thousands: .", "1,234.567"),
    ("decimal: ',', thousands: .", "1.2345"), ("decimal: ',', thousands: ' '", "1 23"),
    ("thousands: ','", "1,23"), ("thousands: ','", "1.234,5"), ("decimal: ','", "1,5 EUR"),
    ("decimal: ',', thousands: .", "1.234.e5"),
  ])
  func `nothing else is a number, and nothing is guessed`(_ keys: String, _ text: String) throws {
    #expect(try read("kind: decimal, \(keys)", "\"\(text)\"") == "not-a-decimal \(text)")
  }

  @Test func `whole numbers have thousands too, and a rule before may take units off`() throws {
    #expect(try read("kind: integer, thousands: .", #""1.234.567""#) == "1234567")
    #expect(try read("kind: integer, thousands: .", #""1.23""#) == "not-an-integer 1.23")
    let price = "kind: decimal, decimal: ',', cut: {suffix: ' €'}, map: {gratis: 0.00}"
    #expect(try read(price, #""12,50 €""#) == "12.50")
    #expect(try read(price, #""gratis""#) == "0.00")
    #expect(try read(price, "null") == "")
    #expect(try read(price, "12.5") == "not-a-decimal 12.5")
  }
}
