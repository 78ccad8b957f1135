/// Counts tokens and their bytes and drops them.
struct TokenCounter: TokenStage, ~Copyable {
  private var tokens = 0
  private var bytes = 0

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    tokens += 1
    bytes += text.byteCount
    return .proceed
  }

  consuming func finish() throws(PipelineError) {}
}
