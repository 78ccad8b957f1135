/// The containers that are open around the byte in hand: a bit each, set for an object.
struct Nesting {
  private(set) var depth = 0
  /// The innermost container is an object.
  private(set) var inObject = false
  private var bits = InlineArray<8, UInt64>(repeating: 0)

  /// Enters a container; the caller keeps `depth` below ``Limits/depth``.
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
    let top = depth - 1
    inObject = bits[top >> 6] >> UInt64(top & 63) & 1 == 1
  }
}
