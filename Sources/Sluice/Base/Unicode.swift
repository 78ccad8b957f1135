import CSluice
import Glibc

/// The byte order mark of UTF-8. A program may ignore it before JSON (RFC 8259, section 8.1); Excel
/// wants it before CSV.
package enum ByteOrderMark {
  /// The mark, three bytes.
  static let text: StaticString = "\u{FEFF}"
  /// The number of its bytes.
  static let count = 3

  /// One of its bytes.
  @inline(__always)
  static func byte(_ index: Int) -> UInt8 { text.utf8Start[index] }

  /// Returns whether a text begins with the mark.
  package static func begins<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bool {
    bytes.starts(with: UnsafeBufferPointer(start: text.utf8Start, count: count))
  }

  /// Returns whether the bytes are less than the mark, and more bytes may complete it.
  static func mayBegin(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count < count && bytes.indices.allSatisfy { bytes[$0] == byte($0) }
  }

  /// Returns a text without the mark that it begins with, if it does.
  package static func dropped<Bytes: Collection<UInt8>>(from bytes: Bytes) -> Bytes.SubSequence {
    bytes.dropFirst(begins(bytes) ? count : 0)
  }
}

/// Writes and reads single scalars in UTF-8 (RFC 3629).
enum UTF8Encoding {
  /// Calls `body` with each of the one to four bytes of a scalar. It must not be a surrogate.
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

  /// Appends the scalar with this value. It must not be a surrogate.
  static func append(_ value: UInt32, to buffer: inout ByteBuffer) {
    forEachByte(of: value) { buffer.append($0) }
  }

  /// Returns the scalar at `index` of well-formed UTF-8, and its length in bytes.
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

  /// Returns the largest length of at most `limit` bytes that cuts no scalar of well-formed UTF-8.
  /// Bytes that are not well-formed are cut at `limit`. So from four bytes on the length is never
  /// 0.
  static func cut(_ bytes: UnsafeRawBufferPointer, to limit: Int) -> Int {
    guard bytes.count > limit else { return bytes.count }
    var end = limit
    while end > 0, limit - end < 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return limit - end < 4 ? end : limit
  }

  /// Returns whether a text is well-formed.
  static func isWellFormed(_ text: UnsafeRawBufferPointer) -> Bool {
    let bytes = text.bindMemory(to: UInt8.self)
    return (try? UTF8Span(validating: bytes.span)) != nil
  }

  /// Returns the first `limit` bytes, without a scalar that is cut at their end. `bytes` must be
  /// well-formed, but their own last scalar may be cut already.
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

extension Unicode.Scalar {
  /// Whether it could act on a terminal or hide instead of being shown: controls, line and
  /// paragraph separators, and scalars without a shape of their own (directions, joiners, byte
  /// order mark, tags).
  package var isHidden: Bool {
    if (0x20..<0x7F).contains(value) { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: true
    default: false
    }
  }

