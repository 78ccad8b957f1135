extension Feed {
  /// The list for each of whose items the feed asks; nil where it has none.
  public var items: ItemList? { requests?.items }
}
