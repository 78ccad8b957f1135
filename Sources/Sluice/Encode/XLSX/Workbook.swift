/// A sheet of a workbook.
final class WorkbookSheet {
  /// The name on its tab.
  let name: String
  /// The columns' letters of its table: from A to these.
  let lastColumn: String
  /// The rows, the header included. Known when the sheet has ended.
  var rows = 1
  /// Whether it is the one that is shown first.
  var isFirst: Bool { entry?.name.hasSuffix("/sheet1.xml") == true }
  /// Where its bytes go: to the archive at once, or into a file of the spool until the end.
  fileprivate let entry: ArchiveEntry?
  fileprivate let spooled: Int
  /// The place of its table.
  fileprivate let order: Int

  fileprivate init(_ name: String, of table: SheetWriter, _ entry: ArchiveEntry?, spooled: Int) {
    self.name = name
    order = table.order
    lastColumn = SheetColumn.letters(table.columns.count - 1)
    self.entry = entry
    self.spooled = spooled
  }
}

/// Writes a workbook (Office Open XML, ECMA-376): a sheet for each table.
///
///     first table  ─▶ sheet1.xml ───────────────────┬▶ archive
///     other tables ─▶ spool ─▶ sheet2.xml, … ─┐     │
///     rejects      ─▶ spool ─▶ the last sheet ┴─────┘ at the end
///
/// Rows of several tables come together, and an archive takes one entry after the other. So the
/// sheets of the first table are written as they come, and those of others wait in memory, and
/// beyond a limit in a temporary file without a name.
final class Workbook {
  /// The bytes of waiting sheets that are kept in memory.
  private static let memory = 4 << 20
  /// The names of sheets that spreadsheets refuse, in lower case.
  private static let reserved = ["history"]
  /// The most UTF-16 units of a sheet's name.
  private static let longestName = 31

  private let archive: ArchiveWriter
  private let queue: OutputQueue?
  private let facts: WorkbookFacts
  private var spool: FileChains
  private let rowLimit: Int
  private var tables = 0
  private var sheets: [WorkbookSheet] = []
  private var names: Set<String> = []
  private var hasBegun = false
  /// The bytes of the archive that were measured.
  private var measured = 0
  private var rejects: SheetWriter?

  /// Makes a workbook without tables. Sheets that wait beyond a limit do so in a file of `folder`.
  /// A sheet has at most `rowLimit` rows, the header included.
  init(
    _ facts: WorkbookFacts, into output: consuming ByteSink, queue: OutputQueue? = nil,
    spoolingTo folder: String, rowLimit: Int = SheetWriter.maxRows
  ) {
    archive = ArchiveWriter(into: output)
    self.facts = facts
    self.queue = queue
    self.rowLimit = rowLimit
    spool = FileChains(limit: Self.memory, spoolingTo: folder)
  }

  /// Adds a table with these columns and returns the writer of its sheets. The first one's are
  /// written as they come.
  func writer(of table: Table, _ columns: [Column]) -> SheetWriter {
    defer { tables += 1 }
    return SheetWriter(
      sheetName(table.name), order: tables,
      columns.map { SheetColumn($0, in: facts.language) }, in: self,
      rowLimit: rowLimit)
  }

  /// Adds a sheet of a table. The first one has the table's name, others a number too.
  func addSheet(of table: SheetWriter, isFirst: Bool) -> WorkbookSheet {
    var entry: ArchiveEntry?
    if table.order == 0 {
      entry = archive.entry("xl/worksheets/sheet\(sheets.count { $0.entry != nil } + 1).xml")
    } else {
      spool.addFile()
    }
    let sheet = WorkbookSheet(
      isFirst ? table.name : sheetName(table.name), of: table, entry, spooled: spool.count - 1)
    sheets.append(sheet)
    return sheet
  }

  /// Takes the next bytes of a sheet and leaves the buffer empty. Throws the errors of the output
  /// and of the temporary file.
  func take(_ bytes: inout ByteBuffer, for sheet: WorkbookSheet) throws(PipelineError) {
    guard let entry = sheet.entry else {
      try queue?.measure.add(waiting: bytes.count)
      try spool.append(bytes.contents, to: sheet.spooled)
      bytes.removeAll()
      return
    }
    try begin()
    try give(&bytes, to: entry)
  }

  /// Takes a rejected record. It stands in a sheet of its own. Throws like ``take(_:for:)``.
  func take(_ reject: Reject) throws(PipelineError) {
    let sheet =
      rejects
      ?? SheetWriter(
        sheetName(Self.rejectedName), order: .max,
        zip(Self.rejectHeadings[facts.language], Self.rejectKinds).map { SheetColumn($0, $1) },
        in: self, rowLimit: rowLimit)
    rejects = sheet
    let value = reject.value.map { String(decoding: $0, as: UTF8.self) } ?? ""
    try sheet.take([
      "\(reject.record)", "\(reject.offset)", Self.cut(reject.field ?? ""), Self.cut(value),
      reject.reason.rawValue,
    ])
  }

