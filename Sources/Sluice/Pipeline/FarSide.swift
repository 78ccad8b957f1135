/// Holds the stages that an ``Offload`` has lent to its thread, and that thread.
///
/// All is called by the stage's own thread. The stages change hands when the thread is created and
/// when it is joined, so that they are never on two. Destroyed while the thread runs, it waits
/// until what was sent has been taken, and drops the stages unfinished.
final class FarSide<Next: ByteStage & ~Copyable> {
  /// What both threads know.
  private final class Shared: @unchecked Sendable {
    /// Each chunk goes with what the stages before had counted when they handed it on.
    let channel = BufferChannel<UpstreamCounts>(limit: 4)
    let tally: Tally
    /// The thread's while it runs.
    var next: Next?

    init(_ next: consuming Next, _ tally: Tally) {
      self.tally = tally
      self.next = consume next
    }

    func run() {
      channel.receiveAll { (parcel) throws(PipelineError) in
        tally.handedOn.withLock { $0 = parcel.note }
        try next?.write(parcel.bytes)
      }
    }
  }

  private let shared: Shared
  private let offloading: Offloading
  private var thread: WorkerThread?

  init(_ next: consuming Next, _ offloading: Offloading) {
    shared = Shared(next, offloading.tally)
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
    guard let failure = shared.channel.send(&buffer, offloading.tally.upstream) else { return }
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
    offloading.tally.handedOn.withLock { $0 = nil }
    if let failure = shared.channel.outcome { offloading.note(failure) }
  }
}
