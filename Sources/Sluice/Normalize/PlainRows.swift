import CSluice

/// Rows of plain values, one after the other: they are the values, or the elements of parallel lists.
///
///     "rates":{"2026-11-24":{"EUR":1.08,"SEK":11.2,"NOK":11.9}}
///              └ the day     └ made     └ only the key and the value are set anew
///
/// The first row of a container is made as any other. In those after it the columns of the fields around
/// them stay as they are. A row that needs a closer look is made as any other too.
struct PlainRows: ~Copyable {
  /// What the rows are made of.
  enum Source: Equatable {
    /// Values, or members of an object with their keys.
    case values, members
    /// The elements of parallel lists.
    case lists
  }

  /// A column that each row sets.
  struct Column: BitwiseCopyable {
    fileprivate let field: Int
    fileprivate let index: Int
    /// Its place in the ``RowSeries``.
    fileprivate let place: Int
    fileprivate let kind: FieldKind
    fileprivate let isRequired: Bool
    /// Whether its text is a date as it is written.
    fileprivate let isDate: Bool
  }

  private(set) var source = Source.values
  /// The columns of a row, in the order of its values. A key is before its value. Empty if rows of this plan
  /// are not made so.
  let columns: FixedArray<Column>
  /// Whether the days of a row are those of one of them.
  fileprivate let giveDays: Bool
  /// Whether a row was made as any other, and only such values have come since.
  fileprivate(set) var areReady = false

  /// Makes no rows.
  init() {
    columns = FixedArray([])
    giveDays = false
  }

  /// Makes rows of the values of these fields.
  fileprivate init(
    _ plan: borrowing RowPlan, _ clocks: borrowing RowClocks, fields: [Int], from source: Source
  ) {
    self.source = source
    guard Self.isPossible(plan, clocks, fields) else {
      columns = FixedArray([])
      giveDays = false
      return
    }
    let found = fields.map { plan.readings[$0].column }
    columns = FixedArray(
      zip(fields, found).map { field, index in
        let reading = plan.readings[field]
        return Column(
          field: field, index: index, place: found.count { $0 < index }, kind: reading.kind,
          isRequired: reading.isRequired, isDate: reading.kind == .day && !reading.hasRule)
      })
    giveDays = fields.contains(plan.firstDayField)
  }

  /// Whether all that differs from row to row are these fields, each by itself.
  private static func isPossible(
    _ plan: borrowing RowPlan, _ clocks: borrowing RowClocks, _ fields: [Int]
  ) -> Bool {
    guard !plan.makesTexts, !plan.makesEvents, plan.periodField == nil, plan.keyNumberColumn == nil
    else { return false }
    let own = plan.readings.indices.filter { plan.readings[$0].isOwn }
    guard own.count == fields.count, own.allSatisfy(fields.contains) else { return false }
    let days = [plan.firstDayField, plan.lastDayField]
    guard days[0] == days[1] || !days.contains(where: fields.contains) else { return false }
    return fields.allSatisfy { isReadAlone($0, plan, clocks) }
  }

  /// Whether the column of a field depends on its own text only.
  private static func isReadAlone(
    _ field: Int, _ plan: borrowing RowPlan, _ clocks: borrowing RowClocks
  ) -> Bool {
    switch plan.readings[field].kind {
    case .text, .integer, .decimal: true
    case .day, .instant, .time:
      plan.entries[field].parts.isEmpty && clocks.zoneField(of: field) == nil
    case .verbatim, .flag, .period, .share, .hidden, .occurrence: false
    }
  }
}

extension RowBuilder {
  /// Prepares for rows that are plain values, which may be all members of an object.
  mutating func expectPlainRows(asMembers: Bool) {
    let keys = plan.shape.keyFields.isEmpty ? [] : plan.shape.keyFields[plan.rowArrays]
    guard keys.count <= 1, keys.isEmpty || asMembers else { return }
    expectPlainRows(keys + [plan.shape.value], from: keys.isEmpty ? .values : .members)
  }

  /// Prepares for rows of the elements of parallel lists, which are these fields.
  mutating func expectPlainRows(ofLists fields: [Int]) { expectPlainRows(fields, from: .lists) }

