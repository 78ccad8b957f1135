import Sluice

/// The content of a configuration file: one mapping from keys to texts and lists of texts.
///
///     # nightly                      key "output", items "a.csv" (2:10) and "a.ics" (2:17)
///     output: [a.csv, a.ics]    →    key "max-age", text "3h" (3:10)
///     max-age: 3h
///
/// It does not know the options. Everything else in YAML is refused.
struct ConfigDocument: Equatable {
  /// A text and its place.
  struct Scalar: Equatable {
    let text: String
    let place: TextPlace
    /// Whether there is no value: no text, or YAML's null.
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

  /// Reads the text of a file; errors name the file.
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

  /// A value that is neither a text nor a list of texts.
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

/// The errors of a configuration file.
struct ConfigFault: Error, Equatable, Sendable {
  enum Problem: Equatable, Sendable {
    /// The file is larger than a configuration can be; in bytes.
    case tooLarge(limit: Int)
    case notUTF8
    /// A control character is in the file, or in a value by an escape.
    case controlCharacter
    /// A quotation mark is not closed.
    case unclosedQuote
    /// The text is not YAML, in libyaml's words.
    case syntax(String)
    /// The document is not a mapping.
    case notAMapping
    /// A second document begins.
    case severalDocuments
    /// An anchor or an alias.
    case alias
    case tag
    /// A key is not a text.
    case keyNotText
    /// A key occurs again; the line of the first.
    case duplicateKey(String, line: Int)
    case unknownKey(String)
    /// The option may only be typed.
    case onlyTyped(OptionName)
    /// The value of a key is a mapping.
    case nested(String)
    /// An item of a list is a mapping or a list.
    case nestedItem(String)
    /// A list for an option that takes one value.
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
/// The table of options decides everything: a new option needs no code here. Only the values of
/// flags are checked here; the others are checked together with the typed ones.
struct Settings {
  /// The key that stands for the operand INPUT.
  static let input = "input"

  /// The options that take effect, those of the file first.
  private(set) var options: [Arguments.Given] = []
  /// Options that are set to nothing: flags to false, lists to no items.
  private(set) var cleared: [OptionName: Origin] = [:]
  private(set) var input: (text: String, origin: Origin)?

  private let command: Command
  /// The options that a higher level has set.
  private var isSet: Set<OptionName>

