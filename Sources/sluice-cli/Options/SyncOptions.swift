import Sluice

/// What `sync` is asked to do: a conversion, and how to go about it night after night.
struct SyncOptions: Equatable, Sendable {
  var convert: ConvertOptions
  /// In seconds; nil is the feed's.
  var maxAge: Int?
  /// In seconds; nil where a source that cannot be used is an error in any case.
  var staleOK: Int?
  var maxShrink: ShrinkLimit
  var accepts: Bool
  /// Nil is the clock's.
  var today: Day?
  /// Who hears how the run goes.
  var ping: Ping?

  /// Reads the options; there must be an output, and each must be a file.
  init(_ arguments: Arguments, operand: String?) throws(UsageError) {
    guard !arguments.all(.output).isEmpty else { throw .noFileToSync }
    convert = try ConvertOptions(arguments, operand: operand)
    let destinations = convert.outputs.map(\.destination) + [convert.changes].compactMap { $0 }
    if destinations.contains(.standardOutput) { throw .noFileToSync }
    maxAge = try arguments.value(.maxAge, seconds(in:))
    staleOK = try arguments.value(.staleOK, seconds(in:))
    maxShrink =
      try arguments.value(.maxShrink) { ShrinkLimit($0) } ?? convert.reading.feed.maxShrink
      ?? .standard
    accepts = arguments.has(.accept)
    today = try arguments.value(.today) { Day(iso: $0) }
    if let url = arguments[.ping] {
      // The URL is a secret, as it were a password.
      guard let ping = Ping(url) else { throw .badValue(.ping, value: "***") }
      self.ping = ping
    }
  }
}
