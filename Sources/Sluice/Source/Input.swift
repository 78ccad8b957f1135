/// The origin of a run's bytes.
public enum Input: Equatable, Sendable {
  /// The file at this path.
  case file(String)
  /// The process's standard input.
  case standardInput
  /// The answer of an `http` or `https` URL.
  case url(String)
  /// Bytes in memory.
  case bytes([UInt8])
  /// The answers to a feed's own requests.
  case requests(RequestInput)
}

/// The options of a feed's own requests.
public struct RequestInput: Equatable, Sendable {
  /// The state folder. Answers are kept there until all have arrived.
  public var state: String
  /// A URL that replaces the scheme, host and port of the feed's own URLs, and precedes their
  /// paths.
  public var mirror: String?
  /// The term that a list is searched for.
  public var search: String?
  /// Whether the answers of an earlier run are used.
  public var resumes: Bool
  /// The environment's values of the feed's variables.
  package var secrets = RequestSecrets()

  /// Makes the input of a feed's own URLs, or of their mirror.
  public init(state: String, mirror: String? = nil, search: String? = nil, resumes: Bool = false) {
    self.state = state
    self.mirror = mirror
    self.search = search
    self.resumes = resumes
  }
}

/// An input that is read twice. The second time a regular file is read from its start again, and
/// anything else from a copy that was made by the first reading.
///
///     file ─▶ stage, checksum         file from its start ─▶ stage, checksum: the same?
///     pipe ─▶ stage, spool                           spool ─▶ stage
///
/// Throws ``SourceFault/changed(path:)`` if a file has other content the second time, and
/// ``SourceFault/tooLargeToKeep(limit:)`` if the copy would be larger than `limit` bytes.
final class RepeatedInput: ByteSource {
  private let source: Source
  private let limit: Int
  /// Whether a second reading may still be needed, if that is not certain. If not, nothing is
  /// copied any more.
  private let isNeeded: (() -> Bool)?
  /// Whether the copy would have been too large.
  private var isTooLarge = false
  /// The offset in a regular file at which the first reading began. Nil for anything else.
  private let start: Int?
  private var sum = ContentSum()
  private var spool: Spool?
  private var wasRead = false

  init(
    _ source: consuming Source, limit: Int = 256 << 20, isNeeded: (() -> Bool)? = nil
  ) {
    self.isNeeded = isNeeded
    start = source.start
    self.source = source
    self.limit = limit
  }

  /// Makes an input that was read before, and was kept.
  init(replaying spool: consuming Spool) {
    source = .provided(BytesInMemory([]))
    limit = 0
    isNeeded = nil
    start = nil
    self.spool = consume spool
    wasRead = true
  }

  func push<S: ByteStage & ~Copyable>(
    into stage: consuming S, counters: Counters, date: ContentDate
  ) throws(PipelineError) {
    guard wasRead else {
      wasRead = true
      if start == nil { spool = try Spool { .source(.spool(errno: $0)) } }
      var tap = RepeatTap(into: stage, input: self)
      try source.run(into: &tap, counters: counters, date: date)
      return try tap.finish()
    }
    guard let start else {
      guard !isTooLarge else { throw tooLarge }
      var stage = stage
      try spool?.replay(into: &stage)
      return try stage.finish()
    }
    let first = sum
    sum = ContentSum()
    try source.rewind(to: start)
    var tap = RepeatTap(into: stage, input: self)
    do throws(PipelineError) {
      try source.run(into: &tap, counters: counters, date: date)
    } catch {
      // Content that was valid the first time can only be invalid because it has changed.
      throw error.class == .badData ? changed : error
    }
    guard sum == first else { throw changed }
    try tap.finish()
  }

  private var tooLarge: PipelineError {
    PipelineError(.source(.tooLargeToKeep(limit: limit)), at: limit)
  }

  private var changed: PipelineError { PipelineError(.source(.changed(path: source.path))) }

  /// Adds bytes to the checksum or to the copy.
  fileprivate func note(_ bytes: RawSpan) throws(PipelineError) {
    if let isNeeded, isTooLarge || !isNeeded() {
      spool = nil
      return
    }
    guard start == nil else { return sum.add(bytes) }
    guard (spool?.count ?? 0) + bytes.byteCount <= limit else {
      guard isNeeded != nil else { throw tooLarge }
      isTooLarge = true
      spool = nil
      return
    }
    try spool?.write(bytes)
  }
}

