import CSluice

/// A value of a record as it is written.
///
///     "Пушкин"    quoted, length 14
///     137         bare, length 3
///     "a\nb"      decoded, length 6: three bytes in the buffer of decoded texts
///     true        bare, length 4
///     null        nothing, length 4: it has no text
///     {"a":[]}    container, length 8: nobody wants it
struct ShapeValue: BitwiseCopyable {
  /// How the text of a value stands in it. The number is that of the value's bytes that are not of
  /// its text, in the first three. It is no enum, because that would be translated into its number
  /// by a jump, for each value.
  private struct Form: BitwiseCopyable, Equatable {
    let rawValue: UInt8

    /// The value is its own text.
    static var bare: Form { Form(rawValue: 0) }
    /// It is between quotes.
    static var quoted: Form { Form(rawValue: 2) }
    /// It is null, which has none.
    static var nothing: Form { Form(rawValue: 4) }
    /// It has escapes and is not decoded, because nobody wants it.
    static var escaped: Form { Form(rawValue: 5) }
    /// It has escapes, and is in the buffer of decoded texts.
    static var decoded: Form { Form(rawValue: 6) }
    /// It is an object or array, which nobody wants.
    static var container: Form { Form(rawValue: 7) }
  }

  /// The length of the whole value; 0 if there is none.
  let length: Int32
  let kind: TokenKind
  private let form: Form
  private let traits: ValueTraits

  private init(
    _ kind: TokenKind, _ form: Form = .bare, length: Int, _ traits: ValueTraits
  ) {
    self.length = Int32(truncatingIfNeeded: length)
    self.kind = kind
    self.form = form
    self.traits = traits
  }

  /// Whether what is compared of it are its bytes.
  @inline(__always)
  var isCompared: Bool { form.rawValue < Form.decoded.rawValue }

  /// Whether it is a string that is written without escapes.
  @inline(__always)
  var isQuoted: Bool { form == .quoted }

  /// Whether it is longer than the strings of ``init(shortTextAt:)``.
  @inline(__always)
  var isLong: Bool { length > 33 }

