import Sluice

/// What is read, and how: the part that `convert`, `sync` and `inspect` share.
struct ReadingOptions: Equatable, Sendable {
  var feed: Feed
  /// An input is named, and nobody said which feed's it is.
  var isFeedAssumed: Bool
  var input: Input
  /// The entry of the archive to take, when there are several.
  var entry: String?
  /// The largest inflated size, in bytes; nil is the usual one.
  var maxSize: Int?
  /// A file of certificates to trust besides the system's.
  var cacert: String?
  /// Header lines to ask a URL with.
  var headers: [String]
  var verbosity: Verbosity
  var isProgressAllowed: Bool

  /// Reads the options.
  init(_ arguments: Arguments, operand: String?) throws(UsageError) {
    feed = try Feed.known(as: arguments[.feed] ?? Feed.names[0])
    isFeedAssumed = operand != nil && arguments[.feed] == nil
    input = try RequestOptions(arguments).input(operand, of: feed)
    entry = arguments[.entry]
    maxSize = try arguments.value(.maxSize, byteCount)
    cacert = arguments[.cacert]
    headers = []
    for text in arguments.all(.header) {
      guard let line = HeaderLine(text) else { throw .badValue(.header, value: text) }
      headers.append(line.text)
    }
    // Of -q and -v the last one counts, so that an alias can be overruled.
    verbosity = arguments.options.reduce(.normal) { verbosity, given in
      switch given.row.name {
      case .quiet: .quiet
      case .verbose: .verbose
      default: verbosity
      }
    }
    isProgressAllowed = verbosity != .quiet && !arguments.has(.noProgress)
  }
}
