/// Numbers the events of an address within the year in which they start, and knows which it has
/// seen.
///
/// Most addresses have one event, which stands in a table of its own, by its address alone. What
/// comes after it at the same address stands in two more: in one to know it again, in one to be
/// counted. They take 20 to 30 bytes an event each: at most 60 bytes an event.
struct EventNumbers: ~Copyable {
  /// The first event of each address, whatever its year.
  private var firsts = PairTable(capacity: 1 << 10)
  private var seen = PairTable()
  private var counts = PairTable()

  /// Brings the memory near in which the number of this event will be looked up: in large tables that
  /// is most of the time it takes.
  func expect(address: UInt64, year: Int, first: Day, last: Day) {
    firsts.expect(address, 0, mask: 0)
    seen.expect(address, Self.time(first, last))
    counts.expect(address, Self.year(year), mask: Self.yearMask)
  }

  /// The number, from 1, of an event at this address; nil where the same address had the same days
  /// before.
  mutating func number(address: UInt64, year: Int, first: Day, last: Day) -> Int? {
    let time = Self.time(first, last)
    let (entry, isNew) = firsts.find(address, time, mask: 0)
    if isNew { return 1 }
    let known = entry.pointee.value
    if known == time { return nil }
    let knownFirst = Day(number: Int32(bitPattern: UInt32(known >> 32) ^ 0x8000_0000))
    let before = knownFirst.parts.year == year ? 1 : 0
    return number(address: address, year: year, time: time).map { before + $0 }
  }

  /// The number, from 1, of an event at this address whose time this number tells, which is not 0;
  /// nil where the same address had the same before. The year is no part of the time: clocks differ
  /// around New Year. So all such events are counted alike.
  mutating func number(address: UInt64, year: Int, time: UInt64) -> Int? {
    guard seen.find(address, time).isNew else { return nil }
    let entry = counts.find(address, Self.year(year), mask: Self.yearMask).entry
    entry.pointee.value += 1
    return Int(entry.pointee.value & ~Self.yearMask)
  }

  /// Days as one number: shifted into the positive, so that none is 0.
  private static func time(_ first: Day, _ last: Day) -> UInt64 {
    let from = UInt64(UInt32(bitPattern: first.number) ^ 0x8000_0000)
    let to = UInt64(UInt32(bitPattern: last.number) ^ 0x8000_0000)
    return from << 32 | to
  }

  /// Where the year stands in what is counted; the count stands in the other bits.
  private static func year(_ year: Int) -> UInt64 { UInt64(year) << 32 }
  private static var yearMask: UInt64 { 0xFFFF_FFFF_0000_0000 }
}
