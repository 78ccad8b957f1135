extension InstantText {
  /// Seconds since 1970 as RFC 3339 in UTC: `2020-06-22T10:00:00Z`.
  static func utc(_ seconds: Int) -> String {
    let rest = ((seconds % 86_400) + 86_400) % 86_400
    let day = Day(number: Int32(clamping: (seconds - rest) / 86_400))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(day)T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
  }
}
