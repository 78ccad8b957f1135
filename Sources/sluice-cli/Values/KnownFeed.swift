/// What the command line has to know of a feed before the library is asked to convert it.
struct KnownFeed: Equatable, Sendable {
  let name: String
  /// The fields that `--where` can look at.
  let filterFields: [String]
  /// Whether rows are events, so that a calendar can be made of them.
  let hasEvents: Bool

  /// Every feed; the first is the default. The seam to the library, which knows the rest.
  static let all = [
    KnownFeed(
      name: "hot-water", filterFields: ["locality", "street", "house", "building", "letter"],
      hasEvents: true),
    KnownFeed(
      name: "bonds", filterFields: ["isin", "title", "currency", "date", "price"],
      hasEvents: false),
  ]

  /// Finds a feed by its name.
  static func named(_ name: String) throws(UsageError) -> KnownFeed {
    guard let feed = all.first(where: { $0.name == name }) else { throw .unknownFeed(name) }
    return feed
  }
}
