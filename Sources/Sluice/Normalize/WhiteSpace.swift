import CScan
import Glibc

/// White space as Unicode means it: the property White_Space (UCD, PropList.txt).
enum WhiteSpace {
  /// The length in bytes of the white space character that begins at `index` of well-formed UTF-8;
  /// 0 where another character begins there.
  @inline(__always)
  static func length(in bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    let byte = bytes[index]
    if byte < 0x80 { return byte == 0x20 || byte &- 9 < 5 ? 1 : 0 }
    guard byte == 0xC2 || byte &- 0xE1 < 3 else { return 0 }
    let (scalar, length) = UTF8Encoding.scalar(in: bytes, at: index)
    switch scalar {
    case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: return length
    default: return 0
    }
  }

  /// The text is empty or nothing but white space.
  @inline(__always)
  static func isAll(_ text: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < text.count {
      let space = length(in: text, at: index)
      if space == 0 { return false }
      index += space
    }
    return true
  }

  /// Appends `text` to `buffer`, trimmed, each run of white space inside made one space.
  @inline(__always)
  static func appendCollapsed(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    guard let source = text.baseAddress else { return }
    buffer.reserve(text.count + 16)
    let target = buffer.start + buffer.count
    // The copy has room behind it to be looked at by whole vectors.
    memcpy(target, source, text.count)
    if cscan_is_tidy(target.assumingMemoryBound(to: UInt8.self), text.count) != 0 {
      buffer.commit(text.count)
    } else {
      appendSlowly(text, to: &buffer)
    }
  }

  @inline(never)
  private static func appendSlowly(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    let start = buffer.count
    var spaceIsDue = false
    var index = 0
    while index < text.count {
      let space = length(in: text, at: index)
      if space > 0 {
        spaceIsDue = buffer.count > start
        index += space
      } else {
        if spaceIsDue { buffer.append(0x20) }
        spaceIsDue = false
        buffer.append(text[index])
        index += 1
        while index < text.count, text[index] & 0xC0 == 0x80 {
          buffer.append(text[index])
          index += 1
        }
      }
    }
  }
}
