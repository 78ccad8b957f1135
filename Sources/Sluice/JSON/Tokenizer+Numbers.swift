/// Where a number is (RFC 8259, section 6).
///
///     -12.50e+7
///     ^ minus  ^^ whole  ^ point  ^^ fraction  ^ exponent  ^ exponentSign  ^ exponentDigits
enum NumberState: UInt8 {
  case start, minus, zero, whole, point, fraction, exponent, exponentSign, exponentDigits

  /// The number may end here.
  var mayEnd: Bool {
    switch self {
    case .zero, .whole, .fraction, .exponentDigits: true
    case .start, .minus, .point, .exponent, .exponentSign: false
    }
  }

  /// The state behind `byte`; nil where the byte does not go on with the number.
  @inline(__always)
  func after(_ byte: UInt8) -> NumberState? {
    let isDigit = byte &- UInt8(ascii: "0") < 10
    switch self {
    case .start where byte == UInt8(ascii: "-"): return .minus
    case .start, .minus:
      return isDigit ? (byte == UInt8(ascii: "0") ? .zero : .whole) : nil
    case .whole where isDigit: return .whole
    case .zero, .whole:
      if byte == UInt8(ascii: ".") { return .point }
      return byte | 0x20 == UInt8(ascii: "e") ? .exponent : nil
    case .point: return isDigit ? .fraction : nil
    case .fraction:
      if isDigit { return .fraction }
      return byte | 0x20 == UInt8(ascii: "e") ? .exponent : nil
    case .exponent where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"):
      return .exponentSign
    case .exponent, .exponentSign, .exponentDigits: return isDigit ? .exponentDigits : nil
    }
  }
}

extension Tokenizer where Next: ~Copyable {
  /// Goes on with a number, from its start or from where the last chunk ended.
  mutating func scanNumber(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    let run = p
    inside = .number
    while p < chunk.end {
      guard let state = number.after(p.pointee) else { break }
      number = state
      p += 1
      if offset(of: p, in: chunk) - tokenOffset > Limits.number {
        throw error(.numberTooLong(limit: Limits.number), at: tokenOffset)
      }
    }
    let rest = UnsafeRawBufferPointer(start: run, count: p - run)
    let isCopied = text.count > 0 || p == chunk.end
    if isCopied { text.append(rest) }
    guard p < chunk.end else { return }
    guard number.mayEnd else { throw error(.number, at: offset(of: p, in: chunk)) }
    try emitValue(.number, RawSpan(_unsafeBytes: isCopied ? text.contents : rest))
  }

  /// Hands on the number that the end of the text ends.
  mutating func endNumber() throws(PipelineError) {
    try emitValue(.number, RawSpan(_unsafeStart: text.start, byteCount: text.count))
  }
}
