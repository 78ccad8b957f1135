/// What of a body has been handed on already, where the body is sent once more.
///
///     first answer   ▓▓▓▓▓▓▓✂
///     second answer  ▓▓▓▓▓▓▓░░░░░░░   the same as far as the cut? then only what follows is new
struct RepeatedBody {
  /// What has been handed on.
  private var known = Fingerprint()
  /// What of it has come again.
  private var again: Fingerprint?
  private var failure: PipelineError?

  /// Expects the body from its start once more, after a failure.
  mutating func begin(after error: PipelineError) {
    failure = error
    again = known.length == 0 ? nil : Fingerprint()
  }

  /// How many of these bytes, the body's next, have been handed on before.
  ///
  /// Throws the failure before where they are not the same as far as that went.
  mutating func skip(_ bytes: RawSpan) throws(PipelineError) -> Int {
    var skipped = 0
    if var seen = again {
      skipped = min(bytes.byteCount, known.length - seen.length)
      seen.add(bytes.extracting(0..<skipped))
      again = seen
      if seen.length == known.length { try end() }
    }
    known.add(bytes.extracting(skipped..<bytes.byteCount))
    return skipped
  }

  /// Ends the body. Throws the failure before where not all came again that had been handed on.
  mutating func end() throws(PipelineError) {
    guard let seen = again else { return }
    if seen != known, let failure { throw failure }
    again = nil
  }
}
