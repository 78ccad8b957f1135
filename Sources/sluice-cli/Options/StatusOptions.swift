/// What `status` is asked to do.
struct StatusOptions: Equatable, Sendable {
  /// The state folder; nil is the usual one.
  var state: String?

  /// Reads the options.
  init(_ arguments: Arguments) { state = arguments[.state] }
}
