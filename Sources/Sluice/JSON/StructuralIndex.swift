import CSluice

/// The places of a piece of JSON that the tokenizer has to look at, found 64 bytes at a time.
///
///     piece    {"city": "Ж\"", "no": -1.5}
///     entries  ^^    ^^ ^  ^ ^^^  ^^ ^   ^
///
/// An entry is a bracket, a comma or a colon outside of strings, a quote, the backslash of an
/// escape, or the first byte of anything else: a number, a literal name, or what does not belong
/// there. So a string without escapes is what stands between two entries that follow each other. In
/// strings that end in the piece, UTF-8 has been checked, and that there are no control characters.
/// The grammar, numbers, names and escapes have not.
///
/// It is made for the next bytes of a chunk only when these are read token by token, at first for
/// few, then for more. Records that match a ``RecordShape`` need none. It ends before a block of 64
/// bytes with something wrong in a string: the tokenizer finds out byte by byte what it is.
struct StructuralIndex: ~Copyable {
  /// How an index is made. All ways come to the same entries.
  enum Way: Int32, CaseIterable, Sendable {
    /// Not at all: every token is read byte by byte.
    case none = -1
    /// Byte by byte, to compare with.
    case scalar = 0
    /// 16 bytes at a time (SSE2), which every x86-64 can.
    case sse2 = 1
    /// 32 bytes at a time (AVX2).
    case avx2 = 2

    /// The fastest way of this processor. Byte by byte an index costs more than it saves.
    static var best: Way {
      let way = Way(rawValue: cindex_best_way()) ?? .none
      return way == .scalar ? .none : way
    }

    /// Whether this processor can.
    var isKnown: Bool { rawValue <= cindex_best_way() }
  }

  /// The bytes of a block, which is covered as a whole or not at all.
  static let block = Int(CINDEX_BLOCK)
  /// The bytes that an index covers at first, and at most.
  private static let shortest = 128
  private static let longest = 8 << 10

  private let way: Way
  private var store = ByteBuffer(
    capacity: (Self.longest + Int(CINDEX_SLACK)) * MemoryLayout<UInt16>.size)
  /// The entries, from the first one that has not been read.
  var cursor: IndexCursor
  /// The bytes that the next index covers.
  private var length = Self.shortest

  init(_ way: Way) {
    self.way = way
    cursor = IndexCursor(UnsafePointer(store.start.assumingMemoryBound(to: UInt16.self)))
  }

  /// Gets ready to read from `p` on, which is outside of strings and at the start of a token or of
  /// white space. Returns false if no index can be made of the bytes before `end`.
  @inline(__always)
  mutating func reach(_ p: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) -> Bool {
    cursor.skip(to: p)
    // A member needs four entries: two quotes, a colon and a value. And `p` may be behind the start
    // of what is no token as a whole, like 01.
    if cursor.hasFour, cursor.byte == p || InputFormat.isSpace(p.pointee) { return true }
    return make(p, before: end)
  }

  @inline(never)
  private mutating func make(_ p: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) -> Bool {
    cursor.forget()
    let blocks = min(end - p, length) / Self.block
    guard blocks > 0, way != .none else { return false }
    let entries = store.start.assumingMemoryBound(to: UInt16.self)
    cursor.begin(p, count: cindex_make(p, blocks, entries, way.rawValue).entries)
    length = min(2 * length, Self.longest)
    return cursor.byte != nil
  }

  /// Forgets the entries, at the end of the chunk.
  mutating func forget() { cursor.forget() }

  /// Covers few bytes again, because more would be of no use.
  mutating func shorten() { length = Self.shortest }
}

/// The entries of an index that have not been read.
///
/// Hot loops copy it, so that the compiler keeps it in registers.
struct IndexCursor: BitwiseCopyable {
  private let entries: UnsafePointer<UInt16>
  /// The piece's first byte. Entries are counted from it.
  private var start = ObjectValue().start
  /// The next entry, and the number of all.
  private var next = 0
  private var count = 0

  init(_ entries: UnsafePointer<UInt16>) { self.entries = entries }

  /// The byte at the next entry; nil at the end.
  @inline(__always)
  var byte: UnsafePointer<UInt8>? { next < count ? start + Int(entries[next]) : nil }

  /// The byte at the entry after it; nil at the end.
  @inline(__always)
  var secondByte: UnsafePointer<UInt8>? {
    next &+ 1 < count ? start + Int(entries[next &+ 1]) : nil
  }

  /// Whether four entries are left.
  @inline(__always)
  var hasFour: Bool { next &+ 3 < count }

  /// Goes on by some entries.
  @inline(__always)
  mutating func advance(_ entries: Int) { next &+= entries }

  /// Goes on to the first entry at `p` or after it.
  @inline(__always)
  mutating func skip(to p: UnsafePointer<UInt8>) {
    while let byte, byte < p { next &+= 1 }
  }

  /// Begins with the entries of a piece.
  fileprivate mutating func begin(_ start: UnsafePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
    next = 0
  }

  /// Forgets the entries.
  mutating func forget() {
    next = 0
    count = 0
  }

  /// The escapes of the string whose opening quote is at the next entry, and its closing quote; nil
  /// if that is not in the piece.
  var escapes: (count: Int, close: UnsafePointer<UInt8>)? {
    var entry = next + 1
    // Between the quotes there are backslashes only.
    while entry < count {
      let byte = start + Int(entries[entry])
      if byte.pointee == UInt8(ascii: "\"") { return (entry - next - 1, byte) }
      entry += 1
    }
    return nil
  }

  /// Returns whether the first `count` escapes of that string are right.
  func areRight(escapes count: Int) -> Bool {
    cindex_are_escapes(start, entries + next + 1, count) != 0
  }
}
