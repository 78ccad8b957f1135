/// Decides when to try again after failed tries: exponential backoff, counted in what might be
/// tried.
///
///     failed tries in a row   1  2  3  4  5   6   7 and more
///     skipped then            0  0  4  8  16  32  64
///
/// The first tries are not counted: so it soon turns out what the input is like.
struct Backoff {
  private var firstTries = 64
  private var hasSucceeded = true
  private var failures = 0
  private var pause = 0

  /// Notes that the last try succeeded.
  @inline(__always)
  mutating func reward() { hasSucceeded = true }

  /// Returns whether to try now, and counts the try.
  mutating func allowsTry() -> Bool {
    if !hasSucceeded, pause > 0 {
      pause -= 1
      return false
    }
    if firstTries > 0 {
      firstTries -= 1
      hasSucceeded = true
      return true
    }
    failures = hasSucceeded ? 0 : min(failures + 1, 6)
    pause = failures < 2 ? 0 : 1 << failures
    hasSucceeded = false
    return true
  }
}
