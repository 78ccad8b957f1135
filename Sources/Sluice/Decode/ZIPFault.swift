/// What can be wrong with a ZIP archive (PKWARE APPNOTE 6.3).
public enum ZIPFault: Equatable, Sendable {
  /// The archive ends too early.
  case truncated
}
