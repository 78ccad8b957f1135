import Sluice

/// The words of a command line, sorted into options and operands by the table of options.
///
///     -vo out.csv convert --format=csv -- -odd.json
///     ↓↓                  ↓               ↓
///     verbose, output "out.csv", format "csv"    operands: "convert" "-odd.json"
///
/// The table is the same for all commands, so words can be sorted before the command is known.
/// Nothing is thrown: the first problem is kept, and the rest is sorted all the same, so that
/// `--help` and `--lang` count wherever they stand.
struct Arguments {
  /// An option as it was given.
  struct Given {
    let row: OptionRow
    let value: String?
    var origin = Origin.flag
  }

  private(set) var options: [Given] = []
  private(set) var operands: [String] = []
  private(set) var problem: UsageError?
  /// Where the first operand comes from, if not from the command line.
  private(set) var operandOrigin = Origin.flag
  /// What was set to nothing, a flag to false or a list to no items, and where.
  private(set) var cleared: [OptionName: Origin] = [:]

  /// Sorts the words that follow the program's name.
  init(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      } else if word == "-" || !word.hasPrefix("-") {
        operands.append(word)
      } else if word.hasPrefix("--") {
        takeLong(word, &rest)
      } else {
        takeShort(word, &rest)
      }
    }
  }

  /// Takes `--name`, `--name=VALUE` or `--name VALUE`.
  private mutating func takeLong(_ word: String, _ rest: inout ArraySlice<String>) {
    let name = word.prefix { $0 != "=" }
    let attached = name.endIndex == word.endIndex ? nil : word[name.endIndex...].dropFirst()
    guard let row = OptionRow.all.first(where: { $0.long == name }) else {
      return note(.unknownOption(String(name)))
    }
    take(row, as: row.long, attached.map(String.init), &rest)
  }

  /// Takes `-f`, several of them in one (`-qv`), `-oFILE` (also `-o=FILE`) or `-o FILE`.
  private mutating func takeShort(_ word: String, _ rest: inout ArraySlice<String>) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let row = OptionRow.all.first(where: { $0.short == letter }) else {
        // `-version` is a long option that lacks a dash.
        let isLong = word.count > 2 && nearest(to: "-" + word, in: OptionRow.all.map(\.long)) != nil
        return note(.unknownOption(isLong ? word : "-\(letter)"))
      }
      if letters.first == "=" {
        return take(row, as: "-\(letter)", String(letters.dropFirst()), &rest)
      }
      if row.value != nil {
        return take(row, as: "-\(letter)", letters.isEmpty ? nil : String(letters), &rest)
      }
      take(row, as: "-\(letter)", nil, &rest)
    }
  }

  private mutating func take(
    _ row: OptionRow, as spelling: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) {
    guard let kind = row.value else {
      guard attached == nil else { return note(.unexpectedValue(option: spelling)) }
      options.append(Given(row: row, value: nil))
      return
    }
    // A word that is itself an option is no value: it would hide a forgotten one.
    let following = rest.first.flatMap { Arguments.isOption($0) ? nil : $0 }
    guard let value = attached ?? following, !value.isEmpty else {
      if attached == nil, following != nil { rest.removeFirst() }
      return note(.missingValue(option: spelling, placeholder: kind.placeholder))
    }
    if attached == nil { rest.removeFirst() }
    if !row.isRepeatable, options.contains(where: { $0.row.name == row.name }) {
      return note(.repeated(option: row.long))
    }
    options.append(Given(row: row, value: value))
  }

  /// Says whether a word is an option of the table, exactly as one types it.
  private static func isOption(_ word: String) -> Bool {
    word.hasPrefix("-")
      && OptionRow.all.contains { row in
        row.spellings.contains(word) || row.value != nil && word.hasPrefix(row.long + "=")
      }
  }

  private mutating func note(_ problem: UsageError) {
    if self.problem == nil { self.problem = problem }
  }

  /// Puts in what was set elsewhere. It goes before what is there: of -q and -v the last counts.
  mutating func put(_ settings: Settings) {
    options = settings.options + options
    cleared.merge(settings.cleared) { $1 }
    if operands.isEmpty, let input = settings.input {
      operands = [input.text]
      operandOrigin = input.origin
    }
  }

  /// Adds an option that nobody has given.
  mutating func assume(_ name: OptionName, _ value: String) {
    guard let row = OptionRow.all.first(where: { $0.name == name }) else { return }
    options.append(Given(row: row, value: value))
  }

  /// Takes the first operand away.
  mutating func takeOperand() -> String? {
    operands.isEmpty ? nil : operands.removeFirst()
  }
}

