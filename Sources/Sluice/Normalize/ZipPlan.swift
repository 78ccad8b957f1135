/// The nodes of a document at and inside the parallel lists that rows are made of.
///
///     zip: [daily.time, "wind[0].speed"]
///
///     daily     on the way: an object          wind      on the way: a list
///     └ time    a list                         └ [0]     on the way: an object
///       └ []    an element: a part of a row      └ …
struct ZipPlan {
  /// What is read of a value: a field, or a part of a pick.
  enum Target {
    case field(Int)
    case pick(Int)
    /// A list of which elements are read, by a field of one of them.
    case list(Int)
  }

  enum Role: Equatable {
    /// A value around lists, which begins with this token.
    case way(TokenKind)
    case list, element
    /// A value inside an element.
    case inside
  }

  struct Node {
    let node: Int
    let role: Role
    /// Its list, or the lists inside it.
    var lists: [Int]
    let target: Target?
    /// Its path in the document.
    let path: Path
  }

  private(set) var nodes: ContiguousArray<Node> = []
  /// The paths of the lists, and what people call them.
  let lists: [Path]
  let names: [String]
  /// The level of the element that the lists are in, 0 for the document; -1 if there are no lists.
  let level: Int
  /// The place of each list's elements.
  private(set) var elements: [Int] = []
  /// The field of each list, if all elements should be plain values; else nil.
  private(set) var fields: [Int]?

  init(_ table: Table, _ tree: PathTree, target: (Int) -> Target?) {
    lists = table.zipped
    level = table.zipped.isEmpty ? -1 : table.rows.arrays - 1
    let base = table.rows.steps.count - 1
    let keys = table.zipped.map(\.lastKey)
    names = table.zipped.map { path in
      keys.count { $0 == path.lastKey } == 1
        ? path.lastKey : Path(Array(path.steps.dropFirst(base))).description
    }
    for (index, list) in table.zipped.enumerated() {
      for count in base + 1..<list.steps.count {
        let path = Path(Array(list.steps[..<count]))
        let node = tree.node(at: path.steps)
        if let place = nodes.firstIndex(where: { $0.node == node }) {
          nodes[place].lists.append(index)
          continue
        }
        let kind: TokenKind =
          if case .element = list.steps[count] { .beginArray } else { .beginObject }
        nodes.append(
          Node(node: node, role: .way(kind), lists: [index], target: nil, path: path))
      }
      let node = tree.node(at: list.steps)
      nodes.append(Node(node: node, role: .list, lists: [index], target: nil, path: list))
      let element = tree.nodes[node].each
      elements.append(nodes.count)
      var inside = [element]
      while let node = inside.popLast() {
        nodes.append(
          Node(
            node: node, role: node == element ? .element : .inside, lists: [index],
            target: target(node), path: list))
        let children = tree.nodes[node]
        inside += tree.keys[children.keys].map(\.node) + children.elements.map(\.node)
        inside += [children.each, children.any].filter { $0 >= 0 }
      }
    }
    let targets = elements.map { nodes[$0].target }
    let found = targets.compactMap { if case .field(let field) = $0 { field } else { nil } }
    let isPlain = !nodes.contains { $0.role == .inside }
    fields = isPlain && found.count == targets.count && !found.isEmpty ? found : nil
  }

  /// Returns the places on the way from a place to the lists inside.
  func inside(_ place: Int) -> [Int] {
    nodes.indices.filter { nodes[$0].path.steps.starts(with: nodes[place].path.steps) }
  }

  /// Returns the path to a list that was never found, as far as it is missing; nil if all were
  /// found.
  func missing(_ isReached: ContiguousArray<Bool>) -> Path? {
    for list in lists.indices {
      for (place, node) in nodes.enumerated()
      where node.lists.contains(list) && !isReached[place] {
        switch node.role {
        case .way, .list: return node.path
        case .element, .inside: break
        }
      }
    }
    return nil
  }
}
