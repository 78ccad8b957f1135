import Sluice
import SluiceText

/// The errors of the options about tables.
enum TableUsageError: Error, Equatable, Sendable {
  /// The option is about tables, and no output is one that it concerns.
  case idle(OptionName)
  /// The column to sort by is not one of the table's.
  case unknownColumn(String, table: String, columns: [String])
  /// A table is not in the folder of its description.
  case outsideOfPackage(path: String, package: String)
  /// The output of a command that writes tables only is a calendar or a site.
  case notATable(path: String)
  /// The feed has no events of whole days, so that nothing of it can move or be cancelled.
  case noLedger(feed: String)
}

extension TableUsageError {
  /// The option that it is about.
  var option: OptionName {
    switch self {
    case .idle(let option): option
    case .unknownColumn: .sort
    case .outsideOfPackage: .schema
    case .notATable: .output
    case .noLedger: .feed
    }
  }

  /// The sentence.
  var text: Text {
    switch self {
    case .idle(.schema):
      return Text(
        en: "--schema describes tables in files; name one: -o FILE.csv, .tsv, .json or .ndjson",
        ru:
          "--schema описывает таблицы в файлах; укажите такой: -o FILE.csv, .tsv, .json или .ndjson"
      )
    case .idle(let option):
      return Text(
        en: """
          \(option.spelled) needs a table among the outputs; name one: -o FILE.csv, .xlsx or .json
          """,
        ru: """
          для \(option.spelled) среди выходных файлов нужна таблица; укажите её: -o FILE.csv, .xlsx или \
          .json
          """)
    case .unknownColumn(let name, let table, let columns):
      return Text(
        en:
          "--sort: the table \(table) has no column \(quoted: name); choose from \(list: columns)",
        ru: "--sort: в таблице \(table) нет столбца \(quoted: name); есть: \(list: columns)")
    case .outsideOfPackage(let path, let package):
      return Text(
        en: """
          \(quoted: path) is not in the folder of \(quoted: package); a data package names only \
          files beside or below it; write --schema into the folder of the tables
          """,
        ru: """
          \(quoted: path) не в папке файла \(quoted: package); пакет данных называет только файлы \
          рядом или ниже; запишите --schema в папку таблиц
          """)
    case .notATable(let path):
      return Text(
        en: "\(quoted: path) is not a table; choose .csv, .tsv, .json, .ndjson, .xlsx or .sqlite",
        ru: "\(quoted: path) — не таблица; выберите .csv, .tsv, .json, .ndjson, .xlsx или .sqlite")
    case .noLedger(let feed):
      return Text(
        en: "\(feed) has no events of whole days at places, so nothing in it moves or is cancelled",
        ru: """
          в наборе \(feed) нет событий, которые длятся целые дни и привязаны к месту; переносов и \
          отмен в нём не бывает
          """)
    }
  }
}
