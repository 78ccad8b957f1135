/// One row of a feed: the texts of its columns in one piece of memory, reused from row to row.
///
/// Texts lie in `bytes` in the order in which they came. Where a row is handed on there are 16 bytes
/// of room behind them, so that they can be copied by whole vectors.
struct Record: ~Copyable {
  /// Where a column's text lies in `bytes`; empty where the value is missing.
  struct Text {
    var start = 0
    var count = 0
  }

  /// The texts.
  var bytes = ByteBuffer(capacity: 1024)
  /// Where each column's text is.
  var texts: ContiguousArray<Text>
  /// The first and the last day of the row: of its period, or the one day of its instant.
  var firstDay = Day(number: 0)
  var lastDay = Day(number: 0)
  /// The row has these days.
  var hasDays = false
  /// The number of the row's address, where the feed has such a column.
  var addressID: UInt64 = 0

  init(columns: Int) {
    texts = ContiguousArray(repeating: Text(), count: columns)
  }

  /// A column's text, UTF-8; empty where the value is missing. Valid until the row changes.
  @inline(__always)
  func text(_ column: Int) -> UnsafeRawBufferPointer {
    let text = texts[column]
    return UnsafeRawBufferPointer(start: bytes.start + text.start, count: text.count)
  }

  /// Says which days the row has.
  @inline(__always)
  mutating func setDays(_ first: Day, _ last: Day) {
    firstDay = first
    lastDay = last
    hasDays = true
  }

  /// Makes what was appended since `start` the text of a column.
  @inline(__always)
  mutating func setText(_ column: Int, from start: Int) {
    texts[column] = Text(start: start, count: bytes.count - start)
  }
}
