/// Reads the instants of one field, and puts them on its clock.
///
///     clock: Europe/London     2026-07-01T09:00:00Z   ─▶  2026-07-01T10:00:00+01:00
///                              2026-07-01 09:00       ─▶  2026-07-01T09:00:00+01:00
///                              2026-03-29 01:30       ─▶  no such time: clocks pass over it
///                              2026-10-25 01:30       ─▶  2026-10-25T01:30:00+01:00, the earlier
///     no clock                 2026-07-01T09:00:00Z   ─▶  2026-07-01T09:00:00Z, as it is written
///     no clock                 1782896400             ─▶  2026-07-01T09:00:00Z
struct ClockReader {
  /// What is done with local times that clocks pass over, and with those that come twice.
  private let changes: ClockChanges
  let zone: Zone
  /// The time around the instant that was read last, in which the clocks are not changed.
  private var stretch = Zone.Stretch.none

  init(_ zone: Zone, _ changes: ClockChanges) {
    self.zone = zone
    self.changes = changes
  }

  /// Appends a text's instant to `buffer`, on the clock. Returns the day on the clock, or why it is
  /// no instant.
  mutating func read(
    _ text: UnsafeRawBufferPointer, into buffer: inout ByteBuffer
  ) -> Result<Day, RejectReason> {
    switch InstantParser.parse(text) {
    case .failure(let reason): return .failure(reason)
    case .success(let written): return read(written, of: text, into: &buffer)
    }
  }

  /// Appends an instant that was read from a text to `buffer`, on the clock. Returns the day on the
  /// clock, or why it is no instant.
  mutating func read(
    _ written: WrittenInstant, of text: UnsafeRawBufferPointer, into buffer: inout ByteBuffer
  ) -> Result<Day, RejectReason> {
    let seconds: Int
    if let offset = written.offset {
      seconds = written.local - offset
    } else {
      switch instant(of: written.local) {
      case .failure(let reason): return .failure(reason)
      case .success(let found): seconds = found
      }
    }
    let day = InstantWriter.append(
      seconds, offset: offset(at: seconds), isLeapSecond: written.isLeapSecond,
      fraction: UnsafeRawBufferPointer(rebasing: text[written.fraction]), to: &buffer)
    return day.map { .success($0) } ?? .failure(.notAnInstant)
  }

  /// Appends the instant of a count since 1970, on the clock. Returns the day on the clock, or why
  /// it is no instant.
  mutating func read(
    _ text: UnsafeRawBufferPointer, _ unit: UnixTime, into buffer: inout ByteBuffer
  ) -> Result<Day, RejectReason> {
    guard let (seconds, thousandths) = UnixInstant.parse(text, unit) else {
      return .failure(.notAUnixTime)
    }
    let zero = UInt8(ascii: "0")
    let digits = (
      zero + UInt8(thousandths / 100), zero + UInt8(thousandths / 10 % 10),
      zero + UInt8(thousandths % 10)
    )
    let day = withUnsafeBytes(of: digits) { digits in
      InstantWriter.append(
        seconds, offset: offset(at: seconds),
        fraction: thousandths > 0 ? digits : nil, to: &buffer)
    }
    return day.map { .success($0) } ?? .failure(.notAUnixTime)
  }

  /// Returns the instant of a local time.
  mutating func instant(of local: Int) -> Result<Int, RejectReason> {
    // Most times are far from a change of the clocks.
    let far = 2 * Zone.largestOffset
    if stretch.start < local - far, local < stretch.end - far {
      return .success(local - stretch.offset)
    }
    let offset: Int
    switch zone.reading(of: local) {
    case .once(let only): offset = only
    case .never(let before, _):
      guard changes.gap == .later else { return .failure(.noSuchTime) }
      // By the clock that has not been put forward, as if it went on.
      offset = before
    case .twice(let earlier, let later):
      switch changes.overlap {
      case .earlier: offset = earlier
      case .later: offset = later
      case .reject: return .failure(.ambiguousTime)
      }
    }
    return .success(local - offset)
  }

  /// Returns the day on the clock at an instant; nil if it is not of the years 1 to 9999.
  mutating func day(at instant: Int) -> Day? {
    let local = instant + offset(at: instant)
    guard InstantWriter.instants.contains(local) else { return nil }
    return Day(number: Int32(dividingDown(local, by: TimeOfDay.end).quotient))
  }

  /// Returns the offset of the clock at an instant.
  @inline(__always)
  private mutating func offset(at instant: Int) -> Int {
    if !stretch.contains(instant) { stretch = zone.stretch(at: instant) }
    return stretch.offset
  }
}

/// The clocks of a table's fields.
struct RowClocks {
  /// The clock of one field.
  private struct FieldClock {
    /// The reader; nil if its instants keep their offsets.
    var reader: ClockReader?
    /// The field with the name of its zone; nil if its zone is not in the document.
    var zoneField: Int?
    /// The name of the zone that the reader has.
    var name: ContiguousArray<UInt8> = []
    var changes: ClockChanges
  }

