/// The memory of one chunk.
struct Bounds {
  let base: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
}

/// The place in the grammar, named after the next token.
enum Place: UInt8 {
  case value, firstElement, firstKey, key, colon, separator, end
}

/// The token that was cut by the end of a chunk.
enum Inside: UInt8 {
  case none, start, mark, string, number, literal
}

/// The value of a key that nobody asked for. It is checked like any other, but its tokens are not
/// handed on.
///
///     {"id":1,"payload":{"size":[2,3]},"public":true}
///             ^ key: the next stage replies `pass`
///                      └─── passed ──┘
struct Passing {
  /// The depth of the object that has the value, or 0 if no value is passed.
  private(set) var depth = 0
  /// The offset from which tokens are handed on all the same.
  private(set) var limit = 0

  var isOn: Bool {
    @inline(__always) get { depth > 0 }
  }

  @inline(__always)
  mutating func begin(depth: Int, limit: Int) {
    self.depth = depth
    self.limit = limit
  }

  /// Ends with the value, after which `depth` containers are open.
  @inline(__always)
  mutating func endValue(depth: Int) {
    if depth == self.depth { self.depth = 0 }
  }
}

/// Texts that stand one on a line, as NDJSON has them. Any of them may begin on the line after the
/// one before.
struct TextLines {
  var areRead = false
  /// Whether a line has begun after the last text.
  private(set) var hasBegun = false

  /// Notes the white space from `first` on, after a text.
  @inline(__always)
  mutating func note(_ first: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) {
    var p = first
    while p < end, !hasBegun {
      hasBegun = areRead && p.pointee == UInt8(ascii: "\n")
      p += 1
    }
  }

  /// Returns whether a text may begin, which then does.
  @inline(__always)
  mutating func begin() -> Bool {
    defer { hasBegun = false }
    return hasBegun
  }
}

/// The open containers around the current byte, one bit each, set for an object.
struct Nesting {
  private(set) var depth = 0
  /// Whether the innermost container is an object.
  private(set) var inObject = false
  private var bits = InlineArray<8, UInt64>(repeating: 0)

  /// Whether the container around the innermost one is an object; nil if there is none.
  var isOuterObject: Bool? { depth > 1 ? isObject(depth - 2) : nil }

  /// Enters a container. The caller keeps `depth` below ``Limits/depth``.
  @inline(__always)
  mutating func push(isObject: Bool) {
    let word = depth >> 6
    let bit = UInt64(1) << UInt64(depth & 63)
    bits[word] = isObject ? bits[word] | bit : bits[word] & ~bit
    depth += 1
    inObject = isObject
  }

  /// Leaves the innermost container.
  @inline(__always)
  mutating func pop() {
    depth -= 1
    guard depth > 0 else {
      inObject = false
      return
    }
    inObject = isObject(depth - 1)
  }

  /// Whether a container is an object; 0 is the outermost one.
  @inline(__always)
  private func isObject(_ index: Int) -> Bool {
    bits[index >> 6] >> UInt64(index & 63) & 1 == 1
  }
}

/// Keeps the raw text of one value while it is read, up to 64 KiB.
///
/// A value that is whole in its chunk is not copied.
struct Capture: ~Copyable {
  /// The depth of the value, or 0 if none is being kept.
  private var depth = 0
  /// The first byte that is not yet copied.
  private var from: UnsafePointer<UInt8>
  private var kept = ByteBuffer(capacity: 1024)

  init() { from = UnsafePointer(kept.start.assumingMemoryBound(to: UInt8.self)) }

  /// Begins to keep the value whose bracket is at `p`.
  @inline(__always)
  mutating func begin(_ p: UnsafePointer<UInt8>, depth: Int) {
    self.depth = depth
    from = p
    kept.removeAll()
  }

  /// Returns whether the value that is being kept is at this depth.
  @inline(__always)
  func isAt(depth: Int) -> Bool { self.depth == depth }

  /// Begins a chunk.
  mutating func enterChunk(at base: UnsafePointer<UInt8>) { from = base }

  /// Ends a chunk and copies the part of it that must be kept.
  mutating func leaveChunk(at end: UnsafePointer<UInt8>) {
    if depth > 0 { copy(upTo: end) }
  }

  /// Returns the raw text of the value that ends before `end`. It is valid until the end of the
  /// chunk.
  @inline(__always)
  mutating func take(upTo end: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer {
    depth = 0
    if kept.count == 0 {
      return UnsafeRawBufferPointer(start: from, count: min(end - from, Limits.captured))
    }
    copy(upTo: end)
    return kept.contents
  }

  private mutating func copy(upTo end: UnsafePointer<UInt8>) {
    let count = min(end - from, Limits.captured - kept.count)
    kept.append(UnsafeRawBufferPointer(start: from, count: count))
  }
}
