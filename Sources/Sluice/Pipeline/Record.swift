/// One row of a feed: the texts of its columns.
///
/// A text stays where it was read if that memory lives as long as the row. Otherwise it is in
/// the row's own bytes, which are reused from row to row. At least 32 bytes after each text are
/// readable, so that it can be copied in whole vectors.
package struct Record: ~Copyable {
  /// The location of a column's text; empty if the value is missing.
  package struct Text: BitwiseCopyable {
    /// The memory of the text; nil for the row's own bytes, which move when they grow.
    var base: UnsafeRawPointer?
    /// The offset of the text in that memory, in bytes.
    var start = 0
    var count = 0

    /// Returns the first bytes of the text, which must have as many.
    @inline(__always)
    func prefix(_ count: Int) -> Text { Text(base: base, start: start, count: count) }

    /// Whether it is the other text, or begins it. It is known not to be longer.
    @inline(__always)
    func isPart(of other: Text) -> Bool { base == other.base && start == other.start }
  }

  /// The row's own bytes.
  package var bytes = ByteBuffer(capacity: 1024)
  /// The location of each column's text.
  package var texts: FixedArray<Text>
  /// The first and last day of the row: those of its period, or the one day of its instant.
  package var firstDay = Day(number: 0)
  package var lastDay = Day(number: 0)
  /// Whether the row has days.
  package var hasDays = false
  /// Whether the document wants an event of the row.
  package var isEvent = true
  /// The days of each of its events, if the document says that a row has several; otherwise empty.
  package var events: ContiguousArray<EventDays> = []
  /// The number of the row's key, if the feed has such a column.
  package var keyNumber: UInt64 = 0
  /// What tells its key from other keys with the same number; 0 if nobody asked for it. See
  /// ``KeyOwners``.
  package var keyCheck: UInt64 = 0

  package init(columns: Int) {
    texts = FixedArray(repeating: Text(), count: columns)
  }

  /// Returns a column's text, in UTF-8. It is empty if the value is missing, and valid until the
  /// row changes.
  @inline(__always)
  package func text(_ column: Int) -> UnsafeRawBufferPointer { text(texts[column]) }

  /// Returns the bytes of a text, valid until the row's own bytes grow.
  @inline(__always)
  func text(_ text: Text) -> UnsafeRawBufferPointer {
    let base = text.base ?? UnsafeRawPointer(bytes.start)
    return UnsafeRawBufferPointer(start: base + text.start, count: text.count)
  }

  /// The total length of all texts, in bytes.
  @inline(__always)
  var length: Int {
    var length = 0
    for column in texts.indices { length &+= texts.address[column].count }
    return length
  }

  /// Returns the first of these columns that has a text; their end if none has.
  @inline(__always)
  func endOfEmpty(_ columns: Range<Int>) -> Int {
    precondition(columns.upperBound <= texts.count)
    var column = columns.lowerBound
    while column < columns.upperBound, texts.address[column].count == 0 { column &+= 1 }
    return column
  }

  /// Which of these columns, at most 64, have a text: the first is bit 0.
  @inline(__always)
  func filled(_ columns: Range<Int>) -> UInt64 {
    assert(columns.count <= UInt64.bitWidth)
    precondition(columns.upperBound <= texts.count)
    let first = texts.address + columns.lowerBound
    var bits: UInt64 = 0
    for index in 0..<columns.count { bits |= (first[index].count > 0 ? 1 : 0) &<< index }
    return bits
  }

  /// The row's first and last day; nil if it has no days.
  var days: (first: Day, last: Day)? { hasDays ? (firstDay, lastDay) : nil }

  /// Sets the row's first and last day.
  @inline(__always)
  package mutating func setDays(_ first: Day, _ last: Day) {
    firstDay = first
    lastDay = last
    hasDays = true
  }

  /// Returns whether its days overlap those from `from` to `to`, both inclusive; nil is no limit.
  /// Of several events one must.
  package func overlaps(from: Day?, to: Day?) -> Bool {
    guard hasDays else { return from == nil && to == nil }
    guard events.isEmpty else {
      return events.contains { $0.isEvent && Self.overlap($0.first, $0.last, from, to) }
    }
    return Self.overlap(firstDay, lastDay, from, to)
  }

  private static func overlap(_ first: Day, _ last: Day, _ from: Day?, _ to: Day?) -> Bool {
    if let from, last < from { return false }
    if let to, to < first { return false }
    return true
  }

  /// Sets the text of a column to the bytes appended since `start`.
  @inline(__always)
  package mutating func setText(_ column: Int, from start: Int) {
    texts[column] = Text(start: start, count: bytes.count - start)
  }
}

/// The days of one of a row's events.
package struct EventDays: BitwiseCopyable {
  package var first = Day(number: 0)
  package var last = Day(number: 0)
  /// Whether the row has a start of the event.
  package var hasDays = false
  /// Whether there is a start, and the document wants the event.
  package var isEvent = false
}

// The ledger is in another module: each of these functions is one call for a whole row or text.

extension Record {
  /// Returns the FNV-1a hash of the texts of some columns, each terminated by U+001F.
  package func hash(of columns: ContiguousArray<Int>) -> UInt64 {
    var hash = FNV1a()
    for column in columns {
      hash.add(text(column))
      hash.add(0x1F)
    }
    return hash.value
  }

  /// Sets the text of a column to a day, such as `2020-06-22`.
  package mutating func set(_ column: Int, to day: Day) {
    let start = bytes.count
    day.append(to: &bytes)
    setText(column, from: start)
  }

  /// Sets the text of a column to the number of a key, as 16 hexadecimal digits.
  package mutating func set(_ column: Int, toKey number: UInt64) {
    let start = bytes.count
    bytes.append(hexadecimal: number)
    setText(column, from: start)
  }
}
