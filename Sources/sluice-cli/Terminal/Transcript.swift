import Synchronization

/// Keeps the lines that a console says, plain: without colours and times.
final class Transcript: Sendable {
  private let lines = Mutex("")

  /// Keeps a line, with its line end.
  func keep(_ line: String) { lines.withLock { $0 += line } }

  /// All lines so far.
  var text: String { lines.withLock { $0 } }
}
