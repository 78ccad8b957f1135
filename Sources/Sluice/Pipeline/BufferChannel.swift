import Glibc

/// Takes chunks from one thread to another, in order, a few at a time at most.
///
/// The sender calls ``send(_:_:)``, ``drain()`` and, once, ``close()``; it is held back while all
/// parcels are under way. The receiver calls ``receiveAll(_:)``; of its failure the sender hears at
/// its next call. What a side has done before a parcel changes hands, the other sees. With each
/// chunk goes a `Note` of the sender's.
final class BufferChannel<Note: Sendable>: @unchecked Sendable {
  /// Why the receiver takes no more, and the note of the chunk that it failed at.
  struct Failure: Sendable {
    var error: PipelineError
    var note: Note
  }

  /// The most parcels there are, and how many are free again when a sender that waits is woken.
  private let limit: Int
  private let batch: Int
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let sent: UnsafeMutablePointer<pthread_cond_t>
  private let returned: UnsafeMutablePointer<pthread_cond_t>
  // The rest is touched only under the lock.
  private var full: [Parcel<Note>] = []
  private var empty: [Parcel<Note>] = []
  private var made = 0
  private var isClosed = false
  private var failure: Failure?

  /// Makes a channel of at most `limit` parcels, which are made when they are needed.
  init(limit: Int) {
    self.limit = limit
    // One waking costs both threads as much as some hundred records do.
    batch = (limit + 1) / 2
    lock = .allocate(capacity: 1)
    sent = .allocate(capacity: 1)
    returned = .allocate(capacity: 1)
    guard pthread_mutex_init(lock, nil) == 0, pthread_cond_init(sent, nil) == 0,
      pthread_cond_init(returned, nil) == 0
    else { fatalError("out of memory") }
    full.reserveCapacity(limit)
    empty.reserveCapacity(limit)
  }

  deinit {
    pthread_cond_destroy(returned)
    pthread_cond_destroy(sent)
    pthread_mutex_destroy(lock)
    returned.deallocate()
    sent.deallocate()
    lock.deallocate()
  }

  /// Why the receiver takes no more; nil while it does.
  var outcome: Failure? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return failure
  }

  // MARK: The sender

  /// Sends what `buffer` holds and leaves it empty, with other memory of the same capacity.
  ///
  /// Returns why the receiver takes no more; nothing is sent then.
  func send(_ buffer: inout ByteBuffer, _ note: Note) -> Failure? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    if empty.isEmpty, made == limit {
      while empty.count < batch, failure == nil { pthread_cond_wait(returned, lock) }
    }
    if let failure { return failure }
    let parcel = empty.popLast() ?? make(buffer.capacity, note)
    swap(&parcel.bytes, &buffer)
    parcel.note = note
    full.append(parcel)
    pthread_cond_signal(sent)
    return nil
  }

  private func make(_ capacity: Int, _ note: Note) -> Parcel<Note> {
    made += 1
    return Parcel(capacity: capacity, note)
  }

  /// Waits until all that was sent has been given back; returns why the receiver takes no more.
  func drain() -> Failure? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while empty.count < made, failure == nil { pthread_cond_wait(returned, lock) }
    return failure
  }

  /// Says that nothing more will be sent. What was sent will still be received.
  func close() {
    pthread_mutex_lock(lock)
    isClosed = true
    pthread_cond_signal(sent)
    pthread_mutex_unlock(lock)
  }

  // MARK: The receiver

  /// Waits for the next parcel; nil once the channel is closed and all have been received.
  private func receive() -> Parcel<Note>? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while full.isEmpty {
      if isClosed { return nil }
      pthread_cond_wait(sent, lock)
    }
    return full.removeFirst()
  }

  /// Receives until there is no more, or `take` throws: what the receiver's thread does.
  func receiveAll(_ take: (Parcel<Note>) throws(PipelineError) -> Void) {
    while let parcel = receive() {
      do throws(PipelineError) {
        try take(parcel)
      } catch {
        fail(error, at: parcel)
        return
      }
      giveBack(parcel)
    }
  }

  /// Gives a parcel back to be filled again.
  private func giveBack(_ parcel: Parcel<Note>) {
    parcel.bytes.removeAll()
    pthread_mutex_lock(lock)
    empty.append(parcel)
    if empty.count == batch || empty.count == made { pthread_cond_signal(returned) }
    pthread_mutex_unlock(lock)
  }

  /// Says that the receiver failed at a parcel and takes no more.
  private func fail(_ error: PipelineError, at parcel: Parcel<Note>) {
    pthread_mutex_lock(lock)
    failure = Failure(error: error, note: parcel.note)
    pthread_cond_signal(returned)
    pthread_mutex_unlock(lock)
  }
}

/// A chunk on its way from one thread to another: one of a few that go back and forth.
final class Parcel<Note> {
  var bytes: ByteBuffer
  /// What the sender says of the chunk.
  var note: Note

  init(capacity: Int, _ note: Note) {
    bytes = ByteBuffer(capacity: capacity)
    self.note = note
  }
}

/// Owns a thread that runs one body.
///
/// Its owner joins it, once; what the body did is seen after ``join()``.
package struct WorkerThread: ~Copyable {
  /// Handed to the thread when it starts.
  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let thread: pthread_t

  /// Starts a thread; nil if the system has no more of them.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let job = Unmanaged.passRetained(Job(body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, job.toOpaque())
    guard result == 0 else {
      job.release()
      return nil
    }
    self.thread = thread
  }

  /// Waits until the body has ended.
  package consuming func join() { pthread_join(thread, nil) }
}
