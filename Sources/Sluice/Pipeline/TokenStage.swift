/// What the tokenizer has found.
public enum TokenKind: UInt8, Sendable, BitwiseCopyable {
  /// The brackets of objects and arrays.
  case beginObject, endObject, beginArray, endArray
  /// An object's key, unescaped.
  case key
  /// A string value, unescaped; of one handed on in pieces, the last piece.
  case string
  /// A piece of a string value that goes on.
  case stringPiece
  /// A number, exactly as written.
  case number
  /// The three words.
  case `true`, `false`, null
}

/// What a token stage wants of what follows the token that it was given.
enum TokenReply: UInt8, Sendable {
  /// Nothing special.
  case proceed
  /// To `beginObject` or `beginArray`: give the raw text of this value, its first 64 KiB, as the
  /// text of the token that ends it.
  case capture
  /// To `beginObject`: the same, and objects like this one may follow; see
  /// ``TokenStage/recognize(_:)``.
  case record
  /// To `key`: if the value is a string, hand it on in pieces, of any length in all.
  case pieces
}

/// Accepts the tokens of one JSON document.
///
/// The tokenizer drives, and has checked the grammar: tokens come balanced and in order. `text`
/// lives only for the call; it is empty for structure, but for the end of what was captured and for
/// the array that stands for a line of a table which is no record, and for words. `offset` is where
/// the token begins, in bytes from the start of the document. After a throw nobody calls the stage
/// again.
protocol TokenStage: ~Copyable {
  /// Takes the next token.
  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  /// Says whether the stage takes objects with these keys, in this order, as wholes.
  ///
  /// Asked behind the end of an object for which the stage replied `record`. Objects of the same
  /// array that are written like it, some of these keys missing, may then come by
  /// ``object(_:_:at:)`` instead of as tokens.
  mutating func recognize(_ keys: [UnsafeRawBufferPointer]) -> Bool
  /// Takes a whole object with the keys that were recognized last: its values, in the keys' order,
  /// and its raw text.
  mutating func object(
    _ values: UnsafeBufferPointer<ObjectValue>, _ raw: UnsafeRawBufferPointer, at offset: Int
  ) throws(PipelineError)
  /// Says that the document is complete.
  consuming func finish() throws(PipelineError)
}

extension TokenStage where Self: ~Copyable {
  mutating func recognize(_ keys: [UnsafeRawBufferPointer]) -> Bool { false }

  mutating func object(
    _ values: UnsafeBufferPointer<ObjectValue>, _ raw: UnsafeRawBufferPointer, at offset: Int
  ) throws(PipelineError) {
    preconditionFailure("no objects were recognized")
  }
}
