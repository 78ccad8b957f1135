/// The three words of JSON.
enum Word: UInt8 {
  case `true`, `false`, null

  var letters: StaticString {
    switch self {
    case .true: "true"
    case .false: "false"
    case .null: "null"
    }
  }

  var kind: TokenKind {
    switch self {
    case .true: .true
    case .false: .false
    case .null: .null
    }
  }
}

extension Tokenizer where Next: ~Copyable {
  mutating func beginWord(_ word: Word, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    tokenOffset = offset(of: p, in: chunk)
    self.word = word
    lettersSeen = 0
    inside = .word
    try scanWord(&p, chunk)
  }

  /// Goes on with a word, from its start or from where the last chunk ended.
  mutating func scanWord(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds) throws(PipelineError) {
    let letters = word.letters
    while p < chunk.end {
      guard p.pointee == letters.utf8Start[lettersSeen] else {
        throw error(.literal, at: tokenOffset)
      }
      p += 1
      lettersSeen += 1
      if lettersSeen == letters.utf8CodeUnitCount {
        try emitValue(word.kind, RawSpan())
        return
      }
    }
  }
}
