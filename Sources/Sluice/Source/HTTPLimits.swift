/// How much of a server is put up with.
struct HTTPLimits: Equatable, Sendable {
  /// The most bytes of a body.
  var bodyBytes = 256 << 20
  /// The most bytes of one response's header lines, interim responses and trailers included.
  var headerBytes = 64 << 10
  /// The most redirects that are followed.
  var redirects = 5
  /// The longest time to a connection, name look-up and TLS included.
  var connectSeconds = 30
  /// The least speed, kept up over `slowSeconds`.
  var slowBytesPerSecond = 1 << 10
  /// The time over which the speed is measured.
  var slowSeconds = 30
  /// The longest time in all, over all redirects.
  var totalSeconds = 300

  /// These limits where so many seconds are left in all.
  func within(_ seconds: Double) -> HTTPLimits {
    var limits = self
    limits.totalSeconds = min(totalSeconds, max(1, Int(seconds)))
    return limits
  }
}
