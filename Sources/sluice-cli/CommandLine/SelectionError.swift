import SluiceText

/// Errors of the options that select rows and columns.
enum SelectionError: Error, Equatable, Sendable {
  /// `--columns` names a column that the table does not have.
  case unknownColumn(String, columns: [String])
  /// `--columns` names a column twice.
  case columnTwice(String)
  /// `--columns` for several tables.
  case columnsOfTables([String])
  /// A condition compares a column of numbers with something else.
  case notANumber(String, value: String)
  /// A condition compares a column of true and false with something else.
  case notAFlag(String, value: String)
  /// A condition has a sign that is none.
  case noSuchSign(String)
  /// A condition compares with nothing.
  case nothingToCompare(String, sign: String)
  /// A condition compares a column of days or times with something else.
  case notATime(String, value: String, hasTimes: Bool)
  /// A condition compares a column of times of day with something else.
  case notATimeOfDay(String, value: String)
  /// `--from` or `--to` has a time of day, but the feed has only days.
  case onlyDays(OptionName, value: String)
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
    case .notANumber(let column, let value):
      Text(
        en: "--where: \(column) holds numbers; \(quoted: value) is none",
        ru: "--where: в столбце \(column) — числа, а \(quoted: value) — не число")
    case .notAFlag(let column, let value):
      Text(
        en: "--where: \(column) is true or false; \(quoted: value) is neither; write "
          + "\(column)=true or \(column)=false",
        ru:
          "--where: в столбце \(column) — да или нет, а \(quoted: value) сюда не подходит; пишите "
          + "\(column)=да или \(column)=нет")
    case .noSuchSign(let sign):
      Text(
        en: "--where: there is no sign \(quoted: sign); write =, !=, <, <=, > or >=",
        ru: "--where: знака \(quoted: sign) нет; пишите =, !=, <, <=, > или >=")
    case .nothingToCompare(let column, let sign):
      Text(
        en: "--where: nothing stands after \(column)\(sign); write a value",
        ru: "--where: после \(column)\(sign) ничего нет; допишите значение")
    case .notATime(let column, let value, let hasTimes):
      Text(
        en:
          "--where: \(column) holds \(hasTimes ? "times" : "days"); \(quoted: value) is none; write \(hasTimes ? Self.timesEN : Self.daysEN)",
        ru:
          "--where: в столбце \(column) — \(hasTimes ? "время" : "дни"), а \(quoted: value) сюда не подходит; пишите \(hasTimes ? Self.timesRU : Self.daysRU)"
      )
    case .notATimeOfDay(let column, let value):
      Text(
        en: "--where: \(column) holds times of day; \(quoted: value) is none; write 09:30",
        ru: "--where: в столбце \(column) — время суток, а \(quoted: value) сюда не подходит; "
          + "пишите 09:30")
    case .onlyDays(let option, let value):
      Text(
        en:
          "\(option.spelled): \(quoted: value) is a time, but the feed has only days; write \(Self.daysEN)",
        ru:
          "\(option.spelled): \(quoted: value) — это время, а в наборе только дни; пишите \(Self.daysRU)"
      )
    case .columnsOfTables(let tables):
      Text(
        en: "--columns is for one table only; choose one with --table: \(list: tables)",
        ru: "--columns — для одной таблицы; выберите её, --table: \(list: tables)")
    }
  }
}

extension SelectionError {
  /// How days and times are written.
  static let daysEN = "2020-07-27, 27.07.2020, today, tomorrow, +7d or -3d"
  static let daysRU = "2020-07-27, 27.07.2020, today, tomorrow, +7d или -3d"
  static let timesEN = "\(daysEN), or a time: 2018-10-01T10:00"
  static let timesRU = "\(daysRU), или время: 2018-10-01T10:00"
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
