/// Rows that differ from one record in one or two columns only.
///
///     record    2026-11-24 │ EUR │ 1.08
///     series                 EUR   1.08        one text for each of the columns, row by row
///                            SEK   11.2
///                            NOK   11.9
///
/// Rows that are plain values come so. An encoder that writes the other columns once for all of them does
/// little for a row.
package struct RowSeries: ~Copyable {
  /// The number of rows that are handed on together.
  static let most = 64

  /// The columns that differ, in their order: one or two.
  let columns: ContiguousArray<Int>
  /// The number of rows.
  private(set) var count = 0
  /// The length of the longest text, in bytes.
  private(set) var longest = 0
  /// The texts of all rows.
  private var texts: FixedArray<Record.Text>

  /// Makes an empty series.
  init(columns: [Int]) {
    self.columns = ContiguousArray(columns.sorted())
    texts = FixedArray(repeating: Record.Text(), count: columns.count * Self.most)
  }

  /// Whether it must be handed on before the next row.
  @inline(__always)
  var isFull: Bool { count == Self.most }

  /// Adds a row that differs in one column. There must be room for it.
  @inline(__always)
  mutating func append(_ text: Record.Text) {
    texts[count] = text
    longest = max(longest, text.count)
    count &+= 1
  }

  /// Adds a row that differs in two columns, with the texts in their order. There must be room for it.
  @inline(__always)
  mutating func append(_ first: Record.Text, _ second: Record.Text) {
    texts[2 &* count] = first
    texts[2 &* count &+ 1] = second
    longest = max(longest, first.count, second.count)
    count &+= 1
  }

  /// Drops all rows.
  @inline(__always)
  mutating func removeAll() { (count, longest) = (0, 0) }

  /// Returns the text at this place of all rows' texts. It has memory of its own.
  @inline(__always)
  func text(_ place: Int) -> UnsafeRawBufferPointer {
    let text = texts[place]
    return UnsafeRawBufferPointer(start: text.base.map { $0 + text.start }, count: text.count)
  }

  /// Makes the record that row. Its texts in these columns are the series' to set.
  @inline(__always)
  func set(_ row: Int, in record: borrowing Record) {
    for (place, column) in columns.enumerated() {
      precondition(column < record.texts.count)
      record.texts.address[column] = texts[row &* columns.count &+ place]
    }
  }
}

extension RecordStage where Self: ~Copyable {
  package mutating func take(_ series: borrowing RowSeries, of record: borrowing Record)
    throws(PipelineError)
  {
    for row in 0..<series.count {
      series.set(row, in: record)
      try take(record, .wanted)
    }
  }
}
