/// Why a list cannot be followed from page to page.
public enum PagingFault: Equatable, Sendable {
  /// The link to the next page leads to another server, or is no URL.
  case elsewhere(String)
  /// The link to the next page leads to one that was there before.
  case repeated(String)
  /// The link to the next page holds a secret where no parameter of the feed's puts it: it can
  /// neither be kept nor be asked without.
  case secret(String)
  /// What should tell the next page is no list of links.
  case unreadable(String)
  /// The list has more pages than this.
  case tooMany(limit: Int)
  /// The page is the same as the one before: the server takes no notice of what tells pages apart.
  case same
  /// The page has no link to the next, although the server says that there are so many rows.
  case unlinked(total: Int)
  /// By offset, a page has other rows than are passed over for it, and is not the last: the server
  /// gives so many a page.
  case pageSize(rows: Int)
  /// Nothing is left to be asked, and the list has not come to its end.
  case unfinished
}
