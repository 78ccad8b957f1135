/// An item of a list, and what is known of its last answer.
public struct ItemState: Sendable, Equatable {
  /// The item.
  public var name: String
  /// When it was answered last, in seconds since 1970; nil where it never was.
  public var answered: Int?
  /// The next run asks for it again.
  public var isStale: Bool
}

/// The items of a feed's list, as the feed's own server, or its mirror, has answered for them; an
/// answer is good for so many seconds, nil for as many as the feed says. Takes no lock and changes
/// nothing.
public func itemStates(
  of feed: Feed, in state: String, mirror: String? = nil, maxAge: Int? = nil
) throws(PipelineError) -> [ItemState] {
  guard let list = feed.items else { return [] }
  let store = FeedFolder(of: feed.name, in: state)
    .answers(
      of: InputIdentity(.requests(RequestInput(state: state, mirror: mirror)), of: feed))
  let now = SyncClock.system.now()
  return try ItemNames(list, of: feed, in: state).read().map { name in
    let answered = store.answer(ItemNames.file(of: name))?.facts.answered
    let isGood = answered.map { (0..<max(0, maxAge ?? feed.maxAge)).contains(now - $0) } ?? false
    return ItemState(name: name, answered: answered, isStale: !isGood)
  }
}
