import CPosix

/// Says when an ``Offload`` or an ``OutputQueue`` starts its thread.
struct OffloadRule: Sendable {
  /// Bytes that pass before; nil for never.
  var threshold: Int?
  /// How many processors this process must be allowed to use.
  var processors = 2

  /// After 4 MiB: a city's whole schedule is smaller, and done in some milliseconds.
  static let standard = OffloadRule(threshold: 4 << 20)
  /// For outputs, after 16 MiB of all of them: a city's, in every format, are smaller.
  static let outputs = OffloadRule(threshold: 16 << 20)
  /// All on one thread.
  static let never = OffloadRule(threshold: nil)

  /// Whether there are enough processors.
  var hasProcessors: Bool { processors <= 1 || Int(cposix_usable_processors()) >= processors }
}
