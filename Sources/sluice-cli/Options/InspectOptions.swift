/// What `inspect` is asked to do.
struct InspectOptions: Equatable, Sendable {
  var reading: ReadingOptions

  /// Reads the options.
  init(_ arguments: Arguments, operand: String?) throws(UsageError) {
    reading = try ReadingOptions(arguments, operand: operand)
  }
}
