import Sluice
import SluiceText

/// Options that help shows under one heading.
struct OptionGroup: Sendable {
  let title: Text
  let options: [Option]
}

/// A row of the table of options, with everything that the parser, the help, the man page and the
/// completions need.
///
/// A run reads names only. The rest of a row is made only when it is read, so that a start is
/// cheap.
struct Option: Sendable {
  let name: OptionName
  let short: Character?
  let isRepeatable: Bool
  /// Whether a configuration file and the environment may set it. An option that is a single
  /// request may not be set.
  let isSetting: Bool
  private let makeValue: @Sendable () -> ValueKind?
  private let makeStandard: @Sendable () -> String?
  private let makeCommands: @Sendable () -> [Command]?
  private let makeHelp: @Sendable () -> Text

  /// Makes a row. `config` takes every option of `sync`.
  init(
    _ name: OptionName, short: Character? = nil,
    _ value: @autoclosure @escaping @Sendable () -> ValueKind? = nil,
    repeatable: Bool = false, isSetting: Bool = true,
    standard: @autoclosure @escaping @Sendable () -> String? = nil,
    on commands: @autoclosure @escaping @Sendable () -> [Command]? = nil,
    en: @autoclosure @escaping @Sendable () -> Sentence,
    ru: @autoclosure @escaping @Sendable () -> Sentence
  ) {
    self.name = name
    self.short = short
    self.isRepeatable = repeatable
    self.isSetting = isSetting
    makeValue = value
    makeStandard = standard
    makeCommands = commands
    makeHelp = { Text(en: en(), ru: ru()) }
  }

  /// The kind of its value, or nil for a flag.
  var value: ValueKind? { makeValue() }

  /// The default, if it is the same for every feed. Help mentions it too.
  var standard: String? { makeStandard() }

  /// The commands that take it, or nil for every command.
  var commands: [Command]? { makeCommands().map { $0.contains(.sync) ? $0 + [.config] : $0 } }

  /// Its description. A shell shows only the part before the first semicolon.
  var help: Text { makeHelp() }

  /// The option as it is typed, `--output`.
  var long: String { name.spelled }

  /// All its spellings, the short one first.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [long] }

  /// Returns whether a command takes it.
  func belongs(to command: Command) -> Bool { commands?.contains(command) ?? true }

  /// Returns the first part of the help, for one line in a shell.
  func summary(_ language: Language) -> String {
    String(help[language].prefix { $0 != ";" })
  }

  /// Returns the options that a command takes, in the order of the table. For nil, returns those of
  /// every command.
  static func of(_ command: Command?) -> [Option] {
    all.filter { option in command.map(option.belongs) ?? (option.commands == nil) }
  }

  /// Returns the option with this long name, or nil if there is none.
  static func named(_ name: OptionName) -> Option? { all.first { $0.name == name } }

  /// Returns the option of a word, `--output`, or nil if there is none.
  static func spelled(_ word: some StringProtocol) -> Option? {
    guard word.hasPrefix("--") else { return nil }
    let name = word.dropFirst(2)
    return all.first { $0.name.rawValue == name }
  }
}

/// An option, by its long name. ``Option/groups`` has the rest.
enum OptionName: String, CaseIterable, Sendable {
  case output, format
  case fileIndex = "file-index"
  case maxFiles = "max-files"
  case `where`, address, from, to
  case allowEmpty = "allow-empty"
  case feed, input, recursive, null
  case filesFrom = "files-from"
  case onError = "on-error"
  case threads
  case withInput = "with-input"
  case inputDate = "input-date"
  case pattern
  case entry, table, columns, merge
  case csvDialect = "csv-dialect"
  case headerRow = "header-row"
  case sort, limit, schema
  case alarm
  case calendarName = "calendar-name"
  case rejects
  case maxRejects = "max-rejects"
  case allowRejects = "allow-rejects"
  case stats
  case maxSize = "max-size"
  case maxOutput = "max-output"
  case cacert, header
  case maxTime = "max-time"
  case allowEnv = "allow-env"
  case state, config, offline
  case search, resume, mirror
  case maxAge = "max-age"
  case staleOK = "stale-ok"
  case maxShrink = "max-shrink"
  case accept, today, changes, ping
  case check, new, document, clear
  case dataPackage = "package"
  case lang, json, quiet, verbose
  case noProgress = "no-progress"
  case help, version

  /// The option as it is typed.
  var spelled: String { "--" + rawValue }
}
