/// A term that was searched for.
public struct PastSearch: Equatable, Sendable {
  /// The term.
  public var term: String
  /// When, in seconds since 1970.
  public var at: Int
}

/// What a feed was searched for, newest first; nothing where there is no such folder.
public func pastSearches(of feed: String, state: String) throws(PipelineError) -> [PastSearch] {
  try SearchHistory(FeedFolder(of: feed, in: state)).read()
}

/// The feeds that have been searched, by their names, sorted.
public func searchedFeeds(state: String) throws(PipelineError) -> [String] {
  try FeedFolder.names(in: state).filter { name in
    !name.hasPrefix(".") && SearchHistory(FeedFolder(of: name, in: state)).isThere
  }.sorted()
}

/// Forgets what a feed was searched for; throws where another run is at work.
public func clearSearches(of feed: String, state: String) throws(PipelineError) {
  let folder = FeedFolder(of: feed, in: state)
  try folder.make()
  let lock = try RunLock(folder)
  defer { withExtendedLifetime(lock) {} }
  try SearchHistory(folder).clear()
}