  /// Writes the sheets that wait and what the sheets have in common, and finishes the output. Every
  /// writer of sheets has finished. Throws like ``take(_:for:)``.
  func finish() throws(PipelineError) {
    try rejects?.finish()
    try begin()
    let direct = sheets.filter { $0.entry != nil }
    var paths = direct.compactMap(\.entry?.name)
    // The sheets of a table stand together, in the order of the tables, the rejects last.
    let waiting = sheets.filter { $0.entry == nil }.enumerated().sorted { a, b in
      (a.element.order, a.offset) < (b.element.order, b.offset)
    }.map(\.element)
    for sheet in waiting {
      let entry = archive.entry("xl/worksheets/sheet\(paths.count + 1).xml")
      paths.append(entry.name)
      var bytes = ByteBuffer(capacity: 128 << 10)
      try spool.forEachPiece(of: sheet.spooled) { (piece) throws(PipelineError) in
        var rest = piece
        while rest.count > 0 {
          let part = UnsafeRawBufferPointer(rebasing: rest.prefix(bytes.room))
          bytes.append(part)
          rest = UnsafeRawBufferPointer(rebasing: rest[part.count...])
          if bytes.room == 0 { try give(&bytes, to: entry) }
        }
      }
      try give(&bytes, to: entry)
    }
    for part in WorkbookParts.last(direct + waiting, paths) { try give(part) }
    try queue?.drain()
    try archive.finish()
    try measure()
  }

  // MARK: The archive

  /// Writes the parts that stand before all sheets, once.
  private func begin() throws(PipelineError) {
    guard !hasBegun else { return }
    hasBegun = true
    for part in WorkbookParts.first(facts) { try give(part) }
  }

  private func give(_ part: WorkbookParts.Part) throws(PipelineError) {
    var bytes = ByteBuffer(capacity: max(1, part.text.utf8.count))
    bytes.append(string: part.text)
    try give(&bytes, to: archive.entry(part.path))
  }

  private func give(_ bytes: inout ByteBuffer, to entry: ArchiveEntry) throws(PipelineError) {
    guard let queue else {
      try entry.write(bytes)
      return bytes.removeAll()
    }
    try queue.take(&bytes, for: entry, isMeasured: false)
    try measure()
  }

  /// Measures what the archive has grown by.
  private func measure() throws(PipelineError) {
    let written = archive.written.value
    try queue?.measure.add(written - measured)
    measured = written
  }

  // MARK: Names

  /// The columns of the sheet of rejected records.
  private static let rejectHeadings = Localized(
    ru: ["Запись", "Смещение", "Поле", "Значение", "Причина"],
    en: ["record", "offset", "field", "value", "reason"])
  private static let rejectKinds: [SheetColumn.Kind] = [
    .number, .number, .text(breaks: false), .text(breaks: true), .text(breaks: false),
  ]
  /// The name of the sheet with the rejected records.
  static let rejectedName = "rejected"

  private func sheetName(_ table: String) -> String {
    // A table's name has none of the characters that a sheet's must not have.
    for number in 1... {
      let end = number == 1 ? "" : " \(number)"
      var name = table
      while name.utf16.count + end.utf16.count > Self.longestName { name.removeLast() }
      name += end
      let key = name.lowercased()
      if Self.reserved.contains(key) || !names.insert(key).inserted { continue }
      return name
    }
    return table
  }

  /// Returns the start of a text that fits into a cell.
  private static func cut(_ text: String) -> String {
    guard text.utf16.count > CellText.limit else { return text }
    var count = 0
    let scalars = text.unicodeScalars.prefix { scalar in
      count += scalar.value > 0xFFFF ? 2 : 1
      return count < CellText.limit
    }
    return String(String.UnicodeScalarView(scalars)) + "…"
  }
}

/// Writes the rows of a table as sheets of a workbook.
struct SheetStage: RecordStage, ~Copyable {
  private let sheets: SheetWriter
  /// The workbook to finish with the table; nil if somebody else does.
  private let workbook: Workbook?

  /// Makes a stage of a table's rows with these columns. If `isSole` is true, the workbook ends
  /// with them.
  init(_ table: Table, _ columns: [Column], in workbook: Workbook, isSole: Bool = false) {
    sheets = workbook.writer(of: table, columns)
    self.workbook = isSole ? workbook : nil
  }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    guard case .wanted = fate else { return }
    try sheets.take(record)
  }

  consuming func finish() throws(PipelineError) {
    try sheets.finish()
    try workbook?.finish()
  }
}

extension Branch {
  /// Makes the branch of a table's sheets in a workbook, with the columns that are chosen. If
  /// `isSole` is true, the workbook ends with its rows.
  static func sheets(
    of table: Table, _ options: EncoderOptions, in workbook: Workbook, isSole: Bool = false
  ) -> Branch {
    let chosen = options.chosen(of: table)
    return .table(
      SheetStage(table, chosen?.columns ?? table.columns, in: workbook, isSole: isSole), chosen)
  }
}

/// Passes rejected records to workbooks, and to the file of rejects.
final class WorkbookRejects: RejectReceiver {
  private let next: (any RejectReceiver)?
  /// The workbooks, each with a sheet for them.
  var workbooks: [Workbook] = []

  /// Makes a receiver that passes all records on to `next` first.
  init(before next: (any RejectReceiver)?) { self.next = next }

  func receive(_ reject: Reject) throws(PipelineError) {
    try next?.receive(reject)
    for workbook in workbooks { try workbook.take(reject) }
  }
}
