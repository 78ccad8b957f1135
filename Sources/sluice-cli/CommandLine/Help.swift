import Sluice

/// Writes help from the tables.
enum Help {
  /// Explains the program.
  static func program(_ language: Language) -> String {
    let commands = CommandRow.visible.map { row in
      (term: row.name.rawValue, meaning: row.summary[language])
    }
    let codes = ExitCode.allCases.map { (term: "\($0.rawValue)", meaning: $0.meaning[language]) }
    let examples = CommandRow.visible.compactMap(\.examples.first).prefix(3)
    return Columns.wrap("\(Program.name): \(Text.about[language])", indent: 0)
      + section(.usageHeading, "  \(Program.name) \(Text.commandAndOptions[language])\n", language)
      + section(.commandsHeading, Columns.list(commands, termWidth: 12), language)
      + section(.optionsHeading, options(OptionRow.of(nil), language), language)
      + section(.exitCodesHeading, Columns.list(codes, termWidth: 2), language)
      + section(.examplesHeading, show(Array(examples), language), language)
      + "\n" + Text.moreHelp[language] + "\n"
  }

  /// Explains a command.
  static func command(_ row: CommandRow, _ language: Language) -> String {
    var help = Columns.wrap(
      "\(Program.name) \(row.name.rawValue): \(row.summary[language])", indent: 0)
    help += section(.usageHeading, "  \(row.usage(language))\n", language)
    let operands = row.operands.map { operand in
      (term: operand.value.placeholder, meaning: operand.help[language])
    }
    help += section(.operandsHeading, Columns.list(operands, termWidth: 16), language)
    help += section(.optionsHeading, options(OptionRow.of(row.name), language), language)
    for note in row.notes {
      help += "\n" + Columns.wrap(note[language], indent: 0)
    }
    return help + section(.examplesHeading, show(row.examples, language), language)
  }

  private static func section(_ heading: Text, _ body: String, _ language: Language) -> String {
    body.isEmpty ? "" : "\n\(heading[language])\n\(body)"
  }

  private static func options(_ rows: [OptionRow], _ language: Language) -> String {
    let items = rows.map { row in
      let short = row.short.map { "-\($0), " } ?? "    "
      let value = row.value.map { " " + $0.placeholder } ?? ""
      let more = row.isRepeatable ? Text.mayRepeat[language] : ""
      return (term: short + row.long + value, meaning: row.help[language] + more)
    }
    return Columns.list(items, termWidth: 24)
  }

  private static func show(_ examples: [CommandRow.Example], _ language: Language) -> String {
    examples.map { example in
      "  # \(example.meaning[language])\n  \(example.line)\n"
    }.joined()
  }
}

/// Lays text out for a terminal of 80 columns. Every character counts as one column wide, which is
/// true of Latin and Cyrillic.
enum Columns {
  static let width = 80

  /// Breaks a paragraph into lines at its spaces; every line is indented.
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

  /// Lays out a list of terms and what they mean; terms wider than `termWidth` get lines of their
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

/// Writes the man page, in English, from the tables (mdoc macros, mdoc(7)).
enum ManPage {
  /// The whole page.
  static func page() -> String {
    let commands = CommandRow.visible
    var page = """
      .Dd \(Program.manualDate)
      .Dt \(Program.name.uppercased()) 1
      .Os
      .Sh NAME
      .Nm \(Program.name)
      .Nd \(text(Text.about.en))
      .Sh SYNOPSIS

      """
    for row in commands {
      page += ".Nm\n.Cm \(row.name.rawValue)\n"
      if OptionRow.of(row.name).contains(where: { $0.commands != nil }) {
        page += ".Op Ar options\n"
      }
      for operand in row.operands {
        page +=
          operand.isRequired
          ? "\(value(operand.value))\n" : ".Op \(value(operand.value).dropFirst())\n"
      }
    }
    page += ".Sh DESCRIPTION\n.Nm\n\(filled(Text.about.en + "."))"
    for row in commands {
      page += ".Ss \(Program.name) \(row.name.rawValue)\n\(sentence(row.summary.en))"
      for operand in row.operands {
        let shown = value(operand.value)
        page += ".Bl -tag -width Ds\n.It \(shown.dropFirst())\n\(sentence(operand.help.en)).El\n"
      }
      for note in row.notes { page += ".Pp\n" + filled(note.en) }
      page += options(OptionRow.of(row.name).filter { $0.commands != nil })
    }
    page += ".Ss Options of every command\n" + options(OptionRow.of(nil))
    page += environment
    page += ".Sh EXIT STATUS\n.Bl -tag -width Ds\n"
    for code in ExitCode.allCases {
      page += ".It \(code.rawValue)\n\(sentence(code.meaning.en))"
    }
    page += ".El\n.Sh EXAMPLES\n"
    for example in commands.flatMap(\.examples) {
      page += sentence(example.meaning.en).dropLast(2) + ":\n"
      page += ".Bd -literal -offset indent\n\(text(example.line))\n.Ed\n.Pp\n"
    }
    return String(page.dropLast(".Pp\n".count))
  }

