/// The paths of a feed as nodes of one tree, with the role of each node for the rows.
struct PathPlan: ~Copyable {
  /// The role of a node's values.
  enum Role: Equatable {
    /// A step to the rows or to a field.
    case step
    /// An element of a list on the path to the rows. It holds fields for all rows inside, and may
    /// itself be the list of rows.
    case parent(level: Int)
    case rows
    case row
    case field(Int)
    case pick(Int)
    case zip(Int)
    /// A list of which single elements are read, by the first field from one of them.
    case elements(Int)
    /// A value beside the path to the rows, with fields around them inside, by its place in
    /// ``asides``.
    case aside(Int)
  }

  /// A field, seen as a path.
  struct Field {
    /// The feed's own name of the field.
    var name: String
    /// Number of lists between the document and the field. It is that of a row if the field is the
    /// row's own.
    var arrays: Int
    /// Whether a value is read for it.
    var isRead: Bool
  }

  /// A value that is a step to fields around the rows, and not to the rows.
  ///
  ///     {"metric": {"job": "db", "port": 9}, "values": [1, 2]}     metric
  struct Aside {
    /// The level of the element that it is in.
    let level: Int
    /// The fields inside it. After its end none of them can come.
    var fields: [Int]
  }

  let tree: PathTree
  let picks: PickPlan
  let zip: ZipPlan
  let roles: ContiguousArray<Role>
  let fields: ContiguousArray<Field>
  /// The steps from the document to a row, and the nodes before and after each of them.
  let steps: [Path.Step]
  let nodes: [Int]
  let rowNode: Int
  /// The node of the list of rows.
  let rowsNode: Int
  /// Whether a field of the row has a key.
  let rowsHaveKeys: Bool
  /// Number of steps to an element of the outermost list; nil if these are the rows.
  let elementStep: Int?
  /// Number of lists on the path to a row.
  let rowArrays: Int
  /// The values beside the path to the rows with fields around them inside.
  let asides: ContiguousArray<Aside>

  init(_ table: Table) {
    steps = table.rows.steps
    let wanted = PickPlan.paths(table)
    tree = PathTree(
      [table.rows] + table.fields.map(\.path) + wanted
        + table.zipped.map { Path($0.steps + [.each]) })
    nodes = tree.way
    rowNode = nodes.last ?? 0
    rowArrays = table.rows.arrays
    rowsNode = nodes.dropLast().last ?? -1
    rowsHaveKeys = table.fields.contains { field in
      guard field.kind != .share, field.path.steps.starts(with: table.rows.steps),
        field.path.steps.count > table.rows.steps.count,
        case .key = field.path.steps[table.rows.steps.count]
      else { return false }
      return true
    }
    elementStep = steps.dropLast().firstIndex(where: \.isWild).map { $0 + 1 }
    fields = ContiguousArray(
      table.fields.map { Field(name: $0.path.lastKey, arrays: $0.path.arrays, isRead: $0.isRead) })
    var roles = ContiguousArray(repeating: Role.step, count: tree.nodes.count)
    var level = 0
    for (index, step) in steps.enumerated() where step.isWild {
      level += 1
      roles[nodes[index + 1]] = .parent(level: level)
    }
    // An element that is the list of rows itself is a parent with fields too.
    if rowsNode >= 0, roles[rowsNode] == .step { roles[rowsNode] = .rows }
    roles[rowNode] = .row
    // Shares, made texts and fields of several parts have no value of their own.
    for (index, field) in table.fields.enumerated()
    where field.isRead && !field.path.steps.contains(where: \.picks) {
      roles[tree.ends[index + 1]] = .field(index)
    }
    for (index, field) in table.fields.enumerated() where field.isRead {
      for (place, step) in field.path.steps.enumerated() {
        guard case .element = step else { continue }
        let list = tree.node(at: Array(field.path.steps[..<place]))
        if roles[list] == .step { roles[list] = .elements(index) }
      }
    }
    picks = PickPlan(table, tree)
    for (place, node) in picks.nodes.enumerated() { roles[node.node] = .pick(place) }
    zip = ZipPlan(table, tree) { node in
      switch roles[node] {
      case .field(let index): .field(index)
      case .pick(let place): .pick(place)
      case .elements(let index): .list(index)
      case .step, .parent, .rows, .row, .zip, .aside: nil
      }
    }
    for (place, node) in zip.nodes.enumerated() { roles[node.node] = .zip(place) }
    asides = Self.asides(table, tree, &roles)
    self.roles = roles
  }

  /// Finds the values beside the path to the rows with fields inside, and gives them their role.
  private static func asides(
    _ table: Table, _ tree: PathTree, _ roles: inout ContiguousArray<Role>
  ) -> ContiguousArray<Aside> {
    var asides: ContiguousArray<Aside> = []
    for (index, field) in table.fields.enumerated()
    where field.isRead && field.path.arrays < table.rows.arrays {
      // Beyond the last value on the way to the rows, and before the field's own. Elements of a
      // list from which is picked are no such values: others follow.
      for count in field.path.steps.indices.dropFirst() {
        guard !field.path.steps[..<count].contains(where: \.picks) else { break }
        let node = tree.node(at: Array(field.path.steps[..<count]))
        guard !tree.way.contains(node) else { continue }
        switch roles[node] {
        case .aside(let place): asides[place].fields.append(index)
        case .step:
          roles[node] = .aside(asides.count)
          asides.append(Aside(level: field.path.arrays, fields: [index]))
        default: break
        }
      }
    }
    return asides
  }

  /// Whether all members of an object in the place of the rows are rows, whatever their keys.
  var membersAreRows: Bool { steps.last == .any && tree.nodes[rowsNode].keys.isEmpty }

  /// The level of the containers that the rows are in, if all elements of a list or all members of
  /// an object are such containers, and whether they are members. Nil otherwise.
  var containers: (level: Int, areMembers: Bool)? {
    guard steps.count > 1, case .parent(let level) = roles[rowsNode] else { return nil }
    let around = tree.nodes[nodes[steps.count - 2]]
    guard around.keys.isEmpty, around.elements.isEmpty, around.firstUnread < 0 else { return nil }
    switch steps[steps.count - 2] {
    case .each: return (level, false)
    case .any: return (level, true)
    default: return nil
    }
  }

  /// Number of containers around an element of the outermost list on the path to a row.
  var listDepth: Int { 1 + (steps.firstIndex(where: \.isWild) ?? steps.count) }

  /// Returns the first `step` steps to a row.
  func path(to step: Int) -> Path { Path(Array(steps.prefix(step))) }

  /// Returns the kind of token that begins a value from which the path continues after `step`
  /// steps.
  func kind(after step: Int) -> TokenKind {
    steps[step] == .each ? .beginArray : .beginObject
  }
}
