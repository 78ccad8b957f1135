/// Measures the time that a transfer takes from the network.
///
/// Time inside the stages does not count: where a reader of our output is slow, the server is not.
final class TransferClock {
  private let start = MonotonicTime.now
  private var away = 0

  /// Nanoseconds that have passed, without those spent in `aside`.
  var elapsed: Int { MonotonicTime.now - start - away }

  /// Runs `body` without counting its time.
  func aside<T>(_ body: () throws(PipelineError) -> T) throws(PipelineError) -> T {
    let left = MonotonicTime.now
    defer { away += MonotonicTime.now - left }
    return try body()
  }
}
