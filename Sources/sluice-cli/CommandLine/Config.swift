import Sluice

/// A configuration as it is written: one mapping from keys to texts and lists of texts.
///
///     # nightly                      key "output", items "a.csv" (2:10) and "a.ics" (2:17)
///     output: [a.csv, a.ics]    →    key "max-age", text "3h" (3:10)
///     max-age: 3h
///
/// Knows nothing of options. Whatever else YAML has is refused.
struct ConfigDocument: Equatable {
  /// A text and where it stands.
  struct Scalar: Equatable {
    let text: String
    let place: TextPlace
    /// Nothing is written: no text, or YAML's word for none.
    let isMissing: Bool
  }

  enum Value: Equatable {
    case text(Scalar)
    case list([Scalar])
  }

  struct Entry: Equatable {
    let key: Scalar
    let value: Value
    /// Where the value begins.
    let place: TextPlace
  }

  private(set) var entries: [Entry] = []

  /// A mapping, and lists in it.
  private static let depth = 2

  /// Reads the text of a file, whose name stands in errors.
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
      let key = Scalar(text: entry.key, place: entry.place, isMissing: entry.key.isEmpty)
      do throws(Misfit) {
        entries.append(
          Entry(key: key, value: try Self.value(entry.value), place: entry.value.place))
      } catch {
        let problem: ConfigFault.Problem =
          error.isItem ? .nestedItem(entry.key) : .nested(entry.key)
        throw ConfigFault(file: file, place: error.place, problem: problem)
      }
    }
  }

  /// What is neither a text nor a list of texts.
  private struct Misfit: Error {
    let place: TextPlace
    let isItem: Bool
  }

  private static func value(_ node: YAMLNode) throws(Misfit) -> Value {
    if let text = scalar(node) { return .text(text) }
    guard case .sequence(let nodes) = node.content else {
      throw Misfit(place: node.place, isItem: false)
    }
    var items: [Scalar] = []
    for node in nodes {
      guard let text = scalar(node) else { throw Misfit(place: node.place, isItem: true) }
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
  /// What is wrong with the YAML, as a configuration's problem.
  init(_ problem: YAMLFault.Problem) {
    self =
      switch problem {
      case .tooLarge(let limit): .tooLarge(limit: limit)
      case .notUTF8: .notUTF8
      case .controlCharacter: .controlCharacter
      case .unclosedQuote: .unclosedQuote
      case .syntax(let words): .syntax(words)
      case .severalDocuments: .severalDocuments
      case .alias: .alias
      case .tag: .tag
      case .keyNotText: .keyNotText
      case .duplicateKey(let key, let line): .duplicateKey(key, line: line)
      case .tooDeep(_, let key): key.map { .nestedItem($0) } ?? .notAMapping
      }
  }
}

/// What can be wrong with the text of a configuration file.
struct ConfigFault: Error, Equatable, Sendable {
  enum Problem: Equatable, Sendable {
    /// The file is larger than a configuration can be; in bytes.
    case tooLarge(limit: Int)
    case notUTF8
    /// A control character stands in the file, or a value stands for one.
    case controlCharacter
    /// A quotation mark is not closed.
    case unclosedQuote
    /// The text is not YAML, in libyaml's words.
    case syntax(String)
    /// There is something else than a mapping.
    case notAMapping
    /// A second document begins.
    case severalDocuments
    /// An anchor or an alias.
    case alias
    case tag
    /// A key is no text.
    case keyNotText
    /// A key stands there again; the line of the first.
    case duplicateKey(String, line: Int)
    case unknownKey(String)
    /// The option may be typed, but not be set.
    case onlyTyped(OptionName)
    /// The value of a key is a mapping.
    case nested(String)
    /// An item of a list is a mapping or a list.
    case nestedItem(String)
    /// A list for what is given once.
    case listForOne(String)
    case noValue(String)
  }

  let file: String
  let place: TextPlace
  let problem: Problem
}

/// Reads a configuration file whole.
enum ConfigFile {
  /// The entries of the file at `path`.
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

/// What the environment and a configuration file add to a command line.
///
///     typed:        -o c.csv                     (an option that is typed hides what is set)
///     environment:  SLUICE_MAX_AGE=1h            ─▶  max-age 1h   from SLUICE_MAX_AGE
///     file:         max-age: 3h, quiet: true     ─▶  quiet        from FILE:2:8
///
/// The table of options says all: a new option is read without a word here. Values are not
/// checked but for flags; that is done where the typed ones are.
struct Settings {
  /// The key that stands for the operand INPUT.
  static let input = "input"

  /// The options that count, those of the file first.
  private(set) var options: [Arguments.Given] = []
  /// What is set to nothing: flags to false, lists to no items.
  private(set) var cleared: [OptionName: Origin] = [:]
  private(set) var input: (text: String, origin: Origin)?

  private let command: CommandName
  /// Whether the command reads an INPUT.
  private let hasInput: Bool
  /// The options that a higher level has said.
  private var isSaid: Set<OptionName>

  /// Reads what is set for a command; nothing where only help or the version is wanted.
  init(
    for command: CommandName?, beside arguments: Arguments, _ environment: (String) -> String?
  ) throws(UsageError) {
    self.command = command ?? .help
    hasInput = command.flatMap(CommandRow.of)?.operand?.value == CommandRow.input.value
    isSaid = Set(arguments.options.map(\.row.name))
    guard let command, !arguments.has(.help), !arguments.has(.version), arguments.problem == nil,
      OptionRow.of(command).contains(where: { $0.commands != nil && $0.isSetting }),
      arguments.options.allSatisfy({ $0.row.belongs(to: command) })
    else { return }
    try read(environment)
    guard OptionRow.of(command).contains(where: { $0.name == .config }) else { return }
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

  /// The variable that sets an option.
  private static func variable(_ name: String) -> String {
    let name = name.uppercased().utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
    return "SLUICE_" + String(decoding: name, as: UTF8.self)
  }

  /// The value of a variable; an empty one counts as none.
  private static func text(
    of variable: String, _ environment: (String) -> String?
  ) throws(UsageError) -> String? {
    guard let text = environment(variable), !text.isEmpty else { return nil }
    // What stands for broken bytes would name another file.
    if text.unicodeScalars.contains("\u{FFFD}") { throw .variableNotUTF8(variable) }
    return text
  }

  // MARK: The environment

  private mutating func read(_ environment: (String) -> String?) throws(UsageError) {
    for row in OptionRow.of(command) where row.isSetting && !isSaid.contains(row.name) {
      let variable = Settings.variable(row.name.rawValue)
      guard let text = try Settings.text(of: variable, environment) else { continue }
      let origin = Origin.environment(variable)
      let items = row.isRepeatable ? text.split(separator: "\n").map(String.init) : [text]
      try set(row, items.map { ($0, origin) }, at: origin)
    }
    guard hasInput else { return }
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
    let row = OptionRow.all.first { $0.name.rawValue == key }
    guard key == Settings.input || row != nil else {
      throw fault(.unknownKey(key), entry.key.place)
    }
    if let row, !row.isSetting { throw fault(.onlyTyped(row.name), entry.key.place) }
    let items: [ConfigDocument.Scalar]
    switch entry.value {
    case .text(let text): items = [text]
    case .list(let list):
      guard row?.isRepeatable == true else { throw fault(.listForOne(key), entry.place) }
      items = list
    }
    for item in items where item.isMissing { throw fault(.noValue(key), item.place) }
    guard let row else {
      if hasInput, input == nil { input = items.first.map { ($0.text, .file(file, $0.place)) } }
      return
    }
    guard row.belongs(to: command), !isSaid.contains(row.name) else { return }
    try set(
      row, items.map { ($0.text, .file(file, $0.place)) }, at: .file(file, entry.place))
  }

  /// Takes over what one level says of an option.
  private mutating func set(
    _ row: OptionRow, _ items: [(text: String, origin: Origin)], at origin: Origin
  ) throws(UsageError) {
    isSaid.insert(row.name)
    if items.isEmpty { cleared[row.name] = origin }
    for item in items {
      guard row.value == nil else {
        options.append(Arguments.Given(row: row, value: item.text, origin: item.origin))
        continue
      }
      switch item.text {
      case "true": options.append(Arguments.Given(row: row, value: nil, origin: item.origin))
      case "false": cleared[row.name] = item.origin
      default: throw .set(item.origin, .notTrueOrFalse(row.name, value: item.text))
      }
    }
  }

  /// The keys that a configuration file may have.
  static var keys: [String] {
    [input] + OptionRow.all.filter(\.isSetting).map(\.name.rawValue)
  }
}

/// A setting as `config` shows it.
struct Setting: Equatable, Sendable {
  enum Value: Equatable, Sendable {
    case text(String)
    case list([String])
    /// Nothing is said, and there is no default to be named.
    case none
  }

  /// The key of a configuration file.
  let key: String
  let value: Value
  /// Nil is the default.
  let origin: Origin?
}

/// Writes texts as YAML.
enum YAMLText {
  /// A text, in quotes where it could be taken for something else or holds what cannot be shown.
  static func scalar(_ text: String) -> String {
    let safe = escaped(text, limit: .max)
    if safe != text { return quoted(text) }
    let isPlain =
      text.first.map { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "." } == true
      && text.last != ":" && !["null", "Null", "NULL"].contains(text)
      && text.allSatisfy { $0.isLetter || $0.isNumber || "/._-=%+:?&*".contains($0) }
    return isPlain ? text : "'" + text.escaping("'", as: "''") + "'"
  }

  /// A text in quotation marks in which escapes can stand.
  static func quoted(_ text: String) -> String {
    "\"" + escaped(text.escaping("\\\"", as: "\\$"), limit: .max) + "\""
  }
}

extension Origin {
  /// The place as errors begin with it.
  var place: Text {
    switch self {
    case .flag: .verbatim("")
    case .environment(let variable): .verbatim("\(variable): ")
    case .file(let path, let place): .place(path, place)
    }
  }
}

extension ConfigFault {
  /// Where, what is wrong, and what to do.
  var text: Text { .place(file, place) + problem.what + problem.remedy }
}

extension ConfigFault.Problem {
  /// What is wrong.
  var what: Text {
    switch self {
    case .tooLarge(let limit):
      Text(
        en: "the file is larger than \(limit >> 10) KiB", ru: "файл больше \(limit >> 10) КиБ")
    case .notUTF8: Text(en: "this is not valid UTF-8", ru: "это не текст в UTF-8")
    case .controlCharacter:
      Text(en: "this has a control character", ru: "здесь управляющий символ")
    case .unclosedQuote:
      Text(en: "this quotation mark is not closed", ru: "эта кавычка не закрыта")
    case .syntax(let words): Self.meaning(of: words)
    case .notAMapping:
      Text(en: "the file is not a list of keys and values", ru: "в файле не ключи и значения")
    case .severalDocuments:
      Text(en: "a second document begins here", ru: "здесь начинается второй документ")
    case .alias:
      Text(en: "anchors and aliases are not read", ru: "якоря и ссылки не поддерживаются")
    case .tag: Text(en: "tags are not read", ru: "теги не поддерживаются")
    case .keyNotText: Text(en: "this key is not a text", ru: "этот ключ — не текст")
    case .duplicateKey(let key, let line):
      Text(en: "the key ", ru: "ключ ") + .quoted(key)
        + Text(en: " stands in line \(line) already", ru: " уже есть в строке \(line)")
    case .unknownKey(let key):
      Text(en: "unknown key ", ru: "неизвестный ключ ") + .quoted(key)
    case .onlyTyped(let name):
      Text(en: "", ru: "параметр ") + .verbatim(name.rawValue)
        + Text(en: " cannot be set in a file", ru: " нельзя задать в файле")
    case .nested(let key):
      Text(en: "", ru: "значение ") + .quoted(key)
        + Text(en: " has keys of its own", ru: " содержит вложенные ключи")
    case .nestedItem(let key):
      Text(en: "an item of ", ru: "элемент списка ") + .quoted(key)
        + Text(en: " is not a text", ru: " — не текст")
    case .listForOne(let key):
      Text(en: "", ru: "для ") + .quoted(key)
        + Text(en: " takes one value, not a list", ru: " нужно одно значение, а не список")
    case .noValue(let key):
      Text(en: "", ru: "для ") + .quoted(key) + Text(en: " has no value", ru: " нет значения")
    }
  }

  /// What to do.
  var remedy: Text {
    switch self {
    case .tooLarge: Text(en: "; check the path", ru: "; проверьте путь")
    case .notUTF8: Text(en: "; save the file in UTF-8", ru: "; сохраните файл в UTF-8")
    case .controlCharacter, .keyNotText:
      Text(en: "; write plain text in one line", ru: "; напишите простой текст в одну строку")
    case .unclosedQuote: Text(en: "; close it", ru: "; закройте её")
    case .syntax(let words): Self.advice(on: words)
    case .notAMapping:
      Text(en: "; write lines such as 'max-age: 3h'", ru: "; пишите строки вида 'max-age: 3h'")
    case .severalDocuments:
      Text(en: "; keep one document in a file", ru: "; оставьте в файле один документ")
    case .alias, .tag:
      Text(
        en: "; write the value out, in quotes where it begins with a sign",
        ru: "; напишите значение полностью, а если оно начинается со знака — в кавычках")
    case .duplicateKey:
      Text(
        en: "; put all values into one list, or remove one of the lines",
        ru: "; соберите значения в один список или уберите одну из строк")
    case .unknownKey(let key):
      nearest(to: key, in: Settings.keys).map { .didYouMean($0) }
        ?? Text(en: "; 'sluice config' lists the keys", ru: "; ключи перечисляет 'sluice config'")
    case .onlyTyped(let name):
      Text(
        en: "; type it when it is needed: \(name.spelled)",
        ru: "; при необходимости укажите его в командной строке: \(name.spelled)")
    case .nested:
      Text(
        en: "; write one value, or a list in brackets: [a, b]",
        ru: "; напишите одно значение или список в скобках: [a, b]")
    case .nestedItem:
      Text(
        en: "; put an item with a colon in quotes: 'NAME: VALUE'",
        ru: "; элемент с двоеточием берите в кавычки: 'NAME: VALUE'")
    case .listForOne: Text(en: "; choose one", ru: "; выберите что-то одно")
    case .noValue:
      Text(en: "; write one, or remove the line", ru: "; напишите его или уберите строку")
    }
  }

  /// libyaml's words in our own, where they are frequent.
  private static func meaning(of words: String) -> Text {
    switch words {
    case "could not find expected ':'":
      Text(en: "a key without a colon", ru: "после ключа нет двоеточия")
    case "mapping values are not allowed in this context":
      Text(en: "a colon too many", ru: "лишнее двоеточие")
    case "found character that cannot start any token":
      Text(
        en: "a value cannot begin with this character",
        ru: "значение не может начинаться с этого символа")
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      Text(
        en: "a comma or the closing bracket is missing",
        ru: "не хватает запятой или закрывающей скобки")
    case "did not find expected key", "did not find expected '-' indicator",
      "block sequence entries are not allowed in this context":
      Text(en: "this does not fit what is before it", ru: "это не вяжется с тем, что выше")
    case "found unknown escape character":
      Text(en: "an unknown escape", ru: "неизвестная escape-последовательность")
    default:
      // Rare ones: in the library's own words.
      Text(en: "this is not YAML", ru: "это не YAML") + .verbatim(" (\(escaped(words)))")
    }
  }

  private static func advice(on words: String) -> Text {
    switch words {
    case "could not find expected ':'":
      Text(en: "; write 'key: value'", ru: "; пишите 'key: value'")
    case "mapping values are not allowed in this context":
      Text(
        en: "; put a value with ': ' in quotes, and check the indentation",
        ru: "; значение с ': ' берите в кавычки и проверьте отступ")
    case "found character that cannot start any token":
      Text(
        en: "; put the value in quotes, and indent with spaces, not tabs",
        ru: "; возьмите значение в кавычки, а отступы делайте пробелами, не табуляцией")
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      Text(en: "; write [a, b]", ru: "; пишите [a, b]")
    case "did not find expected key", "did not find expected '-' indicator",
      "block sequence entries are not allowed in this context":
      Text(
        en: "; check the indentation and the quotes before it",
        ru: "; проверьте отступ и кавычки перед этим местом")
    case "found unknown escape character":
      Text(
        en: "; use single quotes, where \\ is an ordinary character",
        ru: "; возьмите одинарные кавычки: в них \\ — обычный символ")
    default: Text(en: "; check the line", ru: "; проверьте строку")
    }
  }
}
