import CSluice

/// Identifies the events of a table's rows, in the order of their arrival.
struct EventIdentities: ~Copyable {
  private let time: EventTime
  private var numbers = EventNumbers()
  /// The first day of the last row, and its year.
  private var knownYear = (day: Day(number: 0), year: 1970)

  /// The texts of series; nil if there are none.
  private let texts: EventTexts?
  /// Whether there are any. To ask the texts would copy them, for each row.
  private let hasSeries: Bool
  /// The last series, its number, and the day of its last occurrence; nil as a number if the series
  /// came a second time.
  private var knownSeries: (address: UInt64, series: UInt64, number: Int?, day: Day)?

  init(_ table: Table) {
    time = table.eventTime
    texts = table.eventTexts?.series == nil ? nil : table.eventTexts
    hasSeries = texts != nil
  }

  /// Announces a row, so that memory can be prefetched.
  @inline(__always)
  mutating func expect(_ record: borrowing Record) {
    guard case .days = time, record.hasDays, record.isEvent, !hasSeries else { return }
    numbers.expect(
      address: record.keyNumber, year: year(of: record), first: record.firstDay,
      last: record.lastDay)
  }

  /// Returns whether the number of a row's address is its own.
  @inline(__always)
  mutating func areOf(_ record: borrowing Record) -> Bool {
    numbers.areOf(address: record.keyNumber, check: record.keyCheck)
  }

  /// Returns the identity of a row's event; nil if the same address had the same time before.
  mutating func identify(_ record: borrowing Record) -> EventIdentity? {
    if hasSeries { return identifySeries(record) }
    let year = year(of: record)
    let number: Int?
    switch time {
    case .days:
      number = numbers.number(
        address: record.keyNumber, year: year, first: record.firstDay, last: record.lastDay)
    case .instants(let start, _) where record.text(start).count == 0:
      // Counted together with the events that have a time.
      number = numbers.number(
        address: record.keyNumber, year: year,
        time: EventNumbers.time(record.firstDay, record.lastDay))
    case .instants(let start, let end):
      number = numbers.number(
        address: record.keyNumber, year: year,
        time: EventInstants(record, start: start, end: end).packed)
    }
    return number.map { EventIdentity(year: year, number: $0) }
  }

  /// Identifies a series, or one occurrence of it. The number is that of the series, so it does not
  /// depend on the days asked for.
  private mutating func identifySeries(_ record: borrowing Record) -> EventIdentity? {
    guard let column = texts?.series, let texts else { return nil }
    let series = Self.number(hexadecimal: record.text(column))
    let number: Int?
    if texts.isOccurrence(record), let known = knownSeries, known.address == record.keyNumber,
      known.series == series, known.day < record.firstDay
    {
      number = known.number
    } else {
      number = numbers.number(address: record.keyNumber, year: 1, time: series)
    }
    knownSeries = (record.keyNumber, series, number, record.firstDay)
    guard let number else { return nil }
    let parts = record.firstDay.parts
    let day = parts.year * 10_000 + parts.month * 100 + parts.day
    return EventIdentity(
      year: 0, number: number, occurrence: texts.isOccurrence(record) ? day : 0)
  }

  /// Reads 16 hexadecimal digits. No result is 0, which the tables do not take.
  private static func number(hexadecimal text: UnsafeRawBufferPointer) -> UInt64 {
    max(1, UInt64(String(decoding: text, as: UTF8.self), radix: 16) ?? 1)
  }

  private mutating func year(of record: borrowing Record) -> Int {
    if knownYear.day != record.firstDay {
      knownYear = (record.firstDay, record.firstDay.parts.year)
    }
    return knownYear.year
  }
}

