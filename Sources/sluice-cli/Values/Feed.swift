import Sluice

extension Feed {
  /// Finds a feed by its name.
  static func known(as name: String) throws(UsageError) -> Feed {
    guard let feed = named(name) else { throw .unknownFeed(name) }
    return feed
  }
}
