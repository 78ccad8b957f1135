import Sluice
import SluiceText

/// Writes help from the tables.
enum Help {
  /// The number of options from which they are shown in groups.
  private static let groupedFrom = 16

  /// Returns the help of the program.
  static func program(_ language: Language) -> String {
    let commands = Command.visible.map { command in
      (term: command.name, meaning: command.summary[language])
    }
    let codes = ExitCode.allCases.map { (term: "\($0.rawValue)", meaning: $0.meaning[language]) }
    let examples = Command.visible.compactMap(\.examples.first).prefix(3)
    return Columns.wrap("\(Program.name): \(Text.about[language])", indent: 0)
      + section(.usageHeading, "  \(Program.name) \(Text.commandAndOptions[language])\n", language)
      + section(.commandsHeading, Columns.list(commands, termWidth: 12), language)
      + section(.optionsHeading, list(Option.of(nil), language), language)
      + section(.exitCodesHeading, Columns.list(codes, termWidth: 2), language)
      + section(.examplesHeading, show(Array(examples), language), language)
      + "\n" + Text.moreHelp[language] + "\n"
  }

  /// Returns the help of a command.
  static func command(_ command: Command, _ language: Language) -> String {
    var help = Columns.wrap(
      "\(Program.name) \(command.name): \(command.summary[language])", indent: 0)
    help += section(.usageHeading, "  \(command.usage(language))\n", language)
    let operands = command.operands.map { operand in
      (term: operand.value.placeholder, meaning: operand.help[language])
    }
    help += section(.operandsHeading, Columns.list(operands, termWidth: 16), language)
    help += options(of: command, language)
    for note in command.notes {
      help += "\n" + Columns.wrap(note[language], indent: 0)
    }
    return help + section(.examplesHeading, show(command.examples, language), language)
  }

  /// Returns the options of a command, in groups if there are many.
  private static func options(of command: Command, _ language: Language) -> String {
    let all = Option.of(command)
    guard all.count >= groupedFrom else {
      return section(.optionsHeading, list(all, language), language)
    }
    return Option.groups.map { group in
      let options = group.options.filter { $0.belongs(to: command) }
      return section(.heading(group.title), list(options, language), language)
    }.joined()
  }

  private static func section(_ heading: Text, _ body: String, _ language: Language) -> String {
    body.isEmpty ? "" : "\n\(heading[language])\n\(body)"
  }

  private static func list(_ options: [Option], _ language: Language) -> String {
    let items = options.map { option in
      let short = option.short.map { "-\($0), " } ?? "    "
      let value = option.value.map { " " + $0.placeholder } ?? ""
      let more = option.isRepeatable ? Text.mayRepeat[language] : ""
      return (term: short + option.long + value, meaning: option.help[language] + more)
    }
    return Columns.list(items, termWidth: 24)
  }

  private static func show(_ examples: [Command.Example], _ language: Language) -> String {
    examples.map { example in
      "  # \(example.meaning[language])\n  \(example.line)\n"
    }.joined()
  }
}

extension Text {
  /// Returns the line after an error that points to the help of a command.
  static func seeHelp(of command: Command?) -> Text {
    let line = ["sluice", command?.name, "--help"].compactMap(\.self).joined(separator: " ")
    return Text(en: "; try '\(line)'", ru: "; справка: '\(line)'")
  }

  static let about = Text(
    en: "turns public schedule feeds into tables, data files and calendars",
    ru: "превращает открытые данные с расписаниями в таблицы, файлы данных и календари")
  static let options = Text(en: "[options]", ru: "[параметры]")
  static let mayRepeat = Text(en: "; may be repeated", ru: "; можно указать несколько раз")

  fileprivate static let usageHeading = Text(en: "Usage:", ru: "Использование:")
  fileprivate static let commandAndOptions = Text(
    en: "COMMAND [options]", ru: "КОМАНДА [параметры]")
  fileprivate static let commandsHeading = Text(en: "Commands:", ru: "Команды:")
  fileprivate static let operandsHeading = Text(en: "Arguments:", ru: "Аргументы:")
  fileprivate static let optionsHeading = Text(en: "Options:", ru: "Параметры:")
  fileprivate static let exitCodesHeading = Text(en: "Exit codes:", ru: "Коды завершения:")
  fileprivate static let examplesHeading = Text(en: "Examples:", ru: "Примеры:")
  fileprivate static let moreHelp = Text(
    en: "'sluice COMMAND --help' explains a command, with examples.",
    ru: "'sluice КОМАНДА --help' — справка по команде, с примерами.")

  fileprivate static func heading(_ title: Text) -> Text {
    Text(en: "\(title.en):", ru: "\(title.ru):")
  }
}

extension ExitCode {
  /// The meaning of the code, for people.
  var meaning: Text {
    switch self {
    case .done:
      Text(
        en: "done, or the reader of standard output went away",
        ru: "всё сделано, или программа, читавшая стандартный вывод, закрыла его раньше")
    case .nothingSelected:
      Text(
        en: "the selection keeps no row: files that exist stay as they were, new ones are made; "
          + "find: no such place; mark: no such row",
        ru: "под отбор ничего не подошло: прежние файлы остались как были, новые созданы; find: "
          + "такого места нет; mark: такой строки нет")
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

/// Lays text out for a terminal of 80 columns. Every character counts as one column wide, which is
/// true of Latin and Cyrillic.
enum Columns {
  static let width = 80

  /// Breaks a paragraph into lines at its spaces, and indents every line.
  static func wrap(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    var isBlank = true
    for word in text.split(separator: " ") {
      if !isBlank, line.count + 1 + word.count > width {
        lines.append(line)
        line = margin
        isBlank = true
      }
      line += (isBlank ? "" : " ") + word
      isBlank = false
    }
    lines.append(line)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Lays out a list of terms and their meanings. A term wider than `termWidth` has a line of its
  /// own.
  static func list(_ items: [(term: String, meaning: String)], termWidth: Int) -> String {
    let indent = 2 + termWidth + 2
    return items.reduce(into: "") { result, item in
      let term = "  " + item.term
      if item.term.count > termWidth {
        result += term + "\n" + wrap(item.meaning, indent: indent)
      } else {
        let gap = String(repeating: " ", count: indent - term.count)
        result += wrap(term + gap, item.meaning, indent: indent)
      }
    }
  }

  /// Wraps a paragraph whose first line begins with `head`, `indent` columns wide.
  private static func wrap(_ head: String, _ text: String, indent: Int) -> String {
    head + wrap(text, indent: indent).dropFirst(indent)
  }
}