  /// Reads the settings of a command; none if only help or the version is wanted.
  init(
    for command: Command?, beside arguments: Arguments, _ environment: (String) -> String?
  ) throws(UsageError) {
    self.command = command ?? .help
    isSet = Set(arguments.options.map(\.option.name))
    guard let command, !arguments.has(.help), !arguments.has(.version), arguments.problem == nil,
      Option.of(command).contains(where: { $0.commands != nil && $0.isSetting }),
      arguments.options.allSatisfy({ $0.option.belongs(to: command) })
    else { return }
    try read(environment)
    guard Option.of(command).contains(where: { $0.name == .config }) else { return }
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

  /// The value of a variable; nil if it is empty.
  private static func text(
    of variable: String, _ environment: (String) -> String?
  ) throws(UsageError) -> String? {
    guard let text = environment(variable), !text.isEmpty else { return nil }
    // With replacement characters for broken bytes, it would name another file.
    if text.unicodeScalars.contains("\u{FFFD}") { throw .variableNotUTF8(variable) }
    return text
  }

  // MARK: The environment

  private mutating func read(_ environment: (String) -> String?) throws(UsageError) {
    for option in Option.of(command) where option.isSetting && !isSet.contains(option.name) {
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
    let option = OptionName(rawValue: key).flatMap(Option.named)
    guard key == Settings.input || option != nil else {
      throw fault(.unknownKey(key), entry.key.place)
    }
    if let option, !option.isSetting { throw fault(.onlyTyped(option.name), entry.key.place) }
    let items: [ConfigDocument.Scalar]
    switch entry.value {
    case .text(let text): items = [text]
    case .list(let list):
      guard option?.isRepeatable == true else { throw fault(.listForOne(key), entry.place) }
      items = list
    }
    for item in items where item.isMissing { throw fault(.noValue(key), item.place) }
    guard let option else {
      if command.readsInput, input == nil { input = items.first.map { ($0.text, .file(file, $0.place)) } }
      return
    }
    guard option.belongs(to: command), !isSet.contains(option.name) else { return }
    try set(
      option, items.map { ($0.text, .file(file, $0.place)) }, at: .file(file, entry.place))
  }

  /// Adds the values that one level gives an option.
  private mutating func set(
    _ option: Option, _ items: [(text: String, origin: Origin)], at origin: Origin
  ) throws(UsageError) {
    isSet.insert(option.name)
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
    /// There is no value, and no default to be named.
    case none
  }

  /// The key of a configuration file.
  let key: String
  let value: Value
  /// Nil for a default.
  let origin: Origin?
}

/// Writes texts as YAML.
enum YAMLText {
  /// A text, in quotes if it could be read as something else or cannot be shown as it is.
  static func scalar(_ text: String) -> String {
    let safe = escaped(text, limit: .max)
    if safe != text { return quoted(text) }
    let isPlain =
      text.first.map { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "." } == true
      && text.last != ":" && !["null", "Null", "NULL"].contains(text)
      && text.allSatisfy { $0.isLetter || $0.isNumber || "/._-=%+:?&*".contains($0) }
    return isPlain ? text : "'" + text.escaping("'", as: "''") + "'"
  }

  /// A text in double quotes, with escapes.
  static func quoted(_ text: String) -> String {
    "\"" + escaped(text.escaping("\\\"", as: "\\$"), limit: .max) + "\""
  }
}

extension Origin {
  /// The beginning of an error about a value from here.
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
  var text: Text { .place(file, place) + problem.what + problem.remedy }
}

extension ConfigFault.Problem {
  /// The problem, as a clause; ``remedy`` follows it.
  var what: Text {
    switch self {
    case .tooLarge(let limit):
      return Text(
        en: "the file is larger than \(limit >> 10) KiB", ru: "файл больше \(limit >> 10) КиБ")
    case .notUTF8: return Text(en: "this is not valid UTF-8", ru: "это не текст в UTF-8")
    case .controlCharacter:
      return Text(en: "this has a control character", ru: "здесь управляющий символ")
    case .unclosedQuote:
      return Text(en: "this quotation mark is not closed", ru: "эта кавычка не закрыта")
    case .syntax(let words): return Self.meaning(of: words)
    case .notAMapping:
      return Text(
        en: "the file is not a list of keys and values",
        ru: "файл должен состоять из ключей и значений")
    case .severalDocuments:
      return Text(en: "a second document begins here", ru: "здесь начинается второй документ")
    case .alias:
      return Text(
        en: "anchors and aliases are not supported", ru: "якоря и ссылки не поддерживаются")
    case .tag: return Text(en: "tags are not supported", ru: "теги не поддерживаются")
    case .keyNotText: return Text(en: "this key is not a text", ru: "этот ключ — не текст")
    case .duplicateKey(let key, let line):
      let key = escaped(key)
      return Text(
        en: "the key \"\(key)\" is already in line \(line)",
        ru: "ключ «\(key)» уже есть в строке \(line)")
    case .unknownKey(let key):
      let key = escaped(key)
      return Text(en: "unknown key \"\(key)\"", ru: "неизвестный ключ «\(key)»")
    case .onlyTyped(let name):
      return Text(
        en: "\(name.rawValue) cannot be set in a file",
        ru: "параметр \(name.rawValue) нельзя задать в файле")
    case .nested(let key):
      let key = escaped(key)
      return Text(
        en: "\"\(key)\" has keys of its own", ru: "значение «\(key)» содержит вложенные ключи")
    case .nestedItem(let key):
      let key = escaped(key)
      return Text(
        en: "an item of \"\(key)\" is not a text", ru: "элемент списка «\(key)» — не текст")
    case .listForOne(let key):
      let key = escaped(key)
      return Text(
        en: "\"\(key)\" takes one value, not a list",
        ru: "для «\(key)» нужно одно значение, а не список")
    case .noValue(let key):
      let key = escaped(key)
      return Text(en: "\"\(key)\" has no value", ru: "для «\(key)» нет значения")
    }
  }

  /// The remedy, as a clause that follows ``what``.
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
        en: "; write the value itself, in quotes if it begins with a sign",
        ru: "; напишите само значение, а если оно начинается со знака — в кавычках")
    case .duplicateKey:
      Text(
        en: "; put all values into one list, or remove one of the lines",
        ru: "; соберите значения в один список или уберите одну из строк")
    case .unknownKey(let key):
      nearest(to: key, in: Settings.keys).map { .didYouMean($0) }
        ?? Text(en: "; 'sluice config' lists the keys", ru: "; ключи перечисляет 'sluice config'")
    case .onlyTyped(let name):
      Text(
        en: "; type it when you need it: \(name.spelled)",
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

  /// Explains the frequent ones of libyaml's messages.
  private static func meaning(of words: String) -> Text {
    switch words {
    case "could not find expected ':'":
      Text(en: "a colon is missing after a key", ru: "после ключа нет двоеточия")
    case "mapping values are not allowed in this context":
      Text(en: "there is one colon too many", ru: "лишнее двоеточие")
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
      Text(en: "this does not fit the lines above", ru: "это не согласуется с тем, что выше")
    case "found unknown escape character":
      Text(en: "this escape is unknown", ru: "эта escape-последовательность неизвестна")
    default:
      // Rare ones: in the library's own words.
      Text(en: "this is not YAML (\(escaped(words)))", ru: "это не YAML (\(escaped(words)))")
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
