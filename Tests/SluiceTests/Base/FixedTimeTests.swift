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

  private func parts(
    _ text: [UInt8], _ read: (UnsafeRawBufferPointer) -> (Int, Int, Int)?
  ) -> [Int]? {
    text.withUnsafeBytes { bytes in read(bytes).map { [$0.0, $0.1, $0.2] } }
  }

  /// The text with each byte at each of its places.
  private static func changes(of text: String) -> [[UInt8]] {
    let right = Array(text.utf8)
    return right.indices.flatMap { place in
      (UInt8.min...UInt8.max).map { byte in
        var bytes = right
        bytes[place] = byte
        return bytes
      }
    }
  }

  @Test func `a time of day has hours, minutes and seconds that there are`() {
    func read(_ text: [UInt8]) -> [Int]? {
      parts(text) { bytes in bytes.baseAddress.flatMap { FixedTime.timeOfDay($0) } }
    }
    for text in ["10:05:09", "23:59:59", "00:00:00", "19:38:47"] {
      for bytes in Self.changes(of: text) {
        let plain = parts(bytes) { bytes in bytes.baseAddress.flatMap { FixedTime.time($0) } }
        let isOfDay = plain.map { $0[0] < 24 && $0[1] < 60 && $0[2] < 60 } ?? false
        #expect(read(bytes) == (isOfDay ? plain : nil), "\(bytes)")
      }
    }
    for number in 0..<1_000_000 where number % 7 == 0 {
      let (hour, minute, second) = (number / 10_000, number / 100 % 100, number % 100)
      let digits = [hour / 10, hour % 10, minute / 10, minute % 10, second / 10, second % 10]
      var text = digits.map { UInt8(ascii: "0") + UInt8($0) }
      text.insert(UInt8(ascii: ":"), at: 4)
      text.insert(UInt8(ascii: ":"), at: 2)
      let isOfDay = hour < 24 && minute < 60 && second < 60
      let isRight = read(text) == (isOfDay ? [hour, minute, second] : nil)
      #expect(isRight, "\(number)")
    }
  }

  @Test func `dates with dots`() {
    func read(_ text: [UInt8]) -> [Int]? { parts(text) { FixedTime.dottedDate($0[...]) } }
    #expect(read(Array("22.06.2020".utf8)) == [2020, 6, 22])
    #expect(read(Array("98.76.5432 г.".utf8)) == [5432, 76, 98])
    #expect(read(Array("22.06.202".utf8)) == nil)
    let right = Array("22.06.2020".utf8)
    for bytes in Self.changes(of: "22.06.2020") {
      let isRight = bytes.indices.allSatisfy { place in
        right[place] == UInt8(ascii: ".")
          ? bytes[place] == right[place]
          : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
      }
      #expect((read(bytes) != nil) == isRight, "\(bytes)")
    }
  }

  @Test func `midnight or nothing follows a date`() {
    func isMidnight(_ text: [UInt8]) -> Bool {
      text.withUnsafeBytes { FixedTime.isMidnight(afterDateIn: $0) }
    }
    for end in ["", "T00:00:00", " 00:00:00", "T00:00:00.000"] {
      let right = Array(("2020-06-22" + end).utf8)
      #expect(isMidnight(right))
      for bytes in Self.changes(of: "2020-06-22" + end) {
        let mark = bytes.count > 10 ? bytes[10] : 0
        var same = bytes
        if mark == UInt8(ascii: "T") || mark == UInt8(ascii: " ") { same[10] = right[10] }
        // The date is not looked at.
        #expect(isMidnight(bytes) == (same[10...] == right[10...]), "\(bytes)")
      }
    }
    for end in ["T00:00", "T00:00:00Z", "T00:00:00.0000", "T00:00:00.00", "T", "T00:00:00+03:00"] {
      #expect(!isMidnight(Array(("2020-06-22" + end).utf8)), "\(end)")
    }
  }

  @Test func `the time after a date has seconds, or gets them`() {
    func time(_ text: String) -> [Int]? {
      Array(text.utf8).withUnsafeBytes { bytes in
        FixedTime.timeWord(afterDateIn: bytes).flatMap { FixedTime.timeOfDay($0) }
          .map { [$0.hour, $0.minute, $0.second] }
      }
    }
    #expect(time("2020-06-22T10:05:09") == [10, 5, 9])
    #expect(time("2020-06-22 10:05") == [10, 5, 0])
    #expect(time("2020-06-22x10:05") == nil)
    #expect(time("2020-06-22 24:05") == nil)
    #expect(time("2020-06-22 10:05:60") == nil)
    #expect(time("2020-06-22 10:5:06") == nil)
    #expect(time("2020-06-22 10:05:0") == nil)
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

  @Test func `numbers of one to sixteen digits`() {
    func number(_ text: [UInt8], _ count: Int) -> Int? {
      (text + [UInt8](repeating: 0x39, count: 8)).withUnsafeBytes { bytes in
        bytes.baseAddress.flatMap { FixedTime.number($0, count: count) }
      }
    }
    let digits = Array("9081726354101112".utf8)
    for count in 1...16 {
      let text = Array(digits.prefix(count))
      #expect(number(text, count) == Int(String(decoding: text, as: UTF8.self)))
      for place in 0..<count {
        for byte: UInt8 in [0x2F, 0x3A, 0x20, 0x2D, 0x00, 0xB0] {
          var wrong = text
          wrong[place] = byte
          #expect(number(wrong, count) == nil, "\(byte) at \(place) of \(count)")
        }
      }
    }
    #expect(number(digits + [0x30], 17) == nil)
  }

  private func offset(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { bytes in bytes.baseAddress.flatMap { FixedTime.offset($0 + 2) } }
  }

  @Test func `offsets behind two digits`() {
    #expect(offset(Array("00+00:00".utf8)) == 0)
    #expect(offset(Array("59-00:00".utf8)) == 0)
    #expect(offset(Array("07+03:00".utf8)) == 10_800)
    #expect(offset(Array("07-09:30".utf8)) == -34_200)
    #expect(offset(Array("07+23:59".utf8)) == 86_340)
    #expect(offset(Array("07+24:00".utf8)) == nil)
    #expect(offset(Array("07+03:60".utf8)) == nil)
    let right = Array("07+09:09".utf8)
    for place in right.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = right
        bytes[place] = byte
        let isRight =
          switch place {
          case 2: byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
          case 5: byte == UInt8(ascii: ":")
          default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          }
        // More than 23 hours or 59 minutes are none.
        let isLarge =
          place == 3 && byte > UInt8(ascii: "1") || place == 6 && byte > UInt8(ascii: "5")
        #expect((offset(bytes) != nil) == (isRight && !isLarge), "\(byte) at \(place)")
      }
    }
  }

  private func number(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { bytes in bytes.baseAddress.flatMap(FixedTime.number) }
  }

  @Test func `eight digits are a number`() {
    var generator = SeededGenerator(seed: 8)
    for text in ["00000000", "99999999", "12345678", "87654321", "10000000", "00000001"] {
      #expect(number(Array(text.utf8)) == Int(text))
    }
    for _ in 0..<1000 {
      let value = Int.random(in: 0...99_999_999, using: &generator)
      let text = String(repeating: "0", count: 8 - String(value).utf8.count) + String(value)
      #expect(number(Array(text.utf8)) == value)
    }
    for place in 0..<8 {
      for byte in UInt8.min...UInt8.max {
        var bytes = Array("12345678".utf8)
        bytes[place] = byte
        let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        #expect((number(bytes) != nil) == isDigit, "\(byte) at \(place)")
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
