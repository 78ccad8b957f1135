/// Makes the times of a row's event from its columns.
///
///     start: {day: date, time: at}, for: 2h, clock: Europe/London
///
///     date        at         start                        end
///     2026-07-01  20:00      2026-07-01T20:00:00+01:00    2026-07-01T22:00:00+01:00
///     2026-07-02             (none: the whole day)        (none)
///
/// The texts of the event are in the row after its columns: see ``EventTexts``.
struct EventMaker {
  let timing: EventTiming
  let texts: EventTexts
  let start: Place
  let end: Place
  private let lengthColumn: Int?
  /// The columns of the days of a repetition, and of the day of an occurrence.
  let on: Int?
  let from: Int?
  let until: Int?
  let except: [Int]
  let dayColumn: Int?
  /// The fields with the names of the zones of start and end; nil if the document names them.
  let zoneField: Int?
  let endZoneField: Int?
  /// The field of each column.
  let fields: [Int]
  private let changes: ClockChanges
  private let clock: Zone?
  /// Reads local times; nil if there is no clock.
  var reader: ClockReader?
  private(set) var zoneName: ContiguousArray<UInt8> = []
  /// The name of the feed's own zone.
  private let clockName: String
  /// The days asked for.
  let window: (from: Day?, to: Day?)
  /// The repetition of the record, if its occurrences are rows; otherwise nil.
  var series: Series?
  var times = Times()

  /// A day and a time by the fields and columns of a row.
  struct Place {
    var day: (field: Int, column: Int)?
    var time: (field: Int, column: Int)?
    var isInstant = false
  }

  /// The times of day of a repetition, in seconds after midnight; nil for whole days.
  struct Times {
    var start: Int?
    var end: Int?
    var length: (days: Int, seconds: Int)?
  }

  /// A value that no event can be made of.
  typealias Refusal = (RejectReason, Int)

  /// Prepares the events of a table; nil if columns have their times.
  init?(_ table: Table, of feed: Feed, _ zones: Zones, window: (from: Day?, to: Day?)) {
    guard let event = table.event, table.events.count == 1,
      event.timing != nil || table.eventTexts != nil
    else { return nil }
    timing = event.timing ?? EventTiming(start: EventTiming.Moment())
    texts = table.eventTexts ?? EventTexts()
    var columns: [String: (field: Int, column: Int)] = [:]
    var count = 0
    for (index, field) in table.fields.enumerated() {
      for name in field.columns {
        columns[name] = (index, count)
        count += 1
      }
    }
    func place(_ moment: EventTiming.Moment?) -> Place {
      var place = Place()
      place.day = moment?.day.flatMap { columns[$0] }
      place.time = moment?.time.flatMap { columns[$0] }
      place.isInstant = place.day.map { table.fields[$0.field].kind == .instant } ?? false
      return place
    }
    start = place(timing.start)
    end = place(timing.end)
    lengthColumn =
      if case .column(let name, _) = timing.length { columns[name]?.column } else { nil }
    func column(_ value: Recurrence.DayValue?) -> Int? {
      if case .column(let name) = value { columns[name]?.column } else { nil }
    }
    let repeated = timing.recurrence
    on = if case .column(let name) = repeated?.on { columns[name]?.column } else { nil }
    from = column(repeated?.from)
    until = column(repeated?.until)
    except = repeated?.except.compactMap(column) ?? []
    dayColumn = repeated?.column.flatMap { columns[$0]?.column }
    let zone = table.zone(ofStart: event)
    zoneField = table.nameField(of: zone)
    endZoneField =
      texts.endZone == nil ? nil : table.nameField(of: table.zone(ofColumn: event.end))
    fields = table.fields.indices.flatMap { index in
      table.fields[index].columns.map { _ in index }
    }
    changes = ClockChanges(
      gap: timing.gap ?? feed.clockChanges.gap,
      overlap: timing.overlap ?? feed.clockChanges.overlap)
    clock = zones.clock
    if case .zone(let name) = feed.clock { clockName = name } else { clockName = "" }
    let fixed: Zone? = if case .named(let name) = zone { zones.named[name] } else { zones.clock }
    reader = fixed.map { [changes] zone in ClockReader(zone, changes) }
    self.window = window
  }

  // MARK: One row

