/// Makes one row of all rows of one key and one day: the rows of a feed by the hour become events
/// by the day.
///
///     Минск 2026-11-21T00:00:00+03:00  -3.17  пасмурно          Минск 2026-11-21
///     Минск 2026-11-21T03:00:00+03:00  -1.2   небольшой снег ─▶   temperature -3…-1,
///     Минск 2026-11-22T00:00:00+03:00  …                          falls "пасмурно, небольшой снег"
///
/// The day is the one that is written in the row's instant, by which `--from` and `--to` choose
/// too. Rows that are filtered away do not count. Only the group in hand is kept, and of those
/// before their keys and days, 20 to 30 bytes each: the rows of a group stand together, and one
/// that comes a second time is an error, as it could be told neither from the first nor with it.
struct DayGroups<Next: RecordStage & ~Copyable>: RecordStage, ~Copyable {
  private var next: Next
  private let tally: Tally
  private let keyColumns: [Int]
  private var values: ContiguousArray<GroupValue>
  /// The row of the group in hand.
  private var group: Record
  private var hasGroup = false
  /// The number of its key.
  private var key: UInt64 = 0
  private var address: AddressHash
  private let addressColumn: Int
  private var seen = PairTable()

  /// Groups the rows of `feed`; `next` takes those of `grouped`, which ``Feed/grouped(by:of:keyed:)``
  /// has made of it.
  init(
    _ feed: Feed, grouped: Feed, by group: EventGroup, _ language: Language,
    into next: consuming Next, tally: Tally
  ) {
    let columns = feed.columns
    let key = feed.address?.parts ?? []
    keyColumns = key.map { columns.firstIndex(of: $0) ?? 0 }
    values = ContiguousArray(
      group.values.map { GroupValue($0, columns: columns, language) })
    self.group = Record(columns: grouped.width)
    address = AddressHash(columns: Array(0...key.count))
    addressColumn = grouped.addressIndex ?? 0
    self.next = next
    self.tally = tally
  }

  mutating func write(_ record: borrowing Record) throws(PipelineError) {
    // What has no days is no event.
    guard record.hasDays else { return }
    if !hasGroup || record.addressID != key || record.firstDay != group.firstDay {
      try endGroup()
      try beginGroup(record)
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
    guard seen.find(record.addressID, number).isNew else {
      throw fault(
        .groupApart(
          key: keyColumns.map { String(decoding: record.text($0).prefix(200), as: UTF8.self) }
            .filter { !$0.isEmpty }, day: day))
    }
    hasGroup = true
    key = record.addressID
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
  }

  private mutating func endGroup() throws(PipelineError) {
    guard hasGroup else { return }
    hasGroup = false
    for index in values.indices {
      let start = group.bytes.count
      group.bytes.append(values[index].text.span.bytes)
      group.setText(keyColumns.count + 1 + index, from: start)
      values[index].clear()
    }
    group.bytes.reserve(32)
    group.addressID = address.hash(group)
    let start = group.bytes.count
    AddressHash.append(group.addressID, to: &group.bytes)
    group.setText(addressColumn, from: start)
    group.bytes.reserve(16)
    try next.write(group)
  }

  private func fault(_ fault: FeedFault) -> PipelineError {
    PipelineError(.normalize(fault), at: nil, record: tally.read.value, field: nil)
  }
}

extension Branch {
  /// A calendar of a feed's rows: an event a row, or one for the rows of a day.
  static func calendar<Output: ByteStage & ~Copyable>(
    _ feed: Feed, _ event: Event, options: CalendarOptions, into output: consuming Output,
    tally: Tally
  ) throws(PipelineError) -> Branch {
    guard let group = event.group, let key = feed.address?.parts else {
      return Branch(
        try CalendarEncoder(feed, event, options: options, into: output, tally: tally))
    }
    let grouped = feed.grouped(by: group, of: event, keyed: key)
    let encoder = try CalendarEncoder(
      grouped, grouped.event ?? event, options: options, into: output, tally: tally)
    return Branch(
      DayGroups(
        feed, grouped: grouped, by: group, options.language, into: encoder, tally: tally))
  }
}
