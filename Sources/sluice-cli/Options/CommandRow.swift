import Sluice

/// A row of the table of commands.
struct CommandRow: Sendable {
  /// What a command takes beside options; every command takes at most one.
  struct Operand: Sendable {
    let value: ValueKind
    let isRequired: Bool
    let help: Text

    /// The operand in a usage line: `[INPUT]`.
    var usage: String { isRequired ? value.placeholder : "[\(value.placeholder)]" }
  }

  /// A command line that one can paste, and what it does.
  struct Example: Sendable {
    let line: String
    let meaning: Text
  }

  let name: CommandName
  /// Hidden commands are not listed.
  var isHidden = false
  let summary: Text
  var operand: Operand?
  /// What one has to know beside the options, one paragraph each.
  var notes: [Text] = []
  var examples: [Example] = []

  /// The commands that help lists.
  static let visible = all.filter { !$0.isHidden }

  /// The row of a command.
  static func of(_ name: CommandName) -> CommandRow? { all.first { $0.name == name } }

  /// The line that shows how the command is called.
  func usage(_ language: Language) -> String {
    let options =
      OptionRow.of(name).contains { $0.commands != nil } ? " \(Text.options[language])" : ""
    let operand = operand.map { " " + $0.usage } ?? ""
    return "\(Program.name) \(name.rawValue)\(operand)\(options)"
  }
}
