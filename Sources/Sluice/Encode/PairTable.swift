import CScan

/// A hash table of pairs of 64-bit numbers: open addressing, linear probing.
///
/// 16 bytes an entry. When it is four fifths full a small table grows fourfold, then twofold, and one
/// of more than ``doubling`` entries by half, so that there an entry takes 20 to 30 bytes of memory
/// (and 20 more for the moment of growing).
struct PairTable: ~Copyable {
  /// A key, and a second number that is part of the key as far as a mask says. It is never 0.
  struct Entry {
    var key: UInt64
    var value: UInt64
  }

  /// The size up to which a table grows fourfold: a city's addresses.
  private static let quadrupling = 16 << 10
  /// The size up to which a table doubles: half a megabyte.
  private static let doubling = 32 << 10

  private var entries: ByteBuffer
  private var capacity: Int
  private(set) var count = 0

  /// Makes a table with room for some entries at first.
  init(capacity: Int = 64) {
    self.capacity = capacity
    entries = Self.memory(capacity)
  }

  private static func memory(_ capacity: Int) -> ByteBuffer {
    ByteBuffer(zeroed: capacity * MemoryLayout<Entry>.stride)
  }

  /// Finds the entry with this key whose value agrees in the bits of `mask`, or puts it in; gives
  /// its place, valid until the next call, and whether it is new.
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

  /// Brings the memory near in which ``find(_:_:mask:)`` will look, and does not wait for it.
  @inline(__always)
  func expect(_ key: UInt64, _ value: UInt64, mask: UInt64 = .max) {
    cscan_prefetch(
      entries.start + home(key, value & mask) * MemoryLayout<Entry>.stride)
  }

  /// Puts in an entry that is not there yet, and that there is room for.
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

  /// Where an entry's search begins: a multiplicative hash, scaled to the table's size.
  @inline(__always)
  private func home(_ key: UInt64, _ value: UInt64) -> Int {
    var hash = (key ^ (value &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
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
