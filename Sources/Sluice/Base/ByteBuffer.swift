import CSluice
import Glibc

/// Owns a growing block of memory. All stages use it as the owner of raw bytes.
///
/// It grows with `realloc`, which moves the pages of a large buffer instead of copying them. It
/// never shrinks. Pages that were never touched cost nothing. `start` is valid until the next call
/// that grows the buffer.
package struct ByteBuffer: ~Copyable {
  /// The bytes after the capacity that may always be read and written, so that texts in the buffer
  /// can be copied and compared by whole vectors. Their content is undefined.
  static let padding = 64

  /// The address of the first byte.
  private(set) var start: UnsafeMutableRawPointer
  /// The number of bytes in use.
  package private(set) var count = 0
  /// The number of bytes that fit into the current memory.
  private(set) var capacity: Int

  /// Makes an empty buffer with room for `capacity` bytes (at least 1).
  package init(capacity: Int) {
    precondition(capacity > 0)
    guard let memory = malloc(capacity + Self.padding) else { fatalError("out of memory") }
    start = memory
    self.capacity = capacity
  }

  /// Makes an empty buffer whose memory is all zeros. The system returns large blocks already
  /// zeroed, so only the pages in use are ever touched.
  init(zeroed capacity: Int) {
    precondition(capacity > 0)
    guard let memory = calloc(1, capacity + Self.padding) else { fatalError("out of memory") }
    start = memory
    self.capacity = capacity
  }

  deinit { free(start) }

  /// The bytes in use. The pointer is valid until the buffer grows.
  package var contents: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: count)
  }

  /// The number of bytes that fit before the buffer has to grow.
  var room: Int { capacity - count }

  /// Makes room for `extra` more bytes.
  @inline(__always)
  package mutating func reserve(_ extra: Int) {
    if extra > capacity - count { grow(extra) }
  }

  @inline(never)
  private mutating func grow(_ extra: Int) {
    let wanted = max(count + extra, capacity + capacity / 2)
    guard let memory = realloc(start, wanted + Self.padding) else { fatalError("out of memory") }
    start = memory
    capacity = wanted
  }

  /// Appends one byte.
  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends a copy of `bytes`.
  @inline(__always)
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    memcpy(start + count, source, bytes.count)
    count += bytes.count
  }

  /// Appends a copy of a text after which 32 bytes are readable. That is faster for short ones.
  @inline(__always)
  mutating func append(short text: UnsafeRawBufferPointer) {
    guard let source = text.baseAddress else { return }
    commit(
      upTo: cscan_put(
        end(withRoom: text.count), source.assumingMemoryBound(to: UInt8.self), text.count))
  }

  /// Appends a copy of `bytes`.
  @inline(__always)
  package mutating func append(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends the bytes of a literal.
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a number as its eight bytes, the lowest first.
  @inline(__always)
  package mutating func append(wordOf number: Int) {
    UnsafeMutableRawPointer(end(withRoom: 8)).storeBytes(
      of: Int64(number).littleEndian, as: Int64.self)
    count += 8
  }

  /// Appends a number as 16 hexadecimal digits.
  @inline(__always)
  package mutating func append(hexadecimal number: UInt64) {
    cscan_hex(end(withRoom: 16), number)
    commit(16)
  }

  /// Appends the UTF-8 of `text`. Not for hot loops.
  package mutating func append(string text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Makes room for `room` more bytes and returns the address of the first. The caller writes from
  /// there on and reports the end to ``commit(upTo:)``.
  @inline(__always)
  mutating func end(withRoom room: Int) -> UnsafeMutablePointer<UInt8> {
    reserve(room)
    return (start + count).assumingMemoryBound(to: UInt8.self)
  }

  /// Marks the bytes before `end` as in use. The caller has written them.
  @inline(__always)
  mutating func commit(upTo end: UnsafeMutablePointer<UInt8>) {
    commit(UnsafeMutableRawPointer(end) - start - count)
  }

  /// Marks `added` more bytes as in use. The caller has written them after the bytes in use.
  @inline(__always)
  mutating func commit(_ added: Int) {
    assert(added >= 0 && added <= room)
    count += added
  }

  /// Drops the bytes from `newCount` on.
  @inline(__always)
  package mutating func truncate(to newCount: Int) {
    assert(newCount >= 0 && newCount <= count)
    count = newCount
  }

  /// Replaces all bytes from `place` on by those of a range, which begins there or later.
  mutating func move(_ range: Range<Int>, to place: Int) {
    assert(range.lowerBound >= place && range.upperBound <= count)
    if range.lowerBound > place { memmove(start + place, start + range.lowerBound, range.count) }
    count = place + range.count
  }

  /// Drops the first `dropped` bytes and moves the rest to the start.
  mutating func removeFirst(_ dropped: Int) {
    assert(dropped >= 0 && dropped <= count)
    memmove(start, start + dropped, count - dropped)
    count -= dropped
  }

  /// Drops all bytes and keeps the memory.
  @inline(__always)
  package mutating func removeAll() { count = 0 }
}

/// Owns a fixed number of plain values: an array for hot loops, whose writes need no copy-on-write
/// check.
package struct FixedArray<Element: BitwiseCopyable>: ~Copyable {
  private let start: UnsafeMutablePointer<Element>
  /// The number of values.
  let count: Int

  init(repeating value: Element, count: Int) { self.init(count: count) { _ in value } }

  init(_ values: [Element]) { self.init(count: values.count) { values[$0] } }

  /// Makes an array from the results of `value`, which is called with each index.
  init(count: Int, _ value: (Int) -> Element) {
    self.init(unsetCount: count)
    for index in 0..<count { (start + index).initialize(to: value(index)) }
  }

  /// Makes room for values. Each must be set before it is read. Until then a large one takes no
  /// memory.
  init(unsetCount count: Int) {
    start = .allocate(capacity: max(1, count))
    self.count = count
  }

  deinit { start.deallocate() }

  /// Makes room for `newCount` values, at least as many as now. `value` fills the room.
  mutating func grow(to newCount: Int, filling value: Element) {
    let (values, count) = (start, count)
    self = FixedArray(count: newCount) { $0 < count ? values[$0] : value }
  }

  /// The indexes of the values.
  package var indices: Range<Int> { 0..<count }

  /// Returns the first `count` values. The pointer is valid as long as the array exists.
  @inline(__always)
  func prefix(_ count: Int) -> UnsafeBufferPointer<Element> {
    precondition(count <= self.count)
    return UnsafeBufferPointer(start: start, count: count)
  }

  /// The address of the first value, for loops that cannot go astray.
  @inline(__always)
  var address: UnsafeMutablePointer<Element> { start }

  subscript(index: Int) -> Element {
    @inline(__always)
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return start[index]
    }
    @inline(__always)
    set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      start[index] = newValue
    }
  }
}

