import CSluice

/// Whole gaps between lists of rows, or objects whose members they are, by a ``RecordShape``.
///
///     {"orders":[{"id":7,"lines":[{…},{…}],"paid":true},{"id":8,"lines":[{…}],…
///                                        └──────────────────────────┘ gap
///
/// Where lists are short, there are as many gaps as records. They are compared in the same way:
/// from the bracket that ends a list to the one that begins the next. A gap leads back into the
/// containers that it left, so the place in the grammar is the one after the bracket. The keys of
/// the elements that it enters may be any.
///
/// Fields that come after their rows come in a gap too. While there are no tokens between them,
/// rows may wait for these as they were read.
extension Tokenizer where Next: ~Copyable {
  /// Hands on the gap from the bracket at `start` on, if it matches, and moves to its end. Returns
  /// whether it did.
  @inline(__always)
  mutating func takeGap(
    from start: UnsafePointer<UInt8>, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds
  ) throws(PipelineError) -> Bool {
    guard gaps.listDepth == nesting.depth, gaps.shape.depth == nesting.depth else { return false }
    return try compareGap(from: start, &p, chunk)
  }

  @inline(never)
  private mutating func compareGap(
    from start: UnsafePointer<UInt8>, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds
  ) throws(PipelineError) -> Bool {
    gaps.shape.forgetDecoded()
    guard let end = gaps.shape.match(start, before: chunk.end) else { return false }
    if nesting.inObject {
      // In an object without members no rows begin.
      let first = skipSpace(end, before: chunk.end)
      guard first < chunk.end, first.pointee == UInt8(ascii: "\"") else { return false }
    }
    try next.gap(gaps.shape.record(start, end, at: offset(of: start, in: chunk)))
    p = end
    place = nesting.inObject ? .firstKey : .firstElement
    return true
  }

  /// Notes that a list or object of rows begins before `p`, and learns the gap before it.
  mutating func beginList(before p: UnsafePointer<UInt8>, _ chunk: Bounds) {
    let gap = gaps.beginList(depth: nesting.depth, before: p)
    guard let gap else { return }
    if gaps.shape.form == nil { gaps.shape.form = next.gapForm() }
    if gaps.shape.learn(gap, room: chunk.end - p) { gaps.shape.accept(depth: nesting.depth) }
  }
}

/// What is known of the gaps between lists or objects of rows.
struct RecordGaps: ~Copyable {
  var shape = RecordShape()
  /// The depth of the list or object of rows that is open; 0 if none is.
  private(set) var listDepth = 0
  /// The depth of the list that ended last, and its bracket; nil if that is in another chunk.
  private var lastDepth = 0
  private var lastEnd: UnsafePointer<UInt8>?

  /// Ends the list or object of rows at its bracket.
  mutating func endList(at bracket: UnsafePointer<UInt8>) {
    (lastDepth, lastEnd) = (listDepth, bracket)
    listDepth = 0
  }

  /// Begins a list or object of rows before `p`. Returns the gap between the one before and this
  /// one; nil if it is not in this chunk.
  mutating func beginList(depth: Int, before p: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer? {
    listDepth = depth
    guard let start = lastEnd, lastDepth == depth else { return nil }
    lastEnd = nil
    return UnsafeRawBufferPointer(start: start, count: p - start)
  }

  /// Ends a chunk, whose memory is gone.
  mutating func leaveChunk() {
    lastEnd = nil
    shape.leaveChunk()
  }
}
