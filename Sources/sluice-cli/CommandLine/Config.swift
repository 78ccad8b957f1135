import Sluice
import SluiceText

/// The content of a configuration file: one mapping from keys to texts and lists of texts.
///
///     # nightly                      key "output", items "a.csv" (2:10) and "a.ics" (2:17)
///     output: [a.csv, a.ics]    →    key "max-age", text "3h" (3:10)
///     max-age: 3h
///
/// It does not know the options. Everything else in YAML is an error.
struct ConfigDocument: Equatable {
  /// A text and its place.
  struct Scalar: Equatable {
    let text: String
    let place: TextPlace
    /// Whether the value is missing: no text, or YAML's null.
    let isMissing: Bool
  }

  enum Value: Equatable {
    case text(Scalar)
    case list([Scalar])
    /// A list of outputs, some of which have options of their own.
    case outputs([Item])
  }

  /// An output: its path, or a mapping of keys of its own.
  enum Item: Equatable {
    case text(Scalar)
    case mapping([Entry], place: TextPlace)
  }

  struct Entry: Equatable {
    let key: Scalar
    let value: Value
    /// The start of the value.
    let place: TextPlace
  }

  private(set) var entries: [Entry] = []

  /// The depth of a mapping with a list of outputs in it, which are mappings with lists in them.
  private static let depth = 4
  /// The key whose items may be mappings.
  static let outputs = OptionName.output.rawValue

  /// Reads the text of a file. Errors name the file.
  init(_ bytes: [UInt8], named file: String) throws(ConfigFault) {
    let root: YAMLNode?
    do throws(YAMLFault) {
      root = try YAMLNode.read(bytes, depth: Self.depth)
    } catch {
      throw ConfigFault(
        file: file, place: error.place, problem: ConfigFault.Problem(error.problem))
    }
    guard let root else { return }
    guard case .mapping(let mapping) = root.content else {
      throw ConfigFault(file: file, place: root.place, problem: .notAMapping)
    }
    for entry in mapping {
      do throws(Misfit) {
        if entry.key == Self.outputs, let items = try Self.items(entry.value) {
          entries.append(
            Entry(
              key: Self.key(entry), value: .outputs(items), place: entry.value.place))
        } else {
          entries.append(try Self.entry(entry))
        }
      } catch {
        let problem: ConfigFault.Problem =
          error.isItem ? .nestedItem(error.key) : .nested(error.key)
        throw ConfigFault(file: file, place: error.place, problem: problem)
      }
    }
  }

  /// Returns the outputs of a node; nil if none has options of its own.
  private static func items(_ node: YAMLNode) throws(Misfit) -> [Item]? {
    var nodes = [node]
    if case .sequence(let list) = node.content { nodes = list }
    guard nodes.contains(where: { if case .mapping = $0.content { true } else { false } }) else {
      return nil
    }
    var items: [Item] = []
    for node in nodes {
      if case .mapping(let mapping) = node.content {
        var entries: [Entry] = []
        for pair in mapping { entries.append(try entry(pair)) }
        items.append(.mapping(entries, place: node.place))
      } else if let text = scalar(node) {
        items.append(.text(text))
      } else {
        throw Misfit(key: outputs, place: node.place, isItem: true)
      }
    }
    return items
  }

  private static func key(_ pair: YAMLNode.Entry) -> Scalar {
    Scalar(text: pair.key, place: pair.place, isMissing: pair.key.isEmpty)
  }

  private static func entry(_ pair: YAMLNode.Entry) throws(Misfit) -> Entry {
    Entry(
      key: key(pair), value: try value(pair.value, of: pair.key), place: pair.value.place)
  }

  /// A value that is neither a text nor a list of texts.
  private struct Misfit: Error {
    let key: String
    let place: TextPlace
    let isItem: Bool
  }

  private static func value(_ node: YAMLNode, of key: String) throws(Misfit) -> Value {
    if let text = scalar(node) { return .text(text) }
    guard case .sequence(let nodes) = node.content else {
      throw Misfit(key: key, place: node.place, isItem: false)
    }
    var items: [Scalar] = []
    for node in nodes {
      guard let text = scalar(node) else { throw Misfit(key: key, place: node.place, isItem: true) }
      items.append(text)
    }
    return .list(items)
  }

