/// Writes the times of events on the clock of their zone, and the zones that a calendar needs.
///
///     BEGIN:VTIMEZONE … END:VTIMEZONE
///     BEGIN:VEVENT
///     DTSTART;TZID=Europe/London:20260701T200000
///
/// The zones that a document names for all times stand before all events. Any other stands before its
/// first event, or, in the files of a split output, at the end of each.
final class LocalTimes {
  /// Where the zone of a time comes from.
  private enum Source {
    /// The zone with this index.
    case known(Int)
    /// The text at this index of a row.
    case text(Int)
  }

  private struct KnownZone {
    let name: String
    let zone: Zone
    var isWritten = false
    /// The time around the last instant in which the clocks are not changed.
    var stretch = Zone.Stretch.none
  }

  /// The text with the local start and the length of a rule.
  private let ruleStart: Int?
  private var zones: [KnownZone] = []
  private var start: Source?
  private var end: Source?
  /// The instant from which on the zones of the calendar are right.
  private let begin: Int
  /// Whether all times are local, and not those of repetitions alone.
  private let isForAll: Bool
  /// Whether the events go into several files with the same beginning.
  var isSplit = false
  /// The zones whose lines are still to be written.
  private var pending: [Int] = []

  /// Why a zone of the document cannot be read. A calendar is not begun then.
  private var fault: PipelineError?

  /// Prepares the zones of a table's events; nil if all times are in UTC.
  init?(_ table: Table, of feed: Feed, _ event: Event) {
    let recurrence = event.timing?.recurrence
    guard event.isLocal || recurrence != nil, table.eventTime != .days else { return nil }
    isForAll = event.isLocal
    begin =
      recurrence?.mayBeginEarly == true
      ? ZoneComponent.earliestStart : ZoneComponent.usualStart
    let texts = table.eventTexts
    ruleStart = texts?.ruleStart
    start = source(table.zone(ofStart: event), text: texts?.zone, feed)
    end = start
    if event.timing == nil, let column = event.end {
      end = source(table.zone(ofColumn: column), text: texts?.endZone, feed)
    }
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
      return .known(try index(of: name))
    } catch {
      fault = PipelineError(.normalize(.noZone(name, error)))
      return nil
    }
  }

  private func index(of name: String) throws(ZoneFile.Fault) -> Int {
    if let index = zones.firstIndex(where: { $0.name == name }) { return index }
    zones.append(KnownZone(name: name, zone: try ZoneFile.zone(named: name)))
    return zones.count - 1
  }

  /// Returns the lines of the zones that are known when a calendar begins. Throws
  /// ``FeedFault/noZone(_:_:)`` if one of them cannot be read.
  func linesAtBegin() throws(PipelineError) -> [String] {
    if let fault { throw fault }
    for index in zones.indices { zones[index].isWritten = false }
    pending = []
    guard isForAll else { return [] }
    for case .known(let index) in [start, end].compactMap(\.self) where !zones[index].isWritten {
      need(index)
    }
    return takeLines()
  }

  /// Returns the lines of the zones that the events written since then need.
  func takeLines() -> [String] {
    defer { pending = [] }
    return pending.flatMap { index in
      ZoneComponent(zones[index].zone, named: zones[index].name, from: begin).lines
    }
  }

  /// Whether an event needs a zone that has not been written.
  var hasPending: Bool { !pending.isEmpty }

  private func need(_ index: Int) {
    guard !zones[index].isWritten else { return }
    zones[index].isWritten = true
    pending.append(index)
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
    need(zone)
    let parts = text.split(separator: UInt8(ascii: "/"))
    buffer.append(string: "DTSTART;TZID=\(zones[zone].name):")
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
    let name = zone(start, record).map { zones[$0].name } ?? ""
    for time in times { buffer.append(string: "EXDATE;TZID=\(name):\(time)\r\n") }
  }

  private func zone(_ source: Source?, _ record: borrowing Record) -> Int? {
    switch source {
    case nil: return nil
    case .known(let index): return index
    case .text(let column):
      let name = record.text(column)
      if let index = zones.firstIndex(where: { $0.name.utf8.elementsEqual(name) }) { return index }
      // The row was read with this zone, so it is there.
      return name.count == 0 ? nil : try? index(of: String(decoding: name, as: UTF8.self))
    }
  }

  /// Appends a time on its clock. It is in UTC if the clock cannot say which of two times is meant,
  /// or if it is before the zones of the calendar begin.
  private func append(
    _ name: StaticString, _ instant: Int, _ zone: Int?, _ isRepeated: Bool,
    to buffer: inout ByteBuffer
  ) {
    buffer.append(name)
    guard isForAll || isRepeated, let zone, let local = local(instant, zone, isRepeated) else {
      buffer.append(string: ":\(CalendarTime.utc(instant))\r\n")
      return
    }
    need(zone)
    buffer.append(string: ";TZID=\(zones[zone].name):\(CalendarTime.local(local))\r\n")
  }

  private func local(_ instant: Int, _ index: Int, _ isRepeated: Bool) -> Int? {
    guard instant - Zone.largestOffset >= begin || isRepeated else { return nil }
    if !zones[index].stretch.contains(instant) {
      zones[index].stretch = zones[index].zone.stretch(at: instant)
    }
    let stretch = zones[index].stretch
    let local = instant + stretch.offset
    // The first time after clocks are put back is the second of two.
    guard instant < stretch.start + Zone.largestOffset, stretch.start > .min, !isRepeated else {
      return local
    }
    return zones[index].zone.instant(of: local) == instant ? local : nil
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
