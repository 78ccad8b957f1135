import Glibc

/// Follows a document's tokens along the paths of a ``PathTree``.
///
/// Values that no path leads to are passed over, however deep they are. A key is first compared
/// with the one that came at the same place of the object before: records of a feed mostly look
/// like their neighbours.
struct PathCursor: ~Copyable {
  private let tree: PathTree
  /// The open containers that paths lead through: their nodes.
  private var open: ContiguousArray<Int> = []
  /// The node of the innermost of these and whether it is an array; -1 outside of the document.
  private var node = -1
  private var isArray: ContiguousArray<Bool> = []
  /// How many elements of each came before the next, where paths ask for single ones.
  private var elementCounts: ContiguousArray<Int> = []
  /// How many containers are open that no path leads to.
  private var passedOver = 0
  /// The node of the value behind the key that was read last.
  private var pending = -1
  /// How many keys of the object were found, and which key was found there the last time.
  private var keyCount = 0
  private var lastKeys: InlineArray<64, Int16> = .init(repeating: -1)

  init(_ tree: PathTree) { self.tree = tree }

  /// How many containers are open that paths lead through.
  var depth: Int { open.count }

  /// The token in hand lies in such a container, not in one that is passed over.
  var isOnWay: Bool { passedOver == 0 }

  /// Takes the next token and tells the node at which its value stands, the node of the container
  /// that ends, or for a key the node of the value to come; -1 where no path leads.
  @inline(__always)
  mutating func step(_ kind: TokenKind, _ text: RawSpan) -> Int {
    switch kind {
    case .key:
      guard passedOver == 0 else { return -1 }
      pending = find(text)
      return pending
    case .string, .stringPiece, .number, .true, .false, .null:
      return passedOver == 0 ? valueNode() : -1
    case .beginObject, .beginArray:
      return begin(isArray: kind == .beginArray)
    case .endObject, .endArray:
      return end()
    }
  }

  /// The node of the value that comes now, which is asked for once a value.
  @inline(__always)
  private mutating func valueNode() -> Int {
    guard let inArray = isArray.last else { return 0 }
    if !inArray { return pending }
    return tree.asksForElements ? elementNode() : tree.nodes[node].each
  }

  /// The node of the array's next element.
  @inline(never)
  private mutating func elementNode() -> Int {
    let index = elementCounts[elementCounts.count - 1]
    elementCounts[elementCounts.count - 1] += 1
    let chosen = tree.nodes[node].elements.first { $0.index == index }
    return chosen?.node ?? tree.nodes[node].each
  }

  private mutating func begin(isArray: Bool) -> Int {
    guard passedOver == 0 else {
      passedOver += 1
      return -1
    }
    let value = valueNode()
    guard value >= 0 else {
      passedOver = 1
      return -1
    }
    open.append(value)
    self.isArray.append(isArray)
    if tree.asksForElements { elementCounts.append(0) }
    node = value
    pending = -1
    keyCount = 0
    return value
  }

  private mutating func end() -> Int {
    guard passedOver == 0 else {
      passedOver -= 1
      return -1
    }
    let ended = node
    open.removeLast()
    isArray.removeLast()
    if tree.asksForElements { elementCounts.removeLast() }
    node = open.last ?? -1
    return ended
  }

  /// The node that the key leads to.
  @inline(__always)
  private mutating func find(_ name: RawSpan) -> Int {
    let place = keyCount & 63
    keyCount += 1
    let guess = Int(lastKeys[place])
    let keys = tree.nodes[node].keys
    return name.withUnsafeBytes { bytes in
      if keys.contains(guess), matches(bytes, tree.keys[guess]) { return tree.keys[guess].node }
      for index in keys where matches(bytes, tree.keys[index]) {
        lastKeys[place] = Int16(truncatingIfNeeded: index)
        return tree.keys[index].node
      }
      return -1
    }
  }

  @inline(__always)
  private func matches(_ bytes: UnsafeRawBufferPointer, _ key: PathTree.Key) -> Bool {
    guard bytes.count == key.count else { return false }
    guard let start = bytes.baseAddress else { return true }
    return tree.names.withUnsafeBytes { names in
      guard let base = names.baseAddress else { return false }
      return memcmp(base + key.start, start, key.count) == 0
    }
  }
}
