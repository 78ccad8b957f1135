/// How much of a feed may be gone since last time: a share, in millionths.
public struct ShrinkLimit: Equatable, Sendable {
  /// The share in millionths, at most 1,000,000.
  public var millionths: Int

  /// Makes a limit.
  public init(millionths: Int) { self.millionths = millionths }

  /// A quarter.
  public static let standard = ShrinkLimit(millionths: 250_000)

  /// The limit allows `before` records to become `now`.
  func allows(_ now: Int, after before: Int) -> Bool {
    // In floating point no count of records can overflow, and none is so large that it rounds.
    Double(before - now) * 1_000_000 <= Double(before) * Double(millionths)
  }
}
