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

/// A property with a ``Template`` as its value, prepared for the columns of a feed.
///
///     SUMMARY:Outage: {street}, {house} {корпус building} (planned)
///     └ name ┘└prefix┘└clause┘  └─────── clause ────────┘└ suffix ┘
///                                        └words┘└column┘
///
/// A part without a text is left out with its words, a clause without parts with its comma.
struct TemplateText: ~Copyable {
  /// A column with the words before it. Not private: the compiler (6.3) fails on a private type in
  /// a `FixedArray` of another file.
  struct Part: BitwiseCopyable {
    /// The position and length of the words before the column's text, within the template's words.
    var start: Int
    var count: Int
    /// The column's index; -1 for the event's days.
    var column: Int
    var beginsClause: Bool
    /// Whether the column's text may have any line breaks.
    var isVerbatim: Bool
  }

  /// The longest line in octets that is built in one piece, far more than an address needs.
  private static let maxLength = 1024

  /// The property's name, the prefix before the first clause, the words of all parts, and the suffix.
  private var words = ByteBuffer(capacity: 256)
  private let nameCount: Int
  private let prefixEnd: Int
  /// The position of the text after the last clause, which ends the words.
  private let suffixStart: Int
  private let parts: FixedArray<Part>
  /// Whether the prefix and the words need no escapes and fit into a line that is built in one
  /// piece, and no text is verbatim.
  private let isPlain: Bool
  /// The texts around the parts of a sentence, one for each part; empty for clauses.
  private let joints: ContiguousArray<JointText>
  /// Whether it has a part other than the event's days.
  let hasColumns: Bool

  /// Prepares a property. `name` is its name with the colon.
  init(_ name: StaticString, _ template: Template, columns: [Column]) {
    words.append(name)
    nameCount = words.count
    words.append(string: template.prefix)
    prefixEnd = words.count
    let places = Dictionary(
      columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var parts: [Part] = []
    for clause in template.clauses {
      var beginsClause = true
      for part in clause {
        let start = words.count
        words.append(string: part.words)
        let column = places[part.column]
        parts.append(
          Part(
            start: start, count: words.count - start, column: column ?? -1,
            beginsClause: beginsClause,
            isVerbatim: column.map { columns[$0].kind == .verbatim } ?? false))
        beginsClause = false
      }
    }
    joints = ContiguousArray(template.joints.map { JointText($0) })
    suffixStart = words.count
    words.append(string: template.suffix)
    hasColumns = parts.contains { $0.column >= 0 }
    self.parts = FixedArray(count: parts.count) { parts[$0] }
    let (start, count) = (words.start.assumingMemoryBound(to: UInt8.self), words.count)
    isPlain =
      joints.isEmpty && count + Separators.maxCount * parts.count <= Self.maxLength
      && cscan_calendar(start, count) == count && cscan_has_break(start, count) == 0
      && !parts.contains { $0.isVerbatim }
  }

  /// Returns whether the property has a value for this row.
  @inline(__always)
  func says(_ record: borrowing Record, days: UnsafeRawBufferPointer) -> Bool {
    if prefixEnd > nameCount || words.count > suffixStart { return true }
    for index in parts.indices where text(parts[index], record, days).count > 0 { return true }
    return false
  }

  /// Writes the property of a row as a whole content line. `days` is the text of the event's days.
  /// Throws if the output fails.
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

  /// Puts the line, unfolded, into a buffer. Returns false and leaves the buffer unchanged if a
  /// text needs escapes or if the line may be too long.
  @inline(__always)
  private func putLine(
    _ record: borrowing Record, _ days: UnsafeRawBufferPointer, into buffer: inout ByteBuffer
  ) -> Bool {
    guard isPlain else { return false }
    var length = words.count + Separators.maxCount * parts.count
    for index in parts.indices { length += text(parts[index], record, days).count }
    guard length <= Self.maxLength else { return false }
    var line = UnescapedLine(
      at: buffer.end(withRoom: length),
      UnsafePointer(words.start.assumingMemoryBound(to: UInt8.self)), prefix: prefixEnd)
    for index in parts.indices {
      let part = parts[index]
      let text = text(part, record, days)
      guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
      line.put(part, start, text.count)
    }
    guard line.needsNoEscapes else { return false }
    line.put(suffixStart, words.count - suffixStart)
    buffer.commit(upTo: line.end)
    return true
  }

  @inline(__always)
  private func text(
    _ part: Part, _ record: borrowing Record, _ days: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    part.column < 0 ? days : record.text(part.column)
  }

  /// Writes the line piece by piece, with escapes. It may be of any length. Throws if the output
  /// fails.
  @inline(never)
  private func append<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, days: UnsafeRawBufferPointer, to line: inout ContentLine<Output>
  ) throws(PipelineError) {
    line.append(UnsafeRawBufferPointer(start: words.start, count: nameCount))
    try line.appendText(
      UnsafeRawBufferPointer(start: words.start + nameCount, count: prefixEnd - nameCount))
    if joints.isEmpty {
      try appendClauses(record, days: days, to: &line)
    } else {
      try appendSentence(record, days: days, to: &line)
    }
    try line.appendText(
      UnsafeRawBufferPointer(start: words.start + suffixStart, count: words.count - suffixStart))
    try line.end()
  }

