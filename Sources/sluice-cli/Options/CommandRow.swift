import Sluice

/// A row of the table of commands.
struct CommandRow: Sendable {
  /// What a command takes beside options: at most one thing, and perhaps a word before it that says
  /// what to do.
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
  var action: Operand?
  var operand: Operand?
  /// What one has to know beside the options, one paragraph each.
  var notes: [Text] = []
  var examples: [Example] = []

  /// The commands that help lists.
  static let visible = all.filter { !$0.isHidden }

  /// What it takes beside options, in order.
  var operands: [Operand] { [action, operand].compactMap(\.self) }

  /// The row of a command.
  static func of(_ name: CommandName) -> CommandRow? { all.first { $0.name == name } }

  /// The line that shows how the command is called.
  func usage(_ language: Language) -> String {
    let options =
      OptionRow.of(name).contains { $0.commands != nil } ? " \(Text.options[language])" : ""
    let operands = operands.map { " " + $0.usage }.joined()
    return "\(Program.name) \(name.rawValue)\(operands)\(options)"
  }
}
