/// An input that is read twice: a regular file from its start again, anything else out of a copy
/// that is kept of the first reading.
///
///     file ─▶ stage, fingerprint      file from its start ─▶ stage, fingerprint: the same?
///     pipe ─▶ stage, spool                           spool ─▶ stage
///
/// Throws ``SourceFault/changed(path:)`` where a file says something else the second time, and
/// ``SourceFault/tooLargeToKeep(limit:)`` where more than `limit` bytes would have to be kept.
final class RepeatedInput: ByteSource {
  private let source: Source
  private let limit: Int
  /// Where the first reading began in a file; nil where there is no going back.
  private let start: Int?
  private var fingerprint = Fingerprint()
  private var spool: Spool?
  private var wasRead = false

  init(_ source: consuming Source, limit: Int = 256 << 20) {
    start = source.start
    self.source = source
    self.limit = limit
  }

  func push<S: ByteStage & ~Copyable>(into stage: consuming S, tally: Tally)
    throws(PipelineError)
  {
    guard wasRead else {
      wasRead = true
      if start == nil { spool = try Spool { .source(.spool(errno: $0)) } }
      var tap = RepeatTap(into: stage, input: self)
      try source.run(into: &tap, tally: tally)
      return try tap.finish()
    }
    guard let start else {
      var stage = stage
      try spool?.replay(into: &stage)
      return try stage.finish()
    }
    let first = fingerprint
    fingerprint = Fingerprint()
    try source.rewind(to: start)
    var tap = RepeatTap(into: stage, input: self)
    do throws(PipelineError) {
      try source.run(into: &tap, tally: tally)
    } catch {
      // What was right the first time cannot be wrong the second.
      throw error.isOfEncoding ? changed : error
    }
    guard fingerprint == first else { throw changed }
    try tap.finish()
  }

  private var changed: PipelineError { PipelineError(.source(.changed(path: source.path))) }

  /// Takes note of bytes that pass.
  fileprivate func note(_ bytes: RawSpan) throws(PipelineError) {
    guard start == nil else { return fingerprint.add(bytes) }
    guard (spool?.count ?? 0) + bytes.byteCount <= limit else {
      throw PipelineError(.source(.tooLargeToKeep(limit: limit)), at: limit)
    }
    try spool?.write(bytes)
  }
}

extension PipelineError {
  /// Whether it says that bytes are not what their form demands.
  fileprivate var isOfEncoding: Bool {
    switch fault {
    case .envelope(.spool): false
    case .envelope, .base64, .unzip, .json, .csv: true
    case .source, .requests, .normalize, .sink, .sync, .ledger: false
    }
  }
}

/// Shows the bytes that pass to an input that is read twice.
private struct RepeatTap<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  private var next: Next
  private let input: RepeatedInput

  init(into next: consuming Next, input: RepeatedInput) {
    self.next = next
    self.input = input
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try input.note(bytes)
    try next.write(bytes)
  }

  consuming func finish() throws(PipelineError) { try next.finish() }
}
