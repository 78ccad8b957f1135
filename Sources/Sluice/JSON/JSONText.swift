/// Makes JSON text of single values, for people and diagnostics.
enum JSONText {
  /// The word that a token stands for; nil for other tokens.
  static func word(_ kind: TokenKind) -> StaticString? {
    switch kind {
    case .true: "true"
    case .false: "false"
    case .null: "null"
    default: nil
    }
  }

  /// A value that is no container, as JSON text.
  static func scalar(_ kind: TokenKind, _ text: UnsafeRawBufferPointer) -> [UInt8] {
    if let word = word(kind) { return Array("\(word)".utf8) }
    guard kind == .string else { return Array(text.prefix(Limits.captured)) }
    var buffer = ByteBuffer(capacity: 256)
    appendString(
      UnsafeRawBufferPointer(rebasing: text.prefix(UTF8Encoding.cut(text, to: Limits.captured))),
      to: &buffer)
    return Array(buffer.contents)
  }

  /// Appends a string value with its quotes: `\" \\ \b \f \n \r \t`, other controls as `\u00XX`,
  /// nothing else escaped.
  static func appendString(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: "\""))
    for byte in text { appendEscaped(byte, to: &buffer) }
    buffer.append(UInt8(ascii: "\""))
  }

  /// Appends one byte of a string value, escaped where it must be.
  static func appendEscaped(_ byte: UInt8, to buffer: inout ByteBuffer) {
    switch byte {
    case UInt8(ascii: "\""): buffer.append("\\\"")
    case UInt8(ascii: "\\"): buffer.append("\\\\")
    case 0x08: buffer.append("\\b")
    case 0x0C: buffer.append("\\f")
    case 0x0A: buffer.append("\\n")
    case 0x0D: buffer.append("\\r")
    case 0x09: buffer.append("\\t")
    case ..<0x20:
      let digits: StaticString = "0123456789abcdef"
      buffer.append("\\u00")
      buffer.append(digits.utf8Start[Int(byte >> 4)])
      buffer.append(digits.utf8Start[Int(byte & 15)])
    default: buffer.append(byte)
    }
  }
}
