/// Plain values that stand one after the other, perhaps with their keys.
///
///     "temperature":[12.5,12.1,null,11.9]     "rates":{"EUR":1.08,"SEK":11.2,"NOK":11.9}
///                    └──── a run ─────┘                           └ a run with keys ──┘
///
/// The tokenizer reads them in one go, and the next stage makes rows of them in another. The run is
/// valid during the call, its texts are until ``TokenStage/endWholes()``. A value is no longer than
/// 64 KiB.
package struct ValueRun: ~Copyable {
  /// The most values of a run.
  static let most = 64

  /// The number of values.
  private(set) var count = 0
  private let values: FixedArray<ObjectValue>
  /// The keys of the values, if they have some, and where the separator after each value stands.
  private let keys: FixedArray<ObjectValue>
  private let separators: FixedArray<UnsafePointer<UInt8>>
  /// A place in the text, and its offset in the document.
  private var start = ObjectValue().start
  private var offset = 0

  /// Makes an empty run.
  init() {
    values = FixedArray(repeating: ObjectValue(), count: Self.most)
    keys = FixedArray(repeating: ObjectValue(), count: Self.most)
    separators = FixedArray(repeating: ObjectValue().start, count: Self.most)
  }

  /// Drops all values, and returns the memory of the next ones. They are at `start` or after it,
  /// and `start` is at this offset. The caller writes some, and then calls ``end(count:)``.
  @inline(__always)
  mutating func begin(at start: UnsafePointer<UInt8>, offset: Int)
    -> UnsafeMutablePointer<ObjectValue>
  {
    (count, self.start, self.offset) = (0, start, offset)
    return values.address
  }

  /// Sets the key of a value that is written, and the place of the separator after it.
  @inline(__always)
  func set(_ index: Int, key: ObjectValue, separator: UnsafePointer<UInt8>) {
    keys.address[index] = key
    separators.address[index] = separator
  }

  /// Sets the key of a value. Nobody asks for the separator after it.
  func set(_ index: Int, key: ObjectValue) { keys.address[index] = key }

  /// Notes that so many values are written.
  @inline(__always)
  mutating func end(count: Int) {
    precondition(count <= Self.most)
    self.count = count
  }

  subscript(index: Int) -> ObjectValue {
    @inline(__always) get { values[index] }
  }

  /// Returns the key of a value that has one.
  @inline(__always)
  func key(_ index: Int) -> ObjectValue { keys[index] }

  /// Returns the place of the separator after a value that has a key.
  @inline(__always)
  func separator(after index: Int) -> UnsafePointer<UInt8> { separators[index] }

  /// Returns the offset of a value in the document.
  @inline(__always)
  func offset(of index: Int) -> Int { offset &+ (values[index].written - start) }
}
