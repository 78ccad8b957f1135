/// A setting as `config` shows it.
struct Setting: Equatable, Sendable {
  enum Value: Equatable, Sendable {
    case text(String)
    case list([String])
    /// Nothing is said, and there is no default to be named.
    case none
  }

  /// The key of a configuration file.
  let key: String
  let value: Value
  /// Nil is the default.
  let origin: Origin?
}
