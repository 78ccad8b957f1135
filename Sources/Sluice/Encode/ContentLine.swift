import CSluice

/// Writes iCalendar content lines (RFC 5545, section 3.1): CRLF at the end, folded at 75 octets,
/// never inside a character or an escape.
struct ContentLine<Output: ByteStage & ~Copyable>: ~Copyable {
  /// Octets of a line before it is folded.
  private static var width: Int { 75 }
  var out: OutputBuffer<Output>
  /// Octets of the line in hand.
  private var column = 0

  init(into output: consuming Output) { out = OutputBuffer(into: output) }

  /// Appends text that needs no escapes.
  @inline(__always)
  mutating func append(_ text: UnsafeRawBufferPointer) {
    if column + text.count <= Self.width {
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

  private mutating func appendFolding(_ text: UnsafeRawBufferPointer) {
    var rest = text
    while column + rest.count > Self.width {
      let cut = UTF8Encoding.cut(rest, to: Self.width - column)
      out.bytes.append(UnsafeRawBufferPointer(rebasing: rest.prefix(cut)))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(cut))
      fold()
    }
    out.bytes.append(rest)
    column += rest.count
  }

  /// Appends lines that are written already, where a line begins.
  @inline(__always)
  mutating func appendLines(_ lines: UnsafeRawBufferPointer) { out.bytes.append(lines) }

  /// Appends lines that are written already, where a line begins.
  @inline(__always)
  mutating func appendLines(_ lines: StaticString) { out.bytes.append(lines) }

  /// Goes on in a new line, which begins with a space.
  private mutating func fold() {
    out.bytes.append("\r\n ")
    column = 1
  }

  /// Appends a TEXT value (RFC 5545, section 3.3.11): `\`, `;`, `,` and line breaks escaped, a tab
  /// kept, other controls dropped.
  mutating func appendText(_ text: UnsafeRawBufferPointer) throws(PipelineError) {
    var start = 0
    for index in 0..<text.count {
      let byte = text[index]
      let isControl = byte < 0x20 && byte != 0x09 || byte == 0x7F
      let needsEscape =
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: ";")
      let isLong = index - start >= OutputBuffer<Output>.piece && byte & 0xC0 != 0x80
      guard isControl || needsEscape || isLong else { continue }
      append(UnsafeRawBufferPointer(rebasing: text[start..<index]))
      start = isLong && !isControl && !needsEscape ? index : index + 1
      if needsEscape {
        appendEscape(byte)
      } else if byte == 0x0A, index == 0 || text[index - 1] != 0x0D {
        appendEscape(UInt8(ascii: "n"))
      } else if byte == 0x0D {
        appendEscape(UInt8(ascii: "n"))
      }
      try out.flushIfFull()
    }
    append(UnsafeRawBufferPointer(rebasing: text[start...]))
  }

  /// Appends a TEXT value that has 16 bytes of readable memory behind it, as a row's texts have.
  @inline(__always)
  mutating func appendRowText(_ text: UnsafeRawBufferPointer) throws(PipelineError) {
    guard let source = text.baseAddress?.assumingMemoryBound(to: UInt8.self),
      text.count <= OutputBuffer<Output>.piece, cscan_calendar(source, text.count) == text.count
    else { return try appendText(text) }
    guard column + text.count <= Self.width else { return appendFolding(text) }
    out.bytes.commit(upTo: cscan_put(out.bytes.end(withRoom: text.count + 16), source, text.count))
    column += text.count
  }

  /// Appends a space.
  @inline(__always)
  mutating func appendSpace() {
    if column == Self.width { fold() }
    out.bytes.append(UInt8(ascii: " "))
    column += 1
  }

  /// Appends the comma and the space between two clauses of a TEXT value.
  mutating func appendComma() {
    appendEscape(UInt8(ascii: ","))
    appendSpace()
  }

  private mutating func appendEscape(_ byte: UInt8) {
    if column + 2 > Self.width { fold() }
    out.bytes.append(UInt8(ascii: "\\"))
    out.bytes.append(byte)
    column += 2
  }

  /// Ends a line that was put into the buffer from `start` on in one piece, its escapes made, and
  /// folds it where that has to be: most lines are short, and few are folded twice.
  ///
  /// Every fold moves what is behind it: not for lines of many KiB.
  @inline(__always)
  mutating func end(from start: Int) throws(PipelineError) {
    if out.bytes.count - start > Self.width { foldInPlace(from: start) }
    try end()
  }

  private mutating func foldInPlace(from start: Int) {
    var line = start
    repeat {
      // Room for the fold, and for what the vectors touch behind the line.
      out.bytes.reserve(32)
      let bytes = UnsafeRawBufferPointer(rebasing: out.bytes.contents[line...])
      let cut = line + Self.cut(bytes)
      let rest = out.bytes.start.assumingMemoryBound(to: UInt8.self) + cut
      cscan_move_by_3(rest, out.bytes.count - cut)
      rest[0] = 0x0D
      rest[1] = 0x0A
      rest[2] = UInt8(ascii: " ")
      out.bytes.commit(3)
      // The space counts.
      line = cut + 2
    } while out.bytes.count - line > Self.width
  }

  /// The most octets of a longer line that may stand before a fold: whole characters and escapes.
  @inline(__always)
  private static func cut(_ line: UnsafeRawBufferPointer) -> Int {
    let cut = UTF8Encoding.cut(line, to: width)
    // An escape begins with every other backslash of a run.
    var before = cut
    while before > 0, line[before - 1] == UInt8(ascii: "\\") { before -= 1 }
    return cut - (cut - before) % 2
  }

