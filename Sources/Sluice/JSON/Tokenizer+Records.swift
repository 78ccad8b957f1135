import CScan

extension Tokenizer where Next: ~Copyable {
  /// Hands on as wholes the records that are written like those before, from the brace at `p` on;
  /// stops before the first that is not, and behind one that no other follows. Says whether there was
  /// one.
  mutating func takeRecords(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let first = p
    while let end = shape.match(p, before: chunk.end) {
      let raw = UnsafeRawBufferPointer(start: p, count: end - p)
      try next.object(shape.values, raw, at: offset(of: p, in: chunk))
      p = end
      place = .separator
      // The shape leaves room behind a record for the comma, white space and the next brace.
      guard p[0] == UInt8(ascii: ",") else { break }
      let brace = p + 1 + cscan_space(p + 1, p + RecordShape.slack - 1)
      guard brace.pointee == UInt8(ascii: "{") else { break }
      p = brace
      place = .value
    }
    return p > first
  }

  /// Learns how the record is written that has just ended before `p`, for those behind it.
  @inline(never)
  mutating func learnRecord(
    _ raw: UnsafeRawBufferPointer, before p: UnsafePointer<UInt8>, _ chunk: Bounds
  ) {
    guard let keys = shape.learn(raw, room: chunk.end - p) else { return }
    guard next.recognize(keys) else { return shape.forget() }
    shape.accept(depth: nesting.depth)
  }
}
