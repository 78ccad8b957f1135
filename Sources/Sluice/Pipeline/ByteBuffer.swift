import Glibc

/// Owns a growing piece of memory: the one owner of raw bytes that the stages share.
///
/// It grows with `realloc`, which moves pages instead of copying them once a buffer is large, and
/// never shrinks; pages that were never touched cost nothing. `start` is valid until the next
/// call that grows the buffer.
struct ByteBuffer: ~Copyable {
  /// The first byte.
  private(set) var start: UnsafeMutableRawPointer
  /// How many bytes are in use.
  private(set) var count = 0
  /// How many bytes there is room for.
  private(set) var capacity: Int

  /// Makes an empty buffer with room for `capacity` bytes (at least 1).
  init(capacity: Int) {
    precondition(capacity > 0)
    guard let memory = malloc(capacity) else { fatalError("out of memory") }
    start = memory
    self.capacity = capacity
  }

  /// Makes an empty buffer whose memory is all zeros: large ones come so from the system, and only
  /// the pages that are used are ever touched.
  init(zeroed capacity: Int) {
    precondition(capacity > 0)
    guard let memory = calloc(1, capacity) else { fatalError("out of memory") }
    start = memory
    self.capacity = capacity
  }

  deinit { free(start) }

  /// The bytes in use, as a pointer that is valid until the buffer grows.
  var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// How many bytes fit before the buffer has to grow.
  var room: Int { capacity - count }

  /// Makes room for `extra` more bytes.
  @inline(__always)
  mutating func reserve(_ extra: Int) {
    if extra > capacity - count { grow(extra) }
  }

  @inline(never)
  private mutating func grow(_ extra: Int) {
    let wanted = max(count + extra, capacity + capacity / 2)
    guard let memory = realloc(start, wanted) else { fatalError("out of memory") }
    start = memory
    capacity = wanted
  }

  /// Appends one byte.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends a copy of `bytes`.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    memcpy(start + count, source, bytes.count)
    count += bytes.count
  }

  /// Appends a copy of `bytes`.
  @inline(__always)
  mutating func append(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends the bytes of a literal.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends the UTF-8 of `text`. Not for hot loops.
  mutating func append(string text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Makes room for `room` more bytes and gives the place of the first, to be written from there on
  /// and told to ``commit(upTo:)``.
  @inline(__always)
  mutating func end(withRoom room: Int) -> UnsafeMutablePointer<UInt8> {
    reserve(room)
    return (start + count).assumingMemoryBound(to: UInt8.self)
  }

  /// Counts the bytes before `end`, already written, as in use.
  @inline(__always)
  mutating func commit(upTo end: UnsafeMutablePointer<UInt8>) {
    commit(UnsafeMutableRawPointer(end) - start - count)
  }

  /// Counts `added` bytes, already written behind the bytes in use, as in use.
  @inline(__always)
  mutating func commit(_ added: Int) {
    assert(added >= 0 && added <= room)
    count += added
  }

  /// Drops the bytes from `newCount` on.
  @inline(__always)
  mutating func truncate(to newCount: Int) {
    assert(newCount >= 0 && newCount <= count)
    count = newCount
  }

  /// Drops the first `dropped` bytes; those behind them move to the start.
  mutating func removeFirst(_ dropped: Int) {
    assert(dropped >= 0 && dropped <= count)
    memmove(start, start + dropped, count - dropped)
    count -= dropped
  }

  /// Drops all bytes and keeps the memory.
  @inline(__always)
  mutating func removeAll() { count = 0 }
}
