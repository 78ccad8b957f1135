/// One of several events that a row has.
///
///     event:
///     - {summary: "{course}: exam", start: exam}
///     - {summary: "{course}: results", start: {day: results, time: at}}
///
///     the row          rows for tables    rows for calendars
///     course Algebra   Algebra, …         event 1 on the day of exam
///     exam   2026-02-03                   event 2 on the day of results
///
/// Each event is made of the same row, one after the other.
struct EventItem {
  /// Makes its times; nil if columns have them.
  fileprivate var maker: EventMaker?
  /// What the rows with such an event must be; nil for all.
  fileprivate var rule: RowRule?
  private var start: (field: Int, column: Int)?
  private var end: (field: Int, column: Int)?
  private let isInstant: Bool

  /// Prepares an event. `view` is the table with this event alone.
  private init(_ view: Table, of feed: Feed, _ zones: Zones) {
    maker = EventMaker(view, of: feed, zones, window: (nil, nil))
    rule = view.event?.conditions.map { RowRule($0, view) }
    var column = 0
    for (index, field) in view.fields.enumerated() {
      for name in field.columns {
        if name == view.event?.start { start = (index, column) }
        if name == view.event?.end { end = (index, column) }
        column += 1
      }
    }
    isInstant = start.map { view.fields[$0.field].kind == .instant } ?? false
  }

  /// Prepares the events of a table; none if its rows have one event at most.
  static func all(
    _ table: Table, of feed: Feed, _ zones: Zones
  ) -> ContiguousArray<EventItem> {
    table.moreEvents.isEmpty
      ? []
      : ContiguousArray(table.eventViews.map { EventItem($0, of: feed, zones) })
  }

  /// Sets the days of a record to those of the event's columns. Returns the value that is wrong; nil
  /// if none is.
  fileprivate func setDays(_ record: inout Record) -> EventMaker.Refusal? {
    guard let start, let first = Self.day(record.text(start.column)) else { return nil }
    guard let end, let last = Self.day(record.text(end.column)) else {
      record.setDays(first, first)
      return nil
    }
    let isReversed =
      isInstant
      ? InstantText.seconds(record.text(end.column))
        < InstantText.seconds(record.text(start.column))
      : last < first
    if isReversed { return (.endBeforeStart, end.field) }
    // With different clocks, the day written in the end may be before that written in the start.
    record.setDays(first, max(first, last))
    return nil
  }

  private static func day(_ text: UnsafeRawBufferPointer) -> Day? {
    text.count < 10 ? nil : InstantText.day(text)
  }
}

extension RowBuilder {
  /// Makes the record that of one of its events, counted from 0. Without a day it has no such event.
  /// Returns the value that is wrong; nil if none is.
  @inline(never)
  mutating func setEvent(_ index: Int) -> EventMaker.Refusal? {
    record.hasDays = false
    record.eventNumber = index + 1
    if let refusal = items[index].setDays(&record) { return refusal }
    guard items[index].maker != nil else { return nil }
    let zone = nameText(items[index].maker?.zoneField)
    let endZone = nameText(items[index].maker?.endZoneField)
    return items[index].maker?.make(&record, zone: zone, endZone: endZone, &clocks)
  }

  /// Whether the document wants the event that the record is made for.
  mutating func wantsEvent(_ index: Int) -> Bool {
    record.hasDays && items[index].rule?.holds(record) != false
  }

  /// Makes the record that of the row itself again. Its days are those of all its events.
  mutating func setRow(_ days: (first: Day, last: Day)?) {
    record.eventNumber = 0
    record.hasDays = false
    if let days { record.setDays(days.first, days.last) }
  }

  /// Checks that each event can be made.
  mutating func checkEvents() -> EventMaker.Refusal? {
    let end = record.bytes.count
    defer { record.bytes.truncate(to: end) }
    for index in items.indices {
      if let refusal = setEvent(index) { return refusal }
    }
    setRow(nil)
    return nil
  }
}

extension Table {
  /// All events of a row.
  package var events: [Event] { (event.map { [$0] } ?? []) + moreEvents }

  /// The table with each of its events alone.
  var eventViews: [Table] {
    events.map { event in
      var view = self
      view.event = event
      view.moreEvents = []
      return view
    }
  }
}
