/// The paths of values in records, each with a number.
///
///     the record ─ 0     its members ─ 1     "at" ─ 2     its elements ─ 3     "tags" ─ 4
///
/// They are forgotten when all is passed that nobody wants, not whenever steps are.
struct RecordPaths {
  /// What leads on from a path, but for keys.
  enum Part: Int {
    /// All members of an object have one state, and so have all elements of a list.
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
  /// No path: there are too many. So is every path that goes on from it.
  static let none = -1

  /// The maximum number of paths, and that of the bytes of their keys.
  private static let (most, mostBytes) = (4096, 256 << 10)

  private var numbers = KeyTable()
  private var (count, bytes) = (1, 0)

  /// Returns the path of a part.
  mutating func path(_ part: Part, of path: Int) -> Int {
    number(of: UnsafeRawBufferPointer(start: nil, count: 0), part, after: path)
  }

  /// Returns the path of the member with this key, as it is written.
  mutating func path(ofMember key: UnsafeRawBufferPointer, of path: Int) -> Int {
    number(of: key, nil, after: path)
  }

  /// Returns the path of an element that is told apart from others.
  mutating func path(ofElement index: Int, of path: Int) -> Int {
    withUnsafeBytes(of: index) { number(of: $0, .elements, after: path) }
  }

  /// Returns the number of a part, or of what has this name in it. Keys are in no part.
  private mutating func number(
    of name: UnsafeRawBufferPointer, _ part: Part?, after path: Int
  ) -> Int {
    guard path != Self.none else { return Self.none }
    // Each path has names of eight kinds.
    let kind = 8 * path + (part?.rawValue ?? 0)
    if let known = numbers.number(of: name, in: kind) { return known }
    guard count < Self.most, bytes + name.count <= Self.mostBytes else { return Self.none }
    numbers.add(Array(name), in: kind, number: count)
    bytes += name.count
    count += 1
    return count - 1
  }
}
