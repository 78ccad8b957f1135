import CLibraries
import CSluice

/// Writes rows as CSV, after a header.
///
/// libcsv quotes a field only if it holds the separator, a quote, CR or LF. A missing value is an
/// empty field. The encoder finds such a field while it copies the row. It copies each row as if no
/// field needed quotes. If one does, it writes the row again, field by field.
struct CSVEncoder<Output: ByteStage & ~Copyable>: RecordStage, ~Copyable {
  private var out: OutputBuffer<Output>
  private let kinds: FixedArray<ColumnKind>
  private let dialect: CSVDialect
  private let separator: UInt8
  private let counters: Counters
  private var guardedCells = 0
  /// The buffer that libcsv writes to.
  private var quoted = ByteBuffer(capacity: 256)

  init(_ columns: [Column], dialect: CSVDialect, into output: consuming Output, counters: Counters)
  {
    out = OutputBuffer(into: output)
    kinds = FixedArray(columns.map(\.kind))
    self.dialect = dialect
    separator = dialect.separator
    self.counters = counters
    out.bytes.append(dialect.mark)
    for (index, name) in columns.map(\.name).enumerated() {
      if index > 0 { out.bytes.append(separator) }
      out.bytes.append(string: name)
    }
    out.bytes.append(dialect.lineEnd)
  }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    guard case .wanted = fate else { return }
    if copyRow(record) {
      try out.flushIfFull()
    } else {
      try writeFields(record)
    }
  }

  /// Appends a row if all its fields can be copied as they are. Returns whether it did.
  @inline(__always)
  private mutating func copyRow(_ record: borrowing Record) -> Bool {
    let length = record.length
    guard length <= OutputBuffer<Output>.piece else { return false }
    // Room for separators and the line end too: the line end of two bytes replaces a separator.
    var p = out.bytes.end(withRoom: length + kinds.count + 1)
    for column in kinds.indices {
      let text = record.text(column)
      // Empty texts are copied too: no processor could predict which ones are empty.
      guard let source = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
      if kinds[column].isTame {
        p = cscan_put(p, source, text.count)
      } else {
        guard dialect == .plain || isPlain(text, kinds[column]),
          copy(source, text.count, to: p) == text.count
        else { return false }
        p += text.count
      }
      p.pointee = separator
      p += 1
    }
    // The line end replaces the last separator.
    p -= 1
    if dialect == .excel {
      p.pointee = 0x0D
      p += 1
    }
    p.pointee = 0x0A
    out.bytes.commit(upTo: p + 1)
    return true
  }

  /// Returns whether the dialect for spreadsheets leaves the text as it is, if it has no comma and
  /// no control.
  private func isPlain(_ text: UnsafeRawBufferPointer, _ kind: ColumnKind) -> Bool {
    text.count == 0 || kind != .decimal && !FormulaGuard.mayBegin(text[0])
  }

  /// Copies a text up to the first byte that needs a closer look. Returns the number of bytes.
  @inline(__always)
  private func copy(
    _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    dialect == .plain
      ? cscan_copy(target, source, count, separator, UInt8(ascii: "\""), 0x0D, 0x0A)
      : cscan_copy_cell(target, source, count)
  }

  @inline(never)
  private mutating func writeFields(_ record: borrowing Record) throws(PipelineError) {
    for column in kinds.indices {
      if column > 0 { out.bytes.append(separator) }
      let text = record.text(column)
      switch kinds[column] {
      case .decimal: appendDecimal(text)
      case .text, .verbatim: try appendText(text)
      case .integer, .flag, .day, .instant, .keyNumber: out.bytes.append(text)
      }
    }
    out.bytes.append(dialect.lineEnd)
    try out.flushIfFull()
  }

  mutating func handOn() throws(PipelineError) { try out.handOn() }

  consuming func finish() throws(PipelineError) {
    // With several tables the largest count is kept.
    counters.guardedCells.set(max(counters.guardedCells.value, guardedCells))
    try out.finish()
  }

  private mutating func appendDecimal(_ text: UnsafeRawBufferPointer) {
    guard dialect == .excel else { return out.bytes.append(text) }
    for byte in text { out.bytes.append(byte == UInt8(ascii: ".") ? UInt8(ascii: ",") : byte) }
  }

  @inline(__always)
  private mutating func appendText(_ text: UnsafeRawBufferPointer) throws(PipelineError) {
    guard text.count > 0, let source = text.baseAddress else { return }
    if dialect == .excel {
      let places = FormulaGuard.places(in: text)
      if !places.isEmpty { guardedCells += 1 }
      return try appendCarefully(text, guarding: places)
    }
    guard text.count <= OutputBuffer<Output>.piece else {
      return try appendCarefully(text, guarding: [])
    }
    out.bytes.reserve(text.count)
    let copied = copy(
      source.assumingMemoryBound(to: UInt8.self), text.count,
      to: out.bytes.start.assumingMemoryBound(to: UInt8.self) + out.bytes.count)
    if copied == text.count {
      out.bytes.commit(copied)
    } else {
      try appendCarefully(text, guarding: [])
    }
  }

  /// Appends a text of any length, in quotes if it needs them, with an apostrophe at each of the
  /// places. Throws if the output fails.
  @inline(never)
  private mutating func appendCarefully(
    _ text: UnsafeRawBufferPointer, guarding places: [Int]
  ) throws(PipelineError) {
    let isQuoted = text.contains {
      $0 == separator || $0 == UInt8(ascii: "\"") || $0 == 0x0D || $0 == 0x0A
    }
    if isQuoted { out.bytes.append("\"") }
    var start = 0
    for place in places {
      try appendPieces(of: text[start..<place], isQuoted: isQuoted)
      out.bytes.append("'")
      start = place
    }
    try appendPieces(of: text[start...], isQuoted: isQuoted)
    if isQuoted { out.bytes.append("\"") }
  }

  /// Appends a part of a text, with quotes doubled if the text is in quotes. libcsv puts quotes
  /// around each piece, which are left out. Throws if the output fails.
  private mutating func appendPieces(
    of part: Slice<UnsafeRawBufferPointer>, isQuoted: Bool
  ) throws(PipelineError) {
    var rest = UnsafeRawBufferPointer(rebasing: part)
    while rest.count > 0 {
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(OutputBuffer<Output>.piece))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
      if isQuoted {
        quoted.removeAll()
        quoted.reserve(2 * piece.count + 2)
        let length = csv_write(quoted.start, quoted.room, piece.baseAddress, piece.count)
        quoted.commit(length)
        out.bytes.append(UnsafeRawBufferPointer(rebasing: quoted.contents[1..<length - 1]))
      } else {
        out.bytes.append(piece)
      }
      try out.flushIfFull()
    }
  }
}

/// A dialect of CSV.
public enum CSVDialect: String, Sendable, CaseIterable {
  /// UTF-8, a comma, LF: for programs (RFC 4180, except for the line ends).
  case plain
  /// A byte order mark, a semicolon, CRLF, decimals with a comma, and a guard against formulas: for
  /// spreadsheets in a Russian locale.
  case excel

  var separator: UInt8 { self == .plain ? UInt8(ascii: ",") : UInt8(ascii: ";") }
  var lineEnd: StaticString { self == .plain ? "\n" : "\r\n" }
  var mark: StaticString { self == .plain ? "" : ByteOrderMark.text }
}
