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
