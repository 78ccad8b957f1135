import CSluice

/// A scalar value of a record as it is written.
///
///     "Пушкин"    length 14, text at 1, count 12
///     137         length 3, text at 0, count 3
///     "a\nb"      length 6, text in the buffer of decoded texts, count 3
struct ShapeValue: BitwiseCopyable {
  /// The length of the whole value; 0 if there is none.
  let length: Int32
  /// Where its text begins: after the first byte of the value, or after that of the buffer.
  private let place: Int32
  /// The length of the text; 0 for literal names.
  private let count: Int32
  let kind: TokenKind
  private let traits: ValueTraits

  private init(
    _ kind: TokenKind, length: Int, place: Int = 0, count: Int = 0, _ traits: ValueTraits
  ) {
    self.length = Int32(truncatingIfNeeded: length)
    self.place = Int32(truncatingIfNeeded: place)
    self.count = Int32(truncatingIfNeeded: count)
    self.kind = kind
    self.traits = traits
  }

  /// Whether its escapes are decoded.
  @inline(__always)
  var isDecoded: Bool { traits.contains(.decoded) }

  /// No value.
  static var unknown: ShapeValue { ShapeValue(.null, length: 0, []) }

  /// Reads the value at `p`, which ends before `limit`, as strictly as the tokenizer. Nil if it is
  /// anything else. The bytes after it are not checked. 32 bytes from `limit` on must be readable.
  /// A text with escapes is decoded and appended to `decoded`, if it is wanted.
  @inline(__always)
  init?(
    at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>, isWanted: Bool,
    decoded: inout ByteBuffer
  ) {
    if p.pointee == UInt8(ascii: "\"") {
      let count = cscan_string(p + 1, limit + 16)
      guard limit - p > count &+ 1 else { return nil }
      if p[count &+ 1] == UInt8(ascii: "\"") {
        let isTidy = isWanted && cscan_is_tidy(p + 1, count) != 0
        self.init(
          .string, length: count &+ 2, place: 1, count: count, isTidy ? .tidy : [])
      } else {
        let start = decoded.count
        let length = EscapedText.append(
          stringAt: p, plain: count, before: limit, isWanted: isWanted, to: &decoded)
        guard let length else { return nil }
        let count = decoded.count - start
        let text = (decoded.start + start).assumingMemoryBound(to: UInt8.self)
        let isTidy = isWanted && cscan_is_tidy(text, count) != 0
        // What is not wanted needs no decoding if it is repeated.
        self.init(
          .string, length: length, place: start, count: count,
          !isWanted ? [] : isTidy ? [.decoded, .tidy] : .decoded)
      }
      return
    }
    var isWhole: Int32 = 0
    let count = cvalue_number(p, &isWhole)
    if count > 0 {
      guard limit - p > count else { return nil }
      self.init(
        .number, length: count, count: count, isWhole != 0 ? [.tidy, .whole] : .tidy)
    } else {
      self.init(otherAt: p, before: limit)
    }
  }

  /// Reads a literal name or any number.
  @inline(never)
  private init?(otherAt p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>) {
    for literal in [Literal.null, .false, .true] where literal.isWritten(at: p) {
      self.init(
        literal.kind, length: literal.letters.utf8CodeUnitCount,
        literal.kind == .null ? .tidy : [])
      return
    }
    var number = NumberState.start
    var count = 0
    while p + count < limit, let state = number.after(p[count]) {
      number = state
      count += 1
    }
    guard number.mayEnd, count <= Limits.number else { return nil }
    self.init(.number, length: count, count: count, .tidy)
  }

  /// Returns the value to hand on if it is written at `p`.
  @inline(__always)
  func object(at p: UnsafePointer<UInt8>, decoded: borrowing ByteBuffer) -> ObjectValue {
    var start = p + Int(place)
    if isDecoded {
      start = UnsafePointer((decoded.start + Int(place)).assumingMemoryBound(to: UInt8.self))
    }
    return ObjectValue(
      start: start, count: Int(count), written: p, kind: kind, traits: traits)
  }
}

extension Literal {
  /// Returns whether the name is written at `p`. No byte after one that differs is read.
  fileprivate func isWritten(at p: UnsafePointer<UInt8>) -> Bool {
    for index in 0..<letters.utf8CodeUnitCount where p[index] != letters.utf8Start[index] {
      return false
    }
    return true
  }
}
