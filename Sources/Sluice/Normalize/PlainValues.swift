/// The values of which it is seen by their kinds and traits that their texts are those of a column:
/// one bit for each pair.
struct RightValues: BitwiseCopyable {
  private var bits: UInt64 = 0

  /// The values for a column of this kind. Null is none that is wrong.
  init(for kind: FieldKind) {
    for traits in 0..<4 as Range<UInt8> {
      let traits = ValueTraits(rawValue: traits)
      // A period has two columns.
      if kind != .period { add(.null, traits) }
      switch kind {
      case .text:
        add(.number, traits)
        if traits.contains(.tidy) { add(.string, traits) }
      case .integer: if traits.contains(.whole) { add(.number, traits) }
      case .decimal: add(.number, traits)
      case .verbatim:
        add(.number, traits)
        add(.string, traits)
      case .flag:
        add(.true, traits)
        add(.false, traits)
      case .day, .instant, .time, .period, .share, .hidden, .occurrence: break
      }
    }
  }

  private mutating func add(_ kind: TokenKind, _ traits: ValueTraits) {
    bits |= Self.bit(kind, traits)
  }

  @inline(__always)
  func contains(_ value: ObjectValue) -> Bool { bits & Self.bit(value.kind, value.traits) != 0 }

  @inline(__always)
  private static func bit(_ kind: TokenKind, _ traits: ValueTraits) -> UInt64 {
    1 &<< UInt64(kind.rawValue &* 4 &+ traits.rawValue & 3)
  }
}

extension PlainRows.Column {
  /// Sets its text in those of a row to a value that is seen to be right by its kind. Returns false
  /// if it is not.
  @inline(__always)
  fileprivate func put(_ value: ObjectValue, in texts: UnsafeMutablePointer<Record.Text>) -> Bool {
    guard right.contains(value), value.count >= leastCount else { return false }
    texts[place] = Record.Text(base: value.start, count: value.count)
    return true
  }
}

extension RowBuilder {
  /// Sets the column of this number in the next row of the series to a value. Returns false if the
  /// value needs a closer look, or is to be skipped: nothing has changed that a row does not set.
  @inline(__always)
  mutating func put(_ value: ObjectValue, _ number: Int) -> Bool {
    plainRows.columns.address[number].put(value, in: series.nextTexts) || putOther(value, number)
  }

  /// The same for the columns of these numbers, with the values of a whole record.
  @inline(__always)
  mutating func put(_ whole: WholeRecord, _ numbers: Range<Int>) -> Bool {
    let (columns, texts) = (plainRows.columns.address, series.nextTexts)
    var number = numbers.lowerBound
    while number < numbers.upperBound {
      let column = columns + number
      guard
        column.pointee.put(whole.values[column.pointee.value], in: texts)
          || putOther(whole, number)
      else { return false }
      number &+= 1
    }
    return true
  }

  @inline(never)
  private mutating func putOther(_ whole: WholeRecord, _ number: Int) -> Bool {
    putOther(whole.values[plainRows.columns.address[number].value], number)
  }

  /// The same with a value that is not seen to be right by its kind.
  @inline(never)
  private mutating func putOther(_ value: ObjectValue, _ number: Int) -> Bool {
    let column = plainRows.columns.address + number
    let isRight: Bool
    switch (column.pointee.kind, value.kind) {
    case (.period, _): return putPeriod(value, column.pointee)
    // An empty text is no value.
    case (_, .string) where value.count == 0: isRight = column.pointee.leastCount == 0
    case (.flag, .string), (.flag, .number):
      guard let flag = FlagText.plainValue(value.text) else { return false }
      let name = ObjectValue(flag: flag)
      series.nextTexts[column.pointee.place] = Record.Text(base: name.start, count: name.count)
      return true
    case (.day, _), (.instant, _), (.time, _):
      return !value.isFlag && putTime(value, number)
    case (.integer, .string):
      isRight = value.isTidy && DecimalText.isInteger(ofRow: value.text)
    case (.decimal, .string): isRight = DecimalText.isSurelyNumber(ofRow: value.text)
    case (.text, .string) where value.count <= PlainRows.longestMade:
      return putCollapsed(value, column.pointee)
    default: isRight = false
    }
    series.nextTexts[column.pointee.place] = Record.Text(base: value.start, count: value.count)
    return isRight
  }

  /// The same with a text whose white space is collapsed.
  @inline(never)
  private mutating func putCollapsed(_ value: ObjectValue, _ column: PlainRows.Column) -> Bool {
    let start = beginText()
    WhiteSpace.appendCollapsed(value.text, to: &record.bytes)
    let made = Record.Text(start: start, count: record.bytes.count - start)
    series.nextTexts[column.place] = made
    return made.count >= column.leastCount
  }

