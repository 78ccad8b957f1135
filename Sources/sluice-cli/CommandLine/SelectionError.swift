import SluiceText

/// Errors of the options that select rows and columns.
enum SelectionError: Error, Equatable, Sendable {
  /// `--columns` names a column that the table does not have.
  case unknownColumn(String, columns: [String])
  /// `--columns` names a column twice.
  case columnTwice(String)
  /// `--columns` for several tables.
  case columnsOfTables([String])
}

extension SelectionError {
  /// The problem and the remedy.
  var text: Text {
    switch self {
    case .unknownColumn(let name, let columns):
      Text(
        en: "--columns: there is no column \(quoted: name)",
        ru: "--columns: нет столбца \(quoted: name)") + .meant(name, of: columns)
    case .columnTwice(let name):
      Text(
        en: "--columns: \(quoted: name) is there twice; remove one",
        ru: "--columns: столбец \(quoted: name) указан дважды; уберите один")
    case .columnsOfTables(let tables):
      Text(
        en: "--columns is for one table only; choose one with --table: \(list: tables)",
        ru: "--columns — для одной таблицы; выберите её, --table: \(list: tables)")
    }
  }
}

extension Text {
  /// Continues a message with the nearest of some names, and all of them.
  fileprivate static func meant(_ name: String, of names: [String]) -> Text {
    let list = names.joined(separator: ", ")
    let all = Text(en: "; there are: \(list)", ru: "; есть: \(list)")
    guard let near = SluiceText.nearest(to: name, in: names) else { return all }
    return Text(en: "; did you mean \(near)?", ru: "; возможно, имелось в виду \(near)?") + all
  }
}
