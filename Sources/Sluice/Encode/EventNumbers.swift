/// Numbers the events of an address within the year in which they start, and knows which it has
/// seen.
///
/// It keeps two tables of 20 to 30 bytes an event each: at most 60 bytes an event.
struct EventNumbers: ~Copyable {
  private var seen = PairTable()
  private var counts = PairTable()

  /// The number, from 1, of an event at this address; nil where the same address had the same days
  /// before.
  mutating func number(address: UInt64, year: Int, first: Day, last: Day) -> Int? {
    // Shifted into the positive, so that no value is 0.
    let from = UInt64(UInt32(bitPattern: first.number) ^ 0x8000_0000)
    let to = UInt64(UInt32(bitPattern: last.number) ^ 0x8000_0000)
    return number(address: address, year: year, time: from << 32 | to)
  }

  /// The number, from 1, of an event at this address whose time this number tells, which is not 0;
  /// nil where the same address had the same before.
  mutating func number(address: UInt64, year: Int, time: UInt64) -> Int? {
    guard seen.find(address, time).isNew else { return nil }
    let entry = counts.find(address, UInt64(year) << 32, mask: 0xFFFF_FFFF_0000_0000).entry
    entry.pointee.value += 1
    return Int(entry.pointee.value & 0xFFFF_FFFF)
  }
}
