import CSluice

/// The instants of each field on its clock, with what is alike from one to the next.
///
///     1700007599                  day 19676,  1199 s     2023-11-15T00:19:59Z
///     1700048579                  day 19676, 42179 s     2023-11-15T11:42:59Z
///     2023-11-15 11:43            day 19676, 42180 s     2023-11-15T11:43:00Z
///     2023-11-15T12:44:00+01:00   day 19676, 42240 s     2023-11-15T11:44:00Z
///                                                        └ date ─┘          └ tail
///
/// The date is kept while instants are of the same day, and what stands after the seconds while the
/// clock is not changed. So most instants need no calendar. A local time of a day on which the
/// clock is not changed is shown as it is written, and so is an instant with the offset of the
/// clock: they need no numbers either.
struct ClockTimes: ~Copyable {
  /// What is known of a field. Not private: the debug compiler needs it.
  struct Entry: BitwiseCopyable {
    /// The clock at the last instant, and the one that it was before it was changed.
    fileprivate var clock = Clock()
    fileprivate var otherClock = Clock()
    /// The local time at which the last day began, in seconds, and its date as it is written. No
    /// instant is of the first one.
    fileprivate var midnight = Int.min / 2
    fileprivate var day = Day(number: 0)
    fileprivate var date = noDate
    /// Whether the clock surely shows each time of that day once, at the same offset.
    fileprivate var isEven = false

    /// No text has such bytes.
    fileprivate static let noDate: (UInt64, UInt16) = (.max, .max)

    /// Returns the ten bytes of a date.
    @inline(__always)
    fileprivate static func date(_ start: UnsafeRawPointer) -> (UInt64, UInt16) {
      (
        start.loadUnaligned(as: UInt64.self),
        start.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
      )
    }

    /// Whether the last date is written there.
    @inline(__always)
    fileprivate func hasDate(_ start: UnsafeRawPointer) -> Bool { Self.date(start) == date }

    /// Whether the clock surely shows this local time once, and not in another stretch than the
    /// last instant.
    @inline(__always)
    fileprivate func hasOne(_ local: Int) -> Bool {
      let far = 2 * Zone.largestOffset
      let stretch = clock.stretch
      return clock.offset == stretch.offset && stretch.start < local &- far
        && local < stretch.end &- far
    }
  }

  /// What a clock shows while it is not changed. Not private, as above.
  struct Clock: BitwiseCopyable {
    /// The time in which it is not changed.
    fileprivate var stretch = Zone.Stretch.none
    /// The offset that is shown: RFC 3339 has whole minutes.
    fileprivate var offset = 0
    /// `Z` or `+03:00`, and its length.
    fileprivate var tail: UInt64 = 0
    fileprivate var tailCount = 0
  }

  /// The most bytes that an instant takes while it is written.
  static let room = 48
  /// Seconds of a day.
  private static let day = TimeOfDay.end

  private var entries: FixedArray<Entry>
  /// Where a date or an offset is written.
  private var text = ByteBuffer(capacity: 16)

  init(fields: Int) { entries = FixedArray(repeating: Entry(), count: fields) }

  /// Appends the instant of a count, which is a text of a row, to `buffer`. Returns its day on the
  /// clock of the field; nil if the text is not a plain count of 1970 or later, or not before the
  /// last day of the year 9999: ``ClockReader`` looks closer.
  @inline(__always)
  mutating func append(
    _ text: UnsafeRawBufferPointer, _ unit: UnixTime, of field: Int, _ clocks: inout RowClocks,
    to buffer: inout ByteBuffer
  ) -> Day? {
    // No number begins with a zero but zero itself.
    guard let start = text.baseAddress, text.count > 0,
      text[0] != UInt8(ascii: "0") || text.count == 1,
      let count = FixedTime.number(start, count: text.count)
    else { return nil }
    var (seconds, thousandths) = (count, 0)
    if unit == .milliseconds {
      seconds = count / 1000
      thousandths = count &- seconds &* 1000
    }
    return put(seconds, of: field, &clocks, to: &buffer) { end in
      thousandths > 0 ? FixedTime.put(thousandths: thousandths, at: end) : end
    }
  }

