/// Why there are no shares of a column. A record that is left out would make all others wrong.
public enum ShareFault: Equatable, Sendable {
  /// A value is no number; a list or an object has no text.
  case notANumber(String?)
  /// A value is less than zero.
  case negative(String)
  /// A value, or the total, has more digits than can be counted exactly.
  case tooLong(limit: Int)
  /// All values are zero.
  case zeroTotal
}
