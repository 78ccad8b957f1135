/// Says when to try again what may be of no use: after failures ever more rarely.
struct Patience {
  private var hasSucceeded = true
  private var failures = 0
  private var pause = 0

  /// Takes note that the last try was of use.
  @inline(__always)
  mutating func reward() { hasSucceeded = true }

  /// Says whether to try now.
  mutating func allowsTry() -> Bool {
    if !hasSucceeded, pause > 0 {
      pause -= 1
      return false
    }
    failures = hasSucceeded ? 0 : min(failures + 1, 6)
    pause = failures < 2 ? 0 : 1 << failures
    hasSucceeded = false
    return true
  }
}
