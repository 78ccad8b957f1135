/// A list that changed while its pages were read, by how many rows the server said there were.
public struct ListChange: Equatable, Sendable {
  /// At first.
  public var first: Int
  /// At last.
  public var last: Int
}
