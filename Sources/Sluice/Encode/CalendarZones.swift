/// The zones that a calendar needs, whichever of its events they are for.
final class CalendarZones {
  private struct KnownZone {
    let name: String
    let zone: Zone
    var isWritten = false
    /// The time around the last instant in which the clocks are not changed.
    var stretch = Zone.Stretch.none
  }

  private var zones: [KnownZone] = []
  /// The zones whose lines are still to be written, and those that stand before all events.
  private var pending: [Int] = []
  private var atBegin: [Int] = []
  /// The instant from which on the zones of the calendar are right.
  var begin = ZoneComponent.usualStart
  /// Whether the events go into several files with the same beginning.
  var isSplit = false
  /// Why a zone of the document cannot be read. A calendar is not begun then.
  var fault: PipelineError?

  /// Has a zone stand before all events.
  func needAtBegin(_ index: Int) { atBegin.append(index) }

  /// Returns the index of the zone with this name. Throws if it cannot be read.
  func index(of name: String) throws(ZoneFile.Fault) -> Int {
    if let index = zones.firstIndex(where: { $0.name == name }) { return index }
    zones.append(KnownZone(name: name, zone: try ZoneFile.zone(named: name)))
    return zones.count - 1
  }

  /// Returns the index of the zone with this name. Throws if it cannot be read.
  func index(of name: UnsafeRawBufferPointer) throws(ZoneFile.Fault) -> Int {
    if let index = zones.firstIndex(where: { $0.name.utf8.elementsEqual(name) }) { return index }
    return try index(of: String(decoding: name, as: UTF8.self))
  }

  func name(of index: Int) -> String { zones[index].name }

  /// Returns the lines of the zones that are known when a calendar begins. Throws
  /// ``FeedFault/noZone(_:_:)`` if one of them cannot be read.
  func linesAtBegin() throws(PipelineError) -> [String] {
    if let fault { throw fault }
    for index in zones.indices { zones[index].isWritten = false }
    pending = []
    for index in atBegin { need(index) }
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

  /// Has a zone written before it is used.
  func need(_ index: Int) {
    guard !zones[index].isWritten else { return }
    zones[index].isWritten = true
    pending.append(index)
  }

  /// Returns an instant as a local time of a zone; nil if the clock cannot say which of two times
  /// is meant, or if it is before the zones of the calendar begin.
  func local(_ instant: Int, _ index: Int, _ isRepeated: Bool) -> Int? {
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