  private static func scalar(_ node: YAMLNode) -> Scalar? {
    guard case .scalar(let text, _) = node.content else { return nil }
    return Scalar(text: text, place: node.place, isMissing: node.isMissing)
  }
}

extension ConfigFault.Problem {
  /// Converts a problem of YAML to one of a configuration file.
  fileprivate init(_ problem: YAMLFault.Problem) {
    self =
      switch problem {
      case .duplicateKey(let key, let line): .duplicateKey(key, line: line)
      case .tooDeep(_, let key): key.map { .nestedItem($0) } ?? .notAMapping
      case .tooLarge, .notUTF8, .controlCharacter, .unclosedQuote, .syntax, .severalDocuments,
        .alias, .tag, .keyNotText:
        .yaml(problem)
      }
  }
}

/// The errors of a configuration file.
struct ConfigFault: Error, Equatable, Sendable {
  enum Problem: Equatable, Sendable {
    /// The text is not the YAML that is supported.
    case yaml(YAMLFault.Problem)
    /// The document is not a mapping.
    case notAMapping
    /// A key is a duplicate. `line` is the line of the first.
    case duplicateKey(String, line: Int)
    case unknownKey(String)
    /// The option is allowed only on the command line.
    case onlyTyped(OptionName)
    /// The value of a key is a mapping.
    case nested(String)
    /// An item of a list is a mapping or a list.
    case nestedItem(String)
    /// A list for an option that takes one value.
    case listForOne(String)
    case noValue(String)
    /// An output has no path.
    case noPath
    /// A key that an output may not have.
    case notOfOutput(String)
  }

  let file: String
  let place: TextPlace
  let problem: Problem
}

/// Reads a whole configuration file.
private enum ConfigFile {
  /// Returns the entries of the file at `path`.
  static func read(_ path: String) throws(UsageError) -> ConfigDocument {
    let bytes: [UInt8]
    do throws(SourceFault) {
      bytes = try SmallFile.read(path, limit: YAMLNode.limit)
    } catch {
      throw .configFile(error)
    }
    do throws(ConfigFault) {
      return try ConfigDocument(bytes, named: path)
    } catch {
      throw .config(error)
    }
  }
}

/// The settings that the environment and a configuration file add to a command line.
///
///     typed:        -o c.csv                     (a typed option hides one that is set)
///     environment:  SLUICE_MAX_AGE=1h            ─▶  max-age 1h   from SLUICE_MAX_AGE
///     file:         max-age: 3h, quiet: true     ─▶  quiet        from FILE:2:8
///
/// Everything comes from the table of options: a new option needs no code here. Only the values of
/// flags are checked here. The others are checked together with the typed ones.
struct Settings {
  /// The key for the operand INPUT.
  static let input = "input"

  /// The options that take effect, those of the file first.
  private(set) var options: [Arguments.Given] = []
  /// Options that are set to nothing: flags to false, lists to no items.
  private(set) var cleared: [OptionName: Origin] = [:]
  private(set) var input: (text: String, origin: Origin)?

  private let command: Command
  /// The options that a higher level has set.
  private var isSet: [OptionName]

  /// Reads the settings of a command. There are none if only help or the version is requested.
  init(
    for command: Command?, beside arguments: Arguments, _ environment: (String) -> String?
  ) throws(UsageError) {
    self.command = command ?? .help
    isSet = arguments.options.map(\.option.name)
    guard let command, !arguments.has(.help), !arguments.has(.version), arguments.problem == nil,
      Option.all.contains(where: { $0.isSetting && $0.commands?.contains(command) == true }),
      arguments.options.allSatisfy({ $0.option.belongs(to: command) })
    else { return }
    try read(environment)
    guard Option.named(.config)?.belongs(to: command) == true else { return }
    var path = arguments[.config]
    if path == nil {
      path = try Settings.text(of: Settings.variable(OptionName.config.rawValue), environment)
    }
    guard let path else { return }
    let document = try ConfigFile.read(path)
    let higher = options
    options = []
    for entry in document.entries { try read(entry, of: path) }
    options += higher
  }

