import Glibc

/// Owns a thread that runs one body.
///
/// Whoever starts it joins it, once: what the body did is seen after ``join()``.
struct WorkerThread: ~Copyable {
  /// What the thread needs, handed over when it starts.
  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let thread: pthread_t

  /// Starts a thread; nil where the system has no more of them.
  init?(_ body: @escaping @Sendable () -> Void) {
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
  consuming func join() { pthread_join(thread, nil) }
}
