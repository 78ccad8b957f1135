/// Where the bytes of a run come from.
public enum Input: Equatable, Sendable {
  /// The file at this path.
  case file(String)
  /// The process's standard input.
  case standardInput
  /// What an `http` or `https` URL answers.
  case url(String)
  /// Bytes in memory.
  case bytes([UInt8])
  /// What a feed's own requests are answered.
  case requests(RequestInput)
}

/// How a feed's own requests are asked.
public struct RequestInput: Equatable, Sendable {
  /// The state folder, where answers wait for one another.
  public var state: String
  /// A URL that takes the place of scheme, host and port of the feed's own, and stands before their
  /// paths.
  public var mirror: String?
  /// The term that a list is searched for.
  public var search: String?
  /// Whether answers that an earlier run has left are used.
  public var resumes: Bool
  /// What the environment says for the feed's variables.
  public var secrets = RequestSecrets()

  /// Makes the input of a feed's own URLs, or of a mirror of them.
  public init(state: String, mirror: String? = nil, search: String? = nil, resumes: Bool = false) {
    self.state = state
    self.mirror = mirror
    self.search = search
    self.resumes = resumes
  }
}

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
      throw error.class == .badData ? changed : error
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

/// Provides the bytes of an input that is neither a file nor a URL.
package protocol ByteProvider {
  /// Reads to the end and writes all of it to `stage`, which it does not finish. Throws its own
  /// faults, and those of the stage.
  func read<S: ByteStage & ~Copyable>(into stage: inout S, tally: Tally) throws(PipelineError)
}

/// Provides bytes in memory, a piece at a time.
private struct BytesInMemory: ByteProvider {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read<S: ByteStage & ~Copyable>(into stage: inout S, tally: Tally) throws(PipelineError) {
    tally.expectedBytes.set(bytes.count)
    var start = 0
    while start < bytes.count {
      let end = min(start + DescriptorSource.pieceSize, bytes.count)
      tally.source.bytesIn.set(end)
      try stage.write(bytes.span.bytes.extracting(start..<end))
      tally.source.bytesOut.set(end)
      start = end
    }
  }
}

/// An input that is ready to be read: what can be known before it is, has been checked.
package enum Source: ByteSource, ~Copyable {
  case descriptor(DescriptorSource)
  case http(HTTPSource)
  /// Bytes that a caller provides.
  case provided(any ByteProvider)

  /// Opens an input of this feed. A URL is not asked yet. Throws ``SourceFault/nothingToAsk(list:)``
  /// for a feed's own requests: they need a provider.
  init(
    _ input: Input, of feed: String, certificateFile: String?, headers: [String]
  ) throws(PipelineError) {
    switch input {
    case .file(let path): self = .descriptor(try DescriptorSource(file: path))
    case .standardInput: self = .descriptor(try DescriptorSource.standardInput())
    case .url(let url):
      self = .http(
        HTTPSource(
          url: url, certificateFile: certificateFile, headers: headers))
    case .bytes(let bytes): self = .provided(BytesInMemory(bytes))
    case .requests:
      throw PipelineError(.source(.nothingToAsk(list: feed)))
    }
  }

  /// Reads to the end, pushes all of it into `stage` and finishes it.
  consuming func push<S: ByteStage & ~Copyable>(into stage: consuming S, tally: Tally)
    throws(PipelineError)
  {
    var stage = stage
    try run(into: &stage, tally: tally)
    try stage.finish()
  }

  /// Reads to the end and pushes all of it into `stage`, which it does not finish.
  package borrowing func run<S: ByteStage & ~Copyable>(into stage: inout S, tally: Tally)
    throws(PipelineError)
  {
    switch self {
    case .descriptor(let source): try source.run(into: &stage, tally: tally)
    case .http(let source): try source.run(into: &stage, tally: tally, tries: .attended)
    case .provided(let provider):
      try provider.read(into: &stage, tally: tally)
    }
  }
}

extension Source {
  /// Where reading begins in a regular file; nil where there is no going back.
  var start: Int? {
    switch self {
    case .descriptor(let source): source.start
    case .http: nil
    case .provided: nil
    }
  }

  /// The file's path; nil where it has none.
  var path: String? {
    switch self {
    case .descriptor(let source): source.path
    case .http: nil
    case .provided: nil
    }
  }

  /// Goes back to a place in a regular file.
  borrowing func rewind(to start: Int) throws(PipelineError) {
    switch self {
    case .descriptor(let source): try source.rewind(to: start)
    case .http: break
    case .provided: break
    }
  }
}
