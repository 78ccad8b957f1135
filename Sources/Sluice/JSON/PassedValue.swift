import CSluice

/// Goes past an object or array that nobody asked for, or past such members. It is only checked, as
/// strictly as by the tokenizer.
///
///     {"id":7,"claims":{"P31":[{"rank":"normal"}]},"modified":…
///            │         └─────────────────────────┘ container
///            └───────────────────────────────────┘ member
///
/// It finds no errors: whatever is not surely right is left to the tokenizer.
///
/// A container is checked 64 bytes at a time, whatever is in it (`cpass.c`). Members are passed one by
/// one, because somebody may want the next. Where strings and scalars end is seen for 64 bytes at
/// once. So the next token does not wait for what is found out about this one.
struct PassedValue {
  /// The deepest nesting that is passed.
  static let depth = Int(CPASS_DEPTH)

  /// The next byte.
  private var p: UnsafePointer<UInt8>
  private let limit: UnsafePointer<UInt8>
  /// The bytes that were looked at together, from this one on.
  private var first: UnsafePointer<UInt8>
  private var window: cwindow
  /// Whether a string had escapes.
  private var hadEscapes = false

  private init(_ p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>) {
    self.p = p
    self.limit = limit
    first = p
    window = cwindow_of(p)
  }

  /// Moves `p` from a bracket to the end of the object or array that it begins. Returns false if
  /// that does not end before `limit`, is not surely right or is too deep: `p` is then near to where
  /// this was seen. 64 bytes from `limit` on must be readable. All ways come to the same.
  static func passContainer(
    _ p: inout UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>,
    _ way: StructuralIndex.Way = bestWay
  ) -> Bool {
    var end: UnsafePointer<UInt8>? = p
    let isPassed = cpass_container(
      &end, limit,
      { p, limit in
        guard let p, let limit else { return 0 }
        return ShapeValue(longNumberAt: p, before: limit).map { Int($0.length) } ?? 0
      }, way.rawValue)
    if let end { p = end }
    return isPassed != 0
  }

  /// The fastest way of this processor. Where no index pays, it is byte by byte.
  private static let bestWay = StructuralIndex.Way.best

  /// Moves `p` from the end of a value over the members after it in the same way, up to the first
  /// one that somebody wants in the object at this place of the form, or to the end of the object.
  /// Returns nil there. Stops before a member, too, that does not end before `limit` or is not
  /// surely right: it returns where this was seen, or near to it. The first member has no comma before it if it
  /// `isFirst` in the object. Keys with escapes are decoded after the bytes of `decoded`.
  @inline(never)
  static func passMembers(
    _ p: inout UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>, in place: Int,
    isFirst: Bool, but wanted: borrowing WantedKeys, decoded: inout ByteBuffer
  ) -> UnsafePointer<UInt8>? {
    var value = PassedValue(p, before: limit)
    var isFirst = isFirst
    while true {
      value.skipSpace()
      guard value.p < limit else { return value.p }
      if !isFirst || value.p.pointee == UInt8(ascii: "}") {
        guard value.p.pointee == UInt8(ascii: ",") else { return nil }
        value.p += 1
        value.skipSpace()
      }
      let key = value.p
      value.hadEscapes = false
      guard value.passKey() else { return value.p }
      let isWanted =
        value.hadEscapes
        ? wanted.contain(keyWithEscapes: key, before: value.limit, in: place, &decoded)
        : wanted.contain(
          UnsafeRawBufferPointer(start: key + 1, count: value.p - key - 2), in: place)
      if isWanted { return nil }
      guard value.passColon(), value.pass() else { return value.p }
      (p, isFirst) = (value.p, false)
    }
  }

  /// Passes the value at the next byte, with all that is in it.
  @inline(__always)
  private mutating func pass() -> Bool {
    guard p < limit else { return false }
    if p.pointee == UInt8(ascii: "\"") {
      guard passString() else { return false }
    } else if ShapeValue.isContainer(p.pointee) {
      guard Self.passContainer(&p, before: limit) else { return false }
    } else {
      guard passScalar() else { return false }
    }
    return p <= limit
  }

  /// Passes a key.
  @inline(__always)
  private mutating func passKey() -> Bool {
    guard p < limit, p.pointee == UInt8(ascii: "\"") else { return false }
    return passString()
  }

