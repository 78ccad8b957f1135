import CSluice

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

  /// The property's name, the prefix before the first clause, the words of all parts, and the
  /// suffix.
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
    let words = UnsafePointer(self.words.start.assumingMemoryBound(to: UInt8.self))
    var room = Self.maxLength - self.words.count - Separators.maxCount * parts.count
    var line = UnescapedLine(at: buffer.end(withRoom: Self.maxLength), words, prefix: prefixEnd)
    for index in parts.indices {
      let part = parts[index]
      let text = text(part, record, days)
      room -= text.count
      guard room >= 0, let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        return false
      }
      line.put(part, start, text.count)
    }
    guard line.needsNoEscapes else { return false }
    line.put(suffixStart, self.words.count - suffixStart)
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
///     SUMMARY:Садовая\, дом 3: planned     two bytes that would need escapes, both of the
///                    └┘                    separator: no text has any
///
/// Missing parts are copied too, but not counted. A branch for each part would be slow, because no
/// processor could predict which parts are missing. What needs escapes is counted once, from the
/// first part to the last: the words were looked at before.
private struct UnescapedLine {
  /// The position after the line, in reserved memory.
  private(set) var end: UnsafeMutablePointer<UInt8>
  private let start: UnsafeMutablePointer<UInt8>
  private let words: UnsafePointer<UInt8>
  private var separators = Separators()
  /// Number of bytes in the separators so far that a text would need escapes for.
  private var escaped = 0

  /// Begins with the first `prefix` bytes of a template's words.
  @inline(__always)
  init(at start: UnsafeMutablePointer<UInt8>, _ words: UnsafePointer<UInt8>, prefix: Int) {
    self.words = words
    end = cscan_put(start, words, prefix)
    self.start = end
  }

  /// Whether no text so far needs an escape. The words do not.
  @inline(__always)
  var needsNoEscapes: Bool { cscan_count_calendar(start, end - start) == escaped }

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
    // A backslash and a comma: 2 of 3.
    escaped &+= isWritten ? width & 2 : 0
    _ = cscan_put(end, words + part.start, part.count)
    end += isWritten ? part.count : 0
    end = cscan_put(end, text, count)
    separators.leave(isWritten: isWritten)
  }
}