  private var clocks: ContiguousArray<FieldClock>
  /// The zones by their names, those of the input too. Nil for a name that is none.
  private var zones: [String: Zone?]
  private let clock: Zone?

  /// The largest number of names that are kept. The database has some 600.
  private static let mostZones = 2000

  init(_ table: Table, of feed: Feed, _ zones: Zones) {
    clock = zones.clock
    self.zones = zones.named
    clocks = ContiguousArray(
      table.fields.map { field in
        let changes = ClockChanges(
          gap: field.gap ?? feed.clockChanges.gap,
          overlap: field.overlap ?? feed.clockChanges.overlap)
        let zone: Zone? =
          if case .named(let name) = field.zone { zones.named[name] } else { zones.clock }
        return FieldClock(reader: zone.map { ClockReader($0, changes) }, changes: changes)
      })
    for index in clocks.indices {
      guard case .path(let path) = table.fields[index].zone else { continue }
      clocks[index].zoneField = table.fields.firstIndex {
        $0.isRead && $0.path == path && $0.kind.namesZone
      }
    }
  }

  /// Returns whether the instants of a field are put on no clock.
  func areNone(of field: Int) -> Bool {
    clocks[field].reader == nil && clocks[field].zoneField == nil
  }

  /// Returns whether the instants of a field are all put on the same clock.
  func isOne(of field: Int) -> Bool {
    clocks[field].reader != nil && clocks[field].zoneField == nil
  }

  /// Returns the time around an instant in which the clock of a field is not changed. Unix times
  /// without a clock are in UTC. It changes nothing, but otherwise the compiler would copy the
  /// clocks.
  mutating func stretch(of field: Int, at instant: Int) -> Zone.Stretch {
    (clocks[field].reader?.zone ?? .utc).stretch(at: instant)
  }

  /// Returns the field that has the name of a field's zone; nil if there is none.
  @inline(__always)
  func zoneField(of field: Int) -> Int? { clocks[field].zoneField }

  /// Sets the zone of a field by its name. Without a name it is the feed's clock. Returns whether
  /// there is such a zone.
  mutating func setZone(of field: Int, _ name: UnsafeRawBufferPointer) -> Bool {
    if clocks[field].reader != nil, clocks[field].name.elementsEqual(name) { return true }
    let text = String(decoding: name, as: UTF8.self)
    guard let zone = name.isEmpty ? clock : zone(named: text) else { return false }
    clocks[field].name = ContiguousArray(name)
    clocks[field].reader = ClockReader(zone, clocks[field].changes)
    return true
  }

  /// Returns the zone with this name; nil if there is none.
  mutating func zone(named name: String) -> Zone? {
    if let known = zones[name] { return known }
    let zone = try? ZoneFile.zone(named: name)
    if zones.count < Self.mostZones { zones[name] = .some(zone) }
    return zone
  }

  /// Appends an instant that was read from a text to `buffer`. Returns its day, or why it is none.
  mutating func read(
    _ written: WrittenInstant, of text: UnsafeRawBufferPointer, of field: Int,
    into buffer: inout ByteBuffer
  ) -> Result<Day, RejectReason> {
    if let result = clocks[field].reader?.read(written, of: text, into: &buffer) { return result }
    guard let offset = written.offset else { return .failure(.notAnInstant) }
    let day = InstantWriter.append(
      written.local - offset, offset: offset, isLeapSecond: written.isLeapSecond,
      fraction: UnsafeRawBufferPointer(rebasing: text[written.fraction]), to: &buffer)
    return day.map { .success($0) } ?? .failure(.notAnInstant)
  }

  /// Returns the day of an instant with an offset, on the clock of a field; as it is written if
  /// there is none. Nil if it is not of the years 1 to 9999.
  mutating func day(of written: WrittenInstant, of field: Int) -> Day? {
    guard let offset = written.offset, clocks[field].reader != nil else { return written.day }
    return clocks[field].reader?.day(at: written.local - offset)
  }

  /// Appends an instant of a field to `buffer`. Returns its day, or why it is none.
  mutating func read(
    _ text: UnsafeRawBufferPointer, _ unix: UnixTime?, of field: Int,
    into buffer: inout ByteBuffer
  ) -> Result<Day, RejectReason> {
    guard let unix else {
      return clocks[field].reader?.read(text, into: &buffer)
        ?? InstantParser.parse(text, into: &buffer)
    }
    if clocks[field].reader == nil {
      clocks[field].reader = ClockReader(.utc, clocks[field].changes)
    }
    return clocks[field].reader?.read(text, unix, into: &buffer) ?? .failure(.notAUnixTime)
  }
}
