/// A ``Template`` made ready for a feed's columns.
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

  /// What stands before the first clause, and the words, with room behind them for whole vectors.
  private var words = ByteBuffer(capacity: 256)
  private let prefixCount: Int
  private let parts: FixedArray<Part>
  /// It says more than the event's days.
  let hasColumns: Bool

  init(_ template: Template, columns: [String]) {
    words.append(string: template.prefix)
    prefixCount = words.count
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
  }

  /// Appends the text for a row to a content line; `days` are the event's, as people write them.
  func append<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, days: UnsafeRawBufferPointer, to line: inout ContentLine<Output>
  ) throws(PipelineError) {
    try line.appendRowText(UnsafeRawBufferPointer(start: words.start, count: prefixCount))
    var isEmpty = true
    var isClauseEmpty = true
    for index in parts.indices {
      let part = parts[index]
      if part.beginsClause { isClauseEmpty = true }
      let text = part.column < 0 ? days : record.text(part.column)
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
  }
}
