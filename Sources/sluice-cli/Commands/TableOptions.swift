import Sluice
import SluiceText

/// The options about how tables are written.
struct TableOptions: Equatable, Sendable {
  /// The header of CSV and TSV.
  var headerRow: HeaderRow
  /// The language of labels: the person's, or else the feed's.
  var readerLanguage: Language
  /// Whether somebody has chosen the dialect of CSV.
  fileprivate var isDialectChosen: Bool
  /// The order of the rows; empty for that of the feed.
  var sort: [SortOrder]
  /// The most rows of each table, or nil for all.
  var limit: Int?
  /// The destination of the description of the tables.
  var schema: Destination?

  /// Reads the options, for these outputs of these tables.
  init(
    _ arguments: Arguments, _ outputs: [Output], of tables: [Table], in feed: Feed
  ) throws(UsageError) {
    headerRow = try arguments.choice(.headerRow) ?? .names
    readerLanguage =
      try arguments.choice(.lang) ?? Language(ofLocale: Environment.value) ?? feed.language
    isDialectChosen = arguments[.csvDialect] != nil
    sort = []
    for text in arguments.all(.sort) {
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        sort.append(try Self.order(String(part), of: tables))
      }
    }
    limit = try arguments.value(.limit, positiveCount)
    schema = arguments[.schema].map(Destination.init)
    let written = outputs.filter(\.format.isTable)
    if written.isEmpty {
      if !sort.isEmpty { throw .table(.idle(.sort)) }
      if limit != nil { throw .table(.idle(.limit)) }
    }
    if let schema { try Self.check(schema, written) }
  }

  /// Reads `COLUMN`, `COLUMN:asc` or `COLUMN:desc`. The column may be named by its label.
  private static func order(_ text: String, of tables: [Table]) throws(UsageError) -> SortOrder {
    var name = text
    var isDescending = false
    for (suffix, value) in [(":desc", true), (":asc", false)] where text.hasSuffix(suffix) {
      name = String(text.dropLast(suffix.count))
      isDescending = value
    }
    var found: String?
    for table in tables {
      guard let column = table.column(called: name) else {
        throw .table(.unknownColumn(name, table: table.name, columns: table.columns.map(\.name)))
      }
      found = column
    }
    return SortOrder(found ?? name, isDescending: isDescending)
  }

  /// Checks that the description has tables beside it, and none elsewhere.
  private static func check(_ schema: Destination, _ outputs: [Output]) throws(UsageError) {
    let described = outputs.filter(\.isInPackage)
    guard !described.isEmpty else { throw .table(.idle(.schema)) }
    for case .file(let path) in described.map(\.destination) where !schema.canDescribe(path) {
      guard case .file(let package) = schema else { continue }
      throw .table(.outsideOfPackage(path: path, package: package))
    }
  }
}

extension ConvertOptions {
  /// The first CSV file that the run makes anew and that a spreadsheet of a Russian locale would
  /// read wrongly; nil if there is none, or if nobody is there to be told. A file that exists is
  /// written again by somebody who knows it.
  func newTable(_ console: Console, locale: Language) -> String? {
    guard console.isTerminal, reading.verbosity != .quiet, !tableForm.isDialectChosen, locale == .ru
    else { return nil }
    for output in outputs where output.format == .csv && output.own.dialect == nil {
      if case .file(let path) = output.destination, !output.destination.namesTables,
        FileStatus(path: Array(path.utf8CString)) == nil
      {
        return path
      }
    }
    return nil
  }
}

extension Text {
  /// Says how a table for a spreadsheet is made, after one for programs was.
  static func forSpreadsheets(_ path: String) -> Text {
    let name = escaped(path, limit: 200)
    return Text(
      en: """
        \(name) is for programs; for a spreadsheet write .xlsx instead, or choose --csv-dialect excel
        """,
      ru: """
        \(name) — для программ; для Excel и LibreOffice запишите .xlsx или выберите \
        --csv-dialect excel
        """)
  }
}
