import Glibc

/// Tells the time by a clock that nobody sets.
///
/// The standard library's clocks would bring its whole runtime for tasks into the program, and every
/// start would pay for it.
enum MonotonicTime {
  /// Nanoseconds since some moment, the same for the whole run.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// What a run asks about time and chance: the system, or what a test puts in its place.
struct SyncClock: Sendable {
  /// The time, in seconds since 1970.
  var now: @Sendable () -> Int
  /// Seconds since some moment; never goes back.
  var elapsed: @Sendable () -> Double
  /// Waits for so many seconds.
  var wait: @Sendable (Double) -> Void
  /// A number between 0 and this one.
  var random: @Sendable (Double) -> Double

  /// The system's.
  static let system = SyncClock(
    now: { time(nil) },
    elapsed: {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    },
    wait: { seconds in
      var rest = timespec(
        tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
      while true {
        var left = timespec()
        guard nanosleep(&rest, &left) != 0, errno == EINTR else { return }
        rest = left
      }
    },
    random: { Double.random(in: 0...max(0, $0)) })
}
