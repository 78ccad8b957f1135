/// How many refused records are too many.
public enum RejectLimit: Equatable, Sendable {
  /// More than this many.
  case count(Int)
  /// More than this share of the records not filtered away, in millionths.
  case share(millionths: Int)

  /// Ten percent.
  public static let standard = RejectLimit.share(millionths: 100_000)

  /// The limit allows `rejected` of `judged` records.
  package func allows(_ rejected: Int, of judged: Int) -> Bool {
    switch self {
    case .count(let limit): rejected <= limit
    case .share(let millionths):
      rejected * 1_000_000 <= judged * millionths
    }
  }
}