/// It owns its memory alone, so it may go to another thread with all that is in it.
extension FixedArray: @unchecked Sendable where Element: Sendable {}

/// Compares texts by whole vectors, which read some bytes past the end of a text.
enum Vectors {
  /// Returns whether `text` equals the bytes at `other`. Both must be
  /// texts of rows or of buffers: 32 bytes after them are read.
  @inline(__always)
  static func areEqual(_ text: UnsafeRawBufferPointer, _ other: UnsafeRawPointer) -> Bool {
    guard let start = text.baseAddress else { return true }
    return cscan_common(
      start.assumingMemoryBound(to: UInt8.self), other.assumingMemoryBound(to: UInt8.self),
      text.count) == text.count
  }
}

/// Owns a value that cannot be copied, in memory of its own, until somebody takes it.
///
/// A value that is never taken is destroyed with the last copy of its box. The box is no generic
/// class: the runtime would make such a class at every start, which takes longer than a small feed.
package struct Box<Value: ~Copyable> {
  /// The value; valid until it is taken.
  let value: UnsafeMutablePointer<Value>
  private let owner: BoxOwner

  @inline(__always)
  package init(_ value: consuming Value) {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    memory.initialize(to: value)
    self.value = memory
    owner = BoxOwner { isTaken in
      if !isTaken { memory.deinitialize(count: 1) }
      memory.deallocate()
    }
  }

  /// Moves the value out of its box. Must be called once at most.
  @inline(__always)
  package func take() -> Value {
    precondition(!owner.isTaken, "a value can be taken once")
    owner.isTaken = true
    return value.move()
  }

  /// Moves the value out of its box; nil if it was taken before.
  func takeIfPresent() -> Value? { owner.isTaken ? nil : take() }
}

/// Frees a box's memory with its last copy, and destroys the value unless it was taken.
private final class BoxOwner {
  var isTaken = false
  private let free: (Bool) -> Void

  init(_ free: @escaping (Bool) -> Void) { self.free = free }

  deinit { free(isTaken) }
}