  /// Returns the name of the variable that sets an option.
  private static func variable(_ name: String) -> String {
    let name = name.uppercased().utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
    return "SLUICE_" + String(decoding: name, as: UTF8.self)
  }

  /// Returns the value of a variable, or nil if it is empty.
  private static func text(
    of variable: String, _ environment: (String) -> String?
  ) throws(UsageError) -> String? {
    guard let text = environment(variable), !text.isEmpty else { return nil }
    // With replacement characters for invalid bytes, the text would name another file.
    if text.unicodeScalars.contains("\u{FFFD}") { throw .variableNotUTF8(variable) }
    return text
  }

  // MARK: The environment

  private mutating func read(_ environment: (String) -> String?) throws(UsageError) {
    for option in Option.all
    where option.isSetting && !isSet.contains(option.name) && option.belongs(to: command) {
      let variable = Settings.variable(option.name.rawValue)
      guard let text = try Settings.text(of: variable, environment) else { continue }
      let origin = Origin.environment(variable)
      let items = option.isRepeatable ? text.split(separator: "\n").map(String.init) : [text]
      try set(option, items.map { ($0, origin) }, at: origin)
    }
    guard command.readsInput else { return }
    let variable = Settings.variable(Settings.input)
    if let text = try Settings.text(of: variable, environment) {
      input = (text, .environment(variable))
    }
  }

  // MARK: The file

  private mutating func read(
    _ entry: ConfigDocument.Entry, of file: String
  ) throws(UsageError) {
    func fault(_ problem: ConfigFault.Problem, _ place: TextPlace) -> UsageError {
      .config(ConfigFault(file: file, place: place, problem: problem))
    }
    let key = entry.key.text
    // Of find, it is an option.
    let option = key == Settings.input ? nil : OptionName(rawValue: key).flatMap(Option.named)
    guard key == Settings.input || option != nil else {
      throw fault(.unknownKey(key), entry.key.place)
    }
    if let option, !option.isSetting { throw fault(.onlyTyped(option.name), entry.key.place) }
    let items: [ConfigDocument.Scalar]
    switch entry.value {
    case .outputs(let outputs):
      guard let option, option.belongs(to: command), !isSet.contains(option.name) else { return }
      isSet.append(option.name)
      do throws(ConfigFault) {
        for item in outputs { options.append(try option.given(item, of: file)) }
      } catch {
        throw .config(error)
      }
      return
    case .text(let text): items = [text]
    case .list(let list):
      guard option?.isRepeatable == true else { throw fault(.listForOne(key), entry.place) }
      items = list
    }
    for item in items where item.isMissing { throw fault(.noValue(key), item.place) }
    guard let option else {
      if command.readsInput, input == nil {
        input = items.first.map { ($0.text, .file(file, $0.place)) }
      }
      return
    }
    guard option.belongs(to: command), !isSet.contains(option.name) else { return }
    try set(
      option, items.map { ($0.text, .file(file, $0.place)) }, at: .file(file, entry.place))
  }

  /// Adds the values of an option from one level.
  private mutating func set(
    _ option: Option, _ items: [(text: String, origin: Origin)], at origin: Origin
  ) throws(UsageError) {
    isSet.append(option.name)
    if items.isEmpty { cleared[option.name] = origin }
    for item in items {
      guard option.value == nil else {
        options.append(Arguments.Given(option: option, value: item.text, origin: item.origin))
        continue
      }
      switch item.text {
      case "true": options.append(Arguments.Given(option: option, value: nil, origin: item.origin))
      case "false": cleared[option.name] = item.origin
      default: throw .set(item.origin, .notTrueOrFalse(option.name, value: item.text))
      }
    }
  }

  /// The keys that a configuration file may have.
  static var keys: [String] {
    [input] + Option.all.filter(\.isSetting).map(\.name.rawValue)
  }
}

/// A setting as `config` shows it.
struct Setting: Equatable, Sendable {
  enum Value: Equatable, Sendable {
    case text(String)
    case list([String])
    /// A list of outputs: the path of each, and after it the options of its own.
    case outputs([[Setting]])
    /// There is no value, and no default to name.
    case none
  }

  /// The key of a configuration file.
  let key: String
  let value: Value
  /// The origin of the value, or nil if it is the default.
  let origin: Origin?
}

