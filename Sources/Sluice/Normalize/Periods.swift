/// A period of whole days, both inclusive.
package struct Period: Equatable {
  package var first: Day
  package var last: Day

  package init(first: Day, last: Day) {
    self.first = first
    self.last = last
  }
}

/// Reads the periods of one cell.
///
///     с 28.12 по 05.01.2021 г.; 2021-03-01
///     ^ skipped                ^ separates periods
///       ^ first day: without a year it has the last day's year, or the one before
///             ^ separates days: `по`, or any dash
///                           ^ skipped
///
/// White space may be between all of these, but a line break always separates periods. An empty
/// part is ignored. `с` needs a second day: a period without an end is not one.
struct PeriodParser: ~Copyable {
  /// The most periods of one cell: each is a row with all the record's texts.
  private static let maxCount = 100
  private let text: UnsafeRawBufferPointer
  private var index = 0
  /// The index after the last white space; -1 if there was none.
  private var spaceEnd = -1

  private init(_ text: UnsafeRawBufferPointer) { self.text = text }

  /// Appends the periods of `cell`, well-formed UTF-8, to `periods`. Returns the reason if it has
  /// none, or if one of them is wrong; otherwise nil.
  static func parse(_ cell: UnsafeRawBufferPointer, into periods: inout ContiguousArray<Period>)
    -> RejectReason?
  {
    var parser = PeriodParser(cell)
    while true {
      parser.skipSpace()
      while parser.passPeriodSeparator() { parser.skipSpace() }
      guard !parser.isAtEnd else { break }
      switch parser.period() {
      case .failure(let reason): return reason
      case .success(let period):
        guard periods.count < Self.maxCount else { return .tooManyPeriods }
        periods.append(period)
      }
      let hadBreak = parser.skipSpace()
      guard parser.isAtEnd || parser.passPeriodSeparator() || hadBreak else { return .notAPeriod }
    }
    return periods.isEmpty ? .notAPeriod : nil
  }

  /// Reads the single day of `cell`, well-formed UTF-8. It may have a time, which must be midnight
  /// without an offset: `2020-06-22T00:00:00`. A year of two digits is not accepted, because its
  /// century is unknown.
  static func day(_ cell: UnsafeRawBufferPointer) -> Result<Day, RejectReason> {
    if FixedTime.isMidnight(afterDateIn: cell), let (year, month, day) = FixedTime.date(cell) {
      return Day(year: year, month: month, day: day).map { .success($0) } ?? .failure(.noSuchDay)
    }
    var parser = PeriodParser(cell)
    parser.skipSpace()
    guard let written = parser.date(), let year = written.year, !written.isShort else {
      return .failure(.notADay)
    }
    if parser.pass("T00:00") || parser.pass(" 00:00"), parser.pass(":00"), parser.pass(".0") {
      while parser.pass("0") {}
    }
    parser.skipSpace()
    guard parser.isAtEnd else { return .failure(.notADay) }
    return Day(year: year, month: written.month, day: written.day).map { .success($0) }
      ?? .failure(.noSuchDay)
  }

  // MARK: The grammar

  private mutating func period() -> Result<Period, RejectReason> {
    let isRange = pass("с") || pass("С")
    if isRange, skipSpace() { return .failure(.notAPeriod) }
    guard let first = date() else { return .failure(.notAPeriod) }
    let mark = index
    let hadBreak = skipSpace()
    guard !hadBreak, passDash() || passUntil() else {
      index = mark
      return isRange ? .failure(.notAPeriod) : Self.resolve(first, first)
    }
    guard !skipSpace(), let last = date() else { return .failure(.notAPeriod) }
    return Self.resolve(first, last)
  }

  /// A day as written; the year is nil if it is left out.
  private struct Written {
    var year: Int?
    var month: Int
    var day: Int
    /// Whether the year has two digits.
    var isShort = false
  }

  /// Returns the period between two days as written, or the reason if there is none.
  private static func resolve(_ first: Written, _ last: Written) -> Result<Period, RejectReason> {
    guard let lastYear = last.year else { return .failure(.notAPeriod) }
    let startsLater = (first.month, first.day) > (last.month, last.day)
    let firstYear = first.year ?? (startsLater ? lastYear - 1 : lastYear)
    guard let from = Day(year: firstYear, month: first.month, day: first.day),
      let to = Day(year: lastYear, month: last.month, day: last.day)
    else { return .failure(.noSuchDay) }
    return from <= to ? .success(Period(first: from, last: to)) : .failure(.endBeforeStart)
  }

  /// Reads `22.06.2020`, `1.6.20`, `22.06` or `2020-06-22`, and `г.` after it.
  private mutating func date() -> Written? {
    guard let written = dottedDate() ?? otherDate() else { return nil }
    let mark = index
    let hadBreak = skipSpace()
    if !hadBreak, pass("г") || pass("Г") {
      _ = pass(".")
    } else {
      index = mark
    }
    return written
  }

  /// Reads `22.06.2020` at once.
  private mutating func dottedDate() -> Written? {
    guard let (year, month, day) = FixedTime.dottedDate(text[index...]) else { return nil }
    let end = index + FixedTime.date
    guard end == text.count || text[end] &- UInt8(ascii: "0") >= 10 else { return nil }
    index = end
    return Written(year: year, month: month, day: day)
  }

