/// Days, instants and times of day that are not read in the usual forms of their kind.
///
///     rule                               values of the row       column
///     format: dd/MM/yyyy                 05/01/2026              2026-01-05
///     read: instant, clock: "+01:00"     2026-01-04T23:30:00Z    2026-01-05
///     parts: {year: y, …}                2026, 1, 5              2026-01-05
///     kind: time                         905                     09:05
extension RowBuilder {
  /// Makes the column of a field with a rule from its text, or of its parts. Returns the flaw; nil
  /// if there is none.
  @inline(never)
  mutating func readByRule(_ index: Int) -> RejectReason? {
    let column = plan.readings[index].column
    if let rule = plan.entries[index].rule, case .parts = rule.source {
      record.texts[column] = Record.Text()
      return readParts(index, rule)
    }
    guard !WhiteSpace.isAll(record.text(slots[index].raw)) else { return nil }
    let raw = tidy(slots[index].raw)
    // The parser reads while the record's bytes grow, and they must not move.
    record.bytes.reserve(raw.count + 64)
    let text = record.text(raw)
    let rule = plan.entries[index].rule ?? TimeRule()
    switch rule.source {
    case .formats(let formats):
      switch FormatReader.read(text, formats, rule) {
      case .failure(.form): return Self.notOne(plan.readings[index].kind)
      case .failure(.value):
        return plan.readings[index].kind == .time ? .notATime : .noSuchDay
      case .success(let written): return set(index, written, of: text)
      }
    case .count(let unit):
      guard text.count < 10, DecimalText.isInteger(text), text[0] != UInt8(ascii: "-") else {
        return .notATime
      }
      let count = text.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
      return set(index, makeTime(ofDay: count * unit.seconds))
    case .own, .parts:
      guard plan.readings[index].kind == .day else {
        guard let time = TimeOfDay.parse(text) else { return .notATime }
        return set(index, makeTime(ofDay: time))
      }
      return readDayOfInstant(index, text)
    }
  }

  /// The text of a column, which is a part of the text that was read or in the record's bytes, and
  /// its day.
  typealias MadeTime = (made: Record.Text, day: Day)

  /// Makes the text of a column that is read in a format, in a short way. Nil for what needs a
  /// closer look.
  @inline(never)
  mutating func formattedTime(_ raw: Record.Text, of index: Int) -> MadeTime? {
    // The text must not move while the record's bytes grow.
    record.bytes.reserve(64)
    let text = record.text(raw)
    let written = plan.formats.address[index].read(text, plan.names[index])
    return written.flatMap { try? makeTime($0, of: text, index).get() }
  }

  /// The same of the day of an instant.
  @inline(never)
  mutating func dayOfInstant(_ raw: Record.Text, of index: Int) -> MadeTime? {
    let text = record.text(raw)
    return WrittenInstant(usual: text).flatMap { try? makeTime($0, of: text, index).get() }
  }

  /// The same of a time of day.
  @inline(never)
  mutating func timeOfDay(_ raw: Record.Text) -> MadeTime? {
    TimeOfDay.parse(record.text(raw)).flatMap { try? makeTime(ofDay: $0).get() }
  }

  /// The same of an instant that is put on no clock, and is not written as it is shown.
  @inline(never)
  mutating func otherInstant(_ raw: Record.Text) -> MadeTime? {
    record.bytes.reserve(64)
    let text = record.text(raw)
    guard let written = WrittenInstant(usual: text), written.offset != nil,
      written.fraction.count < 16
    else { return nil }
    let start = record.bytes.count
    InstantParser.append(written, of: text, to: &record.bytes)
    return (Record.Text(start: start, count: record.bytes.count - start), written.day)
  }

  private static func notOne(_ kind: FieldKind) -> RejectReason {
    switch kind {
    case .day: .notADay
    case .instant: .notAnInstant
    default: .notATime
    }
  }

  /// Reads the day of an instant in its usual forms.
  private mutating func readDayOfInstant(
    _ index: Int, _ text: UnsafeRawBufferPointer
  ) -> RejectReason? {
    if plan.entries[index].unix != nil {
      let start = record.bytes.count
      switch readInstant(text, index) {
      case .failure(let reason): return reason
      case .success(let day):
        record.bytes.truncate(to: start)
        return set(index, .success(makeDay(day)))
      }
    }
    switch InstantParser.parse(text) {
    case .failure(let reason): return reason
    case .success(let written): return set(index, written, of: text)
    }
  }

  /// Sets the column to what was read from a text.
  private mutating func set(
    _ index: Int, _ written: WrittenInstant, of text: UnsafeRawBufferPointer
  ) -> RejectReason? {
    set(index, makeTime(written, of: text, index))
  }

  /// Sets the column to what was made, and notes the day.
  private mutating func set(
    _ index: Int, _ time: Result<MadeTime, RejectReason>
  ) -> RejectReason? {
    switch time {
    case .failure(let reason): return reason
    case .success(let (made, day)):
      record.texts[plan.readings[index].column] = made
      noteDay(day, of: index)
      return nil
    }
  }

