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