  private mutating func otherDate() -> Written? {
    guard let (first, width) = digits() else { return nil }
    if width == 4, pass("-") {
      guard let (month, monthWidth) = digits(), monthWidth == 2, pass("-"),
        let (day, dayWidth) = digits(), dayWidth == 2
      else { return nil }
      return Written(year: first, month: month, day: day)
    }
    guard width <= 2, pass("."), let (month, monthWidth) = digits(), monthWidth <= 2 else {
      return nil
    }
    var year: Int?
    var isShort = false
    let mark = index
    if pass(".") {
      if let (value, yearWidth) = digits() {
        guard yearWidth == 4 || yearWidth == 2 else { return nil }
        isShort = yearWidth == 2
        year = isShort ? 2000 + value : value
      } else {
        index = mark
      }
    }
    return Written(year: year, month: month, day: first, isShort: isShort)
  }

  /// Reads up to nine digits. Returns the number and the count of its digits.
  private mutating func digits() -> (value: Int, width: Int)? {
    let start = index
    var value = 0
    while index < text.count, index - start < 9, text[index] &- UInt8(ascii: "0") < 10 {
      value = value * 10 + Int(text[index] - UInt8(ascii: "0"))
      index += 1
    }
    return index > start ? (value, index - start) : nil
  }

  // MARK: Separators

  private var isAtEnd: Bool { index == text.count }

  /// Skips a separator of periods: `,`, `;` or `и` between white space. A line break also
  /// separates, as white space.
  private mutating func passPeriodSeparator() -> Bool {
    if pass(",") || pass(";") { return true }
    let mark = index
    guard mark == spaceEnd, pass("и") || pass("И") else { return false }
    if !isAtEnd, WhiteSpace.length(in: text, at: index) > 0 { return true }
    index = mark
    return false
  }

  /// Skips a dash: `-`, U+2010 to U+2015 or U+2212.
  private mutating func passDash() -> Bool {
    guard !isAtEnd else { return false }
    let (scalar, length) = UTF8Encoding.scalar(in: text, at: index)
    guard scalar == 0x2D || 0x2010...0x2015 ~= scalar || scalar == 0x2212 else { return false }
    index += length
    return true
  }

  /// Skips `по`, in any case.
  private mutating func passUntil() -> Bool {
    pass("по") || pass("По") || pass("ПО") || pass("пО")
  }

  private mutating func pass(_ literal: StaticString) -> Bool {
    let count = literal.utf8CodeUnitCount
    guard text.count - index >= count else { return false }
    for offset in 0..<count where text[index + offset] != literal.utf8Start[offset] {
      return false
    }
    index += count
    return true
  }

  /// Skips white space. Returns whether there was a line break in it.
  @discardableResult
  private mutating func skipSpace() -> Bool {
    var hadBreak = false
    while index < text.count {
      let length = WhiteSpace.length(in: text, at: index)
      guard length > 0 else { break }
      let byte = text[index]
      // LF, VT, FF, CR, NEL, and the separators U+2028 and U+2029.
      let isBreak =
        byte &- 0x0A < 4 || (byte == 0xC2 && text[index + 1] == 0x85)
        || (byte == 0xE2 && text[index + 1] == 0x80 && text[index + 2] & 0xFE == 0xA8)
      hadBreak = hadBreak || isBreak
      index += length
      spaceEnd = index
    }
    return hadBreak
  }
}

/// The content of a cell of periods. It is kept for the next record, because most have the same.
struct PeriodCell: ~Copyable {
  /// The meaning of the cell for its record.
  enum Verdict {
    case periods
    case skip
    case reject(RejectReason)
  }

  private(set) var verdict = Verdict.reject(.missingValue)
  /// The periods, as far as the cell could be read.
  private(set) var periods: ContiguousArray<Period> = []
  /// The last day of all periods; nil if there are none.
  var lastDay: Day? {
    var last: Day?
    for index in periods.indices { last = max(last ?? periods[index].last, periods[index].last) }
    return last
  }
  /// The first and last days as text, twenty bytes per period.
  private(set) var dates = ByteBuffer(capacity: 64)
  private var text = ByteBuffer(capacity: 64)
  private var tidy = ByteBuffer(capacity: 64)
  private var isKept = false
  /// The folded text that says to skip the record.
  private let skip: ContiguousArray<UInt8>?
  /// The longest cell in bytes that is kept or compared with the skip text. Longer ones are junk.
  private static let maxKept = 4096

  /// Makes a cell that has not been read. `skip` is the folded text that says to skip the record.
  init(skip: ContiguousArray<UInt8>?) { self.skip = skip }

  /// Reads a cell. It must be a text of a row.
  @inline(__always)
  mutating func read(_ cell: UnsafeRawBufferPointer) {
    if isKept, cell.count == text.count, Vectors.areEqual(cell, text.start) { return }
    parse(cell)
  }

  @inline(never)
  private mutating func parse(_ cell: UnsafeRawBufferPointer) {
    periods.removeAll(keepingCapacity: true)
    dates.removeAll()
    isKept = cell.count <= Self.maxKept
    if isKept {
      text.removeAll()
      text.append(cell)
      if let skip {
        tidy.removeAll()
        WhiteSpace.appendCollapsed(cell, to: &tidy)
        if Fold.isFolded(tidy.contents, equalTo: skip) {
          verdict = .skip
          return
        }
      }
    }
    if let reason = PeriodParser.parse(cell, into: &periods) {
      verdict = .reject(reason)
      return
    }
    verdict = .periods
    for period in periods {
      period.first.append(to: &dates)
      period.last.append(to: &dates)
    }
  }
}
