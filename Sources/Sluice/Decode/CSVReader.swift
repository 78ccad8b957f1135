import CLibraries
import Glibc

/// Reads a CSV text (RFC 4180) as a JSON array with an object for each line. The names in the first
/// line are the keys. A column without a name, or with that of another one, is called `column 3`.
///
///     ﻿street;house          beginArray
///     "Дом; 2";7       →    beginObject  key "street"  string "Дом; 2"  …  endObject
///     Лесная           →    beginArray   string "Лесная"  endArray         (fields are missing)
///
/// Bytes may be cut anywhere. The separator is `;`, `,` or TAB, whichever the first line has most
/// often. A line `sep=;` before it, which spreadsheets write, is skipped. A line with fewer fields
/// than the first, or with further fields that are not empty, becomes an array. This is not a
/// record, so it is rejected and counted, and its neighbours are not. The offset of a field is that
/// of its line.
struct CSVReader<Next: TokenStage & ~Copyable>: ByteStage, ~Copyable {
  private var next: Next
  private let counters: Counters
  /// The columns that the feed knows. At least one must be there. Nil if none is known yet.
  private let known: [String]?
  /// Nil until the first line has shown the separator.
  private var parser: CSVParser?
  private var names: [[UInt8]] = []
  /// Whether a column's key is handed on even if the field is empty.
  private var isColumn: [Bool] = []
  /// The beginning of the current row's text, or all of it if fields keep their blanks.
  private var raw = ByteBuffer(capacity: 512)
  private var rowLength = 0
  /// The number of quotation marks in the first line so far.
  private var quotes = 0
  private var rowOffset = 0
  private var offset = 0

  /// The columns whose fields keep the blanks around them.
  private let verbatim: Set<String>
  /// Whether each column is one of them. Empty if none is.
  private var keepsBlanks: [Bool] = []
  /// The sign between fields, once the first line has shown it.
  private var separator: UInt8 = 0

  init(
    into next: consuming Next, known: [String]?, verbatim: Set<String> = [], counters: Counters
  ) {
    self.next = next
    self.known = known
    self.verbatim = verbatim
    self.counters = counters
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try bytes.withUnsafeBytes { (bytes) throws(PipelineError) in
      var rest = bytes[...]
      // Line by line, to know where each row begins.
      while let feed = rest.firstIndex(of: UInt8(ascii: "\n")) {
        try add(UnsafeRawBufferPointer(rebasing: rest[...feed]))
        try endLine()
        rest = rest[(feed + 1)...]
      }
      if !rest.isEmpty { try add(UnsafeRawBufferPointer(rebasing: rest)) }
      counters.csvBytes.set(offset)
    }
  }

  consuming func finish() throws(PipelineError) {
    if parser == nil { try readHeader() }
    if let parser {
      if parser.isQuoted { throw PipelineError(.csv(.unclosedQuote), at: rowOffset) }
      parser.finish()
      try takeRow()
    }
    if parser == nil, quotes % 2 == 1 {
      throw PipelineError(.csv(.unclosedQuote), at: rowOffset)
    }
    guard !names.isEmpty else { throw PipelineError(.csv(.empty), at: 0) }
    _ = try next.token(.endArray, RawSpan(), at: offset)
    try next.finish()
  }