  /// Appends the instant of a text of a row in the same way. The text may be in `buffer`, which
  /// must have ``room`` so that it does not move. Returns nil if the text is in no usual form, or
  /// if the clock is changed about that time.
  @inline(never)
  mutating func append(
    _ text: UnsafeRawBufferPointer, of field: Int, _ clocks: inout RowClocks,
    to buffer: inout ByteBuffer
  ) -> Day? {
    if let time = FixedTime.timeWord(afterDateIn: text) {
      return append(time, afterDateIn: text, of: field, &clocks, to: &buffer)
    }
    let written =
      WrittenInstant.seemsCanonical(text)
      ? WrittenInstant(canonical: text) : WrittenInstant(usual: text)
    guard let written else { return nil }
    return append(written, of: text, of: field, &clocks, to: &buffer)
  }

  /// Appends what was read from a text in the same way. Returns nil for a leap second, and for more
  /// than 15 digits after the seconds.
  @inline(__always)
  mutating func append(
    _ written: WrittenInstant, of text: UnsafeRawBufferPointer, of field: Int,
    _ clocks: inout RowClocks, to buffer: inout ByteBuffer
  ) -> Day? {
    guard !written.isLeapSecond, written.fraction.count < 16,
      let offset = written.offset ?? offset(at: written.local, of: field, &clocks)
    else { return nil }
    let fraction = UnsafeRawBufferPointer(rebasing: text[written.fraction])
    return put(written.local &- offset, of: field, &clocks, to: &buffer) { end in
      guard let digits = fraction.baseAddress, fraction.count > 0 else { return end }
      end.pointee = UInt8(ascii: ".")
      return cscan_put(end + 1, digits.assumingMemoryBound(to: UInt8.self), fraction.count)
    }
  }

  /// Appends the instant of a local time, whose eight bytes follow the date in a text.
  @inline(__always)
  private mutating func append(
    _ time: UInt64, afterDateIn text: UnsafeRawBufferPointer, of field: Int,
    _ clocks: inout RowClocks, to buffer: inout ByteBuffer
  ) -> Day? {
    guard let start = text.baseAddress, let (hour, minute, second) = FixedTime.timeOfDay(time)
    else { return nil }
    let entry = entries.address + field
    let isOfDay = entry.pointee.hasDate(start)
    if isOfDay, entry.pointee.isEven {
      return put(entry.pointee, to: &buffer) { place in
        FixedTime.put(time, at: place)
        return place + 8
      }
    }
    let midnight =
      isOfDay
      ? entry.pointee.midnight : FixedTime.day(text).map { Int($0.number) &* Self.day }
    guard let midnight else { return nil }
    let local = midnight &+ (hour &* 60 &+ minute) &* 60 &+ second
    return offset(at: local, of: field, &clocks).flatMap {
      put(local &- $0, of: field, &clocks, to: &buffer) { $0 }
    }
  }

  /// Returns the offset of a field's clock when it shows a local time. Nil if the clock is changed
  /// about that time.
  @inline(__always)
  private mutating func offset(
    at local: Int, of field: Int, _ clocks: inout RowClocks
  ) -> Int? {
    let entry = entries.address + field
    if !entry.pointee.hasOne(local) {
      guard !entry.pointee.clock.stretch.contains(local) else { return nil }
      setClock(of: field, at: local, &clocks)
      guard entry.pointee.hasOne(local) else { return nil }
    }
    return entry.pointee.clock.offset
  }

  /// Returns the day of an instant that is written just as the clock of the field shows it; nil for
  /// others, and if that is not seen at once.
  @inline(__always)
  func day(shownBy text: UnsafeRawBufferPointer, of field: Int) -> Day? {
    let entry = entries.address + field
    guard entry.pointee.isEven, text.count > FixedTime.dateAndTime, let start = text.baseAddress,
      entry.pointee.hasDate(start),
      let written = WrittenInstant(canonical: text, on: entry.pointee.day),
      written.offset == entry.pointee.clock.offset,
      written.offsetPlace.count == entry.pointee.clock.tailCount
    else { return nil }
    return entry.pointee.day
  }

