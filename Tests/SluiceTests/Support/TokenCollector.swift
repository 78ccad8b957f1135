@testable import Sluice

/// Keeps the tokens that it is given, in a box that outlives it.
struct TokenCollector: TokenStage, ~Copyable {
  /// What a collector was given, and what it answers.
  final class Box {
    var tokens: [Token] = []
    /// The pieces of a string that goes on.
    var pending: [UInt8] = []
    var isFinished = false
    /// What it answers to a token.
    var reply: (Token) -> TokenReply = { _ in .proceed }
    /// Where values that it passes end to be passed.
    var passLimit = Int.max
  }

  let box: Box

  var passLimit: Int { box.passLimit }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    let bytes = text.withUnsafeBytes { Array($0) }
    if kind == .stringPiece {
      box.pending += bytes
      return .proceed
    }
    let token = Token(kind: kind, text: box.pending + bytes, offset: offset)
    box.pending = []
    box.tokens.append(token)
    return box.reply(token)
  }

  consuming func finish() throws(PipelineError) { box.isFinished = true }
}
