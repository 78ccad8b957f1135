/// The instants of each field that are counted since 1970, with what is alike from one to the next.
///
///     count         on the clock             text
///     1700007599    day 19676,  1199 s       2023-11-15T00:19:59Z
///     1700048579    day 19676, 42179 s       2023-11-15T11:42:59Z
///                                            └ date ─┘          └ tail
///
/// The date is kept while instants are of the same day, and what stands after the seconds while the clock is
/// not changed. So most instants need no calendar.
struct UnixTimes: ~Copyable {
  /// What is known of a field. Not private: the debug compiler needs it.
  struct Entry: BitwiseCopyable {
    /// The time around the last instant in which the clock is not changed.
    fileprivate var stretch = Zone.Stretch.none
    /// The offset that is shown: RFC 3339 has whole minutes.
    fileprivate var offset = 0
    /// The local time at which the last day began, in seconds, and its date as it is written. No instant
    /// is of the first one.
    fileprivate var midnight = Int.min / 2
    fileprivate var day = Day(number: 0)
    fileprivate var date: (UInt64, UInt16) = (0, 0)
    /// `Z` or `+03:00`, and its length.
    fileprivate var tail: UInt64 = 0
    fileprivate var tailCount = 0
  }

  /// Seconds of a day.
  private static let day = TimeOfDay.end

  private var entries: FixedArray<Entry>

  init(fields: Int) { entries = FixedArray(repeating: Entry(), count: fields) }

  /// Appends the instant of a count, which is a text of a row, to `buffer`. Returns its day on the clock of
  /// the field; nil if the text is not a plain count of 1970 or later, or not before the last day of the
  /// year 9999: ``ClockReader`` looks closer.
  @inline(__always)
  mutating func append(
    _ text: UnsafeRawBufferPointer, _ unit: UnixTime, of field: Int, _ clocks: borrowing RowClocks,
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
    let entry = entries.address + field
    if !entry.pointee.stretch.contains(seconds) {
      setClock(of: field, clocks.stretch(of: field, at: seconds))
    }
    let local = seconds &+ entry.pointee.offset
    var time = local &- entry.pointee.midnight
    if UInt(bitPattern: time) >= UInt(bitPattern: Self.day) {
      guard setDay(of: field, local) else { return nil }
      time = local &- entry.pointee.midnight
    }
    var end = buffer.end(withRoom: 32)
    let place = UnsafeMutableRawPointer(end)
    place.storeBytes(of: entry.pointee.date.0, as: UInt64.self)
    place.storeBytes(of: entry.pointee.date.1, toByteOffset: 8, as: UInt16.self)
    end[FixedTime.date] = UInt8(ascii: "T")
    // Numbers of 32 bits are divided in less time.
    let (second, minute) = (UInt32(truncatingIfNeeded: time), UInt32(truncatingIfNeeded: time) / 60)
    end = FixedTime.put(
      hour: Int(minute / 60), minute: Int(minute % 60), second: Int(second % 60),
      at: end + FixedTime.date + 1)
    if thousandths > 0 {
      end = FixedTime.put(thousandths: thousandths, at: end)
    }
    UnsafeMutableRawPointer(end).storeBytes(of: entry.pointee.tail, as: UInt64.self)
    buffer.commit(upTo: end + entry.pointee.tailCount)
    return entry.pointee.day
  }

  /// Notes the offset of the clock in a time without a change.
  @inline(never)
  private mutating func setClock(of field: Int, _ stretch: Zone.Stretch) {
    var text = ByteBuffer(capacity: 8)
    let offset = stretch.offset / 60 * 60
    InstantWriter.append(offset: offset, to: &text)
    entries[field].stretch = stretch
    entries[field].offset = offset
    entries[field].midnight = Entry().midnight
    entries[field].tail = UnsafeRawPointer(text.start).loadUnaligned(as: UInt64.self)
    entries[field].tailCount = text.count
  }

  /// Notes the day of a local time. Returns whether all its instants are of the years 1 to 9999, in UTC too.
  @inline(never)
  private mutating func setDay(of field: Int, _ local: Int) -> Bool {
    let day = Self.day
    guard InstantWriter.instants.contains(local) else { return false }
    let (number, time) = dividingDown(local, by: day)
    let first = local - time - entries[field].offset
    guard InstantWriter.instants.contains(first), InstantWriter.instants.contains(first + day - 1)
    else { return false }
    let date = Day(number: Int32(number))
    var text = ByteBuffer(capacity: FixedTime.date)
    date.append(to: &text)
    let start = UnsafeRawPointer(text.start)
    entries[field].midnight = local - time
    entries[field].day = date
    entries[field].date = (
      start.loadUnaligned(as: UInt64.self),
      start.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
    )
    return true
  }
}
