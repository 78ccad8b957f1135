/// One row of a feed: the texts of its columns.
///
/// A text stays where it was read if that memory lives as long as the row. Otherwise it is in the
/// row's own bytes, which are reused from row to row. At least 32 bytes after each text can be read,
/// so that it can be copied by whole vectors.
package struct Record: ~Copyable {
  /// Where a column's text lies; empty where the value is missing.
  package struct Text: BitwiseCopyable {
    /// The memory; nil for the row's own bytes, which move when they grow.
    var base: UnsafeRawPointer?
    /// Where it begins in it.
    var start = 0
    var count = 0
  }

  /// The row's own bytes.
  package var bytes = ByteBuffer(capacity: 1024)
  /// Where each column's text is.
  package var texts: FixedArray<Text>
  /// The first and the last day of the row: of its period, or the one day of its instant.
  package var firstDay = Day(number: 0)
  package var lastDay = Day(number: 0)
  /// The row has these days.
  package var hasDays = false
  /// The number of the row's address, where the feed has such a column.
  package var keyNumber: UInt64 = 0

  package init(columns: Int) {
    texts = FixedArray(repeating: Text(), count: columns)
  }

  /// A column's text, UTF-8; empty where the value is missing. Valid until the row changes.
  @inline(__always)
  package func text(_ column: Int) -> UnsafeRawBufferPointer { text(texts[column]) }

  /// The bytes of a text, valid until the row's own bytes grow.
  @inline(__always)
  func text(_ text: Text) -> UnsafeRawBufferPointer {
    let base = text.base ?? UnsafeRawPointer(bytes.start)
    return UnsafeRawBufferPointer(start: base + text.start, count: text.count)
  }

  /// The lengths of all texts together.
  @inline(__always)
  var length: Int {
    var length = 0
    for column in texts.indices { length += texts[column].count }
    return length
  }

  /// Says which days the row has.
  @inline(__always)
  package mutating func setDays(_ first: Day, _ last: Day) {
    firstDay = first
    lastDay = last
    hasDays = true
  }

  /// Makes what was appended since `start` the text of a column.
  @inline(__always)
  package mutating func setText(_ column: Int, from start: Int) {
    texts[column] = Text(start: start, count: bytes.count - start)
  }
}

// A ledger is in another module: each of these is one call for a whole row or text.

extension Record {
  /// Returns the FNV-1a hash of the texts of some columns, each ended by U+001F.
  package func hash(of columns: ContiguousArray<Int>) -> UInt64 {
    var hash = FNV1a()
    for column in columns {
      hash.add(text(column))
      hash.add(0x1F)
    }
    return hash.value
  }

  /// Makes a day the text of a column, `2020-06-22`.
  package mutating func set(_ column: Int, to day: Day) {
    let start = bytes.count
    day.append(to: &bytes)
    setText(column, from: start)
  }

  /// Makes the number of a key the text of a column, 16 hexadecimal digits.
  package mutating func set(_ column: Int, toKey number: UInt64) {
    let start = bytes.count
    bytes.append(hexadecimal: number)
    setText(column, from: start)
  }
}
