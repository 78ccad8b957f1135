/// The format of an input, detected from its first bytes.
package enum InputFormat: String, Sendable {
  /// A JSON object.
  case object
  /// A JSON array.
  case array
  /// A ZIP archive.
  case zip
  /// Base64 text of one of the other formats.
  case base64
  /// CSV text.
  case csv

  /// Returns whether a byte is JSON's white space (RFC 8259, section 2).
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

/// The kinds of tokens.
package enum TokenKind: UInt8, Sendable, BitwiseCopyable {
  /// The brackets of objects and arrays.
  case beginObject, endObject, beginArray, endArray
  /// An object's key, unescaped.
  case key
  /// A string value, unescaped. If it is handed on in pieces, the last piece.
  case string
  /// A piece of a string value, but not the last one.
  case stringPiece
  /// A number, exactly as written.
  case number
  /// The three literal names.
  case `true`, `false`, null
}

/// Limits on a JSON or CSV text.
enum Limits {
  /// Nested arrays and objects.
  static let depth = 512
  /// Bytes of a string value between its quotes, unless it is handed on in pieces.
  static let string = 16 << 20
  /// Bytes of a value that becomes a column: each row of the record repeats it.
  static let text = 1 << 20
  /// Bytes of a key between its quotes.
  static let key = 64 << 10
  /// Characters of a number.
  static let number = 1000
  /// Bytes of a record, from its first brace to its last.
  static let record = 32 << 20
  /// Fields of a CSV line.
  static let columns = 16 << 10
  /// Bytes of a record's raw text that are kept for display.
  static let captured = 64 << 10
}
