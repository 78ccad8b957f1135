/// What one of several requests is called in messages.
public enum RequestName: Equatable, Hashable, Sendable {
  /// The only one.
  case document
  /// The one of this name in the feed's document.
  case named(String)
  /// A page, by its number from 1.
  case page(Int)
  /// The one for this item of a list.
  case item(String)
}