/// Writes texts as YAML.
enum YAMLText {
  /// Returns a text, in quotes if it could be read as something else or cannot be shown unchanged.
  static func scalar(_ text: String) -> String {
    let safe = escaped(text, limit: .max)
    if safe != text { return quoted(text) }
    let isPlain =
      text.first.map { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "." } == true
      && text.last != ":" && !["null", "Null", "NULL"].contains(text)
      && text.allSatisfy { $0.isLetter || $0.isNumber || "/._-=%+:?&*".contains($0) }
    return isPlain ? text : "'" + text.escaping("'", as: "''") + "'"
  }

  /// Returns a text in double quotes, with escapes.
  static func quoted(_ text: String) -> String {
    "\"" + escaped(text.escaping("\\\"", as: "\\$"), limit: .max) + "\""
  }
}

extension Origin {
  /// The start of an error about a value of this origin.
  var prefix: Text {
    switch self {
    case .flag: .verbatim("")
    case .environment(let variable): .verbatim("\(variable): ")
    case .file(let path, let place): .place(path, place)
    }
  }
}

extension ConfigFault {
  /// The place, the problem and the remedy.
  var text: Text { .place(file, place) + problem.message.text }
}

extension ConfigFault.Problem {
  /// The problem and the remedy.
  fileprivate var message: Message {
    switch self {
    case .yaml(let problem): problem.message
    case .notAMapping:
      Message(
        en: "the file is not a list of keys and values; write lines such as 'max-age: 3h'",
        ru: "файл должен состоять из ключей и значений; пишите строки вида 'max-age: 3h'")
    case .duplicateKey(let key, let line):
      Message(
        en: """
          the key \(quoted: key) is already in line \(line); put all values into one list, or \
          remove one of the lines
          """,
        ru: """
          ключ \(quoted: key) уже есть в строке \(line); соберите значения в один список или \
          уберите одну из строк
          """)
    case .unknownKey(let key):
      if let name = nearest(to: key, in: Settings.keys) {
        Message(
          en: "unknown key \(quoted: key)", ru: "неизвестный ключ \(quoted: key)", .meant(name))
      } else {
        Message(
          en: "unknown key \(quoted: key); 'sluice config' lists the keys",
          ru: "неизвестный ключ \(quoted: key); ключи перечисляет 'sluice config'")
      }
    case .onlyTyped(let name):
      Message(
        en: """
          \(name.rawValue) cannot be set in a file; type it when you need it: \(name.spelled)
          """,
        ru: """
          параметр \(name.rawValue) нельзя задать в файле; при необходимости укажите его в \
          командной строке: \(name.spelled)
          """)
    case .nested(let key):
      Message(
        en: """
          \(quoted: key) has keys of its own; write one value, or a list in brackets: [a, b]
          """,
        ru: """
          значение \(quoted: key) содержит вложенные ключи; напишите одно значение или список в \
          скобках: [a, b]
          """)
    case .nestedItem(let key):
      Message(
        en: """
          an item of \(quoted: key) is not a text; put an item with a colon in quotes: \
          'NAME: VALUE'
          """,
        ru: """
          элемент списка \(quoted: key) — не текст; элемент с двоеточием берите в кавычки: \
          'NAME: VALUE'
          """)
    case .listForOne(let key):
      Message(
        en: "\(quoted: key) takes one value, not a list; choose one",
        ru: "для \(quoted: key) нужно одно значение, а не список; выберите что-то одно")
    case .noPath:
      Message(
        en: "an output has no path; write {path: FILE, \(OutputMapping.keys[1]): …}",
        ru: "у выходного файла не указан путь; пишите {path: ФАЙЛ, \(OutputMapping.keys[1]): …}")
    case .notOfOutput(let key):
      Message(
        en: """
          \(quoted: key) cannot be set for one output; possible are \
          \(OutputMapping.keys.joined(separator: ", "))
          """,
        ru: """
          \(quoted: key) нельзя задать для одного выходного файла; можно: \
          \(OutputMapping.keys.joined(separator: ", "))
          """)
    case .noValue(let key):
      Message(
        en: "\(quoted: key) has no value; write one, or remove the line",
        ru: "для \(quoted: key) нет значения; напишите его или уберите строку")
    }
  }
}
