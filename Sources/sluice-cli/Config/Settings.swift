import Sluice

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