  /// Returns whether the byte begins an object or array.
  @inline(__always)
  static func isContainer(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "{") }

  /// No value.
  static var unknown: ShapeValue { ShapeValue(.null, length: 0, []) }

  /// Returns how many bytes of the string at `p` have neither escapes nor errors, with its opening
  /// quote. The byte after them ends the string, or needs a closer look. The first `known` bytes,
  /// one at least, are those of a string without escapes that was read before. 32 bytes from
  /// `limit` on must be readable.
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

  /// Reads the string at `p`, which nobody wants: it is only checked. Nil if it is anything else.
  /// `known` is that of ``plain(at:before:known:)``.
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

  /// Reads the string at `p` if it has at most 31 bytes, no escapes, and no characters that begin
  /// with E0, ED or F0 to F4, as emoji do. Nil for any other, and for what is no string. Whether it
  /// is tidy is found out if it is asked. 33 bytes must be readable.
  @inline(__always)
  init?(shortTextAt p: UnsafePointer<UInt8>, isTidied: Bool = true) {
    let text = cvalue_text(p + 1, isTidied ? 1 : 0)
    guard text.length >= 0 else { return nil }
    self.init(.string, .quoted, length: Int(text.length) &+ 2, text.is_tidy != 0 ? .tidy : [])
  }

  /// Reads the number at `p` if it has at most 30 characters. Nil for any other value. The byte
  /// after it is not checked. 32 bytes must be readable.
  @inline(__always)
  init?(numberAt p: UnsafePointer<UInt8>) {
    let number = cvalue_number(p)
    guard number.length > 0 else { return nil }
    self.init(.number, length: Int(number.length), number.is_whole != 0 ? [.tidy, .whole] : .tidy)
  }

  /// Reads the number or the string at `p` if it is short: see ``init(numberAt:)`` and
  /// ``init(shortTextAt:)``. Nil for any other value. 33 bytes must be readable.
  @inline(__always)
  init?(shortAt p: UnsafePointer<UInt8>) {
    if p.pointee == UInt8(ascii: "\"") {
      self.init(shortTextAt: p)
    } else {
      self.init(numberAt: p)
    }
  }

  /// Reads the literal name at `p`; nil for any other value. 5 bytes must be readable.
  @inline(__always)
  init?(nameAt p: UnsafePointer<UInt8>) {
    switch UInt32(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt32.self)) {
    case 0x6C6C_756E: self.init(.null, .nothing, length: 4, .tidy)
    case 0x6575_7274: self.init(.true, length: 4, [])
    case 0x736C_6166 where p[4] == UInt8(ascii: "e"): self.init(.false, length: 5, [])
    default: return nil
    }
  }

  /// Reads the value at `p`, which ends before `limit`, as strictly as the tokenizer. Nil if it is
  /// anything else. The bytes after it are not checked. 64 bytes from `limit` on must be readable.
  /// A text with escapes is decoded and appended to `decoded`, if it is wanted. Whether a text is
  /// tidy is found out if it is asked.
  @inline(__always)
  init?(
    at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>, isWanted: Bool, isTidied: Bool,
    decoded: inout ByteBuffer
  ) {
    guard p < limit else { return nil }
    if p.pointee == UInt8(ascii: "\"") {
      if let short = ShapeValue(shortTextAt: p, isTidied: isTidied) {
        self = short
      } else {
        self.init(
          stringAt: p, before: limit, known: 1, isWanted: isWanted, isTidied: isTidied,
          decoded: &decoded)
      }
    } else {
      self.init(scalarAt: p, before: limit)
    }
    guard limit - p > Int(length) else { return nil }
  }

  /// Reads the number or the literal name at `p`, which ends before `limit`. Nil for any other
  /// value. The bytes after it are not checked. 32 bytes from `limit` on must be readable.
  @inline(__always)
  init?(scalarAt p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>) {
    if let plain = ShapeValue(numberAt: p) ?? ShapeValue(nameAt: p) {
      self = plain
    } else {
      self.init(longNumberAt: p, before: limit)
    }
  }

  /// Reads the object or array at `p` that ends before `end`.
  init(containerAt p: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) {
    self.init(.beginObject, .container, length: end - p, [])
  }

  /// Reads the string at `p` like ``init(at:before:isWanted:isTidied:decoded:)``. `known` is that
  /// of ``plain(at:before:known:)``.
  @inline(__always)
  init?(
    stringAt p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>, known: Int,
    isWanted: Bool, isTidied: Bool, decoded: inout ByteBuffer
  ) {
    guard isWanted else {
      self.init(passing: p, before: limit, known: known)
      return
    }
    let plain = Self.plain(at: p, before: limit, known: known)
    guard limit - p > plain else { return nil }
    if p[plain] == UInt8(ascii: "\"") {
      let isTidy = isTidied && cspace_is_tidy(p + 1, plain &- 1) != 0
      self.init(.string, .quoted, length: plain &+ 1, isTidy ? .tidy : [])
    } else {
      let start = decoded.count
      let length = EscapedText.append(
        stringAt: p, plain: plain &- 1, before: limit, to: &decoded)
      guard let length else { return nil }
      let text = (decoded.start + start).assumingMemoryBound(to: UInt8.self)
      self.init(
        .string, .decoded, length: length,
        isTidied && cspace_is_tidy(text, decoded.count - start) != 0 ? .tidy : [])
    }
  }

  /// Reads any number that ends before `limit`. Nil for any other value.
  @inline(never)
  init?(longNumberAt p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>) {
    var number = NumberState.start
    var count = 0
    while p + count < limit, let state = number.after(p[count]) {
      number = state
      count += 1
    }
    guard number.mayEnd, count <= Limits.number else { return nil }
    self.init(.number, length: count, .tidy)
  }

  /// Returns the value to hand on if it is written at `p`. If it is decoded, its text are the bytes
  /// of `decoded` from `first` on.
  @inline(__always)
  func object(
    at p: UnsafePointer<UInt8>, decoded: borrowing ByteBuffer, from first: Int
  ) -> ObjectValue {
    guard form.rawValue <= Form.nothing.rawValue else {
      return unusualObject(at: p, decoded: decoded, from: first)
    }
    return shortObject(at: p)
  }

  /// The same for a value that is not decoded.
  @inline(__always)
  func shortObject(at p: UnsafePointer<UInt8>) -> ObjectValue {
    let around = Int(form.rawValue)
    return ObjectValue(
      start: p + around &>> 1, count: Int(length) &- around, written: p, kind: kind,
      traits: traits)
  }

  @inline(never)
  private func unusualObject(
    at p: UnsafePointer<UInt8>, decoded: borrowing ByteBuffer, from first: Int
  ) -> ObjectValue {
    ObjectValue(
      start: UnsafePointer((decoded.start + first).assumingMemoryBound(to: UInt8.self)),
      count: decoded.count - first, written: p, kind: kind, traits: traits)
  }
}