/// Passes bytes on, and reports them to an input that is read twice.
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
  /// Reads to the end and writes all of it to `stage`. Does not finish the stage. Throws its own
  /// faults, and those of the stage.
  func read<S: ByteStage & ~Copyable>(
    into stage: inout S, counters: Counters, date: ContentDate
  ) throws(PipelineError)
}

/// Provides bytes in memory, a piece at a time.
private struct BytesInMemory: ByteProvider {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read<S: ByteStage & ~Copyable>(
    into stage: inout S, counters: Counters, date: ContentDate
  ) throws(PipelineError) {
    counters.expectedBytes.set(bytes.count)
    var start = 0
    while start < bytes.count {
      let end = min(start + DescriptorSource.pieceSize, bytes.count)
      counters.source.bytesIn.set(end)
      try stage.write(bytes.span.bytes.extracting(start..<end))
      counters.source.bytesOut.set(end)
      start = end
    }
  }
}

/// An input that is ready to be read. All checks that are possible before reading have been made.
package enum Source: ByteSource, ~Copyable {
  case descriptor(DescriptorSource)
  case http(HTTPSource)
  /// Bytes that a caller provides.
  case provided(any ByteProvider)

  /// Opens an input of this feed. Sends no request to a URL yet. Throws
  /// ``SourceFault/nothingToAsk(list:)`` for a feed's own requests, because these need a provider.
  init(
    _ input: Input, of feed: String, certificateFile: String?, headers: [String],
    limits: HTTPLimits
  ) throws(PipelineError) {
    switch input {
    case .file(let path): self = .descriptor(try DescriptorSource(file: path))
    case .standardInput: self = .descriptor(try DescriptorSource.standardInput())
    case .url(let url):
      self = .http(
        HTTPSource(
          url: url, certificateFile: certificateFile, headers: headers, limits: limits))
    case .bytes(let bytes): self = .provided(BytesInMemory(bytes))
    case .requests:
      throw PipelineError(.source(.nothingToAsk(list: feed)))
    }
  }

  /// Reads to the end, writes all of it to `stage` and finishes it.
  consuming func push<S: ByteStage & ~Copyable>(
    into stage: consuming S, counters: Counters, date: ContentDate
  ) throws(PipelineError) {
    var stage = stage
    try run(into: &stage, counters: counters, date: date)
    try stage.finish()
  }

  /// Reads to the end and writes all of it to `stage`. Does not finish the stage.
  package borrowing func run<S: ByteStage & ~Copyable>(
    into stage: inout S, counters: Counters, date: ContentDate
  ) throws(PipelineError) {
    switch self {
    case .descriptor(let source): try source.run(into: &stage, counters: counters, date: date)
    case .http(let source):
      try source.run(into: &stage, counters: counters, date: date, tries: .attended)
    case .provided(let provider): try provider.read(into: &stage, counters: counters, date: date)
    }
  }
}

extension Source {
  /// The offset at which reading begins in a regular file. Nil for anything else.
  var start: Int? {
    switch self {
    case .descriptor(let source): source.start
    case .http: nil
    case .provided: nil
    }
  }

  /// The open regular file that is read from its start, and its size. Nil for anything else.
  var plainFile: (descriptor: Int32, size: Int)? {
    switch self {
    case .descriptor(let source): source.plainFile
    case .http: nil
    case .provided: nil
    }
  }

  /// Says what is known of a file before it is read: its size and the date of its last change.
  borrowing func publishStatus(to counters: Counters, _ date: ContentDate) {
    switch self {
    case .descriptor(let source): source.publishStatus(to: counters, date)
    case .http: break
    case .provided: break
    }
  }

  /// The file's path, or nil if it has none.
  var path: String? {
    switch self {
    case .descriptor(let source): source.path
    case .http: nil
    case .provided: nil
    }
  }

  /// Moves back to an offset in a regular file.
  borrowing func rewind(to start: Int) throws(PipelineError) {
    switch self {
    case .descriptor(let source): try source.rewind(to: start)
    case .http: break
    case .provided: break
    }
  }
}