  /// Returns the day of the date that a text begins with; nil if it does not. Nothing else is asked
  /// of a field of which this is: it is a day, or its instants are put on no clock.
  @inline(__always)
  mutating func day(in text: UnsafeRawBufferPointer, of field: Int) -> Day? {
    guard text.count >= FixedTime.date, let start = text.baseAddress else { return nil }
    let entry = entries.address + field
    if entry.pointee.hasDate(start) { return entry.pointee.day }
    guard let day = FixedTime.day(text) else { return nil }
    entry.pointee.day = day
    entry.pointee.date = Entry.date(start)
    return day
  }

  /// Appends an instant on the clock of a field. `fraction` writes what stands before the offset,
  /// 16 bytes at most.
  @inline(__always)
  private mutating func put(
    _ seconds: Int, of field: Int, _ clocks: inout RowClocks, to buffer: inout ByteBuffer,
    fraction: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
  ) -> Day? {
    let entry = entries.address + field
    if !entry.pointee.clock.stretch.contains(seconds) { setClock(of: field, at: seconds, &clocks) }
    let local = seconds &+ entry.pointee.clock.offset
    var time = local &- entry.pointee.midnight
    if UInt(bitPattern: time) >= UInt(bitPattern: Self.day) {
      guard setDay(of: field, local) else { return nil }
      time = local &- entry.pointee.midnight
    }
    return put(entry.pointee, to: &buffer) { place in
      // Numbers of 32 bits are divided in less time.
      let second = UInt32(truncatingIfNeeded: time)
      let minute = second / 60
      return fraction(
        FixedTime.put(
          hour: Int(minute / 60), minute: Int(minute % 60), second: Int(second % 60), at: place))
    }
  }

  /// Appends an instant of the day of an entry, whose time is written by `time`. Returns the day.
  @inline(__always)
  private func put(
    _ entry: Entry, to buffer: inout ByteBuffer,
    time: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
  ) -> Day {
    let place = buffer.end(withRoom: Self.room)
    UnsafeMutableRawPointer(place).storeBytes(of: entry.date.0, as: UInt64.self)
    UnsafeMutableRawPointer(place).storeBytes(of: entry.date.1, toByteOffset: 8, as: UInt16.self)
    place[FixedTime.date] = UInt8(ascii: "T")
    let end = time(place + FixedTime.date + 1)
    UnsafeMutableRawPointer(end).storeBytes(of: entry.clock.tail, as: UInt64.self)
    buffer.commit(upTo: end + entry.clock.tailCount)
    return entry.day
  }

  /// Notes what the clock shows at an instant. It may be what it showed before the last change.
  @inline(never)
  private mutating func setClock(of field: Int, at instant: Int, _ clocks: inout RowClocks) {
    let entry = entries.address + field
    (entry.pointee.midnight, entry.pointee.date) = (Entry().midnight, Entry.noDate)
    entry.pointee.isEven = false
    swap(&entry.pointee.clock, &entry.pointee.otherClock)
    if entry.pointee.clock.stretch.contains(instant) { return }
    let stretch = clocks.stretch(of: field, at: instant)
    let offset = stretch.offset / 60 * 60
    text.removeAll()
    InstantWriter.append(offset: offset, to: &text)
    entry.pointee.clock = Clock(
      stretch: stretch, offset: offset,
      tail: UnsafeRawPointer(text.start).loadUnaligned(as: UInt64.self), tailCount: text.count)
  }

  /// Notes the day of a local time. Returns whether all its instants are of the years 1 to 9999, in
  /// UTC too.
  @inline(never)
  private mutating func setDay(of field: Int, _ local: Int) -> Bool {
    let day = Self.day
    guard InstantWriter.instants.contains(local) else { return false }
    let (number, time) = dividingDown(local, by: day)
    let first = local - time - entries[field].clock.offset
    guard InstantWriter.instants.contains(first), InstantWriter.instants.contains(first + day - 1)
    else { return false }
    let date = Day(number: Int32(number))
    text.removeAll()
    date.append(to: &text)
    let start = UnsafeRawPointer(text.start)
    entries[field].midnight = local - time
    entries[field].day = date
    entries[field].date = Entry.date(start)
    let midnight = entries[field].midnight
    entries[field].isEven =
      entries[field].hasOne(midnight) && entries[field].hasOne(midnight + day - 1)
    return true
  }
}