  /// Makes the event of a record whose columns are made. `zone` and `endZone` are the names of the
  /// zones that the record has. Returns the value that is wrong, or nil.
  mutating func make(
    _ record: inout Record, zone: Record.Text, endZone: Record.Text, _ clocks: inout RowClocks
  ) -> Refusal? {
    series = nil
    clear(&record)
    if let zoneField {
      guard setZone(record.text(zone), &clocks) else { return (.noSuchZone, zoneField) }
      copy(zone, to: texts.zone, &record)
    }
    if endZoneField != nil { copy(endZone, to: texts.endZone, &record) }
    if let refusal = refusalOfLength(record) { return refusal }
    if timing.recurrence != nil { return makeSeries(&record) }
    if start.isInstant { return makeInstantEnd(&record) }
    guard let place = start.day, let day = Self.day(record.text(place.column)) else { return nil }
    guard let time = start.time, let seconds = TimeOfDay.seconds(record.text(time.column)) else {
      return makeDays(&record, from: day)
    }
    return makeTimes(&record, on: day, at: seconds, time.field)
  }

  private func clear(_ record: inout Record) {
    for index in [
      texts.start, texts.end, texts.zone, texts.endZone, texts.rule, texts.except, texts.ruleDay,
      texts.ruleStart, texts.series, texts.occurrence, dayColumn,
    ] {
      if let index { record.texts[index] = Record.Text() }
    }
  }

  /// Sets the zone of the record. Without a name it is the feed's clock. Returns whether there is
  /// one.
  private mutating func setZone(
    _ name: UnsafeRawBufferPointer, _ clocks: inout RowClocks
  ) -> Bool {
    if reader != nil, zoneName.elementsEqual(name) { return true }
    let text = String(decoding: name, as: UTF8.self)
    guard let zone = name.isEmpty ? clock : clocks.zone(named: text) else {
      // Without a name and without a clock only an instant can be shown, in UTC.
      reader = nil
      zoneName = []
      return name.isEmpty && start.time == nil
    }
    zoneName = ContiguousArray(name)
    reader = ClockReader(zone, changes)
    return true
  }

  /// Puts the name of a zone into the row.
  private func copy(_ name: Record.Text, to column: Int?, _ record: inout Record) {
    guard let column else { return }
    record.bytes.reserve(name.count)
    let place = record.bytes.count
    if name.count > 0 {
      record.bytes.append(record.text(name))
    } else {
      record.bytes.append(string: clockName)
    }
    record.setText(column, from: place)
  }

  /// An event of whole days: up to the day of the end, or as many days as its length has.
  private func makeDays(_ record: inout Record, from first: Day) -> Refusal? {
    var last = first
    if let place = end.day, let day = Self.day(record.text(place.column)) {
      guard day >= first else { return (.endBeforeStart, place.field) }
      last = day
    } else if let length = length(record), length.days > 1 {
      last = Day(number: min(first.number + Int32(length.days) - 1, CalendarTime.lastDay.number))
    }
    record.setDays(first, last)
    return nil
  }

  /// An event at a local time.
  private mutating func makeTimes(
    _ record: inout Record, on day: Day, at seconds: Int, _ field: Int
  ) -> Refusal? {
    let local = Int(day.number) * 86_400 + seconds
    let begin: Int
    switch instant(of: local) {
    case .failure(let reason): return (reason, field)
    case .success(let found): begin = found
    }
    var finish: Int?
    if let localEnd = localEnd(record, from: day, local) {
      let field = end.time?.field ?? end.day?.field ?? field
      switch instant(of: localEnd) {
      case .failure(let reason): return (reason, field)
      case .success(let found): finish = found
      }
      if let found = finish, found < begin { return (.endBeforeStart, field) }
    } else if let length = length(record) {
      finish = add(length, to: begin, local)
    }
    return write(&record, begin, finish) ? nil : (.noSuchTime, field)
  }

  /// The local end of an event that begins on a day; nil if the row has none. Without a day it is
  /// on the first one, or over midnight. Without a time it is the end of its day.
  private func localEnd(_ record: borrowing Record, from first: Day, _ local: Int) -> Int? {
    let day = end.day.flatMap { Self.day(record.text($0.column)) }
    guard let time = end.time.flatMap({ TimeOfDay.seconds(record.text($0.column)) }) else {
      return day.map { (Int($0.number) + 1) * 86_400 }
    }
    let found = Int((day ?? first).number) * 86_400 + time
    return day == nil && found <= local ? found + 86_400 : found
  }

