import Synchronization

/// How far a run has come.
public struct Progress: Sendable, Equatable {
  /// Bytes read of the input.
  public var bytesRead: Int
  /// Bytes of the whole input; nil if unknown.
  public var bytesExpected: Int?
  /// Records read.
  public var records: Int
}

/// Ends a conversion early from another thread, or from a task's cancellation handler.
///
///     let cancellation = Cancellation()
///     conversion.cancellation = cancellation
///     try await withTaskCancellationHandler { try conversion.run() } onCancel: {
///       cancellation.cancel()
///     }
///
/// It stays cancelled: a conversion that is run again needs a new one.
public final class Cancellation: Sendable {
  private let flag = Atomic(false)

  /// Makes one that is not cancelled.
  public init() {}

  /// Asks the conversion to end: it throws an error with the code `cancelled` at its next piece of
  /// input, and publishes nothing.
  public func cancel() { flag.store(true, ordering: .relaxed) }

  /// Whether somebody has called ``cancel()``.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

/// What a caller wants of a run while it goes on.
struct Watch: Sendable {
  /// Called on the reading thread, some times a second at most.
  var progress: (@Sendable (Progress) -> Void)?
  var cancellation: Cancellation?

  var isWanted: Bool { progress != nil || cancellation != nil }
}

/// Reports progress and ends a cancelled run, once a piece of input.
struct WatchedStage<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  /// Nanoseconds between two reports.
  private static var interval: Int { 100_000_000 }
  private var next: Next
  private let watch: Watch
  private let counters: Counters
  private var reported = 0

  init(into next: consuming Next, _ watch: Watch, counters: Counters) {
    self.next = next
    self.watch = watch
    self.counters = counters
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    if watch.cancellation?.isCancelled == true { throw PipelineError(.source(.cancelled)) }
    try next.write(bytes)
    let now = MonotonicTime.now
    guard now - reported >= Self.interval else { return }
    reported = now
    report()
  }

  consuming func finish() throws(PipelineError) {
    if watch.cancellation?.isCancelled == true { throw PipelineError(.source(.cancelled)) }
    let (watch, counters) = (watch, counters)
    try next.finish()
    watch.progress?(Progress(counters))
  }

  private func report() { watch.progress?(Progress(counters)) }
}

extension Progress {
  init(_ counters: Counters) {
    let progress = counters.progress
    self.init(
      bytesRead: progress.bytes, bytesExpected: progress.expected, records: progress.records)
  }
}
