import Glibc

/// Measures the time that a transfer takes from the network.
///
/// Time inside the stages does not count: where a reader of our output is slow, the server is not.
final class TransferClock {
  private let start = TransferClock.now
  private var away = 0

  /// Nanoseconds that have passed, without those spent in `aside`.
  var elapsed: Int { Self.now - start - away }

  /// Runs `body` without counting its time.
  func aside<T>(_ body: () throws(PipelineError) -> T) throws(PipelineError) -> T {
    let left = Self.now
    defer { away += Self.now - left }
    return try body()
  }

  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
