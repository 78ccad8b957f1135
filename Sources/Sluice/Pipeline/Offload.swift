import CSluice

/// Runs the stages behind it on a second thread, once there is enough to do.
///
///     this thread:  read, base64, inflate, CRC ─▶ Offload ─┐ a few chunks at a time
///     the other:                                           └▶ tokenize, normalize, encode, write
///
/// The stage before drives. Until the ``OffloadRule`` applies, and where no thread is to be had,
/// chunks go straight on. They are never cut anew: the stages behind get the same calls on either
/// thread. An error of theirs is thrown at a later write, or at the end; ``Offloading`` then makes
/// the run's outcome that of one thread.
///
/// The stages behind are only lent to the thread: this one has made them, and finishes them. Of an
/// abandoned ``Offload``, they take what was sent, as they would have on one thread, and are
/// dropped unfinished when their thread is gone.
struct Offload<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  /// The stages behind, while they are on this thread.
  private var next: Next?
  /// The stages behind, while they are on the other.
  private var far: Consumer<Next>?
  /// What may start the thread, until that is decided.
  private var offloading: Offloading?
  private var passed = 0

  /// Makes the stage; without an `offloading` there is one thread.
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
    // Now or never.
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

/// Settles how a run ends where a part of it has run ahead of the rest on another thread.
///
/// On one thread, an error of the stages behind an ``Offload`` ends the run at once, and those
/// before it see no more of the input; only what is said of the content itself is kept until the
/// archive has been checked (see ``Unzipper``). With two threads, the stages before have gone on by
/// a few chunks when they hear of it, and may have met with an error of their own. Whoever drives
/// the pipeline asks ``settle(_:)`` once all its stages are gone: error and counts are then those
/// of one thread.
package final class Offloading {
  let rule: OffloadRule
  let counters: Counters
  /// What ended the stages on the other thread.
  private var failure: BufferChannel<UpstreamCounts>.Failure?

  init(_ rule: OffloadRule, counters: Counters) {
    self.rule = rule
    self.counters = counters
  }

  /// Hears what ended the stages on the other thread.
  func note(_ failure: BufferChannel<UpstreamCounts>.Failure) { self.failure = failure }

  /// Says which error the run ends with, where the pipeline has ended with `error`.
  func settle(_ error: PipelineError) -> PipelineError {
    guard let failure else { return error }
    if failure.error.isOfContent {
      // From there on, entries were only checked.
      counters.unzip.bytesOut.set(failure.note.unzip.bytesOut)
      return error
    }
    counters.rewind(to: failure.note)
    return failure.error
  }
}

/// Says when an ``Offload`` or an ``OutputQueue`` starts its thread.
struct OffloadRule: Sendable {
  /// Bytes that pass before; nil for never.
  var threshold: Int?
  /// How many processors this process must be allowed to use.
  var processors = 2

  /// After 4 MiB: a city's whole schedule is smaller, and done in some milliseconds.
  static let standard = OffloadRule(threshold: 4 << 20)
  /// For outputs, after 16 MiB of all of them: a city's, in every format, are smaller.
  static let outputs = OffloadRule(threshold: 16 << 20)
  /// All on one thread.
  static let never = OffloadRule(threshold: nil)

  /// Whether there are enough processors.
  var hasProcessors: Bool { processors <= 1 || Int(cposix_usable_processors()) >= processors }
}

/// Holds the stages that an ``Offload`` has lent to its thread, and that thread.
///
/// All is called by the stage's own thread. The stages change hands when the thread is created and
/// when it is joined, so that they are never on two. Destroyed while the thread runs, it waits
/// until what was sent has been taken, and drops the stages unfinished.
final class Consumer<Next: ByteStage & ~Copyable> {
  /// What both threads know.
  private final class Shared: @unchecked Sendable {
    /// Each chunk goes with what the stages before had counted when they handed it on.
    let channel = BufferChannel<UpstreamCounts>(limit: 4)
    let counters: Counters
    /// The thread's while it runs.
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

  /// Starts the thread; says whether there is one.
  func start() -> Bool {
    thread = WorkerThread { [shared] in shared.run() }
    return thread != nil
  }

  /// Sends what a buffer holds and leaves it empty; throws what went wrong on the other side.
  func take(_ buffer: inout ByteBuffer) throws(PipelineError) {
    guard let failure = shared.channel.send(&buffer, offloading.counters.upstream) else { return }
    throw failure.error
  }

  /// Waits until all has been taken and gives the stages back; throws what went wrong.
  func end() throws(PipelineError) -> Next? {
    join()
    if let failure = shared.channel.outcome { throw failure.error }
    return takeBack()
  }

  /// Gives the stages back, where no thread has them.
  func takeBack() -> Next? { shared.next.take() }

  private func join() {
    guard let thread = thread.take() else { return }
    shared.channel.close()
    thread.join()
    offloading.counters.handedOn.withLock { $0 = nil }
    if let failure = shared.channel.outcome { offloading.note(failure) }
  }
}
