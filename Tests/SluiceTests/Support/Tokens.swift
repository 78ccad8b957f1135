@testable import Sluice

/// What the tokenizer made of a text.
struct Tokens: Equatable {
  var tokens: [Token]
  var error: PipelineError?

  /// The texts of the tokens that have one.
  var texts: [[UInt8]] { tokens.map(\.text).filter { !$0.isEmpty } }
}
