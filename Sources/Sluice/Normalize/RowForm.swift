extension PathPlan {
  /// Returns the values that are wanted of whole rows, and the use of each. Returns nil if more is
  /// asked of a row than single values.
  func recordForm() -> (form: RecordForm, uses: [RecordUse])? {
    // Whole rows are not counted among the elements of their list.
    guard zip.nodes.isEmpty, rowsNode < 0 || tree.nodes[rowsNode].elements.isEmpty else {
      return nil
    }
    var places: [RecordForm.Place] = []
    var uses: [RecordUse] = []
    func want(_ use: RecordUse) -> Int {
      uses.append(use)
      return uses.count - 1
    }
    var nodes = [rowNode]
    // The places inside an element of a list of which all are wanted come several times.
    var repeated: Set<Int> = []
    while places.count < nodes.count {
      let index = nodes[places.count]
      let isRepeated = repeated.contains(places.count)
      let node = tree.nodes[index]
      guard node.any < 0 else { return nil }
      var place = RecordForm.Place()
      switch roles[index] {
      case .row, .step: break
      case .field(let field):
        place.value = want(.field(field))
      case .pick(let number):
        // Each pick looks at all tokens of a record.
        guard number < 100, index != rowNode else { return nil }
        place.token = number
      case .elements(let field):
        place.isList = true
        place.value = want(.list(field))
      case .parent, .rows, .zip, .aside: return nil
      }
      if node.each >= 0 {
        guard place.token >= 0, node.elements.isEmpty else { return nil }
        place.each = nodes.count
        nodes.append(node.each)
      }
      let first = nodes.count
      for key in tree.keys[node.keys] {
        place.keys.append((key.name, nodes.count))
        nodes.append(key.node)
      }
      for element in node.elements {
        place.elements.append((element.index, nodes.count))
        nodes.append(element.node)
      }
      if place.each >= 0 { repeated.insert(place.each) }
      if isRepeated { repeated.formUnion(first..<nodes.count) }
      if node.firstUnread >= 0, index != rowNode {
        // Elements that are left out are counted for one list of a record.
        guard !isRepeated else { return nil }
        place.others = want(.unread(node: index))
      }
      places.append(place)
    }
    guard uses.count <= RecordForm.maxValues else { return nil }
    return (RecordForm(places: places, valueCount: uses.count), uses)
  }
}

extension PathPlan {
  /// Returns the tokens that are wanted of the gaps between lists or objects of rows, and the use
  /// of each. Returns nil if the rows are in one list, if more is asked of an element around them
  /// than single values and picks, or if there are other keys beside those that are data.
  func gapForm() -> (form: RecordForm, uses: [GapUse])? {
    guard let first = steps.firstIndex(where: \.isWild), nodes[first] != rowsNode,
      zip.nodes.isEmpty, steps.last == .each || membersAreRows
    else { return nil }
    var places: [RecordForm.Place] = []
    var uses: [GapUse] = []
    func want(_ use: GapUse) -> Int {
      uses.append(use)
      return uses.count - 1
    }
    var inside = [nodes[first]]
    while places.count < inside.count {
      let index = inside[places.count]
      let node = tree.nodes[index]
      var place = RecordForm.Place()
      let step = nodes.firstIndex(of: index)
      if let step { place.demand = kind(after: step) == .beginArray ? .array : .object }
      switch roles[index] {
      case .step: break
      case .rows:
        places.append(place)
        continue
      case .parent(let level):
        place.token = want(.element(level: level))
        if index == rowsNode {
          places.append(place)
          continue
        }
      case .field(let field):
        place.demand = .scalar
        place.token = want(.field(field))
      case .aside(let aside):
        place.token = want(.aside(aside))
      case .pick(let pick):
        place.token = want(.pick(pick))
      case .elements:
        // Others than those that are read are counted: they come as tokens.
        place.demand = .array
        place.hasNoOthers = true
      case .row, .zip: return nil
      }
      if node.each >= 0 {
        guard step != nil || place.token >= 0 else { return nil }
        place.each = inside.count
        inside.append(node.each)
      }
      if node.any >= 0 {
        guard step != nil, tree.keys[node.keys].isEmpty else { return nil }
        place.any = inside.count
        inside.append(node.any)
        place.keyToken = want(.key)
      }
      guard node.elements.isEmpty || place.hasNoOthers else { return nil }
      for element in node.elements {
        place.elements.append((element.index, inside.count))
        inside.append(element.node)
      }
      for key in tree.keys[node.keys] {
        place.keys.append((key.name, inside.count))
        inside.append(key.node)
      }
      places.append(place)
    }
    guard uses.count < RecordForm.maxValues else { return nil }
    var form = RecordForm(places: places, valueCount: 0)
    form.around = around(from: first, inside)
    form.tokensAreTidied = true
    return (form, uses)
  }

  /// Returns the containers from the outermost one with elements to the list of rows, by their
  /// nodes.
  private func around(from first: Int, _ inside: [Int]) -> [RecordForm.Around] {
    (first..<nodes.count - 1).map { step in
      let way: RecordForm.Around.Way =
        if step == first {
          .outermost
        } else if case .key(let name) = steps[step - 1] {
          .key(Array(name.utf8))
        } else {
          steps[step - 1] == .any ? .member : .element
        }
      return RecordForm.Around(place: inside.firstIndex(of: nodes[step]) ?? -1, way: way)
    }
  }
}

/// The use of a token in the gap between lists or objects of rows.
enum GapUse {
  /// It begins or ends an element around rows.
  case element(level: Int)
  /// It is the key of the element that begins next.
  case key
  /// It is the value of a field.
  case field(Int)
  /// It begins or ends a value with fields around rows inside, or is one.
  case aside(Int)
  /// It is one of those that a list is made of whose elements are picked.
  case pick(Int)
}

/// The use of a value of whole records.
enum RecordUse {
  case field(Int)
  /// It is in the place of a list from which the field is read, and must be null.
  case list(Int)
  /// It counts the elements of a list that no path leads to.
  case unread(node: Int)
}
