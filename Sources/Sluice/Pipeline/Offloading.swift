/// Settles how a run ends where a part of it has run ahead of the rest on another thread.
///
/// On one thread, an error of the stages behind an ``Offload`` ends the run at once, and those
/// before it see no more of the input; only what is said of the content itself is kept until the
/// archive has been checked (see ``Unzipper``). With two threads, the stages before have gone on by
/// a few chunks when they hear of it, and may have met with an error of their own. Whoever drives
/// the pipeline asks ``settle(_:)`` once all its stages are gone: error and counts are then those
/// of one thread.
final class Offloading {
  let rule: OffloadRule
  let tally: Tally
  /// What ended the stages on the other thread.
  private var failure: BufferChannel<UpstreamCounts>.Failure?

  init(_ rule: OffloadRule, tally: Tally) {
    self.rule = rule
    self.tally = tally
  }

  /// Hears what ended the stages on the other thread.
  func note(_ failure: BufferChannel<UpstreamCounts>.Failure) { self.failure = failure }

  /// Says which error the run ends with, where the pipeline has ended with `error`.
  func settle(_ error: PipelineError) -> PipelineError {
    guard let failure else { return error }
    if failure.error.isOfContent {
      // From there on, entries were only checked.
      tally.unzip.bytesOut.set(failure.note.unzip.bytesOut)
      return error
    }
    tally.rewind(to: failure.note)
    return failure.error
  }
}
