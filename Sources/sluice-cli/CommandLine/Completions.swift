import Sluice

/// Writes the completion script for bash (4.4 or newer) from the tables.
enum BashCompletions {
  /// The whole script.
  static func script() -> String {
    """
    # bash completion for sluice. Load it with: source <(sluice completions bash)

    _sluice() {
      local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= word
      # bash makes '=' a word of its own: --format = csv
      if [[ $cur == = ]]; then
        cur=
      elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
      fi
      COMPREPLY=()
      for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in
          \(Command.all.map(\.name).joined(separator: "|")))
            command=$word
            break ;;
        esac
      done
      case $prev in
    \(values)
      esac
      if [[ $cur == -* ]]; then
        case $command in
    \(options)
        esac
      else
        case $command in
    \(operands)
        esac
      fi
    }

    _sluice_files() {
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$1")
    }

    _sluice_words() {
      mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1")
    }

    _sluice_words_or_files() {
      _sluice_words "$1" "$2"
      ((${#COMPREPLY[@]})) || _sluice_files "$1"
    }

    complete -F _sluice sluice

    """
  }

  /// The values of options. Options with the same values share a line.
  private static var values: String {
    var lines: [(offer: String, spellings: [String])] = []
    for option in Option.all {
      guard let value = option.value else { continue }
      let offer = offer(value)
      if let index = lines.firstIndex(where: { $0.offer == offer }) {
        lines[index].spellings += option.spellings
      } else {
        lines.append((offer, option.spellings))
      }
    }
    return lines.map { line in
      let action = line.offer.isEmpty ? "return" : "\(line.offer); return"
      return "    \(line.spellings.joined(separator: "|"))) \(action) ;;"
    }.joined(separator: "\n")
  }

  private static var options: String {
    func line(_ pattern: String, _ options: [Option]) -> String {
      let words = options.flatMap(\.spellings).joined(separator: " ")
      return "      \(pattern)) _sluice_words \"$cur\" '\(words)' ;;"
    }
    let common = Option.of(nil)
    let own = Command.all.compactMap { command in
      command.hasOwnOptions ? line(command.name, Option.of(command)) : nil
    }
    return (own + [line("*", common)]).joined(separator: "\n")
  }

  private static var operands: String {
    // Only the first operand is completed. A second one is free text.
    let lines = Command.all.compactMap { command in
      command.operands.first.map { "      \(command.name)) \(offer($0.value)) ;;" }
    }
    return (lines + ["      '') \(offer(.command)) ;;"]).joined(separator: "\n")
  }

  /// Returns the command that offers values of a kind, or nothing for free text.
  private static func offer(_ kind: ValueKind) -> String {
    if kind.isFile { return "_sluice_files \"$cur\"" }
    guard let words = kind.offers else { return "" }
    if kind.mayBeFile {
      return "_sluice_words_or_files \"$cur\" '\(words.joined(separator: " "))'"
    }
    return "_sluice_words \"$cur\" '\(words.joined(separator: " "))'"
  }
}

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
    \(Command.visible.map { rest($0, language) }.joined(separator: "\n"))
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
    Command.visible.map { command in
      "    " + quoted("\(command.name):\(command.summary[language])")
    }.joined(separator: "\n")
  }

  /// The arguments of one command.
  private static func rest(_ command: Command, _ language: Language) -> String {
    var lines = [options(command, language, indent: 12)]
    for (index, operand) in command.operands.enumerated() {
      lines.append(
        "            "
          + quoted("\(index + 1):\(operand.isRequired ? "" : ":")\(action(operand.value))"))
    }
    return """
              \(command.name))
                _arguments -s -S \\
      \(lines.joined(separator: " \\\n")) ;;
      """
  }

  private static func options(
    _ command: Command?, _ language: Language, indent: Int
  ) -> String {
    let margin = String(repeating: " ", count: indent)
    return Option.of(command).map { margin + specification($0, language) }
      .joined(separator: " \\\n")
  }

  /// Returns an option in the syntax of `_arguments`: the options that it excludes, its spellings,
  /// its description, and the completion of its value.
  private static func specification(_ option: Option, _ language: Language) -> String {
    let spellings = option.spellings.map { spelling in
      option.value == nil ? spelling : spelling + (spelling == option.long ? "=" : "+")
    }
    // A bracket ends the description, unless a backslash precedes it.
    let summary = option.summary(language).escaping("\\[]", as: "\\$")
    let value = option.value.map { ":" + action($0) } ?? ""
    let description = "[\(summary)]\(value)"
    guard spellings.count > 1 else {
      return quoted((option.isRepeatable ? "*" : "") + spellings[0] + description)
    }
    let exclusion = option.isRepeatable ? "*" : "(\(option.spellings.joined(separator: " ")))"
    return quoted(exclusion) + "{\(spellings.joined(separator: ","))}" + quoted(description)
  }

  /// Returns the name of a value and its completion.
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

/// Writes the completion script for fish from the tables.
enum FishCompletions {
  /// The whole script, descriptions in `language`.
  static func script(_ language: Language) -> String {
    var lines = [
      "# fish completion for sluice. Save it as ~/.config/fish/completions/sluice.fish",
      "complete -c sluice -f",
    ]
    for command in Command.visible {
      lines.append(
        "complete -c sluice -n __fish_use_subcommand -a \(command.name) "
          + "-d \(quoted(command.summary[language]))")
    }
    for option in Option.all {
      let condition =
        option.commands.map { commands in
          " -n \(quoted(seen(commands)))"
        } ?? ""
      let short = option.short.map { " -s \($0)" } ?? ""
      lines.append(
        "complete -c sluice\(condition)\(short) -l \(option.name.rawValue)"
          + "\(option.value.map { " " + takes($0) } ?? "") -d \(quoted(option.summary(language)))")
    }
    for command in Command.visible {
      guard let operand = command.operands.first else { continue }
      let takes =
        operand.value.isFile
        ? "-F" : "\(operand.value.mayBeFile ? "-F " : "")-a \(list(operand.value))"
      lines.append("complete -c sluice -n \(quoted(seen([command]))) \(takes)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func seen(_ commands: [Command]) -> String {
    "__fish_seen_subcommand_from " + commands.map(\.name).joined(separator: " ")
  }

  /// Returns the completion of an option's value: from files, from a list, or none.
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

extension String {
  /// Returns the text with `escape` in place of each of `characters`. `$` in the escape is replaced
  /// by the character.
  func escaping(_ characters: String, as escape: String) -> String {
    reduce(into: "") { result, character in
      guard characters.contains(character) else { return result.append(character) }
      for part in escape { result.append(part == "$" ? character : part) }
    }
  }
}
