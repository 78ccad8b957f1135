/// How much is said on standard error.
enum Verbosity: Sendable {
  /// Errors only.
  case quiet
  case normal
  /// Everything, on a terminal or not.
  case verbose
}
