/// Rows that differ from one record in a few columns only.
///
///     record    2026-11-24 │ EUR │ 1.08
///     series                 EUR   1.08        one text for each of the columns, row by row
///                            SEK   11.2
///                            NOK   11.9
///
/// Rows that need no closer look come so (``PlainRows``). An encoder that writes the other columns
/// once for all of them does little for a row. If no column is alike, all of them differ.
///
/// A wide series goes on from one container to the next: the columns of the fields around its rows
/// differ too.
package struct RowSeries: ~Copyable {
  /// The days of a row, as a ``Record`` has them. Not private: the debug compiler needs it.
  struct Days: BitwiseCopyable {
    fileprivate(set) var first = Day(number: 0)
    fileprivate(set) var last = Day(number: 0)
    fileprivate(set) var areKnown = false
  }

  /// The columns of a series, and whether each row has days of its own.
  typealias Form = (columns: ContiguousArray<Int>, haveDays: Bool)

  /// The most rows: those of a ``ValueRun``.
  static let most = ValueRun.most
  /// The most columns, so that the texts take little memory.
  static let mostColumns = 64

  /// The columns that differ, in their order, and their number.
  private(set) var columns: ContiguousArray<Int>
  private(set) var width: Int
  /// Whether each row has days of its own.
  private(set) var haveDays: Bool
  /// Whether each row has the number of its key, and whether it has the check too.
  private let haveKeyNumbers: Bool
  private let haveChecks: Bool
  /// Whether the columns of the fields around the rows differ too.
  private(set) var isWide = false
  /// The columns of a series that is narrow or wide, and whether the rows have days then.
  private let forms: (narrow: Form, wide: Form)
  /// The number of rows.
  private(set) var count = 0
  /// The texts of the next row, one for each of the columns. There must be room for it.
  private(set) var nextTexts: UnsafeMutablePointer<Record.Text>
  /// The texts of all rows.
  private let texts: FixedArray<Record.Text>
  private let days: FixedArray<Days>
  private let keyNumbers: FixedArray<UInt64>
  private let keyChecks: FixedArray<UInt64>

  /// Makes an empty series of these columns. With those `around` it is wide.
  init(
    columns: [Int], haveDays: Bool = false, haveKeyNumbers: Bool = false, haveChecks: Bool = false,
    around: [Int] = [], haveDaysAround: Bool = false
  ) {
    let narrow = ContiguousArray(columns.sorted())
    let wide = ContiguousArray((columns + around).sorted())
    forms = ((narrow, haveDays), (wide, haveDays || haveDaysAround))
    self.columns = narrow
    width = narrow.count
    self.haveDays = haveDays
    (self.haveKeyNumbers, self.haveChecks) = (haveKeyNumbers, haveChecks)
    let texts = FixedArray(repeating: Record.Text(), count: wide.count * Self.most)
    nextTexts = texts.address
    self.texts = texts
    days = FixedArray(repeating: Days(), count: haveDays || haveDaysAround ? Self.most : 0)
    keyNumbers = FixedArray(repeating: 0, count: haveKeyNumbers ? Self.most : 0)
    keyChecks = FixedArray(repeating: 0, count: haveChecks ? Self.most : 0)
  }

  /// Makes the series wide or narrow. It must be empty.
  mutating func setWide(_ isWide: Bool) {
    precondition(count == 0)
    self.isWide = isWide
    (columns, haveDays) = isWide ? forms.wide : forms.narrow
    width = columns.count
    nextTexts = texts.address
  }

  /// The length of all texts, in bytes.
  var length: Int {
    var length = 0
    for place in 0..<count &* width { length &+= texts.address[place].count }
    return length
  }

  /// Adds the row whose texts were set. Its days and its key are those of the record, if it has
  /// some of its own.
  @inline(__always)
  mutating func append(markedAs record: borrowing Record) {
    if haveKeyNumbers { keyNumbers.address[count] = record.keyNumber }
    if haveChecks { keyChecks.address[count] = record.keyCheck }
    append(withDaysOf: record)
  }

  /// The same if no row has a key.
  @inline(__always)
  mutating func append(withDaysOf record: borrowing Record) {
    assert(count < Self.most)
    if haveDays {
      days.address[count] = Days(
        first: record.firstDay, last: record.lastDay, areKnown: record.hasDays)
    }
    count &+= 1
    nextTexts += width
  }

  /// Drops all rows.
  @inline(__always)
  mutating func removeAll() { (count, nextTexts) = (0, texts.address) }

  /// Returns the texts of a row, one for each of the columns.
  @inline(__always)
  func texts(of row: Int) -> UnsafePointer<Record.Text> {
    precondition(UInt(bitPattern: row) < UInt(bitPattern: count))
    return UnsafePointer(texts.address + row &* width)
  }

  /// The first and the last day of all rows; nil if none has days of its own.
  var allDays: (first: Day, last: Day)? {
    guard haveDays else { return nil }
    var (first, last) = (Int32.max, Int32.min)
    for row in 0..<count where days.address[row].areKnown {
      first = min(first, days.address[row].first.number)
      last = max(last, days.address[row].last.number)
    }
    return first > last ? nil : (Day(number: first), Day(number: last))
  }

  /// Makes the record that row.
  @inline(__always)
  func set(_ row: Int, in record: inout Record) {
    for (place, column) in columns.enumerated() {
      record.texts[column] = texts(of: row)[place]
    }
    if haveKeyNumbers { record.keyNumber = keyNumbers[row] }
    if haveChecks { record.keyCheck = keyChecks[row] }
    guard haveDays else { return }
    (record.firstDay, record.lastDay) = (days[row].first, days[row].last)
    record.hasDays = days[row].areKnown
  }
}

extension RecordStage where Self: ~Copyable {
  package mutating func take(_ series: borrowing RowSeries, of record: inout Record)
    throws(PipelineError)
  { try takeRows(of: series, from: 0, &record) }

  /// Processes the rows of a series one by one, from this one on. Throws if one cannot be written.
  mutating func takeRows(
    of series: borrowing RowSeries, from first: Int, _ record: inout Record
  ) throws(PipelineError) {
    for row in first..<series.count {
      series.set(row, in: &record)
      try take(record, .wanted)
    }
  }
}