  /// It as an escape that can be seen, `\n` or `\u001b`.
  package var escape: String {
    switch self {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      let digits = String(value, radix: 16)
      return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}

/// White space as defined by Unicode's property White_Space (UCD, PropList.txt).
enum WhiteSpace {
  /// Returns the length in bytes of the white space character at `index` of well-formed UTF-8, or 0
  /// if another character begins there.
  @inline(__always)
  static func length(in bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    let byte = bytes[index]
    if byte < 0x80 { return byte == 0x20 || byte &- 9 < 5 ? 1 : 0 }
    guard cspace_may_begin(byte) != 0, let start = bytes.baseAddress,
      cspace_begins((start + index).assumingMemoryBound(to: UInt8.self)) != 0
    else { return 0 }
    return byte == 0xC2 ? 2 : 3
  }

  /// Returns whether the text is empty or only white space.
  @inline(__always)
  static func isAll(_ text: UnsafeRawBufferPointer) -> Bool {
    // Nearly always the first byte tells.
    guard let first = text.first, first &- 0x21 >= 0x5E else { return text.isEmpty }
    return isAllSlowly(text)
  }

  @inline(never)
  private static func isAllSlowly(_ text: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < text.count {
      let space = length(in: text, at: index)
      if space == 0 { return false }
      index += space
    }
    return true
  }

  /// Returns whether a text is tidy: its white space is single spaces inside, and it has no control
  /// characters. It must be a text of a row or of a buffer: 32 bytes after it are read.
  @inline(__always)
  static func isTidy(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let start = text.baseAddress else { return true }
    return cspace_is_tidy(start.assumingMemoryBound(to: UInt8.self), text.count) != 0
  }

  /// The same of a text in other memory.
  static func isTidy(_ text: String) -> Bool {
    var buffer = ByteBuffer(capacity: 64)
    buffer.append(string: text)
    return isTidy(buffer.contents)
  }

  /// Returns the index after the white space at an index of well-formed UTF-8; nil if there is
  /// none.
  static func end(in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
    var index = start
    while index < text.count {
      let space = length(in: text, at: index)
      guard space > 0 else { break }
      index += space
    }
    return index > start ? index : nil
  }

  /// Appends `text` to `buffer`, trimmed, with each inner run of white space replaced by one space.
  @inline(__always)
  static func appendCollapsed(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    guard let source = text.baseAddress else { return }
    buffer.reserve(text.count)
    let target = buffer.start + buffer.count
    // The padding after the copy is read by whole vectors.
    memcpy(target, source, text.count)
    if cspace_is_tidy(target.assumingMemoryBound(to: UInt8.self), text.count) != 0 {
      buffer.commit(text.count)
    } else {
      appendSlowly(text, to: &buffer)
    }
  }

  /// Appends a text that is not tidy. There is room for it.
  @inline(never)
  private static func appendSlowly(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    guard let source = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let start = (buffer.start + buffer.count).assumingMemoryBound(to: UInt8.self)
    var end = start
    var index = 0
    while index < text.count {
      let isAfterSpace = end == start || end[-1] == 0x20
      let count = cspace_copy_tidy(end, source + index, text.count - index, isAfterSpace ? 1 : 0)
      end += count
      index += count
      guard index < text.count else { break }
      if let next = self.end(in: text, at: index) {
        index = next
        if end > start, end[-1] != 0x20 {
          end.pointee = 0x20
          end += 1
        }
      } else {
        // A control.
        end.pointee = source[index]
        end += 1
        index += 1
      }
    }
    if end > start, end[-1] == 0x20 { end -= 1 }
    buffer.commit(upTo: end)
  }
}

/// Folds texts for comparison. Texts become equal if they differ only in case, in `ё` and `е`,
/// or in the encoding of `й` and `ё`.
///
/// Each scalar is lower-cased (Unicode's simple mapping), a decomposed `й` or `ё` is composed,
/// and `ё` becomes `е`. The contract's `address_id` is computed from these bytes, so they must
/// never change.
package enum Fold {
  /// Calls `body` with each byte of the folded text.
  @inline(__always)
  static func forEachByte(of text: UnsafeRawBufferPointer, _ body: (UInt8) -> Void) {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        index += 1
        body(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte)
        continue
      }
      let (scalar, length) = UTF8Encoding.scalar(in: text, at: index)
      index += length
      switch lowercased(scalar) {
      case Letter.io:
        UTF8Encoding.forEachByte(of: Letter.ie, body)
      case Letter.ie:
        UTF8Encoding.forEachByte(of: Letter.ie, body)
        if follows(text, index, Letter.diaeresis) { index += 2 }
      case Letter.i where follows(text, index, Letter.breve):
        UTF8Encoding.forEachByte(of: Letter.shortI, body)
        index += 2
      case let folded:
        UTF8Encoding.forEachByte(of: folded, body)
      }
    }
  }

  /// Returns whether the folded text equals `key`.
  static func isFolded(
    _ text: UnsafeRawBufferPointer, equalTo key: ContiguousArray<UInt8>
  ) -> Bool {
    isEqual(key) { body in forEachByte(of: text, body) }
  }

  /// Returns whether `forEachByte` calls its argument with the bytes of `key`.
  @inline(__always)
  private static func isEqual(
    _ key: ContiguousArray<UInt8>, _ forEachByte: ((UInt8) -> Void) -> Void
  ) -> Bool {
    var index = 0
    var isEqual = true
    forEachByte { byte in
      isEqual = isEqual && index < key.count && key[index] == byte
      index += 1
    }
    return isEqual && index == key.count
  }

  /// Returns the text trimmed, with collapsed white space, and folded. Not for hot loops.
  package static func key(_ text: String) -> ContiguousArray<UInt8> {
    withTidy(text) { key(ofTidy: $0) }
  }

  /// Returns the text like ``key(_:)``, with Cyrillic letters in place of Latin ones that look like
  /// them. Not for hot loops.
  static func lookAlikeKey(of text: String) -> ContiguousArray<UInt8> {
    withTidy(text) { lookAlikeKey(ofTidy: $0) }
  }

