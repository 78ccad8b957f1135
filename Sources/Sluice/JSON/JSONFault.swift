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
