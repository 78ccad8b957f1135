import CSluice

/// A column of a sheet.
struct SheetColumn {
  /// What is in its cells.
  enum Kind {
    /// A text. If `breaks` is true, it may break lines.
    case text(breaks: Bool)
    /// A number; one that a spreadsheet would round is a text.
    case number
    case flag
    /// A day or an instant; one that spreadsheets cannot have is a text.
    case day
    case instant
  }

  /// Its heading.
  var heading: String
  var kind: Kind

  /// Makes a column with a heading.
  init(_ heading: String, _ kind: Kind) {
    self.heading = heading
    self.kind = kind
  }

  /// Makes the column of a table, with the heading in a language.
  init(_ column: Column, in language: Language) {
    heading = column.heading(in: language)
    kind =
      switch column.kind {
      // No number of a spreadsheet shows 24:00 by itself. As texts, times are shown, sorted and
      // filtered right.
      case .text, .keyNumber, .time: .text(breaks: false)
      case .verbatim: .text(breaks: true)
      case .decimal, .integer: .number
      case .flag: .flag
      case .day: .day
      case .instant: .instant
      }
  }

  /// The style of its cells.
  var style: CellStyle {
    switch kind {
    case .text(let breaks): breaks ? .wrapped : .text
    case .number: .number
    case .flag: .flag
    case .day: .day
    case .instant: .instant
    }
  }

  /// The style of its heading.
  var headingStyle: CellStyle { if case .number = kind { .numberHeading } else { .heading } }

  /// Returns the letters of the column at an index: A, …, Z, AA, …
  static func letters(_ index: Int) -> String {
    let last = String(Unicode.Scalar(UInt8(ascii: "A") + UInt8(index % 26)))
    return index < 26 ? last : letters(index / 26 - 1) + last
  }
}

/// Writes the rows of a table as sheets of a workbook (ECMA-376-1, section 18.3): one sheet, or
/// more if there are more rows than a sheet can have.
///
///     <cols> │ header │ rows …      the widths of the columns are those of the first rows, so these
///     ╰─ known after 1,000 rows     wait in the buffer
final class SheetWriter {
  /// The number of rows of a sheet, the header included.
  static let maxRows = 1_048_576
  /// The rows whose texts decide the widths, and the largest number of bytes that wait for them.
  private static let sampleRows = 1000
  private static let sampleBytes = 1 << 20
  /// The height of a line in points, and the most lines that a row shows.
  private static let lineHeight = 15
  private static let maxLines = 10
  /// The bytes that are handed on at once, and the longest row that is made in one go.
  private static let size = 128 << 10
  private static let piece = 4 << 10
  private let workbook: Workbook
  /// The name of its first sheet, and the place of its table among those of the workbook.
  let name: String
  let order: Int
  let columns: [SheetColumn]
  private let kinds: [SheetColumn.Kind]
  /// The indexes of the columns whose texts may break lines.
  private let breaking: [Int]
  private let rowLimit: Int
  /// The text before the number of the row in each cell, and after it.
  private var marks = ByteBuffer(capacity: 1024)
  private var markEnds: [(start: Int, end: Int)] = []
  private var bytes = ByteBuffer(capacity: size + 16 * piece)
  private var sheet: WorkbookSheet?
  private var isSampling = true
  /// The lengths of the texts of each column, in characters.
  private var lengths: [TextLengths]
  /// The rows of the sheet so far, the header included; and those of the sheets before.
  private var row = 1
  private var rowsBefore = 0

