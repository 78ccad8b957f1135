import Glibc

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
  /// The first and last days as text, twenty bytes a period.
  private(set) var dates = ByteBuffer(capacity: 64)
  private var text = ByteBuffer(capacity: 64)
  private var tidy = ByteBuffer(capacity: 64)
  private var isKept = false
  /// The longest cell that is kept, and that can be the text to skip by; anything longer is junk.
  private static let longest = 4096

  /// Reads a cell; `skip` is the folded text that says that there is no period.
  @inline(__always)
  mutating func read(_ cell: UnsafeRawBufferPointer, skip: ContiguousArray<UInt8>?) {
    if isKept, cell.count == text.count, let start = cell.baseAddress,
      memcmp(start, text.start, text.count) == 0
    {
      return
    }
    parse(cell, skip: skip)
  }

  @inline(never)
  private mutating func parse(_ cell: UnsafeRawBufferPointer, skip: ContiguousArray<UInt8>?) {
    periods.removeAll(keepingCapacity: true)
    dates.removeAll()
    isKept = cell.count <= Self.longest
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
