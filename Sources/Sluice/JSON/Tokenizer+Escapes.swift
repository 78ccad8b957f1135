extension Tokenizer where Next: ~Copyable {
  /// Goes on behind a backslash until the character is decoded or the chunk ends.
  mutating func scanEscape(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
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
          guard let decoded = Self.shortEscape(byte) else {
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
        guard let digit = Self.hexDigit(byte) else {
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

  /// Puts together what four digits mean, alone or with the surrogate before.
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

  private static func shortEscape(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  private static func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
