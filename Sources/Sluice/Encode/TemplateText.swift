/// A ``Template`` made ready for one language and a feed's columns.
struct TemplateText {
  private struct Part {
    var word: ContiguousArray<UInt8>
    var column: Int
  }

  private let prefix: ContiguousArray<UInt8>
  private let clauses: ContiguousArray<ContiguousArray<Part>>

  init(_ template: Template, columns: [String], language: Language) {
    prefix = ContiguousArray(template.prefix[language].utf8)
    clauses = ContiguousArray(
      template.clauses.map { clause in
        ContiguousArray(
          clause.compactMap { part in
            columns.firstIndex(of: part.column).map { column in
              Part(word: ContiguousArray(part.word[language].utf8), column: column)
            }
          })
      })
  }

  /// Appends the text for a row to a content line.
  func append<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, to line: inout ContentLine<Output>
  ) throws(PipelineError) {
    try append(prefix, to: &line)
    var isFirstClause = true
    for clause in clauses {
      var isFirstPart = true
      for part in clause {
        let text = record.text(part.column)
        guard text.count > 0 else { continue }
        if !isFirstPart {
          line.append(" ")
        } else if !isFirstClause {
          line.appendComma()
        }
        isFirstPart = false
        isFirstClause = false
        try append(part.word, to: &line)
        try line.appendText(text)
      }
    }
  }

  private func append<Output: ByteStage & ~Copyable>(
    _ words: ContiguousArray<UInt8>, to line: inout ContentLine<Output>
  ) throws(PipelineError) {
    try words.span.bytes.withUnsafeBytes { (bytes) throws(PipelineError) in
      try line.appendText(bytes)
    }
  }
}
