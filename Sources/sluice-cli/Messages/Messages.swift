// Texts for people that several places share, and those of help. The texts of errors are beside
// this file; those of options and commands stand in their tables.

extension Text {
  /// Foreign text, made safe to show, in the quotation marks of the language.
  static func quoted(_ text: String, limit: Int = 80) -> Text {
    let safe = escaped(text, limit: limit)
    return Text(en: "\"\(safe)\"", ru: "«\(safe)»")
  }

  /// The path of a file or a URL, quoted, with more room than other texts.
  static func path(_ path: String) -> Text { quoted(path, limit: 240) }

  /// Foreign text, made safe to show, as it is.
  static func shown(_ text: String) -> Text { .verbatim(escaped(text)) }

  /// Points to the help of a command.
  static func seeHelp(of command: CommandName?) -> Text {
    let line = ["sluice", command?.rawValue, "--help"].compactMap(\.self).joined(separator: " ")
    return Text(en: "; try '\(line)'", ru: "; справка: '\(line)'")
  }

  /// Suggests what was probably meant.
  static func didYouMean(_ name: String) -> Text {
    Text(en: "; did you mean \(name)?", ru: "; возможно, имелось в виду \(name)?")
  }

  /// Suggests one of a few names, or lists them all.
  static func oneOf(_ names: [String], meant word: String) -> Text {
    guard !names.isEmpty else { return .removeIt }
    if let name = nearest(to: word, in: names) { return .didYouMean(name) }
    let list = names.joined(separator: ", ")
    return Text(en: "; choose from: \(list)", ru: "; есть: \(list)")
  }

  /// What is left to do where there is nothing to choose from.
  static let removeIt = Text(en: "; remove it", ru: "; уберите его")

  /// Says that writing to standard output failed.
  static func cannotWriteOutput(_ error: Int32) -> Text {
    Text(en: "cannot write to standard output: ", ru: "не удалось записать в стандартный вывод: ")
      + .systemError(error)
  }

  // MARK: Help

  static let about = Text(
    en: "turns public schedule feeds into tables, data files and calendars",
    ru: "превращает открытые данные с расписаниями в таблицы, файлы данных и календари")
  static let usageHeading = Text(en: "Usage:", ru: "Использование:")
  static let commandAndOptions = Text(en: "COMMAND [options]", ru: "КОМАНДА [параметры]")
  static let options = Text(en: "[options]", ru: "[параметры]")
  static let commandsHeading = Text(en: "Commands:", ru: "Команды:")
  static let operandsHeading = Text(en: "Arguments:", ru: "Аргументы:")
  static let optionsHeading = Text(en: "Options:", ru: "Параметры:")
  static let exitCodesHeading = Text(en: "Exit codes:", ru: "Коды завершения:")
  static let examplesHeading = Text(en: "Examples:", ru: "Примеры:")
  static let mayRepeat = Text(en: "; may be repeated", ru: "; можно указать несколько раз")
  static let moreHelp = Text(
    en: "'sluice COMMAND --help' explains a command, with examples.",
    ru: "'sluice КОМАНДА --help' — справка по команде, с примерами.")
}

extension ExitCode {
  /// What the code means.
  var meaning: Text {
    switch self {
    case .done:
      Text(
        en: "done, or the reader of standard output went away",
        ru: "всё сделано, или программа, читавшая стандартный вывод, закрыла его раньше")
    case .someRejected:
      Text(
        en: "outputs written, some records rejected (within the limit), or parts missing or stale",
        ru: "всё записано, но часть записей отклонена (не больше предела) или часть данных не "
          + "получена либо устарела")
    case .usage:
      Text(en: "the command line is wrong", ru: "ошибка в командной строке")
    case .badData:
      Text(
        en: "the data is broken, or too much of it was rejected: nothing was published",
        ru: "данные повреждены или отклонено слишком много записей: ничего не опубликовано")
    case .noInput:
      Text(en: "there is no such input", ru: "входные данные не найдены")
    case .unreachable:
      Text(en: "the source could not be reached", ru: "источник недоступен")
    case .cannotCreate:
      Text(en: "an output cannot be created", ru: "не удалось создать выходной файл")
    case .ioError:
      Text(en: "reading or writing failed", ru: "ошибка чтения или записи")
    case .tryLater:
      Text(
        en: "try later: another run holds the lock, or a guard refused",
        ru: "попробуйте позже: файл занят другим запуском, или сработала защита")
    }
  }
}
