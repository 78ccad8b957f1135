/// Says which failures of a download are worth another try, and how long to wait before it.
///
/// Tried again: bodies that broke off, and the statuses that say "later" (429, 502 to 504); where
/// nobody waits for it, or after such a failure, no connection and timeouts too. Everything else
/// would be the same again. The wait is exponential with full jitter, so that many clients that
/// failed together do not come back together.
struct RetryRule: Equatable, Sendable {
  /// Tries in all.
  var tries = 3
  /// The longest wait before the second try, in seconds; it doubles from try to try.
  var base = 1.0
  /// What it doubles to at most.
  var cap = 30.0
  /// The longest wait that a server may ask for.
  var longestRetryAfter = 120
  /// All tries and waits together, in seconds.
  var total = 300.0
  /// Whether a server that cannot be reached or that stalls is asked again too.
  var isUnattended = true

  /// The rule where somebody may be waiting: a wrong name or a server that is off is told at once.
  static let attended = RetryRule(isUnattended: false)

  /// How long to wait after the failure of a try, counted from 1; nil where there is no other try.
  ///
  /// A server that asks for a longer wait than it may is not asked again: to come earlier than
  /// told would be no better than not to have listened. A `Retry-After` that is no time ahead is
  /// nil in the fault, and the wait is ours then (RFC 9110, section 10.2.3). `random` gives a
  /// number between 0 and another.
  func pause(
    after error: PipelineError, try number: Int, random: (Double) -> Double
  ) -> Double? {
    guard number < tries, case .source(let fault) = error.fault else { return nil }
    var least = 0.0
    switch fault {
    case .cut:
      break
    case .unresolved, .unconnected, .connectTimeout, .tooSlow:
      guard isUnattended || number > 1 else { return nil }
    case .status(let status, _, let retryAfter):
      guard status == 429 || (502...504).contains(status) else { return nil }
      guard let retryAfter else { break }
      guard retryAfter <= longestRetryAfter else { return nil }
      least = Double(retryAfter)
    default:
      return nil
    }
    var longest = base
    for _ in 1..<number { longest *= 2 }
    return least + random(min(cap, longest))
  }
}

extension RetryRule {
  /// Does something with as many tries as the rule allows, and waits before each but the first.
  ///
  /// `body` is told how many seconds are left for all; `failed` hears of a failure that another try
  /// follows, and of the wait before that. The wait is published in `tally`.
  func attempt<Result>(
    _ clock: SyncClock, tally: Tally? = nil, failed: (PipelineError, Double) -> Void = { _, _ in },
    _ body: (Double) throws(PipelineError) -> Result
  ) throws(PipelineError) -> Result {
    let start = clock.elapsed()
    var number = 1
    while true {
      let left = total - (clock.elapsed() - start)
      do throws(PipelineError) {
        return try body(left)
      } catch {
        guard let pause = pause(after: error, try: number, random: clock.random),
          pause < total - (clock.elapsed() - start)
        else { throw error }
        failed(error, pause)
        tally?.secondsToWait.set(Int(pause.rounded(.up)))
        clock.wait(pause)
        tally?.secondsToWait.set(0)
        number += 1
      }
    }
  }
}
