/// A hash table of pairs of 64-bit numbers: open addressing, linear probing.
///
/// 16 bytes an entry. When it is four fifths full a small table doubles, and one of more than
/// ``doubling`` entries grows by half, so that there an entry takes 20 to 30 bytes of memory (and
/// 20 more for the moment of growing).
struct PairTable: ~Copyable {
  /// A key, and a second number that is part of the key as far as a mask says. It is never 0.
  struct Entry {
    var key: UInt64
    var value: UInt64
  }

  /// The size up to which a table doubles: half a megabyte.
  private static let doubling = 32 << 10

  private var entries: ByteBuffer
  private var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 256
    entries = Self.memory(capacity)
  }

  private static func memory(_ capacity: Int) -> ByteBuffer {
    let size = capacity * MemoryLayout<Entry>.stride
    let buffer = ByteBuffer(capacity: size)
    buffer.start.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    return buffer
  }

  /// Finds the entry with this key whose value agrees in the bits of `mask`, or puts it in; gives
  /// its place, valid until the next call, and whether it is new.
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

  /// Where an entry's search begins: a multiplicative hash, scaled to the table's size.
  private func home(_ key: UInt64, _ value: UInt64) -> Int {
    var hash = (key ^ (value &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
    hash = (hash ^ hash >> 32) &* 0xD6E8_FEB8_6659_FD93
    return Int(hash.multipliedFullWidth(by: UInt64(capacity)).high)
  }

  private mutating func grow(mask: UInt64) {
    let oldCapacity = capacity
    capacity += capacity < Self.doubling ? capacity : capacity / 2
    var old = Self.memory(capacity)
    swap(&entries, &old)
    count = 0
    let table = old.start.assumingMemoryBound(to: Entry.self)
    for index in 0..<oldCapacity where table[index].value != 0 {
      find(table[index].key, table[index].value, mask: mask).entry.pointee = table[index]
    }
  }
}
