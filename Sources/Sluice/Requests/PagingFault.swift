/// Why a list cannot be followed from page to page.
public enum PagingFault: Equatable, Sendable {
  /// The link to the next page leads to another server, or is no URL.
  case elsewhere(String)
  /// The link to the next page leads to one that was there before.
  case repeated(String)
  /// The list has more pages than this.
  case tooMany(limit: Int)
  /// The page is the same as the one before: the server takes no notice of what tells pages apart.
  case same
}
