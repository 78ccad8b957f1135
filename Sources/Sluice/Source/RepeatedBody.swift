/// What of a body has been handed on already, where the body is sent once more.
///
///     first answer   ▓▓▓▓▓▓▓✂
///     second answer  ▓▓▓▓▓▓▓░░░░░░░   the same as far as the cut? then only what follows is new
struct RepeatedBody {
  /// What has been handed on.
  private var known = Fingerprint()
  /// What of it has come again.
  private var again: Fingerprint?
  /// The failure of the try that came furthest.
  private var furthest: PipelineError?

  /// How many bytes have been handed on.
  var count: Int { known.length }

  /// Expects the body from its start once more, after a failure.
  mutating func begin(after error: PipelineError) {
    furthest = further(error)
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
    if seen != known, let furthest { throw furthest }
    again = nil
  }

  /// What to tell where the last try failed: that the connection broke off says more than that there
  /// was none afterwards.
  func further(_ error: PipelineError) -> PipelineError {
    guard let furthest, case .source(let fault) = error.fault else { return error }
    switch fault {
    case .cut, .tooSlow, .unresolved, .unconnected, .connectTimeout:
      return (error.offset ?? -1) < (furthest.offset ?? -1) ? furthest : error
    default: return error
    }
  }
}