/// Numbers the events of an address within the year of their start, and detects repeated events.
///
/// Most addresses have one event. It is kept in a table of its own, by its address alone. Later
/// events of the same address are kept in two more tables: one detects repeats, one counts. They
/// take 20 to 30 bytes per event each. The owners of the numbers take as much for each address.
struct EventNumbers: ~Copyable {
  /// The first event of each address, of any year.
  private var firsts: PairTable
  private var seen: PairTable
  private var counts: PairTable
  private var owners: KeyOwners

  /// Makes the tables. The numbers do not depend on the key.
  init(key: TableKey = .ofProcess) {
    firsts = PairTable(capacity: 1 << 10, key: key)
    seen = PairTable(key: key)
    counts = PairTable(key: key)
    owners = KeyOwners()
  }

  /// Returns whether an address's number is its own. It is not if another address had it before.
  @inline(__always)
  mutating func areOf(address: UInt64, check: UInt64) -> Bool { owners.claims(address, check) }

  /// Prefetches the slots in which the number of this event will be looked up. In large tables a
  /// lookup spends most of its time waiting for memory.
  func expect(address: UInt64, year: Int, first: Day, last: Day) {
    owners.expect(address)
    firsts.expect(address, 0, mask: 0)
    seen.expect(address, Self.time(first, last))
    counts.expect(address, Self.year(year), mask: Self.yearMask)
  }

  /// Returns the number, from 1, of an event at this address; nil if the same address had the same
  /// days before.
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

  /// Returns the number, from 1, of an event at this address with this time; nil if the same
  /// address had the same time before. `time` is a number that identifies the event's time and is
  /// not 0. The year is not part of it, because clocks differ around New Year. So all such events
  /// are counted in the same way.
  mutating func number(address: UInt64, year: Int, time: UInt64) -> Int? {
    guard seen.find(address, time).isNew else { return nil }
    let entry = counts.find(address, Self.year(year), mask: Self.yearMask).entry
    entry.pointee.value += 1
    return Int(entry.pointee.value & ~Self.yearMask)
  }

  /// Returns the days as one number. They are shifted into the positive, so that no result is 0.
  fileprivate static func time(_ first: Day, _ last: Day) -> UInt64 {
    let from = UInt64(UInt32(bitPattern: first.number) ^ 0x8000_0000)
    let to = UInt64(UInt32(bitPattern: last.number) ^ 0x8000_0000)
    return from << 32 | to
  }

  /// Returns the year in the high bits of a count's value. The other bits hold the count.
  private static func year(_ year: Int) -> UInt64 { UInt64(year) << 32 }
  private static var yearMask: UInt64 { 0xFFFF_FFFF_0000_0000 }
}

/// The secret of hash tables whose entries come from the input.
///
/// Without one, an input could be made whose entries all lie side by side, and every search would
/// pass all of them: 200,000 addresses took 48 seconds. Both factors are odd, so that no bit of an
/// entry is lost.
struct TableKey: Equatable {
  fileprivate let key: UInt64
  fileprivate let value: UInt64

  /// Makes a key of two numbers.
  init(_ key: UInt64, _ value: UInt64) {
    self.key = key | 1
    self.value = value | 1
  }

  /// The key of this process, drawn when the first table is made.
  static let ofProcess: TableKey = {
    var generator = SystemRandomNumberGenerator()
    return TableKey(generator.next(), generator.next())
  }()
}

/// A hash table of pairs of 64-bit numbers: open addressing, linear probing. Its order depends on
/// its key, so nothing that is written may depend on its order.
///
/// An entry is 16 bytes. A table grows when it is four fifths full: a small one fourfold, a larger
/// one twofold, and one of more than ``doubling`` entries by half. In such a large table an entry
/// takes 20 to 30 bytes of memory, and 20 more while the table grows.
struct PairTable: ~Copyable {
  /// A key, and a second number. A mask says which bits of that number are part of the key. It is
  /// never 0.
  struct Entry {
    var key: UInt64
    var value: UInt64
  }

  /// The size in entries up to which a table grows fourfold: the addresses of a city.
  private static let quadrupling = 16 << 10
  /// The size in entries up to which a table doubles: half a megabyte.
  private static let doubling = 32 << 10

