import Sluice

/// Writes the completion script for fish from the tables.
enum FishCompletions {
  /// The whole script, descriptions in `language`.
  static func script(_ language: Language) -> String {
    var lines = [
      "# fish completion for sluice. Save it as ~/.config/fish/completions/sluice.fish",
      "complete -c sluice -f",
    ]
    for row in CommandRow.visible {
      lines.append(
        "complete -c sluice -n __fish_use_subcommand -a \(row.name.rawValue) "
          + "-d \(quoted(row.summary[language]))")
    }
    for row in OptionRow.all {
      let condition =
        row.commands.map { commands in
          " -n \(quoted(seen(commands)))"
        } ?? ""
      let short = row.short.map { " -s \($0)" } ?? ""
      lines.append(
        "complete -c sluice\(condition)\(short) -l \(row.name.rawValue)"
          + "\(row.value.map { " " + takes($0) } ?? "") -d \(quoted(row.summary(language)))")
    }
    for row in CommandRow.visible {
      guard let operand = row.operands.first else { continue }
      let takes =
        operand.value.isFile
        ? "-F" : "\(operand.value.mayBeFile ? "-F " : "")-a \(list(operand.value))"
      lines.append("complete -c sluice -n \(quoted(seen([row.name]))) \(takes)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func seen(_ commands: [CommandName]) -> String {
    "__fish_seen_subcommand_from " + commands.map(\.rawValue).joined(separator: " ")
  }

  /// How the value of an option is completed: from files, from a list, or not at all.
  private static func takes(_ kind: ValueKind) -> String {
    if kind.isFile { return "-r -F" }
    if kind.mayBeFile { return "-r -F -a \(list(kind))" }
    return kind.offers == nil ? "-x" : "-x -a \(list(kind))"
  }

  private static func list(_ kind: ValueKind) -> String {
    quoted((kind.offers ?? []).joined(separator: " "))
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.escaping("\\'", as: "\\$") + "'"
  }
}
