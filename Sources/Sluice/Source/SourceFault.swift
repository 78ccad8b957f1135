/// What can be wrong with a source.
public enum SourceFault: Equatable, Sendable {
  /// The input is empty.
  case empty
}