  /// Passes the colon after it. A key may end up to 63 bytes after the limit.
  @inline(__always)
  private mutating func passColon() -> Bool {
    guard p < limit else { return false }
    if p.pointee <= UInt8(ascii: " ") { skipSpace() }
    guard p.pointee == UInt8(ascii: ":") else { return false }
    p += 1
    skipSpace()
    return true
  }

  /// Passes the string at the next byte.
  @inline(__always)
  private mutating func passString() -> Bool {
    var start = p - first &+ 1
    if start > 63 || window.quotes &>> UInt64(truncatingIfNeeded: start) == 0 {
      look()
      start = 1
    }
    let quotes = window.quotes &>> UInt64(truncatingIfNeeded: start)
    let count = quotes.trailingZeroBitCount
    let stops = window.stops &>> UInt64(truncatingIfNeeded: start)
    guard quotes != 0, stops.trailingZeroBitCount >= count else { return passOtherString() }
    p += count &+ 2
    return true
  }

  /// The same for a string that is long, has escapes or characters that are not ASCII.
  @inline(never)
  private mutating func passOtherString() -> Bool {
    guard let string = ShapeValue(passing: p, before: limit, known: 1) else { return false }
    if !string.isQuoted { hadEscapes = true }
    p += Int(string.length)
    return true
  }

  /// Passes the number or literal name at the next byte.
  @inline(__always)
  private mutating func passScalar() -> Bool {
    var start = p - first
    if start > 63 || window.ends &>> UInt64(truncatingIfNeeded: start) == 0 {
      look()
      start = 0
    }
    let count = (window.ends &>> UInt64(truncatingIfNeeded: start)).trailingZeroBitCount
    guard count > 0, Int(cvalue_number(p).length) == count else { return passOtherScalar() }
    p += count
    return true
  }

  /// The same for a name, and for a number that is very long.
  @inline(__always)
  private mutating func passOtherScalar() -> Bool {
    guard let scalar = ShapeValue(scalarAt: p, before: limit) else { return false }
    p += Int(scalar.length)
    return true
  }

  /// Looks at the next 64 bytes.
  @inline(__always)
  private mutating func look() {
    first = p
    window = cwindow_of(p)
  }

  /// Passes white space. Mostly there is none, or one space.
  @inline(__always)
  private mutating func skipSpace() {
    if p.pointee == UInt8(ascii: " ") { p += 1 }
    if p.pointee <= UInt8(ascii: " "), p < limit { p += cscan_space(p, limit) }
  }
}

/// The keys that somebody wants in the objects of a form.
struct WantedKeys: ~Copyable {
  /// The keys, by the places of their objects in the form.
  private let table: KeyTable
  /// For each place 256 bits: those of the hashes of its keys. Most other keys have none of them.
  private let bits: FixedArray<UInt64>

  /// Makes it of the keys of each place.
  init(_ keys: [[[UInt8]]]) {
    var table = KeyTable()
    var words = [UInt64](repeating: 0, count: 4 * keys.count)
    for (place, names) in keys.enumerated() {
      for name in names {
        table.add(name, in: place, number: 0)
        let (word, bit) = Self.bit(name.withUnsafeBytes { KeyEnds($0) }, in: place)
        words[word] |= bit
      }
    }
    self.table = table
    bits = FixedArray(words)
  }

  /// Returns the bit of a key of this place, and the number of its word.
  @inline(__always)
  private static func bit(_ key: KeyEnds, in place: Int) -> (word: Int, bit: UInt64) {
    let hash = key.hash(in: place)
    return (place &* 4 &+ Int(truncatingIfNeeded: hash &>> 62), 1 &<< (hash &>> 56 & 63))
  }

  /// Returns whether this key is wanted in the object at a place of the form.
  @inline(__always)
  func contain(_ key: UnsafeRawBufferPointer, in place: Int) -> Bool {
    let ends = KeyEnds(key)
    let (word, bit) = Self.bit(ends, in: place)
    return bits[word] & bit != 0 && table.number(of: key, in: place) != nil
  }

  /// The same for the key at its opening quote. It is decoded after the bytes of `decoded`.
  @inline(never)
  func contain(
    keyWithEscapes start: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>, in place: Int,
    _ decoded: inout ByteBuffer
  ) -> Bool {
    let count = decoded.count
    defer { decoded.truncate(to: count) }
    // One that cannot be read is left to the tokenizer, like one that is wanted.
    guard EscapedText.append(stringAt: start, before: limit, to: &decoded) != nil else {
      return true
    }
    return contain(UnsafeRawBufferPointer(rebasing: decoded.contents[count...]), in: place)
  }
}
