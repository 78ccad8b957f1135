import Testing

@testable import Sluice

/// Runs the tokenizer over texts.
enum Tokenizing {
  /// Tokenizes at every cut.
  static func everyCut(
    _ text: [UInt8], splits: Int = 4096, sourceLocation: SourceLocation = #_sourceLocation,
    reply: @escaping (Token) -> TokenReply = { _ in .proceed }
  ) -> Tokens {
    ChunkCutter.everyCut(of: text, splits: splits, sourceLocation: sourceLocation) {
      tokens(text, $0, reply: reply)
    }
  }

  /// Tokenizes at every cut.
  static func everyCut(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
    reply: @escaping (Token) -> TokenReply = { _ in .proceed }
  ) -> Tokens {
    everyCut(Array(text.utf8), sourceLocation: sourceLocation, reply: reply)
  }

  /// Tokenizes with one cut.
  static func tokens(
    _ text: [UInt8], _ cut: ChunkCutter.Cut = .whole, indexed way: StructuralIndex.Way = .best,
    passLimit: Int = .max, reply: @escaping (Token) -> TokenReply = { _ in .proceed }
  ) -> Tokens {
    let box = TokenCollector.Box()
    box.reply = reply
    box.passLimit = passLimit
    do {
      let tokenizer = Tokenizer(
        into: TokenCollector(box: box), indexed: way, counters: Counters())
      try ChunkCutter.feed(text, cut, to: tokenizer)
      return Tokens(tokens: box.tokens, error: nil)
    } catch {
      return Tokens(tokens: box.tokens, error: error)
    }
  }

  /// How the tokenizer ends with one cut; nil where the text is right. Keeps no tokens.
  static func verdict(_ text: [UInt8], _ cut: ChunkCutter.Cut = .whole) -> PipelineError? {
    do {
      try ChunkCutter.feed(text, cut, to: Tokenizer(into: NoTokens(), counters: Counters()))
      return nil
    } catch {
      return error
    }
  }

  /// What a wrong text gives.
  static func fault(_ fault: JSONFault, at offset: Int) -> PipelineError {
    PipelineError(.json(fault), at: offset)
  }
}