  private mutating func expectPlainRows(_ fields: [Int], from source: PlainRows.Source) {
    plainRows = PlainRows(plan, clocks, fields: fields, from: source)
    let columns = plainRows.columns.indices.map { plainRows.columns[$0].index }
    series = RowSeries(columns: columns, haveDays: plainRows.giveDays)
  }

  /// Notes that a row was made of plain values: those after it need only what differs.
  mutating func beginPlainRows() { plainRows.areReady = plainRows.columns.count > 0 }

  /// Notes that something else has come.
  @inline(__always)
  mutating func leavePlainRows() { plainRows.areReady = false }

  /// Adds rows to the ``series``, which must be empty: the values from `first` on, up to one that needs a
  /// closer look. Returns its index, or the number of all if there is none.
  mutating func takePlain(_ run: borrowing ValueRun, from first: Int) -> Int {
    for index in first..<run.count {
      beginPlainRow()
      guard put(run[index], 0) else { return index }
      endPlainRow(at: run.offset(of: index))
    }
    return run.count
  }

  /// The same with members and their keys, from the first one on.
  mutating func takePlain(membersOf run: borrowing ValueRun) -> Int {
    for index in 0..<run.count {
      let key = run.key(index)
      guard let start = key.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return index }
      let isTidy = cscan_is_tidy(start, key.count) != 0
      let name = ObjectValue(
        start: start, count: key.count, written: start, kind: .string, traits: isTidy ? .tidy : [])
      beginPlainRow()
      guard put(name, 0), put(run[index], 1) else { return index }
      endPlainRow(at: run.offset(of: index))
    }
    return run.count
  }

  /// Drops the rows of the ``series``.
  @inline(__always)
  mutating func endSeries() {
    series.removeAll()
    end()
  }

  // MARK: Rows

  /// Begins a row that is added to the ``series``.
  @inline(__always)
  mutating func beginPlainRow() {
    if plainRows.giveDays { record.hasDays = false }
  }

  /// Adds the row, which begins at this offset.
  @inline(__always)
  mutating func endPlainRow(at offset: Int) {
    series.append(daysOf: record)
    self.offset = offset
  }

  /// Sets the column of the value of this number in the next row of the series. Returns false if the value
  /// needs a closer look: nothing has changed that a row does not set.
  @inline(__always)
  mutating func put(_ value: ObjectValue, _ number: Int) -> Bool {
    let column = plainRows.columns.address[number]
    let isRight: Bool
    switch (column.kind, value.kind) {
    case (.text, .number), (.decimal, .number): isRight = true
    case (.integer, .number): isRight = value.traits.contains(.whole)
    case (.text, .string):
      isRight = value.traits.contains(.tidy) && (!column.isRequired || value.count > 0)
    case (.integer, .string):
      isRight =
        value.traits.contains(.tidy)
        && (value.count == 0 ? !column.isRequired : DecimalText.isInteger(ofRow: value.text))
    case (.decimal, .string): isRight = DecimalText.isSurelyNumber(ofRow: value.text)
    case (.text, .null), (.integer, .null), (.decimal, .null): isRight = !column.isRequired
    case (.text, _), (.integer, _), (.decimal, _): isRight = false
    default: return putTime(value, column)
    }
    series.nextTexts[column.place] = Record.Text(base: value.start, count: value.count)
    return isRight
  }

  /// The same with a day, an instant or a time.
  private mutating func putTime(_ value: ObjectValue, _ column: PlainRows.Column) -> Bool {
    let raw = Record.Text(base: value.start, count: value.count)
    if value.count == 0 || value.isFlag {
      series.nextTexts[column.place] = raw
      return !value.isFlag && !column.isRequired
    }
    if column.isDate, value.count == FixedTime.date, value.kind == .string,
      let (year, month, day) = FixedTime.date(value.text),
      let day = Day(year: year, month: month, day: day)
    {
      noteDay(day, of: column.field)
      series.nextTexts[column.place] = raw
      return true
    }
    slots[column.field].raw = raw
    slots[column.field].isInForm = false
    record.texts[column.index] = Record.Text()
    guard readTime(column.field) == nil else { return false }
    var made = record.texts[column.index]
    if let base = made.base, base != raw.base {
      // What is kept of the last time may be another before the row is written.
      let start = record.bytes.count
      record.bytes.append(record.text(made))
      made = Record.Text(start: start, count: made.count)
    }
    series.nextTexts[column.place] = made
    return made.count > 0 || !column.isRequired
  }
}
