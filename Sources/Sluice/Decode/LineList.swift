import Glibc

/// Reads JSON objects that stand one on a line (NDJSON, JSON Lines) as the elements of one list.
///
///     {"a":1}⏎{"a":2}⏎     gives the tokens of     [{"a":1},{"a":2}]
///
/// A text is such lines if an object ends on the first one and another begins after it. No single JSON
/// text can look so, and every other one is passed on unchanged.
///
/// Each line is a JSON text of its own for the tokenizer, so that only white space may follow a value.
/// A value may go on over several lines. Lines have no end of their own: a text that is cut between
/// two of them is whole.
struct LineList<Next: TokenStage & ~Copyable>: ByteStage, ~Copyable {
  private enum Form {
    case undecided, document, lines
  }

  /// The number of first bytes in which the first line has to end. A longer one is a document.
  static var reach: Int { 1 << 20 }

  private var json: Tokenizer<Next>
  /// Called if the text is lines.
  private let isEndless: () -> Void
  private var form = Form.undecided
  /// The first bytes, while the form is undecided.
  private var start = ByteBuffer(capacity: 64)
  /// Whether a line has ended, so that another value may begin.
  private var isAtLineStart = false

  init(into json: consuming Tokenizer<Next>, isEndless: @escaping () -> Void = {}) {
    self.json = json
    self.isEndless = isEndless
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    switch form {
    case .document: try json.write(bytes)
    case .lines: try writeLines(bytes)
    case .undecided:
      start.append(bytes)
      try decide(isWhole: false)
    }
  }

  consuming func finish() throws(PipelineError) {
    if form == .undecided { try decide(isWhole: true) }
    if form == .lines { try json.endList() }
    try json.finish()
  }

  private mutating func decide(isWhole: Bool) throws(PipelineError) {
    let isWhole = isWhole || start.count >= Self.reach
    let bytes = UnsafeRawBufferPointer(rebasing: start.contents.prefix(Self.reach))
    guard let isLines = Self.isLines(bytes, isWhole: isWhole) else { return }
    var first = ByteBuffer(capacity: 1)
    swap(&first, &start)
    form = isLines ? .lines : .document
    guard isLines else { return try json.write(first) }
    isEndless()
    try json.beginList()
    try writeLines(RawSpan(_unsafeStart: first.start, byteCount: first.count))
  }

  /// Whether bytes begin lines of objects; nil if more of them have to come first.
  private static func isLines(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> Bool? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return isWhole ? false : nil }
    let last = bytes[..<end].last { !InputFormat.isSpace($0) }
    guard last == UInt8(ascii: "}") else { return false }
    let next = bytes[end...].first { !InputFormat.isSpace($0) }
    return next.map { $0 == UInt8(ascii: "{") } ?? (isWhole ? false : nil)
  }

  /// Passes each line on alone.
  private mutating func writeLines(_ bytes: RawSpan) throws(PipelineError) {
    try bytes.withUnsafeBytes { (bytes) throws(PipelineError) in
      guard var place = bytes.baseAddress else { return }
      let end = place + bytes.count
      while place < end {
        let newline = memchr(place, 0x0A, end - place)
        let next = newline.map { UnsafeRawPointer($0) + 1 } ?? end
        let line = UnsafeRawBufferPointer(start: place, count: next - place)
        if isAtLineStart, !line.allSatisfy(InputFormat.isSpace) {
          isAtLineStart = false
          json.beginText()
        }
        try json.write(RawSpan(_unsafeBytes: line))
        if newline != nil { isAtLineStart = true }
        place = next
      }
    }
  }
}

extension Tokenizer where Next: ~Copyable {
  /// Hands on the begin of a list that is not in the text.
  fileprivate mutating func beginList() throws(PipelineError) {
    _ = try next.token(.beginArray, RawSpan(), at: 0)
  }

  /// Hands on the end of that list, unless the last text is not complete.
  fileprivate mutating func endList() throws(PipelineError) {
    if inside == .number {
      let length = chunkOffset
      // A number at the end of a text ends with any byte after it.
      let space: StaticString = " "
      try write(RawSpan(_unsafeStart: space.utf8Start, byteCount: 1))
      chunkOffset = length
    }
    guard inside == .none, place == .end else { return }
    _ = try next.token(.endArray, RawSpan(), at: chunkOffset)
  }

  /// Lets another text begin, if the one before is complete.
  fileprivate mutating func beginText() {
    if inside == .none, place == .end { place = .value }
  }
}
