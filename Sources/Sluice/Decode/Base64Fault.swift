/// What can be wrong with base64 text (RFC 4648, section 4).
public enum Base64Fault: Equatable, Sendable {
  /// There is none.
  case empty
}