extension Arguments {
  /// Says whether a flag was given.
  func has(_ name: OptionName) -> Bool { options.contains { $0.row.name == name } }

  /// Every value of an option, in the order given.
  func all(_ name: OptionName) -> [String] {
    options.compactMap { $0.row.name == name ? $0.value : nil }
  }

  /// The value of an option that is given once at most.
  subscript(name: OptionName) -> String? { all(name).last }

  /// The value of an option whose values are the names of an enumeration.
  func choice<Value>(_ name: OptionName, of: Value.Type = Value.self) throws(UsageError) -> Value?
  where Value: CaseIterable & RawRepresentable<String> {
    guard let text = self[name] else { return nil }
    return try Arguments.choice(text, for: name.spelled)
  }

  /// Reads a name of an enumeration; `what` is the option or operand that it was given for.
  static func choice<Value>(_ text: String, for what: String) throws(UsageError) -> Value
  where Value: CaseIterable & RawRepresentable<String> {
    guard let value = Value(rawValue: text) else {
      throw .notAChoice(what, value: text, choices: Value.allCases.map(\.rawValue))
    }
    return value
  }

  /// The value of an option, read by `read`; where that gives nil, the value is refused.
  func value<Value>(
    _ name: OptionName, _ read: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let text = self[name] else { return nil }
    guard let value = read(text) else { throw .badValue(name, value: text) }
    return value
  }
}

/// A command line understood: what to do, or what is wrong, and in which language to speak.
struct Invocation {
  let language: Language
  /// The command named, as far as it is known: errors point to its help.
  let command: CommandName?
  let request: Result<Command, UsageError>

  /// Reads the words that follow the program's name; the locale comes from the environment.
  init(_ words: [String], environment: (String) -> String?) {
    var arguments = Arguments(words)
    let word = arguments.takeOperand()
    let command = word.flatMap(CommandName.init)
    self.command = command
    let settings = Result { () throws(UsageError) in
      try Settings(for: command, beside: arguments, environment)
    }
    if case .success(let settings) = settings { arguments.put(settings) }
    language =
      arguments[.lang].flatMap(Language.init) ?? Language(environment: environment)
    request = Result { [arguments] () throws(UsageError) in
      _ = try settings.get()
      do throws(UsageError) {
        return try Invocation.command(word, named: command, arguments)
      } catch {
        throw arguments.traced(error)
      }
    }
  }

  private static func command(
    _ word: String?, named command: CommandName?, _ arguments: Arguments
  ) throws(UsageError) -> Command {
    if arguments.has(.version), !arguments.has(.help) { return .version }
    if let word, command == nil { throw .unknownCommand(word) }
    if arguments.has(.help) {
      // `sluice help convert --help` explains convert.
      let explained = command == .help ? arguments.operands.first.flatMap(CommandName.init) : nil
      return .help(explained ?? command)
    }
    if let problem = arguments.problem { throw problem }
    guard let command, let row = CommandRow.of(command) else { throw .noCommand }
    for given in arguments.options where !given.row.belongs(to: command) {
      throw .optionOfOthers(
        option: given.row.long, command: command,
        takenBy: (given.row.commands ?? []).filter { $0 != .config })
    }
    _ = try arguments.choice(.lang, of: Language.self)
    let operands = try operands(of: row, arguments)
    let operand = operands.first
    switch command {
    case .convert: return .convert(try ConvertOptions(arguments, operand: operand))
    case .sync: return .sync(try SyncOptions(arguments, operand: operand))
    case .status: return .status(StatusOptions(arguments))
    case .config: return .config(ConfigOptions(arguments, operand: operand))
    case .inspect: return .inspect(try InspectOptions(arguments, operand: operand))
    case .searches: return .searches(try SearchesOptions(arguments))
    case .feeds: return .feeds(try FeedsOptions(arguments, operand: operand))
    case .cities: return .cities(try ListOptions(arguments, operands: operands))
    case .completions:
      return .completions(try Arguments.choice(operand ?? "", for: row.name.rawValue))
    case .help:
      return .help(
        try operand.map { name throws(UsageError) in
          guard let command = CommandName(rawValue: name) else { throw .unknownCommand(name) }
          return command
        })
    case .man: return .man
    }
  }

