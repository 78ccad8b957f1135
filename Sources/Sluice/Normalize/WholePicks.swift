/// The picks of whole records, if all of them are simple: they join texts, or pick an element by a
/// value in it.
///
///     labels[*].name, separated by ", "     tokens      [  {  bug  }  {  help  }  ]
///                                           column      bug, help
///     names[language=en].text               tokens      [  {  ru  Нева  }  {  en  Neva  }  ]
///                                           column      Neva
///
/// All tokens of a whole record are there at once. So the texts are joined where the row has its
/// bytes, or stay where they are, and no piece is kept. A record with anything unusual is left to
/// the ``Picker``.
struct WholePicks: ~Copyable {
  /// What the tokens of a place are for a pick. Not private: the compiler (6.3) fails on a private
  /// type in a `FixedArray` of another file.
  enum Role: UInt8, BitwiseCopyable {
    case none
    /// Those of its outermost list, of a list inside, of an element with a condition, of the
    /// condition's value, and of its values.
    case list, innerList, element, condition, value
  }

  /// A pick, and what was picked of the record that is read.
  struct Pick: BitwiseCopyable {
    let field: Int
    /// Whether all texts are joined. Otherwise the first element is picked whose condition holds.
    let isJoined: Bool
    /// Where the separator or the condition's value is in the words of all picks.
    let start: Int
    let count: Int
    /// The token that ends the list, and that of the value; -1 if there is none.
    var end = -1
    var value = -1
  }

  /// The picks; empty if there are none, or others too.
  private var picks: FixedArray<Pick>
  private var words = ByteBuffer(capacity: 16)
  /// For each pick, what each place is.
  private let roles: FixedArray<Role>
  private let places: Int

  /// Whether there are no such picks.
  var areNone: Bool { picks.count == 0 }
  /// Their fields.
  var fields: [Int] { picks.indices.map { picks[$0].field } }
  /// Whether some of them pick an element.
  var pickElements: Bool { picks.indices.contains { !picks[$0].isJoined } }

  init(_ table: Table, _ nodes: ContiguousArray<PickPlan.Node>) {
    var picks: [Pick] = []
    var roles: [Role] = []
    var number = -1
    var isPossible = true
    for (index, field) in table.fields.enumerated() where field.isRead {
      let rules = field.path.steps.filter(\.picks)
      guard !rules.isEmpty else { continue }
      number += 1
      guard field.path.arrays == table.rows.arrays else { continue }
      let pick = number
      let found = nodes.map { Self.roles(of: $0, for: pick) }
      guard let (isJoined, text) = Self.rule(rules, of: field),
        found.allSatisfy({ $0.count <= 1 })
      else {
        isPossible = false
        break
      }
      let start = words.count
      words.append(string: text)
      picks.append(
        Pick(field: index, isJoined: isJoined, start: start, count: words.count - start))
      roles += found.map { $0.first ?? .none }
    }
    self.picks = FixedArray(isPossible ? picks : [])
    self.roles = FixedArray(roles)
    places = nodes.count
  }

  /// Returns what a node is for a pick.
  private static func roles(of node: PickPlan.Node, for pick: Int) -> [Role] {
    var roles: [Role] = []
    if let list = node.lists.first(where: { $0.pick == pick }) {
      roles.append(list.depth == 0 ? .list : .innerList)
    }
    if node.elements.contains(where: { $0.pick == pick }) { roles.append(.element) }
    if node.conditions.contains(where: { $0.pick == pick }) { roles.append(.condition) }
    if node.values.contains(pick) { roles.append(.value) }
    return roles
  }

  /// Returns what a field's steps into lists do, with the separator or the condition's value; nil
  /// if that is not simple.
  private static func rule(_ steps: [Path.Step], of field: Field) -> (
    isJoined: Bool, text: String
  )? {
    if steps.count == 1, case .match(_, let value) = steps[0] { return (false, value) }
    var separator = ""
    for step in steps {
      guard case .all(let text) = step else { return nil }
      separator = text
    }
    let isPossible =
      field.kind == .verbatim || field.kind == .text && WhiteSpace.isTidy("a\(separator)a")
    return isPossible ? (true, separator) : nil
  }

  /// Makes the columns of the picks of a whole record. Returns false if the picker has to make
  /// them: some may have been made, and nothing else has changed.
  mutating func make(_ record: WholeRecord, into row: inout RowBuilder) -> Bool {
    for pick in picks.indices {
      guard picks[pick].isJoined else {
        guard match(record, pick) else { return false }
        continue
      }
      let start = row.record.bytes.count
      guard let hasList = join(record, pick, into: &row),
        !hasList || row.setJoined(picks[pick].field, from: start)
      else { return false }
    }
    for pick in picks.indices where picks[pick].end >= 0 { row.store(record, picks[pick]) }
    return true
  }

