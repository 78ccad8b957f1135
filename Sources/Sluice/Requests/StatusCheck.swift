/// Hands tokens on while the field that says whether an answer is one has the right value.
///
///     {"cod":"200","list":[…]}      with status: {path: cod, is: "200"}
///
/// Throws ``SourceFault/refused(status:)`` where it says something else, and
/// ``FeedFault/missing(path:keys:)`` where it says nothing.
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
