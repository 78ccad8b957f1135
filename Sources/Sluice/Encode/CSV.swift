import CLibraries
import CSluice

/// Writes rows as CSV or TSV, after a header.
///
/// A missing value is an empty field. The encoder copies each row as if no field needed quotes, and
/// finds one that does while it copies. In the plain dialect it writes that field again, in
/// quotes. In others it writes the row again, field by field.
struct CSVEncoder<Output: ByteStage & ~Copyable>: RecordStage, ~Copyable {
  private var out: OutputBuffer<Output>
  private let kinds: FixedArray<ColumnKind>
  private let form: DelimitedForm
  private let separator: UInt8
  /// Whether rows can be copied as they are: no column is written in another way.
  private let copiesRows: Bool
  /// As many separators as there are columns, if there are so many that most of them are empty;
  /// else none.
  private var separators = ByteBuffer(capacity: 1)
  private let counters: Counters
  private var guardedCells = 0
  /// What all rows of a series have in common, and where the fields that differ stand in it.
  private var frame = ByteBuffer(capacity: 256)
  private var joints: FixedArray<FrameJoint>
  /// The buffer that libcsv writes to.
  private var quoted = ByteBuffer(capacity: 256)

  /// Makes an encoder and writes the header: `headings`, one for each column, or else the columns'
  /// names.
  init(
    _ columns: [Column], _ form: DelimitedForm, headings: [String]? = nil,
    into output: consuming Output, counters: Counters
  ) {
    out = OutputBuffer(into: output)
    kinds = FixedArray(columns.map(\.kind))
    joints = FixedArray(repeating: FrameJoint(), count: columns.count)
    self.form = form
    separator = form.separator
    copiesRows = form != .excel || !columns.contains { $0.kind == .decimal || $0.kind == .instant }
    self.counters = counters
    if columns.count > Self.mostDense {
      for _ in columns { separators.append(separator) }
    }
    out.bytes.append(form.mark)
    for (index, text) in (headings ?? columns.map(\.name)).enumerated() {
      if index > 0 { out.bytes.append(separator) }
      form.append(heading: text, to: &out.bytes)
    }
    out.bytes.append(form.lineEnd)
  }

  /// The most columns of tables whose rows are copied column by column. In wider ones most texts
  /// are empty.
  private static var mostDense: Int { 64 }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    guard case .wanted = fate else { return }
    if copiesRows, separators.count > 0 ? copyWideRow(record) : copyRow(record) {
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
    precondition(record.texts.count >= kinds.count)
    let (copier, texts) = (copier, record.texts.address)
    // Room for doubled quotes, quotes around each field, separators and the line end, whose two
    // bytes replace a separator.
    var p = out.bytes.end(withRoom: 2 * length + 3 * kinds.count + 1)
    var column = 0
    while column < kinds.count {
      guard let end = copier.put(record.text(texts[column]), column, at: p) else { return false }
      p = end
      p.pointee = copier.separator
      p += 1
      column += 1
    }
    // The line end replaces the last separator.
    out.bytes.commit(upTo: copier.putLineEnd(at: p - 1))
    return true
  }

  /// The same for tables of many columns, of which most are empty: their separators are written at
  /// once.
  @inline(never)
  private mutating func copyWideRow(_ record: borrowing Record) -> Bool {
    precondition(record.texts.count >= kinds.count)
    let (copier, count) = (copier, kinds.count)
    let source = UnsafePointer(separators.start.assumingMemoryBound(to: UInt8.self))
    var left = OutputBuffer<Output>.piece
    var p = out.bytes.end(withRoom: 2 * left + 3 * count + 1)
    // The column whose separator, and all before it, is written.
    var last = 0
    for first in stride(from: 0, to: count, by: UInt64.bitWidth) {
      var filled = record.filled(first..<min(first + UInt64.bitWidth, count))
      while filled != 0 {
        let column = first + filled.trailingZeroBitCount
        filled &= filled - 1
        p = cscan_put(p, source, column - last)
        last = column
        let text = record.text(column)
        left -= text.count
        guard left >= 0, let end = copier.put(text, column, at: p) else { return false }
        p = end
      }
    }
    p = cscan_put(p, source, count - 1 - last)
    out.bytes.commit(upTo: copier.putLineEnd(at: p))
    return true
  }

  private var copier: FieldCopier {
    @inline(__always) get { FieldCopier(form: form, separator: separator, kinds: kinds.address) }
  }

  // MARK: Series

  mutating func take(_ series: borrowing RowSeries, of record: inout Record)
    throws(PipelineError)
  {
    series.set(0, in: &record)
    guard form != .excel, series.count > 2, makeFrame(series, record) else {
      return try takeRows(of: series, from: 0, &record)
    }
    let room = series.count * (frame.count + 2 * series.width) + 2 * series.length
    let written =
      room > OutputBuffer<Output>.piece * 2 ? 0 : copyRows(of: series, record, room: room)
    try out.flushIfFull()
    if written < series.count { try takeRows(of: series, from: written, &record) }
  }