  private static let environment = """
    .Sh ENVIRONMENT
    .Bl -tag -width Ds
    .It Ev LC_ALL , LC_MESSAGES , LANG
    The first that is set chooses the language of messages, Russian or English.
    .It Ev XDG_STATE_HOME , HOME
    Where
    .Cm sync
    keeps its state when
    .Fl \\-state
    does not say.
    .It Ev http_proxy , https_proxy , all_proxy , no_proxy
    Proxies to ask URLs through, and hosts that need none, as libcurl takes them.
    .It Ev NO_COLOR
    Messages have no colour where this is set.
    .It Ev SLUICE_CONFIG
    The configuration file, where
    .Fl \\-config
    is not given.
    .It Ev SLUICE_NAME
    Sets the option
    .Ar name ;
    capitals, and an underscore for every dash, as in
    .Ev SLUICE_MAX_AGE .
    .It Ev SOURCE_DATE_EPOCH
    The time that calendars carry, in seconds since 1970.
    .El

    """

  private static func options(_ rows: [OptionRow]) -> String {
    guard !rows.isEmpty else { return "" }
    var list = ".Bl -tag -width Ds\n"
    for row in rows {
      let value = row.value.map { " " + self.value($0).dropFirst() } ?? ""
      let flags = (row.short.map { "Fl \($0) , " } ?? "") + "Fl \\-\(text(row.name.rawValue))"
      let more = row.isRepeatable ? Text.mayRepeat.en : ""
      list += ".It \(flags)\(value)\n\(sentence(row.help.en + more))"
    }
    return list + ".El\n"
  }

  /// A value as a macro line: choices stand as they are typed, anything else is a placeholder.
  private static func value(_ kind: ValueKind) -> String {
    switch kind {
    case .choice(let names): ".Cm " + names.map(text).joined(separator: " | ")
    default: ".Ar " + text(kind.placeholder)
    }
  }

  /// A phrase of the tables as a sentence.
  private static func sentence(_ phrase: String) -> String {
    filled(phrase.prefix(1).uppercased() + phrase.dropFirst() + ".")
  }

  /// A paragraph in lines of at most 78 bytes, every sentence on a new one, as roff wants it.
  private static func filled(_ paragraph: String) -> String {
    var lines: [String] = []
    var line = ""
    for word in paragraph.split(separator: " ").map({ text(String($0)) }) {
      if !line.isEmpty, line.last == "." || line.utf8.count + 1 + word.utf8.count > 78 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Escapes what roff would take for its own.
  private static func text(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      // Typed text must be pasted as it was: no typographic dashes, quotes or accents.
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "~": result += "\\(ti"
      case "`": result += "\\(ga"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}

// Texts for people that several places share, and those of help. The texts of errors are beside
// this file; those of options and commands stand in their tables.

extension Text {
  /// Points to the help of a command.
  static func seeHelp(of command: CommandName?) -> Text {
    let line = ["sluice", command?.rawValue, "--help"].compactMap(\.self).joined(separator: " ")
    return Text(en: "; try '\(line)'", ru: "; справка: '\(line)'")
  }

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
