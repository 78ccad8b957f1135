/// The stages of a feed without its outputs: refuses a bad answer as it comes.
package typealias AnswerCheck = FormRouter<AnswerRoutes>

extension AnswerCheck {
  /// Checks an answer as data of a feed: counts its records table by table, and refuses no more of
  /// them than the limit allows. Without a feed, checks that it is JSON.
  package init(_ feed: Feed?, _ counts: [Tally], limit: RejectLimit, status: Envelope.Test?) {
    var branches: [TokenBranch<Normalizer<FanOut>>] = []
    if let feed {
      let options = NormalizerOptions(limit: limit)
      for (table, tally) in zip(feed.allTables, counts) {
        branches.append(
          TokenBranch(
            Normalizer(feed.only(table), options: options, into: FanOut([]), tally: tally)))
      }
    }
    self.init(AnswerRoutes(into: StatusCheck(status, into: TokenFanOut(branches))))
  }
}

/// Where an answer goes, by its form: it has to be a JSON object or array.
package struct AnswerRoutes: FormRoutes, ~Copyable {
  private var tokenizer: Tokenizer<StatusCheck<TokenFanOut<Normalizer<FanOut>>>>

  init(into rows: consuming StatusCheck<TokenFanOut<Normalizer<FanOut>>>) {
    tokenizer = Tokenizer(into: rows, tally: Tally())
  }

  package mutating func open(_ form: Form) throws(PipelineError) {
    switch form {
    case .object, .array: break
    case .zip, .base64, .csv: throw PipelineError(.source(.notJSON(form)), at: 0)
    }
  }

  package func refusal(_ looksLike: String?, _ start: UnsafeRawBufferPointer) -> PipelineError {
    if looksLike == nil, start.allSatisfy(Form.isSpace) {
      return PipelineError(.source(.empty), at: 0)
    }
    return PipelineError(
      .source(.unknownForm(looksLike: looksLike, start: Array(start))), at: 0)
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) { try tokenizer.write(bytes) }

  package consuming func finish() throws(PipelineError) { try tokenizer.finish() }
}

/// Hands tokens on; checks the field that says whether an answer is good.
///
///     {"cod":"200","list":[…]}      with status: {path: cod, is: "200"}
///
/// Throws ``SourceFault/refused(status:)`` if it has another value, and
/// ``FeedFault/missing(path:keys:)`` if it is not there.
struct StatusCheck<Next: TokenStage & ~Copyable>: TokenStage, ~Copyable {
  private var next: Next
  private let test: Envelope.Test?
  private let node: Int
  private var cursor: PathCursor
  private var isRight = false
  private var keys = KeysSeen()

  init(_ test: Envelope.Test?, into next: consuming Next) {
    let tree = PathTree(test.map { [$0.path] } ?? [])
    node = tree.ends.first ?? .min
    cursor = PathCursor(tree)
    self.test = test
    self.next = next
  }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    guard let test else { return try next.token(kind, text, at: offset) }
    let here = cursor.step(kind, text)
    if kind == .key {
      if cursor.isOnWay { keys.see(text, depth: cursor.depth) }
    } else if here == node, kind != .endObject, kind != .endArray {
      let value = text.withUnsafeBytes { String(decoding: $0.prefix(200), as: UTF8.self) }
      guard kind == .string || kind == .number, value == test.value else {
        throw PipelineError(.source(.refused(status: value)), at: offset)
      }
      isRight = true
    }
    return try next.token(kind, text, at: offset)
  }

  consuming func finish() throws(PipelineError) {
    if let test, !isRight {
      throw PipelineError(
        .normalize(
          .missing(path: test.path.description, keys: keys.at(depth: test.path.steps.count))))
    }
    try next.finish()
  }
}
