import Sluice

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