  private func appendClauses<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, days: UnsafeRawBufferPointer, to line: inout ContentLine<Output>
  ) throws(PipelineError) {
    var separators = Separators()
    for index in parts.indices {
      let part = parts[index]
      let text = text(part, record, days)
      separators.enter(part)
      if text.count > 0 {
        if separators.isComma { line.appendComma() }
        if separators.isSpace { line.appendSpace() }
        try append(part, text, to: &line)
      }
      separators.leave(isWritten: text.count > 0)
    }
  }

  /// Writes a part and its words.
  private func append<Output: ByteStage & ~Copyable>(
    _ part: Part, _ text: UnsafeRawBufferPointer, to line: inout ContentLine<Output>
  ) throws(PipelineError) {
    if part.count > 0 {
      try line.appendText(
        UnsafeRawBufferPointer(start: words.start + part.start, count: part.count))
    }
    if part.isVerbatim { try line.appendText(text) } else { try line.appendRowText(text) }
  }

  /// Writes the parts of a sentence that have a text, and what is around them.
  private func appendSentence<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, days: UnsafeRawBufferPointer, to line: inout ContentLine<Output>
  ) throws(PipelineError) {
    var isEmpty = true
    /// The part whose separator comes next; -1 if there is none.
    var separator = -1
    /// The part with which brackets began, and whether they were written; -1 outside of brackets.
    var (opening, isOpen) = (-1, false)
    for index in parts.indices {
      let joint = joints[index]
      if !joint.opening.isEmpty { (opening, isOpen) = (index, false) }
      // The first part that is written in brackets follows what is before them.
      if !joint.isInside || isOpen, separator < 0 || !joint.isBlank { separator = index }
      let text = text(parts[index], record, days)
      if text.count > 0 {
        if !isEmpty, separator >= 0 { try line.appendText(joints[separator].separator) }
        if opening >= 0, !isOpen { try line.appendText(joints[opening].opening) }
        isOpen = opening >= 0
        try append(parts[index], text, to: &line)
        try line.appendText(joint.after)
        (isEmpty, separator) = (false, -1)
      }
      if !joint.closing.isEmpty {
        if isOpen { try line.appendText(joint.closing) }
        (opening, isOpen) = (-1, false)
      }
    }
  }
}

/// The separator before the next part of a template: `\, ` between clauses, a space inside a
/// clause.
///
///     {town}, {street}, {house} {part}
///     no town and no house:  street (none), part (comma)
///     no street:             town (none), house (comma), part (space)
private struct Separators {
  /// The most octets of a separator.
  static let maxCount = 3
  private var isEmpty = true
  private var isClauseEmpty = true

  /// Enters a part, which may be missing.
  @inline(__always)
  mutating func enter(_ part: TemplateText.Part) {
    if part.beginsClause { isClauseEmpty = true }
  }

  /// Leaves the part. `isWritten` tells whether it had a text.
  @inline(__always)
  mutating func leave(isWritten: Bool) {
    isEmpty = isEmpty && !isWritten
    isClauseEmpty = isClauseEmpty && !isWritten
  }

  /// Whether the part begins a clause after another one.
  var isComma: Bool { isClauseEmpty && !isEmpty }
  /// Whether the part continues a clause.
  var isSpace: Bool { !isClauseEmpty }

  /// The octets of the separator, with the comma's escape, in memory order.
  @inline(__always)
  var octets: UInt32 { UInt32(isClauseEmpty ? 0x20_2C_5C : 0x20).littleEndian }
  /// Number of the separator's octets.
  @inline(__always)
  var count: Int { isClauseEmpty ? isEmpty ? 0 : 3 : 1 }
}

/// A line that is built in one piece, without escapes in its texts.
///
/// Missing parts are copied too, but not counted. A branch for each part would be slow, because no
/// processor could predict which parts are missing.
private struct UnescapedLine {
  /// The position after the line, in reserved memory.
  private(set) var end: UnsafeMutablePointer<UInt8>
  private let words: UnsafePointer<UInt8>
  private var separators = Separators()
  private var isTame: Int32 = 1

  /// Begins with the first `prefix` bytes of a template's words.
  @inline(__always)
  init(at start: UnsafeMutablePointer<UInt8>, _ words: UnsafePointer<UInt8>, prefix: Int) {
    self.words = words
    end = cscan_put(start, words, prefix)
  }

  /// Whether no text so far needs an escape.
  @inline(__always)
  var needsNoEscapes: Bool { isTame != 0 }

  /// Appends words of the template.
  @inline(__always)
  mutating func put(_ start: Int, _ count: Int) { end = cscan_put(end, words + start, count) }

  /// Appends a part with its separator and words, unless its text is empty.
  @inline(__always)
  mutating func put(_ part: TemplateText.Part, _ text: UnsafePointer<UInt8>, _ count: Int) {
    separators.enter(part)
    let isWritten = count > 0
    // Computed before the choice, so that the choice needs no branch.
    let width = separators.count
    UnsafeMutableRawPointer(end).storeBytes(of: separators.octets, as: UInt32.self)
    end += isWritten ? width : 0
    _ = cscan_put(end, words + part.start, part.count)
    end += isWritten ? part.count : 0
    isTame &= cscan_put_calendar(end, text, count)
    end += count
    separators.leave(isWritten: isWritten)
  }
}
