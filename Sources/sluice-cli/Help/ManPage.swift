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
