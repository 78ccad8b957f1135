import Synchronization

/// The progress of a run.
public struct Progress: Sendable, Equatable {
  /// Bytes of the input read so far.
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
/// It stays cancelled. To run the conversion again, use a new `Cancellation`.
public final class Cancellation: Sendable {
  private let flag = Atomic(false)
  /// Cancels this one too.
  private let other: Cancellation?

  /// Makes a cancellation that is not cancelled.
  public init() { other = nil }

  /// Makes a cancellation that another one cancels too.
  init(with other: Cancellation?) { self.other = other }

  /// Ends the conversion. It throws an error with the code `cancelled` at its next piece of input
  /// and publishes nothing.
  public func cancel() { flag.store(true, ordering: .relaxed) }

  /// Whether ``cancel()`` has been called.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) || other?.isCancelled == true }
}

/// How a caller observes and ends a run in progress.
struct Watch: Sendable {
  /// Called on the reading thread, at most ten times per second and once at the end.
  var progress: (@Sendable (Progress) -> Void)?
  var cancellation: Cancellation?
  /// Takes the length and the checksum of the input.
  var content: ContentBox?
  /// The counters that tell the progress, if they are not those of the input.
  var counters: Counters?

  var isWanted: Bool { progress != nil || cancellation != nil || content != nil }
}

/// The length and the checksum of an input that is being read. Only the reading thread uses it.
final class ContentBox: @unchecked Sendable {
  fileprivate(set) var sum = ContentSum()
}

/// Checks for cancellation with each piece of input, and reports progress.
struct WatchedStage<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  private var next: Next
  private let watch: Watch
  private var report: ProgressReport

  init(into next: consuming Next, _ watch: Watch, counters: Counters) {
    self.next = next
    self.watch = watch
    report = ProgressReport(watch.progress, watch.counters ?? counters)
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    if watch.cancellation?.isCancelled == true { throw PipelineError(.source(.cancelled)) }
    watch.content?.sum.add(bytes)
    try next.write(bytes)
    report.tell()
  }

  consuming func finish() throws(PipelineError) {
    if watch.cancellation?.isCancelled == true { throw PipelineError(.source(.cancelled)) }
    let report = report
    try next.finish()
    report.tellEnd()
  }
}

/// Reports the progress of a run, at most ten times per second and once at the end.
struct ProgressReport {
  /// Minimum time between two reports, in nanoseconds.
  private static let interval = 100_000_000
  private let progress: (@Sendable (Progress) -> Void)?
  private let counters: Counters
  private var reported = 0

  init(_ progress: (@Sendable (Progress) -> Void)?, _ counters: Counters) {
    self.progress = progress
    self.counters = counters
  }

  /// Reports the progress if it is time.
  mutating func tell() {
    let now = MonotonicTime.now
    guard now - reported >= Self.interval else { return }
    reported = now
    progress?(Progress(counters))
  }

  /// Reports the progress at the end.
  func tellEnd() { progress?(Progress(counters)) }
}

extension Progress {
  init(_ counters: Counters) {
    let progress = counters.progress
    self.init(
      bytesRead: progress.bytes, bytesExpected: progress.expected, records: progress.records)
  }
}
