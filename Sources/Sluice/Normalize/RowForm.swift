extension PathPlan {
  /// Returns the values that are wanted of whole rows, and the use of each. Returns nil if more is asked
  /// of a row than single values.
  func recordForm() -> (form: RecordForm, uses: [RecordUse])? {
    // Whole rows are not counted among the elements of their list.
    guard zip.nodes.isEmpty, rowsNode < 0 || tree.nodes[rowsNode].elements.isEmpty else {
      return nil
    }
    var places: [RecordForm.Place] = []
    var uses: [RecordUse] = []
    var nodes = [rowNode]
    while places.count < nodes.count {
      let index = nodes[places.count]
      let node = tree.nodes[index]
      guard node.any < 0 else { return nil }
      var place = RecordForm.Place()
      switch roles[index] {
      case .row, .step: break
      case .field(let field):
        place.value = uses.count
        uses.append(.field(field))
      case .pick(let number):
        // The number of a step's value has to fit into a byte.
        guard number < 100, index != rowNode else { return nil }
        place.token = number
      case .elements(let field):
        place.isList = true
        place.value = uses.count
        uses.append(.list(field))
      case .parent, .rows, .zip: return nil
      }
      if node.each >= 0 {
        guard place.token >= 0, node.elements.isEmpty else { return nil }
        place.each = nodes.count
        nodes.append(node.each)
      }
      for key in tree.keys[node.keys] {
        place.keys.append((Array(tree.names[key.start..<key.start + key.count]), nodes.count))
        nodes.append(key.node)
      }
      for element in node.elements {
        place.elements.append((element.index, nodes.count))
        nodes.append(element.node)
      }
      if node.firstUnread >= 0, index != rowNode {
        place.others = uses.count
        uses.append(.unread(node: index))
      }
      places.append(place)
    }
    guard uses.count <= RecordForm.maxValues else { return nil }
    return (RecordForm(places: places, valueCount: uses.count), uses)
  }
}

/// The use of a value of whole records.
enum RecordUse {
  case field(Int)
  /// It is in the place of a list from which the field is read, and must be null.
  case list(Int)
  /// It counts the elements of a list that no path leads to.
  case unread(node: Int)
}
