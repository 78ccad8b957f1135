/// Errors of a JSON text (RFC 8259).
package enum JSONFault: Equatable, Sendable {
  /// The text ends too early.
  case truncated
  /// The text is empty or white space.
  case empty
  /// A byte that the grammar does not allow here.
  case unexpected(UInt8)
  /// A byte other than white space after the end of the document.
  case trailing(UInt8)
  /// A raw control character inside a string.
  case control(UInt8)
  /// A backslash that does not start an escape. The value is the byte after it.
  case escape(UInt8)
  /// One half of a surrogate pair without the other, as `\u` escapes.
  case loneSurrogate
  /// Bytes that are not UTF-8.
  case notUTF8
  /// A number that RFC 8259, section 6, does not allow.
  case number
  /// A word other than `true`, `false` and `null`.
  case literal
  /// Arrays and objects nested deeper than this.
  case tooDeep(limit: Int)
  /// A string of more than this many bytes.
  case stringTooLong(limit: Int)
  /// A key of more than this many bytes.
  case keyTooLong(limit: Int)
  /// A number of more than this many characters.
  case numberTooLong(limit: Int)

  /// Every case is of this class.
  package var `class`: FaultClass { .badData }
}

/// Errors of base64 text (RFC 4648, section 4). Offsets count bytes of the text.
package enum Base64Fault: Equatable, Sendable {
  /// The text is empty or white space. Reported at the end of the text.
  case empty
  /// A character of the URL-safe alphabet (RFC 4648, section 5): `-` or `_`.
  case urlAlphabet(byte: UInt8)
  /// A byte of neither alphabet.
  case foreign(byte: UInt8)
  /// The text ends after the first character of a group, which carries less than a byte. Reported
  /// at the end of the text.
  case truncated
  /// The text ends before the padding that it needs. Reported at the end of the text.
  case missingPadding
  /// Padding after fewer than two characters of a group.
  case earlyPadding
  /// Padding after a complete group or after complete padding.
  case excessPadding
  /// The unused bits before padding are not zero (RFC 4648, section 3.5). Reported at their
  /// character.
  case padBits
  /// A character of the alphabet after padding.
  case dataAfterPadding

  /// Every case is of this class.
  package var `class`: FaultClass { .badData }
}

/// Errors of a CSV text (RFC 4180).
package enum CSVFault: Equatable, Sendable {
  /// The text has only empty lines.
  case empty
  /// The first line has none of the feed's columns. `found` are the names in it.
  case noKnownColumn(expected: [String], found: [String])
  /// The first line gives this name to several columns, and the document reads it. Their places are
  /// counted from 1.
  case duplicateColumn(String, places: [Int])
  /// The text ends inside quotation marks.
  case unclosedQuote
  /// Bytes that are not UTF-8. `likely` is a guess at their encoding, by its name in iconv.
  case notUTF8(likely: String?)
  /// A line has more fields than this.
  case tooManyFields(limit: Int)
  /// A row of more than this many bytes. It may be several lines within quotation marks.
  case rowTooLong(limit: Int)

  /// Every case is of this class.
  package var `class`: FaultClass { .badData }
}

/// Errors of the envelope around a payload. It is JSON (RFC 8259) with the fields that the feed's
/// document names. Offsets count bytes of the envelope.
package enum EnvelopeFault: Equatable, Sendable {
  /// It is not JSON.
  case json(JSONFault)
  /// A field on the path to the payload is missing. `keys` are the object's own.
  case missing(field: String, keys: [String])
  /// A field occurs twice in one object.
  case twice(field: String)
  /// A value of a field has another kind than `wanted`. `keys` are its own if it is an object.
  case wrongKind(field: String, found: TokenKind, wanted: TokenKind, keys: [String])
  /// No element of the list has the value that marks this feed's. `found` are the other values.
  case noMatch(field: String, value: String, found: [String])
  /// Two elements of the list have the value that marks this feed's.
  case twoMatches(field: String, value: String)
  /// The temporary file failed that keeps a payload which comes before its mark. `errno` is the
  /// system's error number.
  case spool(errno: Int32)

  /// The kind of problem.
  package var `class`: FaultClass {
    switch self {
    case .json, .missing, .twice, .wrongKind, .noMatch, .twoMatches: .badData
    case .spool: .cannotRead
    }
  }
}