  /// Adds the bytes of a line, or a part of them.
  private mutating func add(_ bytes: UnsafeRawBufferPointer) throws(PipelineError) {
    offset += bytes.count
    rowLength += bytes.count
    // libcsv and the row each hold the text once, and so does `raw` if fields keep their blanks.
    guard rowLength <= Limits.string else {
      throw PipelineError(.csv(.rowTooLong(limit: Limits.string)), at: rowOffset)
    }
    guard let parser else {
      quotes += bytes.count { $0 == UInt8(ascii: "\"") }
      return raw.append(bytes)
    }
    let room = keepsBlanks.isEmpty ? Limits.captured - raw.count : .max
    raw.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(max(0, room))))
    parser.parse(bytes)
    try checkWidth(parser)
  }

  private func checkWidth(_ parser: CSVParser) throws(PipelineError) {
    guard parser.count <= Limits.columns else {
      throw PipelineError(.csv(.tooManyFields(limit: Limits.columns)), at: rowOffset)
    }
  }

  private mutating func endLine() throws(PipelineError) {
    guard parser != nil else { return try readHeader() }
    try takeRow()
  }

  // MARK: The first line

  /// Makes the parser once the first line is complete. Lines without a separator are skipped.
  private mutating func readHeader() throws(PipelineError) {
    // Inside quotation marks the line continues.
    if quotes % 2 == 1 { return }
    var line = raw.contents[...]
    if rowOffset == 0 { line = ByteOrderMark.dropped(from: line) }
    guard let separator = Self.separator(in: line) else { return beginRow() }
    guard let parser = CSVParser(separator: separator) else { fatalError("out of memory") }
    self.parser = parser
    self.separator = separator
    parser.parse(UnsafeRawBufferPointer(rebasing: line))
    try checkWidth(parser)
    try takeRow()
  }

  /// Returns the most frequent separator of a line, or nil if it has none or only names it
  /// (`sep=;`).
  private static func separator(in line: Slice<UnsafeRawBufferPointer>) -> UInt8? {
    let hint = line.prefix(4).map { $0 | 0x20 }
    if hint == Array("sep=".utf8), line.count <= 8 { return nil }
    var counts = [0, 0, 0]
    var isQuoted = false
    for byte in line {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ";") where !isQuoted: counts[0] += 1
      case UInt8(ascii: ",") where !isQuoted: counts[1] += 1
      case UInt8(ascii: "\t") where !isQuoted: counts[2] += 1
      default: break
      }
    }
    guard let most = counts.max(), most > 0, let index = counts.firstIndex(of: most) else {
      return nil
    }
    return Array(";,\t".utf8)[index]
  }

  /// Reads the names of the columns.
  private mutating func begin(_ parser: CSVParser) throws(PipelineError) {
    for index in 0..<parser.count {
      let name = parser.field(index)
      try checkText(name)
      names.append(Array(name))
    }
    let found = names.map { String(decoding: $0, as: UTF8.self) }
    let repeated = try takeNamesFromEqual(found)
    var seen = Set(names.filter { !$0.isEmpty })
    for (index, name) in names.enumerated() {
      let number = "column \(index + 1)"
      if name.isEmpty, seen.insert(Array(number.utf8)).inserted {
        names[index] = Array(number.utf8)
      }
      // A separator at the end of every line makes no column, unless the feed knows its number.
      isColumn.append(!name.isEmpty || repeated.contains(index) || known?.contains(number) == true)
    }
    // Texts that are not CSV contain commas too.
    if let known, !known.contains(where: { seen.contains(Array($0.utf8)) }) {
      throw PipelineError(
        .csv(.noKnownColumn(expected: known, found: found)), at: rowOffset)
    }
    let isVerbatim = names.map { verbatim.contains(String(decoding: $0, as: UTF8.self)) }
    if isVerbatim.contains(true) { keepsBlanks = isVerbatim }
    _ = try next.token(.beginArray, RawSpan(), at: rowOffset)
  }

  /// Takes the names from columns of the same name, so that each is called by its number. Returns
  /// their indexes. Throws if the feed reads a column of that name.
  private mutating func takeNamesFromEqual(_ found: [String]) throws(PipelineError) -> Set<Int> {
    var places: [[UInt8]: [Int]] = [:]
    for (index, name) in names.enumerated() where !name.isEmpty {
      places[name, default: []].append(index)
    }
    let repeated = places.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    for indexes in repeated {
      if known?.contains(found[indexes[0]]) == true {
        throw PipelineError(
          .csv(.duplicateColumn(found[indexes[0]], places: indexes.map { $0 + 1 })), at: rowOffset)
      }
      for index in indexes { names[index] = [] }
    }
    return Set(repeated.joined())
  }

  // MARK: Rows

  /// Hands on the row if one has ended.
  private mutating func takeRow() throws(PipelineError) {
    guard let parser else { return }
    guard parser.hasRow else {
      // An empty line belongs to no row.
      if parser.pending == 0, parser.count == 0, !parser.isQuoted { beginRow() }
      return
    }
    if names.isEmpty { try begin(parser) } else { try send(parser) }
    parser.nextRow()
    beginRow()
  }

  private mutating func beginRow() {
    raw.removeAll()
    rowLength = 0
    quotes = 0
    rowOffset = offset
  }

  private mutating func send(_ parser: CSVParser) throws(PipelineError) {
    for index in 0..<parser.count { try checkText(parser.field(index)) }
    let isRecord =
      parser.count >= names.count
      && (names.count..<parser.count).allSatisfy { parser.field($0).isEmpty }
    // The text of an array's start distinguishes the line from a JSON array, which has none.
    let reply = try next.token(
      isRecord ? .beginObject : .beginArray,
      isRecord ? RawSpan() : RawSpan(_unsafeBytes: captured), at: rowOffset)
    var fields = CSVFields(line, separator: separator)
    for index in 0..<(isRecord ? names.count : parser.count) {
      if isRecord {
        let name = names[index]
        guard isColumn[index] || !parser.field(index).isEmpty, !name.isEmpty else { continue }
        _ = try next.token(.key, name.span.bytes, at: rowOffset)
      }
      var field = parser.field(index)
      if index < keepsBlanks.count, keepsBlanks[index] {
        field = fields.field(index, trimmed: field)
      }
      _ = try next.token(.string, RawSpan(_unsafeBytes: field), at: rowOffset)
    }
    let text = reply == .capture || reply == .record ? RawSpan(_unsafeBytes: captured) : RawSpan()
    _ = try next.token(
      isRecord ? .endObject : .endArray, text, at: max(rowOffset, offset - 1))
  }

  /// The row as received, without its line end.
  private var line: UnsafeRawBufferPointer {
    var line = raw.contents[...]
    while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
      line.removeLast()
    }
    return UnsafeRawBufferPointer(rebasing: line)
  }

  /// The start of the row, as far as it is shown.
  private var captured: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: line.prefix(Limits.captured))
  }

  private func checkText(_ text: UnsafeRawBufferPointer) throws(PipelineError) {
    let isText = text.withMemoryRebound(to: UInt8.self) { bytes in
      do {
        _ = try UTF8Span(validating: Span(_unsafeElements: bytes))
        return true
      } catch {
        return false
      }
    }
    guard isText else {
      throw PipelineError(
        .csv(.notUTF8(likely: ForeignEncoding.guess(raw.contents))), at: rowOffset)
    }
  }
}

