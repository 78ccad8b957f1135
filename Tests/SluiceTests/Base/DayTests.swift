import Testing

@testable import Sluice

@Suite struct DayTests {
  @Test func `a day survives the way to a number and back`() {
    for number: Int32 in stride(from: -719_162, through: 2_932_896, by: 97) {
      let parts = Day(number: number).parts
      #expect(Day(year: parts.year, month: parts.month, day: parts.day)?.number == number)
    }
  }
}