  /// Makes a writer of sheets that are called `name`, with a number from the second one on. `order`
  /// is the place of its table in the workbook.
  init(
    _ name: String, order: Int, _ columns: [SheetColumn], in workbook: Workbook,
    rowLimit: Int
  ) {
    self.workbook = workbook
    self.name = name
    self.order = order
    self.columns = columns
    self.rowLimit = rowLimit
    kinds = columns.map(\.kind)
    breaking = columns.indices.filter { columns[$0].style == .wrapped }
    lengths = columns.map { _ in TextLengths() }
    for index in columns.indices {
      let start = marks.count
      marks.append(string: "<c r=\"\(SheetColumn.letters(index))")
      let end = marks.count
      marks.append(string: "\" s=\"\(columns[index].style.rawValue)\"")
      marks.append(Self.opening(columns[index].kind))
      markEnds.append((start, end))
    }
    markEnds.append((marks.count, marks.count))
  }

  /// The text between a cell's style and its value, for the usual kind of value.
  private static func opening(_ kind: SheetColumn.Kind) -> StaticString {
    switch kind {
    case .text: " t=\"inlineStr\"><is><t>"
    case .flag: " t=\"b\"><v>"
    case .number, .day, .instant: "><v>"
    }
  }

  // MARK: Rows

  /// Writes a row of the table. Throws ``SinkFault/cellTooLong(row:column:limit:)`` and the errors
  /// of the workbook.
  func take(_ record: borrowing Record) throws(PipelineError) {
    var lines = 1
    for column in breaking { lines = max(lines, self.lines(record.text(column), column)) }
    try beginRow(lines: lines)
    let length = record.length
    if length <= Self.piece {
      var p = bytes.end(withRoom: CellText.growth * length + roomOfCells)
      for column in kinds.indices { p = put(record.text(column), column, at: p) }
      bytes.commit(upTo: p)
    } else {
      for column in kinds.indices {
        let text = record.text(column)
        if text.count > CellText.limit, CellText.units(text) > CellText.limit {
          throw PipelineError(
            sink: .cellTooLong(
              row: rowsBefore + row - 1, column: columns[column].heading, limit: CellText.limit))
        }
        bytes.commit(
          upTo: put(
            text, column, at: bytes.end(withRoom: CellText.growth * text.count + roomOfCells)))
        if !isSampling { try handOnIfFull() }
      }
    }
    if isSampling {
      for column in kinds.indices { measure(record.text(column), column) }
    }
    try endRow()
  }

  /// Writes a row of texts, one for each column. Throws the errors of the workbook.
  func take(_ texts: [String]) throws(PipelineError) {
    try beginRow()
    for (column, text) in texts.enumerated() {
      var text = text
      text.withUTF8 { utf8 in
        // Copied, because whole vectors are read.
        var copy = ByteBuffer(capacity: max(1, utf8.count))
        copy.append(UnsafeRawBufferPointer(utf8))
        bytes.commit(
          upTo: put(
            copy.contents, column,
            at: bytes.end(withRoom: CellText.growth * copy.count + roomOfCells)))
        if isSampling { measure(copy.contents, column) }
      }
    }
    try endRow()
  }

  /// Writes the end of the last sheet. A table without rows has a header only. Throws the errors of
  /// the workbook.
  func finish() throws(PipelineError) { try endSheet() }

  /// The room that the cells of a row take without their texts.
  private var roomOfCells: Int { marks.count + kinds.count * (CellText.most + 64) + 64 }

  /// Returns the number of lines that a text takes in its column, at most ``maxLines``.
  private func lines(_ text: UnsafeRawBufferPointer, _ column: Int) -> Int {
    let width = isSampling ? TextLengths.most : width(of: column)
    var (lines, length) = (1, 0)
    for byte in text {
      if byte == 0x0A {
        (lines, length) = (lines + 1, 0)
      } else if byte & 0xC0 != 0x80 {
        length += 1
        if length > width { (lines, length) = (lines + 1, 1) }
      }
      if lines >= Self.maxLines { break }
    }
    return lines
  }

