import Testing

@testable import Sluice

/// The tables behind the numbers of events, against dictionaries.
@Suite struct EventNumbersTests {
  private struct Event: Hashable {
    var address: UInt64
    var first: Int32
    var last: Int32
  }

  private struct Home: Hashable {
    var address: UInt64
    var year: Int
  }

  @Test(arguments: [1, 50, 5000] as [UInt64])
  func `numbers of random events`(_ addresses: UInt64) {
    var generator = SystemRandomNumberGenerator()
    var numbers = EventNumbers()
    var seen: Set<Event> = []
    var counts: [Home: Int] = [:]
    for _ in 0..<20_000 {
      let first = Int32.random(in: -10...1000, using: &generator)
      let last = first + Int32.random(in: 0...3, using: &generator)
      // Addresses that differ in few bits, 0 among them.
      let address = UInt64.random(in: 0..<addresses, using: &generator) << 40
      let year = Day(number: first).parts.year
      let number = numbers.number(
        address: address, year: year, first: Day(number: first), last: Day(number: last))
      guard seen.insert(Event(address: address, first: first, last: last)).inserted else {
        #expect(number == nil)
        continue
      }
      counts[Home(address: address, year: year), default: 0] += 1
      #expect(number == counts[Home(address: address, year: year)])
    }
  }

  @Test(arguments: [1, 50, 5000] as [UInt64])
  func `numbers of random points in time, whose years are told`(_ addresses: UInt64) {
    struct Moment: Hashable {
      var address: UInt64
      var time: UInt64
    }
    var generator = SystemRandomNumberGenerator()
    var numbers = EventNumbers()
    var seen: Set<Moment> = []
    var counts: [Home: Int] = [:]
    for _ in 0..<20_000 {
      let address = UInt64.random(in: 0..<addresses, using: &generator)
      let time = UInt64.random(in: 1...500, using: &generator) << 25
      // By the clocks of two places the same moment lies in two years.
      let year = Int.random(in: 2025...2026, using: &generator)
      let number = numbers.number(address: address, year: year, time: time)
      guard seen.insert(Moment(address: address, time: time)).inserted else {
        #expect(number == nil)
        continue
      }
      counts[Home(address: address, year: year), default: 0] += 1
      #expect(number == counts[Home(address: address, year: year)])
    }
  }

  @Test func `the numbers do not depend on the key of the tables`() {
    var generator = SeededGenerator(seed: 7)
    var one = EventNumbers(key: TableKey(1, 1))
    var other = EventNumbers(key: TableKey(0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210))
    for _ in 0..<20_000 {
      let address = UInt64.random(in: 0..<3000, using: &generator)
      let first = Day(number: Int32.random(in: 0...1000, using: &generator))
      let year = first.parts.year
      #expect(
        one.number(address: address, year: year, first: first, last: first)
          == other.number(address: address, year: year, first: first, last: first))
    }
  }

  @Test func `the first and the last day there is`() {
    var numbers = EventNumbers()
    for (first, last) in [(1, 1), (1, 3_652_059), (3_652_059, 3_652_059)] {
      let from = Day(number: Int32(first - 719_163))
      let to = Day(number: Int32(last - 719_163))
      let year = from.parts.year
      #expect(numbers.number(address: .max, year: year, first: from, last: to) != nil)
      #expect(numbers.number(address: .max, year: year, first: from, last: to) == nil)
    }
  }
}
