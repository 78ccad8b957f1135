import CSluice

/// The picks of whole records, if all of them only join texts.
///
///     labels[*].name, separated by ", "     tokens      [  bug  help  ]
///                                           column      bug, help
///
/// All tokens of a whole record are there at once. So the texts are joined where the row has its bytes,
/// and no piece is kept. A record with anything unusual is left to the ``Picker``.
struct JoinedPicks: ~Copyable {
  /// What the tokens of a place are for a pick.
  enum Role: UInt8, BitwiseCopyable {
    case none
    /// Those of its outermost list, of a list inside, and of its values.
    case list, innerList, value
  }

  /// The fields of the picks, with their separators; empty if there are none, or others too.
  private let picks: ContiguousArray<(field: Int, separator: ContiguousArray<UInt8>)>
  /// For each pick, what each place is.
  private let roles: FixedArray<Role>
  private let places: Int

  /// Whether there are no such picks.
  var areNone: Bool { picks.isEmpty }

  init(_ table: Table, _ nodes: ContiguousArray<PickPlan.Node>) {
    var picks: ContiguousArray<(field: Int, separator: ContiguousArray<UInt8>)> = []
    var roles: [Role] = []
    var number = -1
    var isPossible = true
    for (index, field) in table.fields.enumerated() where field.isRead {
      let rules = field.path.steps.filter(\.picks)
      guard !rules.isEmpty else { continue }
      number += 1
      guard field.path.arrays == table.rows.arrays else { continue }
      guard let separator = Self.separator(rules), field.kind == .verbatim || field.kind == .text,
        field.kind == .verbatim || Self.isTidy(separator)
      else {
        isPossible = false
        break
      }
      picks.append((index, separator))
      roles += nodes.map { node in
        if node.values.contains(number) { return .value }
        guard let (_, depth) = node.lists.first(where: { $0.pick == number }) else { return .none }
        return depth == 0 ? .list : .innerList
      }
    }
    self.picks = isPossible ? picks : []
    self.roles = FixedArray(roles)
    places = nodes.count
  }

  /// Returns what stands between the texts; nil if elements are picked by a condition.
  private static func separator(_ rules: [Path.Step]) -> ContiguousArray<UInt8>? {
    var separator: ContiguousArray<UInt8>?
    for rule in rules {
      guard case .all(let text) = rule else { return nil }
      separator = ContiguousArray(text.utf8)
    }
    return separator
  }

  /// Whether tidy texts are a tidy text with the separator between them.
  private static func isTidy(_ separator: ContiguousArray<UInt8>) -> Bool {
    var row = ByteBuffer(capacity: 64)
    row.append("a")
    separator.withUnsafeBytes { row.append($0) }
    row.append("a")
    return cspace_is_tidy(row.start.assumingMemoryBound(to: UInt8.self), row.count) != 0
  }

  /// Makes the columns of the picks of a whole record. Returns false if the picker has to make them: some
  /// may have been made, and nothing else has changed.
  mutating func join(_ record: WholeRecord, into row: inout RowBuilder) -> Bool {
    for pick in picks.indices where !join(record, pick, into: &row) { return false }
    return true
  }

  private mutating func join(
    _ whole: WholeRecord, _ pick: Int, into row: inout RowBuilder
  ) -> Bool {
    let start = row.record.bytes.count
    var (lists, hasTexts) = (0, false)
    for token in whole.tokens {
      switch roles[pick &* places &+ token.number] {
      case .none: continue
      case .list:
        switch token.kind {
        case .beginArray: lists &+= 1
        case .endArray, .null: continue
        default: return false
        }
      case .innerList:
        guard token.kind == .beginArray || token.kind == .endArray || token.kind == .null else {
          return false
        }
      case .value:
        switch token.kind {
        case .null: continue
        case .string, .number:
          guard token.text.count > 0 else { continue }
        default: return false
        }
        if hasTexts { picks[pick].separator.withUnsafeBytes { row.record.bytes.append($0) } }
        hasTexts = true
        row.record.bytes.append(token.text)
      }
    }
    guard lists > 0 else { return true }
    return lists == 1 && row.setJoined(picks[pick].field, from: start)
  }
}

extension RowBuilder {
  /// Sets the column of texts that were joined, the bytes appended since `start`. Returns false if the
  /// text needs a closer look.
  fileprivate mutating func setJoined(_ field: Int, from start: Int) -> Bool {
    let reading = plan.readings[field]
    let count = record.bytes.count - start
    guard count <= Limits.text else { return false }
    slots[field].isSet = true
    guard count > 0 else { return true }
    if reading.isText {
      let text = (record.bytes.start + start).assumingMemoryBound(to: UInt8.self)
      guard cspace_is_tidy(text, count) != 0 else { return false }
    } else {
      slots[field].raw = Record.Text(start: start, count: count)
    }
    record.setText(reading.column, from: start)
    return true
  }

  /// Forgets the values of the fields that are picked.
  mutating func resetPicks() {
    for field in pickedFields { reset(field) }
  }
}
