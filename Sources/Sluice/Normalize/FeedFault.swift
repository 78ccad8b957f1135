/// What can be wrong with a document as the feed it is meant to be.
public enum FeedFault: Equatable, Sendable {
  /// More records were refused than the limit allows.
  case tooManyRejects(rejected: Int, of: Int, limit: String)
}
