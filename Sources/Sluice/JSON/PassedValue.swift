import CSluice

/// Goes past an object or array that nobody asked for. It is only checked, as strictly as by the
/// tokenizer, 64 bytes at a time, whatever is in it (`cpass.c`).
///
///     {"id":7,"claims":{"P31":[{"rank":"normal"}]},"modified":…
///                      └─────────────────────────┘
///
/// It finds no errors: whatever is not surely right is left to the tokenizer.
enum PassedValue {
  /// The deepest nesting that is passed.
  static let depth = Int(CPASS_DEPTH)

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
}

/// Goes from member to member of an object in which some are wanted, as strictly as the tokenizer.
///
///     {"id":7,"claims":{"P31":[{"rank":"normal"}]},"tags":[],"modified":…     modified is wanted
///            └───────────────────────────────────┘└────────┘
///                          passed                   passed
///
/// Like ``PassedValue``, it finds no errors. Members are passed one by one. Where strings and scalars
/// end is seen for 64 bytes at once. So the next token does not wait for what is found out about
/// this one.
struct PassedMembers {
  /// Where it stops.
  enum Stop {
    /// At a member whose key is wanted, and passed. It has this number.
    case wanted(Int)
    /// At the end of the object, or at what is no member.
    case end
    /// At a member that does not end before the limit, or that is not surely right.
    case unsure
  }

  /// The end of the value that was passed or taken last.
  private(set) var end: UnsafePointer<UInt8>
  /// Whether no member came before. The first one has no comma before it.
  private(set) var isFirst: Bool
  /// The next byte.
  private(set) var p: UnsafePointer<UInt8>
  private let limit: UnsafePointer<UInt8>
  /// The place of the object in the form.
  private(set) var object: Int
  /// The bytes that were looked at together, from this one on.
  private var first: UnsafePointer<UInt8>
  private var window: cwindow
  /// Whether a string had escapes.
  private var hadEscapes = false

  /// Begins at the end of a value, or after the brace if no member came before. 64 bytes from `limit`
  /// on must be readable.
  @inline(__always)
  init(
    at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>, in object: Int, isFirst: Bool
  ) {
    (end, self.p, first) = (p, p, p)
    (self.limit, self.object, self.isFirst) = (limit, object, isFirst)
    window = cwindow_of(p)
  }

  /// Passes the members up to one of these keys. If `takes`, wanted ones that are plain are taken
  /// on the way. Keys with escapes are decoded after the texts of `values`, for the time being.
  @inline(__always)
  mutating func moveToWanted(
    _ keys: borrowing WantedKeys, _ values: inout WantedValues, takes: Bool
  ) -> Stop {
    while true {
      skipSpace()
      guard p < limit else { return .unsure }
      // Only the first has no comma before it.
      guard p.pointee == (isFirst ? UInt8(ascii: "\"") : UInt8(ascii: ",")) else { return .end }
      p += isFirst ? 0 : 1
      skipSpace()
      let start = p
      hadEscapes = false
      guard passKey() else { return .unsure }
      let number: Int?
      if hadEscapes {
        switch keys.number(withEscapesAt: start, before: limit, in: object, &values.decoded) {
        case .wanted(let found): number = found
        case .unwanted: number = nil
        case .unreadable: return .unsure
        }
      } else {
        number = keys.number(at: start + 1, count: p - start &- 2, in: object)
      }
      if let number {
        guard takes, take(keys[number], &values) else { return .wanted(number) }
      } else {
        guard passColon(), pass() else { return .unsure }
        (end, isFirst) = (p, false)
      }
    }
  }

  /// Takes the value after a key that is wanted, if it is a plain one that the record does not have
  /// yet. Returns whether it did. If not, it stays at the end of the key.
  @inline(__always)
  mutating func take(_ key: WantedKeys.Key, _ values: inout WantedValues) -> Bool {
    let start = p
    guard passColon(), let length = values.take(key, at: p, before: limit) else {
      p = start
      return false
    }
    p += length
    (end, isFirst) = (p, false)
    return true
  }

  /// Enters the object after a key that is wanted. It is at this place of the form. Returns false if
  /// there is none.
  @inline(__always)
  mutating func enter(_ object: Int) -> Bool {
    guard passColon(), p < limit, p.pointee == UInt8(ascii: "{") else { return false }
    p += 1
    (end, isFirst, self.object) = (p, true, object)
    return true
  }

  /// Whether the object ends at the next byte.
  @inline(__always)
  var isAtEnd: Bool { p.pointee == UInt8(ascii: "}") }

  /// Leaves the object, which ends here, for the one around it.
  @inline(__always)
  mutating func leave(for outer: Int) {
    p += 1
    (end, isFirst, object) = (p, false, outer)
  }

  /// Passes the value at the next byte, with all that is in it.
  @inline(__always)
  private mutating func pass() -> Bool {
    guard p < limit else { return false }
    if p.pointee == UInt8(ascii: "\"") {
      guard passString() else { return false }
    } else if ShapeValue.isContainer(p.pointee) {
      guard PassedValue.passContainer(&p, before: limit) else { return false }
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
