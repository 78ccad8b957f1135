import Glibc

/// What was found out about the texts that came last.
///
///     where: {type: pickup}      pickup   holds          map: {1: paper, …}     1   paper
///                                notice   does not                              2   organic
///
/// Where rows are chosen or texts are replaced, there are often few different ones. So most came
/// before.
struct KeptByText<Value: BitwiseCopyable>: ~Copyable {
  /// A text that came. Not private: the compiler (6.3) fails on a private type in a `FixedArray` of
  /// another file.
  struct Entry: BitwiseCopyable {
    /// The length of the text; -1 if there is none.
    fileprivate var count = -1
    fileprivate var value: Value?
  }

  /// The longest text that is kept, in bytes, and the number of texts. Of longer ones the last is
  /// kept.
  private static var longest: Int { 64 }
  private static var most: Int { 64 }

  /// Without memory until a text is kept.
  private var entries = FixedArray<Entry>([])
  /// The text of each entry.
  private var texts = FixedArray<UInt8>([])
  private var long: (text: ContiguousArray<UInt8>, value: Value)?

  /// Returns what is kept of a text; nil if nothing is.
  @inline(__always)
  func find(_ text: UnsafeRawBufferPointer) -> Value? {
    guard text.count <= Self.longest else { return findLong(text) }
    guard entries.count > 0 else { return nil }
    let place = Self.place(of: text)
    guard entries[place].count == text.count, isKept(text, at: place) else { return nil }
    return entries[place].value
  }

  @inline(never)
  private func findLong(_ text: UnsafeRawBufferPointer) -> Value? {
    guard let long, long.text.count == text.count, let start = text.baseAddress,
      long.text.withUnsafeBytes({ memcmp($0.baseAddress ?? start, start, text.count) == 0 })
    else { return nil }
    return long.value
  }

  /// Keeps a value of a text, instead of one of another.
  mutating func keep(_ value: Value, of text: UnsafeRawBufferPointer) {
    guard text.count <= Self.longest else {
      long = (ContiguousArray(text), value)
      return
    }
    if entries.count == 0 {
      entries = FixedArray(repeating: Entry(), count: Self.most)
      texts = FixedArray(repeating: 0, count: Self.most * Self.longest)
    }
    let place = Self.place(of: text)
    entries[place] = Entry(count: text.count, value: value)
    UnsafeMutableRawBufferPointer(
      start: texts.address + place * Self.longest, count: Self.longest
    ).copyMemory(from: text)
  }

  /// Returns the entry of a text: one of those that begin and end like it.
  @inline(__always)
  private static func place(of text: UnsafeRawBufferPointer) -> Int {
    var number = UInt64(truncatingIfNeeded: text.count)
    if text.count >= 8 {
      number ^= text.loadUnaligned(as: UInt64.self) &* 0x9E37_79B9_7F4A_7C15
      number ^= text.loadUnaligned(fromByteOffset: text.count &- 8, as: UInt64.self) &<< 1
    } else {
      for byte in text { number = number &<< 8 | UInt64(byte) }
    }
    return Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) &>> 58)
  }

  @inline(__always)
  private func isKept(_ text: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard let start = text.baseAddress else { return true }
    return memcmp(start, texts.address + place &* Self.longest, text.count) == 0
  }
}
