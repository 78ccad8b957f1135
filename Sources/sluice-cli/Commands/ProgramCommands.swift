import Sluice
import SluiceText

// The commands about the program itself.

extension Command {
  /// The row of `completions`.
  static let completions = Command(
    name: "completions",
    summary: Text(
      en: "print a script that completes commands and options in a shell",
      ru: "вывести скрипт автодополнения команд и параметров для оболочки"),
    operands: [
      Operand(
        value: .choice(of: Shell.self), isRequired: true,
        help: Text(en: "the shell that runs the script", ru: "для какой оболочки"))
    ],
    examples: [
      Example(
        line: "sluice completions bash > ~/.local/share/bash-completion/completions/sluice",
        meaning: Text(en: "install for bash", ru: "установить для bash")),
      Example(
        line: "source <(sluice completions zsh)",
        meaning: Text(
          en: "load in .zshrc, after compinit", ru: "подключить в .zshrc, после compinit")),
      Example(
        line: "sluice completions fish > ~/.config/fish/completions/sluice.fish",
        meaning: Text(en: "install for fish", ru: "установить для fish")),
    ],
    options: CompletionsOptions.self)

  /// The row of `help`.
  static let help = Command(
    name: "help",
    summary: Text(en: "show help for a command", ru: "показать справку по команде"),
    operands: [
      Operand(
        value: .command, isRequired: false,
        help: Text(en: "the command to explain", ru: "о какой команде рассказать"))
    ],
    examples: [
      Example(
        line: "sluice help convert",
        meaning: Text(en: "explain one command", ru: "рассказать об одной команде"))
    ],
    options: HelpOptions.self)

  /// The row of `man`.
  static let man = Command(
    name: "man", isHidden: true,
    summary: Text(en: "print the man page", ru: "вывести страницу руководства (man)"),
    examples: [
      Example(
        line: "sluice man > ~/.local/share/man/man1/sluice.1",
        meaning: Text(en: "install it", ru: "установить её"))
    ],
    options: ManOptions.self)
}

/// The options of `completions`.
struct CompletionsOptions: CommandOptions {
  let shell: Shell

  /// Reads the name of the shell.
  init(_ arguments: Arguments) throws(UsageError) {
    shell = try Arguments.choice(arguments.operand ?? "", for: Command.completions.name)
  }

  /// Prints the completion script of the shell.
  func run(_ console: Console) -> ExitCode {
    let script =
      switch shell {
      case .bash: BashCompletions.script()
      case .zsh: ZshCompletions.script(console.language)
      case .fish: FishCompletions.script(console.language)
      }
    return show(script, console)
  }
}

/// The options of `help`, and of `--help`.
struct HelpOptions: CommandOptions {
  /// The command to explain, or nil for the program.
  let command: Command?

  /// Explains a command, or the program.
  init(of command: Command?) { self.command = command }

  /// Reads the name of the command.
  init(_ arguments: Arguments) throws(UsageError) {
    command = try arguments.operand.map { name throws(UsageError) in
      guard let command = Command.named(name) else { throw .unknownCommand(name) }
      return command
    }
  }

  /// Prints the help.
  func run(_ console: Console) -> ExitCode {
    let language = console.language
    return show(command.map { Help.command($0, language) } ?? Help.program(language), console)
  }
}

/// The options of `man`.
struct ManOptions: CommandOptions {
  /// Reads nothing: there are no options.
  init(_ arguments: Arguments) {}

  /// Prints the man page.
  func run(_ console: Console) -> ExitCode { show(ManPage.page(), console) }
}

/// The option `--version`, which needs no command.
struct VersionOptions: CommandOptions {
  /// Whether the versions of the libraries are asked for too.
  private let isVerbose: Bool

  /// Reads whether `-v` was given.
  init(_ arguments: Arguments) { isVerbose = arguments.has(.verbose) }

  /// Prints the name and the version.
  func run(_ console: Console) -> ExitCode {
    let version = "\(Program.name) \(Program.version)\n"
    return show(isVerbose ? version + Self.libraries[console.language] : version, console)
  }

  /// The libraries and their versions: those that only a new program updates, and the system's.
  private static var libraries: Text {
    let inside = Libraries.inside.joined(separator: ", ")
    let loaded: Text
    do throws(PipelineError) {
      let curl = try Libraries.curl()
      loaded = .verbatim(curl)
    } catch {
      loaded = error.text
    }
    return Text(
      en: "inside the program: \(inside)\nof the system, for URLs: \(loaded.en)\n",
      ru: "внутри программы: \(inside)\nиз системы, для URL: \(loaded.ru)\n")
  }
}
