import Sluice

/// What `searches` is asked to do.
struct SearchesOptions: Equatable, Sendable {
  /// The feeds whose searches are meant, by their names; nil for all that can be searched.
  var feed: Feed?
  /// Whether they are forgotten.
  var clears: Bool
  /// The state folder; nil is the usual one.
  var state: String?

  /// Reads the options.
  init(_ arguments: Arguments) throws(UsageError) {
    clears = arguments.has(.clear)
    state = arguments[.state]
    guard let name = arguments[.feed] else { return }
    let feed = try Feed.known(as: name)
    guard feed.requests?.search != nil else { throw .noSearch(feed: feed.name) }
    self.feed = feed
  }
}
