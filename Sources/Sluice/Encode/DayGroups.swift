/// Merges all rows of one key and one day into one row: the rows of an hourly feed become events of
/// whole days.
///
///     Минск 2026-11-21T00:00:00+03:00  -3.17  пасмурно          Минск 2026-11-21
///     Минск 2026-11-21T03:00:00+03:00  -1.2   небольшой снег ─▶   temperature -3…-1,
///     Минск 2026-11-22T00:00:00+03:00  …                          falls "пасмурно, небольшой снег"
///
/// The day is the one written in the row's instant. `--from` and `--to` choose by it too. Filtered
/// rows do not count. Only the current group is kept, and the keys and days of earlier groups, 20
/// to 30 bytes each. The rows of a group must be next to each other. A group that comes a second
/// time is an error: as an event it could neither be told from the first one nor be merged with it.
private struct DayGroups<Next: RecordStage & ~Copyable>: RecordStage, ~Copyable {
  private var next: Next
  private let counters: Counters
  private let keyColumns: [Int]
  private var values: ContiguousArray<GroupValue>
  /// The row of the current group.
  private var group: Record
  private var hasGroup = false
  /// The number of its key.
  private var key: UInt64 = 0
  /// The keys that the numbers belong to.
  private var owners = KeyOwners()
  /// Hashes the key and the day: the number of the event.
  private var address: KeyHash<CheckedKey>
  private var eventOwners = KeyOwners()
  /// Whether the number of the group belongs to another key, so that its rows are left out.
  private var isLeftOut = false
  private let keyNumberColumn: Int
  private var seen = PairTable()

  /// Groups the rows of `table`; `next` takes those of `grouped`, which
  /// ``Table/grouped(by:of:keyed:)`` has made of it.
  init(
    _ table: Table, grouped: Table, by group: EventGroup, _ language: Language,
    into next: consuming Next, counters: Counters
  ) {
    let columns = table.columns.map(\.name)
    let key = table.keyNumber?.parts ?? []
    keyColumns = key.map { columns.firstIndex(of: $0) ?? 0 }
    values = ContiguousArray(
      group.values.map { GroupValue($0, columns: columns, language) })
    self.group = Record(columns: grouped.width)
    address = KeyHash(Array(0...key.count))
    keyNumberColumn = grouped.keyNumberIndex ?? 0
    self.next = next
    self.counters = counters
  }

  var checksKeys: Bool { true }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    guard case .wanted = fate else { return }
    // A row without days is not an event.
    guard record.hasDays, record.isEvent else { return }
    guard owners.claims(record.keyNumber, record.keyCheck) else {
      counters.sameNumberRows.increase()
      return
    }
    if !hasGroup || record.keyNumber != key || record.firstDay != group.firstDay {
      try endGroup()
      try beginGroup(record)
    }
    guard !isLeftOut else {
      counters.sameNumberRows.increase()
      return
    }
    for index in values.indices {
      do throws(ExactDecimal.Fault) {
        try values[index].add(record)
      } catch {
        throw fault(values[index].fault(record))
      }
    }
  }

  consuming func finish() throws(PipelineError) {
    try endGroup()
    try next.finish()
  }

  private mutating func beginGroup(_ record: borrowing Record) throws(PipelineError) {
    let day = record.firstDay
    // Shifted into the positive, so that no value is 0.
    let number = UInt64(UInt32(bitPattern: day.number) ^ 0x8000_0000)
    guard seen.find(record.keyNumber, number).isNew else {
      throw fault(
        .groupApart(
          key: keyColumns.map { String(decoding: record.text($0).prefix(200), as: UTF8.self) }
            .filter { !$0.isEmpty }, day: day))
    }
    hasGroup = true
    key = record.keyNumber
    group.bytes.removeAll()
    for (column, source) in keyColumns.enumerated() {
      let start = group.bytes.count
      group.bytes.append(record.text(source))
      group.setText(column, from: start)
    }
    let start = group.bytes.count
    day.append(to: &group.bytes)
    group.setText(keyColumns.count, from: start)
    group.setDays(day, day)
    (group.keyNumber, group.keyCheck) = address.state(of: group).values
    isLeftOut = !eventOwners.claims(group.keyNumber, group.keyCheck)
  }

  private mutating func endGroup() throws(PipelineError) {
    guard hasGroup else { return }
    hasGroup = false
    guard !isLeftOut else { return }
    for index in values.indices {
      let start = group.bytes.count
      group.bytes.append(values[index].text.span.bytes)
      group.setText(keyColumns.count + 1 + index, from: start)
      values[index].clear()
    }
    let start = group.bytes.count
    group.bytes.append(hexadecimal: group.keyNumber)
    group.setText(keyNumberColumn, from: start)
    try next.take(group, .wanted)
  }

  private func fault(_ fault: FeedFault) -> PipelineError {
    PipelineError(.normalize(fault), at: nil, record: counters.read.value, field: nil)
  }
}

