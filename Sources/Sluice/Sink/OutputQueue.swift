/// Writes the outputs of a run on a separate thread, once there is enough to write.
///
///     this thread:  normalize, encode ─▶ QueuedOutput ─┐ a few buffers at a time, of all outputs
///     the other:                                       └▶ write
///
/// There is one queue for all outputs, so they are written in the same order as on one thread. The
/// write that fails is the same one, and nothing after it is written. By then the encoding thread
/// has continued. So each buffer carries the counts and the amount of held-back rejects at the
/// moment of its hand-over. ``end(after:)`` takes back everything later, and the run ends as on one
/// thread.
///
/// Only the encoding thread calls this. Another thread may take its role while no call is in
/// progress.
final class OutputQueue {
  /// The output of a buffer, and the counts when it was handed over.
  private struct Note: Sendable {
    var sink: any QueuedSink
    var upstream: UpstreamCounts
    var records: [RecordCounts]
    /// The amount of rejects that had been held back.
    var rejects: Int
  }

  private typealias Channel = BufferChannel<Note>

  private let rule: OffloadRule
  /// Measures what the outputs are given.
  let measure: OutputMeasure
  /// The counters: first those of the run itself, then those of its tables if there are several.
  var allCounters: [Counters]
  /// The rejected records, which are taken back together with the counts. Weak, because they are
  /// written after this queue and hold a reference to it.
  weak var rejects: (any Rewindable)?
  private var passed = 0
  private var isDecided = false
  private var channel: Channel?
  private var thread: WorkerThread?

  /// Makes a queue. `limit` is that of all outputs together, in bytes; nil for the usual one.
  init(_ rule: OffloadRule, limit: Int? = nil, counters: Counters) {
    self.rule = rule
    measure = OutputMeasure(limit: limit, counters: counters)
    allCounters = [counters]
  }

  deinit { join() }

  /// Writes the bytes of a buffer, now or soon, and leaves it empty. They are measured, unless the
  /// sink makes fewer of them. Throws the error of this buffer or of an earlier one.
  func take(
    _ buffer: inout ByteBuffer, for sink: any QueuedSink, isMeasured: Bool = true
  ) throws(PipelineError) {
    if isMeasured { try measure.add(buffer.count) }
    if !isDecided { decide(buffer.count) }
    guard let channel else {
      try sink.write(buffer)
      buffer.removeAll()
      return
    }
    guard buffer.count > 0 else { return }
    let note = Note(
      sink: sink, upstream: allCounters[0].upstreamOfWork, records: allCounters.map(\.records),
      rejects: rejects?.position ?? 0)
    if let failure = channel.send(&buffer, note) { throw failure.error }
  }

  /// Waits until everything handed over is written. Throws the error of a write that failed.
  func drain() throws(PipelineError) {
    if let failure = channel?.drain() { throw failure.error }
  }

  /// Ends the thread. `error` is the error of the pipeline, or nil. Returns the error of the run:
  /// that of a failed write if there is one, otherwise `error`. Later bytes are written at once.
  func end(after error: PipelineError?) -> PipelineError? {
    isDecided = true
    join()
    guard let failure = channel.take()?.outcome else { return error }
    let note = failure.note
    allCounters[0].rewind(to: note.upstream)
    for (counters, counts) in zip(allCounters, note.records) { counters.rewind(to: counts) }
    rejects?.rewind(to: note.rejects)
    return failure.error
  }

  private func decide(_ count: Int) {
    guard let threshold = rule.threshold else { return }
    guard passed >= threshold else {
      passed += count
      return
    }
    // The decision is made now and is final.
    isDecided = true
    guard rule.hasProcessors else { return }
    // More buffers make no run faster, only larger.
    let channel = Channel(limit: 3)
    thread = WorkerThread {
      channel.receiveAll { (parcel) throws(PipelineError) in
        try parcel.note.sink.write(parcel.bytes)
      }
    }
    if thread != nil { self.channel = channel }
  }

  private func join() {
    channel?.close()
    thread.take()?.join()
  }
}

/// Writes one output through an ``OutputQueue``.
///
/// Buffers that are given away are written soon. Borrowed bytes are written at once, after
/// everything that the queue was given before. An error may be that of an earlier buffer, also of
/// another output.
package struct QueuedOutput<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  /// Holds the next stage. Two threads use it, but never at once.
  private final class Sink: QueuedSink, @unchecked Sendable {
    var next: Next?
    init(_ next: consuming Next) { self.next = consume next }
    func write(_ bytes: borrowing ByteBuffer) throws(PipelineError) { try next?.write(bytes) }
  }

  private let sink: Sink
  private let queue: OutputQueue

  init(into next: consuming Next, _ queue: OutputQueue) {
    sink = Sink(next)
    self.queue = queue
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try queue.measure.add(bytes.byteCount)
    try queue.drain()
    try sink.next?.write(bytes)
  }

  package mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError) {
    try queue.take(&buffer, for: sink)
  }

  package consuming func finish() throws(PipelineError) {
    try queue.drain()
    try sink.next.take()?.finish()
  }
}

/// Writes the buffers of one output.
protocol QueuedSink: AnyObject, Sendable {
  /// Writes the bytes of a buffer. Called by one thread at a time.
  func write(_ bytes: borrowing ByteBuffer) throws(PipelineError)
}

/// Holds back its input and can drop the last part of it.
protocol Rewindable: AnyObject {
  /// The amount that is held back.
  var position: Int { get }
  /// Drops everything after `position`.
  func rewind(to position: Int)
}