  /// The operands that a command may take.
  private static func operands(
    of row: CommandRow, _ arguments: Arguments
  ) throws(UsageError) -> [String] {
    let allowed = row.operands
    if arguments.operands.count > allowed.count {
      throw .excessOperand(arguments.operands[allowed.count])
    }
    for (operand, word) in zip(allowed, arguments.operands) where word.isEmpty {
      throw .emptyOperand(operand.value.placeholder)
    }
    if let missing = allowed.dropFirst(arguments.operands.count).first(where: \.isRequired) {
      throw .missingOperand(missing.value.placeholder)
    }
    return arguments.operands
  }
}

extension Invocation {
  /// Reads the command line as the system hands it over: the program's name, the words, nil.
  ///
  /// A word that is not UTF-8 is refused: the replacement characters that would stand in a name
  /// name another file.
  init(
    commandLine: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    environment: (String) -> String?
  ) {
    var words: [String] = []
    var next = commandLine
    while let word = next.pointee {
      guard let text = String(validatingCString: word) else {
        self.init(failure: .notUTF8(word: words.count), environment: environment)
        return
      }
      words.append(text)
      next += 1
    }
    self.init(Array(words.dropFirst()), environment: environment)
  }

  private init(failure: UsageError, environment: (String) -> String?) {
    language = Language(environment: environment)
    command = nil
    request = .failure(failure)
  }
}

extension Arguments {
  /// The error together with where the value stands that it is about, if that was not typed.
  func traced(_ error: UsageError) -> UsageError {
    guard let origin = origin(of: error), origin != .flag else { return error }
    return .set(origin, error)
  }

  /// Where the value comes from that an error is about; nil where it is about none.
  private func origin(of error: UsageError) -> Origin? {
    switch error {
    case .badValue(let option, let value): last(option) { $0 == value }
    case .notAChoice(let option, let value, _): last(spelled: option) { $0 == value }
    case .unknownFeed, .feedFile, .feedDocument, .noInput, .noEvents: last(.feed)
    case .filterWithoutField(let text): last(.where) { $0 == text }
    case .unknownField(let field, _, _), .unfilterableField(let field, _), .dayField(let field):
      last(.where) { $0.hasPrefix(field + "=") }
    case .daysReversed: last(.to).flatMap { $0 == .flag ? nil : $0 } ?? last(.from)
    case .unknownScheme: operandOrigin
    case .unknownExtension(let path): last(.output) { $0 == path }
    case .idleFormat: last(.format)
    case .sharedFile(_, let option, let path), .outputIsInput(let option, let path):
      last(spelled: option) { $0 == path }
    case .sharedStandardOutput(_, let option):
      last(spelled: option) { Destination($0) == .standardOutput }
    case .noFileToSync: last(.output) { Destination($0) == .standardOutput }
    default: nil
    }
  }

  private func last(spelled option: String, _ matches: (String) -> Bool) -> Origin? {
    OptionRow.all.first { $0.spellings.contains(option) }
      .flatMap { last($0.name, matches) }
  }

  private func last(_ name: OptionName, _ matches: (String) -> Bool = { _ in true }) -> Origin? {
    options.last { $0.row.name == name && matches($0.value ?? "") }?.origin
  }
}

/// Where the value of an option comes from.
enum Origin: Equatable, Sendable {
  /// From the command line.
  case flag
  /// From a variable of the environment, named.
  case environment(String)
  /// From a configuration file, by its path.
  case file(String, TextPlace)
}
