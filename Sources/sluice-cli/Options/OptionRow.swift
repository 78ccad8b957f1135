import Sluice

/// A row of the table of options: all that the parser, the help, the man page and the completions
/// know of an option.
struct OptionRow: Sendable {
  let name: OptionName
  let short: Character?
  /// What its value is; nil for a flag.
  let value: ValueKind?
  let isRepeatable: Bool
  /// Whether a configuration file and the environment may set it; what is asked for once may only
  /// be typed.
  let isSetting: Bool
  /// The commands that take it; nil is every command.
  let commands: [CommandName]?
  /// What it does. A shell shows only what stands before the first semicolon.
  let help: Text

  /// What holds where nothing is said and this is the same for every feed; help says it too.
  let standard: String?

  /// Makes a row. What `sync` takes, `config` takes too.
  init(
    _ name: OptionName, short: Character? = nil, _ value: ValueKind? = nil,
    repeatable: Bool = false, isSetting: Bool = true, standard: String? = nil,
    on commands: [CommandName]? = nil, en: String, ru: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.isRepeatable = repeatable
    self.isSetting = isSetting
    self.standard = standard
    self.commands = commands.map { $0.contains(.sync) ? $0 + [.config] : $0 }
    self.help = Text(en: en, ru: ru)
  }

  /// The option as one types it, `--output`.
  var long: String { name.spelled }

  /// Every way to type it, the short one first.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [long] }

  /// Says whether a command takes it.
  func belongs(to command: CommandName) -> Bool { commands?.contains(command) ?? true }

  /// The beginning of the help, for one line in a shell.
  func summary(_ language: Language) -> String {
    String(help[language].prefix { $0 != ";" })
  }

  /// The options that a command takes, in the order of the table; for nil, those of every command.
  static func of(_ command: CommandName?) -> [OptionRow] {
    all.filter { row in command.map(row.belongs) ?? (row.commands == nil) }
  }
}
