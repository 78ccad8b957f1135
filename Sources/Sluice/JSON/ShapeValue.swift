import CSluice

/// A scalar value of a record as it is written.
///
///     "Пушкин"    quoted, length 14
///     137         bare, length 3
///     "a\nb"      decoded, length 6: three bytes in the buffer of decoded texts
struct ShapeValue: BitwiseCopyable {
  /// How the text of a value stands in it.
  private enum Form: UInt8 {
    /// The value is its own text, or has none.
    case bare
    /// It is between quotes.
    case quoted
    /// It has escapes and is not decoded, because nobody wants it.
    case escaped
    /// It has escapes, and is in the buffer of decoded texts.
    case decoded
  }

  /// The length of the whole value; 0 if there is none.
  let length: Int32
  let kind: TokenKind
  private let form: Form
  private let traits: ValueTraits
  /// Where a decoded text begins in the buffer, and its length.
  private let place: Int32
  private let count: Int32

  private init(
    _ kind: TokenKind, _ form: Form = .bare, length: Int, place: Int = 0, count: Int = 0,
    _ traits: ValueTraits
  ) {
    self.length = Int32(truncatingIfNeeded: length)
    self.kind = kind
    self.form = form
    self.traits = traits
    self.place = Int32(truncatingIfNeeded: place)
    self.count = Int32(truncatingIfNeeded: count)
  }

  /// Whether its escapes are decoded.
  @inline(__always)
  var isDecoded: Bool { form == .decoded }

  /// Whether it is a string that is written without escapes.
  @inline(__always)
  var isQuoted: Bool { form == .quoted }

  /// No value.
  static var unknown: ShapeValue { ShapeValue(.null, length: 0, []) }

  /// Returns how many bytes of the string at `p` have neither escapes nor errors, with its opening quote.
  /// The byte after them ends the string, or needs a closer look. The first `known` bytes, one at
  /// least, are those of a string without escapes that was read before. 32 bytes from `limit` on must be
  /// readable.
  @inline(__always)
  static func plain(
    at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>, known: Int
  ) -> Int {
    var first = known
    if p[first &- 1] >= 0x80 {
      // Their last character may go on in another way: back to its first byte.
      while p[first &- 1] & 0xC0 == 0x80 { first &-= 1 }
      first &-= 1
    }
    return first &+ Int(cscan_string(p + first, limit + 16))
  }

  /// Reads the string at `p`, which nobody wants: it is only checked. Nil if it is anything else. `known`
  /// is that of ``plain(at:before:known:)``.
  @inline(__always)
  init?(passing p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>, known: Int) {
    let plain = Self.plain(at: p, before: limit, known: known)
    guard limit - p > plain else { return nil }
    if p[plain] == UInt8(ascii: "\"") {
      self.init(.string, .quoted, length: plain &+ 1, [])
    } else {
      guard let length = EscapedText.length(ofStringAt: p, plain: plain &- 1, before: limit) else {
        return nil
      }
      self.init(.string, .escaped, length: length, [])
    }
  }

  /// Reads the value at `p`, which ends before `limit`, as strictly as the tokenizer. Nil if it is
  /// anything else. The bytes after it are not checked. 32 bytes from `limit` on must be readable.
  /// A text with escapes is decoded and appended to `decoded`, if it is wanted. Whether a text is tidy is
  /// found out if it is asked. `known` is that of ``plain(at:before:known:)``.
  @inline(__always)
  init?(
    at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>, known: Int = 1, isWanted: Bool,
    isTidied: Bool, decoded: inout ByteBuffer
  ) {
    if p.pointee == UInt8(ascii: "\"") {
      guard isWanted else {
        self.init(passing: p, before: limit, known: known)
        return
      }
      let plain = Self.plain(at: p, before: limit, known: known)
      guard limit - p > plain else { return nil }
      if p[plain] == UInt8(ascii: "\"") {
        let isTidy = isTidied && cscan_is_tidy(p + 1, plain &- 1) != 0
        self.init(.string, .quoted, length: plain &+ 1, isTidy ? .tidy : [])
      } else {
        let start = decoded.count
        let length = EscapedText.append(
          stringAt: p, plain: plain &- 1, before: limit, to: &decoded)
        guard let length else { return nil }
        let count = decoded.count - start
        let text = (decoded.start + start).assumingMemoryBound(to: UInt8.self)
        self.init(
          .string, .decoded, length: length, place: start, count: count,
          isTidied && cscan_is_tidy(text, count) != 0 ? .tidy : [])
      }
      return
    }
    var isWhole: Int32 = 0
    let count = cvalue_number(p, &isWhole)
    if count > 0 {
      guard limit - p > count else { return nil }
      self.init(
        .number, length: count, isWhole != 0 ? [.tidy, .whole] : .tidy)
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
    self.init(.number, length: count, .tidy)
  }

  /// Returns the value to hand on if it is written at `p`.
  @inline(__always)
  func object(at p: UnsafePointer<UInt8>, decoded: borrowing ByteBuffer) -> ObjectValue {
    let (start, count) =
      switch form {
      case .bare: (p, kind == .number ? Int(length) : 0)
      case .quoted: (p + 1, Int(length) &- 2)
      case .escaped, .decoded:
        (
          UnsafePointer((decoded.start + Int(place)).assumingMemoryBound(to: UInt8.self)),
          Int(count)
        )
      }
    return ObjectValue(start: start, count: count, written: p, kind: kind, traits: traits)
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
