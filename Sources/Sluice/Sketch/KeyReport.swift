/// What is known of the keys of a sample's rows: whether one stands twice.
public struct KeyReport: Sendable, Equatable {
  /// Two rows with one key.
  public struct Pair: Sendable, Equatable {
    /// The earlier row, counted from 1 as rows are written.
    public var first: Int
    /// The later one.
    public var second: Int
    /// The key's texts, each its first 200 bytes.
    public var key: [String]
  }

  /// The columns of the key.
  public var columns: [String]
  /// How many rows were looked at.
  public var rows = 0
  /// These were all.
  public var isWhole = true
  /// How many rows have the key of a row before them.
  public var repeated = 0
  /// The first of them.
  public var pairs: [Pair] = []
}
