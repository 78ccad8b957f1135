/// Counts tokens and their bytes and drops them; takes the objects of the outermost list as wholes.
struct TokenCounter: TokenStage, ~Copyable {
  private var tokens = 0
  private var bytes = 0
  private var depth = 0

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    tokens += 1
    bytes += text.byteCount
    switch kind {
    case .beginObject, .beginArray:
      depth += 1
      return depth == 2 && kind == .beginObject ? .record : .proceed
    case .endObject, .endArray: depth -= 1
    default: break
    }
    return .proceed
  }

  mutating func recognize(_ keys: [UnsafeRawBufferPointer]) -> Bool { true }

  mutating func object(
    _ values: UnsafeBufferPointer<ObjectValue>, _ raw: UnsafeRawBufferPointer, at offset: Int
  ) throws(PipelineError) {
    for value in values { bytes += value.count }
  }

  consuming func finish() throws(PipelineError) {}
}