  /// Sets the columns of the picks of a whole record in the next row of the series. They are those
  /// from `first` on. Returns false if the row needs a closer look.
  @inline(never)
  mutating func put(_ record: WholeRecord, into row: inout RowBuilder, from first: Int) -> Bool {
    for pick in picks.indices {
      let column = first &+ pick
      if picks[pick].isJoined {
        let start = row.beginText()
        guard join(record, pick, into: &row) != nil, row.putText(column, from: start) else {
          return false
        }
      } else {
        guard match(record, pick) else { return false }
        let value = picks[pick].value
        guard row.put(value < 0 ? ObjectValue() : ObjectValue(record.tokens[value]), column) else {
          return false
        }
      }
    }
    return true
  }

  /// Joins the texts of a pick. Returns whether there is a list; nil if anything is unusual.
  private mutating func join(
    _ whole: WholeRecord, _ pick: Int, into row: inout RowBuilder
  ) -> Bool? {
    let separator = UnsafeRawBufferPointer(
      start: words.start + picks[pick].start, count: picks[pick].count)
    var (lists, hasTexts) = (0, false)
    for token in whole.tokens {
      switch roles[pick &* places &+ token.number] {
      case .none: continue
      case .list:
        switch token.kind {
        case .beginArray: lists &+= 1
        case .endArray, .null: continue
        default: return nil
        }
      case .innerList:
        guard token.kind == .beginArray || token.kind == .endArray || token.kind == .null else {
          return nil
        }
      case .element, .condition: return nil
      case .value:
        switch token.kind {
        case .null: continue
        case .string, .number:
          guard token.text.count > 0 else { continue }
        default: return nil
        }
        if hasTexts { row.record.bytes.append(short: separator) }
        hasTexts = true
        row.record.bytes.append(short: token.text)
      }
    }
    return lists > 1 ? nil : lists == 1
  }

  /// Picks the value of the first element whose condition holds. Returns false if anything is
  /// unusual.
  private mutating func match(_ whole: WholeRecord, _ pick: Int) -> Bool {
    let (wanted, count) = (words.start + picks[pick].start, picks[pick].count)
    var (end, picked) = (-1, -1)
    // The value of the open element, whether its condition holds, and whether an element was
    // picked.
    var (value, isMet, isDone) = (-1, false, false)
    for (index, token) in whole.tokens.enumerated() {
      switch roles[pick &* places &+ token.number] {
      case .none: continue
      case .innerList: return false
      case .list:
        switch token.kind {
        case .beginArray where end < 0: continue
        case .endArray: end = index
        case .null: continue
        default: return false
        }
      case .element:
        switch token.kind {
        case .beginObject: (value, isMet) = (-1, false)
        case .endObject:
          if isMet, !isDone { (picked, isDone) = (value, true) }
        default: return false
        }
      case .condition:
        switch token.kind {
        case .string, .number, .true, .false:
          if token.text.count == count, Vectors.areEqual(token.text, wanted) { isMet = true }
        case .null: continue
        default: return false
        }
      case .value:
        switch token.kind {
        case .string, .number, .true, .false, .null: break
        default: return false
        }
        guard value < 0, token.text.count <= Limits.text else { return false }
        value = index
      }
    }
    (picks[pick].end, picks[pick].value) = (end, picked)
    return true
  }
}

extension ObjectValue {
  /// The value of a token.
  fileprivate init(_ token: ObjectToken) {
    self.init()
    (count, kind, traits) = (token.text.count, token.kind, token.traits)
    if let text = token.text.baseAddress { start = text.assumingMemoryBound(to: UInt8.self) }
  }
}

extension RowBuilder {
  /// Sets the column of texts that were joined, the bytes appended since `start`. Returns false if
  /// the text needs a closer look.
  fileprivate mutating func setJoined(_ field: Int, from start: Int) -> Bool {
    let reading = plan.readings[field]
    let count = record.bytes.count - start
    guard count <= Limits.text else { return false }
    slots[field].isSet = true
    guard count > 0 else { return true }
    if reading.isText {
      let text = UnsafeRawBufferPointer(rebasing: record.bytes.contents[start...])
      guard WhiteSpace.isTidy(text) else { return false }
    } else {
      slots[field].raw = Record.Text(start: start, count: count)
    }
    record.setText(reading.column, from: start)
    return true
  }

  /// Stores what was picked of a whole record.
  fileprivate mutating func store(_ whole: WholeRecord, _ pick: WholePicks.Pick) {
    let noted = whole.offset + whole.tokens[pick.end].offset
    guard pick.value >= 0 else {
      return storeToken(.null, RawSpan(), pick.field, at: noted, noted: noted)
    }
    let value = whole.tokens[pick.value]
    storeToken(
      value.kind, RawSpan(_unsafeBytes: value.text), pick.field, at: whole.offset + value.offset,
      noted: noted)
  }

  /// Forgets the values of the fields that are picked.
  mutating func resetPicks() {
    for field in wholes.pickedFields { reset(field) }
  }
}
