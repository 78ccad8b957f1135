import CScan

/// A property whose value is a ``Template``, made ready for a feed's columns.
struct TemplateText: ~Copyable {
  /// A column behind its words. Not private: the compiler (6.3) breaks on a private type in a
  /// `FixedArray` of another file.
  struct Part: BitwiseCopyable {
    /// Where the words before the column's text lie.
    var start: Int
    var count: Int
    /// -1 for the event's days.
    var column: Int
    var beginsClause: Bool
  }

  /// The longest line that is put together in one piece: far more than an address needs.
  private static let longest = 1024

  /// The property's name, what stands before the first clause, and the words, with room behind them
  /// for whole vectors.
  private var words = ByteBuffer(capacity: 256)
  private let nameCount: Int
  private let prefixEnd: Int
  private let parts: FixedArray<Part>
  /// Nothing in prefix and words needs an escape, and they are no longer than a line may be that is
  /// put together in one piece.
  private let isPlain: Bool
  /// It says more than the event's days.
  let hasColumns: Bool

  /// Makes a property ready; `name` is its name with the colon.
  init(_ name: StaticString, _ template: Template, columns: [String]) {
    words.append(name)
    nameCount = words.count
    words.append(string: template.prefix)
    prefixEnd = words.count
    var parts: [Part] = []
    for clause in template.clauses {
      var beginsClause = true
      for part in clause {
        let start = words.count
        words.append(string: part.words)
        parts.append(
          Part(
            start: start, count: words.count - start,
            column: columns.firstIndex(of: part.column) ?? -1, beginsClause: beginsClause))
        beginsClause = false
      }
    }
    words.reserve(16)
    hasColumns = parts.contains { $0.column >= 0 }
    self.parts = FixedArray(count: parts.count) { parts[$0] }
    let count = words.count
    isPlain =
      count + 3 * parts.count <= Self.longest
      && cscan_calendar(words.start.assumingMemoryBound(to: UInt8.self), count) == count
  }

  /// There is anything to be said for a row.
  @inline(__always)
  func says(_ record: borrowing Record, days: UnsafeRawBufferPointer) -> Bool {
    if prefixEnd > nameCount { return true }
    for index in parts.indices where text(parts[index], record, days).count > 0 { return true }
    return false
  }

  /// Writes the property of a row as a whole content line; `days` are the event's, as people write
  /// them.
  @inline(__always)
  func write<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, days: UnsafeRawBufferPointer, to line: inout ContentLine<Output>
  ) throws(PipelineError) {
    let start = line.out.bytes.count
    if putLine(record, days, into: &line.out.bytes) {
      try line.end(from: start)
    } else {
      try append(record, days: days, to: &line)
    }
  }

  /// Puts the line, unfolded, into a buffer; says whether that could be done. Not where a text has
  /// to be escaped or is long.
  ///
  /// Parts that drop out are copied too, and not counted: which do, no processor foresees.
  @inline(__always)
  private func putLine(
    _ record: borrowing Record, _ days: UnsafeRawBufferPointer, into buffer: inout ByteBuffer
  ) -> Bool {
    guard isPlain else { return false }
    var length = words.count + 3 * parts.count
    for index in parts.indices { length += text(parts[index], record, days).count }
    guard length <= Self.longest else { return false }
    // Room for what the last vector writes behind the line.
    var p = buffer.end(withRoom: length + 32)
    let source = UnsafePointer(words.start.assumingMemoryBound(to: UInt8.self))
    p = cscan_put(p, source, prefixEnd)
    var isTame: Int32 = 1
    var isEmpty = true
    var isClauseEmpty = true
    for index in parts.indices {
      let part = parts[index]
      if part.beginsClause { isClauseEmpty = true }
      let text = text(part, record, days)
      guard let value = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
      let isThere = text.count > 0
      // `, ` with its escape, or a space: the bytes in the order in which they are stored.
      let separator: UInt32 = isClauseEmpty ? 0x20_2C_5C : 0x20
      let width = isClauseEmpty ? isEmpty ? 0 : 3 : 1
      UnsafeMutableRawPointer(p).storeBytes(of: separator.littleEndian, as: UInt32.self)
      p += isThere ? width : 0
      _ = cscan_put(p, source + part.start, part.count)
      p += isThere ? part.count : 0
      isTame &= cscan_put_calendar(p, value, text.count)
      p += text.count
      isEmpty = isEmpty && !isThere
      isClauseEmpty = isClauseEmpty && !isThere
    }
    guard isTame != 0 else { return false }
    buffer.commit(upTo: p)
    return true
  }

  @inline(__always)
  private func text(
    _ part: Part, _ record: borrowing Record, _ days: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    part.column < 0 ? days : record.text(part.column)
  }

  /// Writes the line piece by piece, whatever the texts hold and however long they are.
  @inline(never)
  private func append<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, days: UnsafeRawBufferPointer, to line: inout ContentLine<Output>
  ) throws(PipelineError) {
    line.append(UnsafeRawBufferPointer(start: words.start, count: nameCount))
    try line.appendRowText(
      UnsafeRawBufferPointer(start: words.start + nameCount, count: prefixEnd - nameCount))
    var isEmpty = true
    var isClauseEmpty = true
    for index in parts.indices {
      let part = parts[index]
      if part.beginsClause { isClauseEmpty = true }
      let text = text(part, record, days)
      guard text.count > 0 else { continue }
      if !isClauseEmpty {
        line.appendSpace()
      } else if !isEmpty {
        line.appendComma()
      }
      isEmpty = false
      isClauseEmpty = false
      if part.count > 0 {
        try line.appendRowText(
          UnsafeRawBufferPointer(start: words.start + part.start, count: part.count))
      }
      try line.appendRowText(text)
    }
    try line.end()
  }
}