  /// Ends the line.
  @inline(__always)
  mutating func end() throws(PipelineError) {
    out.bytes.append("\r\n")
    column = 0
    try out.flushIfFull()
  }

  /// Writes a whole line that needs no escapes.
  mutating func line(_ text: String) throws(PipelineError) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    try end()
  }

  /// Writes a whole line: a name with its colon, and a TEXT value.
  mutating func line(_ name: StaticString, text: String) throws(PipelineError) {
    append(name)
    try text.utf8Span.span.bytes.withUnsafeBytes { (bytes) throws(PipelineError) in
      try appendText(bytes)
    }
    try end()
  }

  consuming func finish() throws(PipelineError) { try out.finish() }
}

/// A property whose value is a ``Template``, made ready for a feed's columns.
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

  /// The longest line that is put together in one piece: far more than an address needs.
  private static let longest = 1024

  /// The property's name, what stands before the first clause, and the words, with room behind them
  /// for whole vectors.
  private var words = ByteBuffer(capacity: 256)
  private let nameCount: Int
  private let prefixEnd: Int
  private let parts: FixedArray<Part>
  /// Nothing in prefix and words needs an escape, and they are no longer than a line may be that is
  /// put together in one piece.
  private let isPlain: Bool
  /// It says more than the event's days.
  let hasColumns: Bool

  /// Makes a property ready; `name` is its name with the colon.
  init(_ name: StaticString, _ template: Template, columns: [String]) {
    words.append(name)
    nameCount = words.count
    words.append(string: template.prefix)
    prefixEnd = words.count
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
    let count = words.count
    isPlain =
      count + 3 * parts.count <= Self.longest
      && cscan_calendar(words.start.assumingMemoryBound(to: UInt8.self), count) == count
  }

  /// There is anything to be said for a row.
  @inline(__always)
  func says(_ record: borrowing Record, days: UnsafeRawBufferPointer) -> Bool {
    if prefixEnd > nameCount { return true }
    for index in parts.indices where text(parts[index], record, days).count > 0 { return true }
    return false
  }

  /// Writes the property of a row as a whole content line; `days` are the event's, as people write
  /// them.
  @inline(__always)
  func write<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, days: UnsafeRawBufferPointer, to line: inout ContentLine<Output>
  ) throws(PipelineError) {
    let start = line.out.bytes.count
    if putLine(record, days, into: &line.out.bytes) {
      try line.end(from: start)
    } else {
      try append(record, days: days, to: &line)
    }
  }

  /// Puts the line, unfolded, into a buffer; says whether that could be done. Not where a text has
  /// to be escaped or is long.
  ///
  /// Parts that drop out are copied too, and not counted: which do, no processor foresees.
  @inline(__always)
  private func putLine(
    _ record: borrowing Record, _ days: UnsafeRawBufferPointer, into buffer: inout ByteBuffer
  ) -> Bool {
    guard isPlain else { return false }
    var length = words.count + 3 * parts.count
    for index in parts.indices { length += text(parts[index], record, days).count }
    guard length <= Self.longest else { return false }
    // Room for what the last vector writes behind the line.
    var p = buffer.end(withRoom: length + 32)
    let source = UnsafePointer(words.start.assumingMemoryBound(to: UInt8.self))
    p = cscan_put(p, source, prefixEnd)
    var isTame: Int32 = 1
    var isEmpty = true
    var isClauseEmpty = true
    for index in parts.indices {
      let part = parts[index]
      if part.beginsClause { isClauseEmpty = true }
      let text = text(part, record, days)
      guard let value = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
      let isThere = text.count > 0
      // `, ` with its escape, or a space: the bytes in the order in which they are stored.
      let separator: UInt32 = isClauseEmpty ? 0x20_2C_5C : 0x20
      let width = isClauseEmpty ? isEmpty ? 0 : 3 : 1
      UnsafeMutableRawPointer(p).storeBytes(of: separator.littleEndian, as: UInt32.self)
      p += isThere ? width : 0
      _ = cscan_put(p, source + part.start, part.count)
      p += isThere ? part.count : 0
      isTame &= cscan_put_calendar(p, value, text.count)
      p += text.count
      isEmpty = isEmpty && !isThere
      isClauseEmpty = isClauseEmpty && !isThere
    }
    guard isTame != 0 else { return false }
    buffer.commit(upTo: p)
    return true
  }

  @inline(__always)
  private func text(
    _ part: Part, _ record: borrowing Record, _ days: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    part.column < 0 ? days : record.text(part.column)
  }

  /// Writes the line piece by piece, whatever the texts hold and however long they are.
  @inline(never)
  private func append<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, days: UnsafeRawBufferPointer, to line: inout ContentLine<Output>
  ) throws(PipelineError) {
    line.append(UnsafeRawBufferPointer(start: words.start, count: nameCount))
    try line.appendRowText(
      UnsafeRawBufferPointer(start: words.start + nameCount, count: prefixEnd - nameCount))
    var isEmpty = true
    var isClauseEmpty = true
    for index in parts.indices {
      let part = parts[index]
      if part.beginsClause { isClauseEmpty = true }
      let text = text(part, record, days)
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
    try line.end()
  }
}
