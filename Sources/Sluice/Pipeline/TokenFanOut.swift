/// Hands every token to several stages: each reads a table of its own out of the document.
///
/// Raw text is asked for where one of them wants it; the others get it too and take no notice.
struct TokenFanOut<Next: TokenStage & ~Copyable>: TokenStage, ~Copyable {
  private let branches: [TokenBranch<Next>]

  init(_ branches: [TokenBranch<Next>]) { self.branches = branches }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    var reply = TokenReply.proceed
    for branch in branches {
      let wish = try branch.stage?.token(kind, text, at: offset) ?? .proceed
      if wish != .proceed { reply = wish }
    }
    return reply
  }

  consuming func finish() throws(PipelineError) {
    for branch in branches { try branch.stage.take()?.finish() }
  }
}

/// Holds a stage of a ``TokenFanOut`` until it is finished.
final class TokenBranch<Stage: TokenStage & ~Copyable> {
  fileprivate var stage: Stage?
  init(_ stage: consuming Stage) { self.stage = consume stage }
}
