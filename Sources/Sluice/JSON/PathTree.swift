/// Several paths into a document as one tree, to be followed while its tokens pass.
struct PathTree {
  /// A place in the document that some path leads to or through.
  struct Node {
    /// Its keys: indexes into `keys`.
    var keys: Range<Int> = 0..<0
    /// The node of an array's elements; -1 where no path goes on through an array.
    var each = -1
    /// Those of single elements; empty almost everywhere.
    var elements: [(index: Int, node: Int)] = []
  }

  /// A key that leads on.
  struct Key {
    var start: Int
    var count: Int
    var node: Int
  }

  /// The document's value is node 0.
  private(set) var nodes: ContiguousArray<Node>
  private(set) var keys: ContiguousArray<Key>
  private(set) var names: ContiguousArray<UInt8>
  /// The node that each of the paths ends at.
  let ends: [Int]
  /// Some path asks for a single element of an array.
  private(set) var asksForElements = false

  /// The node that a key leads to from a node; nil where no path goes there.
  func node(of name: UnsafeRawBufferPointer, in node: Int) -> Int? {
    keys[nodes[node].keys].first { names[$0.start..<$0.start + $0.count].elementsEqual(name) }?.node
  }

  init(_ paths: [Path]) {
    /// Each node's children in order of their first mention.
    var children: [[(step: Path.Step, node: Int)]] = [[]]
    var ends: [Int] = []
    for path in paths {
      var node = 0
      for step in path.steps {
        if let child = children[node].first(where: { $0.step == step }) {
          node = child.node
        } else {
          children.append([])
          children[node].append((step, children.count - 1))
          node = children.count - 1
        }
      }
      ends.append(node)
    }
    self.ends = ends
    nodes = []
    keys = []
    names = []
    for list in children {
      var node = Node()
      let first = keys.count
      for (step, child) in list {
        switch step {
        case .each: node.each = child
        case .element(let index):
          node.elements.append((index, child))
          asksForElements = true
        case .key(let name):
          keys.append(Key(start: names.count, count: name.utf8.count, node: child))
          names.append(contentsOf: name.utf8)
        }
      }
      node.keys = first..<keys.count
      nodes.append(node)
    }
  }
}
