/// One JSON document of several answers.
///
///     whole       ANSWER
///     members     {"posts":ANSWER,"users":ANSWER}
///     elements    [{"request":{"page":1},"answer":ANSWER},{"request":{"page":2},"answer":ANSWER}]
struct JoinedDocument: Sendable {
  /// What is known of a request, by its key.
  enum Known: Sendable, Equatable {
    case text(String)
    case number(Int)
  }

  /// An answer in its place.
  enum Place: Sendable, Equatable {
    case whole
    case member(String)
    /// With what is known of its request; when it was answered need not be said.
    case element([String: Known])
  }

  /// A part of the document.
  struct Part: Sendable {
    var place: Place
    var answer: KeptAnswer
  }

  var parts: [Part]

  /// Pushes the document into a stage, which it does not finish. Of what is known of requests only
  /// `members` are written, so that the same answers give the same document.
  ///
  /// Throws what the stage throws, or ``SourceFault/read(path:errno:)``.
  func push<S: ByteStage & ~Copyable>(
    into stage: inout S, members: Set<String>, tally: Tally
  ) throws(PipelineError) {
    tally.expectedBytes.set(parts.reduce(0) { $0 + $1.answer.length })
    if let modified = parts.compactMap(\.answer.facts.modified).max() {
      tally.modified.set(modified)
    }
    var glue = ByteBuffer(capacity: 256)
    var isOpen = false
    for part in parts {
      switch part.place {
      case .whole: break
      case .member(let name):
        glue.append(isOpen ? "," : "{")
        Self.append(name, to: &glue)
        glue.append(":")
      case .element(let known):
        glue.append(isOpen ? ",{" : "[{")
        Self.append(part, known, members, to: &glue)
      }
      isOpen = true
      try stage.take(&glue)
      try push(part.answer, into: &stage, tally)
      if case .element = part.place { glue.append("}") }
    }
    switch parts.first?.place {
    case .whole: return
    case .member: glue.append("}")
    case .element: glue.append("]")
    // A list without a page in it.
    case nil: glue.append("[]")
    }
    try stage.take(&glue)
  }

  private static func append(
    _ part: Part, _ known: [String: Known], _ members: Set<String>, to glue: inout ByteBuffer
  ) {
    append(Joined.request, to: &glue)
    glue.append(":")
    var known = known
    known[Joined.answered] = .text(InstantText.utc(part.answer.facts.answered))
    var isFirst = true
    glue.append("{")
    for (key, value) in known.sorted(by: { $0.key < $1.key }) where members.contains(key) {
      if !isFirst { glue.append(",") }
      isFirst = false
      append(key, to: &glue)
      glue.append(":")
      switch value {
      case .text(let text): append(text, to: &glue)
      case .number(let number): glue.append(string: String(number))
      }
    }
    glue.append("},")
    append(Joined.answer, to: &glue)
    glue.append(":")
  }

  private static func append(_ text: String, to glue: inout ByteBuffer) {
    var text = text
    text.withUTF8 { JSONText.appendString(UnsafeRawBufferPointer($0), to: &glue) }
  }

  private func push<S: ByteStage & ~Copyable>(
    _ answer: KeptAnswer, into stage: inout S, _ tally: Tally
  ) throws(PipelineError) {
    var reader = try AnswerReader(answer)
    var isFirst = true
    while try reader.read() {
      // A byte order mark may only stand before a whole document.
      let mark = isFirst && reader.buffer.contents.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      isFirst = false
      tally.source.bytesIn.increase(by: reader.buffer.count)
      let bytes = UnsafeRawBufferPointer(rebasing: reader.buffer.contents.dropFirst(mark))
      try stage.write(RawSpan(_unsafeBytes: bytes))
      tally.source.bytesOut.increase(by: reader.buffer.count)
    }
  }
}
