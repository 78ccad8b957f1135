/// What can be wrong with a JSON text (RFC 8259).
public enum JSONFault: Equatable, Sendable {
  /// The text ends too early.
  case truncated
}
