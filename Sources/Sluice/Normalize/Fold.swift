/// Folds texts for comparing: what differs only in case, in `ё` and `е` or in how `й` and `ё` are
/// encoded becomes the same.
///
/// Each scalar is lower-cased (Unicode's simple mapping), a decomposed `й` or `ё` is composed, and
/// `ё` becomes `е`. The contract's `address_id` stands on these bytes: they must never change.
enum Fold {
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

  /// The text, folded, is `key`.
  static func isFolded(
    _ text: UnsafeRawBufferPointer, equalTo key: ContiguousArray<UInt8>
  ) -> Bool {
    var index = 0
    var isEqual = true
    forEachByte(of: text) { byte in
      isEqual = isEqual && index < key.count && key[index] == byte
      index += 1
    }
    return isEqual && index == key.count
  }

  /// The text, trimmed, its white space collapsed, folded. Not for hot loops.
  static func key(_ text: String) -> ContiguousArray<UInt8> {
    var bytes = ByteBuffer(capacity: max(1, text.utf8.count))
    var text = text
    text.withUTF8 { WhiteSpace.appendCollapsed(UnsafeRawBufferPointer($0), to: &bytes) }
    return key(ofTidy: bytes.contents)
  }

  /// A text whose white space is collapsed already, folded.
  static func key(ofTidy text: UnsafeRawBufferPointer) -> ContiguousArray<UInt8> {
    var key: ContiguousArray<UInt8> = []
    key.reserveCapacity(text.count)
    forEachByte(of: text) { key.append($0) }
    return key
  }

  /// The simple lower-case mapping (UnicodeData.txt, field 13).
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
    // The one scalar whose full mapping, which the standard library has, is longer than its simple.
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
    /// Combining marks, as the second of their two bytes: both begin with CC.
    static let breve: UInt8 = 0x86
    static let diaeresis: UInt8 = 0x88
  }

  @inline(__always)
  private static func follows(_ text: UnsafeRawBufferPointer, _ index: Int, _ mark: UInt8) -> Bool {
    index + 1 < text.count && text[index] == 0xCC && text[index + 1] == mark
  }
}
