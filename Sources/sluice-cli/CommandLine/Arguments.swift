import Sluice
import SluiceText

/// The words of a command line, sorted into options and operands by the table of options.
///
///     -vo out.csv convert --format=csv -- -odd.json
///     ↓↓                  ↓               ↓
///     verbose, output "out.csv", format "csv"    operands: "convert" "-odd.json"
///
/// The table is the same for all commands, so words can be sorted before the command is known.
/// Nothing is thrown: the first problem is kept and the other words are still sorted, so that
/// `--help` and `--lang` count wherever they are.
struct Arguments {
  /// An option of the command line, with its value.
  struct Given {
    let option: Option
    let value: String?
    var origin = Origin.flag
    /// The options that count for this value alone: those of an output in a configuration file.
    var own: Arguments?
  }

  private(set) var options: [Given] = []
  private(set) var operands: [String] = []
  private(set) var problem: UsageError?
  /// The origin of the first operand.
  private(set) var operandOrigin = Origin.flag
  /// The options that were set to nothing (a flag to false, or a list to no items), and their
  /// origins.
  private(set) var cleared: [OptionName: Origin] = [:]

  /// Makes the options that count for one value of another option.
  init(_ options: [Given], cleared: [OptionName: Origin]) {
    self.options = options
    self.cleared = cleared
  }

  /// Sorts the words after the program's name.
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

  /// Reads `--name`, `--name=VALUE` or `--name VALUE`.
  private mutating func takeLong(_ word: String, _ rest: inout ArraySlice<String>) {
    let name = word.prefix { $0 != "=" }
    let attached = name.endIndex == word.endIndex ? nil : word[name.endIndex...].dropFirst()
    guard let option = Option.spelled(name) else {
      return note(.unknownOption(String(name)))
    }
    take(option, as: option.long, attached.map(String.init), &rest)
  }

  /// Reads `-f`, several of them in one (`-qv`), `-oFILE` (also `-o=FILE`) or `-o FILE`.
  private mutating func takeShort(_ word: String, _ rest: inout ArraySlice<String>) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = Option.all.first(where: { $0.short == letter }) else {
        // `-version` is a long option that lacks a dash.
        let isLong = word.count > 2 && nearest(to: "-" + word, in: Option.all.map(\.long)) != nil
        return note(.unknownOption(isLong ? word : "-\(letter)"))
      }
      if letters.first == "=" {
        return take(option, as: "-\(letter)", String(letters.dropFirst()), &rest)
      }
      if option.value != nil {
        return take(option, as: "-\(letter)", letters.isEmpty ? nil : String(letters), &rest)
      }
      take(option, as: "-\(letter)", nil, &rest)
    }
  }

  private mutating func take(
    _ option: Option, as spelling: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) {
    guard let kind = option.value else {
      guard attached == nil else { return note(.unexpectedValue(option: spelling)) }
      options.append(Given(option: option, value: nil))
      return
    }
    // An option is never read as a value: that would hide a forgotten value.
    let following = rest.first.flatMap { Arguments.isOption($0) ? nil : $0 }
    guard let value = attached ?? following, !value.isEmpty else {
      if attached == nil, following != nil { rest.removeFirst() }
      return note(.missingValue(option: spelling, placeholder: kind.placeholder))
    }
    if attached == nil { rest.removeFirst() }
    if !option.isRepeatable, options.contains(where: { $0.option.name == option.name }) {
      return note(.repeated(option: option.long))
    }
    options.append(Given(option: option, value: value))
  }

  /// Returns whether a word is an option of the table, spelled exactly.
  private static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("--") else {
      return word.count == 2 && word.first == "-"
        && Option.all.contains { $0.short == word.last }
    }
    let name = word.prefix { $0 != "=" }
    guard let option = Option.spelled(name) else { return false }
    return name.endIndex == word.endIndex || option.value != nil
  }

  private mutating func note(_ problem: UsageError) {
    if self.problem == nil { self.problem = problem }
  }

  /// Adds the settings before the typed options, because of -q and -v the last counts.
  mutating func put(_ settings: Settings) {
    options = settings.options + options
    cleared.merge(settings.cleared) { $1 }
    if operands.isEmpty, let input = settings.input {
      operands = [input.text]
      operandOrigin = input.origin
    }
  }

  /// Adds an option that was not typed.
  mutating func assume(_ name: OptionName, _ value: String) {
    guard let option = Option.named(name) else { return }
    options.append(Given(option: option, value: value))
  }

  /// Returns a copy with this operand instead of the others, or with none.
  func with(operand: String?) -> Arguments {
    var arguments = self
    arguments.operands = operand.map { [$0] } ?? []
    return arguments
  }

  /// Removes the first operand and returns it.
  mutating func takeOperand() -> String? {
    operands.isEmpty ? nil : operands.removeFirst()
  }
}

