import Glibc

/// Does `work` and meanwhile shows how far it is, where somebody watches and progress is allowed:
/// one line, first after half a second, rewritten ten times a second at most, and cleared before
/// this function returns. `read` is called on a thread of its own.
func withProgress<Result, Failure: Error>(
  on console: Console, isAllowed: Bool, read: @escaping @Sendable () -> ProgressState,
  _ work: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard isAllowed, console.isTerminal, let renderer = ProgressRenderer(console, read) else {
    return try work()
  }
  defer { renderer.stop() }
  return try work()
}

/// Rewrites a line with the progress from time to time, on a thread of its own.
private final class ProgressRenderer: Sendable {
  /// What the thread needs, handed over when it starts.
  private final class Job: Sendable {
    let console: Console
    let read: @Sendable () -> ProgressState
    let bell: Int32

    init(_ console: Console, _ read: @escaping @Sendable () -> ProgressState, bell: Int32) {
      self.console = console
      self.read = read
      self.bell = bell
    }

    func run() {
      var wait = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
      var pause: Int32 = 500
      var isShown = false
      while true {
        let answer = poll(&wait, 1, pause)
        if answer < 0, errno == EINTR { continue }
        guard answer == 0 else { break }
        // The terminal may be resized meanwhile. Its last column is left free: a full line wraps.
        let columns = console.columns - 1
        console.put("\r\(read().line(console.language, columns: columns))\u{1B}[K")
        isShown = true
        pause = 100
      }
      if isShown { console.put("\r\u{1B}[K") }
    }
  }

  private let thread: pthread_t
  /// A pipe: closing the end for writing wakes the thread and ends it.
  private let bell: (reading: Int32, writing: Int32)

  /// Starts the thread; nil where the system has no more of what it takes.
  init?(_ console: Console, _ read: @escaping @Sendable () -> ProgressState) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    bell = (ends[0], ends[1])
    let job = Unmanaged.passRetained(Job(console, read, bell: bell.reading))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, job.toOpaque())
    self.thread = thread
    guard result == 0 else {
      job.release()
      close(ends[0])
      close(ends[1])
      return nil
    }
  }

  /// Clears the line and waits until the thread has ended.
  func stop() {
    close(bell.writing)
    pthread_join(thread, nil)
    close(bell.reading)
  }
}
