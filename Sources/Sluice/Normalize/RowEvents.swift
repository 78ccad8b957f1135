/// Makes the several events of a row: the times and the days of each.
///
///     event:                              row                       days
///       - {summary: Paper, start: a}      a 2026-01-05              2026-01-05
///       - {summary: Glass, start: b}      b (none)                  none: no event
///       - {summary: Trees, start: c}      c 2026-01-12              2026-01-12
///                                         the row                   2026-01-05 … 2026-01-12
struct RowEvents {
  private var items: [Item]

  private struct Item {
    /// Makes its times; nil if columns have them.
    var maker: EventMaker?
    /// What the rows with it must be; nil for all.
    var rule: RowRule?
    var start: Place?
    var end: Place?
    var isOfInstants = false

    /// Sets the days of a record to those in the columns of the event. Returns the value that is
    /// wrong; nil if there is none.
    func readDays(_ record: inout Record) -> EventMaker.Refusal? {
      record.hasDays = false
      guard let start, let first = Self.day(record.text(start.column)) else { return nil }
      record.setDays(first, first)
      guard let end, let last = Self.day(record.text(end.column)) else { return nil }
      let isReversed =
        isOfInstants
        ? InstantText.seconds(record.text(end.column))
          < InstantText.seconds(record.text(start.column))
        : last < first
      if isReversed { return (.endBeforeStart, end.field) }
      // With different clocks, the day written in the end may be before that written in the start.
      record.lastDay = max(first, last)
      return nil
    }

    /// The day that a column's text begins with; nil if it is empty.
    private static func day(_ text: UnsafeRawBufferPointer) -> Day? {
      text.count < 10 ? nil : InstantText.day(text)
    }
  }

  /// A field with its column in a row.
  private struct Place {
    var field: Int
    var column: Int
  }

  /// Prepares the events of a table; nil if a row has one at most.
  init?(_ table: Table, of feed: Feed, _ zones: Zones) {
    guard table.events.count > 1 else { return nil }
    let columns = table.columns.map(\.name)
    func place(_ name: String?) -> Place? {
      guard let name, let column = columns.firstIndex(of: name),
        let field = table.fields.firstIndex(where: { $0.columns.contains(name) })
      else { return nil }
      return Place(field: field, column: column)
    }
    items = table.ofEachEvent.compactMap { table in
      guard let event = table.event else { return nil }
      let start = place(event.start)
      return Item(
        maker: EventMaker(table, of: feed, zones, window: (nil, nil)),
        rule: event.conditions.map { RowRule($0, table) }, start: start, end: place(event.end),
        isOfInstants: start.map { table.fields[$0.field].kind == .instant } ?? false)
    }
  }

  /// The number of events.
  var count: Int { items.count }

  /// The fields with the names of the zones of an event; nil if the document names them.
  func zoneField(of index: Int) -> Int? { items[index].maker?.zoneField }
  func endZoneField(of index: Int) -> Int? { items[index].maker?.endZoneField }

  /// Makes the times of one event of a record whose columns are made. `zone` and `endZone` are the
  /// names of its zones that the record has. Returns the value that is wrong; nil if there is none.
  mutating func make(
    _ index: Int, _ record: inout Record, zone: Record.Text, endZone: Record.Text,
    _ clocks: inout RowClocks
  ) -> EventMaker.Refusal? {
    if let refusal = items[index].readDays(&record) { return refusal }
    if let refusal = items[index].maker?.make(&record, zone: zone, endZone: endZone, &clocks) {
      return refusal
    }
    record.keepDays(of: index)
    return nil
  }

  /// Sets the days of a row to those of all its events. The columns of a period are those of the
  /// row.
  mutating func setDays(_ record: inout Record) {
    for index in items.indices {
      if items[index].maker == nil {
        // It was judged with the record.
        _ = items[index].readDays(&record)
        record.keepDays(of: index)
      }
      record.events[index].isEvent =
        record.events[index].hasDays && items[index].rule?.holds(record) ?? true
    }
    record.hasDays = false
    for event in record.events where event.isEvent {
      let hasOthers = record.hasDays
      record.setDays(
        hasOthers ? min(record.firstDay, event.first) : event.first,
        hasOthers ? max(record.lastDay, event.last) : event.last)
    }
  }
}

extension Record {
  /// Keeps its days as those of one of its events.
  fileprivate mutating func keepDays(of index: Int) {
    events[index].hasDays = hasDays
    guard hasDays else { return }
    (events[index].first, events[index].last) = (firstDay, lastDay)
  }
}
