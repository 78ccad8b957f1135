import CSluice

/// Rows that are plain values, one after the other.
///
///     "rates":{"2026-11-24":{"EUR":1.08,"SEK":11.2,"NOK":11.9}}
///              └ the day     └ made     └ only the key and the value are set anew
///
/// The first row of a container is made as any other. In those after it the columns of the fields around
/// them stay as they are. A row that needs a closer look is made as any other too.
struct PlainRows: BitwiseCopyable {
  /// A column that each row sets.
  fileprivate struct Column: BitwiseCopyable {
    /// Its index; -1 if there is none.
    var index = -1
    var kind = FieldKind.text
    var isRequired = false
    /// Whether the days of the row are those of this column.
    var givesDays = false
  }

  fileprivate var value = Column()
  /// The column of the rows' keys.
  fileprivate var key = Column()
  /// Whether rows of this plan may be made so.
  private(set) var arePossible = false
  /// Whether a row was made as any other, and only such values have come since.
  fileprivate(set) var areReady = false
  /// The columns that differ from row to row; nil if rows are not made so.
  var columns: [Int]? {
    arePossible ? haveKeys ? [key.index, value.index] : [value.index] : nil
  }
  /// Whether they have keys, and whether those are their days.
  var haveKeys: Bool { key.index >= 0 }
  var haveOwnDays: Bool { key.givesDays }
  /// Whether they have keys, and every member of their object is such a row.
  private(set) var comeAsMembers = false

  init() {}

  fileprivate init(_ plan: borrowing RowPlan, asMembers: Bool) {
    let shape = plan.shape
    guard shape.value >= 0, !plan.makesTexts, !plan.makesEvents, plan.periodField == nil,
      plan.keyNumberColumn == nil
    else { return }
    let keys = shape.keyFields.isEmpty ? [] : shape.keyFields[plan.rowArrays]
    let own = plan.readings.indices.filter { plan.readings[$0].isOwn }
    guard keys.count <= 1, own.count == 1 + keys.count else { return }
    value = Self.column(shape.value, plan)
    arePossible = value.kind == .text || value.kind == .integer || value.kind == .decimal
    guard let field = keys.first else { return }
    key = Self.column(field, plan)
    comeAsMembers = asMembers
    switch key.kind {
    case .text, .integer: break
    case .day where !plan.readings[field].hasRule && plan.firstDayField == plan.lastDayField: break
    default: arePossible = false
    }
  }

  private static func column(_ field: Int, _ plan: borrowing RowPlan) -> Column {
    let reading = plan.readings[field]
    return Column(
      index: reading.column, kind: reading.kind, isRequired: reading.isRequired,
      givesDays: field == plan.firstDayField)
  }
}

extension RowBuilder {
  /// Prepares for rows that are plain values, which may be all members of an object.
  mutating func expectPlainRows(asMembers: Bool) {
    plainRows = PlainRows(plan, asMembers: asMembers)
    if let columns = plainRows.columns { series = RowSeries(columns: columns) }
  }

  /// Notes that a row was made of a plain value: those after it need only what differs.
  mutating func beginPlainRows() { plainRows.areReady = plainRows.arePossible }

  /// Notes that something else has come.
  @inline(__always)
  mutating func leavePlainRows() { plainRows.areReady = false }

  /// Adds the row of a plain value after another one to the ``series``, which must have room. Returns false
  /// if the value needs a closer look: nothing has changed that a row does not set.
  @inline(__always)
  mutating func takePlain(_ value: ObjectValue, at offset: Int) -> Bool {
    guard let text = plainText(value) else { return false }
    series.append(text)
    self.offset = offset
    return true
  }

  /// The same with the key of the row.
  @inline(__always)
  mutating func takePlain(
    _ key: UnsafeRawBufferPointer, _ value: ObjectValue, at offset: Int
  ) -> Bool {
    let column = plainRows.key
    guard let start = key.baseAddress, !column.isRequired || key.count > 0,
      cscan_is_tidy(start.assumingMemoryBound(to: UInt8.self), key.count) != 0
    else { return false }
    switch column.kind {
    case .integer: guard key.count == 0 || DecimalText.isInteger(ofRow: key) else { return false }
    case .day:
      guard key.count == FixedTime.date, let (year, month, day) = FixedTime.date(key),
        let day = Day(year: year, month: month, day: day)
      else { return false }
      if column.givesDays { record.setDays(day, day) }
    default: break
    }
    guard let text = plainText(value) else { return false }
    let name = Record.Text(base: start, count: key.count)
    if column.index < plainRows.value.index {
      series.append(name, text)
    } else {
      series.append(text, name)
    }
    self.offset = offset
    return true
  }

  /// Returns the text of the column of a plain value; nil if it needs a closer look.
  @inline(__always)
  private func plainText(_ value: ObjectValue) -> Record.Text? {
    let column = plainRows.value
    switch value.kind {
    case .number where column.kind != .integer || value.traits.contains(.whole): break
    case .string where column.kind == .text:
      guard value.traits.contains(.tidy), !column.isRequired || value.count > 0 else { return nil }
    case .string where column.kind == .decimal:
      guard DecimalText.isSurelyNumber(ofRow: value.text) else { return nil }
    case .null where !column.isRequired: break
    default: return nil
    }
    return Record.Text(base: value.start, count: value.count)
  }
}
