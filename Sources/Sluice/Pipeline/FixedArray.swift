/// Owns a fixed number of plain values: an array for hot loops, where no write has to ask whether
/// somebody else holds it.
struct FixedArray<Element: BitwiseCopyable>: ~Copyable {
  private let start: UnsafeMutablePointer<Element>
  /// How many values there are.
  let count: Int

  init(repeating value: Element, count: Int) { self.init(count: count) { _ in value } }

  init(_ values: [Element]) { self.init(count: values.count) { values[$0] } }

  /// Makes an array of what `value` gives for each place.
  init(count: Int, _ value: (Int) -> Element) {
    start = .allocate(capacity: max(1, count))
    for index in 0..<count { (start + index).initialize(to: value(index)) }
    self.count = count
  }

  deinit { start.deallocate() }

  /// The places of the values.
  var indices: Range<Int> { 0..<count }

  /// The first `count` values, valid as long as the array.
  @inline(__always)
  func prefix(_ count: Int) -> UnsafeBufferPointer<Element> {
    precondition(count <= self.count)
    return UnsafeBufferPointer(start: start, count: count)
  }

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
