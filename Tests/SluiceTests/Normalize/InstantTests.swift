import Testing

@testable import Sluice

@Suite struct InstantTests {
  private func read(_ text: String) -> String {
    var buffer = ByteBuffer(capacity: 64)
    var text = text
    let result = text.withUTF8 {
      InstantParser.parse(UnsafeRawBufferPointer($0), into: &buffer)
    }
    switch result {
    case .failure(let reason): return reason.rawValue
    case .success(let day): return "\(String(decoding: buffer.contents, as: UTF8.self)) \(day)"
    }
  }

  @Test(arguments: [
    ("2018-09-01T13:00:00+0300", "2018-09-01T13:00:00+03:00 2018-09-01"),
    ("2018-09-01T13:00:00+03:00", "2018-09-01T13:00:00+03:00 2018-09-01"),
    ("2018-09-01T13:00:00Z", "2018-09-01T13:00:00Z 2018-09-01"),
    ("2018-09-01t13:00:00z", "2018-09-01T13:00:00Z 2018-09-01"),
    ("2018-09-01 13:00:00-0330", "2018-09-01T13:00:00-03:30 2018-09-01"),
    ("2018-09-01T13:00:00+03", "2018-09-01T13:00:00+03:00 2018-09-01"),
    ("2018-09-01T13:00+0300", "2018-09-01T13:00:00+03:00 2018-09-01"),
    ("2018-09-01T13:00:00.123456+0300", "2018-09-01T13:00:00.123456+03:00 2018-09-01"),
    ("2018-09-01T13:00:00,5Z", "2018-09-01T13:00:00.5Z 2018-09-01"),
    ("2016-12-31T23:59:60Z", "2016-12-31T23:59:60Z 2016-12-31"),
    ("2018-09-01T00:30:00+1400", "2018-09-01T00:30:00+14:00 2018-09-01"),
    ("2018-08-31T23:59:59-2359", "2018-08-31T23:59:59-23:59 2018-08-31"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z 0001-01-01"),
    ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z 9999-12-31"),
    ("2020-02-29T00:00:00-0000", "2020-02-29T00:00:00-00:00 2020-02-29"),
  ])
  func `instants become RFC 3339, with the day written in them`(_ text: String, _ expected: String)
  {
    #expect(read(text) == expected)
  }

  @Test(arguments: [
    "", "2018-09-01", "2018-09-01T13:00:00", "2018-09-01T13:00:00 +0300", "2018-09-01T24:00:00Z",
    "2018-09-01T13:60:00Z", "2018-09-01T13:00:61Z", "2018-09-01T13:00:00+2400",
    "2018-09-01T13:00:00+0360", "2018-09-01T13:00:00+03:", "2018-09-01T13:00:00+3",
    "2018-09-01T13:00:00.Z", "2018-09-01T13:00:00Z0", "2018-9-1T13:00:00Z", "1535796000",
    "2018-09-01T1:00:00Z", "2018-09-01T13Z", "2018-09-01T13:00:00+030", "2018-09-01T13:00:00+03000",
    "18-09-01T13:00:00Z", "вчера", "2018-09-01T13:00:00\u{2212}0300", "12018-09-01T13:00:00Z",
    "2018-09-01T13:00:00+03:0", "-018-09-01T13:00:00Z",
  ])
  func `what is no instant`(_ text: String) {
    #expect(read(text) == "not-an-instant")
  }

  /// A text with a space is read character by character, one with a `T` at fixed places.
  @Test func `the usual form is read as all others are`() {
    var generator = SeededGenerator(seed: 19)
    let dates = [
      "2018-09-01", "2020-02-29", "2019-02-29", "1900-02-29", "2000-02-29", "2018-13-01",
      "0000-01-01",
    ]
    let times = [
      "13:00:00", "00:00:00", "23:59:59", "23:59:60", "24:00:00", "13:60:00", "1:00:00", "13:00",
    ]
    let fractions = ["", "", ".5", ".50", ".123456789", ".", ",5", ".5a", "0"]
    let offsets = [
      "Z", "Z", "z", "", "+03:00", "-09:30", "+00:00", "-00:00", "+23:59", "+24:00", "+03:60",
      "+0300", "+03", "Z0",
      "+03:0", "03:00", "\u{2212}03:00",
    ]
    var found = 0
    for _ in 0..<4000 {
      let (date, time) = (generator.pick(dates), generator.pick(times))
      let rest = time + generator.pick(fractions) + generator.pick(offsets)
      #expect(read("\(date)T\(rest)") == read("\(date) \(rest)"))
      if read("\(date)T\(rest)").hasPrefix(date) { found += 1 }
    }
    #expect(found > 300)
  }

  @Test(arguments: ["2018-02-30T13:00:00Z", "2018-13-01T13:00:00Z", "0000-01-01T00:00:00Z"])
  func `no such day in an instant`(_ text: String) {
    #expect(read(text) == "no-such-day")
  }

  @Test(arguments: [
    ("0", true), ("-0", true), ("56.177", true), ("1e400", true), ("1E+5", true), ("0.10", true),
    ("123456789012345678901234567890", true), ("", false), ("+1", false), (".5", false),
    ("1.", false), ("01", false), ("1,5", false), ("1e", false), ("NaN", false), ("0x1", false),
    ("1 ", false), ("--1", false), ("Infinity", false), ("1_000", false),
  ])
  func `numbers as JSON writes them`(_ text: String, _ isNumber: Bool) {
    var text = text
    #expect(text.withUTF8 { DecimalText.isNumber(UnsafeRawBufferPointer($0)) } == isNumber)
  }
}
