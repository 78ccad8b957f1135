/// What a cell of periods holds; kept for the next record, which mostly has the same.
struct PeriodCell: ~Copyable {
  /// What the cell says.
  enum Verdict {
    case periods
    case skip
    case reject(RejectReason)
  }

  private(set) var verdict = Verdict.reject(.missingValue)
  /// The periods, where it holds some.
  private(set) var periods: ContiguousArray<Period> = []
  /// The first and last days as text, twenty bytes a period, and 16 bytes of room behind them.
  private(set) var dates = ByteBuffer(capacity: 64)
  private var text = ByteBuffer(capacity: 64)
  private var tidy = ByteBuffer(capacity: 64)
  private var isKept = false
  /// The folded text that says that there is no period.
  private let skip: ContiguousArray<UInt8>?
  /// The longest cell that is kept, and that can be the text to skip by; anything longer is junk.
  private static let longest = 4096

  /// Makes a cell that was not read; `skip` is the folded text that says that there is no period.
  init(skip: ContiguousArray<UInt8>?) { self.skip = skip }

  /// Reads a cell, which has 31 bytes of readable memory behind it.
  @inline(__always)
  mutating func read(_ cell: UnsafeRawBufferPointer) {
    if isKept, cell.count == text.count, Vectors.areEqual(cell, text.start) { return }
    parse(cell)
  }

  @inline(never)
  private mutating func parse(_ cell: UnsafeRawBufferPointer) {
    periods.removeAll(keepingCapacity: true)
    dates.removeAll()
    isKept = cell.count <= Self.longest
    if isKept {
      text.removeAll()
      text.append(cell)
      text.reserve(Vectors.slack)
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
    dates.reserve(16)
  }
}

extension Day {
  /// Appends the day as `2020-06-22`, ten bytes.
  func append(to buffer: inout ByteBuffer, separator: StaticString = "-") {
    let (year, month, day) = parts
    for (value, width) in [(year, 4), (month, 2), (day, 2)] {
      if width == 2 { buffer.append(separator) }
      var power = width == 4 ? 1000 : 10
      while power > 0 {
        buffer.append(UInt8(ascii: "0") + UInt8(value / power % 10))
        power /= 10
      }
    }
  }
}
