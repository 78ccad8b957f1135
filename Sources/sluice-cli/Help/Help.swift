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
