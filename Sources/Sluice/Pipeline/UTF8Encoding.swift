/// Writes and reads single scalars as UTF-8 (RFC 3629).
enum UTF8Encoding {
  /// Calls `body` with the one to four bytes of the scalar with this value, which is no surrogate.
  @inline(__always)
  static func forEachByte(of value: UInt32, _ body: (UInt8) -> Void) {
    if value < 0x80 {
      body(UInt8(value))
      return
    }
    if value < 0x800 {
      body(UInt8(0xC0 | value >> 6))
    } else {
      if value < 0x10000 {
        body(UInt8(0xE0 | value >> 12))
      } else {
        body(UInt8(0xF0 | value >> 18))
        body(UInt8(0x80 | value >> 12 & 0x3F))
      }
      body(UInt8(0x80 | value >> 6 & 0x3F))
    }
    body(UInt8(0x80 | value & 0x3F))
  }

  /// Appends the scalar with this value, which is no surrogate.
  static func append(_ value: UInt32, to buffer: inout ByteBuffer) {
    forEachByte(of: value) { buffer.append($0) }
  }

  /// The scalar that begins at `index` of well-formed UTF-8, and its length in bytes.
  @inline(__always)
  static func scalar(in bytes: UnsafeRawBufferPointer, at index: Int) -> (
    value: UInt32, length: Int
  ) {
    let first = UInt32(bytes[index])
    switch first {
    case ..<0x80:
      return (first, 1)
    case ..<0xE0:
      return ((first & 0x1F) << 6 | UInt32(bytes[index + 1] & 0x3F), 2)
    case ..<0xF0:
      return (
        (first & 0x0F) << 12 | UInt32(bytes[index + 1] & 0x3F) << 6
          | UInt32(bytes[index + 2] & 0x3F), 3
      )
    default:
      return (
        (first & 0x07) << 18 | UInt32(bytes[index + 1] & 0x3F) << 12
          | UInt32(bytes[index + 2] & 0x3F) << 6 | UInt32(bytes[index + 3] & 0x3F), 4
      )
    }
  }

  /// The largest length of at most `limit` bytes that does not cut a scalar of well-formed UTF-8.
  static func cut(_ bytes: UnsafeRawBufferPointer, to limit: Int) -> Int {
    guard bytes.count > limit else { return bytes.count }
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  /// The first `limit` bytes, without a scalar that their end cuts. `bytes` are well-formed but for
  /// their own end, which may have cut a scalar before.
  static func prefix(_ bytes: UnsafeRawBufferPointer, _ limit: Int) -> UnsafeRawBufferPointer {
    let cut = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit))
    var last = cut.count - 1
    while last >= 0, cut[last] & 0xC0 == 0x80 { last -= 1 }
    guard last >= 0 else { return cut }
    let length =
      switch cut[last] {
      case ..<0x80: 1
      case ..<0xE0: 2
      case ..<0xF0: 3
      default: 4
      }
    return last + length > cut.count ? UnsafeRawBufferPointer(rebasing: cut[..<last]) : cut
  }
}
