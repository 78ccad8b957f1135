/// The paths of values in records, each with a number.
///
///     the record ─ 0     its members ─ 1     "at" ─ 2     its elements ─ 3     "tags" ─ 4
///
/// They are not forgotten with the steps of a ``RecordGraph``.
struct RecordPaths {
  /// What leads on from a path, but for a key or an index. What is the same for all members or all
  /// elements is the state after one of them.
  enum Part: Int {
    case members = 1
    case elements = 2
    /// The begin of an object whose members may be any.
    case opened = 3
    /// A key that is a value, and the value after it.
    case anyKey = 4
    case anyMember = 5
  }

  /// The path of the record.
  static let top = 0
  /// No path: there are too many, or a key is too long. So is every path that goes on from it.
  static let none = -1

  /// The maximum number of paths, and that of the bytes of a key.
  private static let (most, longest) = (4096, 256)

  private var numbers = KeyTable()
  private var count = 1

  /// Returns the path of a part.
  mutating func path(_ part: Part, of path: Int) -> Int {
    number(of: UnsafeRawBufferPointer(start: nil, count: 0), 8 * path + part.rawValue, after: path)
  }

  /// Returns the path of the member with this key, as it is written.
  mutating func path(ofMember key: UnsafeRawBufferPointer, of path: Int) -> Int {
    number(of: key, 8 * path, after: path)
  }

  /// Returns the path of an element that is told apart from others.
  mutating func path(ofElement index: Int, of path: Int) -> Int {
    withUnsafeBytes(of: index) { number(of: $0, 8 * path + Part.elements.rawValue, after: path) }
  }

  private mutating func number(
    of name: UnsafeRawBufferPointer, _ object: Int, after path: Int
  ) -> Int {
    guard path != Self.none else { return Self.none }
    if let known = numbers.number(of: name, in: object) { return known }
    guard count < Self.most, name.count <= Self.longest else { return Self.none }
    numbers.add(Array(name), in: object, number: count)
    count += 1
    return count - 1
  }
}
