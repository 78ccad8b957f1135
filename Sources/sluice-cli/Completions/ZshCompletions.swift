import Sluice

/// Writes the completion script for zsh from the tables (zshcompsys(1), `_arguments`).
enum ZshCompletions {
  /// The whole script, descriptions in `language`.
  static func script(_ language: Language) -> String {
    """
    #compdef sluice
    # zsh completion for sluice. Save it as _sluice in a folder of $fpath, or load it after
    # compinit with: source <(sluice completions zsh)

    _sluice() {
      local curcontext=$curcontext state state_descr line
      local -a commands
      typeset -A opt_args
      commands=(
    \(commands(language))
      )
      _arguments -C -s -S \\
    \(options(nil, language, indent: 4)) \\
        '1: :->command' \\
        '*:: :->rest' && return
      case $state in
        command)
          _describe -t commands command commands ;;
        rest)
          case $words[1] in
    \(CommandRow.visible.map { rest($0, language) }.joined(separator: "\n"))
          esac ;;
      esac
    }

    _sluice_feeds() {
      _alternative 'feeds:feed:(\(Feed.names.joined(separator: " ")))' 'files:document:_files'
    }

    if [[ $funcstack[1] == _sluice ]]; then
      _sluice "$@"
    else
      compdef _sluice sluice
    fi

    """
  }

  private static func commands(_ language: Language) -> String {
    CommandRow.visible.map { row in
      "    " + quoted("\(row.name.rawValue):\(row.summary[language])")
    }.joined(separator: "\n")
  }

  /// The arguments of one command.
  private static func rest(_ row: CommandRow, _ language: Language) -> String {
    var lines = [options(row.name, language, indent: 12)]
    for (index, operand) in row.operands.enumerated() {
      lines.append(
        "            "
          + quoted("\(index + 1):\(operand.isRequired ? "" : ":")\(action(operand.value))"))
    }
    return """
              \(row.name.rawValue))
                _arguments -s -S \\
      \(lines.joined(separator: " \\\n")) ;;
      """
  }

  private static func options(
    _ command: CommandName?, _ language: Language, indent: Int
  ) -> String {
    let margin = String(repeating: " ", count: indent)
    return OptionRow.of(command).map { margin + specification($0, language) }
      .joined(separator: " \\\n")
  }

  /// An option as `_arguments` wants it: what it excludes, its spellings, its description, and how
  /// its value is completed.
  private static func specification(_ row: OptionRow, _ language: Language) -> String {
    let spellings = row.spellings.map { spelling in
      row.value == nil ? spelling : spelling + (spelling == row.long ? "=" : "+")
    }
    // A bracket ends the description; it may stand in it behind a backslash.
    let summary = row.summary(language).escaping("\\[]", as: "\\$")
    let value = row.value.map { ":" + action($0) } ?? ""
    let description = "[\(summary)]\(value)"
    guard spellings.count > 1 else {
      return quoted((row.isRepeatable ? "*" : "") + spellings[0] + description)
    }
    let exclusion = row.isRepeatable ? "*" : "(\(row.spellings.joined(separator: " ")))"
    return quoted(exclusion) + "{\(spellings.joined(separator: ","))}" + quoted(description)
  }

  /// The name of a value, and how it is completed.
  private static func action(_ kind: ValueKind) -> String {
    let name = kind.placeholder
    if kind.isFile { return "\(name):_files" }
    if kind.mayBeFile { return "\(name):_sluice_feeds" }
    guard let words = kind.offers else { return "\(name): " }
    return "\(name):(\(words.joined(separator: " ")))"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.escaping("'", as: "'\\$'") + "'"
  }
}
