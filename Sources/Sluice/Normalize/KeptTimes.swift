import CSluice

/// The texts of days, instants and times that were read last, one of each field, with what was made
/// of them.
///
///     read                    made                          day
///     2026-03-01T10:00:00Z    2026-03-01T13:00:00+03:00     2026-03-01
///
/// Rows of one list often have the same time: that of their order, of their station, of their day.
/// It is read once and compared in the rows after it. Where times are all different, few are kept.
struct KeptTimes: ~Copyable {
  /// A time that was read.
  struct Entry: BitwiseCopyable {
    fileprivate var read = 0
    /// The length of what was made; 0 if nothing is kept.
    fileprivate var made = 0
    /// The day that the field gives its row, if it gives one.
    fileprivate var day = Day(number: 0)
    /// The number of different texts in a row, and of rows in which none is kept.
    fileprivate var misses = 0
    fileprivate var pause = 0
  }

  /// After so many different texts, none is kept for so many rows.
  private static let mostMisses = 4
  private static let pause = 60
  /// The longest text that is kept, read or made, in bytes.
  private static let maxText = 48

  private var entries: FixedArray<Entry>
  /// The text that was read and the one that was made, for each field. It does not move.
  private var texts: ByteBuffer

  init(fields: Int) {
    entries = FixedArray(repeating: Entry(), count: fields)
    texts = ByteBuffer(capacity: max(1, 2 * Self.maxText * fields))
    for _ in 0..<2 * Self.maxText * fields { texts.append(0 as UInt8) }
  }

  /// Returns whether the next text of a field is compared and kept. Called once for each.
  @inline(__always)
  mutating func isUsed(by field: Int) -> Bool {
    guard entries[field].pause > 0 else { return true }
    entries[field].pause -= 1
    return false
  }

  /// Returns what was made of this text; nil if the last one was another. It must be a text of a
  /// row.
  @inline(__always)
  mutating func find(
    _ text: UnsafeRawBufferPointer, of field: Int
  ) -> (made: Record.Text, day: Day)? {
    let entry = entries[field]
    let start = texts.start + 2 * Self.maxText * field
    guard entry.made > 0, text.count == entry.read, Vectors.areEqual(text, start) else {
      miss(field)
      return nil
    }
    entries[field].misses = 0
    return (Record.Text(base: start, start: Self.maxText, count: entry.made), entry.day)
  }

  private mutating func miss(_ field: Int) {
    entries[field].misses += 1
    guard entries[field].misses > Self.mostMisses else { return }
    (entries[field].misses, entries[field].pause) = (0, Self.pause)
  }

  /// Keeps what was made of a text, instead of the last one.
  @inline(__always)
  mutating func keep(
    _ text: UnsafeRawBufferPointer, made: UnsafeRawBufferPointer, _ day: Day, of field: Int
  ) {
    guard text.count <= Self.maxText, made.count <= Self.maxText else { return }
    (entries[field].read, entries[field].made, entries[field].day) = (text.count, made.count, day)
    let start = UnsafeMutableRawPointer(mutating: texts.start + 2 * Self.maxText * field)
    UnsafeMutableRawBufferPointer(start: start, count: Self.maxText).copyMemory(from: text)
    UnsafeMutableRawBufferPointer(start: start + Self.maxText, count: Self.maxText)
      .copyMemory(from: made)
  }
}

extension RowBuilder {
  /// Makes the column of a day, an instant or a time from its text. Returns the flaw; nil if there
  /// is none.
  @inline(__always)
  mutating func readTime(_ index: Int) -> RejectReason? {
    readShortly(index) ? nil : readOtherTime(index)
  }

  /// The same with one that ``shortTime(_:of:)`` does not know.
  @inline(__always)
  mutating func readOtherTime(_ index: Int) -> RejectReason? {
    guard plan.readings[index].keepsTime, keptTimes.isUsed(by: index) else {
      return slowlyReadTime(index)
    }
    let raw = slots[index].raw
    if let (made, day) = keptTimes.find(record.text(raw), of: index) {
      record.texts[plan.readings[index].column] = made
      noteDay(day, of: index)
      return nil
    }
    if let reason = slowlyReadTime(index) { return reason }
    let day = index == plan.firstDayField ? record.firstDay : endDay
    keptTimes.keep(
      record.text(raw), made: record.text(plan.readings[index].column),
      day ?? Day(number: 0), of: index)
    return nil
  }

  /// Makes the column of what is written as usual. Returns whether it is.
  @inline(__always)
  private mutating func readShortly(_ index: Int) -> Bool {
    let raw = slots[index].raw
    guard let (made, day) = shortTime(raw, of: index) else { return false }
    record.texts[plan.readings[index].column] = made
    noteDay(day, of: index)
    if made.isPart(of: raw) {
      let givesDay = index == plan.firstDayField || index == plan.lastDayField
      if !givesDay || plan.aroundDay != 0 { settle(plan.readings[index]) }
    }
    return true
  }

  /// Returns the text of a column for what is written as usual, and its day. It is a part of the
  /// text, or in the record's bytes. Nil for what needs a closer look.
  @inline(__always)
  mutating func shortTime(_ raw: Record.Text, of index: Int) -> MadeTime? {
    let way = plan.readings[index].shortWay
    switch way {
    case .none: return nil
    case .date:
      let text = record.text(raw)
      guard FixedTime.isMidnight(afterDateIn: text), let day = clockTimes.day(in: text, of: index)
      else { return dotted(text) }
      return (raw.prefix(FixedTime.date), day)
    case .format: return formattedTime(raw, of: index)
    case .dayOfInstant: return dayOfInstant(raw, of: index)
    case .time: return timeOfDay(raw)
    case .asWritten:
      let text = record.text(raw)
      guard let day = clockTimes.day(in: text, of: index),
        WrittenInstant(canonical: text, on: day) != nil
      else { return otherInstant(raw) }
      return (raw, day)
    case .onClock, .count:
      // The text is read while the record's bytes grow. Room is reserved first, so that they do not
      // move.
      record.bytes.reserve(ClockTimes.room)
      let (start, text) = (record.bytes.count, record.text(raw))
      let day: Day?
      if case .count(let unit) = way {
        day = clockTimes.append(text, unit, of: index, &clocks, to: &record.bytes)
      } else if let day = clockTimes.day(shownBy: text, of: index) {
        return (raw, day)
      } else {
        day = clockTimes.append(text, of: index, &clocks, to: &record.bytes)
      }
      return day.map { (Record.Text(start: start, count: record.bytes.count - start), $0) }
    }
  }

  /// Appends the day that is written as `22.06.2020`. Nil if it is not written so, or is no day.
  private mutating func dotted(_ text: UnsafeRawBufferPointer) -> MadeTime? {
    guard text.count == FixedTime.date, let date = FixedTime.dottedDate(text[...]),
      let day = Day(year: date.year, month: date.month, day: date.day)
    else { return nil }
    let start = record.bytes.count
    record.bytes.commit(
      upTo: FixedTime.put(date, at: record.bytes.end(withRoom: FixedTime.date)))
    return (Record.Text(start: start, count: FixedTime.date), day)
  }

  private mutating func slowlyReadTime(_ index: Int) -> RejectReason? {
    let reading = plan.readings[index]
    if reading.hasRule || reading.kind == .time { return readByRule(index) }
    return WhiteSpace.isAll(record.text(slots[index].raw)) ? nil : readValue(index)
  }
}