  /// Writes what all rows of a series have in common to ``frame``: a row without the fields that
  /// differ, and once more what stands before the first of them. So what follows the last one leads
  /// to the next row. Returns false if a field cannot be copied.
  private mutating func makeFrame(_ series: borrowing RowSeries, _ record: borrowing Record) -> Bool
  {
    let length = record.length
    guard length <= OutputBuffer<Output>.piece else { return false }
    frame.removeAll()
    let copier = copier
    let start = frame.end(withRoom: 4 * length + 6 * kinds.count + 2)
    var p = start
    var place = 0
    for column in kinds.indices {
      if column > 0 {
        p.pointee = separator
        p += 1
      }
      if place < series.width, series.columns[place] == column {
        if place > 0 { joints[place - 1].count = p - start - joints[place - 1].start }
        joints[place] = FrameJoint(start: p - start, isTame: copier.isTame(column))
        place += 1
      } else {
        guard let end = copier.put(record.text(column), column, at: p) else { return false }
        p = end
      }
    }
    guard place > 0, place == series.width else { return false }
    p.pointee = 0x0A
    p = cscan_put(p + 1, start, joints[0].start)
    joints[place - 1].count = p - start - joints[place - 1].start
    frame.commit(upTo: p)
    return true
  }

  /// Appends the rows of a series, as far as their fields can be copied: the frame with the fields
  /// that differ. Returns the number of rows.
  private mutating func copyRows(
    of series: borrowing RowSeries, _ record: borrowing Record, room: Int
  ) -> Int {
    let common = UnsafePointer(frame.start.assumingMemoryBound(to: UInt8.self))
    let (joints, width) = (self.joints.address, series.width)
    let lead = joints[0].start
    let copier = copier
    var p = out.bytes.end(withRoom: room + lead)
    p = cscan_put(p, common, lead)
    for row in 0..<series.count {
      let (first, texts) = (p, series.texts(of: row))
      for place in 0..<width {
        let joint = joints[place]
        let text = record.text(texts[place])
        guard let end = copier.put(text, isTame: joint.isTame, at: p) else {
          out.bytes.commit(upTo: first - lead)
          return row
        }
        p = end
        p.pointee = common[joint.start]
        if joint.count > 1 { cscan_put(p, common + joint.start, joint.count) }
        p += joint.count
      }
    }
    out.bytes.commit(upTo: p - lead)
    return series.count
  }

  @inline(never)
  private mutating func writeFields(_ record: borrowing Record) throws(PipelineError) {
    for column in kinds.indices {
      if column > 0 { out.bytes.append(separator) }
      let text = record.text(column)
      switch kinds[column] {
      case .decimal: appendDecimal(text)
      case .text, .verbatim: try appendText(text)
      case .instant where form == .excel: appendLocal(text)
      case .integer, .flag, .day, .instant, .time, .keyNumber: out.bytes.append(text)
      }
    }
    out.bytes.append(form.lineEnd)
    try out.flushIfFull()
  }

  mutating func handOn() throws(PipelineError) {
    noteGuardedCells()
    try out.handOn()
  }

  mutating func write(rows: inout ByteBuffer) throws(PipelineError) { try out.write(&rows) }

  consuming func finish() throws(PipelineError) {
    noteGuardedCells()
    try out.finish()
  }

  private func noteGuardedCells() {
    // With several tables the largest count is kept.
    counters.guardedCells.set(max(counters.guardedCells.value, guardedCells))
  }

  private mutating func appendDecimal(_ text: UnsafeRawBufferPointer) {
    guard form == .excel, text.contains(UInt8(ascii: ".")) else { return out.bytes.append(text) }
    // A spreadsheet that splits at commas too reads one number only in quotes.
    out.bytes.append("\"")
    for byte in text { out.bytes.append(byte == UInt8(ascii: ".") ? UInt8(ascii: ",") : byte) }
    out.bytes.append("\"")
  }

  private mutating func appendLocal(_ text: UnsafeRawBufferPointer) {
    guard text.count > 0 else { return }
    // Only a fraction of a second has a comma.
    let isQuoted = text.contains(UInt8(ascii: "."))
    if isQuoted { out.bytes.append("\"") }
    InstantText.appendLocal(text, to: &out.bytes)
    if isQuoted { out.bytes.append("\"") }
  }

  @inline(__always)
  private mutating func appendText(_ text: UnsafeRawBufferPointer) throws(PipelineError) {
    guard text.count > 0, let source = text.baseAddress else { return }
    if form == .excel {
      let places = FormulaGuard.places(in: text)
      if !places.isEmpty { guardedCells += 1 }
      return try appendCarefully(text, guarding: places)
    }
    guard text.count <= OutputBuffer<Output>.piece else {
      return try appendCarefully(text, guarding: [])
    }
    out.bytes.reserve(text.count)
    let copied = copier.copy(
      source.assumingMemoryBound(to: UInt8.self), text.count,
      to: out.bytes.start.assumingMemoryBound(to: UInt8.self) + out.bytes.count)
    if copied == text.count {
      out.bytes.commit(copied)
    } else {
      try appendCarefully(text, guarding: [])
    }
  }

