import Sluice
import Synchronization

/// Tells whoever watches over the runs how this one goes.
///
///     begun ─▶ … ─▶ ended        what was not heard is said at the end, and only when asked
///
/// No watcher changes how a run ends.
final class Watcher: Sendable {
  private let ping: Ping
  private let certificateFile: String?
  private let unheard = Mutex<[PipelineError]>([])

  /// Watches for the owner of this URL; the file has certificates to trust.
  init(_ ping: Ping, certificateFile: String?) {
    self.ping = ping
    self.certificateFile = certificateFile
  }

  /// Tells that the run has begun; blocks for some seconds at most, on any thread.
  func begun() { tell(.begun) }

  /// Tells how the run has ended: all but 0 is a failure, with what was said. Then says what was
  /// not heard, where that is wanted.
  func ended(_ code: ExitCode, _ console: Console, isVerbose: Bool) {
    tell(code == .done ? .succeeded : .failed(lines: console.transcript?.text ?? ""))
    guard isVerbose else { return }
    for error in unheard.withLock({ $0 }) { console.warning(.pingUnheard(error)) }
  }

  private func tell(_ news: Ping.News) {
    guard let error = ping.tell(news, certificateFile: certificateFile) else { return }
    unheard.withLock { if !$0.contains(error) { $0.append(error) } }
  }
}
