import Testing

@testable import Sluice

/// A token as a test sees it. A string that came in pieces is one token with all of its text.
struct Token: Equatable, CustomStringConvertible {
  var kind: TokenKind
  var text: [UInt8] = []
  var offset: Int

  var description: String {
    "\(kind)@\(offset)" + (text.isEmpty ? "" : " «\(String(decoding: text, as: UTF8.self))»")
  }
}

/// What the tokenizer made of a text.
struct Tokens: Equatable {
  var tokens: [Token]
  var error: PipelineError?

  /// The texts of the tokens that have one.
  var texts: [[UInt8]] { tokens.map(\.text).filter { !$0.isEmpty } }
}

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
  }

  let box: Box

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
    _ text: [UInt8], _ cut: ChunkCutter.Cut = .whole,
    reply: @escaping (Token) -> TokenReply = { _ in .proceed }
  ) -> Tokens {
    let box = TokenCollector.Box()
    box.reply = reply
    do {
      let tokenizer = Tokenizer(into: TokenCollector(box: box), tally: Tally())
      try ChunkCutter.feed(text, cut, to: tokenizer)
      return Tokens(tokens: box.tokens, error: nil)
    } catch {
      return Tokens(tokens: box.tokens, error: error)
    }
  }

  /// How the tokenizer ends with one cut; nil where the text is right. Keeps no tokens.
  static func verdict(_ text: [UInt8], _ cut: ChunkCutter.Cut = .whole) -> PipelineError? {
    do {
      try ChunkCutter.feed(text, cut, to: Tokenizer(into: NoTokens(), tally: Tally()))
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

/// Drops every token.
struct NoTokens: TokenStage, ~Copyable {
  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  { .proceed }

  consuming func finish() throws(PipelineError) {}
}
