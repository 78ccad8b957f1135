/// A ``Template`` made ready for one language and a feed's columns.
struct TemplateText: ~Copyable {
  /// A column behind its word. Not private: the compiler (6.3) breaks on a private type in a
  /// `FixedArray` of another file.
  struct Part: BitwiseCopyable {
    /// Where the word before the column's text lies.
    var start: Int
    var count: Int
    var column: Int
    var beginsClause: Bool
  }

  /// What stands before the first clause, and the words, with room behind them for whole vectors.
  private var words = ByteBuffer(capacity: 256)
  private let prefixCount: Int
  private let parts: FixedArray<Part>

  init(_ template: Template, columns: [String], language: Language) {
    words.append(string: template.prefix[language])
    prefixCount = words.count
    var parts: [Part] = []
    for clause in template.clauses {
      var beginsClause = true
      for part in clause {
        guard let column = columns.firstIndex(of: part.column) else { continue }
        let start = words.count
        words.append(string: part.word[language])
        parts.append(
          Part(
            start: start, count: words.count - start, column: column, beginsClause: beginsClause))
        beginsClause = false
      }
    }
    words.reserve(16)
    self.parts = FixedArray(count: parts.count) { parts[$0] }
  }

  /// Appends the text for a row to a content line.
  func append<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, to line: inout ContentLine<Output>
  ) throws(PipelineError) {
    try line.appendRowText(UnsafeRawBufferPointer(start: words.start, count: prefixCount))
    var isEmpty = true
    var isClauseEmpty = true
    for index in parts.indices {
      let part = parts[index]
      if part.beginsClause { isClauseEmpty = true }
      let text = record.text(part.column)
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
