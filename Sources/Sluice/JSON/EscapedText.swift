import CSluice

/// The escapes of strings (RFC 8259, section 7).
enum Escape {
  /// Returns the byte that a letter after the backslash stands for; nil if it stands for none.
  static func short(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// Returns the value of a hexadecimal digit; nil for another byte.
  @inline(__always)
  static func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Returns the four hexadecimal digits at `p`; nil if they are others.
  @inline(__always)
  static func unit(_ p: UnsafePointer<UInt8>) -> UInt32? {
    let unit = cindex_unit(p)
    return unit < 0 ? nil : UInt32(truncatingIfNeeded: unit)
  }
}

/// Decodes a string with escapes that is whole in its chunk.
///
///     "Krak\u00f3w, \"Old\""    plain runs, and one escape after the other
///      └──┘└────┘└┘└┘└─┘└┘
enum EscapedText {
  /// Appends the text of the string whose opening quote is at `p`, and which ends before `limit`. If it
  /// is not wanted, it is only checked. Its first `plain` bytes have been checked. Returns the length of
  /// the string with its quotes. Returns nil if it ends later, or if the tokenizer would refuse it. 16
  /// bytes from `limit` on must be readable.
  @inline(never)
  static func append(
    stringAt start: UnsafePointer<UInt8>, plain: Int, before limit: UnsafePointer<UInt8>,
    isWanted: Bool, to text: inout ByteBuffer
  ) -> Int? {
    var p = start + 1
    if isWanted { text.append(UnsafeRawBufferPointer(start: p, count: plain)) }
    p += plain
    while p < limit {
      // Often one escape follows another.
      if p.pointee != UInt8(ascii: "\\") {
        let count = cscan_string(p, limit + 16)
        if isWanted { text.append(UnsafeRawBufferPointer(start: p, count: count)) }
        p += count
        guard p < limit else { return nil }
        if p.pointee == UInt8(ascii: "\"") { return p + 1 - start }
        guard p.pointee == UInt8(ascii: "\\") else { return nil }
      }
      if p[1] != UInt8(ascii: "u") {
        guard let byte = Escape.short(p[1]) else { return nil }
        if isWanted { text.append(byte) }
        p += 2
      } else {
        guard let (scalar, length) = scalar(at: p) else { return nil }
        if isWanted { UTF8Encoding.append(scalar, to: &text) }
        p += length
      }
    }
    return nil
  }

  /// Returns the character of the escape with `u` at `p`, and the length of the escape; nil if it is
  /// none. 12 bytes are read.
  @inline(__always)
  private static func scalar(at p: UnsafePointer<UInt8>) -> (scalar: UInt32, length: Int)? {
    guard let unit = Escape.unit(p + 2) else { return nil }
    if unit & 0xF800 != 0xD800 { return (unit, 6) }
    // A character of two surrogates, the high one first.
    guard unit < 0xDC00, p[6] == UInt8(ascii: "\\"), p[7] == UInt8(ascii: "u"),
      let low = Escape.unit(p + 8), low & 0xFC00 == 0xDC00
    else { return nil }
    return (0x10000 + ((unit - 0xD800) << 10 | (low - 0xDC00)), 12)
  }
}
