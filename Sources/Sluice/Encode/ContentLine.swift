import CSluice

/// Writes iCalendar content lines (RFC 5545, section 3.1). A line ends with CRLF and is folded at
/// 75 octets, never inside a character or an escape.
struct ContentLine<Output: ByteStage & ~Copyable>: ~Copyable {
  var out: OutputBuffer<Output>
  /// Number of octets in the current line so far.
  private var column = 0

  init(into output: consuming Output) { out = OutputBuffer(into: output) }

  // MARK: Whole lines

  /// Appends complete lines. The buffer must be at the start of a line.
  @inline(__always)
  mutating func appendLines(_ lines: UnsafeRawBufferPointer) { out.bytes.append(lines) }

  /// Appends complete lines. The buffer must be at the start of a line.
  @inline(__always)
  mutating func appendLines(_ lines: StaticString) { out.bytes.append(lines) }

  /// Writes a whole line that needs no escapes. Throws if the output fails.
  mutating func line(_ text: String) throws(PipelineError) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    try end()
  }

  /// Writes a whole line: a name with its colon, and a TEXT value. Throws if the output fails.
  mutating func line(_ name: StaticString, text: String) throws(PipelineError) {
    append(name)
    try text.utf8Span.span.bytes.withUnsafeBytes { (bytes) throws(PipelineError) in
      try appendText(bytes)
    }
    try end()
  }

  /// Ends a line that was written to the buffer from `start` on in one piece, with its escapes.
  /// Folds it if it is too long. Most lines are short, and few are folded twice.
  ///
  /// Every fold moves the bytes after it, so do not use this for lines of many KiB.
  @inline(__always)
  mutating func end(from start: Int) throws(PipelineError) {
    if out.bytes.count - start > Folding.width { Folding.fold(&out.bytes, from: start) }
    try end()
  }

  /// Ends the line. Throws if the output fails.
  @inline(__always)
  mutating func end() throws(PipelineError) {
    out.bytes.append("\r\n")
    column = 0
    try out.flushIfFull()
  }

  consuming func finish() throws(PipelineError) { try out.finish() }

  // MARK: Text without escapes

  /// Appends text that needs no escapes.
  @inline(__always)
  mutating func append(_ text: UnsafeRawBufferPointer) {
    if column + text.count <= Folding.width {
      out.bytes.append(text)
      column += text.count
    } else {
      appendFolding(text)
    }
  }

  /// Appends a literal that needs no escapes.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends one space, folding before it if the line is full.
  @inline(__always)
  mutating func appendSpace() {
    if column == Folding.width { fold() }
    out.bytes.append(UInt8(ascii: " "))
    column += 1
  }

  private mutating func appendFolding(_ text: UnsafeRawBufferPointer) {
    var rest = text
    while column + rest.count > Folding.width {
      let cut = UTF8Encoding.cut(rest, to: Folding.width - column)
      out.bytes.append(UnsafeRawBufferPointer(rebasing: rest.prefix(cut)))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(cut))
      fold()
    }
    out.bytes.append(rest)
    column += rest.count
  }

  /// Continues on a new line, which begins with a space.
  private mutating func fold() {
    out.bytes.append("\r\n ")
    column = 1
  }

  // MARK: TEXT values

  /// Appends a TEXT value of any length with its escapes. Throws if the output fails.
  mutating func appendText(_ text: UnsafeRawBufferPointer) throws(PipelineError) {
    var start = 0
    for index in 0..<text.count {
      let byte = text[index]
      let special = TextEscape.specialLength(in: text, at: index)
      let isLong = index - start >= OutputBuffer<Output>.piece && byte & 0xC0 != 0x80
      guard special > 0 || isLong else { continue }
      append(UnsafeRawBufferPointer(rebasing: text[start..<index]))
      start = index + special
      if special > 0, let escaped = TextEscape.of(byte, after: index > 0 ? text[index - 1] : 0) {
        appendEscape(escaped)
      }
      try out.flushIfFull()
    }
    append(UnsafeRawBufferPointer(rebasing: text[start...]))
  }

  /// Appends a text of a row, not a verbatim one, as a TEXT value. Throws if the output fails.
  @inline(__always)
  mutating func appendRowText(_ text: UnsafeRawBufferPointer) throws(PipelineError) {
    guard let source = text.baseAddress?.assumingMemoryBound(to: UInt8.self),
      text.count <= OutputBuffer<Output>.piece, cscan_calendar(source, text.count) == text.count
    else { return try appendText(text) }
    guard column + text.count <= Folding.width else { return appendFolding(text) }
    out.bytes.commit(upTo: cscan_put(out.bytes.end(withRoom: text.count), source, text.count))
    column += text.count
  }

  /// Appends the comma and the space between two clauses of a TEXT value.
  mutating func appendComma() {
    appendEscape(UInt8(ascii: ","))
    appendSpace()
  }

  private mutating func appendEscape(_ byte: UInt8) {
    if column + 2 > Folding.width { fold() }
    out.bytes.append(UInt8(ascii: "\\"))
    out.bytes.append(byte)
    column += 2
  }
}

