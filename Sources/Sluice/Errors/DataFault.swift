/// What can be wrong with a JSON text (RFC 8259).
public enum JSONFault: Equatable, Sendable {
  /// The text ends too early.
  case truncated
  /// Nothing but white space.
  case empty
  /// A byte that the grammar does not allow here.
  case unexpected(UInt8)
  /// Something follows the document's end.
  case trailing(UInt8)
  /// A raw control character inside a string.
  case control(UInt8)
  /// A backslash followed by something that is no escape.
  case escape(UInt8)
  /// Half of a surrogate pair.
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
}

/// What can be wrong with base64 text (RFC 4648, section 4). Offsets count bytes of the text.
public enum Base64Fault: Equatable, Sendable {
  /// There is none: the text is empty or white space. At the end of the text.
  case empty
  /// A character of the URL-safe alphabet (RFC 4648, section 5): `-` or `_`.
  case urlAlphabet(byte: UInt8)
  /// A byte that is no base64 at all.
  case foreign(byte: UInt8)
  /// The text ends behind the first character of a group, which carries less than a byte. At the
  /// end of the text.
  case truncated
  /// The text ends where padding has to follow. At the end of the text.
  case missingPadding
  /// Padding where a group has fewer than two characters.
  case earlyPadding
  /// Padding behind a complete group or behind complete padding.
  case excessPadding
  /// The bits that padding leaves over are not zero (RFC 4648, section 3.5). At the character that
  /// carries them.
  case padBits
  /// A character of the alphabet behind padding.
  case dataAfterPadding
}

/// What can be wrong with a CSV text (RFC 4180).
public enum CSVFault: Equatable, Sendable {
  /// Nothing but empty lines.
  case empty
  /// The first line names none of the feed's columns; what it names.
  case noKnownColumn(expected: [String], found: [String])
  /// The first line names a column twice.
  case duplicateColumn(String)
  /// A quotation mark is not closed when the text ends.
  case unclosedQuote
  /// Bytes that are not UTF-8; what they may be, as ``ForeignEncoding`` guesses.
  case notUTF8(likely: String?)
  /// A line has more fields than this.
  case tooManyFields(limit: Int)
  /// A line, or the lines that quotation marks hold together, of more than this many bytes.
  case rowTooLong(limit: Int)
}

/// What can be wrong with the envelope around a payload.
public enum EnvelopeFault: Equatable, Sendable {
  /// It is not JSON.
  case json(JSONFault)
  /// A field on the way to the payload is not there; `keys` are the ones that are.
  case missing(field: String, keys: [String])
  /// A field stands twice in one object.
  case twice(field: String)
  /// A field holds another kind of value than it must.
  case wrongKind(field: String, found: TokenKind, wanted: TokenKind, keys: [String])
  /// No element of the list has the value that marks the feed's own; `found` are theirs.
  case noMatch(field: String, value: String, found: [String])
  /// Two elements of the list have the value that marks the feed's own.
  case twoMatches(field: String, value: String)
  /// The temporary file for a payload that comes before its mark failed, with the error number.
  case spool(errno: Int32)
}