  /// Begins a row. Not every program finds the height of several lines by itself.
  private func beginRow(lines: Int = 1) throws(PipelineError) {
    if row == rowLimit {
      try endSheet()
      rowsBefore += row - 1
      row = 1
      lengths = columns.map { _ in TextLengths() }
      isSampling = true
    }
    row += 1
    var p = CellText.put("<row r=\"", at: bytes.end(withRoom: 64))
    p = CellText.put(decimal: row, at: p)
    if lines > 1 {
      p = CellText.put("\" ht=\"", at: p)
      p = CellText.put(decimal: lines * Self.lineHeight, at: p)
    }
    bytes.commit(upTo: CellText.put("\">", at: p))
  }

  private func endRow() throws(PipelineError) {
    bytes.append("</row>\n")
    if isSampling {
      if row > Self.sampleRows || bytes.count >= Self.sampleBytes { try beginSheet() }
    } else {
      try handOnIfFull()
    }
  }

  @inline(__always)
  private func handOnIfFull() throws(PipelineError) {
    if bytes.count >= Self.size, let sheet { try workbook.take(&bytes, for: sheet) }
  }

  private func measure(_ text: UnsafeRawBufferPointer, _ column: Int) {
    if text.count > 0 { lengths[column].add(text) }
  }

  // MARK: Cells

  /// Writes the cell of a text, if it is not empty, and returns the place after it.
  @inline(__always)
  private func put(
    _ text: UnsafeRawBufferPointer, _ column: Int, at place: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    guard text.count > 0 else { return place }
    let (start, end) = markEnds[column]
    let mark = marks.start.assumingMemoryBound(to: UInt8.self)
    var p: UnsafeMutablePointer<UInt8> = cscan_put(place, mark + start, end - start)
    p = CellText.put(decimal: row, at: p)
    let opened: UnsafeMutablePointer<UInt8> = cscan_put(
      p, mark + end, markEnds[column + 1].start - end)
    switch kinds[column] {
    case .text(let breaks):
      if breaks, CellText.hasBlanks(text) { return putText(text, column, at: p) }
      return CellText.put("</t></is></c>", at: CellText.put(text, at: opened))
    case .number:
      guard CellText.isExact(text), let source = text.baseAddress else { break }
      p = cscan_put(opened, source.assumingMemoryBound(to: UInt8.self), text.count)
      return CellText.put("</v></c>", at: p)
    case .flag:
      opened.pointee = text[0] == UInt8(ascii: "t") ? UInt8(ascii: "1") : UInt8(ascii: "0")
      return CellText.put("</v></c>", at: opened + 1)
    case .day:
      guard let serial = CellText.serial(day: text) else { break }
      return CellText.put("</v></c>", at: CellText.put(decimal: serial, at: opened))
    case .instant:
      guard let (day, time) = CellText.serial(instant: text) else { break }
      return CellText.put("</v></c>", at: CellText.put(day: day, microseconds: time, at: opened))
    }
    return putText(text, column, at: p)
  }

  /// Writes the rest of a cell that is a text although its column has other values, or that keeps
  /// its blanks.
  @inline(never)
  private func putText(
    _ text: UnsafeRawBufferPointer, _ column: Int, at place: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var p = CellText.put("\" s=\"", at: place)
    let style = columns[column].style == .wrapped ? CellStyle.wrapped : .text
    p = CellText.put(decimal: style.rawValue, at: p)
    p = CellText.put("\" t=\"inlineStr\"><is><t", at: p)
    if CellText.hasBlanks(text) { p = CellText.put(" xml:space=\"preserve\"", at: p) }
    return CellText.put("</t></is></c>", at: CellText.put(text, at: CellText.put(">", at: p)))
  }

  // MARK: Sheets

