/// Keeps the raw text of one value while it passes, its first 64 KiB.
///
/// Nothing is copied while the value lies in one chunk.
struct Capture: ~Copyable {
  /// How deep the value lies; 0 where none is being kept.
  private var depth = 0
  /// Where the part begins that is not copied.
  private var from: UnsafePointer<UInt8>
  private var kept = ByteBuffer(capacity: 1024)

  init() { from = UnsafePointer(kept.start.assumingMemoryBound(to: UInt8.self)) }

  /// Starts with the value whose bracket is at `p`.
  @inline(__always)
  mutating func begin(_ p: UnsafePointer<UInt8>, depth: Int) {
    self.depth = depth
    from = p
    kept.removeAll()
  }

  /// The value being kept is the one at this depth.
  @inline(__always)
  func isAt(depth: Int) -> Bool { self.depth == depth }

  /// Says where the next chunk begins.
  mutating func enterChunk(at base: UnsafePointer<UInt8>) { from = base }

  /// Says where the chunk ends; what was not copied yet is copied now.
  mutating func leaveChunk(at end: UnsafePointer<UInt8>) {
    if depth > 0 { copy(upTo: end) }
  }

  /// Ends with the value whose text ends before `end`. The answer is valid until the chunk's end.
  @inline(__always)
  mutating func take(upTo end: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer {
    depth = 0
    if kept.count == 0 {
      return UnsafeRawBufferPointer(start: from, count: min(end - from, Limits.captured))
    }
    copy(upTo: end)
    kept.reserve(RecordShape.slack)
    return kept.contents
  }

  private mutating func copy(upTo end: UnsafePointer<UInt8>) {
    let count = min(end - from, Limits.captured - kept.count)
    kept.append(UnsafeRawBufferPointer(start: from, count: count))
  }
}
