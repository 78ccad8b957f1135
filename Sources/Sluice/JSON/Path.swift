import Glibc

/// A path into a JSON document: `["activities", .each, "isin"]` is `activities[].isin`.
package struct Path: Sendable, Hashable, ExpressibleByArrayLiteral, CustomStringConvertible {
  /// A step from a value to one inside it.
  package enum Step: Sendable, Hashable, ExpressibleByStringLiteral {
    /// To the value of this key in an object.
    case key(String)
    /// To each element of an array.
    case each
    /// To one element of an array, counted from 0.
    case element(Int)
    /// To the value of each key in an object that no other path names.
    case any
    /// To all elements of an array inside a row, whose texts are joined with a separator.
    case all(separator: String)
    /// To the first element of an array whose member has this text.
    case match(key: String, value: String)
    /// From such a value to its key. Always the last step.
    case keyName
    /// From a row that is a plain value to this value. Always the last step.
    case itself
    /// To each row that is made of the elements of parallel lists. Always the last step.
    case zip

    /// Makes a step to the value of a key.
    package init(stringLiteral key: String) { self = .key(key) }

    /// Whether it leads to many values: the elements of an array, or the members of an object.
    package var isWild: Bool { self == .each || self == .any || self == .zip }

    /// Whether it picks of the elements of an array inside a row.
    var picks: Bool {
      switch self {
      case .all, .match: true
      default: false
      }
    }
  }

  /// The steps, starting at the document's value.
  package var steps: [Step]

  /// Makes a path from its steps.
  package init(arrayLiteral steps: Step...) { self.steps = steps }
  /// Makes a path from its steps.
  package init(_ steps: [Step]) { self.steps = steps }

  /// The last key on the path, or an empty text if there is none.
  package var lastKey: String {
    switch steps.last {
    case .keyName: return Self.keyName
    case .itself: return Self.itself
    default: break
    }
    for case .key(let key) in steps.reversed() { return key }
    return ""
  }

  /// How documents write the key of a value, and a value that is a whole row.
  static let keyName = "$key"
  static let itself = "$value"

  /// The number of lists on the path, counted by the steps to each of many values.
  package var arrays: Int { steps.count(where: \.isWild) }

  /// The path in its written form: `activities[].isin`. The document itself is `.`.
  package var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .each: text += "[]"
      case .element(let index): text += "[\(index)]"
      case .all: text += "[*]"
      case .match(let key, let value): text += "[\(key)=\(value)]"
      case .any: text += text.isEmpty ? "*" : ".*"
      case .keyName: text += " \(Self.keyName)"
      case .itself: text += " \(Self.itself)"
      case .zip: text += text.isEmpty ? "zip" : " zip"
      }
    }
    return text.isEmpty ? "." : text
  }
}

/// Several paths into a document as one tree. A ``PathCursor`` follows it.
///
///     activities[].isin, activities[].items[]
///
///     0 ── activities ── 1 ── [] ── 2 ─┬─ isin ── 3
///                                      └─ items ─ 4 ── [] ── 5
struct PathTree {
  /// A value in the document on one of the paths, ends included.
  struct Node {
    /// The keys of the value, as indexes into `keys`.
    var keys: Range<Int> = 0..<0
    /// The node of an array's elements, or -1 if no path leads through an array here.
    var each = -1
    /// The node of the values of all other keys, or -1 if no path leads to them.
    var any = -1
    /// The nodes of single elements. Nearly always empty.
    var elements: [(index: Int, node: Int)] = []
    /// The first element that no path leads to, if paths lead to others; otherwise -1.
    var firstUnread = -1
  }

  /// A key with the node of its value.
  struct Key {
    let name: [UInt8]
    let node: Int
  }

  /// The nodes. Node 0 is the document's value.
  private(set) var nodes: ContiguousArray<Node>
  private(set) var keys: ContiguousArray<Key>
  /// The nodes of the keys, by those of their objects.
  private let table: KeyTable
  /// The last node of each path.
  let ends: [Int]
  /// The nodes along the first path, from the document's value to its last node.
  let way: [Int]
  /// Whether some path leads to a single element of an array.
  private(set) var asksForElements = false
  /// The arrays of such elements, each with its path.
  private(set) var elementLists: [(node: Int, path: Path)] = []

