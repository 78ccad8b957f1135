@testable import Sluice

/// Keeps tokens as bytes; the pieces of a string as one token.
struct TokenWriter: TokenStage, ~Copyable {
  private let output: Output
  private let isAsking: Bool
  private var asked = 0

  init(to output: Output, isAsking: Bool) {
    self.output = output
    self.isAsking = isAsking
  }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    text.withUnsafeBytes { output.bytes.append(contentsOf: $0) }
    if kind == .stringPiece { return .proceed }
    output.bytes += [kind.rawValue, UInt8(truncatingIfNeeded: offset)]
    guard isAsking else { return .proceed }
    asked += 1
    switch kind {
    case .key: return asked % 2 == 0 ? .pieces : .proceed
    case .beginObject, .beginArray: return asked % 3 == 0 ? .capture : .proceed
    default: return .proceed
    }
  }

  // Whole objects and passed values are not asked for.
  var passLimit: Int { .max }
  mutating func recordForm() -> RecordForm? { nil }
  mutating func object(_ record: WholeRecord) throws(PipelineError) {}

  consuming func finish() throws(PipelineError) { output.bytes.append(0) }
}
