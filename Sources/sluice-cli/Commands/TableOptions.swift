import Sluice
import SluiceText

/// The options about how tables are written.
struct TableOptions: Equatable, Sendable {
  /// The header of CSV and TSV.
  var headerRow: HeaderRow
  /// The language of labels: that of messages.
  var readerLanguage: Language
  /// Whether somebody has chosen the dialect of CSV.
  fileprivate var isDialectChosen: Bool

  /// Reads the options.
  init(_ arguments: Arguments) throws(UsageError) {
    headerRow = try arguments.choice(.headerRow) ?? .names
    readerLanguage = try arguments.choice(.lang) ?? Language(environment: Environment.value)
    isDialectChosen = arguments[.csvDialect] != nil
  }
}

extension ConvertOptions {
  /// The first CSV file that the run makes anew and that a spreadsheet of a Russian locale would read
  /// wrongly; nil if there is none, or if nobody is there to be told. A file that exists is written
  /// again by somebody who knows it.
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
