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
          \(CommandRow.all.map(\.name.rawValue).joined(separator: "|")))
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

    complete -F _sluice sluice

    """
  }

  /// What follows an option that takes a value.
  private static var values: String {
    OptionRow.all.compactMap { row in
      row.value.map { "    \(row.spellings.joined(separator: "|"))) \(offer($0))return ;;" }
    }.joined(separator: "\n")
  }

  private static var options: String {
    func line(_ pattern: String, _ rows: [OptionRow]) -> String {
      let words = rows.flatMap(\.spellings).joined(separator: " ")
      return "      \(pattern)) _sluice_words \"$cur\" '\(words)' ;;"
    }
    return
      (CommandRow.all.map { line($0.name.rawValue, OptionRow.of($0.name)) }
      + [line("*", OptionRow.of(nil))]).joined(separator: "\n")
  }

  private static var operands: String {
    let lines = CommandRow.all.compactMap { row in
      row.operand.map { "      \(row.name.rawValue)) \(offer($0.value));;" }
    }
    return (lines + ["      '') \(offer(.command));;"]).joined(separator: "\n")
  }

  /// The command that offers values of a kind, with a separator behind it; nothing for free text.
  private static func offer(_ kind: ValueKind) -> String {
    if kind.isFile { return "_sluice_files \"$cur\"; " }
    guard let words = kind.offers else { return "" }
    return "_sluice_words \"$cur\" '\(words.joined(separator: " "))'; "
  }
}
