/// Reads JSON objects that stand one on a line (NDJSON, JSON Lines) as the elements of one list.
///
///     {"a":1}⏎{"a":2}⏎     gives the tokens of     [{"a":1},{"a":2}]
///
/// A text is such lines if an object ends on the first one and another begins after it. No single
/// JSON text can look so, and every other one is passed on unchanged.
///
/// A value may go on over several lines, but another one begins on a line of its own. Lines have no
/// end of their own: a text that is cut between two of them is whole.
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

  init(into json: consuming Tokenizer<Next>, isEndless: @escaping () -> Void = {}) {
    self.json = json
    self.isEndless = isEndless
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    switch form {
    case .document, .lines: try json.write(bytes)
    case .undecided:
      start.append(bytes)
      try decide(isWhole: false)
    }
  }

  consuming func finish() throws(PipelineError) {
    if form == .undecided { try decide(isWhole: true) }
    if form == .lines { try json.endLines() }
    try json.finish()
  }

  private mutating func decide(isWhole: Bool) throws(PipelineError) {
    let isWhole = isWhole || start.count >= Self.reach
    let bytes = UnsafeRawBufferPointer(rebasing: start.contents.prefix(Self.reach))
    guard let isLines = TextLines.areWritten(in: bytes, isWhole: isWhole) else { return }
    var first = ByteBuffer(capacity: 1)
    swap(&first, &start)
    form = isLines ? .lines : .document
    if isLines {
      isEndless()
      try json.beginLines()
    }
    try json.write(first)
  }
}

extension TextLines {
  /// Whether bytes begin lines of objects; nil if more of them have to come first.
  static func areWritten(in bytes: UnsafeRawBufferPointer, isWhole: Bool) -> Bool? {
    // Empty lines before the first one do not count.
    let text = bytes[InputFormat.start(of: bytes)...]
    guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else { return isWhole ? false : nil }
    let last = text[..<end].last { !InputFormat.isSpace($0) }
    guard last == UInt8(ascii: "}") else { return false }
    let next = bytes[end...].first { !InputFormat.isSpace($0) }
    return next.map { $0 == UInt8(ascii: "{") } ?? (isWhole ? false : nil)
  }
}

extension Tokenizer where Next: ~Copyable {
  /// Reads the next texts as lines, and hands on the begin of their list, which is not in the text.
  mutating func beginLines() throws(PipelineError) {
    lines.areRead = true
    let reply = try next.token(.beginArray, RawSpan(), at: 0)
    if reply == .records { shape.resume(depth: nesting.depth + 1) }
  }

  /// Hands on the end of that list, unless the last text is not complete.
  mutating func endLines() throws(PipelineError) {
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
}