  private var entries: ByteBuffer
  private(set) var capacity: Int
  private(set) var count = 0
  private let key: TableKey

  /// Makes a table with room for `capacity` entries.
  init(capacity: Int = 64, key: TableKey = .ofProcess) {
    self.capacity = capacity
    self.key = key
    entries = Self.memory(capacity)
  }

  private static func memory(_ capacity: Int) -> ByteBuffer {
    ByteBuffer(zeroed: capacity * MemoryLayout<Entry>.stride)
  }

  /// Finds the entry with this key whose value agrees in the bits of `mask`, or inserts it. Returns
  /// a pointer to it, valid until the next call, and whether it is new.
  @inline(__always)
  mutating func find(_ key: UInt64, _ value: UInt64, mask: UInt64 = .max)
    -> (entry: UnsafeMutablePointer<Entry>, isNew: Bool)
  {
    if (count + 1) * 5 > capacity * 4 { grow(mask: mask) }
    let table = entries.start.assumingMemoryBound(to: Entry.self)
    var index = home(key, value & mask)
    while table[index].value != 0 {
      if table[index].key == key, (table[index].value ^ value) & mask == 0 {
        return (table + index, false)
      }
      index += 1
      if index == capacity { index = 0 }
    }
    table[index] = Entry(key: key, value: value)
    count += 1
    return (table + index, true)
  }

  /// Prefetches the slot that ``find(_:_:mask:)`` will look at, without waiting for it.
  @inline(__always)
  func expect(_ key: UInt64, _ value: UInt64, mask: UInt64 = .max) {
    cscan_prefetch(
      entries.start + home(key, value & mask) * MemoryLayout<Entry>.stride)
  }

  /// Inserts an entry that is not in the table. There must be room for it.
  private mutating func put(_ entry: Entry, mask: UInt64) {
    let table = entries.start.assumingMemoryBound(to: Entry.self)
    var index = home(entry.key, entry.value & mask)
    while table[index].value != 0 {
      index += 1
      if index == capacity { index = 0 }
    }
    table[index] = entry
    count += 1
  }

  /// Returns the slot at which an entry's search begins: a multiplicative hash by secret factors,
  /// scaled to the table's size.
  @inline(__always)
  func home(_ key: UInt64, _ value: UInt64) -> Int {
    var hash = (key ^ (value &* self.key.value)) &* self.key.key
    hash = (hash ^ hash >> 32) &* 0xD6E8_FEB8_6659_FD93
    return Int(hash.multipliedFullWidth(by: UInt64(capacity)).high)
  }

  @inline(never)
  private mutating func grow(mask: UInt64) {
    let oldCapacity = capacity
    switch capacity {
    case ..<Self.quadrupling: capacity *= 4
    case ..<Self.doubling: capacity *= 2
    default: capacity += capacity / 2
    }
    var old = Self.memory(capacity)
    swap(&entries, &old)
    count = 0
    let table = old.start.assumingMemoryBound(to: Entry.self)
    for index in 0..<oldCapacity where table[index].value != 0 {
      put(table[index], mask: mask)
    }
  }
}

/// Remembers to which address each number belongs: to the first one that had it.
///
/// It takes 20 to 30 bytes for each number.
package struct KeyOwners: ~Copyable {
  private var owners = PairTable(capacity: 1 << 10)

  package init() {}

  /// Returns whether the number belongs to the address with this check. If it belongs to nobody
  /// yet, it does from now on. A check of 0 was not computed, and passes.
  @inline(__always)
  package mutating func claims(_ number: UInt64, _ check: UInt64) -> Bool {
    guard check != 0 else { return true }
    return owners.find(number, check, mask: 0).entry.pointee.value == check
  }

  /// Prefetches the place of a number.
  @inline(__always)
  func expect(_ number: UInt64) { owners.expect(number, 0, mask: 0) }
}