  private static func withTidy(
    _ text: String, _ body: (UnsafeRawBufferPointer) -> ContiguousArray<UInt8>
  ) -> ContiguousArray<UInt8> {
    var bytes = ByteBuffer(capacity: max(1, text.utf8.count))
    var text = text
    text.withUTF8 { WhiteSpace.appendCollapsed(UnsafeRawBufferPointer($0), to: &bytes) }
    return withExtendedLifetime(bytes) { body($0.contents) }
  }

  /// Returns the folded text. Its white space must already be collapsed.
  static func key(ofTidy text: UnsafeRawBufferPointer) -> ContiguousArray<UInt8> {
    var key: ContiguousArray<UInt8> = []
    key.reserveCapacity(text.count)
    forEachByte(of: text) { key.append($0) }
    return key
  }

  /// Latin letters, and the Cyrillic ones that look like them in capitals or small: А, В, Е, К, М,
  /// Н, О, Р, С, Т, Х, у.
  package static let lookAlikes = (latin: "abekmhopctxy", cyrillic: "авекмнорстху")

  /// The two bytes of the look-alike of each small Latin letter in UTF-8, from a to z; 0 if it has
  /// none.
  private static let lookAlikeBytes: ContiguousArray<UInt16> = {
    var table = ContiguousArray<UInt16>(repeating: 0, count: 26)
    for (latin, cyrillic) in zip(lookAlikes.latin.utf8, lookAlikes.cyrillic) {
      table[Int(latin - UInt8(ascii: "a"))] = cyrillic.utf8.reduce(0) { $0 << 8 | UInt16($1) }
    }
    return table
  }()

  /// Calls `body` with each byte of the folded text with Cyrillic letters in place of Latin ones
  /// that look like them.
  @inline(__always)
  private static func forEachLookAlikeByte(
    of text: UnsafeRawBufferPointer, _ body: (UInt8) -> Void
  ) {
    forEachByte(of: text) { byte in
      let letter = byte &- UInt8(ascii: "a")
      guard letter < 26, lookAlikeBytes[Int(letter)] > 0 else { return body(byte) }
      body(UInt8(truncatingIfNeeded: lookAlikeBytes[Int(letter)] >> 8))
      body(UInt8(truncatingIfNeeded: lookAlikeBytes[Int(letter)]))
    }
  }

  /// Returns the folded text with Cyrillic letters in place of Latin ones that look like them. Its
  /// white space must already be collapsed.
  static func lookAlikeKey(ofTidy text: UnsafeRawBufferPointer) -> ContiguousArray<UInt8> {
    var key: ContiguousArray<UInt8> = []
    key.reserveCapacity(text.count)
    forEachLookAlikeByte(of: text) { key.append($0) }
    return key
  }

  /// Returns whether ``lookAlikeKey(ofTidy:)`` of a text equals `key`.
  static func isLookAlike(
    _ text: UnsafeRawBufferPointer, equalTo key: ContiguousArray<UInt8>
  ) -> Bool {
    isEqual(key) { body in forEachLookAlikeByte(of: text, body) }
  }

  /// Returns the simple lower-case mapping of a scalar (UnicodeData.txt, field 13).
  @inline(__always)
  static func lowercased(_ scalar: UInt32) -> UInt32 {
    if scalar &- 0x410 < 0x20 { return scalar + 0x20 }
    if scalar &- 0x430 < 0x20 { return scalar }
    if scalar &- 0x400 < 0x10 { return scalar + 0x50 }
    // Signs and punctuation up to the letter-like symbols have no case: «, –, №.
    if scalar &- 0x80 < 0x40 || scalar &- 0x2000 < 0x126 { return scalar }
    return slowlyLowercased(scalar)
  }

  @inline(never)
  private static func slowlyLowercased(_ value: UInt32) -> UInt32 {
    // The standard library has the full mapping. Only for this scalar is it longer than the simple
    // one.
    if value == 0x130 { return 0x69 }
    guard let scalar = Unicode.Scalar(value) else { return value }
    let mapped = scalar.properties.lowercaseMapping.unicodeScalars
    guard let first = mapped.first, mapped.count == 1 else { return value }
    return first.value
  }

  private enum Letter {
    static let i: UInt32 = 0x438
    static let shortI: UInt32 = 0x439
    static let ie: UInt32 = 0x435
    static let io: UInt32 = 0x451
    /// The second byte of each combining mark. The first byte of both is CC.
    static let breve: UInt8 = 0x86
    static let diaeresis: UInt8 = 0x88
  }

  @inline(__always)
  private static func follows(_ text: UnsafeRawBufferPointer, _ index: Int, _ mark: UInt8) -> Bool {
    index + 1 < text.count && text[index] == 0xCC && text[index + 1] == mark
  }
}