  /// Appends the text of a column of what was read from a text, which must not move when the
  /// record's bytes grow by 64.
  private mutating func makeTime(
    _ written: WrittenInstant, of text: UnsafeRawBufferPointer, _ index: Int
  ) -> Result<MadeTime, RejectReason> {
    switch plan.readings[index].kind {
    case .day:
      // A local time is on the clock already. Without a time there is nothing to put on a clock.
      guard plan.readings[index].readsInstant, written.offset != nil, written.hasTime
      else { return .success(makeDay(written.day)) }
      guard setZone(of: index) else { return .failure(.noSuchZone) }
      guard let day = clocks.day(of: written, of: index) else { return .failure(.notAnInstant) }
      return .success(makeDay(day))
    case .instant:
      guard setZone(of: index) else { return .failure(.noSuchZone) }
      let start = record.bytes.count
      let day: Result<Day, RejectReason>
      if clocks.isOne(of: index),
        let known = clockTimes.append(written, of: text, of: index, &clocks, to: &record.bytes)
      {
        day = .success(known)
      } else {
        day = clocks.read(written, of: text, of: index, into: &record.bytes)
      }
      return day.map { (Record.Text(start: start, count: record.bytes.count - start), $0) }
    default: return written.isLeapSecond ? .failure(.notATime) : makeTime(ofDay: written.time)
    }
  }

  /// Appends the text of a day.
  private mutating func makeDay(_ day: Day) -> MadeTime {
    let start = record.bytes.count
    day.append(to: &record.bytes)
    return (Record.Text(start: start, count: FixedTime.date), day)
  }

  /// Appends a time of day, in seconds. It gives its row no day.
  private mutating func makeTime(ofDay seconds: Int) -> Result<MadeTime, RejectReason> {
    guard seconds <= TimeOfDay.end else { return .failure(.notATime) }
    let start = record.bytes.count
    TimeOfDay.append(seconds, to: &record.bytes)
    return .success(
      (Record.Text(start: start, count: record.bytes.count - start), Day(number: 0)))
  }
}

// MARK: Parts

extension RowBuilder {
  /// Makes a column of several values of the row.
  private mutating func readParts(_ index: Int, _ rule: TimeRule) -> RejectReason? {
    let fields = plan.entries[index].parts
    var texts: [Record.Text?] = []
    for field in fields {
      let text = field.map { field in
        plan.readings[field].isReadAtOnce
          ? record.texts[plan.readings[field].column] : slots[field].raw
      }
      texts.append(
        text.flatMap { WhiteSpace.isAll(record.text($0)) ? nil : tidy($0) })
    }
    slots[index].raw = Record.Text()
    guard texts.contains(where: { $0 != nil }) else {
      return plan.entries[index].isRequired ? .missingValue : nil
    }
    keepParts(texts, of: index)
    // An hour, a day and so on must be there if they are in the document.
    for place in fields.indices where fields[place] != nil && texts[place] == nil {
      return Self.notOne(plan.readings[index].kind)
    }
    var numbers: [Int] = []
    for (name, text) in zip(TimeParts.Name.allCases, texts) {
      guard let text else {
        numbers.append(name == .year || name == .month || name == .day ? 1 : 0)
        continue
      }
      guard let number = number(record.text(text), name, rule) else {
        return Self.notOne(plan.readings[index].kind)
      }
      numbers.append(number)
    }
    guard let day = Day(year: numbers[0], month: numbers[1], day: numbers[2]) else {
      return .noSuchDay
    }
    guard let time = TimeOfDay.seconds(numbers[3], numbers[4], numbers[5]) else {
      return Self.notOne(plan.readings[index].kind)
    }
    return set(index, WrittenInstant(day: day, time: time), of: record.text(Record.Text()))
  }

  /// Returns the number of a part: its digits, or that of a month's name.
  private func number(
    _ text: UnsafeRawBufferPointer, _ name: TimeParts.Name, _ rule: TimeRule
  ) -> Int? {
    if name == .month, text[0] &- UInt8(ascii: "0") > 9 {
      guard let (month, end) = rule.names.match(.month, in: text, at: 0, takesDot: true),
        end == text.count
      else { return nil }
      return Int(month)
    }
    guard text.count <= 4 else { return nil }
    var number = 0
    for byte in text {
      guard byte &- UInt8(ascii: "0") < 10 else { return nil }
      number = number * 10 + Int(byte &- UInt8(ascii: "0"))
    }
    return name == .year && text.count == 2
      ? TimeRule.year(ofTwoDigits: number, from: rule.firstYear) : number
  }

  /// Keeps the texts of the parts as the field's own, for a report of what is wrong.
  private mutating func keepParts(_ texts: [Record.Text?], of index: Int) {
    let start = record.bytes.count
    var isFirst = true
    for text in texts {
      guard let text else { continue }
      record.bytes.reserve(text.count + 1)
      if !isFirst { record.bytes.append(UInt8(ascii: " ")) }
      isFirst = false
      record.bytes.append(record.text(text))
    }
    slots[index].raw = Record.Text(start: start, count: record.bytes.count - start)
  }
}
