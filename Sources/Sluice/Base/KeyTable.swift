/// The length of a key with its first and its last bytes, which overlap. For up to 16 bytes that is
/// all of it.
///
///     properties    count 10, first "properti", last "operties"
///     street        count 6, first "street", last nothing
struct KeyEnds: BitwiseCopyable {
  /// The length up to which it is all of a key.
  static let whole = 16

  private(set) var count = 0
  private var first: UInt64 = 0
  private var last: UInt64 = 0

  init() {}

  /// Those of no key.
  static var ofNoKey: KeyEnds {
    var ends = KeyEnds()
    ends.count = -1
    return ends
  }

  @inline(__always)
  init(_ name: UnsafeRawBufferPointer) {
    guard let start = name.baseAddress else { return }
    count = name.count
    if count >= 8 {
      first = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
      last = UInt64(
        littleEndian: start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
    } else if count >= 4 {
      let unused = UInt64(truncatingIfNeeded: 8 &* (count &- 4))
      let (head, tail) = (start, start + (count &- 4))
      first =
        UInt64(UInt32(littleEndian: head.loadUnaligned(as: UInt32.self)))
        | UInt64(UInt32(littleEndian: tail.loadUnaligned(as: UInt32.self))) &<< unused
    } else {
      for byte in name.reversed() { first = first << 8 | UInt64(byte) }
    }
  }

  /// Makes the same of the key at `start`, after which eight bytes must be readable. There is no
  /// branch in it: now shorter and now longer keys come, and the processor could not guess which.
  @inline(__always)
  init(_ start: UnsafePointer<UInt8>, count: Int) {
    let bytes = UnsafeRawPointer(start)
    // All its bits are set if the key is long, none if it is short.
    let long = UInt64(truncatingIfNeeded: (7 &- count) &>> 63)
    let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* count) & ~long
    let word = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    let end = bytes.loadUnaligned(fromByteOffset: max(count, 8) &- 8, as: UInt64.self)
    // A shift by 64 is one by nothing.
    first = count == 0 ? 0 : (word &<< unused) &>> unused
    last = UInt64(littleEndian: end) & long
    self.count = count
  }

  /// A hash of the ends in an object. Its upper bits depend on all these bytes: the last ones, in
  /// which keys of a family differ, stand in the lower half of what is multiplied.
  @inline(__always)
  func hash(in object: Int) -> UInt64 {
    let place = UInt64(truncatingIfNeeded: object &<< 3 &+ count)
    return (first ^ place) &* 0x9E37_79B9_7F4A_7C15
      &+ (last &<< 32 | last &>> 32) &* 0xD6E8_FEB8_6659_FD93
  }

  /// The same of the key itself, which is `name`.
  @inline(__always)
  func hash(of name: UnsafeRawBufferPointer, in object: Int) -> UInt64 {
    let hash = hash(in: object)
    return count <= Self.whole ? hash : Self.hash(hash, withMiddleOf: name)
  }

  /// Returns a hash that depends on what is between the ends of a key too: keys of a map may be
  /// texts that begin and end alike.
  @inline(never)
  private static func hash(_ hash: UInt64, withMiddleOf name: UnsafeRawBufferPointer) -> UInt64 {
    var hash = hash
    for place in stride(from: 8, to: name.count - 8, by: 8) {
      let word = name.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      hash = ((hash &<< 29 | hash &>> 35) ^ word) &* 0x9E37_79B9_7F4A_7C15
    }
    return (hash ^ hash &>> 32) &* 0xD6E8_FEB8_6659_FD93
  }

  @inline(__always)
  func isSame(as other: KeyEnds) -> Bool {
    count == other.count && first == other.first && last == other.last
  }
}

/// The keys of several objects, each with a number. A hash table with open addressing.
///
///     {"id": 7, "at": {"lon": 30.1}}     in 0: id ─▶ 1, at ─▶ 2     in 2: lon ─▶ 3
struct KeyTable {
  private struct Entry {
    let object: Int
    let ends: KeyEnds
    let name: [UInt8]
    let number: Int
  }

  private var entries: ContiguousArray<Entry> = []
  /// The numbers of the entries by their hashes; -1 where there is none. There are twice as many
  /// at least, a power of two.
  private var slots: ContiguousArray<Int32> = [-1, -1]

  /// Adds a key of an object. If it is there already, that one is found: entries keep their order.
  mutating func add(_ name: [UInt8], in object: Int, number: Int) {
    let ends = name.withUnsafeBytes { KeyEnds($0) }
    entries.append(Entry(object: object, ends: ends, name: name, number: number))
    guard 2 * entries.count <= slots.count else { return grow() }
    place(entries.count - 1)
  }

  private mutating func grow() {
    slots = ContiguousArray(repeating: -1, count: 2 * slots.count)
    for index in entries.indices { place(index) }
  }

  private mutating func place(_ index: Int) {
    let entry = entries[index]
    var slot = entry.name.withUnsafeBytes { firstSlot(of: $0, entry.ends, in: entry.object) }
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(index)
  }

  /// Returns the number of a key of an object; nil if it has none.
  @inline(never)
  func number(of name: UnsafeRawBufferPointer, in object: Int) -> Int? {
    let ends = KeyEnds(name)
    var slot = firstSlot(of: name, ends, in: object)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if entries[index].object == object, entries[index].ends.isSame(as: ends),
        ends.count <= KeyEnds.whole || entries[index].name.elementsEqual(name)
      {
        return entries[index].number
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  @inline(__always)
  private func firstSlot(
    of name: UnsafeRawBufferPointer, _ ends: KeyEnds, in object: Int
  ) -> Int {
    // The upper bits, as many as number the slots.
    let unused = UInt64(truncatingIfNeeded: slots.count.leadingZeroBitCount &+ 1)
    return Int(truncatingIfNeeded: ends.hash(of: name, in: object) &>> unused)
  }
}
