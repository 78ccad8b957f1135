/// Judges rows by the conditions of a document.
///
///     where: {type: pickup, day: {greater: 2026-01-01}}
///
///     {"type": "note", "day": "soon"}       does not hold: the type is known at once
///     {"type": ["pickup"], …}               unknown: the record is rejected for its type
///     {"type": "pickup", "day": …}          unknown until the day is read
package struct RowRule {
  /// A part of the conditions.
  private indirect enum Part {
    case all([Part])
    case any([Part])
    /// The index of conditions on a column.
    case leaf(Int)
  }

  /// Conditions on a column, of which one must hold.
  private struct Leaf {
    var column: Int
    var field: Int
    var rules: [ValueRule]
    /// Whether its column is made of the record only after it is judged.
    var isLate: Bool
    let kept = Box(KeptByText<Bool>())
  }

  private let leaves: ContiguousArray<Leaf>
  private let root: Part
  /// Whether each of them must hold, and nothing else is asked.
  private let mustAllHold: Bool
  /// Whether some columns are made of the record only after it is judged.
  let hasLate: Bool

  /// Makes a rule for the rows of a table.
  package init(_ condition: RowCondition, _ table: Table) {
    let columns = table.columns
    var leaves: ContiguousArray<Leaf> = []
    func leaf(_ conditions: [Condition], of name: String) -> Part {
      // The document was read: its columns are there.
      let column = columns.firstIndex { $0.name == name } ?? 0
      let field = table.fields.firstIndex { $0.columns.contains(name) } ?? 0
      leaves.append(
        Leaf(
          column: column, field: field,
          rules: conditions.map { ValueRule($0, of: columns[column].kind) },
          isLate: !table.fields[field].kind.isReadAtOnce))
      return .leaf(leaves.count - 1)
    }
    func part(_ condition: RowCondition) -> Part {
      switch condition {
      case .all(let parts):
        return .all(
          parts.flatMap { condition in
            let part = part(condition)
            return if case .all(let inner) = part { inner } else { [part] }
          })
      case .any(let parts):
        let conditions = parts.compactMap { if case .column(let one) = $0 { one } else { nil } }
        guard let name = conditions.first?.column, conditions.count == parts.count,
          conditions.allSatisfy({ $0.column == name })
        else { return .any(parts.map(part)) }
        return leaf(conditions, of: name)
      case .column(let condition): return leaf([condition], of: condition.column)
      }
    }
    root = part(condition)
    mustAllHold =
      switch root {
      case .leaf: true
      case .all(let parts): parts.allSatisfy { if case .leaf = $0 { true } else { false } }
      case .any: false
      }
    self.leaves = leaves
    hasLate = leaves.contains(where: \.isLate)
  }

  /// The columns that it looks at.
  var columns: [Int] { leaves.map(\.column) }

  /// Returns whether it holds for a row whose columns are made.
  package mutating func holds(_ row: borrowing Record) -> Bool {
    verdict(row) { _ in true } ?? false
  }

  /// Returns whether it holds for a record whose values came; nil if that is not known yet, or if a
  /// value of a column that decides cannot be read.
  mutating func holds(_ row: borrowing RowBuilder) -> Bool? {
    verdict(row.record) { row.isReadable($0.field) }
  }

  /// Returns the same for a record whose columns are all made, and right.
  mutating func holds(early row: borrowing Record) -> Bool? {
    verdict(row) { !$0.isLate }
  }

  @inline(__always)
  private mutating func verdict(
    _ row: borrowing Record, _ isKnown: (borrowing Leaf) -> Bool
  ) -> Bool? {
    guard mustAllHold else { return verdict(root, row, isKnown) }
    var areKnown = true
    for index in leaves.indices {
      if !isKnown(leaves[index]) {
        areKnown = false
      } else if !judge(row.text(leaves[index].column), index) {
        return false
      }
    }
    return areKnown ? true : nil
  }

  private mutating func verdict(
    _ part: Part, _ row: borrowing Record, _ isKnown: (borrowing Leaf) -> Bool
  ) -> Bool? {
    switch part {
    case .leaf(let index):
      return isKnown(leaves[index]) ? judge(row.text(leaves[index].column), index) : nil
    case .all(let parts):
      var isKnownToHold = true
      for part in parts {
        switch verdict(part, row, isKnown) {
        case false?: return false
        case nil: isKnownToHold = false
        case true?: break
        }
      }
      return isKnownToHold ? true : nil
    case .any(let parts):
      var isKnownNotTo = true
      for part in parts {
        switch verdict(part, row, isKnown) {
        case true?: return true
        case nil: isKnownNotTo = false
        case false?: break
        }
      }
      return isKnownNotTo ? false : nil
    }
  }

  private mutating func judge(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    let kept = leaves[index].kept.value
    if let verdict = kept.pointee.find(text) { return verdict }
    let verdict = leaves[index].rules.contains { $0.holds(text) }
    kept.pointee.keep(verdict, of: text)
    return verdict
  }
}

extension RowBuilder {
  /// Returns whether a field's column has its text before the record is judged, and one of its
  /// kind.
  fileprivate func isReadable(_ field: Int) -> Bool {
    let reading = plan.readings[field]
    guard reading.isReadAtOnce, !slots[field].isUnreadable else { return false }
    let text = record.text(reading.column)
    switch reading.kind {
    case .integer: return text.count == 0 || DecimalText.isInteger(text)
    case .flag: return text.count == 0 || FlagText.isFlag(text)
    default: return true
    }
  }
}
