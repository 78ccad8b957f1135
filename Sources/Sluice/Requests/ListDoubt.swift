/// What is doubtful about a list that was read to its end.
public enum ListDoubt: Equatable, Sendable {
  /// It changed while its pages were read: the server said first that there were so many rows, and
  /// at last so many.
  case changed(first: Int, last: Int)
  /// The server said that there were so many rows, and so many came.
  case count(said: Int, came: Int)
}
