import Testing

@testable import Sluice

@Suite struct DayTests {
  @Test func `a day survives the way to a number and back`() {
    for number: Int32 in stride(from: -719_162, through: 2_932_896, by: 97) {
      let parts = Day(number: number).parts
      #expect(Day(year: parts.year, month: parts.month, day: parts.day)?.number == number)
    }
  }

  @Test func `all days of some years, one after the other`() {
    for (first, years) in [(1, 9), (1599, 3), (1899, 3), (1999, 30), (2099, 2), (9997, 3)] {
      var number = Day(year: first, month: 1, day: 1)?.number ?? 0
      for year in first..<first + years {
        for month in 1...12 {
          for day in 1...Day.length(ofMonth: month, year: year) {
            #expect(Day(number: number).parts == (year, month, day))
            number += 1
          }
        }
      }
    }
  }

  @Test func `days far away have parts too`() {
    #expect(Day(number: 0).parts == (1970, 1, 1))
    #expect(Day(number: -719_163).parts == (0, 12, 31))
    #expect(Day(number: -719_528).parts == (0, 1, 1))
    #expect(Day(number: -719_529).parts == (-1, 12, 31))
    #expect(Day(number: .max).parts == (5_881_580, 7, 11))
    #expect(Day(number: .min).parts == (-5_877_641, 6, 23))
  }

  @Test func `both forms`() {
    for (day, text, basic) in [
      (Day(year: 1, month: 1, day: 1), "0001-01-01", "00010101"),
      (Day(year: 2020, month: 6, day: 22), "2020-06-22", "20200622"),
      (Day(year: 9999, month: 12, day: 31), "9999-12-31", "99991231"),
    ] {
      #expect(day?.description == text)
      var buffer = ByteBuffer(capacity: 1)
      day?.append(to: &buffer, isBasic: true)
      #expect(String(decoding: buffer.contents, as: UTF8.self) == basic)
    }
  }
}
