/// What is special about the rows of a table, beside objects in lists. Nothing in most tables.
///
///     "rates": {"EUR": 1.08, "SEK": 11.2}     rows at rates.*: the key of a row, and the row itself
///     [["2026-01-01", "New Year"], …]         rows that are lists: [0] and [1]
struct RowShape {
  /// Whether the rows are objects in lists, and no list around them is an object.
  let isPlain: Bool
  /// The fields that are keys of elements, by their level; the rows are the last one. Empty if
  /// there are none.
  let keyFields: ContiguousArray<[Int]>
  /// The field that is the row itself; -1 if the rows are no plain values.
  let value: Int
  /// Whether a row may be a list.
  let mayBeArray: Bool
  /// Whether a row must be one: all its values are read by their places.
  let isArray: Bool

  init(_ table: Table) {
    let rows = table.rows
    var keyFields: ContiguousArray<[Int]> = []
    for (index, field) in table.fields.enumerated()
    where field.isRead && field.path.steps.last == .keyName {
      if keyFields.isEmpty { keyFields = ContiguousArray(repeating: [], count: rows.arrays + 1) }
      keyFields[field.path.arrays].append(index)
    }
    self.keyFields = keyFields
    value = table.fields.firstIndex { $0.isRead && $0.path.steps.last == .itself } ?? -1
    var (members, elements) = (0, 0)
    for field in table.fields where field.isRead && field.path.steps.starts(with: rows.steps) {
      guard field.path.steps.count > rows.steps.count else { continue }
      switch field.path.steps[rows.steps.count] {
      case .element: elements += 1
      case .keyName: break
      default: members += 1
      }
    }
    mayBeArray = elements > 0
    isArray = elements > 0 && members == 0
    isPlain = value < 0 && !mayBeArray && !rows.steps.contains(.any)
  }
}

extension RowBuilder {
  /// Keeps the key of the next element of a level.
  mutating func noteKey(_ text: RawSpan, _ level: Int) {
    guard level < plan.shape.keyFields.count, !plan.shape.keyFields[level].isEmpty else { return }
    guard level < plan.rowArrays else {
      rowKey.removeAll()
      return rowKey.append(text)
    }
    elementKeys[level].removeAll(keepingCapacity: true)
    text.withUnsafeBytes { elementKeys[level].append(contentsOf: $0) }
  }

  /// Returns the noted key of the record, or plain value, that is written at this place.
  func notedKey(before place: UnsafeRawPointer) -> ObjectValue {
    ObjectValue(
      start: UnsafePointer(rowKey.start.assumingMemoryBound(to: UInt8.self)), count: rowKey.count,
      written: place.assumingMemoryBound(to: UInt8.self), kind: .string)
  }

  /// Stores the key of an element that begins.
  @inline(never)
  mutating func storeKey(_ level: Int, at offset: Int) {
    guard level < plan.shape.keyFields.count else { return }
    for field in plan.shape.keyFields[level] {
      guard level < plan.rowArrays else {
        _ = store(.string, RawSpan(_unsafeBytes: rowKey.contents), field, at: offset)
        continue
      }
      let key = elementKeys[level]
      _ = store(.string, key.span.bytes, field, at: offset)
    }
  }

  /// Stores the key of a whole record.
  mutating func storeKeyOfWhole(at offset: Int) {
    guard !plan.shape.keyFields.isEmpty else { return }
    for field in plan.shape.keyFields[plan.rowArrays] {
      let (key, reading) = (rowKey.contents, plan.readings[field])
      if reading.isText, reading.column == reading.columnsEnd - 1,
        WhiteSpace.isTidy(key)
      {
        record.texts[reading.column] = Record.Text(base: key.baseAddress, count: key.count)
        continue
      }
      reset(field)
      storeToken(
        .string, RawSpan(_unsafeBytes: rowKey.contents), field, at: offset, noted: offset)
    }
  }

  /// Begins a record that is an object or array. Returns whether similar ones may be compared with
  /// it.
  @inline(never)
  mutating func beginShaped(_ kind: TokenKind, at offset: Int) -> Bool {
    storeKey(plan.rowArrays, at: offset)
    if kind == .beginObject, plan.shape.isArray {
      flaws.begin(Flaw(reason: .wrongKind))
      return false
    }
    guard plan.shape.value >= 0 else { return true }
    slots[plan.shape.value].isUnreadable = true
    flaws.begin(Flaw(reason: .wrongKind, field: plan.shape.value, key: Path.itself))
    return false
  }

  /// Ends a record with this text. An empty list has none of the values that are read by their
  /// places.
  @inline(never)
  mutating func endShaped(_ kind: TokenKind, _ raw: RawSpan) {
    guard kind == .endArray, plan.shape.isArray, flaws.first == nil else { return }
    let isEmpty = raw.withUnsafeBytes { raw in
      var index = 1
      while index < raw.count - 1, InputFormat.isSpace(raw[index]) { index += 1 }
      return index >= raw.count - 1
    }
    if isEmpty { note(Flaw(reason: .wrongFieldCount)) }
  }

  /// Stores a record that is a plain value. Returns whether the table asks for such values.
  @inline(never)
  mutating func storeValue(_ kind: TokenKind, _ text: RawSpan, at offset: Int) -> Bool {
    storeKey(plan.rowArrays, at: offset)
    guard plan.shape.value >= 0 else { return false }
    _ = store(kind, text, plan.shape.value, at: offset)
    return true
  }
}
