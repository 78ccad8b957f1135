/// Makes a stream of UTF-8 safe to show on a terminal.
///
///     A ESC ]0;title BEL ␍ B   ─▶   A\u001b]0;title\u0007\rB
///
/// Characters that could act on the terminal, reorder text or hide are written as escapes. Tabs,
/// line ends and a byte order mark at the start stay.
struct TerminalText {
  /// The start of a character, or a CR, at the end of the last piece.
  private var rest: [UInt8] = []
  private var isStart = true

  /// Returns the next piece of the stream, as far as its end is known.
  mutating func shown(_ piece: RawSpan) -> [UInt8] {
    rest += piece.withUnsafeBytes { Array($0) }
    let whole = rest.withUnsafeBytes { bytes in
      let whole = UTF8Encoding.prefix(bytes, bytes.count).count
      return whole > 0 && bytes[whole - 1] == 0x0D ? whole - 1 : whole
    }
    defer { rest.removeFirst(whole) }
    return escaped(rest[..<whole])
  }

  /// Returns the end of the stream.
  mutating func end() -> [UInt8] {
    defer { rest = [] }
    return escaped(rest[...])
  }

  private mutating func escaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var shown: [UInt8] = []
    let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isLineEnd = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
      let isMark = isStart && scalar == "\u{FEFF}"
      isStart = false
      if !scalar.isHidden || scalar == "\n" || scalar == "\t" || isLineEnd || isMark {
        shown += UTF8.encode(scalar).map { Array($0) } ?? []
      } else {
        shown += Array(scalar.escape.utf8)
      }
    }
    return shown
  }
}
