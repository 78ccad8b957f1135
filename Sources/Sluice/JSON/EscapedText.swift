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
}

/// Decodes a string with escapes that is whole in its chunk.
///
///     "Krak\u00f3w, \"Old\""    plain runs, and one escape after the other
///      └──┘└────┘└┘└┘└─┘└┘
enum EscapedText {
  /// Appends the text of the string whose opening quote is at `start`, and which ends before
  /// `limit`. Its first `plain` bytes have been checked. Returns the length of the string with its
  /// quotes. Returns nil if it ends later, or if the tokenizer would refuse it. 32 bytes from
  /// `limit` on must be readable.
  @inline(never)
  static func append(
    stringAt start: UnsafePointer<UInt8>, plain: Int = 0, before limit: UnsafePointer<UInt8>,
    to text: inout ByteBuffer
  ) -> Int? {
    let target = cscan_put(text.end(withRoom: limit - start + 32), start + 1, plain)
    var end: UnsafePointer<UInt8>? = start + 1 + plain
    let count = cindex_string(target, &end, limit)
    guard count >= 0, let end else { return nil }
    text.commit(plain + count)
    return end + 1 - start
  }

  /// Returns the length of such a string, which is only checked. Nil in the same cases.
  @inline(never)
  static func length(
    ofStringAt start: UnsafePointer<UInt8>, plain: Int, before limit: UnsafePointer<UInt8>
  ) -> Int? {
    var end: UnsafePointer<UInt8>? = start + 1 + plain
    guard cindex_is_string(&end, limit) != 0, let end else { return nil }
    return end + 1 - start
  }
}
