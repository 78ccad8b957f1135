import Sluice
import SluiceText

/// Writes the man page, in English, from the tables (mdoc macros, mdoc(7)).
///
///     NAME, SYNOPSIS, DESCRIPTION
///     COMMANDS       each with the options that only it takes, and the names of the others
///     OPTIONS        those that several commands take, in the groups of the table
///     ENVIRONMENT, EXIT STATUS, EXAMPLES, SEE ALSO
enum ManPage {
  /// The whole page.
  static func page() -> String {
    head + synopsis + description + commands + sharedOptions + environment + exitStatus + examples
      + seeAlso
  }

  private static let head = """
    .Dd \(Program.manualDate)
    .Dt \(Program.name.uppercased()) 1
    .Os
    .Sh NAME
    .Nm \(Program.name)
    .Nd \(text(Text.about.en))

    """

  private static var synopsis: String {
    ".Sh SYNOPSIS\n"
      + Command.visible.map { command in
        let options = command.hasOwnOptions ? ".Op Ar options\n" : ""
        let operands = command.operands.map { operand in
          operand.isRequired
            ? "\(value(operand.value))\n" : ".Op \(value(operand.value).dropFirst())\n"
        }
        return ".Nm\n.Cm \(command.name)\n" + options + operands.joined()
      }.joined()
  }

  private static var description: String {
    ".Sh DESCRIPTION\n.Nm\n\(filled(Text.about.en + "."))"
      + "The commands read this operand:\n" + list(of: .input)
  }

  // MARK: Commands

  private static var commands: String {
    ".Sh COMMANDS\n"
      + Command.visible.map { command in
        let operands = command.operands.filter { $0.value != Command.Operand.input.value }
        let own = Option.of(command).filter { !isShared($0) }
        return ".Ss \(Program.name) \(command.name)\n\(sentence(command.summary.en))"
          + operands.map(list(of:)).joined()
          + command.notes.map { ".Pp\n" + filled($0.en) }.joined()
          + (takesThoseOf(command) ?? list(own) + names(of: Option.of(command).filter(isShared)))
      }.joined()
  }

  /// Whether several commands take the option. `config` does not count, because it takes those of
  /// `sync`.
  private static func isShared(_ option: Option) -> Bool {
    option.commands.map { $0.filter { $0 != .config }.count > 1 } ?? true
  }

  /// Returns a reference to an earlier command with the same options, or nil if there is none or no
  /// option.
  private static func takesThoseOf(_ command: Command) -> String? {
    let options = Option.of(command).map(\.name)
    let earlier = Command.visible.prefix { $0 != command }
    guard command.hasOwnOptions,
      let same = earlier.first(where: { Option.of($0).map(\.name) == options })
    else { return nil }
    return ".Pp\nIt takes the options of\n.Cm \(same.name) .\n"
  }

  /// Returns a reference to options that are explained once for all commands.
  private static func names(of shared: [Option]) -> String {
    let names = shared.filter { $0.commands != nil }.map { ".Fl \\-\(text($0.name.rawValue))" }
    guard let last = names.last else { return "" }
    let others = names.dropLast().map { $0 + " ,\n" }.joined()
    return ".Pp\nShared options:\n" + others + last + " .\n"
  }

  private static var sharedOptions: String {
    ".Sh OPTIONS\nThese options are shared by several commands.\n"
      + Option.groups.map { group in
        let options = group.options.filter(isShared)
        return options.isEmpty ? "" : ".Ss \(text(group.title.en))\n" + list(options)
      }.joined()
  }

  private static func list(_ options: [Option]) -> String {
    guard !options.isEmpty else { return "" }
    let items = options.map { option in
      let value = option.value.map { " " + self.value($0).dropFirst() } ?? ""
      let long = "Fl \\-\(text(option.name.rawValue))"
      let flags = (option.short.map { "Fl \($0) , " } ?? "") + long
      let more = option.isRepeatable ? Text.mayRepeat.en : ""
      return ".It \(flags)\(value)\n\(sentence(option.help.en + more))"
    }
    return ".Bl -tag -width Ds\n" + items.joined() + ".El\n"
  }

  private static func list(of operand: Command.Operand) -> String {
    ".Bl -tag -width Ds\n.It \(value(operand.value).dropFirst())\n"
      + sentence(operand.help.en) + ".El\n"
  }

  // MARK: The rest

  private static let environment = """
    .Sh ENVIRONMENT
    .Bl -tag -width Ds
    .It Ev LC_ALL , LC_MESSAGES , LANG
    The first that is set chooses the language of messages, Russian or English.
    .It Ev XDG_STATE_HOME , HOME
    Where the state is kept if
    .Fl \\-state
    is not given.
    .It Ev http_proxy , https_proxy , all_proxy , no_proxy
    Proxies, and hosts that need none, as libcurl reads them.
    .It Ev NO_COLOR
    Messages have no colour if this is set.
    .It Ev SLUICE_CONFIG
    The configuration file if
    .Fl \\-config
    is not given.
    .It Ev SLUICE_NAME
    Sets the option
    .Ar name ;
    capitals, and an underscore for every dash, as in
    .Ev SLUICE_MAX_AGE .
    .It Ev CREDENTIALS_DIRECTORY
    A folder of secrets, one file for each variable of a feed.
    systemd makes it of LoadCredential.
    A file wins over the variable of its name.
    .It Ev SOURCE_DATE_EPOCH
    The time stamp of calendars, in seconds since 1970.
    .El

    """

  private static var exitStatus: String {
    ".Sh EXIT STATUS\n.Bl -tag -width Ds\n"
      + ExitCode.allCases.map { ".It \($0.rawValue)\n\(sentence($0.meaning.en))" }.joined()
      + ".El\n"
  }

  private static var examples: String {
    ".Sh EXAMPLES\n"
      + Command.visible.flatMap(\.examples).map { example in
        sentence(example.meaning.en).dropLast(2) + ":\n"
          + ".Bd -literal -offset indent\n\(text(example.line))\n.Ed\n"
      }.joined(separator: ".Pp\n")
  }

  private static let seeAlso = ".Sh SEE ALSO\n.Xr \(Program.name)-feed 5\n"

  // MARK: Text

  /// Returns a value as a macro line: choices as they are typed, anything else as a placeholder.
  private static func value(_ kind: ValueKind) -> String {
    switch kind {
    case .choice(let names): ".Cm " + names.map(text).joined(separator: " | ")
    default: ".Ar " + text(kind.placeholder)
    }
  }

  /// Makes a sentence of a phrase of the tables.
  private static func sentence(_ phrase: String) -> String {
    filled(phrase.prefix(1).uppercased() + phrase.dropFirst() + ".")
  }

  /// Returns a paragraph in lines of at most 78 bytes. Every sentence begins a new line, as roff
  /// requires.
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

  /// Escapes the characters that roff interprets.
  private static func text(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      // Typed text must not change when it is pasted: no typographic dashes, quotes or accents.
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "~": result += "\\(ti"
      case "`": result += "\\(ga"
      case _ where character.isASCII: result.append(character)
      default:
        for scalar in character.unicodeScalars {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
        }
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