  /// Appends a text of any length, in quotes if it needs them, with an apostrophe at each of the
  /// places. In TSV a tab or a line break becomes a space. Throws if the output fails.
  @inline(never)
  private mutating func appendCarefully(
    _ text: UnsafeRawBufferPointer, guarding places: [Int]
  ) throws(PipelineError) {
    let isQuoted = form.needsQuotes(text)
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
      let first = out.bytes.count
      if isQuoted {
        quoted.removeAll()
        quoted.reserve(2 * piece.count + 2)
        let length = csv_write(quoted.start, quoted.room, piece.baseAddress, piece.count)
        quoted.commit(length)
        out.bytes.append(UnsafeRawBufferPointer(rebasing: quoted.contents[1..<length - 1]))
      } else {
        out.bytes.append(piece)
      }
      if form == .tabs { flatten(from: first) }
      try out.flushIfFull()
    }
  }

  /// Replaces what TSV cannot have in a field, from the byte at `start` on.
  private mutating func flatten(from start: Int) {
    for index in start..<out.bytes.count {
      let byte = DelimitedForm.flat(out.bytes.contents[index])
      out.bytes.start.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }
}

/// Writes the fields of a row that can be copied as they are, or that need quotes only.
///
/// It is made before a row, as a value of its own: what is written may change the encoder, as far
/// as the compiler knows, but not this.
private struct FieldCopier {
  let form: DelimitedForm
  let separator: UInt8
  let kinds: UnsafeMutablePointer<ColumnKind>

  /// Whether the texts of a column never need quotes. Rows with decimals whose point becomes a
  /// comma are not copied.
  @inline(__always)
  func isTame(_ column: Int) -> Bool { kinds[column].isTame || kinds[column] == .decimal }

  /// Writes the field of a column. Returns the end; nil if it can not. There must be room for twice
  /// the text and two quotes.
  @inline(__always)
  func put(
    _ text: UnsafeRawBufferPointer, _ column: Int, at p: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8>? { put(text, isTame: isTame(column), at: p) }

  /// The same with the text of a column that is tame or not.
  @inline(__always)
  func put(
    _ text: UnsafeRawBufferPointer, isTame: Bool, at p: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8>? {
    // Empty texts are copied too: no processor could predict which ones are empty.
    guard let source = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
    if isTame { return cscan_put(p, source, text.count) }
    guard form != .excel || isPlain(text) else { return nil }
    if copy(source, text.count, to: p) == text.count { return p + text.count }
    return form == .plain ? Self.quote(source, text.count, to: p) : nil
  }

  /// Writes the end of a line. Returns the end.
  @inline(__always)
  func putLineEnd(at p: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    guard form == .excel else {
      p.pointee = 0x0A
      return p + 1
    }
    // At once: of a store one byte before a pointer and one at it, the compiler (6.3) drops the
    // first.
    UnsafeMutableRawPointer(p).storeBytes(of: UInt16(0x0A0D).littleEndian, as: UInt16.self)
    return p + 2
  }

  /// Returns whether the dialect for spreadsheets leaves the text as it is, if it has no comma and
  /// no control.
  private func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count == 0 || !FormulaGuard.mayBegin(text[0])
  }

  /// Copies a text up to the first byte that needs a closer look. Returns the number of bytes.
  @inline(__always)
  func copy(
    _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    form == .excel
      ? cscan_copy_cell(target, source, count)
      : cscan_copy(target, source, count, separator, UInt8(ascii: "\""), 0x0D, 0x0A)
  }

  /// Writes a text in quotes, those inside doubled. Returns the end.
  @inline(never)
  private static func quote(
    _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let quote = UInt8(ascii: "\"")
    target[0] = quote
    var p = target + 1
    var done = 0
    while true {
      let copied = cscan_copy(p, source + done, count - done, quote, quote, quote, quote)
      p += copied
      done += copied
      if done == count { break }
      p[0] = quote
      p[1] = quote
      p += 2
      done += 1
    }
    p[0] = quote
    return p + 1
  }
}

/// Where a field of a row stands that differs in a series. Not private: the debug compiler needs
/// it.
struct FrameJoint: BitwiseCopyable {
  /// Where that part of the frame begins that follows the field, and its length, 1 at least.
  var start = 0
  var count = 0
  /// Whether it never needs quotes.
  var isTame = false
}

/// A dialect of CSV.
public enum CSVDialect: String, Sendable, CaseIterable {
  /// UTF-8, a comma, LF: for programs (RFC 4180, except for the line ends).
  case plain
  /// A byte order mark, a semicolon, CRLF, decimals with a comma, local times, and a guard against
  /// formulas: for spreadsheets in a Russian locale. Every field with a comma, a semicolon or a tab
  /// is in quotes, so that an import that splits at all three reads the same cells.
  case excel
}

/// The header of a table.
public enum HeaderRow: String, Sendable, CaseIterable {
  /// The names of the columns, for programs.
  case names
  /// What people call the columns, in the language of the reader; the name where the feed's
  /// document has no label.
  case labels
}