  /// Returns the node to which steps of one of the paths lead.
  func node(at steps: [Path.Step]) -> Int {
    steps.reduce(0) { node, step in
      switch step {
      case .key(let name):
        var name = name
        return name.withUTF8 { self.node(of: UnsafeRawBufferPointer($0), in: node) } ?? node
      case .each, .all, .match: return nodes[node].each
      case .any: return nodes[node].any
      case .element(let index):
        return nodes[node].elements.first { $0.index == index }?.node ?? node
      case .keyName, .itself, .zip: return node
      }
    }
  }

  /// Returns the node of a key's value in a node, or nil if no path leads there.
  func node(of name: UnsafeRawBufferPointer, in node: Int) -> Int? {
    table.number(of: name, in: node)
  }

  init(_ paths: [Path]) {
    let paths = paths.map { path in Path(path.steps.map { $0.picks ? .each : $0 }) }
    /// The children of each node, in the order of their first mention.
    var children: [[(step: Path.Step, node: Int)]] = [[]]
    var ends: [Int] = []
    var way = [0]
    for (index, path) in paths.enumerated() {
      var node = 0
      for step in path.steps {
        if let child = children[node].first(where: { $0.step == step }) {
          node = child.node
        } else {
          children.append([])
          children[node].append((step, children.count - 1))
          node = children.count - 1
        }
        if index == 0 { way.append(node) }
      }
      ends.append(node)
    }
    self.ends = ends
    self.way = way
    nodes = []
    keys = []
    for list in children {
      var node = Node()
      let first = keys.count
      for (step, child) in list {
        switch step {
        case .each: node.each = child
        case .any: node.any = child
        // Their elements are followed as any others.
        case .all, .match: break
        // No token leads there: the value comes with the one before.
        case .keyName, .itself, .zip: break
        case .element(let index):
          node.elements.append((index, child))
          asksForElements = true
        case .key(let name):
          keys.append(Key(name: Array(name.utf8), node: child))
        }
      }
      node.keys = first..<keys.count
      if !node.elements.isEmpty, node.each < 0 {
        node.firstUnread =
          (0...node.elements.count).first { index in
            !node.elements.contains { $0.index == index }
          } ?? -1
      }
      nodes.append(node)
    }
    var table = KeyTable()
    for (object, node) in nodes.enumerated() {
      for key in keys[node.keys] { table.add(key.name, in: object, number: key.node) }
    }
    self.table = table
    for path in paths {
      var node = 0
      for (place, step) in path.steps.enumerated() {
        if case .element = step, !elementLists.contains(where: { $0.node == node }) {
          elementLists.append((node, Path(Array(path.steps[..<place]))))
        }
        node = children[node].first { $0.step == step }?.node ?? 0
      }
    }
  }
}

/// Follows a document's tokens along the paths of a ``PathTree``.
///
/// Values on no path are skipped, however deep they are. A short key is first looked for among
/// those that were found before, wanted or not, because the records of a feed have the same keys.
struct PathCursor: ~Copyable {
  private let tree: PathTree
  /// The nodes of the open containers on a path.
  private var open: ContiguousArray<Int> = []
  /// The node of the innermost of them, or -1 outside of the document.
  private var node = -1
  /// Whether each of them is an array.
  private var isArray: ContiguousArray<Bool> = []
  /// The number of elements of each so far. Only kept if a path leads to a single element.
  private var elementCounts: ContiguousArray<Int> = []
  /// The elements of each node's arrays that no path leads to, and the number of these arrays.
  private(set) var unread: ContiguousArray<(elements: Int, lists: Int)> = []
  /// The number of open containers on no path.
  private var skippedDepth = 0
  /// The node of the value after the last key.
  private var pending = -1
  /// Keys that were found before, wanted or not, each in its slot.
  private var knownKeys = FixedArray(repeating: KnownKey(), count: KnownKey.slots)

  init(_ tree: PathTree) {
    self.tree = tree
    if tree.asksForElements { unread = .init(repeating: (0, 0), count: tree.nodes.count) }
  }

  /// The number of open containers on a path.
  var depth: Int { open.count }

  /// Whether the token is in such a container, not in a skipped one.
  var isOnWay: Bool { skippedDepth == 0 }

  /// Follows the next token. Returns the node of its value, of the container that ends, or of the
  /// value after a key. Returns -1 if no path leads there.
  @inline(__always)
  mutating func step(_ kind: TokenKind, _ text: RawSpan) -> Int {
    switch kind {
    case .key:
      guard skippedDepth == 0 else { return -1 }
      pending = find(text)
      return pending
    case .string, .stringPiece, .number, .true, .false, .null:
      return skippedDepth == 0 ? valueNode() : -1
    case .beginObject, .beginArray:
      return begin(isArray: kind == .beginArray)
    case .endObject, .endArray:
      return end()
    }
  }

