/// Writes the times of events on the clock of their zone, and the zones that a calendar needs.
///
///     BEGIN:VTIMEZONE … END:VTIMEZONE
///     BEGIN:VEVENT
///     DTSTART;TZID=Europe/London:20260701T200000
///
/// The zones that a document names for all times stand before all events. Any other stands before
/// its first event, or, in the files of a split output, at the end of each.
final class LocalTimes {
  /// Where the zone of a time comes from.
  private enum Source {
    /// The zone with this index.
    case known(Int)
    /// The text at this index of a row.
    case text(Int)
  }

  /// The text with the local start and the length of a rule.
  private let ruleStart: Int?
  private var start: Source?
  private var end: Source?
  /// Whether all times are local, and not those of repetitions alone.
  private let isForAll: Bool
  private let zones: CalendarZones

  /// Prepares the zones of a table's events; nil if all times are in UTC.
  init?(_ table: Table, of feed: Feed, _ event: Event, _ zones: CalendarZones) {
    let recurrence = event.timing?.recurrence
    guard event.isLocal || recurrence != nil, table.eventTime != .days else { return nil }
    isForAll = event.isLocal
    self.zones = zones
    if recurrence?.mayBeginEarly == true { zones.begin = ZoneComponent.earliestStart }
    let texts = table.eventTexts
    ruleStart = texts?.ruleStart
    start = source(table.zone(ofStart: event), text: texts?.zone, feed)
    end = start
    if event.timing == nil, let column = event.end {
      end = source(table.zone(ofColumn: column), text: texts?.endZone, feed)
    }
    guard isForAll else { return }
    for case .known(let index) in [start, end].compactMap(\.self) { zones.needAtBegin(index) }
  }

  private func source(
    _ zone: FieldZone?, text: Int?, _ feed: Feed
  ) -> Source? {
    if let text { return .text(text) }
    let name: String
    switch (zone, feed.clock) {
    case (.named(let own), _): name = own
    case (_, .zone(let clock)): name = clock
    default: return nil
    }
    do throws(ZoneFile.Fault) {
      return .known(try zones.index(of: name))
    } catch {
      zones.fault = PipelineError(.normalize(.noZone(name, error)))
      return nil
    }
  }

  // MARK: Events

  /// Appends DTSTART and, unless the end is nil, DTEND of a row's event.
  func appendLines(
    _ times: EventInstants, _ record: borrowing Record, isRepeated: Bool,
    to buffer: inout ByteBuffer
  ) {
    if isRepeated, let ruleStart, record.text(ruleStart).count > 0,
      let zone = zone(start, record)
    {
      return appendNominal(record.text(ruleStart), zone, to: &buffer)
    }
    append("DTSTART", times.start, zone(start, record), isRepeated, to: &buffer)
    if let last = times.end { append("DTEND", last, zone(end, record), isRepeated, to: &buffer) }
  }

  /// Appends DTSTART and, if there is one, DURATION of a rule.
  private func appendNominal(
    _ text: UnsafeRawBufferPointer, _ zone: Int, to buffer: inout ByteBuffer
  ) {
    zones.need(zone)
    let parts = text.split(separator: UInt8(ascii: "/"))
    buffer.append(string: "DTSTART;TZID=\(zones.name(of: zone)):")
    buffer.append(UnsafeRawBufferPointer(rebasing: parts[0]))
    if parts.count > 1 {
      buffer.append("\r\nDURATION:")
      buffer.append(UnsafeRawBufferPointer(rebasing: parts[1]))
    }
    buffer.append("\r\n")
  }

  /// Appends EXDATE for each of these local times.
  func appendExceptions(
    _ times: [String], _ record: borrowing Record, to buffer: inout ByteBuffer
  ) {
    let name = zone(start, record).map(zones.name(of:)) ?? ""
    for time in times { buffer.append(string: "EXDATE;TZID=\(name):\(time)\r\n") }
  }

  private func zone(_ source: Source?, _ record: borrowing Record) -> Int? {
    switch source {
    case nil: return nil
    case .known(let index): return index
    case .text(let column):
      let name = record.text(column)
      // The row was read with this zone, so it is there.
      return name.count == 0 ? nil : try? zones.index(of: name)
    }
  }

  /// Appends a time on its clock. It is in UTC if the clock cannot say which of two times is meant,
  /// or if it is before the zones of the calendar begin.
  private func append(
    _ name: StaticString, _ instant: Int, _ zone: Int?, _ isRepeated: Bool,
    to buffer: inout ByteBuffer
  ) {
    buffer.append(name)
    guard isForAll || isRepeated, let zone, let local = zones.local(instant, zone, isRepeated)
    else {
      buffer.append(string: ":\(CalendarTime.utc(instant))\r\n")
      return
    }
    zones.need(zone)
    buffer.append(string: ";TZID=\(zones.name(of: zone)):\(CalendarTime.local(local))\r\n")
  }
}

extension Recurrence {
  /// Whether it may begin before 1970.
  fileprivate var mayBeginEarly: Bool {
    switch from {
    case .day(let day): day < Series.usualStart
    case .column: true
    case nil: false
    }
  }
}