  /// Sets the column of this number in the next row of the series to the bytes appended since
  /// `start`, of which this is known. Returns false if they need a closer look.
  mutating func putText(
    _ number: Int, from start: Int, known: TextMaker.Made = .anything
  ) -> Bool {
    let column = plainRows.columns.address[number]
    let made = Record.Text(start: start, count: record.bytes.count - start)
    series.nextTexts[column.place] = made
    guard column.leastCount...PlainRows.longestMade ~= made.count else { return false }
    if made.count == 0 { return true }
    // A number ends there, whatever the buffer held before. It may move for that.
    record.bytes.end(withRoom: 1).pointee = 0
    let text = UnsafeRawBufferPointer(rebasing: record.bytes.contents[start...])
    switch (column.kind, known) {
    case (.text, .anything): return WhiteSpace.isTidy(text)
    case (.text, _), (.decimal, .number): return true
    case (.integer, _): return DecimalText.isInteger(ofRow: text)
    case (.decimal, _): return DecimalText.isSurelyNumber(ofRow: text)
    case (.flag, _):
      guard let flag = FlagText.plainValue(text) else { return false }
      let name = ObjectValue(flag: flag)
      series.nextTexts[column.place] = Record.Text(base: name.start, count: name.count)
      return true
    default: return column.kind == .verbatim
    }
  }

  /// Returns where a text begins that is made for the row.
  ///
  /// Texts of columns around the row stay behind the end of the record's bytes when it is moved
  /// back for the next row. They are taken in again before anything is appended.
  @inline(__always) @discardableResult
  mutating func beginText() -> Int {
    if record.bytes.count < plainRows.madeEnd {
      record.bytes.commit(plainRows.madeEnd - record.bytes.count)
    }
    return record.bytes.count
  }

  /// The same with both columns of a period. A cell with one period makes one row, and mostly it is
  /// the cell of the row before. Any other needs a closer look, but for one that says to skip its
  /// record.
  private mutating func putPeriod(_ value: ObjectValue, _ column: PlainRows.Column) -> Bool {
    let texts = series.nextTexts + column.place
    guard value.count > 0 else {
      // That no period is there may be what says to skip the record.
      guard plan.skip?.isEmpty != true else { return false }
      (texts[0], texts[1]) = (Record.Text(), Record.Text())
      return column.leastCount == 0
    }
    guard value.kind == .string else { return false }
    periods.read(value.text)
    guard case .periods = periods.verdict, periods.periods.count == 1 else {
      if case .skip = periods.verdict { plainRows.isSkipped = true }
      return false
    }
    if column.field == plan.firstDayField {
      record.setDays(periods.periods[0].first, periods.periods[0].last)
    }
    // The cell may be that of another row before this one is written.
    let start = beginText()
    record.bytes.append(short: periods.dates.contents)
    texts[0] = Record.Text(start: start, count: 10)
    texts[1] = Record.Text(start: start + 10, count: 10)
    return true
  }

  /// The same with a day, an instant or a time.
  @inline(__always)
  private mutating func putTime(_ value: ObjectValue, _ number: Int) -> Bool {
    guard value.count > 0 else { return false }
    let column = plainRows.columns.address + number
    let raw = Record.Text(base: value.start, count: value.count)
    beginText()
    guard let (made, day) = shortTime(raw, of: column.pointee.field) else {
      return putOtherTime(raw, column.pointee)
    }
    noteDay(day, of: column.pointee.field)
    series.nextTexts[column.pointee.place] = made
    return true
  }

  /// The same with one that is not written as usual.
  @inline(never)
  private mutating func putOtherTime(_ raw: Record.Text, _ column: PlainRows.Column) -> Bool {
    slots[column.field].raw = raw
    slots[column.field].isInForm = false
    record.texts[column.index] = Record.Text()
    guard readOtherTime(column.field) == nil else { return false }
    var made = record.texts[column.index]
    if let base = made.base, base != raw.base {
      // What is kept of the last time may be another before the row is written.
      let start = record.bytes.count
      record.bytes.append(record.text(made))
      made = Record.Text(start: start, count: made.count)
    }
    series.nextTexts[column.place] = made
    return made.count >= column.leastCount
  }
}

extension PlainRows {
  /// The bytes of the longest text that is made for a row of a series, so that a series does not
  /// take much memory.
  fileprivate static let longestMade = 1 << 10
}
