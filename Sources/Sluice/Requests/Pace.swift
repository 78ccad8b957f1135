import Synchronization

/// Keeps requests apart: so many begin in a second, and none before the time that a server has
/// asked to be left alone for.
final class Pace: Sendable {
  private struct State {
    /// When the next request may begin, and before when none may.
    var next = -Double.infinity
    var held = -Double.infinity
  }

  private let state = Mutex(State())
  private let interval: Double
  private let clock: SyncClock

  init(perSecond: Int, clock: SyncClock) {
    interval = 1 / Double(perSecond)
    self.clock = clock
  }

  /// Waits until the caller's request may begin.
  func admit() {
    while true {
      let now = clock.elapsed()
      let start = state.withLock { state in
        let start = max(now, state.next, state.held)
        state.next = start + interval
        return start
      }
      if start > now { clock.wait(start - now) }
      // While this one waited, another may have been told to leave the server alone.
      if state.withLock({ $0.held }) <= start { return }
    }
  }

  /// Lets no request begin for so many seconds, whoever's it is.
  func hold(for seconds: Double) {
    let end = clock.elapsed() + seconds
    state.withLock { $0.held = max($0.held, end) }
  }
}