extension Arguments {
  /// Returns whether a flag was given.
  func has(_ name: OptionName) -> Bool { options.contains { $0.option.name == name } }

  /// The first operand.
  var operand: String? { operands.first }

  /// Returns all values of an option, in the order given.
  func all(_ name: OptionName) -> [String] {
    options.compactMap { $0.option.name == name ? $0.value : nil }
  }

  /// Returns the options that count for each value of an option alone, in the order given.
  func own(_ name: OptionName) -> [Arguments?] {
    options.compactMap { $0.option.name == name ? .some($0.own) : nil }
  }

  /// Returns whether an option has a value, or was set to none.
  func sets(_ name: OptionName) -> Bool { has(name) || cleared[name] != nil }

  /// The value of an option that is given at most once, or nil if it is not given.
  subscript(name: OptionName) -> String? { all(name).last }

  /// Returns the value of an option whose values are the names of an enumeration, or nil if it is
  /// not given. Throws if the value is not one of the names.
  func choice<Value>(_ name: OptionName, of: Value.Type = Value.self) throws(UsageError) -> Value?
  where Value: CaseIterable & RawRepresentable<String> {
    guard let text = self[name] else { return nil }
    return try Arguments.choice(text, for: name.spelled)
  }

  /// Reads a name of an enumeration. `what` is its option or operand, for the error.
  static func choice<Value>(_ text: String, for what: String) throws(UsageError) -> Value
  where Value: CaseIterable & RawRepresentable<String> {
    guard let value = Value.allCases.first(where: { $0.rawValue == text }) else {
      throw .notAChoice(what, value: text, choices: Value.allCases.map(\.rawValue))
    }
    return value
  }

  /// Returns the value of an option, as `read` converts it, or nil if it is not given. Throws if
  /// `read` returns nil.
  func value<Value>(
    _ name: OptionName, _ read: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let text = self[name] else { return nil }
    guard let value = read(text) else { throw .badValue(name, value: text) }
    return value
  }
}

/// The result of reading a command line: the request or the error, and the language of messages.
struct Invocation {
  let language: Language
  /// The command, if it is known. Errors point to its help.
  let command: Command?
  /// The secrets that were typed or set. No message repeats them.
  let secrets: [String]
  let request: Result<any CommandOptions, UsageError>

  /// Reads the words after the program's name. The locale comes from the environment.
  init(_ words: [String], environment: (String) -> String?) {
    var arguments = Arguments(words)
    let word = arguments.takeOperand()
    let command = word.flatMap(Command.named)
    self.command = command
    var problem: UsageError?
    do throws(UsageError) {
      arguments.put(try Settings(for: command, beside: arguments, environment))
    } catch {
      problem = error
    }
    language =
      arguments[.lang].flatMap(Language.init) ?? Language(environment: environment)
    secrets = Secrets.typed(
      words + arguments.operands + arguments.options.compactMap(\.value), arguments.all(.header))
    request = Result { [arguments, problem] () throws(UsageError) in
      if let problem { throw problem }
      do throws(UsageError) {
        return try Invocation.options(word, of: command, arguments)
      } catch {
        throw arguments.traced(error)
      }
    }
  }

  private static func options(
    _ word: String?, of command: Command?, _ arguments: Arguments
  ) throws(UsageError) -> any CommandOptions {
    if arguments.has(.version), !arguments.has(.help) { return VersionOptions(arguments) }
    if let word, command == nil { throw .unknownCommand(word) }
    if arguments.has(.help) {
      // `sluice help convert --help` explains convert.
      let explained = command == .help ? arguments.operands.first.flatMap(Command.named) : nil
      return HelpOptions(of: explained ?? command)
    }
    if let problem = arguments.problem { throw problem }
    guard let command else { throw .noCommand }
    for given in arguments.options where !given.option.belongs(to: command) {
      throw .optionOfOthers(
        option: given.option.long, command: command,
        takenBy: (given.option.commands ?? []).filter { $0 != .config })
    }
    _ = try arguments.choice(.lang, of: Language.self)
    try check(arguments.operands, of: command)
    return try command.options.init(arguments)
  }

