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