/// Finds fields with the blanks around them in a line. libcsv drops the blanks around a field
/// without quotes, which are a part of it (RFC 4180, section 2, rule 4).
///
///     a; "b;c" ; d ;      0 `a`   1 in quotes   2 ` d `   3 empty
private struct CSVFields {
  private let line: UnsafeRawBufferPointer
  private let separator: UInt8
  /// The number of fields passed, and where the next one begins.
  private var passed = 0
  private var next = 0

  init(_ line: UnsafeRawBufferPointer, separator: UInt8) {
    self.line = line
    self.separator = separator
  }

  /// Returns a field with its blanks, or `trimmed` if it is in quotes. Called with growing indexes.
  mutating func field(
    _ index: Int, trimmed: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    while passed < index { pass() }
    let start = next
    pass()
    let end = min(max(start, next - 1), line.count)
    guard start < end else { return trimmed }
    let field = line[start..<end]
    let inside = field.drop(while: isBlank)
    // In a line that is written in another way than it is read, the fields are those of libcsv.
    guard inside.dropLast(inside.reversed().prefix(while: isBlank).count).elementsEqual(trimmed)
    else { return trimmed }
    return UnsafeRawBufferPointer(rebasing: field)
  }

  /// Passes a field and the separator after it.
  private mutating func pass() {
    passed += 1
    while next < line.count, isBlank(line[next]) { next += 1 }
    if next < line.count, line[next] == UInt8(ascii: "\"") { passQuotes() }
    while next < line.count, line[next] != separator { next += 1 }
    next += 1
  }

