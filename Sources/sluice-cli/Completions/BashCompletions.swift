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

    _sluice_words_or_files() {
      _sluice_words "$1" "$2"
      ((${#COMPREPLY[@]})) || _sluice_files "$1"
    }

    complete -F _sluice sluice

    """
  }

  /// What follows an option that takes a value; options with the same offer share a line.
  private static var values: String {
    var lines: [(offer: String, spellings: [String])] = []
    for row in OptionRow.all {
      guard let value = row.value else { continue }
      let offer = offer(value)
      if let index = lines.firstIndex(where: { $0.offer == offer }) {
        lines[index].spellings += row.spellings
      } else {
        lines.append((offer, row.spellings))
      }
    }
    return lines.map { line in
      let action = line.offer.isEmpty ? "return" : "\(line.offer); return"
      return "    \(line.spellings.joined(separator: "|"))) \(action) ;;"
    }.joined(separator: "\n")
  }

  private static var options: String {
    func line(_ pattern: String, _ rows: [OptionRow]) -> String {
      let words = rows.flatMap(\.spellings).joined(separator: " ")
      return "      \(pattern)) _sluice_words \"$cur\" '\(words)' ;;"
    }
    let common = OptionRow.of(nil)
    let own = CommandRow.all.compactMap { row in
      let rows = OptionRow.of(row.name)
      return rows.count > common.count ? line(row.name.rawValue, rows) : nil
    }
    return (own + [line("*", common)]).joined(separator: "\n")
  }

  private static var operands: String {
    // The first word behind a command is completed; where a second may follow, it is free text.
    let lines = CommandRow.all.compactMap { row in
      row.operands.first.map { "      \(row.name.rawValue)) \(offer($0.value)) ;;" }
    }
    return (lines + ["      '') \(offer(.command)) ;;"]).joined(separator: "\n")
  }

  /// The command that offers values of a kind; nothing for free text.
  private static func offer(_ kind: ValueKind) -> String {
    if kind.isFile { return "_sluice_files \"$cur\"" }
    guard let words = kind.offers else { return "" }
    if kind.mayBeFile {
      return "_sluice_words_or_files \"$cur\" '\(words.joined(separator: " "))'"
    }
    return "_sluice_words \"$cur\" '\(words.joined(separator: " "))'"
  }
}
