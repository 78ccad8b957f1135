import CSluice

/// The state of a string that is cut by the end of a chunk, after the marked byte.
///
///     "a\ud83d\ude00ж"
///      ^              plain
///       ^             escape        after a backslash
///        ^            hex           in the four digits
///            ^        lowBackslash  `high` is d83d
///             ^       lowU          then hex again
///                   ^ sequence      after the first byte of ж
struct StringState {
  enum Step: UInt8 {
    case plain, sequence, escape, hex, lowBackslash, lowU
  }
  var step = Step.plain
  /// Bytes of a UTF-8 sequence still to come, and the range of the next one.
  var missing = 0
  var lowest: UInt8 = 0x80
  var highest: UInt8 = 0xBF
  /// The offset of the sequence, or of the escape of a surrogate.
  var startOffset = 0
  /// Hexadecimal digits so far, and their value.
  var digits = 0
  var unit: UInt16 = 0
  /// The first half of a surrogate pair, or 0 if there is none.
  var high: UInt16 = 0
}

extension Tokenizer where Next: ~Copyable {
  /// Begins the string whose opening quote is at `p`.
  @inline(__always)
  mutating func beginString(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    tokenOffset = offset(of: p, in: chunk)
    p += 1
    let start = p
    p += cscan_plain(p, chunk.end)
    if p < chunk.end, p.pointee == UInt8(ascii: "\""), p - start <= Limits.key {
      // Nearly every string ends here: it is short, whole and without escapes.
      let bytes = RawSpan(_unsafeStart: start, byteCount: p - start)
      p += 1
      if isKey { try emitKey(bytes) } else { try emitValue(.string, bytes) }
      return
    }
    p = start
    text.removeAll()
    string = StringState()
    inside = .string
    try scanString(&p, chunk)
  }

  /// Continues with a string, from its start or from the start of a chunk.
  @inline(never)
  mutating func scanString(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    // The first byte that is not yet handed on or copied.
    var run = p
    let limit = inPieces ? Int.max : isKey ? Limits.key : Limits.string
    while true {
      if string.step != .plain {
        if string.step == .sequence {
          try continueSequence(&p, run, chunk)
        } else {
          try scanEscape(&p, chunk)
          run = p
        }
        if string.step != .plain { break }
      }
      let before = tokenOffset + 1 - chunkOffset
      let limitEnd = limit == .max ? chunk.end : min(chunk.end, chunk.base + max(0, before + limit))
      if p < limitEnd { p += cscan_plain(p, limitEnd) }
      guard p < chunk.end else { break }
      let byte = p.pointee
      let isEnd = byte == UInt8(ascii: "\"")
      // A character of several bytes or an escape may have gone beyond the limit.
      if offset(of: p, in: chunk) - tokenOffset - (isEnd ? 1 : 0) > limit {
        let fault: JSONFault = isKey ? .keyTooLong(limit: limit) : .stringTooLong(limit: limit)
        throw error(fault, at: tokenOffset)
      }
      if isEnd {
        try endString(run, p)
        p += 1
        return
      }
      if byte == UInt8(ascii: "\\") {
        try keep(run, p)
        string.startOffset = offset(of: p, in: chunk)
        p += 1
        run = p
        string.step = .escape
      } else if byte < 0x20 {
        throw try failure(.control(byte), at: offset(of: p, in: chunk), after: run, p)
      } else if byte < 0x80 {
        p += 1
      } else {
        try beginSequence(&p, run, chunk)
      }
    }
    try keep(run, p)
  }

  /// Hands on a piece, or keeps it until the string is complete.
  private mutating func keep(_ from: UnsafePointer<UInt8>, _ to: UnsafePointer<UInt8>)
    throws(PipelineError)
  {
    guard to > from else { return }
    if inPieces {
      _ = try next.token(
        .stringPiece, RawSpan(_unsafeStart: from, byteCount: to - from), at: tokenOffset)
    } else {
      text.append(UnsafeRawBufferPointer(start: from, count: to - from))
    }
  }

  /// Hands on the string, whose closing quote is at `end`.
  private mutating func endString(_ run: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>)
    throws(PipelineError)
  {
    // A constant, not a variable: a span that depends on a variable would cost an allocation.
    let rest = UnsafeRawBufferPointer(start: run, count: end - run)
    let isCopied = text.count > 0
    if isCopied { text.append(rest) }
    let span = RawSpan(_unsafeBytes: isCopied ? text.contents : rest)
    if isKey { try emitKey(span) } else { try emitValue(.string, span) }
  }

