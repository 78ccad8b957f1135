import CSluice

/// Whole records, by a ``RecordShape``.
extension Tokenizer where Next: ~Copyable {
  /// Hands on whole records that match the shape, from the brace or bracket at `p` on. Stops before
  /// the first one that does not match, after the last one of a list, and at the end of the chunk if it
  /// keeps one that the chunk cuts. Returns whether it moved on.
  mutating func takeRecords(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let first = p
    while try takeRecord(&p, chunk) {
      // The slack after a record has room for the separator, white space and what the next one begins
      // with.
      guard p[0] == (nesting.depth == 0 ? UInt8(ascii: "\n") : UInt8(ascii: ",")) else {
        return true
      }
      let begin = p + 1 + cscan_space(p + 1, p + RecordShape.slack - 1)
      guard begin.pointee == first.pointee else { return true }
      p = begin
      place = .value
    }
    if shape.mayBeCut {
      if !cut.isTaken, cut.keep(p, in: chunk) {
        p = chunk.end
        place = .value
      } else {
        shape.leave()
      }
    }
    return p > first
  }

  /// Hands on the record at `p`. Returns whether it matches the shape.
  @inline(__always)
  private mutating func takeRecord(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    guard let end = shape.match(p, before: chunk.end) else { return false }
    try next.object(shape.record(p, end, at: offset(of: p, in: chunk)))
    p = end
    place = nesting.depth == 0 ? .end : .separator
    return true
  }

  /// Reads the record that the last chunk cut, whose other bytes are the first of this one. Returns how
  /// many of them were read.
  @inline(never)
  mutating func takeCut(_ rest: UnsafeRawBufferPointer) throws(PipelineError) -> Int {
    let kept = cut.take(with: rest)
    let joined = cut.bounds
    var p = joined.base
    if try !takeRecord(&p, joined) { shape.leave() }
    // What is left of the last chunk is read as if nothing followed.
    let part = Bounds(base: joined.base, end: max(p, joined.base + kept))
    try read(part, from: p)
    cut.removeAll()
    return part.end - part.base - kept
  }

  /// Learns the form of the record that ends before `p`, for the records after it.
  @inline(never)
  mutating func learnRecord(
    _ raw: UnsafeRawBufferPointer, before p: UnsafePointer<UInt8>, _ chunk: Bounds
  ) {
    if shape.form == nil { shape.form = next.recordForm() }
    if shape.learn(raw, room: chunk.end - p) {
      shape.accept(depth: nesting.depth)
    } else {
      shape.rest()
    }
  }
}

/// The first bytes of a record that a chunk cuts.
///
///     chunks    …,{"id":6,"at":"c"},{"id":7,"a│t":"d"},{"id":8,…
///     kept                          └─────────┘
///     with the next one             └──────────────────────…     compared with the shape
///
/// Token by token such a record would take much longer, and there is one in each chunk.
struct CutRecord: ~Copyable {
  /// The most bytes of the next chunk that are joined.
  private static let most = 16 << 10

  private var bytes = ByteBuffer(capacity: 1)
  /// Whether it is being read. Nothing else is kept then.
  private(set) var isTaken = false

  /// The number of bytes that are kept for the next chunk.
  @inline(__always)
  var count: Int { isTaken ? 0 : bytes.count }

  /// The bytes as a chunk of their own.
  var bounds: Bounds {
    let base = UnsafePointer(bytes.start.assumingMemoryBound(to: UInt8.self))
    return Bounds(base: base, end: base + bytes.count)
  }

  /// Keeps the bytes from `p` on, unless they are many: copying would cost more than it saves. Returns
  /// whether it did.
  mutating func keep(_ p: UnsafePointer<UInt8>, in chunk: Bounds) -> Bool {
    let count = chunk.end - p
    guard count <= (chunk.end - chunk.base) / 8 else { return false }
    bytes.append(UnsafeRawBufferPointer(start: p, count: count))
    return true
  }

  /// Joins the first bytes of the next chunk. Returns how many were kept before.
  mutating func take(with rest: UnsafeRawBufferPointer) -> Int {
    let kept = bytes.count
    bytes.append(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.most)))
    isTaken = true
    return kept
  }

  /// Forgets the record, which has been read.
  mutating func removeAll() {
    bytes.removeAll()
    isTaken = false
  }
}
