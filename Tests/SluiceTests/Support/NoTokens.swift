@testable import Sluice

/// Drops every token.
struct NoTokens: TokenStage, ~Copyable {
  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  { .proceed }

  consuming func finish() throws(PipelineError) {}
}