/// The escapes of TEXT values (RFC 5545, section 3.3.11). `\`, `;`, `,` and line breaks are
/// escaped, a tab is kept, and other control characters are dropped. Line breaks are also U+0085,
/// U+2028 and U+2029: some programs split a calendar there.
private enum TextEscape {
  /// Returns the length of the character at an index if it must be escaped or dropped, otherwise 0.
  @inline(__always)
  static func specialLength(in text: UnsafeRawBufferPointer, at index: Int) -> Int {
    switch text[index] {
    case 0x09: return 0
    case ..<0x20, 0x7F, UInt8(ascii: ","), UInt8(ascii: "\\"), UInt8(ascii: ";"): return 1
    case 0xC2, 0xE2:
      guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
      return cscan_break(start + index, start + text.count)
    default: return 0
    }
  }

  /// Returns the character after the backslash for a special character with this first byte; nil if
  /// it is dropped. CR LF is one line break.
  static func of(_ byte: UInt8, after previous: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "\\"), UInt8(ascii: ";"): byte
    case 0x0A where previous == 0x0D: nil
    case 0x0A, 0x0D, 0xC2, 0xE2: UInt8(ascii: "n")
    default: nil
    }
  }
}

/// Folds lines that are already in a buffer, with their escapes.
///
///     …Санкт-Петербург\, Садовая     the limit is after the backslash:
///     …Санкт-Петербург
///      \, Садовая                    the escape moves to the next line as a whole
private enum Folding {
  /// Longest line in octets. A longer line is folded.
  static var width: Int { 75 }

  /// Folds the last line of a buffer. It begins at `start` and is too long.
  static func fold(_ buffer: inout ByteBuffer, from start: Int) {
    var line = start
    repeat {
      buffer.reserve(3)
      let cut = line + cut(UnsafeRawBufferPointer(rebasing: buffer.contents[line...]))
      let rest = buffer.start.assumingMemoryBound(to: UInt8.self) + cut
      cscan_move_by_3(rest, buffer.count - cut)
      rest[0] = 0x0D
      rest[1] = 0x0A
      rest[2] = UInt8(ascii: " ")
      buffer.commit(3)
      // The space counts.
      line = cut + 2
    } while buffer.count - line > width
  }

  /// Returns how many octets of a line that is too long go before the fold. Characters and escapes
  /// stay whole.
  @inline(__always)
  private static func cut(_ line: UnsafeRawBufferPointer) -> Int {
    let cut = UTF8Encoding.cut(line, to: width)
    // In a run of backslashes the first, the third and so on begin an escape.
    var before = cut
    while before > 0, line[before - 1] == UInt8(ascii: "\\") { before -= 1 }
    return cut - (cut - before) % 2
  }
}