  /// Returns an error after handing on the text before it. If the next stage throws on that text,
  /// its error is the first one. So the first error is the same however the text is cut.
  private mutating func failure(
    _ fault: JSONFault, at offset: Int, after from: UnsafePointer<UInt8>,
    _ to: UnsafePointer<UInt8>
  ) throws(PipelineError) -> PipelineError {
    if inPieces { try keep(from, to) }
    return error(fault, at: offset)
  }

  // MARK: UTF-8

  /// Reads the first byte of a sequence of two to four (RFC 3629, section 4).
  private mutating func beginSequence(
    _ p: inout UnsafePointer<UInt8>, _ run: UnsafePointer<UInt8>, _ chunk: Bounds
  ) throws(PipelineError) {
    string.startOffset = offset(of: p, in: chunk)
    string.lowest = 0x80
    string.highest = 0xBF
    switch p.pointee {
    case 0xC2...0xDF: string.missing = 1
    case 0xE0:
      string.missing = 2
      string.lowest = 0xA0
    case 0xED:
      string.missing = 2
      string.highest = 0x9F
    case 0xE1...0xEF: string.missing = 2
    case 0xF0:
      string.missing = 3
      string.lowest = 0x90
    case 0xF1...0xF3: string.missing = 3
    case 0xF4:
      string.missing = 3
      string.highest = 0x8F
    default: throw try failure(.notUTF8, at: string.startOffset, after: run, p)
    }
    string.step = .sequence
    p += 1
    try continueSequence(&p, run, chunk)
  }

  private mutating func continueSequence(
    _ p: inout UnsafePointer<UInt8>, _ run: UnsafePointer<UInt8>, _ chunk: Bounds
  ) throws(PipelineError) {
    while p < chunk.end {
      guard p.pointee >= string.lowest, p.pointee <= string.highest else {
        throw try failure(.notUTF8, at: string.startOffset, after: run, p)
      }
      string.lowest = 0x80
      string.highest = 0xBF
      p += 1
      string.missing -= 1
      if string.missing == 0 {
        string.step = .plain
        return
      }
    }
  }
}

extension Tokenizer where Next: ~Copyable {
  /// Continues after a backslash until the character is decoded or the chunk ends.
  private mutating func scanEscape(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    while p < chunk.end {
      let byte = p.pointee
      switch string.step {
      case .plain, .sequence: return
      case .escape:
        if byte == UInt8(ascii: "u") {
          beginHex()
        } else {
          guard let decoded = Escape.short(byte) else {
            throw error(.escape(byte), at: offset(of: p, in: chunk))
          }
          text.append(decoded)
          try endEscape()
        }
      case .lowBackslash:
        guard byte == UInt8(ascii: "\\") else {
          throw error(.loneSurrogate, at: string.startOffset)
        }
        string.step = .lowU
      case .lowU:
        guard byte == UInt8(ascii: "u") else {
          throw error(.loneSurrogate, at: string.startOffset)
        }
        beginHex()
      case .hex:
        guard let digit = Escape.hexDigit(byte) else {
          throw error(.escape(byte), at: offset(of: p, in: chunk))
        }
        string.unit = string.unit << 4 | digit
        string.digits += 1
        if string.digits == 4 { try endHex() }
      }
      p += 1
      if string.step == .plain { return }
    }
  }

  private mutating func beginHex() {
    string.step = .hex
    string.digits = 0
    string.unit = 0
  }

  /// Decodes four digits, alone or with the surrogate before them.
  private mutating func endHex() throws(PipelineError) {
    let unit = string.unit
    let isHigh = 0xD800...0xDBFF ~= unit
    let isLow = 0xDC00...0xDFFF ~= unit
    if string.high == 0, isHigh {
      string.high = unit
      string.step = .lowBackslash
      return
    }
    guard isLow == (string.high != 0) else { throw error(.loneSurrogate, at: string.startOffset) }
    var value = UInt32(unit)
    if string.high != 0 {
      value = 0x10000 + (UInt32(string.high - 0xD800) << 10 | UInt32(unit - 0xDC00))
      string.high = 0
    }
    UTF8Encoding.append(value, to: &text)
    try endEscape()
  }

  private mutating func endEscape() throws(PipelineError) {
    string.step = .plain
    if inPieces {
      let piece = RawSpan(_unsafeStart: text.start, byteCount: text.count)
      _ = try next.token(.stringPiece, piece, at: tokenOffset)
      text.removeAll()
    }
  }
}
