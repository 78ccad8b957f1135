import Sluice
import SluiceText

/// A command, with everything that the parser, the help, the man page and the completions need.
///
///     static let status = Command(          one file in Commands: this row …
///       name: "status", summary: …, examples: […], options: StatusOptions.self)
///     struct StatusOptions: CommandOptions  … and the options, with their `run`
final class Command: Sendable {
  /// The table of commands. Help lists them in this order.
  static let all: [Command] = [
    .convert, .sync, .find, .diff, .history, .status, .config, .inspect, .searches, .feeds, .cities,
    .mark,
    .completions, .help, .man,
  ]

  /// A word of a command line that is not an option.
  struct Operand: Sendable {
    let value: ValueKind
    let isRequired: Bool
    /// Whether more than one word may be given. Only the last operand may be.
    let isRepeatable: Bool
    let help: Text

    init(value: ValueKind, isRequired: Bool, isRepeatable: Bool = false, help: Text) {
      self.value = value
      self.isRequired = isRequired
      self.isRepeatable = isRepeatable
      self.help = help
    }

    /// The operand in a usage line: `[INPUT]`.
    var usage: String { isRequired ? value.placeholder : "[\(value.placeholder)]" }
  }

  /// A command line to paste, and its meaning.
  struct Example: Sendable {
    let line: String
    let meaning: Text
  }

  let name: String
  /// Hidden commands are not listed.
  let isHidden: Bool
  /// The type that reads its command line and runs the command.
  let options: any CommandOptions.Type
  private let makeSummary: @Sendable () -> Text
  private let makeOperands: @Sendable () -> [Operand]
  private let makeNotes: @Sendable () -> [Text]
  private let makeExamples: @Sendable () -> [Example]

  /// Makes a row. Its texts are made only when they are read, so that a start is cheap.
  init(
    name: String, isHidden: Bool = false, summary: @autoclosure @escaping @Sendable () -> Text,
    operands: @autoclosure @escaping @Sendable () -> [Operand] = [],
    notes: @autoclosure @escaping @Sendable () -> [Text] = [],
    examples: @autoclosure @escaping @Sendable () -> [Example] = [],
    options: any CommandOptions.Type
  ) {
    self.name = name
    self.isHidden = isHidden
    self.options = options
    makeSummary = summary
    makeOperands = operands
    makeNotes = notes
    makeExamples = examples
  }

  /// Its line in the list of commands.
  var summary: Text { makeSummary() }

  /// Its operands, in order.
  var operands: [Operand] { makeOperands() }

  /// Explanations in addition to the options, one paragraph each.
  var notes: [Text] { makeNotes() }

  /// Examples of its command line.
  var examples: [Example] { makeExamples() }

  /// The commands that help lists.
  static let visible = all.filter { !$0.isHidden }

  /// Returns the command with this name, or nil if there is none.
  static func named(_ name: String) -> Command? { all.first { $0.name == name } }

  /// Whether the command reads an INPUT.
  var readsInput: Bool { operands.contains { $0.value == Operand.input.value } }

  /// Whether it takes options that not every command takes.
  var hasOwnOptions: Bool { Option.of(self).contains { $0.commands != nil } }

  /// Returns the usage line of the command.
  func usage(_ language: Language) -> String {
    let options = hasOwnOptions ? " \(Text.options[language])" : ""
    let operands = operands.map { " " + $0.usage }.joined()
    return "\(Program.name) \(name)\(operands)\(options)"
  }
}

extension Command: Equatable {
  /// The table has each command once.
  static func == (a: Command, b: Command) -> Bool { a === b }
}

extension Command.Operand {
  /// The operand of a command that reads several inputs.
  static let inputs = Command.Operand(
    value: input.value, isRequired: false, isRepeatable: true,
    help: input.help
      + Text(
        en: "; several, and folders, are read one after the other into the same outputs",
        ru: "; несколько файлов и папки читаются по очереди в одни и те же выходные файлы"))

  /// The operand of all commands that read data.
  static let input = Command.Operand(
    value: .file("INPUT"), isRequired: false,
    help: Text(
      en: """
        a file, '-' for standard input, or an http(s) URL; default: the feed's own URL; JSON, \
        zip and base64 are recognized by their first bytes
        """,
      ru: """
        файл, «-» (стандартный ввод) или адрес http(s); по умолчанию — собственный адрес набора \
        данных; JSON, zip и base64 распознаются по первым байтам
        """))
}

/// The options of a command, with every value read and checked.
protocol CommandOptions: Equatable, Sendable {
  /// Reads the options and the operands. The command's name is not among them. Throws the first
  /// error of the command line.
  init(_ arguments: Arguments) throws(UsageError)

  /// The feed that the command reads, or nil. Messages hide the values of its variables.
  var feedRead: Feed? { get }

  /// The variables that the user has opened to the feed's document, or nil if none can be sent.
  var openVariables: OpenVariables? { get }

  /// Runs the command. Returns the exit code.
  func run(_ console: Console) -> ExitCode
}

extension CommandOptions {
  /// Most commands read no feed.
  var feedRead: Feed? { nil }
  /// Most commands send nothing.
  var openVariables: OpenVariables? { nil }
}
