import Glibc

/// A bounded channel that passes chunks from one thread to another, in order.
///
/// The sender calls ``send(_:_:)``, ``drain()`` and, once, ``close()``. It blocks while all parcels
/// are in use. The receiver calls ``receiveAll(_:)``, or ``receive()`` and ``giveBack(_:)`` in
/// turn. If the receiver fails, the sender's next call returns the failure. Passing a parcel
/// synchronizes memory: writes made before it are visible to the other thread. Each chunk carries a
/// `Note` from the sender.
final class BufferChannel<Note: Sendable>: @unchecked Sendable {
  /// The error that stopped the receiver, and the note of the chunk that caused it.
  struct Failure: Sendable {
    var error: PipelineError
    var note: Note
  }

  /// The maximum number of parcels, and how many must be free before a waiting sender wakes.
  private let limit: Int
  private let batch: Int
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let sent: UnsafeMutablePointer<pthread_cond_t>
  private let returned: UnsafeMutablePointer<pthread_cond_t>
  // All properties below are protected by the lock.
  private var full: [Parcel<Note>] = []
  private var empty: [Parcel<Note>] = []
  private var made = 0
  private var isClosed = false
  private var failure: Failure?

  /// Makes a channel of at most `limit` parcels. Parcels are allocated on demand.
  init(limit: Int) {
    self.limit = limit
    // One wakeup costs both threads as much time as a few hundred records.
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

  /// The receiver's failure; nil if it has not failed.
  var outcome: Failure? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return failure
  }

  // MARK: The sender

  /// Sends the contents of `buffer` and leaves it empty, with other memory of the same capacity.
  ///
  /// Returns the receiver's failure, if there is one. In that case nothing is sent.
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

  /// Waits until the receiver has returned every parcel. Returns its failure, if there is one.
  func drain() -> Failure? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while empty.count < made, failure == nil { pthread_cond_wait(returned, lock) }
    return failure
  }

  /// Ends the stream. Parcels that were already sent are still received.
  func close() {
    pthread_mutex_lock(lock)
    isClosed = true
    pthread_cond_signal(sent)
    pthread_mutex_unlock(lock)
  }

  // MARK: The receiver

  /// Waits for the next parcel. Returns nil if the channel is closed and empty.
  func receive() -> Parcel<Note>? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while full.isEmpty {
      if isClosed { return nil }
      pthread_cond_wait(sent, lock)
    }
    return full.removeFirst()
  }

  /// Receives until the channel ends or `take` throws. This is the body of the receiving thread.
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

  /// Returns a parcel to the sender for reuse.
  func giveBack(_ parcel: Parcel<Note>) {
    parcel.bytes.removeAll()
    pthread_mutex_lock(lock)
    empty.append(parcel)
    if empty.count == batch || empty.count == made { pthread_cond_signal(returned) }
    pthread_mutex_unlock(lock)
  }

  /// Records that the receiver failed at a parcel and receives no more.
  private func fail(_ error: PipelineError, at parcel: Parcel<Note>) {
    pthread_mutex_lock(lock)
    failure = Failure(error: error, note: parcel.note)
    pthread_cond_signal(returned)
    pthread_mutex_unlock(lock)
  }
}

/// A chunk in transit between two threads. A few parcels travel back and forth.
final class Parcel<Note> {
  var bytes: ByteBuffer
  /// The sender's note about the chunk.
  var note: Note

  init(capacity: Int, _ note: Note) {
    bytes = ByteBuffer(capacity: capacity)
    self.note = note
  }
}

/// A lock that tools which look for data races know: they do not see through `Mutex`.
final class ThreadLock: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    lock = .allocate(capacity: 1)
    guard pthread_mutex_init(lock, nil) == 0 else { fatalError("out of memory") }
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Runs a closure while no other thread runs one under this lock.
  func withLock<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }
}

/// A thread that runs one closure.
///
/// The owner joins it once. The closure's effects are visible after ``join()``.
package struct WorkerThread: ~Copyable {
  /// The closure, passed to the thread when it starts.
  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let thread: pthread_t

  /// Starts a thread. Returns nil if the system cannot create one.
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

  /// Waits until the closure has returned.
  package consuming func join() { pthread_join(thread, nil) }
}
