import Testing

@testable import Sluice

@Suite struct FixedTimeTests {
  private func date(_ text: String) -> [Int]? {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { FixedTime.date($0).map { [$0.year, $0.month, $0.day] } }
  }

  private func time(_ text: String) -> [Int]? {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { FixedTime.time($0).map { [$0.hour, $0.minute, $0.second] } }
    }
  }

  @Test func `dates and times at fixed places`() {
    #expect(date("2020-06-22") == [2020, 6, 22])
    #expect(date("2020-06-22T10:00:00Z") == [2020, 6, 22])
    #expect(date("9876-54-32") == [9876, 54, 32])
    #expect(date("0000-00-00") == [0, 0, 0])
    #expect(time("10:05:09") == [10, 5, 9])
    #expect(time("99:98:97") == [99, 98, 97])
  }

  @Test func `a text that is too short`() {
    for count in 0..<10 { #expect(date(String("2020-06-22".prefix(count))) == nil) }
  }

  /// Each byte in each place: only digits and the separators are right.
  @Test func `no other byte is taken for a digit or a separator`() {
    for (text, isDate) in [("2020-06-22", true), ("10:05:09", false)] {
      let right = Array(text.utf8)
      for place in right.indices {
        for byte in UInt8.min...UInt8.max {
          var bytes = right
          bytes[place] = byte
          let isRight =
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= right[place]
            ? UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte : byte == right[place]
          let found = bytes.withUnsafeBytes { bytes in
            isDate
              ? FixedTime.date(bytes) != nil
              : bytes.baseAddress.flatMap { FixedTime.time($0) } != nil
          }
          #expect(found == isRight, "\(byte) at \(place) of \(text)")
        }
      }
    }
  }

  @Test func `days are read as by their parts`() throws {
    for number: Int32 in stride(from: -719_162, through: 2_932_896, by: 991) {
      let day = Day(number: number)
      let parts = try #require(date(day.description))
      #expect(parts == [day.parts.year, day.parts.month, day.parts.day])
    }
  }
}