  /// The end of an event whose start is a column of instants.
  private mutating func makeInstantEnd(_ record: inout Record) -> Refusal? {
    guard let place = start.day, record.text(place.column).count > 0, let column = texts.end,
      let length = length(record)
    else { return nil }
    let begin = InstantText.seconds(record.text(place.column))
    let offset = reader?.zone.offset(at: begin) ?? InstantText.offset(record.text(place.column))
    let finish = add(length, to: begin, begin + offset)
    guard append(finish, reader == nil ? offset : nil, as: column, &record) else {
      return (.noSuchTime, place.field)
    }
    record.lastDay = max(record.firstDay, lastDay(finish, offset: reader == nil ? offset : nil))
    return nil
  }

  /// Writes the instants of an event, and sets the days of the row. Returns whether both are of the
  /// years 1 to 9999.
  private mutating func write(_ record: inout Record, _ begin: Int, _ end: Int?) -> Bool {
    guard let column = texts.start else { return true }
    guard append(begin, nil, as: column, &record) else { return false }
    let first = reader?.zone.day(at: begin) ?? Day(number: 0)
    var last = first
    if let end, let column = texts.end {
      guard append(end, nil, as: column, &record) else { return false }
      last = max(first, lastDay(end, offset: nil))
    }
    record.setDays(first, last)
    return true
  }

  /// The last day of an event that ends at an instant. One that ends at midnight is not of the next
  /// day.
  func lastDay(_ end: Int, offset: Int?) -> Day {
    (offset.map { Zone(offset: $0) } ?? reader?.zone ?? .utc).day(at: end - 1)
  }

  /// Writes an instant into a column. Returns whether it is of the years 1 to 9999.
  mutating func append(
    _ instant: Int, _ offset: Int?, as column: Int, _ record: inout Record
  ) -> Bool {
    let place = record.bytes.count
    let offset = offset ?? reader?.zone.offset(at: instant) ?? 0
    let day = InstantWriter.append(instant, offset: offset, to: &record.bytes)
    record.setText(column, from: place)
    return day != nil
  }

  private mutating func instant(of local: Int) -> Result<Int, RejectReason> {
    reader?.instant(of: local) ?? .failure(.noSuchZone)
  }

  /// Adds a length to an instant, whose local time is `local`. Days are those of the calendar: they
  /// are not always 24 hours.
  private mutating func add(_ length: (days: Int, seconds: Int), to begin: Int, _ local: Int) -> Int
  {
    guard length.days > 0 else { return begin + length.seconds }
    let days = length.days * 86_400
    guard let zone = reader?.zone else { return begin + days + length.seconds }
    return zone.instant(of: local + days) + length.seconds
  }

  /// A length below zero, which is an end before the start. One of zero is none.
  private func refusalOfLength(_ record: borrowing Record) -> Refusal? {
    guard let lengthColumn, record.text(lengthColumn).first == UInt8(ascii: "-"),
      let number = try? SignedDecimal(record.text(lengthColumn)), number.times(1_000_000) < 0
    else { return nil }
    return (.endBeforeStart, fields[lengthColumn])
  }

  /// The length of a record's event; nil if it has none, or none above zero.
  func length(_ record: borrowing Record) -> (days: Int, seconds: Int)? {
    switch timing.length {
    case nil: return nil
    case .fixed(let days, let seconds): return (days, seconds)
    case .column(_, let unit):
      guard let lengthColumn, record.text(lengthColumn).count > 0,
        let number = try? SignedDecimal(record.text(lengthColumn))
      else { return nil }
      let seconds = number.times(unit)
      guard seconds > 0 else { return nil }
      return unit == 86_400 ? (seconds / unit, seconds % unit) : (0, seconds)
    }
  }

  static func day(_ text: UnsafeRawBufferPointer) -> Day? {
    text.count < 10 ? nil : InstantText.day(text)
  }
}

extension Table {
  /// The field that has the name of a zone; nil if the document names it.
  fileprivate func nameField(of zone: FieldZone?) -> Int? {
    guard case .path(let path) = zone else { return nil }
    return fields.firstIndex { $0.path == path && $0.kind.namesZone }
  }
}