  /// Returns the node of the next value. Called once for each value.
  @inline(__always)
  private mutating func valueNode() -> Int {
    guard let inArray = isArray.last else { return 0 }
    if !inArray { return pending }
    return tree.asksForElements ? elementNode() : tree.nodes[node].each
  }

  /// Returns the node of the array's next element.
  @inline(never)
  private mutating func elementNode() -> Int {
    let index = elementCounts[elementCounts.count - 1]
    elementCounts[elementCounts.count - 1] += 1
    if let chosen = tree.nodes[node].elements.first(where: { $0.index == index }) {
      return chosen.node
    }
    if tree.nodes[node].firstUnread >= 0 {
      unread[node].elements += 1
      if index == tree.nodes[node].firstUnread { unread[node].lists += 1 }
    }
    return tree.nodes[node].each
  }

  /// Counts elements of an array that no path leads to, and that come without tokens.
  mutating func countUnread(_ elements: Int, in node: Int) {
    unread[node].elements += elements
    unread[node].lists += 1
  }

  private mutating func begin(isArray: Bool) -> Int {
    guard skippedDepth == 0 else {
      skippedDepth += 1
      return -1
    }
    let value = valueNode()
    guard value >= 0 else {
      skippedDepth = 1
      return -1
    }
    open.append(value)
    self.isArray.append(isArray)
    if tree.asksForElements { elementCounts.append(0) }
    node = value
    pending = -1
    return value
  }

  private mutating func end() -> Int {
    guard skippedDepth == 0 else {
      skippedDepth -= 1
      return -1
    }
    let ended = node
    open.removeLast()
    isArray.removeLast()
    if tree.asksForElements { elementCounts.removeLast() }
    node = open.last ?? -1
    return ended
  }

  /// Returns the node of the key's value, or -1 if no path leads there. A key that a path names is
  /// none of the others.
  @inline(__always)
  private mutating func find(_ name: RawSpan) -> Int {
    return name.withUnsafeBytes { bytes in
      guard let short = KnownKey(bytes, in: node) else { return search(bytes) }
      var known = knownKeys[short.slot]
      if known.isSame(as: short) { return known.child }
      known = short
      known.child = search(bytes)
      knownKeys[short.slot] = known
      return known.child
    }
  }

  @inline(never)
  private func search(_ name: UnsafeRawBufferPointer) -> Int {
    tree.node(of: name, in: node) ?? tree.nodes[node].any
  }
}

/// A short key of an object as it was found last, with the node of its value.
struct KnownKey: BitwiseCopyable {
  private var node = -1
  private var ends = KeyEnds()
  /// The node of the value, or -1 if no path leads there.
  var child = -1

  init() {}

  /// Makes it of a key that its ends are all of; nil for another.
  @inline(__always)
  init?(_ name: UnsafeRawBufferPointer, in node: Int) {
    guard name.count <= KeyEnds.whole else { return nil }
    self.node = node
    ends = KeyEnds(name)
  }

  /// The number of slots.
  static let slots = 64

  /// The place to keep it at.
  @inline(__always)
  var slot: Int { Int(truncatingIfNeeded: ends.hash(in: node) &>> 58) }

  @inline(__always)
  func isSame(as other: KnownKey) -> Bool { node == other.node && ends.isSame(as: other.ends) }
}

/// The keys found in a document until a record has one of the feed's. For error messages.
struct KeysSeen {
  private static let maxCount = 20
  /// Whether a record has had one of the feed's keys.
  var areKnown = false
  private var names: [(depth: Int, name: String)] = []

  /// Keeps a key that was found inside `depth` containers. Only the first twenty are kept.
  mutating func see(_ text: RawSpan, depth: Int) {
    let name = text.withUnsafeBytes { String(decoding: $0.prefix(200), as: UTF8.self) }
    guard names.count < Self.maxCount,
      !names.contains(where: { $0.name == name && $0.depth == depth })
    else { return }
    names.append((depth, name))
  }

  /// Drops the keys of objects at this depth or deeper. The object itself counts as a container.
  mutating func forget(from depth: Int) { names.removeAll { $0.depth >= depth } }

  /// Returns the keys of objects at this depth. The object itself counts as a container.
  func at(depth: Int) -> [String] { names.filter { $0.depth == depth }.map(\.name) }
}
