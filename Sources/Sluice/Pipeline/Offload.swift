import CSluice

/// Runs the stages after it on a second thread if the input is large enough.
///
///     this thread:  read, base64, inflate, CRC ─▶ Offload ─┐ a few chunks at a time
///     the other:                                           └▶ tokenize, normalize, encode, write
///
/// The previous stage drives. Chunks go straight to the next stage until the ``OffloadRule``
/// applies, and if no thread can be created. Chunks are never cut again: the later stages get the
/// same calls on either thread. Their errors are thrown at a later write or at the end.
/// ``Offloading`` then makes the run's outcome the same as with one thread.
///
/// The later stages are only lent to the second thread. The first thread makes and finishes them.
/// If an ``Offload`` is abandoned, they still process the chunks already sent, as on one thread.
/// They are dropped unfinished after their thread has ended.
struct Offload<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  /// The later stages, while they are on this thread.
  private var next: Next?
  /// The later stages, while they are on the other thread.
  private var far: Consumer<Next>?
  /// The rule and state for starting the thread; nil once that is decided.
  private var offloading: Offloading?
  private var passed = 0

  /// Makes the stage. Without `offloading`, everything stays on one thread.
  init(into next: consuming Next, _ offloading: Offloading?) {
    self.next = consume next
    self.offloading = offloading
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    startIfDue(bytes.byteCount)
    guard let far else {
      try next?.write(bytes)
      return
    }
    guard bytes.byteCount > 0 else { return }
    var copy = ByteBuffer(capacity: bytes.byteCount)
    copy.append(bytes)
    try far.take(&copy)
  }

  mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError) {
    startIfDue(buffer.count)
    guard let far else {
      try next?.take(&buffer)
      return
    }
    if buffer.count > 0 { try far.take(&buffer) }
  }

  consuming func finish() throws(PipelineError) {
    if let far { next = try far.end() }
    try next.take()?.finish()
  }

  @inline(__always)
  private mutating func startIfDue(_ count: Int) {
    if offloading != nil { decide(count) }
  }

  private mutating func decide(_ count: Int) {
    guard let waiting = offloading, let threshold = waiting.rule.threshold else { return }
    guard passed >= threshold else {
      passed += count
      return
    }
    // The decision is made once.
    offloading = nil
    guard waiting.rule.hasProcessors, let next = next.take() else { return }
    let far = Consumer(next, waiting)
    if far.start() {
      self.far = far
    } else {
      self.next = far.takeBack()
    }
  }
}

/// Determines the error and counts of a run whose parts are on two threads.
///
/// On one thread, an error of the stages after an ``Offload`` ends the run at once. The stages
/// before it read no more input. Only an error about the content itself is kept until the archive
/// has been checked (see ``Unzipper``).
///
/// With two threads, the earlier stages are a few chunks ahead when they learn of the error. They
/// may have failed themselves. So the driver of the pipeline calls ``settle(_:)`` after all stages
/// are destroyed. The error and the counts are then the same as with one thread.
package final class Offloading {
  let rule: OffloadRule
  let counters: Counters
  /// The failure that ended the stages on the other thread.
  private var failure: BufferChannel<UpstreamCounts>.Failure?

  init(_ rule: OffloadRule, counters: Counters) {
    self.rule = rule
    self.counters = counters
  }

  /// Records the failure that ended the stages on the other thread.
  func note(_ failure: BufferChannel<UpstreamCounts>.Failure) { self.failure = failure }

  /// Returns the error of the run if the pipeline has ended with `error`.
  func settle(_ error: PipelineError) -> PipelineError {
    guard let failure else { return error }
    if failure.error.isOfContent {
      // After that point, entries were only checked.
      counters.unzip.bytesOut.set(failure.note.unzip.bytesOut)
      return error
    }
    counters.rewind(to: failure.note)
    return failure.error
  }
}

/// The rule for when an ``Offload`` or an ``OutputQueue`` starts its thread.
struct OffloadRule: Sendable {
  /// Bytes that pass before the thread starts; nil for never.
  var threshold: Int?
  /// The number of processors that this process must be allowed to use.
  var processors = 2

  /// Starts after 4 MiB. A city's whole schedule is smaller and takes a few milliseconds.
  static let standard = OffloadRule(threshold: 4 << 20)
  /// For outputs: starts after 16 MiB in total. A city's outputs in every format are smaller.
  static let outputs = OffloadRule(threshold: 16 << 20)
  /// Keeps everything on one thread.
  static let never = OffloadRule(threshold: nil)

  /// Whether there are enough processors.
  var hasProcessors: Bool { processors <= 1 || Int(cposix_usable_processors()) >= processors }
}

/// Holds the stages that an ``Offload`` has lent to its thread, and that thread.
///
/// All methods are called on the ``Offload``'s own thread. The stages move to the second thread
/// when it is created and back when it is joined, so they are never on two threads. `deinit` while
/// the thread runs waits until all sent chunks are processed, and drops the stages unfinished.
private final class Consumer<Next: ByteStage & ~Copyable> {
  /// The state that both threads share.
  private final class Shared: @unchecked Sendable {
    /// Each chunk carries the counts of the earlier stages at the time they passed it on.
    let channel = BufferChannel<UpstreamCounts>(limit: 4)
    let counters: Counters
    /// Used only by the second thread while it runs.
    var next: Next?

    init(_ next: consuming Next, _ counters: Counters) {
      self.counters = counters
      self.next = consume next
    }

    func run() {
      channel.receiveAll { (parcel) throws(PipelineError) in
        counters.handedOn.withLock { $0 = parcel.note }
        try next?.write(parcel.bytes)
      }
    }
  }

  private let shared: Shared
  private let offloading: Offloading
  private var thread: WorkerThread?

  init(_ next: consuming Next, _ offloading: Offloading) {
    shared = Shared(next, offloading.counters)
    self.offloading = offloading
  }

  deinit { join() }

  /// Starts the thread. Returns whether it was created.
  func start() -> Bool {
    thread = WorkerThread { [shared] in shared.run() }
    return thread != nil
  }

  /// Sends the contents of a buffer and leaves it empty. Throws the other thread's error.
  func take(_ buffer: inout ByteBuffer) throws(PipelineError) {
    guard let failure = shared.channel.send(&buffer, offloading.counters.upstream) else { return }
    throw failure.error
  }

  /// Waits until all chunks are processed and returns the stages. Throws the other thread's error.
  func end() throws(PipelineError) -> Next? {
    join()
    if let failure = shared.channel.outcome { throw failure.error }
    return takeBack()
  }

  /// Returns the stages. No thread may be using them.
  func takeBack() -> Next? { shared.next.take() }

  private func join() {
    guard let thread = thread.take() else { return }
    shared.channel.close()
    thread.join()
    offloading.counters.handedOn.withLock { $0 = nil }
    if let failure = shared.channel.outcome { offloading.note(failure) }
  }
}