  /// Writes the beginning of the sheet and its header before the rows that wait.
  private func beginSheet() throws(PipelineError) {
    let sheet = workbook.addSheet(of: self, isFirst: rowsBefore == 0)
    self.sheet = sheet
    isSampling = false
    var head = ByteBuffer(capacity: 4096)
    head.append(
      string: """
        \(WorkbookParts.declaration)<worksheet xmlns="\(WorkbookParts.main)">\
        <sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews>\
        <sheetView\(sheet.isFirst ? " tabSelected=\"1\"" : "") workbookViewId="0">\
        <pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>\
        <selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>\
        <sheetFormatPr defaultRowHeight="15"/><cols>
        """)
    for (index, column) in columns.enumerated() {
      head.append(
        string: """
          <col min="\(index + 1)" max="\(index + 1)" width="\(width(of: index)).7" \
          style="\(column.style.rawValue)" customWidth="1"/>
          """)
    }
    head.append("</cols><sheetData><row r=\"1\">")
    for (index, column) in columns.enumerated() {
      head.append(
        string: """
          <c r="\(SheetColumn.letters(index))1" s="\(column.headingStyle.rawValue)" t="inlineStr">\
          <is><t xml:space="preserve">
          """)
      WorkbookParts.append(column.heading, to: &head)
      head.append("</t></is></c>")
    }
    head.append("</row>\n")
    try workbook.take(&head, for: sheet)
    // The memory of the rows that have waited is given back.
    var waiting = ByteBuffer(capacity: Self.size + 16 * Self.piece)
    swap(&waiting, &bytes)
    var start = 0
    while waiting.count - start >= Self.size {
      bytes.append(UnsafeRawBufferPointer(rebasing: waiting.contents[start..<start + Self.size]))
      start += Self.size
      try workbook.take(&bytes, for: sheet)
    }
    bytes.append(UnsafeRawBufferPointer(rebasing: waiting.contents[start...]))
  }

  /// Returns the width of a column in characters. The heading has a button beside it.
  private func width(of index: Int) -> Int {
    let values =
      switch columns[index].kind {
      case .text(breaks: true): lengths[index].longest
      case .text(breaks: false), .number: lengths[index].width
      case .flag: 6
      case .day: 10
      case .instant: 19
      }
    return max(values + 1, min(columns[index].heading.count + 4, TextLengths.most))
  }

  private func endSheet() throws(PipelineError) {
    if isSampling { try beginSheet() }
    guard let sheet else { return }
    sheet.rows = row
    let last = SheetColumn.letters(columns.count - 1)
    bytes.append(
      string: """
        </sheetData><autoFilter ref="A1:\(last)\(row)"/>\
        <pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>\
        <pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>\
        <headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter>\
        <ignoredErrors><ignoredError sqref="A1:\(last)\(row)" numberStoredAsText="1" \
        twoDigitTextYear="1"/></ignoredErrors></worksheet>
        """)
    try workbook.take(&bytes, for: sheet)
    self.sheet = nil
  }
}

/// The lengths of the texts of a column, from which its width follows.
struct TextLengths {
  /// The largest width, in characters.
  static let most = 60
  /// The width that a column has for any of its texts. Beyond it, one text of twenty may be cut
  /// off, so that a single long one does not push the other columns off the screen.
  private static let modest = 30

  /// The number of texts of each length. The last one is of all longer ones.
  private var counts = [Int](repeating: 0, count: Self.most + 1)
  private var count = 0

  /// Notes a text. Its length is that of its longest line.
  mutating func add(_ text: UnsafeRawBufferPointer) {
    var (length, longest) = (0, 0)
    for byte in text {
      if byte == 0x0A { length = 0 } else if byte & 0xC0 != 0x80 { length += 1 }
      longest = max(longest, length)
    }
    counts[min(longest, Self.most)] += 1
    count += 1
  }

  /// The greatest length, at most ``most``.
  var longest: Int { counts.lastIndex { $0 > 0 } ?? 0 }

  /// The width in characters.
  var width: Int {
    let longest = longest
    guard longest > Self.modest else { return longest }
    var rest = count / 20
    var width = longest
    while width > Self.modest, rest >= counts[width] {
      rest -= counts[width]
      width -= 1
    }
    return width
  }
}