  /// Passes a text in quotes. A quotation mark inside ends it only before a separator.
  private mutating func passQuotes() {
    next += 1
    while next < line.count {
      next += 1
      guard line[next - 1] == UInt8(ascii: "\"") else { continue }
      if next < line.count, line[next] == UInt8(ascii: "\"") {
        next += 1
        continue
      }
      var after = next
      while after < line.count, isBlank(line[after]) { after += 1 }
      if after >= line.count || line[after] == separator { return next = after }
    }
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") && byte != separator
  }
}

/// Owns libcsv's parser and the row that it is reading.
///
/// White space around a field without quotes is dropped, and a quotation mark inside such a field
/// is an ordinary character. Empty lines are skipped.
private final class CSVParser {
  private let parser: UnsafeMutablePointer<csv_parser>
  private var bytes = ByteBuffer(capacity: 512)
  private var ends: [Int] = []
  /// Whether a row is complete. It is kept until ``nextRow()``.
  private(set) var hasRow = false

  /// Makes a parser for fields separated by `separator`. Nil if there is no memory.
  init?(separator: UInt8) {
    parser = .allocate(capacity: 1)
    guard csv_init(parser, 0) == 0 else {
      parser.deallocate()
      return nil
    }
    csv_set_delim(parser, separator)
  }

  deinit {
    csv_free(parser)
    parser.deallocate()
  }

  /// The number of fields in the row.
  var count: Int { ends.count }

  /// Returns a field of the row. It is valid until ``nextRow()``.
  func field(_ index: Int) -> UnsafeRawBufferPointer {
    let start = index == 0 ? 0 : ends[index - 1]
    return UnsafeRawBufferPointer(rebasing: bytes.contents[start..<ends[index]])
  }

  /// The number of bytes in the fields of the unfinished row so far.
  var pending: Int { bytes.count + Int(parser.pointee.entry_pos) }

  /// Whether the text so far ends inside quotation marks.
  var isQuoted: Bool { parser.pointee.quoted != 0 && parser.pointee.pstate == 2 }

  /// Reads bytes that end at most one row.
  func parse(_ text: UnsafeRawBufferPointer) {
    let itself = Unmanaged.passUnretained(self).toOpaque()
    csv_parse(parser, text.baseAddress, text.count, addField, endRow, itself)
  }

  /// Ends the text, which may end a row.
  func finish() {
    csv_fini(parser, addField, endRow, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Drops the row.
  func nextRow() {
    bytes.removeAll()
    ends.removeAll(keepingCapacity: true)
    hasRow = false
  }

  fileprivate func add(_ field: UnsafeRawBufferPointer) {
    bytes.append(field)
    ends.append(bytes.count)
  }

  fileprivate func end() { hasRow = true }
}

private func addField(
  _ text: UnsafeMutableRawPointer?, _ count: Int, _ parser: UnsafeMutableRawPointer?
) {
  guard let parser else { return }
  Unmanaged<CSVParser>.fromOpaque(parser).takeUnretainedValue()
    .add(UnsafeRawBufferPointer(start: text, count: count))
}

private func endRow(_ terminator: Int32, _ parser: UnsafeMutableRawPointer?) {
  guard let parser else { return }
  Unmanaged<CSVParser>.fromOpaque(parser).takeUnretainedValue().end()
}
