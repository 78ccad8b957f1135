import CSluice

/// Plain values that stand one after the other.
///
///     "temperature":[12.5,12.1,null,11.9]     "rates":{"EUR":1.08,"SEK":11.2}
///                    └──────────────┘                  └───────────────────┘
///
/// Where the next stage wants each of them, they are read without an index, from value to separator. It
/// finds no errors: whatever is not surely right is left to the tokenizer.
extension Tokenizer where Next: ~Copyable {
  /// Whether a plain value here may be handed on as a whole.
  @inline(__always)
  var mayBeValue: Bool { valuesDepth == nesting.depth && (isMember || !nesting.inObject) }

  /// Hands on plain values, from `p` on. Stops before the first one that is none, after the last one of
  /// the container, and near the end of the chunk. Returns whether it moved on.
  @inline(never)
  mutating func takeValues(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let first = p
    let closing = nesting.inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    let last = chunk.end - RecordShape.slack
    while p < last {
      text.removeAll()
      let limit = min(last, p + RecordShape.maxLength)
      guard
        let value = ShapeValue(
          at: p, before: limit, isWanted: true, isTidied: true, decoded: &text)
      else { break }
      var end = p + Int(value.length)
      if end.pointee <= UInt8(ascii: " ") { end += cscan_space(end, last) }
      guard end < last, end.pointee == UInt8(ascii: ",") || end.pointee == closing else { break }
      try next.value(value.object(at: p, decoded: text), at: offset(of: p, in: chunk))
      p = end
      place = .separator
      guard end.pointee == UInt8(ascii: ",") else { return true }
      if nesting.inObject {
        guard try takeKey(&p, chunk) else { return true }
      }
      p += 1
      if p.pointee <= UInt8(ascii: " ") { p += cscan_space(p, last) }
      place = .value
    }
    return p > first
  }
}
