/// Writes the outputs of a run on a thread of their own, once there is enough to write.
///
///     this thread:  normalize, encode ─▶ QueuedOutput ─┐ a few buffers at a time, of all outputs
///     the other:                                       └▶ write
///
/// There is one queue for all outputs, so that they are written in the order in which one thread
/// would have: the write that fails is the one that would have failed there, and nothing that comes
/// behind it is written. The encoding thread has gone on by then. So with each buffer goes what had
/// been counted and held back when it was handed over; ``end(after:)`` takes back what came later,
/// and the run ends as on one thread.
///
/// All is called by the thread that encodes. It may change while no call is under way.
final class OutputQueue {
  /// Where a buffer goes, and what had been counted when it was handed over.
  private struct Note: Sendable {
    var sink: any QueuedSink
    var upstream: UpstreamCounts
    var records: [RecordCounts]
    /// How much of the rejects had been held back.
    var rejects: Int
  }

  private typealias Channel = BufferChannel<Note>

  private let rule: OffloadRule
  /// Who counts: first the run itself, then the tables of several.
  var tallies: [Tally]
  /// Refused records go with the counts. Weak, for they are written behind this queue and hold it.
  weak var rejects: (any Rewindable)?
  private var passed = 0
  private var isDecided = false
  private var channel: Channel?
  private var thread: WorkerThread?

  init(_ rule: OffloadRule, tally: Tally) {
    self.rule = rule
    tallies = [tally]
  }

  deinit { join() }

  /// Writes what a buffer holds, now or soon, and leaves it empty; throws what went wrong with
  /// this buffer, or with one before it.
  func take(_ buffer: inout ByteBuffer, for sink: any QueuedSink) throws(PipelineError) {
    if !isDecided { decide(buffer.count) }
    guard let channel else {
      try sink.write(buffer)
      buffer.removeAll()
      return
    }
    guard buffer.count > 0 else { return }
    let note = Note(
      sink: sink, upstream: tallies[0].upstreamOfWork, records: tallies.map(\.records),
      rejects: rejects?.position ?? 0)
    if let failure = channel.send(&buffer, note) { throw failure.error }
  }

  /// Waits until all is written that was handed over; throws what went wrong.
  func drain() throws(PipelineError) {
    if let failure = channel?.drain() { throw failure.error }
  }

  /// Ends the thread, and says which error the run ends with, where the pipeline has ended with
  /// `error` or without one. From here on, what is written is written at once.
  func end(after error: PipelineError?) -> PipelineError? {
    isDecided = true
    join()
    guard let failure = channel.take()?.outcome else { return error }
    let note = failure.note
    tallies[0].rewind(to: note.upstream)
    for (tally, counts) in zip(tallies, note.records) { tally.rewind(to: counts) }
    rejects?.rewind(to: note.rejects)
    return failure.error
  }

  private func decide(_ count: Int) {
    guard let threshold = rule.threshold else { return }
    guard passed >= threshold else {
      passed += count
      return
    }
    // Now or never.
    isDecided = true
    guard rule.hasProcessors else { return }
    // More of them make no run faster, only larger.
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

/// Writes one output by way of an ``OutputQueue``.
///
/// Buffers that are given away are written soon, borrowed bytes at once, behind all that the queue
/// was given before. An error may be that of an earlier buffer, of another output too.
package struct QueuedOutput<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  /// Holds the stage behind, which two threads use, never at once.
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

/// Takes the buffers of one output.
protocol QueuedSink: AnyObject, Sendable {
  /// Writes what a buffer holds; called by one thread at a time.
  func write(_ bytes: borrowing ByteBuffer) throws(PipelineError)
}

/// Holds back what it is given, and can drop the last of it.
protocol Rewindable: AnyObject {
  /// How much is held back.
  var position: Int { get }
  /// Drops what came after `position`.
  func rewind(to position: Int)
}