extension Branch {
  /// A calendar of a table's rows: an event a row, or one for the rows of a day.
  static func calendar<Output: ByteStage & ~Copyable>(
    _ table: Table, of feed: Feed, _ event: Event, options: CalendarOptions,
    into output: consuming Output, counters: Counters
  ) throws(PipelineError) -> Branch {
    guard let group = event.group, let key = table.keyNumber?.parts else {
      return Branch(
        try CalendarEncoder(
          table, of: feed, event, options: options, into: output, counters: counters))
    }
    let grouped = table.grouped(by: group, of: event, keyed: key)
    let encoder = try CalendarEncoder(
      grouped, of: feed, event, options: options, into: output, counters: counters)
    return Branch(
      DayGroups(
        table, grouped: grouped, by: group, options.language, into: encoder, counters: counters))
  }

  /// A calendar of many files, each with the events of its values.
  static func splitCalendar(
    _ table: Table, of feed: Feed, _ event: Event, options: CalendarOptions,
    into files: SplitFiles, counters: Counters
  ) throws(PipelineError) -> Branch {
    guard let group = event.group, let key = table.keyNumber?.parts else {
      let encoder = try CalendarEncoder(
        table, of: feed, event, options: options, into: SplitSink(files), counters: counters)
      return Branch(try Splitter(encoder, into: files))
    }
    let grouped = table.grouped(by: group, of: event, keyed: key)
    let encoder = try CalendarEncoder(
      grouped, of: feed, event, options: options, into: SplitSink(files), counters: counters)
    return Branch(
      DayGroups(
        table, grouped: grouped, by: group, options.language,
        into: try Splitter(encoder, into: files), counters: counters))
  }
}

/// One value of a group of rows, computed from the rows so far.
private struct GroupValue {
  /// The most different texts that are kept, and the most bytes of them. An ellipsis marks that
  /// there were more.
  private static let most = 32
  private static let longest = 4096
  private let value: EventGroup.Value
  private let column: Int
  private let unit: [UInt8]
  /// The number so far; the smallest one of a range.
  private var number: SignedDecimal?
  /// The largest number of a range.
  private var last: SignedDecimal?
  /// The smallest or largest number as it was written.
  private var written: [UInt8] = []
  private var texts: [[UInt8]] = []
  private var length = 0
  private var hasMore = false

  /// Makes a value. `columns` are those of the rows.
  init(_ value: EventGroup.Value, columns: [String], _ language: Language) {
    self.value = value
    column = columns.firstIndex(of: value.column) ?? 0
    unit = value.unit.map { Array(" \($0[language])".utf8) } ?? []
  }

  /// Resets the value for a new group.
  mutating func clear() {
    number = nil
    last = nil
    texts.removeAll(keepingCapacity: true)
    length = 0
    hasMore = false
  }

  /// Adds a row. Throws ``ExactDecimal/Fault`` if its number or a sum has too many digits.
  mutating func add(_ record: borrowing Record) throws(ExactDecimal.Fault) {
    let text = record.text(column)
    guard text.count > 0 else { return }
    guard value.verb.isOfNumbers else { return addText(text) }
    try add(SignedDecimal(text), text)
  }

  /// Returns the error for a row whose number has too many digits.
  func fault(_ record: borrowing Record) -> FeedFault {
    let text = record.text(column).prefix(200)
    return .notReckonable(column: value.column, value: String(decoding: text, as: UTF8.self))
  }

  private mutating func add(_ new: SignedDecimal, _ text: UnsafeRawBufferPointer)
    throws(ExactDecimal.Fault)
  {
    guard var number else {
      (self.number, last, written) = (new, new, Array(text))
      return
    }
    switch value.verb {
    case .least where new.isLess(than: number), .greatest where number.isLess(than: new):
      (self.number, written) = (new, Array(text))
    case .range:
      if new.isLess(than: number) { self.number = new }
      if let last, last.isLess(than: new) { self.last = new }
    case .sum:
      try number.add(new)
      self.number = number
    case .least, .greatest, .texts: break
    }
  }

  private mutating func addText(_ text: UnsafeRawBufferPointer) {
    guard !hasMore, !texts.contains(where: { $0.elementsEqual(text) }) else { return }
    guard texts.count < Self.most, length + text.count <= Self.longest else {
      hasMore = true
      return
    }
    texts.append(Array(text))
    length += text.count
  }

  /// The value of the group as text; empty if no row had a value.
  var text: [UInt8] {
    var text: [UInt8] = []
    switch value.verb {
    case .least, .greatest:
      guard let number else { return [] }
      if value.places == nil { text += written } else { append(number, to: &text) }
    case .sum:
      guard let number else { return [] }
      append(number, to: &text)
    case .range:
      guard let number, let last else { return [] }
      append(number, to: &text)
      var end: [UInt8] = []
      append(last, to: &end)
      if text != end { text += "…".utf8 + end }
    case .texts:
      text = Array(texts.joined(separator: ", ".utf8))
      if hasMore { text += ", …".utf8 }
      return text
    }
    return text + unit
  }

  private func append(_ number: SignedDecimal, to text: inout [UInt8]) {
    (value.places.map { number.rounded(to: $0) } ?? number).append(to: &text)
  }
}
