extension Tokenizer where Next: ~Copyable {
  /// Goes on with what the last chunk's end has cut.
  mutating func resume(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    if inside == .start {
      inside = p.pointee == 0xEF ? .mark : .none
    }
    switch inside {
    case .none, .start: break
    case .mark: try passMark(&p, chunk)
    case .string: try scanString(&p, chunk)
    case .number: try scanNumber(&p, chunk)
    case .word: try scanWord(&p, chunk)
    }
  }

  /// Passes over a byte order mark, EF BB BF.
  private mutating func passMark(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    let mark: InlineArray<3, UInt8> = [0xEF, 0xBB, 0xBF]
    while p < chunk.end {
      guard p.pointee == mark[lettersSeen] else {
        throw error(.unexpected(0xEF), at: 0)
      }
      p += 1
      lettersSeen += 1
      if lettersSeen == 3 {
        inside = .none
        return
      }
    }
  }
}