  /// Checks that the command takes these operands.
  private static func check(_ operands: [String], of command: Command) throws(UsageError) {
    let allowed = command.operands
    let isOpen = allowed.last?.isRepeatable ?? false
    if operands.count > allowed.count, !isOpen { throw .excessOperand(operands[allowed.count]) }
    for (operand, word) in zip(allowed, operands) where word.isEmpty {
      throw .emptyOperand(operand.value.placeholder)
    }
    if let missing = allowed.dropFirst(operands.count).first(where: \.isRequired) {
      throw .missingOperand(missing.value.placeholder)
    }
  }
}

extension Invocation {
  /// Reads the command line as the system passes it: the program's name, the words, nil.
  ///
  /// A word that is not UTF-8 is an error: with replacement characters it would name another file.
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
    secrets = []
    request = .failure(failure)
  }
}

extension Arguments {
  /// Adds the origin of the value that the error is about, unless the value was typed.
  func traced(_ error: UsageError) -> UsageError {
    guard let origin = origin(of: error), origin != .flag else { return error }
    return .set(origin, error)
  }

  /// Returns the origin of the value that an error is about, or nil if it is not about a value.
  private func origin(of error: UsageError) -> Origin? {
    switch error {
    case .badValue(let option, let value): last(option) { $0 == value }
    case .notAChoice(let option, let value, _): last(spelled: option) { $0 == value }
    case .unknownFeed, .feedFile, .feedDocument, .noInput, .noEvents: last(.feed)
    case .filterWithoutField(let text): last(.where) { $0 == text }
    case .unknownField(let field, _, _), .unfilterableField(let field, _):
      last(.where) { $0.hasPrefix(field) }
    case .daysReversed: last(.to).flatMap { $0 == .flag ? nil : $0 } ?? last(.from)
    case .unknownScheme: operandOrigin
    case .unknownExtension(let path), .unknownPlace(_, let path, _), .splitDatabase(_, let path):
      last(.output) { $0 == path }
    case .idleFormat: last(.format)
    case .sharedFile(_, let option, let path), .outputIsInput(let option, let path),
      .insideSite(let option, let path, _):
      last(spelled: option) { $0 == path }
    case .sharedStandardOutput(_, let option):
      last(spelled: option) { Destination($0) == .standardOutput }
    case .idleFileIndex: last(.fileIndex)
    case .inputs(let error): error.option.flatMap { last($0) }
    case .table(let error): last(error.option)
    case .selection(let error): origin(of: error)
    case .noFileToSync: last(.output) { Destination($0) == .standardOutput }
    case .noCommand, .unknownCommand, .unknownOption, .missingValue, .unexpectedValue, .repeated,
      .optionOfOthers, .onlyOne, .missingOperand, .emptyOperand, .excessOperand, .notUTF8,
      .notTrueOrFalse, .variableNotUTF8, .badEpoch, .noStateFolder, .configFile, .config, .set,
      .noVariable, .closedVariable, .credential, .badFeedHeader, .noRequests, .noRequestToFile,
      .noSearch, .shortSearch,
      .shortListSearch, .filterOfTables, .noList, .noItemName, .unknownItem, .noListSearch,
      .noSuchTable, .severalTables, .idleMerge, .noKeyToMerge, .standardOutputIsInput:
      nil
    }
  }

  private func origin(of error: SelectionError) -> Origin? {
    switch error {
    case .unknownColumn(let name, _), .columnTwice(let name):
      last(.columns) { columnNames($0).contains(name) }
    case .columnsOfTables: last(.columns)
    case .notANumber(_, let value), .notAFlag(_, let value), .notATime(_, let value, _),
      .notATimeOfDay(_, let value):
      last(.where) { $0.hasSuffix(value) }
    case .noSuchSign(let sign): last(.where) { $0.firstPlace(of: sign) != nil }
    case .nothingToCompare(_, let sign): last(.where) { $0.hasSuffix(sign) }
    case .onlyDays(let option, let value): last(option) { $0 == value }
    }
  }

  private func last(spelled option: String, _ matches: (String) -> Bool) -> Origin? {
    Option.all.first { $0.spellings.contains(option) }
      .flatMap { last($0.name, matches) }
  }

  private func last(_ name: OptionName, _ matches: (String) -> Bool = { _ in true }) -> Origin? {
    options.last { $0.option.name == name && matches($0.value ?? "") }?.origin
  }
}

/// The origin of an option's value.
enum Origin: Equatable, Sendable {
  /// The command line.
  case flag
  /// This variable of the environment.
  case environment(String)
  /// A place in the configuration file at this path.
  case file(String, TextPlace)
}
